import { data, type RouterContextProvider } from "react-router";
import { db } from "#platform/database.server.ts";
import { config } from "#platform/config.server.ts";
import { callerContext } from "#platform/client-address.ts";
import { listMailbox } from "#shop/mail/mailbox.server.ts";
import { repeatedEvent } from "#platform/log.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";

/**
 * Sent emails, newest first, for requests from the shop's own machine: their links open accounts. Null for others,
 * unless the operator opened the mailbox. Throws 404 with a mail server.
 */
export async function openMailbox(context: Readonly<RouterContextProvider>) {
  if (config().smtpUrl) throw data(null, { status: 404 });
  if (context.get(callerContext).isLocal || config().isMailboxOpen) return listMailbox(db);
  repeatedEvent("mailbox", { outcome: "refused" });
  return null;
}

export const MAILBOX_HEADERS = { ...NO_STORE, "X-Robots-Tag": "noindex" };

export const CLOSED =
  "The mailbox holds links that sign people in, so it opens only on the machine that the shop runs on, at http://localhost. For a trial in a container or on another machine, start the shop with MAILBOX=open; everybody who reaches the shop can then read its mail.";
