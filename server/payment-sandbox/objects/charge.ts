/** A Charge, whole: one attempt to take money from a card, gone through or declined. */
import type Stripe from "stripe";
import { brand } from "../../../shop/brand.ts";
import type { Payer } from "../payment.ts";
import { newId } from "../secrets.ts";
import type { TestCard } from "../test-cards.ts";
import { billingDetails, cardOfCharge } from "./card.ts";

const APPROVED: Stripe.Charge.Outcome = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: "approved_by_network",
  reason: null,
  risk_level: "normal",
  risk_score: 12,
  seller_message: "Payment complete.",
  type: "authorized",
};

const refused = (reason: string): Stripe.Charge.Outcome => ({
  ...APPROVED,
  advice_code: "try_again_later",
  network_status: "declined_by_network",
  reason,
  seller_message: "The bank did not return any further details with this decline.",
  type: "issuer_declined",
});

type Facts = {
  intent: Stripe.PaymentIntent;
  payer: Payer;
  email: string | null;
  paymentMethod: string;
  decline: TestCard["decline"];
  isProved: boolean;
  /** Null where the money is taken at once, or not at all. */
  captureBefore: number | null;
  now: number;
};

export function newCharge(facts: Facts): Stripe.Charge {
  const { intent, payer, decline, captureBefore } = facts;
  const isCaptured = !decline && captureBefore === null;
  return {
    id: newId.charge(),
    object: "charge",
    amount: intent.amount,
    amount_captured: isCaptured ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: billingDetails(payer, facts.email),
    calculated_statement_descriptor: brand.name.toUpperCase(),
    captured: isCaptured,
    created: facts.now,
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: decline ? refused(decline.declineCode ?? decline.code) : APPROVED,
    paid: !decline,
    payment_intent: intent.id,
    payment_method: facts.paymentMethod,
    payment_method_details: {
      card: cardOfCharge(payer, {
        amount: intent.amount,
        captureBefore,
        isProved: facts.isProved,
        isCvcWrong: decline?.code === "incorrect_cvc",
      }),
      type: "card",
    },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: decline ? "failed" : "succeeded",
    transfer_data: null,
    transfer_group: null,
  };
}
