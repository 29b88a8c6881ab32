/** Payment configuration from the environment. */
import { z } from "zod";
import type { Config } from "./config.server.ts";
import type { Env } from "./environment.ts";
import { isLocal, optional } from "./environment-values.ts";

/** PayPal's own sandbox, whose accounts are separate. */
export const PAYPAL_SANDBOX = "https://api-m.sandbox.paypal.com";
const PAYPAL = "https://api-m.paypal.com";

export const paymentVariables = {
  PAYMENTS: optional(
    z.enum(["sandbox", "stripe"], {
      error:
        "PAYMENTS can be 'sandbox', to try paying on this machine, or 'stripe'. Unset it to take orders without payment.",
    }),
  ),
  STRIPE_SECRET_KEY: optional(
    z
      .string()
      .regex(
        /^(?:sk|rk)_(?:test|live)_\w+$/,
        "STRIPE_SECRET_KEY must be a secret or restricted key of your Stripe account, which begins with sk_ or rk_; pk_ is the public one.",
      ),
  ),
  STRIPE_WEBHOOK_SECRET: optional(
    z
      .string()
      .regex(
        /^whsec_[^,\s]+(?:,whsec_[^,\s]+)?$/,
        "STRIPE_WEBHOOK_SECRET must be the signing secret of the webhook, which begins with whsec_, or two of them with a comma while it is replaced.",
      ),
  ),
  PAYPAL_CLIENT_ID: optional(z.string()),
  PAYPAL_SECRET: optional(z.string()),
  PAYPAL_WEBHOOK_ID: optional(
    z
      .string()
      .regex(
        /^\w+$/,
        "PAYPAL_WEBHOOK_ID must be the id of the webhook in PayPal's dashboard, letters and digits only.",
      ),
  ),
  PAYPAL_API_URL: optional(
    z.url({
      protocol: /^https?$/,
      error: `PAYPAL_API_URL must be ${PAYPAL_SANDBOX}, or the full address of a payment sandbox; unset it to use PayPal itself.`,
    }),
  ),
  TAX: optional(
    z.enum(["sandbox", "stripe"], {
      error: "TAX can be 'stripe', or 'sandbox' with a payment sandbox. Unset it to collect no sales tax.",
    }),
  ),
  STRIPE_API_URL: optional(
    z.url({
      protocol: /^https?$/,
      error: "STRIPE_API_URL must be the full address of a payment sandbox; unset it to use Stripe itself.",
    }),
  ),
  CLOCK_OFFSET: optional(
    z
      .string()
      .regex(
        /^\d{1,4}[dhm]$/,
        "CLOCK_OFFSET must be a number of days, hours or minutes, for example CLOCK_OFFSET=45d; unset it for today.",
      ),
  ),
};

/** Validates payments and tax: keys for Stripe, a sandbox only on a local shop, and a test clock only with the sandbox. */
export function checkPayments(env: Env, isPublic: boolean): void {
  const { PAYMENTS, TAX, CLOCK_OFFSET } = env;
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL } = env;
  if (PAYMENTS === "sandbox" && isPublic) {
    throw new Error(
      "PAYMENTS=sandbox takes no money, so it is refused where BASE_URL is not this machine. Set PAYMENTS=stripe, or unset it.",
    );
  }
  if (CLOCK_OFFSET && PAYMENTS !== "sandbox") {
    throw new Error(
      "CLOCK_OFFSET moves the clock of a trial, so it needs PAYMENTS=sandbox. Set that too, or unset CLOCK_OFFSET.",
    );
  }
  if (TAX && TAX !== PAYMENTS) {
    throw new Error(
      `TAX=${TAX} needs PAYMENTS=${TAX}, whose account calculates and records the tax. Set both, or unset TAX.`,
    );
  }
  if (PAYMENTS !== "stripe") {
    const { PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID, PAYPAL_API_URL } = env;
    const ofStripe = { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL };
    const ofPayPal = { PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID, PAYPAL_API_URL };
    const set = Object.entries({ ...ofStripe, ...ofPayPal }).find(([, value]) => value);
    if (set)
      throw new Error(`${set[0]} is set, but payment is not by Stripe. Set PAYMENTS=stripe, or unset ${set[0]}.`);
    return;
  }
  checkPayPal(env, isPublic);
  if (!STRIPE_SECRET_KEY) {
    throw new Error("STRIPE_SECRET_KEY must be set where PAYMENTS=stripe: a secret key of your Stripe account.");
  }
  if (!STRIPE_WEBHOOK_SECRET && isPublic) {
    throw new Error(
      `STRIPE_WEBHOOK_SECRET must be set where BASE_URL is not this machine: the signing secret of the webhook to ${env.BASE_URL}/payments/stripe/events.`,
    );
  }
  if (STRIPE_API_URL && !isLocal(STRIPE_API_URL)) {
    throw new Error("STRIPE_API_URL must be on this machine: it is for tests. Unset it to use Stripe itself.");
  }
}

function checkPayPal(env: Env, isPublic: boolean): void {
  const { PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID, PAYPAL_API_URL } = env;
  const isSetUp = PAYPAL_CLIENT_ID || PAYPAL_SECRET || PAYPAL_WEBHOOK_ID || PAYPAL_API_URL;
  if (!isSetUp) return;
  if (!PAYPAL_CLIENT_ID || !PAYPAL_SECRET) {
    throw new Error(
      "PAYPAL_CLIENT_ID and PAYPAL_SECRET must be set for PayPal: they are those of the app in PayPal's dashboard.",
    );
  }
  if (!PAYPAL_WEBHOOK_ID && isPublic) {
    throw new Error(
      `PAYPAL_WEBHOOK_ID must be set where BASE_URL is not this machine: the id of the webhook to ${env.BASE_URL}/payments/paypal/events.`,
    );
  }
  if (PAYPAL_API_URL && PAYPAL_API_URL !== PAYPAL_SANDBOX && !isLocal(PAYPAL_API_URL)) {
    throw new Error(
      `PAYPAL_API_URL must be ${PAYPAL_SANDBOX} or on this machine: it is for tests. Unset it to use PayPal itself.`,
    );
  }
}

export function paymentsOf(env: Env): Config["payments"] {
  const { PAYMENTS, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL } = env;
  if (PAYMENTS === "sandbox") return { by: "sandbox" };
  if (PAYMENTS !== "stripe" || !secretKey) return null;
  return {
    by: "stripe",
    secretKey,
    webhookSecrets: STRIPE_WEBHOOK_SECRET?.split(",") ?? [],
    apiUrl: STRIPE_API_URL ?? null,
  };
}

export function payPalOf(env: Env): Config["payPal"] {
  const { PAYPAL_CLIENT_ID: clientId, PAYPAL_SECRET: secret, PAYPAL_WEBHOOK_ID, PAYPAL_API_URL } = env;
  if (!clientId || !secret) return null;
  return { clientId, secret, webhookId: PAYPAL_WEBHOOK_ID ?? null, apiUrl: PAYPAL_API_URL ?? PAYPAL };
}

const UNIT_MS = { d: 86_400_000, h: 3_600_000, m: 60_000 };

/** Milliseconds of CLOCK_OFFSET, such as 45d, 12h or 30m; 0 if it is unset. */
export function clockOffsetOf({ CLOCK_OFFSET = "0m" }: Env): number {
  return Number.parseInt(CLOCK_OFFSET, 10) * UNIT_MS[CLOCK_OFFSET.at(-1) as keyof typeof UNIT_MS];
}
