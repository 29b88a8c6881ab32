/** The shop's provider with a sandbox, for tests that call the shop's functions. */
import { providePayments } from "#shop/payments/open-provider.server.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { payPalProvider } from "#shop/payments/paypal/paypal.server.ts";
import { stripeProvider } from "#shop/payments/stripe/stripe.server.ts";
import type { TestPaymentSandbox } from "./payment-sandbox.ts";

export type SandboxKeys = Pick<TestPaymentSandbox, "apiUrl" | "payPal" | "secretKey" | "webhookSecret">;

export function providerOf(
  { secretKey, apiUrl, webhookSecret, payPal }: SandboxKeys,
  { url }: { url: string },
): PaymentProviders {
  const stripe = stripeProvider({
    webhookSecrets: [webhookSecret],
    pageOrigin: apiUrl,
    connect: () => Promise.resolve({ secretKey, apiUrl }),
  });
  const providers = { stripe, paypal: payPalProvider(apiUrl, () => Promise.resolve(payPal)) };
  providePayments(providers, { baseUrl: url, secret: "a secret that only tests know, and long enough" });
  return providers;
}
