/** Who takes the payments, by the configuration: nobody, Stripe, or the sandbox, which runs within this process. */
import type { Config } from "../app/config.server.ts";
import { reportError } from "../app/http/log.server.ts";
import type { PaymentProvider } from "../shop/payments/provider.ts";
import { stripeProvider } from "../shop/payments/stripe/stripe.server.ts";
import { purposeKey } from "../shop/purpose-key.server.ts";
import { fetchOnly } from "./outbound.ts";

const STRIPE_PAGE = "https://checkout.stripe.com";

type Sandbox = Awaited<ReturnType<typeof import("./payment-sandbox/start.ts").startPaymentSandbox>>;

// Development reloads modules; there is one sandbox.
const kept = globalThis as { polaraSandbox?: Promise<Sandbox> };

/** The same in every process with this secret. */
const webhookSecret = ({ secret }: Config) =>
  `whsec_${purposeKey(secret, "payment sandbox").export().toString("base64url")}`;

/** Started with the first that asks for it. It keeps its state in the database, so that each process may have one. */
export const sandboxOf = (config: Config): Promise<Sandbox> =>
  (kept.polaraSandbox ??= (async () => {
    const { startPaymentSandbox } = await import("./payment-sandbox/start.ts");
    const { baseUrl, databaseUrl } = config;
    const webhook = { url: `${baseUrl}/payments/stripe/events`, secret: webhookSecret(config) };
    return startPaymentSandbox({ databaseUrl, baseUrl, webhook, report: reportError });
  })());

/** Ends the sandbox of this process, where it was started. */
export async function stopSandbox(): Promise<void> {
  await (await kept.polaraSandbox)?.stop();
}

/** `fetch` calls anybody. */
export function openPayments(config: Config, fetch: typeof globalThis.fetch): PaymentProvider | null {
  const { payments, baseUrl } = config;
  if (!payments) return null;
  if (payments.by === "sandbox") {
    return stripeProvider({
      webhookSecrets: [webhookSecret(config)],
      pageOrigin: new URL(baseUrl).origin,
      async connect() {
        const { host, port, secretKey } = await sandboxOf(config);
        const apiUrl = `http://${host}:${port}`;
        return { secretKey, apiUrl, fetch: fetchOnly([apiUrl], fetch) };
      },
    });
  }
  const { webhookSecrets, secretKey, apiUrl } = payments;
  return stripeProvider({
    webhookSecrets,
    // A sandbox shows its pages on another port than its API.
    pageOrigin: apiUrl ? `http://${new URL(apiUrl).hostname}:*` : STRIPE_PAGE,
    connect: () => Promise.resolve({ secretKey, apiUrl }),
  });
}
