/** Money that was captured at the provider without the shop's asking, as its payment is read. */
import { apply, decided, merge, NOTHING, type Change, type DecidedBy, type Decision } from "../change.ts";
import type { MoneyItem, Payment } from "../facts.ts";
import { centsOf, type ChargeStanding } from "../order-money.ts";
import { orderState, type OrderState } from "../state.ts";
import { dueItems, newAttempt, newCharge, releaseItems, shippingItems, toCharge, unitItem } from "./money.ts";
import { moneyMoved, type Outcome } from "./money-moved.ts";

/**
 * Books a capture that the shop did not ask for: it pays the charge of its link, or what is due of the order, whole or as it
 * was announced. What is paid beyond that is given back. Repeated, nothing changes.
 */
export function captureSeen(state: OrderState, { payment }: { payment: Payment }, act: DecidedBy): Decision {
  const isOurs = state.facts.attempts.some(
    ({ paymentId, kind, state: is }) =>
      paymentId === payment.id && (kind === "capture" || kind === "charge") && is !== "failed",
  );
  if (isOurs || payment.capturedCents === 0) return NOTHING;
  const paid = payment.kind === "page" && payment.chargeId !== null ? linked(state, payment) : null;
  const asked = paid ?? newlyCharged(state, payment, act);
  const { id: chargeId, cents, change } = asked;
  const attempt = newAttempt({ paymentId: payment.id, kind: "capture", chargeId, cents, state: "sent" }, act);
  const before = merge(change, attempt);
  const attemptId = attempt.attempts![0]!.id;
  const moved = moneyMoved(orderState(apply(state.facts, before)), { attemptId, outcome: "done", payment }, act);
  return moved.ok ? decided(before, moved.change) : moved;
}

/**
 * Records the outcome of an attempt, as its payment is read. Captured for less than was asked, it pays nothing of its charge,
 * which fails, and the money is booked as one that the shop did not ask for.
 */
export function attemptRead(state: OrderState, outcome: Outcome, act: DecidedBy): Decision {
  const attempt = state.facts.attempts.find(({ id }) => id === outcome.attemptId);
  const isShort = attempt?.kind === "capture" && outcome.payment.capturedCents < attempt.cents;
  if (!isShort || outcome.outcome === "failed") return moneyMoved(state, outcome, act);
  const failed = moneyMoved(state, { ...outcome, outcome: "failed" }, act);
  if (!failed.ok) return failed;
  const seen = captureSeen(orderState(apply(state.facts, failed.change)), outcome, act);
  if (!seen.ok) return seen;
  // The failed charge asks the buyer to pay already.
  const emails = (seen.change.emails ?? []).filter(({ template }) => template !== "payment-request");
  return decided(failed.change, { ...seen.change, emails });
}

/** The charge of a link that waits to be paid, with this much. */
function linked({ charges, facts }: OrderState, { chargeId, capturedCents }: Payment) {
  const charge = charges.find(({ id }) => id === chargeId);
  const isTaken = facts.attempts.some((each) => each.chargeId === chargeId && each.state !== "failed");
  return charge?.state === "asked" && !isTaken && charge.dueCents <= capturedCents
    ? { id: charge.id, cents: charge.dueCents, change: {} }
    : null;
}

/** A charge of what is due of the order, as far as the money pays it; of nothing if it pays no part of that whole. */
function newlyCharged(state: OrderState, payment: Payment, act: DecidedBy) {
  const isOrders = payment.chargeId === null && !(state.money.authorized && state.money.authorized.id !== payment.id);
  const due = isOrders ? dueItems(state) : [];
  const choices = isOrders ? [due, ...state.charges.map((charge) => announcedItems(state, charge))] : [];
  const items = choices.find((each) => each.length > 0 && centsOf(each) <= payment.capturedCents) ?? [];
  const numbers = items.flatMap(({ unit }) => unit ?? []);
  const hasShipping = items.some(({ kind }) => kind === "shipping");
  const cents = centsOf(items);
  const { id, change } = newCharge(items, { state: "asked", by: "ship" }, act);
  const released = state.charges
    .filter(({ state: is }) => is === "announced")
    .map((charge) => releaseItems(state, charge, numbers, hasShipping, act));
  const said: Change =
    cents > 0
      ? { events: [{ type: "payment-received", data: { chargeId: id, cents } }] }
      : due.length > 0
        ? { emails: [{ template: "payment-request", why: "capture-failed" }] }
        : {};
  return { id, cents, change: merge(...released, change, said) };
}

/** Items that an announced charge would take now. */
function announcedItems(state: OrderState, { id, state: is }: ChargeStanding): MoneyItem[] {
  const units = state.units.filter((unit) => toCharge(unit) && unit.announced?.id === id);
  if (is !== "announced" || units.length === 0) return [];
  const { announced } = state.shipping;
  return [...units.map(unitItem), ...(announced === null || announced?.id === id ? shippingItems(state) : [])];
}
