/** The shop's provider with a sandbox, for tests that call the shop's functions. */
import { providePayments } from "#shop/payments/open-provider.server.ts";
import type { PaymentProvider } from "#shop/payments/provider.ts";
import { stripeProvider } from "#shop/payments/stripe/stripe.server.ts";

export type SandboxKeys = { secretKey: string; apiUrl: string; webhookSecret: string };

export function providerOf(
  { secretKey, apiUrl, webhookSecret }: SandboxKeys,
  { url }: { url: string },
): PaymentProvider {
  const provider = stripeProvider({
    webhookSecrets: [webhookSecret],
    pageOrigin: apiUrl,
    connect: () => Promise.resolve({ secretKey, apiUrl }),
  });
  providePayments(provider, { baseUrl: url, secret: "a secret that only tests know, and long enough" });
  return provider;
}
