/** Emails of customers join their conversation. Nothing is answered automatically, so two programs never write to each other. */
import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { ordersEmail, supportEmail } from "#shop/contact-addresses.server.ts";
import type { EmailShop } from "#shop/mail/email.ts";
import { readReplyAddress } from "#shop/mail/reply-address.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { encodePhoto } from "#shop/returns/encode-photo.server.ts";
import { MAX_UPLOAD_BYTES } from "#shop/returns/photo.ts";
import { MESSAGES_AN_HOUR, recognizedOrder } from "../contact.server.ts";
import { contactMessages, contactReplies, type Warning } from "../contact.tables.ts";
import { incomingEmails, incomingPictures } from "./inbox.tables.ts";
import { parseMail, type Attachment, type Mail } from "./parse-mail.server.ts";
import { splitQuoted } from "./quoted.ts";

export const MAX_MAIL_BYTES = 25 * 1024 * 1024;
const MAX_PICTURES = 10;
/** A program that answers everything fills no conversation. */
const EMAILS_AN_HOUR = 20;

export type Inbox = {
  address: string;
  /** Secrets that sign reply addresses, the current one first. */
  secrets: string[];
  /** Host of the shop's own Message-IDs. */
  host: string;
};

/** The inbox of a configured address. */
export const inboxOf = ({ inbox, secret, formerSecrets, baseUrl }: EmailShop & { formerSecrets: string[] }): Inbox => ({
  address: inbox?.address ?? "",
  secrets: [secret, ...formerSecrets],
  host: new URL(baseUrl).hostname,
});

/** `automatic`: of a program, or of the shop itself; `unreadable`: without one sender. */
export type Received = "stored" | "repeated" | "automatic" | "unreadable" | "too-many";

/** Where an email belongs. */
type Place =
  | { messageId: string }
  | {
      /** Order that it is about; undefined: the one that its text names, if it is the sender's. */
      orderId?: string;
      warning: Warning | null;
      /** Conversation that it claims to answer. */
      claimedId?: string;
    };

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The conversation of an id if it is the sender's, else a new one with a warning. */
async function ofConversation(db: Database, id: string, { from }: Mail): Promise<Place | null> {
  const [found] = await db
    .select({ email: contactMessages.email })
    .from(contactMessages)
    .where(eq(contactMessages.id, id));
  if (!found) return null;
  return isSame(found.email, from.email) ? { messageId: id } : { warning: "other-sender", claimedId: id };
}

/** The latest conversation about an order of the sender, or a new one. */
async function ofOrder(db: Database, orderId: string, { from }: Mail): Promise<Place | null> {
  const [order] = await db.select({ email: orders.email }).from(orders).where(eq(orders.id, orderId));
  if (!order) return null;
  if (!isSame(order.email, from.email)) return { warning: "other-sender" };
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
  for (const mailId of answers.toReversed()) {
    const [, kind, id = "", at] = OWN_ID.exec(mailId) ?? [];
    if (at !== host) continue;
    if (kind === "receipt") return id;
    const [reply] = await db
      .select({ messageId: contactReplies.messageId })
      .from(contactReplies)
      .where(eq(contactReplies.id, id));
    if (reply) return reply.messageId;
  }
  return null;
}

/** A signed address goes before the Message-IDs, which everybody can write who has seen them. */
async function placeOf(db: Database, inbox: Inbox, mail: Mail): Promise<Place> {
  const named = mail.to.map((address) => readReplyAddress(address, inbox.address, inbox.secrets));
  const about = named.find((found) => found !== null && found !== "forged");
  const place =
    about && (await (about.kind === "order" ? ofOrder(db, about.id, mail) : ofConversation(db, about.id, mail)));
  if (place) return place;
  if (named.includes("forged")) return { warning: "forged-address" };
  const id = await answered(db, inbox, mail);
  return (id && (await ofConversation(db, id, mail))) || { warning: null };
}

async function keepPictures(attachments: Attachment[]) {
  const pictures: { name: string; image: Buffer }[] = [];
  const refused: string[] = [];
  for (const { name, type, bytes } of attachments) {
    const mayBe = type.startsWith("image/") && bytes.length <= MAX_UPLOAD_BYTES && pictures.length < MAX_PICTURES;
    const encoded = mayBe ? await encodePhoto(bytes) : null;
    if (encoded && "body" in encoded) pictures.push({ name, image: encoded.body });
    else refused.push(name);
  }
  return { pictures, refused };
}

const anHourAgo = sql`now() - interval '1 hour'`;

/** The id of the conversation of an email, open, or null over its limit. */
async function openConversation(tx: DatabaseOrTransaction, place: Place, mail: Mail): Promise<string | null> {
  if ("messageId" in place) {
    const { messageId } = place;
    await tx.select().from(contactMessages).where(eq(contactMessages.id, messageId)).for("update");
    const recent = and(eq(incomingEmails.messageId, messageId), gt(incomingEmails.createdAt, anHourAgo));
    if ((await tx.$count(incomingEmails, recent)) >= EMAILS_AN_HOUR) return null;
    const reopened = and(eq(contactMessages.id, messageId), eq(contactMessages.status, "closed"));
    await tx.update(contactMessages).set({ status: "open", statusBy: null }).where(reopened);
    return messageId;
  }
  const { from, subject, text } = mail;
  const own = eq(sql`lower(${contactMessages.email})`, from.email);
  if ((await tx.$count(contactMessages, and(own, gt(contactMessages.createdAt, anHourAgo)))) >= MESSAGES_AN_HOUR)
    return null;
  const { orderId, warning, claimedId } = place;
  const message = splitQuoted(text).written;
  const order = orderId ?? (warning === null ? recognizedOrder(from.email, `${subject} ${message}`) : null);
  const [made] = await tx
    .insert(contactMessages)
    .values({ name: from.name, email: from.email, message, subject, orderId: order, warning, claimedId })
    .returning({ id: contactMessages.id });
  return made!.id;
}

/**
 * Stores an email in its conversation, or in a new one: with a warning if it claims to answer a conversation or an order
 * of another address, or was sent to an address that the shop did not sign. Pictures are encoded again, other attachments
 * are not kept.
 */
export async function receiveMail(db: Database, inbox: Inbox, raw: Uint8Array): Promise<Received> {
  const mail = await parseMail(raw);
  if (!mail) return "unreadable";
  const isOwn = [inbox.address, ordersEmail(), supportEmail()].some((own) => isSame(own, mail.from.email));
  if (mail.isAutomatic || isOwn) return "automatic";
  const isKnown = eq(incomingEmails.mailId, mail.mailId);
  if ((await db.$count(incomingEmails, isKnown)) > 0) return "repeated";
  const place = await placeOf(db, inbox, mail);
  const { pictures, refused } = await keepPictures(mail.attachments);
  return db.transaction(async (tx): Promise<Received> => {
    // The same email may arrive twice at once.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${mail.mailId}::text, 0))`);
    if ((await tx.$count(incomingEmails, isKnown)) > 0) return "repeated";
    const messageId = await openConversation(tx, place, mail);
    if (messageId === null) return "too-many";
    const { mailId, text } = mail;
    const [stored] = await tx
      .insert(incomingEmails)
      .values({ messageId, mailId, text, isFirst: !("messageId" in place), refused })
      .returning({ id: incomingEmails.id });
    // A millisecond apart, so that they stay in order.
    for (const [i, picture] of pictures.entries())
      await tx
        .insert(incomingPictures)
        .values({ emailId: stored!.id, ...picture, createdAt: sql`now() + ${i}::int * interval '1 ms'` });
    await tx.execute(sql`SELECT pg_notify('office', 'message')`);
    return "stored";
  });
}
