/** Refunds with their items, and the attempts that give their money back. */
import { isReason, REFUND_REASONS, type Sent } from "../reasons.ts";
import { merge, type Change, type DecidedBy } from "../change.ts";
import { shareOut } from "#shop/money.ts";
import type { MoneyItem, Payment, Refund, Unit } from "../facts.ts";
import { centsOf, taxOf, waysOf, type ChargeStanding, type OwedRefund, type Ways } from "../order-money.ts";
import { chargesOf, refundItems } from "../refund-items.ts";
import type { OrderState } from "../state.ts";
import { newAttempt } from "./money.ts";

/** Units that carry so many cents in all, as a part of what they carried. */
export function withWorth(units: readonly Unit[], cents: number): Unit[] {
  const shares = shareOut(
    cents,
    units.map(({ carriedCents }) => carriedCents),
  );
  return units.map((unit, place) => ({ ...unit, carriedCents: shares[place]! }));
}

/**
 * The refund of units that others replace, by what these carry over. It pays their charge, unless they cost nothing, and what
 * they cost less moves: of that, no more than earlier refunds have left.
 */
export function carryOver(
  state: OrderState,
  returnId: string,
  charge: Pick<ChargeStanding, "id" | "items"> | null,
  act: DecidedBy,
): Change {
  const newItems = charge?.items ?? [];
  const replacing = state.units.filter((unit) => unit.returnId === returnId && unit.place !== "canceled");
  const former = state.units.filter(
    ({ number, isPaid, refunded }) => isPaid && !refunded && replacing.some(({ replaces }) => replaces === number),
  );
  const carried = replacing.reduce((sum, { carriedCents }) => sum + carriedCents, 0);
  const appliedCents = Math.min(carried, centsOf(newItems));
  if (carried === 0 || former.length === 0) return {};
  const before = former.reduce((sum, { charged }) => sum + charged!.cents, 0);
  const { leftForGoodsCents, leftTaxCents } = state.money;
  const items = refundItems(
    chargesOf(former),
    { deductionCents: before - carried },
    { leftForGoodsCents: leftForGoodsCents + centsOf(newItems), leftTaxCents: leftTaxCents + taxOf(newItems) },
    appliedCents + Math.min(carried - appliedCents, Math.max(0, leftForGoodsCents)),
  );
  return newRefund(state, items, { reason: "difference", returnId, appliedTo: charge?.id ?? null, appliedCents }, act);
}

/** Cents that the refunds of a change give back, without what pays for something else. */
export const movingCents = ({ refunds = [], refundItems: items = [] }: Change): number =>
  centsOf(items) -
  refunds.reduce(
    (sum, { id, appliedCents }) => sum + (items.some((item) => item.refundId === id) ? appliedCents : 0),
    0,
  );

/** Cents of them that no provider is asked for: what staff send themselves. */
export const byHandCents = (change: Change): number =>
  movingCents(change) - centsOf((change.attempts ?? []).filter(({ kind }) => kind === "refund"));

type Promised = Pick<Refund, "reason"> & Partial<Pick<Refund, "returnId" | "appliedTo" | "appliedCents">>;

/** A refund with its items, and the attempts that give it back. Without `moves` it is left to staff. */
export function newRefund(
  state: OrderState,
  items: readonly MoneyItem[],
  { moves = true, ...promised }: Promised & { moves?: boolean },
  act: DecidedBy,
): Change {
  const refund: Refund = {
    returnId: null,
    appliedTo: null,
    appliedCents: 0,
    ...promised,
    id: act.newId(),
    askedBy: act.by,
    staffId: act.staffId ?? null,
    createdAt: act.at,
    otherwiseCents: 0,
    otherwiseAt: null,
  };
  return merge(
    { refunds: [refund], refundItems: items.map((item) => ({ ...item, refundId: refund.id })) },
    moves ? askFor(state, refund.id, waysOf(state.money.refundable, centsOf(items) - refund.appliedCents), act) : {},
  );
}

/**
 * Refunds, on the same payment, what was captured beyond its charge. What the provider has refunded of it already is not asked
 * for, and is seen with the refunds of the payment.
 */
export function refundSurplus(
  state: OrderState,
  { id: paymentId, refundedCents }: Pick<Payment, "id" | "refundedCents">,
  chargeId: string,
  cents: number,
  act: DecidedBy,
): Change {
  const item: MoneyItem = { kind: "surplus", unit: null, cents, taxCents: 0 };
  const refunding = newRefund(state, [item], { reason: "surplus", moves: false }, act);
  const { id: refundId } = refunding.refunds![0]!;
  const knownCents = state.facts.attempts.reduce(
    (sum, each) =>
      sum + (each.paymentId === paymentId && each.kind === "refund" && each.state === "done" ? each.cents : 0),
    0,
  );
  const leftCents = cents - Math.max(0, refundedCents - knownCents);
  return merge(
    { chargeItems: [{ ...item, chargeId, releasedAt: null }] },
    refunding,
    state.money.isDisputed || leftCents <= 0
      ? {}
      : newAttempt({ paymentId, kind: "refund", refundId, cents: leftCents }, act),
  );
}

/** Money that has been given back; `sent` by staff, and not by its provider. */
export const refunded = (refundId: string | null, cents: number, reason: string | null, sent?: Sent): Change => ({
  events: [{ type: "refunded", data: { refundId, cents, reason, ...(sent && { sent }) } }],
  emails: [
    {
      template: "refund-issued",
      refundId,
      cents,
      reason: isReason(REFUND_REASONS, reason) ? reason : null,
      ...(sent && { sent }),
    },
  ],
});

/**
 * Asks providers to give back what a refund owes. What was paid to staff stays owed until they record that they have sent it.
 * Nothing moves while a payment is disputed.
 */
export const askFor = ({ money }: OrderState, refundId: string, { ways }: Ways, act: DecidedBy): Change =>
  merge(
    ...ways
      .filter(({ isByHand }) => !isByHand && !money.isDisputed)
      .map(({ paymentId, cents }) => newAttempt({ paymentId, kind: "refund", refundId, cents }, act)),
  );

/** Part of a refund that staff sent themselves, the way it was paid. */
export const sentByHand = (
  { facts }: OrderState,
  { id: refundId, reason, ways, byHandCents }: OwedRefund,
  act: DecidedBy,
): Change => {
  const sent = ways.filter(({ isByHand }) => isByHand);
  return merge(
    ...sent.map(({ paymentId, cents }) =>
      newAttempt({ paymentId, kind: "refund", refundId, cents, state: "done" }, act),
    ),
    {
      payments: facts.payments.flatMap((payment) => {
        const part = sent.find(({ paymentId }) => paymentId === payment.id);
        return part ? [{ ...payment, refundedCents: payment.refundedCents + part.cents }] : [];
      }),
    },
    refunded(refundId, byHandCents, reason, "by-hand"),
  );
};
