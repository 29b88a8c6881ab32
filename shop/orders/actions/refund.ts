/** Refunds: of units, of the shipping, of an amount; tried again, or given back in another way. */
import { decided, NOTHING, refused, type DecidedBy, type Decision, type MoneyItem } from "../facts.ts";
import { centsOf, type OrderState } from "../state.ts";
import { newAttempt } from "./money.ts";
import { goodwillItem, newRefund, refundItems, retry } from "./refund-money.ts";

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
  const twice = chosen.find(({ isPaid, refunded, isReplaced }) => !isPaid || refunded !== null || isReplaced);
  if (twice) return refused("refunded-units", { name: twice.name });
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
 * 'refunded-shipping' for what is not charged or refunded already, 'sum' if it is not the sum that was seen.
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

/** Tries again to give back what failed, or what is owed. Refusals: 'unknown-refund', 'disputed'. */
export function retryRefund(state: OrderState, { refundId }: { refundId: string }, act: DecidedBy): Decision {
  const found = state.refunds.find(({ id }) => id === refundId);
  if (!found) return refused("unknown-refund");
  if (found.owedCents === 0) return NOTHING;
  if (state.money.isDisputed) return refused("disputed");
  const change = retry(state, found, act);
  return change.attempts ? decided(change) : refused("nothing-paid");
}

/** Records that staff gave back in another way what is owed. Refusals: 'unknown-refund', 'under-way'. */
export function resolveRefund(state: OrderState, { refundId }: { refundId: string }, act: DecidedBy): Decision {
  const found = state.refunds.find(({ id }) => id === refundId);
  if (!found) return refused("unknown-refund");
  if (found.otherwiseAt || found.owedCents === 0) return NOTHING;
  if (found.underWayCents > 0) return refused("under-way");
  const row = state.facts.refunds.find(({ id }) => id === refundId)!;
  return decided({
    refunds: [{ ...row, otherwiseAt: act.at }],
    events: [{ type: "refunded", data: { refundId, cents: found.owedCents, reason: null, isByHand: true } }],
    emails: [{ situation: "refund-issued", cents: found.owedCents, reason: null, isByHand: true }],
  });
}

/** A refund that was made at the provider, as its payment is read. It names no unit. */
export function refundSeen(
  state: OrderState,
  { paymentId, cents }: { paymentId: string; cents: number },
  act: DecidedBy,
): Decision {
  const refunding = newRefund(state, [goodwillItem(cents, state.money)], { reason: "provider", moves: false }, act);
  const [row] = refunding.refunds!;
  const attempt = newAttempt({ paymentId, kind: "refund", refundId: row!.id, cents, state: "sent" }, act);
  return decided(refunding, attempt);
}
