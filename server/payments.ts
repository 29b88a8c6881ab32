/** The providers of payments and sales tax by configuration: none, Stripe, or the sandbox in this process. */
import type { Config } from "#platform/config.server.ts";
import { reportError } from "#platform/log.server.ts";
import type { PaymentProvider } from "#shop/payments/provider.ts";
import type { StripeConnect } from "#shop/payments/stripe/stripe-client.server.ts";
import { stripeProvider } from "#shop/payments/stripe/stripe.server.ts";
import { purposeKey } from "#shop/purpose-key.server.ts";
import { singleton } from "#shop/singleton.ts";
import { stripeTax } from "#shop/tax/stripe-tax.server.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import { fetchOnly } from "./outbound.ts";

const STRIPE_PAGE = "https://checkout.stripe.com";

type Sandbox = Awaited<ReturnType<typeof import("#sandboxes/stripe/start.ts").startPaymentSandbox>>;

const started = singleton("payment sandbox", () => ({}) as { sandbox?: Promise<Sandbox> });

/** Identical in all processes, since it is derived from the secret. */
const webhookSecret = ({ secret }: Config) =>
  `whsec_${purposeKey(secret, "payment sandbox").export().toString("base64url")}`;

/** Starts on first use. Its state is in the database, so that each process may run one. */
export const sandboxOf = (config: Config): Promise<Sandbox> =>
  (started.sandbox ??= (async () => {
    const { startPaymentSandbox } = await import("#sandboxes/stripe/start.ts");
    const { baseUrl, databaseUrl, clockOffsetMs } = config;
    const webhook = { url: `${baseUrl}/payments/stripe/events`, secret: webhookSecret(config) };
    return startPaymentSandbox({ databaseUrl, baseUrl, webhook, clockOffsetMs, report: reportError });
  })());

export async function stopSandbox(): Promise<void> {
  await (await started.sandbox)?.stop();
}

/** The account at Stripe, or at the sandbox in this process. */
function connection(
  config: Config,
  payments: NonNullable<Config["payments"]>,
  fetch: typeof globalThis.fetch,
): StripeConnect {
  if (payments.by === "stripe") {
    const { secretKey, apiUrl } = payments;
    return () => Promise.resolve({ secretKey, apiUrl });
  }
  return async () => {
    const { host, port, secretKey } = await sandboxOf(config);
    const apiUrl = `http://${host}:${port}`;
    return { secretKey, apiUrl, fetch: fetchOnly([apiUrl], fetch) };
  };
}

export function openPayments(config: Config, fetch: typeof globalThis.fetch): PaymentProvider | null {
  const { payments, baseUrl } = config;
  if (!payments) return null;
  const connect = connection(config, payments, fetch);
  if (payments.by === "sandbox") {
    return stripeProvider({
      methods: config.paymentMethods,
      webhookSecrets: [webhookSecret(config)],
      pageOrigin: new URL(baseUrl).origin,
      connect,
    });
  }
  const { webhookSecrets, apiUrl } = payments;
  // The sandbox's pages and API have different ports.
  const pageOrigin = apiUrl ? `http://${new URL(apiUrl).hostname}:*` : STRIPE_PAGE;
  return stripeProvider({ methods: config.paymentMethods, webhookSecrets, pageOrigin, connect });
}

/** Null without sales tax. */
export const openTax = (config: Config, fetch: typeof globalThis.fetch): TaxProvider | null =>
  config.hasTax && config.payments ? stripeTax(connection(config, config.payments, fetch)) : null;
