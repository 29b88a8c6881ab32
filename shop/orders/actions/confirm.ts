/** An order's first payment, as reconciliation reads it: paid, a card saved, late, or too much. */
import { decided, NOTHING, refused, type DecidedBy, type Decision } from "../change.ts";
import type { Payment } from "../facts.ts";
import { isByLink } from "../order.ts";
import type { OrderState } from "../state.ts";
import { stockOf } from "./parcels.ts";
import { unitsPaidBy, voidPayment } from "./money.ts";

/**
 * Confirms an unpaid order with its payment; an expired one takes its stock again, which the writer refuses if there is too
 * little. A payment that an order does not need is voided. Refused with 'not-live' for a payment that holds no money or card.
 */
export function confirmOrder(state: OrderState, { payment }: { payment: Payment }, act: DecidedBy): Decision {
  const { order, payments } = state.facts;
  if (!isLive(payment)) return refused("not-live");
  const change = { payments: [payment] };
  if (payments.some((was) => was.id === payment.id && isLive(was))) return NOTHING;
  const event = payment.state === "saved" ? "card-saved" : "authorized";
  if (order.confirmedAt && !order.end)
    return isNeeded(state, payment)
      ? decided(change, payment.state === "saved" ? {} : { events: [{ type: "payment-authorized" }] })
      : decided(change, surplus(state, payment, act));
  if (order.end === "canceled" || order.end === "declined") return decided(change, surplus(state, payment, act));
  const again = order.end === "expired";
  const units = state.units.filter(({ canceledAt }) => again && !canceledAt);
  const [was, shipBy] = [state.promise.shipBy, act.shipBy(order)];
  // It waited for days, so that its own count from now.
  const isLater = isByLink(order) && was !== null && was < shipBy;
  return decided(change, {
    order: { confirmedAt: act.at, holdUntil: null, end: null, ...(isLater && { shipBy, promisedAt: act.at }) },
    ...(again && { stock: stockOf(units, -1, "placed") }),
    events: [{ type: again ? `${event}-late` : event }],
    emails: [{ template: "order-confirmation" }],
  });
}

const isLive = ({ state }: Payment) => state === "authorized" || state === "captured" || state === "saved";

/** The order waits for a payment: nothing holds its money, and something of it, or of what was refused, is not charged. */
function isNeeded(state: OrderState, payment: Payment) {
  const { money, units } = state;
  if (money.authorized) return false;
  return money.isByCard && payment.state === "authorized"
    ? unitsPaidBy(state, payment).length > 0
    : units.some(({ isPaid, canceledAt, valueCents }) => !isPaid && !canceledAt && valueCents > 0);
}

const surplus = ({ facts }: OrderState, payment: Payment, act: DecidedBy) =>
  payment.state === "authorized" ? voidPayment(facts, payment, act) : {};
