/** Refunds: of units, of the shipping, of an amount; tried again, or given back in another way. */
import { apply, decided, merge, NOTHING, refused, type Change, type DecidedBy, type Decision } from "../change.ts";
import type { Attempt, MoneyItem, Refund } from "../facts.ts";
import { centsOf, type RefundStanding, type Service } from "../order-money.ts";
import { DISPUTE } from "../reasons.ts";
import { hasPrice } from "../choose.ts";
import { amountItems, chargesOf, partsOfPayment, refundItems, serviceParts, type Part } from "../refund-items.ts";
import { isUnsent, orderState, type OrderState } from "../state.ts";
import { newAttempt } from "./money.ts";
import { askFor, newRefund, refunded, sentByHand } from "./refund-money.ts";

export type RefundRequest = {
  reason: string;
  returnId?: string | null;
  units?: readonly number[];
  hasShipping?: boolean;
  /** Services of returns, whole. */
  services?: readonly Pick<Service, "returnId" | "kind">[];
  /** Loss in value of the units, which is kept. */
  deductionCents?: number;
  /** A mere amount, which names no unit. */
  goodwillCents?: number;
  /** Sum that the submitted page showed. */
  seenCents?: number;
};

/** Parts of a refund, or why it cannot be made. Nothing is refunded twice, nor more than is left of the order. */
function partsOf(state: OrderState, request: RefundRequest): Part[] | ReturnType<typeof refused> {
  const { money, shipping } = state;
  const chosen = state.units.filter(({ number }) => request.units?.includes(number));
  const twice = chosen.find((unit) => !hasPrice(unit));
  if (twice) return refused("refunded-units", { name: twice.name });
  const unsent = chosen.find(isUnsent);
  if (unsent) return refused("not-shipped", { name: unsent.name });
  if (request.hasShipping && !shipping.isRefundable) return refused("refunded-shipping");
  const shippingItem = request.hasShipping ? shipping.charged : null;
  const asked = request.services ?? [];
  const services = money.services.filter((each) =>
    asked.some(({ returnId, kind }) => each.returnId === returnId && each.kind === kind),
  );
  if (services.length < asked.length) return refused("refunded-service");
  const items = refundItems(chargesOf(chosen), { shippingItem, deductionCents: request.deductionCents ?? 0 }, money);
  const returnId = request.returnId ?? null;
  const parts = [...(items.length > 0 ? [{ items, returnId }] : []), ...serviceParts(services)];
  const goodwill = request.goodwillCents ?? 0;
  if (goodwill === 0) return parts;
  if (!Number.isInteger(goodwill) || goodwill < 0 || parts.length > 0) return refused("amount");
  const left = Math.max(0, money.leftForGoodsCents);
  return goodwill > left ? refused("too-much", { left }) : [{ items: amountItems(state, goodwill), returnId }];
}

/** Refunds of some parts, one after another. */
function refundParts(
  state: OrderState,
  parts: readonly Part[],
  promised: Pick<Refund, "reason"> & { moves?: boolean },
  act: DecidedBy,
): Change {
  let change: Change = {};
  for (const { items, returnId } of parts)
    change = merge(change, newRefund(orderState(apply(state.facts, change)), items, { ...promised, returnId }, act));
  return change;
}

/**
 * Promises a refund and asks for it. Refusals: 'nothing-paid', 'disputed', 'amount', 'too-much', 'refunded-units' and
 * 'refunded-shipping' and 'refunded-service' for what is not charged or refunded already, 'not-shipped' for what is canceled instead, 'sum' if it is not the sum that was seen.
 */
export function refund(state: OrderState, request: RefundRequest, act: DecidedBy): Decision {
  if (state.money.paidCents === 0) return refused("nothing-paid");
  if (state.money.isDisputed) return refused("disputed");
  const parts = partsOf(state, request);
  if ("ok" in parts) return parts;
  const cents = centsOf(parts.flatMap(({ items }) => items));
  if (cents === 0) return parts.length > 0 ? refused("too-much", { left: 0 }) : refused("amount");
  if (request.seenCents !== undefined && request.seenCents !== cents) return refused("sum", { cents });
  return decided(refundParts(state, parts, { reason: request.reason }, act));
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

/** Cents of a refund of a change. */
const givenBy = ({ refundItems: items = [] }: Change, { id }: Refund): number =>
  centsOf(items.filter(({ refundId }) => refundId === id));

/** The bank of the customer took money back with a dispute. What was not promised is a refund that nobody in the shop made. */
export function disputeLost(state: OrderState, lost: GivenBack, act: DecidedBy): Decision {
  const { paid, restCents, overtaken } = payPromised(state, lost, act);
  const rows = state.facts.refunds
    .filter(({ id }) => paid.has(id))
    .map((row) => ({ ...row, otherwiseCents: row.otherwiseCents + paid.get(row.id)!, otherwiseAt: act.at }));
  const promised: Change = rows.length > 0 ? { refunds: rows } : {};
  const lostCents = Math.min(restCents, state.money.leftCents);
  if (lostCents <= 0) return decided(...overtaken, promised);
  const parts = partsOfPayment(state, { ...lost, cents: lostCents });
  const rest = refundParts(state, parts, { reason: DISPUTE, moves: false }, act);
  return decided(...overtaken, promised, rest, {
    refunds: rest.refunds!.map((row) => ({ ...row, otherwiseCents: givenBy(rest, row), otherwiseAt: act.at })),
  });
}

/**
 * A refund that was made at the provider, as its payment is read: of what was promised, then of what was to be sent another
 * way. The rest, as far as something is left of the order, was not promised before.
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
  const parts = partsOfPayment(state, { paymentId, cents: Math.min(restCents, money.leftCents + comingCents) });
  const rest = refundParts(state, parts, { reason: "provider", moves: false }, act);
  for (const row of rest.refunds ?? []) paid.set(row.id, givenBy(rest, row));
  const moved = [...paid].map(([refundId, part]) =>
    newAttempt({ paymentId, kind: "refund", refundId, cents: part, state: "sent" }, act),
  );
  return decided(...overtaken, ...otherwise, rest, ...moved);
}
