/** The limit of what a member of the staff may give away of one order within a day. */
import type { Acting } from "#shop/audit/audit.server.ts";
import { isLeft } from "#shop/orders/actions/refund.ts";
import { movingCents } from "#shop/orders/actions/refund-money.ts";
import type { Change, DecidedBy, LimitRefusal } from "#shop/orders/change.ts";
import { centsOf } from "#shop/orders/order-money.ts";
import type { OrderState } from "#shop/orders/state.ts";
import { FRESH_REFUND_CENTS, REFUND_LIMIT_CENTS } from "#shop/staff/permissions.ts";

/** `isVerified`: the member has just shown a code, which a large refund needs. */
export type Member = Acting & { isVerified?: boolean };

const DAY_MS = 24 * 3_600_000;

/**
 * Cents that a change gives away: what its refunds promise to move, what it approves of those that were left to staff, and what
 * it waives. The fee of a service that was not done is owed, and what staff have sent themselves is only recorded.
 */
export function givenAway(state: OrderState, change: Change): number {
  const approved = (change.attempts ?? []).filter(
    (each) => each.state === "asked" && state.refunds.some((refund) => refund.id === each.refundId && isLeft(refund)),
  );
  const owed = (change.refundItems ?? []).filter(({ kind }) => kind === "fee");
  return movingCents(change) - centsOf(owed) + centsOf(approved) + centsOf(change.waivers ?? []);
}

/**
 * Cents that a member waived, promised or approved of an order and that were last tried within a day. One that failed counts: it
 * stays promised, so that trying it again gives nothing more away, and is free to whoever does.
 */
function givenBy({ facts, refunds }: OrderState, { staffId, at }: DecidedBy): number {
  const promised = refunds.map((refund) => {
    const { createdAt } = facts.attempts.findLast(({ refundId }) => refundId === refund.id) ?? refund;
    return { staffId: refund.staffId, cents: refund.movingCents, createdAt };
  });
  const isCounted = (given: (typeof promised)[number]) =>
    given.staffId === staffId && at.getTime() - given.createdAt.getTime() < DAY_MS;
  return centsOf([...facts.waivers, ...promised].filter(isCounted));
}

/** Why a member may not make a change of an order; null if they may. */
export const limitOf =
  ({ role, isVerified = false }: Member) =>
  (state: OrderState, change: Change, act: DecidedBy): LimitRefusal | null => {
    const cents = givenAway(state, change);
    if (cents <= 0) return null;
    const refundedCents = givenBy(state, act);
    if (refundedCents + cents > (REFUND_LIMIT_CENTS[role] ?? Infinity))
      return { ok: false, reason: "limit", cents, refundedCents };
    return refundedCents + cents > FRESH_REFUND_CENTS && !isVerified ? { ok: false, reason: "unverified" } : null;
  };
