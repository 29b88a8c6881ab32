/** An order's first payment, as reconciliation reads it: authorized, a card saved, late, or too much. */
import { decided, NOTHING, refused, type DecidedBy, type Decision, type Payment } from "../facts.ts";
import type { OrderState } from "../state.ts";
import { stockOf } from "./parcels.ts";
import { voidPayment } from "./money.ts";

/**
 * Confirms an unpaid order with its payment; an expired one takes its stock again, which the writer refuses if there is too
 * little. A payment that an order does not need is voided. Refused with 'not-live' for a payment that holds no money or card.
 */
export function confirmOrder(state: OrderState, { payment }: { payment: Payment }, act: DecidedBy): Decision {
  const { order, payments } = state.facts;
  const isLive = payment.state === "authorized" || payment.state === "saved";
  if (!isLive) return refused("not-live");
  const change = { payments: [payment] };
  const isKnown = payments.some(({ id, state: was }) => id === payment.id && (was === "authorized" || was === "saved"));
  if (isKnown) return NOTHING;
  const event = payment.state === "saved" ? "card-saved" : "authorized";
  if (order.confirmedAt && !order.end)
    return isNeeded(state)
      ? decided(change, { events: [{ type: `payment-${event}` }] })
      : decided(change, surplus(state, payment, act));
  if (order.end === "canceled" || order.end === "declined") return decided(change, surplus(state, payment, act));
  const again = order.end === "expired";
  const units = state.units.filter(({ canceledAt }) => again && !canceledAt);
  return decided(change, {
    order: { confirmedAt: act.at, holdUntil: null, end: null },
    ...(again && { stock: stockOf(units, -1, "placed") }),
    events: [{ type: again ? `${event}-late` : event }],
    emails: [{ situation: "order-confirmation" }],
  });
}

/** The order waits for a payment: nothing holds its money, and something of it is not charged. */
const isNeeded = ({ money, units }: OrderState) =>
  !money.authorized && units.some(({ isPaid, canceledAt, valueCents }) => !isPaid && !canceledAt && valueCents > 0);

const surplus = ({ facts }: OrderState, payment: Payment, act: DecidedBy) =>
  payment.state === "authorized" ? voidPayment(facts, payment, act) : {};
