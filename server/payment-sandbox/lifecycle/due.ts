/** What time alone brings: sessions and authorizations run out, banks settle refunds, disputes are lost unanswered. */
import { emit, paidCharge, type Payment, type Work } from "../payment.ts";
import { invalidRequest } from "../refusal.ts";
import { closeIntent, runOut } from "./captures.ts";
import { closeDispute } from "./disputes.ts";
import { settleRefund } from "./refunds.ts";

export function expire(work: Work): void {
  const { session, intent } = work.payment;
  if (session.status !== "open") {
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    );
  }
  session.status = "expired";
  session.url = null;
  work.payment.challenge = null;
  emit(work, { type: "checkout.session.expired", object: session });
  if (intent) closeIntent(work, intent, "expired");
}

/** All that is still to come, each with its time in seconds. */
function upcoming(payment: Payment) {
  const { session, intent, openRefunds, disputes } = payment;
  const steps: { at: number; run(work: Work): void }[] = openRefunds.map((open) => ({
    at: open.settlesAt,
    run: (work) => settleRefund(work, open),
  }));
  if (session.status === "open") steps.push({ at: session.expires_at, run: expire });
  const captureBefore = paidCharge(payment)?.payment_method_details?.card?.capture_before;
  if (intent?.status === "requires_capture" && captureBefore !== undefined)
    steps.push({ at: captureBefore, run: runOut });
  for (const dispute of disputes) {
    const { due_by: dueBy } = dispute.evidence_details;
    if (dispute.status === "needs_response" && dueBy !== null) {
      steps.push({ at: dueBy, run: (work) => closeDispute(work, dispute, "lost") });
    }
  }
  return steps.toSorted((one, other) => one.at - other.at);
}

/** When time next changes this payment, in seconds; null: never. */
export const dueAt = (payment: Payment): number | null => upcoming(payment)[0]?.at ?? null;

export function settleDue(work: Work): void {
  for (const { at, run } of upcoming(work.payment)) if (at <= work.now) run(work);
}
