/** Parameters of Stripe's hosted page, for paying or for saving a card, and of charges of saved cards. */
import type Stripe from "stripe";
import { formatMoney } from "#shop/money.ts";
import { METHOD_NAMES, type MethodName, PAYMENT_METHODS } from "../payment-method.ts";
import type { PaymentOrder, SavedCardCharge } from "../provider.ts";

const CURRENCY = "usd";

const isSavable = (name: MethodName) => PAYMENT_METHODS[name].isSavable;

export const savesCard = ({ mode, savesFor }: PaymentOrder): boolean => mode === "save" || savesFor !== undefined;

/** `customer` owns the card that the page saves; null for a page that saves none. */
export const sessionParams = (order: PaymentOrder, customer: string | null): Stripe.Checkout.SessionCreateParams => ({
  ...(order.mode === "save" ? savingParams(order) : payingParams(order)),
  ...(customer ? { customer } : { customer_email: order.email }),
  ...(savesCard(order) && { custom_text: { submit: { message: consentText(order) } } }),
  allowed_payment_method_types: savesCard(order) ? order.methods.filter(isSavable) : order.methods,
  billing_address_collection: order.asksBillingAddress ? "required" : "auto",
  client_reference_id: order.paymentId,
  expires_at: Math.floor(order.expiresAt.getTime() / 1000),
  success_url: order.successUrl,
  cancel_url: order.cancelUrl,
});

const metadataOf = ({ paymentId, orderNumber }: { paymentId: string; orderNumber: string }) => ({
  payment_id: paymentId,
  order_number: orderNumber,
});

const savingParams = (order: PaymentOrder) => ({
  mode: "setup" as const,
  currency: CURRENCY,
  setup_intent_data: { metadata: metadataOf(order) },
});

function payingParams(order: PaymentOrder) {
  const line = (name: string, cents: number, quantity = 1) => ({
    price_data: { currency: CURRENCY, unit_amount: cents, product_data: { name } },
    quantity,
  });
  return {
    mode: "payment" as const,
    line_items: [
      ...order.lines.map(({ name, unitPriceCents, quantity }) => line(name, unitPriceCents, quantity)),
      ...(order.shippingCents > 0 ? [line("Shipping", order.shippingCents)] : []),
      ...(order.taxCents > 0 ? [line("Tax", order.taxCents)] : []),
    ],
    payment_intent_data: {
      capture_method: "manual" as const,
      metadata: metadataOf(order),
      ...(order.savesFor && { setup_future_usage: "off_session" as const }),
    },
    // Prices stay in dollars.
    adaptive_pricing: { enabled: false },
  };
}

function consentText({ mode, orderNumber, amountCents }: PaymentOrder): string {
  const total = formatMoney(amountCents);
  return mode === "save"
    ? `Nothing is charged now. We save your card and charge it when order ${orderNumber} ships, each package by itself, ${total} in all. We email you each charge.`
    : `Your card is also saved for what is still to ship of order ${orderNumber}. Each package is charged when it ships, and we email you each charge.`;
}

export const chargeParams = (charge: SavedCardCharge): Stripe.PaymentIntentCreateParams => ({
  amount: charge.amountCents,
  currency: CURRENCY,
  customer: charge.saved.customer,
  payment_method: charge.saved.method,
  allowed_payment_method_types: METHOD_NAMES.filter(isSavable),
  off_session: true,
  confirm: true,
  metadata: metadataOf(charge),
});
