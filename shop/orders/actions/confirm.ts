/** An order's first payment, as reconciliation reads it: paid, a card saved, late, or too much. */
import { decided, NOTHING, refused, type DecidedBy, type Decision } from "../change.ts";
import type { OrderRow, Payment } from "../facts.ts";
import { isByLink } from "../order.ts";
import type { OrderState } from "../state.ts";
import { stockOf } from "./parcels.ts";
import { dueItems, unitsPaidBy, voidPayment } from "./money.ts";

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
      ? decided(change, {
          order: state.money.wasHeld ? {} : promisedByPayment(state, act),
          events: payment.state === "saved" ? [] : [{ type: "payment-authorized", data: { paymentId: payment.id } }],
        })
      : decided(change, surplus(state, payment, act));
  if (order.end === "canceled" || order.end === "declined") return decided(change, surplus(state, payment, act));
  const again = order.end === "expired";
  const waited = again || isByLink(order);
  const units = state.units.filter(({ canceledAt }) => again && !canceledAt);
  return decided(change, {
    order: { confirmedAt: act.at, holdUntil: null, end: null, ...(waited && promisedByPayment(state, act)) },
    ...(again && { stock: stockOf(units, -1, "placed") }),
    events: [{ type: again ? `${event}-late` : event }],
    emails: [{ template: "order-confirmation" }],
  });
}

/**
 * The promise of an order that waited for days for its payment counts from that: it ships as soon after it as other orders do,
 * unless a later or an unknown day was named.
 */
export function promisedByPayment({ facts, promise }: OrderState, act: DecidedBy): Partial<OrderRow> {
  const shipBy = act.shipBy(facts.order);
  return promise.shipBy !== null && promise.shipBy < shipBy ? { shipBy, promisedAt: act.at } : {};
}

const isLive = ({ state }: Payment) => state === "authorized" || state === "captured" || state === "saved";

/** The order waits for a payment: nothing holds its money, and something of it, or of what was refused, is to be charged. */
function isNeeded(state: OrderState, payment: Payment) {
  const { money, packing } = state;
  if (money.authorized) return false;
  return money.isByCard && payment.state === "authorized"
    ? unitsPaidBy(state, payment).length > 0
    : packing !== null || dueItems(state).length > 0;
}

const surplus = ({ facts }: OrderState, payment: Payment, act: DecidedBy) =>
  payment.state === "authorized" ? voidPayment(facts, payment, act) : {};
