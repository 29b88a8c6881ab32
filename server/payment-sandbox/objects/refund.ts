/** A Refund, whole. Money that was only held and is let go is one too, as at Stripe. */
import type Stripe from "stripe";
import { newId } from "../secrets.ts";

type Facts = {
  charge: Stripe.Charge;
  amount: number;
  reason: Stripe.Refund.Reason | null;
  metadata: Stripe.Metadata;
  isPending: boolean;
  /** Of money that was held and never taken. */
  isRelease: boolean;
  now: number;
};

export const newRefund = ({ charge, amount, reason, metadata, isPending, isRelease, now }: Facts): Stripe.Refund => ({
  id: newId.refund(),
  object: "refund",
  amount,
  balance_transaction: null,
  charge: charge.id,
  created: now,
  currency: charge.currency,
  customer: null,
  customer_account: null,
  destination_details: {
    card: {
      reference_status: "pending",
      reference_type: "acquirer_reference_number",
      type: isRelease ? "reversal" : "refund",
    },
    type: "card",
  },
  metadata,
  payment_intent: charge.payment_intent,
  payment_method: charge.payment_method,
  ...(isPending && { pending_reason: "processing" }),
  reason,
  receipt_number: null,
  source_transfer_reversal: null,
  status: isPending ? "pending" : "succeeded",
  transfer_reversal: null,
});
