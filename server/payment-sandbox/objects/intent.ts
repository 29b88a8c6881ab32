/** A PaymentIntent, whole, as it is when somebody first pays on a session's page. */
import type Stripe from "stripe";
import type { Payment } from "../payment.ts";
import { clientSecret, newId } from "../secrets.ts";

export function newIntent({ session, intentSettings }: Payment, now: number): Stripe.PaymentIntent {
  const id = newId.intent();
  return {
    id,
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount: session.amount_total ?? 0,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: intentSettings.captureMethod,
    client_secret: clientSecret(id),
    confirmation_method: "automatic",
    created: now,
    currency: session.currency ?? "usd",
    customer: null,
    customer_account: null,
    description: intentSettings.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: intentSettings.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: "automatic" },
    },
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: intentSettings.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "requires_payment_method",
    transfer_data: null,
    transfer_group: null,
  };
}
