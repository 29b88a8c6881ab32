/** The inbox for answers of customers, from the environment. */
import { z } from "zod";
import type { Config } from "./config.server.ts";
import type { Env } from "./environment.ts";
import { optional } from "./environment-values.ts";

export const inboxVariables = {
  INBOX_ADDRESS: optional(
    z.email("INBOX_ADDRESS must be an email address, for example INBOX_ADDRESS=support@shop.example.").regex(
      // An address has at most 64 characters before the @, of which the token takes 50.
      /^[^@+]{1,14}@/,
      "INBOX_ADDRESS must have at most 14 characters and no plus sign before the @: the shop adds +{token} there.",
    ),
  ),
  INBOX_WEBHOOK_SECRET: optional(
    z
      .string()
      .min(16, "INBOX_WEBHOOK_SECRET must have at least 16 characters, for example from `openssl rand -hex 32`."),
  ),
  IMAP_URL: optional(
    z.url({
      protocol: /^imaps?$/,
      error: "IMAP_URL must look like imaps://user:password@host:993; unset it to read no mailbox.",
    }),
  ),
};

/** An inbox needs an address and a way by which mail comes. */
export function checkInbox({ INBOX_ADDRESS, INBOX_WEBHOOK_SECRET, IMAP_URL }: Env): void {
  if (INBOX_ADDRESS && !INBOX_WEBHOOK_SECRET && !IMAP_URL) {
    throw new Error(
      "INBOX_ADDRESS is set, but no mail comes in. Set INBOX_WEBHOOK_SECRET or IMAP_URL, or unset INBOX_ADDRESS.",
    );
  }
  const way = INBOX_WEBHOOK_SECRET ? "INBOX_WEBHOOK_SECRET" : "IMAP_URL";
  if (!INBOX_ADDRESS && (INBOX_WEBHOOK_SECRET || IMAP_URL)) {
    throw new Error(`${way} is set, but the inbox has no address. Set INBOX_ADDRESS, or unset ${way}.`);
  }
}

export const inboxOf = ({ INBOX_ADDRESS: address, INBOX_WEBHOOK_SECRET, IMAP_URL }: Env): Config["inbox"] =>
  address ? { address, webhookSecret: INBOX_WEBHOOK_SECRET ?? null, imapUrl: IMAP_URL ?? null } : null;
