/** The shop's configuration. The server provides it; nothing here reads the environment. */
import type { EasyPostAccount } from "#shop/carriers/easypost.server.ts";
import type { PicturePlace } from "#shop/catalog/pictures/picture-store.server.ts";
import { setClockOffset } from "#shop/clock.ts";
import type { Watched } from "#shop/health/health.ts";
import { type PaymentMode, setAvailableMethods, setPaymentMode } from "#shop/payment-mode.ts";
import { METHOD_NAMES, type MethodName, methodsOf } from "#shop/payments/payment-method.ts";
import { singleton } from "#shop/singleton.ts";
import { setBaseUrl } from "./base-url.ts";

type PaymentsConfig =
  | { by: "sandbox" }
  | {
      by: "stripe";
      secretKey: string;
      /** Newest first; if empty, events are polled. */
      webhookSecrets: string[];
      /** Stripe's address in tests. */
      apiUrl: string | null;
    };

type CarriersConfig = { by: "sandbox" } | ({ by: "easypost" } & EasyPostAccount);

export type Config = {
  /** Public origin without a trailing slash. */
  baseUrl: string;
  /** Signs cookies and links, and keys hashes. */
  secret: string;
  /** Former secrets, newest first. */
  formerSecrets: string[];
  databaseUrl: string;
  /** Null: emails stay in the mailbox. */
  smtpUrl: string | null;
  isMailboxOpen: boolean;
  /** Address at which answers of customers come in; null: at the addresses above alone. */
  inbox: { address: string; webhookSecret: string | null; imapUrl: string | null } | null;
  google: { by: "sandbox" | "google"; clientId: string; clientSecret: string; issuer: string } | null;
  /** Null: orders are placed without payment. */
  payments: PaymentsConfig | null;
  /** Null: no account at PayPal. Without a webhook, its events are polled. */
  payPal: { clientId: string; secret: string; webhookId: string | null; apiUrl: string } | null;
  /** The account of the payments calculates sales tax; otherwise there is none. */
  hasTax: boolean;
  /** Null: staff paste tracking numbers. */
  carriers: CarriersConfig | null;
  pictures: PicturePlace;
  /** Factor of every rate limit, normally 1. */
  rateLimitScale: number;
  /** Trusted proxies; null for none. */
  trustProxy: string | null;
  poolSize: number;
  /** For alerts and gauges. */
  watched: Watched;
  /** Milliseconds that the shop is ahead of this machine; 0 outside trials. */
  clockOffsetMs: number;
};

/** Every method of the providers that are set up. */
function availableOf({ payments, payPal }: Config): MethodName[] {
  if (!payments) return [];
  return payments.by === "sandbox" || payPal ? METHOD_NAMES : methodsOf("stripe", METHOD_NAMES);
}

function paymentModeOf({ payments }: Config): PaymentMode {
  if (!payments || payments.by === "sandbox") return payments?.by ?? "none";
  return payments.secretKey.includes("_live_") ? "live" : "test";
}

const provided = singleton("config", () => ({}) as { config?: Config });

/** Must run before modules that read the configuration are loaded. */
export function provideConfig(config: Config): void {
  provided.config = config;
  setBaseUrl(config.baseUrl);
  setAvailableMethods(availableOf(config));
  setPaymentMode(paymentModeOf(config));
  setClockOffset(config.clockOffsetMs);
}

export function config(): Config {
  if (!provided.config) throw new Error("There is no configuration yet: provideConfig comes first.");
  return provided.config;
}
