/** Refunds: of units, of the shipping, of an amount; tried again, or given back in another way. */
import { decided, merge, NOTHING, refused, type Change, type DecidedBy, type Decision } from "../change.ts";
import type { Attempt, MoneyItem, Refund } from "../facts.ts";
import { centsOf, type RefundStanding } from "../order-money.ts";
import { DISPUTE } from "../reasons.ts";
import { hasPrice } from "../choose.ts";
import { isUnsent, type OrderState } from "../state.ts";
import { newAttempt } from "./money.ts";
import { askFor, goodwillItem, newRefund, refunded, refundItems, sentByHand } from "./refund-money.ts";

export type RefundRequest = {
  reason: string;
  returnId?: string | null;
  units?: readonly number[];
  hasShipping?: boolean;
  /** Loss in value of the units, which is kept. */
  deductionCents?: number;
  /** A mere amount, which names no unit. */
  goodwillCents?: number;
  /** Sum that the submitted page showed. */
  seenCents?: number;
};

/** Items of a refund, or why they cannot be refunded. Nothing is refunded twice, nor more than is left of the order. */
export function itemsOf(state: OrderState, request: RefundRequest): MoneyItem[] | ReturnType<typeof refused> {
  const { money, shipping } = state;
  const chosen = state.units.filter(({ number }) => request.units?.includes(number));
  const twice = chosen.find((unit) => !hasPrice(unit));
  if (twice) return refused("refunded-units", { name: twice.name });
  const unsent = chosen.find(isUnsent);
  if (unsent) return refused("not-shipped", { name: unsent.name });
  if (request.hasShipping && !shipping.isRefundable) return refused("refunded-shipping");
  const shippingItem = request.hasShipping ? shipping.charged : null;
  const items = refundItems(chosen, { shippingItem, deductionCents: request.deductionCents ?? 0 }, money);
  const goodwill = request.goodwillCents ?? 0;
  if (goodwill === 0) return items;
  if (!Number.isInteger(goodwill) || goodwill < 0 || items.length > 0) return refused("amount");
  if (goodwill > money.leftCents) return refused("too-much", { left: money.leftCents });
  return [goodwillItem(goodwill, money)];
}

/**
 * Promises a refund and asks for it. Refusals: 'nothing-paid', 'disputed', 'amount', 'too-much', 'refunded-units' and
 * 'refunded-shipping' for what is not charged or refunded already, 'not-shipped' for what is canceled instead, 'sum' if it is not the sum that was seen.
 */
export function refund(state: OrderState, request: RefundRequest, act: DecidedBy): Decision {
  if (state.money.paidCents === 0) return refused("nothing-paid");
  if (state.money.isDisputed) return refused("disputed");
  const items = itemsOf(state, request);
  if ("ok" in items) return items;
  const cents = centsOf(items);
  if (cents === 0) return items.length > 0 ? refused("too-much", { left: 0 }) : refused("amount");
  if (request.seenCents !== undefined && request.seenCents !== cents) return refused("sum", { cents });
  return decided(newRefund(state, items, { reason: request.reason, returnId: request.returnId ?? null }, act));
}

/**
 * A refund that nobody has approved: of what was sent in place of something else, promised without staff, and not asked for with
 * its promise. Any other was decided by a member, by its customer or by a policy, whatever became of its money.
 */
export function isLeft({ facts }: OrderState, { id, askedBy, staffId, createdAt, items }: RefundStanding): boolean {
  if (askedBy === "staff" || staffId !== null) return false;
  const isAsked = facts.attempts.some((each) => each.refundId === id && Number(each.createdAt) === Number(createdAt));
  const isReplacement = ({ unit }: MoneyItem) =>
    facts.units.some(({ number, replaces }) => replaces !== null && (number === unit || replaces === unit));
  return !isAsked && items.some(isReplacement);
}

/** The row of a refund; one that was left to staff is approved by the member who gives it back. */
function rowOf(state: OrderState, refund: RefundStanding, act: DecidedBy): Refund {
  const row = state.facts.refunds.find(({ id }) => id === refund.id)!;
  return isLeft(state, refund) ? { ...row, staffId: act.staffId ?? null } : row;
}

/** Asks providers again for what failed, or what is owed. Refusals: 'unknown-refund', 'disputed', 'not-at-provider' if none can. */
export function retryRefund(state: OrderState, { refundId }: { refundId: string }, act: DecidedBy): Decision {
  const found = state.refunds.find(({ id }) => id === refundId);
  if (!found) return refused("unknown-refund");
  if (found.owedCents === 0) return NOTHING;
  if (state.money.isDisputed) return refused("disputed");
  const change = askFor(state, refundId, found, act);
  if (!change.attempts) return refused("not-at-provider");
  return decided({ refunds: [rowOf(state, found, act)] }, change);
}

/**
 * Records that staff have sent what was paid to them. Refusals: 'unknown-refund', 'meanwhile' if that is not `cents`, which the
 * submitted page showed.
 */
export function recordSent(
  state: OrderState,
  { refundId, cents }: { refundId: string; cents: number },
  act: DecidedBy,
): Decision {
  const found = state.refunds.find(({ id }) => id === refundId);
  if (!found) return refused("unknown-refund");
  if (found.byHandCents === 0) return NOTHING;
  if (found.byHandCents !== cents) return refused("meanwhile");
  return decided({ refunds: [rowOf(state, found, act)] }, sentByHand(state, found, act));
}

/**
 * Records that staff gave back in another way what is owed, but for what was paid to them, which they record as sent.
 * Refusals: 'unknown-refund', 'under-way'.
 */
export function resolveRefund(state: OrderState, { refundId }: { refundId: string }, act: DecidedBy): Decision {
  const found = state.refunds.find(({ id }) => id === refundId);
  if (!found) return refused("unknown-refund");
  const cents = found.owedCents - found.byHandCents;
  if (cents === 0) return NOTHING;
  if (found.underWayCents > 0) return refused("under-way");
  const row = rowOf(state, found, act);
  return decided(
    { refunds: [{ ...row, otherwiseCents: row.otherwiseCents + cents, otherwiseAt: act.at }] },
    refunded(refundId, cents, null, found.hasFailed ? "refused" : "otherwise"),
  );
}

const isUnderWay = ({ state }: Attempt): boolean => state === "asked" || state === "sent";

/** Money of a payment that its buyer has got back. `named`: attempts that the provider knows. */
type GivenBack = { paymentId: string; cents: number; named?: readonly string[] };

/**
 * Pays what was promised with money that the buyer has got back without the shop's asking: what is owed, then what is under
 * way, whose attempts it overtakes unless the provider names them. `paid` is in cents by refund; the rest was not promised.
 */
function payPromised(
  { refunds, facts }: OrderState,
  { paymentId, cents, named = [] }: GivenBack,
  act: DecidedBy,
): { paid: Map<string, number>; restCents: number; overtaken: Change[] } {
  const paid = new Map<string, number>();
  let restCents = cents;
  const pay = (refundId: string, mostCents: number): number => {
    const part = Math.min(restCents, mostCents);
    restCents -= part;
    if (part > 0) paid.set(refundId, (paid.get(refundId) ?? 0) + part);
    return part;
  };
  for (const { id, owedCents } of refunds) pay(id, owedCents);
  // After a lost dispute the provider refunds nothing more of a payment.
  const isLost = facts.payments.some(({ id, dispute }) => id === paymentId && dispute === "lost");
  const overtaken = facts.attempts
    .filter((each) => each.paymentId === paymentId && isUnderWay(each) && !named.includes(each.id))
    .map((attempt): Change => {
      const { refundId, cents: askedCents } = attempt;
      const part = refundId ? pay(refundId, askedCents) : 0;
      if (part === 0) return {};
      const rest = { paymentId, kind: "refund", refundId, cents: askedCents - part } as const;
      const again = rest.cents > 0 && !isLost ? newAttempt(rest, act) : {};
      return merge({ attempts: [{ ...attempt, state: "failed" }] }, again);
    });
  return { paid, restCents, overtaken };
}

/** The bank of the customer took money back with a dispute. What was not promised is a refund that nobody in the shop made. */
export function disputeLost(state: OrderState, lost: GivenBack, act: DecidedBy): Decision {
  const { paid, restCents, overtaken } = payPromised(state, lost, act);
  const rows = state.facts.refunds
    .filter(({ id }) => paid.has(id))
    .map((row) => ({ ...row, otherwiseCents: row.otherwiseCents + paid.get(row.id)!, otherwiseAt: act.at }));
  const promised: Change = rows.length > 0 ? { refunds: rows } : {};
  const lostCents = Math.min(restCents, state.money.leftCents);
  if (lostCents <= 0) return decided(...overtaken, promised);
  const rest = newRefund(state, [goodwillItem(lostCents, state.money)], { reason: DISPUTE, moves: false }, act);
  return decided(...overtaken, promised, rest, {
    refunds: rest.refunds!.map((row) => ({ ...row, otherwiseCents: lostCents, otherwiseAt: act.at })),
  });
}

/**
 * A refund that was made at the provider, as its payment is read: of what was promised, then of what was to be sent another
 * way. The rest, as far as something is left of the order, was not promised before, and names no unit.
 */
export function refundSeen(state: OrderState, seen: GivenBack, act: DecidedBy): Decision {
  const { refunds, money, facts } = state;
  const { paymentId } = seen;
  const { paid, overtaken, ...promised } = payPromised(state, seen, act);
  let { restCents } = promised;
  const otherwise = refunds.map(({ id, otherwiseCents, reason }): Change => {
    const part = reason === DISPUTE ? 0 : Math.min(restCents, otherwiseCents);
    if (part === 0) return {};
    restCents -= part;
    paid.set(id, (paid.get(id) ?? 0) + part);
    const row = facts.refunds.find((each) => each.id === id)!;
    return { refunds: [{ ...row, otherwiseCents: otherwiseCents - part }] };
  });
  // A capture under way is read after the refunds of its payment.
  const comingCents = centsOf(
    facts.attempts.filter((each) => each.paymentId === paymentId && each.chargeId && isUnderWay(each)),
  );
  const goodwillCents = Math.min(restCents, money.leftCents + comingCents);
  const goodwill =
    goodwillCents > 0
      ? newRefund(state, [goodwillItem(goodwillCents, money)], { reason: "provider", moves: false }, act)
      : {};
  if (goodwill.refunds) paid.set(goodwill.refunds[0]!.id, goodwillCents);
  const moved = [...paid].map(([refundId, part]) =>
    newAttempt({ paymentId, kind: "refund", refundId, cents: part, state: "sent" }, act),
  );
  return decided(...overtaken, ...otherwise, goodwill, ...moved);
}
