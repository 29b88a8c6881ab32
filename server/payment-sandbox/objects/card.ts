/** What Stripe's objects show of a card, and of who pays with it. */
import type Stripe from "stripe";
import type { Payer } from "../payment.ts";
import { sha256 } from "../secrets.ts";
import { cardByNumber, lastFour, type TestCard } from "../test-cards.ts";

export function testCard(number: string): TestCard {
  const card = cardByNumber(number);
  if (!card) throw new Error("Only test cards come this far");
  return card;
}

/** The page sells in the United States alone. */
const addressOf = ({ postalCode }: Payer): Stripe.Address => ({
  city: null,
  country: "US",
  line1: null,
  line2: null,
  postal_code: postalCode,
  state: null,
});

export const billingDetails = (payer: Payer, email: string | null): Stripe.Charge.BillingDetails => ({
  address: addressOf(payer),
  email,
  name: payer.name,
  phone: null,
  tax_id: null,
});

const walletOf = (wallet: Payer["wallet"], last4: string) => {
  if (wallet === null) return null;
  const shared = { type: wallet, dynamic_last4: last4 };
  return wallet === "apple_pay" ? { ...shared, apple_pay: {} } : { ...shared, google_pay: {} };
};

function seen({ cardNumber, postalCode, wallet, expMonth, expYear }: Payer, isCvcWrong: boolean) {
  const { brand, number } = testCard(cardNumber);
  return {
    brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: postalCode === null ? null : "pass",
      // A wallet sends no security code.
      cvc_check: wallet === null ? (isCvcWrong ? "fail" : "pass") : null,
    },
    country: "US",
    exp_month: expMonth,
    exp_year: expYear,
    fingerprint: sha256(number).slice(0, 16),
    funding: "credit",
    last4: lastFour(number),
    regulated_status: "unregulated",
    wallet: walletOf(wallet, lastFour(number)),
  } as const;
}

/** How the card of a charge reads. `captureBefore` is null where nothing is held. */
export function cardOfCharge(
  payer: Payer,
  given: { amount: number; captureBefore: number | null; isProved: boolean; isCvcWrong: boolean },
): Stripe.Charge.PaymentMethodDetails.Card {
  const card = seen(payer, given.isCvcWrong);
  return {
    ...card,
    amount_authorized: given.amount,
    authorization_code: null,
    ...(given.captureBefore !== null && { capture_before: given.captureBefore }),
    electronic_commerce_indicator: null,
    extended_authorization: { status: "disabled" },
    incremental_authorization: { status: "unavailable" },
    installments: null,
    mandate: null,
    multicapture: { status: "unavailable" },
    network: card.brand,
    network_token: { used: false },
    network_transaction_id: null,
    overcapture: { maximum_amount_capturable: given.amount, status: "unavailable" },
    three_d_secure: given.isProved
      ? {
          authentication_flow: "challenge",
          electronic_commerce_indicator: "05",
          exemption_indicator: null,
          result: "authenticated",
          result_reason: null,
          transaction_id: null,
          version: "2.2.0",
        }
      : null,
    transaction_link_id: null,
  };
}

/** As it stands in the error of an intent whose payment failed. */
export function paymentMethod(id: string, payer: Payer, email: string | null, now: number): Stripe.PaymentMethod {
  const card = seen(payer, false);
  return {
    id,
    object: "payment_method",
    allow_redisplay: "limited",
    billing_details: billingDetails(payer, email),
    card: {
      ...card,
      display_brand: card.brand === "amex" ? "american_express" : card.brand,
      generated_from: null,
      networks: { available: [card.brand], preferred: null },
      three_d_secure_usage: { supported: true },
    },
    created: now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: "card",
  };
}
