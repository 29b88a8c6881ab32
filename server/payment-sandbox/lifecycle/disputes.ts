/** The cardholder's bank asks for its money back. Who does not answer in time has lost. */
import type Stripe from "stripe";
import { newDispute } from "../objects/dispute.ts";
import { emit, type Work } from "../payment.ts";

export function openDispute(work: Work, charge: Stripe.Charge): void {
  charge.disputed = true;
  const dispute = newDispute(charge, work.now);
  work.payment.disputes.push(dispute);
  emit(work, { type: "charge.dispute.created", object: dispute });
}

export function closeDispute(work: Work, dispute: Stripe.Dispute, status: "lost" | "won"): void {
  if (dispute.status !== "needs_response") return;
  dispute.status = status;
  dispute.evidence_details.past_due = work.now >= (dispute.evidence_details.due_by ?? Infinity);
  emit(work, { type: "charge.dispute.closed", object: dispute });
}
