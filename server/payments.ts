/** The providers of payments and sales tax by configuration: none, Stripe and PayPal, or the sandbox in this process. */
import type { Config } from "#platform/config.server.ts";
import { reportError } from "#platform/log.server.ts";
import { payPalProvider } from "#shop/payments/paypal/paypal.server.ts";
import { ProviderError, type PaymentProvider, type PaymentProviders } from "#shop/payments/provider.ts";
import type { StripeConnect } from "#shop/payments/stripe/stripe-client.server.ts";
import { stripeProvider } from "#shop/payments/stripe/stripe.server.ts";
import { purposeKey } from "#shop/purpose-key.server.ts";
import { singleton } from "#shop/singleton.ts";
import { stripeTax } from "#shop/tax/stripe-tax.server.ts";
import { TaxError, type TaxProvider } from "#shop/tax/tax-provider.ts";
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

/** The sandbox in this process, through a `fetch` that reaches nothing else. */
async function sandboxAccount(config: Config, fetch: typeof globalThis.fetch) {
  const { apiUrl, secretKey, payPal } = await sandboxOf(config);
  const guarded = fetchOnly([apiUrl], fetch);
  return { stripe: { secretKey, apiUrl, fetch: guarded }, payPal: { ...payPal, fetch: guarded } };
}

/** The account at Stripe, or at the sandbox. */
function connection(
  config: Config,
  payments: NonNullable<Config["payments"]>,
  fetch: typeof globalThis.fetch,
): StripeConnect {
  if (payments.by === "stripe") {
    const { secretKey, apiUrl } = payments;
    return () => Promise.resolve({ secretKey, apiUrl });
  }
  return async () => (await sandboxAccount(config, fetch)).stripe;
}

/** Reports a call whose callers only ask the shopper to try again. `ordinary` failures are none of the shop's. */
const reported =
  <Asked extends unknown[], Answer>(call: (...asked: Asked) => Promise<Answer>, what: string, ordinary: string) =>
  (...asked: Asked): Promise<Answer> =>
    call(...asked).catch((error: unknown) => {
      if (!(error instanceof ProviderError || error instanceof TaxError) || error.kind !== ordinary)
        reportError(error, what);
      throw error;
    });

const reportsPages = (provider: PaymentProvider): PaymentProvider => ({
  ...provider,
  open: reported(provider.open, "a payment page was not opened", "busy"),
});

/** Its sandbox has pages and API at different ports. */
const pagesOf = (apiUrl: string): string => `http://${new URL(apiUrl).hostname}:*`;

export function openPayments(config: Config, fetch: typeof globalThis.fetch): PaymentProviders | null {
  const { payments, payPal, baseUrl } = config;
  if (!payments) return null;
  const connect = connection(config, payments, fetch);
  if (payments.by === "sandbox") {
    const [webhookSecrets, pageOrigin] = [[webhookSecret(config)], new URL(baseUrl).origin];
    return {
      stripe: reportsPages(stripeProvider({ webhookSecrets, pageOrigin, connect })),
      paypal: reportsPages(payPalProvider(pageOrigin, async () => (await sandboxAccount(config, fetch)).payPal)),
    };
  }
  const { webhookSecrets, apiUrl } = payments;
  const pageOrigin = apiUrl ? pagesOf(apiUrl) : STRIPE_PAGE;
  const stripe = reportsPages(stripeProvider({ webhookSecrets, pageOrigin, connect }));
  return payPal ? { stripe, paypal: payPalAt(payPal) } : { stripe };
}

function payPalAt(account: NonNullable<Config["payPal"]>): PaymentProvider {
  const { protocol, host } = new URL(account.apiUrl);
  const pageOrigin = protocol === "https:" ? `https://${host.replace(/^api-m\./, "www.")}` : pagesOf(account.apiUrl);
  return reportsPages(payPalProvider(pageOrigin, () => Promise.resolve(account)));
}

/** Null without sales tax. */
export function openTax(config: Config, fetch: typeof globalThis.fetch): TaxProvider | null {
  if (!config.hasTax || !config.payments) return null;
  const tax = stripeTax(connection(config, config.payments, fetch));
  return { ...tax, quote: reported(tax.quote, "the sales tax was not quoted", "address") };
}
