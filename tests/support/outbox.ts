/** An outbox as the shop starts it, without a mail server: what it sends lies in the embedded mailbox. */
import { emails } from "#shop/emails.server.ts";
import type { Outbox } from "#shop/mail/outbox.server.ts";

export const emailShop = {
  baseUrl: "http://localhost:3000",
  secret: "a secret only for tests, and long enough",
};

export const mailboxOutbox: Outbox = {
  ...emailShop,
  smtpUrl: null,
  loadEmails: async () => emails,
  report: () => {},
};
