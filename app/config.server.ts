/** What the shop is told when it starts, by the server that reads it: nothing here reads the environment. */
import type { PicturePlace } from "../shop/catalog/pictures/picture-store.server.ts";
import { setHasPayments } from "../shop/payment-mode.ts";
import { setBaseUrl } from "./base-url.ts";

export type PaymentsConfig =
  | { by: "sandbox" }
  | {
      by: "stripe";
      secretKey: string;
      /** The newest first; none: its events are asked for. */
      webhookSecrets: string[];
      /** Another address in Stripe's place, for tests. */
      apiUrl: string | null;
    };

export type Config = {
  /** The shop's public address, without a slash at its end. */
  baseUrl: string;
  /** Signs cookies and links, and keys hashes. */
  secret: string;
  /** Secrets used before, newest first. */
  formerSecrets: string[];
  databaseUrl: string;
  /** Null: mail stays in the mailbox. */
  smtpUrl: string | null;
  /** Whom customers write to, and whom emails are from. */
  supportEmail: string;
  ordersEmail: string;
  isMailboxOpen: boolean;
  google: { clientId: string; clientSecret: string; issuer: string } | null;
  /** Who takes payments; null: orders are placed without. */
  payments: PaymentsConfig | null;
  /** Where uploaded pictures are kept. */
  pictures: PicturePlace;
  /** Multiplies every limit; 1 is the normal one. */
  rateLimitScale: number;
  /** Whose word on a caller's address and scheme is believed; null: nobody's. */
  trustProxy: string | null;
  /** How many connections to the database this process keeps at most. */
  poolSize: number;
};

// Development reloads modules; what they were told must outlive them.
const kept = globalThis as { polaraConfig?: Config };

/** Comes before anything that asks for it is loaded. */
export function provideConfig(config: Config): void {
  kept.polaraConfig = config;
  setBaseUrl(config.baseUrl);
  setHasPayments(config.payments !== null);
}

export function config(): Config {
  if (!kept.polaraConfig) throw new Error("The shop was not told its configuration: provideConfig comes first.");
  return kept.polaraConfig;
}
