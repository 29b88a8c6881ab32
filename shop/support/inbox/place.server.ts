/** Place of an email: its conversation, or a new one. */
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { readReplyAddress } from "#shop/mail/reply-address.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { contactMessages, contactReplies, type Warning } from "../contact.tables.ts";
import { isSameEmail, type Mail } from "./mail.ts";

export type Inbox = {
  address: string;
  /** Secrets that sign reply addresses, the current one first. */
  secrets: string[];
  /** Host of the shop's own Message-IDs. */
  host: string;
};

export type Place =
  | { messageId: string }
  | {
      /** Order that it is about; undefined: the one that its text names, if it is the sender's. */
      orderId?: string;
      warning: Warning | null;
      /** Conversation that it claims to answer. */
      claimedId?: string;
    };

/**
 * True if an email is of the person of a conversation: sent from their address, or from the same other address as the first
 * one, and with the same Reply-To. A Reply-To alone proves nothing, as no mail server looks at it.
 */
function isOfItsPerson(found: { email: string; sentFrom: string | null }, { from, sentFrom }: Mail): boolean {
  if (from.email === "") return false;
  if (isSameEmail(found.email, sentFrom ?? from.email)) return true;
  return found.sentFrom !== null && sentFrom === found.sentFrom && isSameEmail(found.email, from.email);
}

/** The conversation of an id if it is the sender's, else a new one with a warning. */
async function ofConversation(db: Database, id: string, mail: Mail): Promise<Place | null> {
  const { email, sentFrom } = contactMessages;
  const [found] = await db.select({ email, sentFrom }).from(contactMessages).where(eq(contactMessages.id, id));
  if (!found) return null;
  return isOfItsPerson(found, mail) ? { messageId: id } : { warning: "other-sender", claimedId: id };
}

/** The latest conversation about an order of the sender, or a new one. Answers about an order go to no other address. */
async function ofOrder(db: Database, orderId: string, { from, sentFrom }: Mail): Promise<Place | null> {
  const [order] = await db.select({ email: orders.email }).from(orders).where(eq(orders.id, orderId));
  if (!order) return null;
  if (sentFrom !== null || !isSameEmail(order.email, from.email)) return { warning: "other-sender" };
  const [latest] = await db
    .select({ id: contactMessages.id })
    .from(contactMessages)
    .where(and(eq(contactMessages.orderId, orderId), eq(sql`lower(${contactMessages.email})`, from.email)))
    .orderBy(desc(contactMessages.createdAt))
    .limit(1);
  return latest ? { messageId: latest.id } : { orderId, warning: null };
}

const OWN_ID = /^<(receipt|reply)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@(.+)>$/;

/** The conversation of a Message-ID of the shop, latest first. */
async function answered(db: Database, { host }: Inbox, { answers }: Mail): Promise<string | null> {
  const own = answers.toReversed().flatMap((mailId) => {
    const [, kind, id = "", at] = OWN_ID.exec(mailId) ?? [];
    return at === host ? [{ kind, id }] : [];
  });
  const ids = own.flatMap(({ kind, id }) => (kind === "reply" ? [id] : []));
  const { id, messageId } = contactReplies;
  const replies = ids.length > 0 ? await db.select({ id, messageId }).from(contactReplies).where(inArray(id, ids)) : [];
  const messages = new Map(replies.map((reply) => [reply.id, reply.messageId]));
  for (const one of own) {
    const found = one.kind === "receipt" ? one.id : messages.get(one.id);
    if (found) return found;
  }
  return null;
}

/** A signed address goes before the Message-IDs, which everybody can write who has seen them. */
export async function placeOf(db: Database, inbox: Inbox, mail: Mail): Promise<Place> {
  const named = mail.to.map((address) => readReplyAddress(address, inbox.address, inbox.secrets));
  const about = named.find((found) => found !== null && found !== "forged");
  const place =
    about && (await (about.kind === "order" ? ofOrder(db, about.id, mail) : ofConversation(db, about.id, mail)));
  if (place) return place;
  if (named.includes("forged")) return { warning: "forged-address" };
  const id = await answered(db, inbox, mail);
  return (id && (await ofConversation(db, id, mail))) || { warning: null };
}
