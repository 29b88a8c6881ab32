/** A payment in words for staff, and its address in the provider's dashboard. */
import type { Config } from "#platform/config.server.ts";
import { formatMoney } from "#shop/money.ts";
import type { PaymentKind, PaymentSource, PaymentState } from "#shop/payments/payment.tables.ts";

type Amounts = {
  kind: PaymentKind;
  state: PaymentState;
  amountCents: number;
  authorizedCents: number;
  capturedCents: number;
};

/** Formats "Charged $78.00", or "Paid $78.00" if it was paid to staff. */
export function paymentWords(payment: Amounts & { provider: PaymentSource }): string {
  const { kind, provider, state, amountCents, authorizedCents, capturedCents } = payment;
  if (kind === "setup" && (state === "opening" || state === "open" || state === "closed")) return "No card saved";
  switch (state) {
    case "saved":
      return "Card saved, charged when it ships";
    case "forgotten":
      return "Card deleted";
    case "captured":
      return `${provider === "manual" ? "Paid" : "Charged"} ${formatMoney(capturedCents)}`;
    case "authorized":
      return `Authorized ${formatMoney(authorizedCents)}`;
    case "mismatch":
      return `Authorized ${formatMoney(authorizedCents)} instead of ${formatMoney(amountCents)}`;
    case "opening":
    case "open":
      return `Not paid yet: ${formatMoney(amountCents)}`;
    case "failed":
    case "closed":
      return `Not charged: ${formatMoney(amountCents)}`;
  }
}

/** By the provider's decline codes and the shop's own. */
const PROBLEMS: Record<string, string> = {
  insufficient_funds: "The card does not have enough money.",
  card_velocity_exceeded: "The card is over its limit.",
  withdrawal_count_limit_exceeded: "The card is over its limit.",
  expired_card: "The card has expired.",
  incorrect_cvc: "The security code is wrong.",
  invalid_cvc: "The security code is wrong.",
  incorrect_number: "The card number is wrong.",
  incorrect_zip: "The ZIP code is not the card's.",
  lost_card: "The card was reported lost.",
  stolen_card: "The card was reported stolen.",
  fraudulent: "The payment looks like fraud.",
  authentication_required: "The customer's bank asks for a confirmation.",
  payment_intent_authentication_failure: "The customer did not confirm the payment with their bank.",
  processing_error: "The bank could not process the payment. Trying again may help.",
  try_again_later: "The bank could not process the payment. Trying again may help.",
  instrument_declined: "PayPal declined the customer's way to pay.",
  "amount-differs": "The amount is not the order's.",
  "authorization-ended": "The authorization ended before the order shipped.",
};

export const problemWords = (code: string): string => PROBLEMS[code] ?? "The bank declined the payment.";

type Account = Pick<Config, "payments" | "payPal">;
type Referenced = { provider: PaymentSource; intentReference: string | null };

/** Null before the customer has tried to pay, and for a sandbox on this machine. */
export function dashboardOf(
  { payments, payPal }: Account,
  { provider, intentReference }: Referenced,
): { name: string; url: string } | null {
  if (payments?.by !== "stripe" || !intentReference) return null;
  const id = encodeURIComponent(intentReference);
  if (provider === "paypal") {
    const [isOurs, host] = /^https:\/\/api-m\.(.+)$/.exec(payPal?.apiUrl ?? "") ?? [];
    return isOurs ? { name: "PayPal", url: `https://www.${host}/activity/payment/${id}` } : null;
  }
  if (payments.apiUrl) return null;
  const mode = payments.secretKey.slice(3).startsWith("test_") ? "test/" : "";
  return { name: "Stripe", url: `https://dashboard.stripe.com/${mode}payments/${id}` };
}
