import { data, type RouterContextProvider } from "react-router";
import { db } from "../../database.server.ts";
import { config } from "../../config.server.ts";
import { callerContext } from "../../http/client-address.ts";
import { listMailbox } from "../../../shop/mail/mailbox.server.ts";
import { repeatedEvent } from "../../http/log.server.ts";
import { NO_STORE } from "../../http/cache-headers.ts";

/**
 * What the shop has mailed, newest first, for whoever sits at its machine: links in it open accounts. Null for
 * anybody else, unless the operator has opened the mailbox. Where there is a mail server it is not there.
 */
export async function openMailbox(context: Readonly<RouterContextProvider>) {
  if (config().smtpUrl) throw data(null, { status: 404 });
  if (context.get(callerContext).isLocal || config().isMailboxOpen) return listMailbox(db);
  repeatedEvent("mailbox", { outcome: "refused" });
  return null;
}

export const MAILBOX_HEADERS = { ...NO_STORE, "X-Robots-Tag": "noindex" };

/** Why it is closed, and how it opens. */
export const CLOSED =
  "The mailbox holds links that sign people in, so it opens only on the machine that the shop runs on, at http://localhost. For a trial in a container or on another machine, start the shop with MAILBOX=open; everybody who reaches the shop can then read its mail.";
