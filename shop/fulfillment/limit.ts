/** The limit of what a member of the staff may give away of one order within a day. */
import type { Acting } from "#shop/audit/audit.server.ts";
import { isLeft } from "#shop/orders/actions/refund.ts";
import { movingCents } from "#shop/orders/actions/refund-money.ts";
import type { Change, DecidedBy, LimitRefusal } from "#shop/orders/change.ts";
import type { Facts, Refund } from "#shop/orders/facts.ts";
import { centsOf, sum, type RefundStanding } from "#shop/orders/order-money.ts";
import type { OrderState } from "#shop/orders/state.ts";
import { FRESH_REFUND_CENTS, REFUND_LIMIT_CENTS } from "#shop/staff/permissions.ts";

/** `isVerified`: the member has just shown a code, which a large refund needs. */
export type Member = Acting & { isVerified?: boolean };

const DAY_MS = 24 * 3_600_000;

/** The fee of a service that was not done. */
const isOwed = ({ reason }: Pick<Refund, "reason">): boolean => reason === "fee";

/**
 * Cents that a change gives away: what its refunds promise to move, the rest of those that were left to staff and that it
 * approves, and what it waives. The fee of a service that was not done is owed. A refund that was decided before is given back
 * by anyone, again or in another way.
 */
export function givenAway(state: OrderState, change: Change): number {
  const approved = state.refunds.filter(
    (refund) => isLeft(state, refund) && change.refunds?.some(({ id }) => id === refund.id),
  );
  const ofEnd = (change.refunds ?? []).filter(isOwed);
  const owed = (change.refundItems ?? []).filter(({ refundId }) => ofEnd.some(({ id }) => id === refundId));
  const approvedCents = sum(approved, ({ owedCents }) => owedCents);
  return movingCents(change) - centsOf(owed) + approvedCents + centsOf(change.waivers ?? []);
}

/** When a member decided on a refund: as they promised it, or as they last gave back one that was left to staff. */
function decidedAt({ attempts }: Facts, { id, askedBy, createdAt, otherwiseAt }: RefundStanding): Date {
  if (askedBy === "staff") return createdAt;
  const tried = attempts.filter(({ refundId }) => refundId === id).map((attempt) => attempt.createdAt);
  return [createdAt, ...tried, ...(otherwiseAt ? [otherwiseAt] : [])].reduce((one, other) =>
    one > other ? one : other,
  );
}

/** Cents that a member waived, promised or approved of an order within a day. A refund that failed counts: it stays promised. */
function givenBy({ facts, refunds }: OrderState, { staffId, at }: DecidedBy): number {
  const given = refunds.filter((refund) => !isOwed(refund));
  const promised = given.map((refund) => {
    return { staffId: refund.staffId, cents: refund.movingCents, createdAt: decidedAt(facts, refund) };
  });
  const isCounted = (each: (typeof promised)[number]) =>
    each.staffId === staffId && at.getTime() - each.createdAt.getTime() < DAY_MS;
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
