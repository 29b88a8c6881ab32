/** Refunds by staff: the code that a large one needs, the limit of the role, and the result in words. */
import type { Refunded } from "#shop/fulfillment/refund.server.ts";
import { formatMoney } from "#shop/money.ts";
import type { LimitRefusal } from "#shop/orders/change.ts";
import { REFUND_LIMIT_CENTS } from "#shop/staff/permissions.ts";
import { refused } from "#app/http/form.server.ts";
import { CODE_FIELD, requireFreshStaff, staffOf } from "#app/session/staff.server.ts";
import { unverified, type Action } from "./action.server.ts";
import { sendByHand } from "./by-hand.ts";

/** Requests a refund, and a code only if the shop finds that it needs one. */
export async function requested<Result extends { ok: boolean; reason?: string }>(
  { context, form }: Action,
  request: (isVerified: boolean) => Promise<Result>,
): Promise<{ result: Result } | { problem: string }> {
  const result = await request(staffOf(context).isFresh);
  if (result.ok || result.reason !== "unverified") return { result };
  const problem = await requireFreshStaff(context, form.get(CODE_FIELD));
  return problem ? { problem } : { result: await request(true) };
}

type Above = Extract<LimitRefusal, { reason: "limit" }>;

/** Answers a form by the result of its request, unless a code is missing, or it is above the limit of the role. */
export async function withinLimit<Result extends { ok: boolean; reason?: string }, Answer>(
  action: Action,
  request: (isVerified: boolean) => Promise<Result>,
  answer: (result: Exclude<Result, LimitRefusal>) => Answer,
) {
  const asked = await requested(action, request);
  if ("problem" in asked) return unverified(action, asked.problem);
  const { result } = asked;
  if (!result.ok && result.reason === "limit") return aboveLimit(action, result as unknown as Above);
  return answer(result as Exclude<Result, LimitRefusal>);
}

function aboveLimit(action: Action, { cents, refundedCents }: Above) {
  const limit = formatMoney(REFUND_LIMIT_CENTS[action.by.role] ?? 0);
  const already = refundedCents > 0 ? `, and you already refunded ${formatMoney(refundedCents)}` : "";
  const why = `Your role can refund up to ${limit} per order per day${already}. Ask a manager or an owner to refund ${formatMoney(cents)}.`;
  return refused(action, why, { status: 403 });
}

/** Result of a refund that no provider refused: what has moved, and what is left to send. */
export function refundWords(cents: number, { state, byHandCents = 0 }: Refunded): string {
  const moved = formatMoney(cents - byHandCents);
  const words = {
    done: `Refunded ${moved}. The customer was notified.`,
    waiting: `Refund of ${moved} started. The customer is notified once it completes.`,
  };
  return [
    ...(state === "done" || state === "waiting" ? [words[state]] : []),
    ...(byHandCents > 0 ? [sendByHand(byHandCents)] : []),
  ].join(" ");
}
