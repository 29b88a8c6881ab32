/** Emails of customers join their conversation. Nothing is answered automatically, so two programs never write to each other. */
import { and, eq, gt, sql } from "drizzle-orm";
import { isRefusedData, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { ordersEmail, supportEmail } from "#shop/contact-addresses.server.ts";
import type { EmailShop } from "#shop/mail/email.ts";
import type { Report } from "#shop/report.ts";
import { openTurns } from "#shop/turns.ts";
import { MESSAGES_AN_HOUR, recognizedOrder } from "../contact.server.ts";
import { contactMessages } from "../contact.tables.ts";
import { incomingEmails, incomingPictures } from "./inbox.tables.ts";
import { keepPictures, type Kept } from "./keep-pictures.server.ts";
import { isSameEmail, mailOf, type Mail, type OwnAddresses } from "./mail.ts";
import { placeOf, type Inbox, type Place } from "./place.server.ts";
import { splitQuoted } from "./quoted.ts";
import { readMail } from "./read-mail.server.ts";

export const MAX_MAIL_BYTES = 25 * 1024 * 1024;
/** Bytes of emails that wait to be read. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** A program that answers everything fills no conversation. */
const EMAILS_AN_HOUR = 20;
/** Emails of an address in new conversations; those after the first five are kept with what programs write. */
const KEPT_AN_HOUR = 60;

/** The inbox of a configured address, or without one for a shop that keeps its mail itself. */
export const inboxOf = ({ inbox, secret, formerSecrets, baseUrl }: EmailShop & { formerSecrets: string[] }): Inbox => ({
  address: inbox?.address ?? "",
  secrets: [secret, ...formerSecrets],
  host: new URL(baseUrl).hostname,
});

/**
 * `automatic`: kept apart as of a program. `own`: of the shop itself, not kept. `unreadable`: kept as a message that says
 * so. `too-many`: not kept.
 */
export type Received = "stored" | "repeated" | "automatic" | "own" | "unreadable" | "too-many";

const anHourAgo = sql`now() - interval '1 hour'`;

type Shelf = { messageId: string } | { place: Exclude<Place, { messageId: string }>; isAutomatic: boolean };

/** Place of an email by the limits of an hour: its conversation, a new one, the automatic ones, or null. */
async function shelfOf(tx: DatabaseOrTransaction, place: Place, mail: Mail): Promise<Shelf | null> {
  const isApart = mail.isAutomatic || !mail.isReadable;
  let isOver = false;
  if ("messageId" in place && !isApart) {
    const recent = and(eq(incomingEmails.messageId, place.messageId), gt(incomingEmails.createdAt, anHourAgo));
    if ((await tx.$count(incomingEmails, recent)) < EMAILS_AN_HOUR) return place;
    isOver = true;
  }
  const ofSender = and(
    eq(sql`lower(${contactMessages.email})`, mail.from.email),
    gt(contactMessages.createdAt, anHourAgo),
  );
  const sent = await tx.$count(contactMessages, ofSender);
  if (sent >= KEPT_AN_HOUR) return null;
  const claimed = "messageId" in place ? { warning: null, claimedId: place.messageId } : place;
  return {
    place: mail.isReadable ? claimed : { ...claimed, warning: "unreadable" },
    isAutomatic: mail.isAutomatic || isOver || sent >= MESSAGES_AN_HOUR,
  };
}

/** The id of the conversation of an email, open. */
async function openConversation(tx: DatabaseOrTransaction, shelf: Shelf, mail: Mail): Promise<string> {
  if ("messageId" in shelf) {
    const { messageId } = shelf;
    const ofId = eq(contactMessages.id, messageId);
    const reopened = and(ofId, eq(contactMessages.status, "closed"));
    await tx.update(contactMessages).set({ status: "open", statusBy: null }).where(reopened);
    await tx.update(contactMessages).set({ isAutomatic: false }).where(and(ofId, contactMessages.isAutomatic));
    return messageId;
  }
  const { from, sentFrom, subject, text } = mail;
  const { isAutomatic, place } = shelf;
  const { orderId, warning, claimedId } = place;
  const message = splitQuoted(text).written;
  // Whoever names another address for answers is not told whose order it is.
  const mayBeTheirs = warning === null && sentFrom === null && from.email !== "" && !isAutomatic;
  const order = orderId ?? (mayBeTheirs ? recognizedOrder(from.email, `${subject} ${message}`) : null);
  const [made] = await tx
    .insert(contactMessages)
    .values({ ...from, message, subject, orderId: order, warning, claimedId, sentFrom, isAutomatic })
    .returning({ id: contactMessages.id });
  return made!.id;
}

async function store(db: Database, inbox: Inbox, mail: Mail): Promise<Received> {
  const { mailId, text, from, isReadable } = mail;
  const isKnown = eq(incomingEmails.mailId, mailId);
  if ((await db.$count(incomingEmails, isKnown)) > 0) return "repeated";
  const place = await placeOf(db, inbox, mail);
  const shelf = await shelfOf(db, place, mail);
  if (!shelf) return "too-many";
  const isKept = (one: Shelf) => "messageId" in one || !one.isAutomatic;
  const names = mail.attachments.map(({ name }) => name);
  const encoded = isKept(shelf) ? await keepPictures(mail.attachments) : null;
  return db.transaction(async (tx): Promise<Received> => {
    // The same email, or others of its sender, may arrive at once.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${mailId}::text, 0))`);
    if ((await tx.$count(incomingEmails, isKnown)) > 0) return "repeated";
    if ("messageId" in place)
      await tx.select().from(contactMessages).where(eq(contactMessages.id, place.messageId)).for("update");
    const now = await shelfOf(tx, place, mail);
    if (!now) return "too-many";
    const { pictures, refused }: Kept = (isKept(now) && encoded) || { pictures: [], refused: names };
    const messageId = await openConversation(tx, now, mail);
    const asked = "messageId" in now ? await otherReplyTo(tx, messageId, from.email) : null;
    const [stored] = await tx
      .insert(incomingEmails)
      .values({ messageId, mailId, text, isFirst: !("messageId" in now), replyTo: asked, refused })
      .returning({ id: incomingEmails.id });
    // A millisecond apart, so that they stay in order.
    for (const [i, picture] of pictures.entries())
      await tx
        .insert(incomingPictures)
        .values({ emailId: stored!.id, ...picture, createdAt: sql`now() + ${i}::int * interval '1 ms'` });
    if (!isKept(now)) return "automatic";
    await tx.execute(sql`SELECT pg_notify('office', 'message')`);
    return isReadable ? "stored" : "unreadable";
  });
}

/** The address to which an email asks for answers, if it is not the one to which they go. */
async function otherReplyTo(tx: DatabaseOrTransaction, messageId: string, email: string): Promise<string | null> {
  const [found] = await tx
    .select({ email: contactMessages.email })
    .from(contactMessages)
    .where(eq(contactMessages.id, messageId));
  return found && !isSameEmail(found.email, email) ? email : null;
}

async function receive(
  db: Database,
  inbox: Inbox,
  raw: Uint8Array,
  report: Report,
  isWhole: boolean,
): Promise<Received> {
  const own: OwnAddresses = {
    addresses: [inbox.address, ordersEmail(), supportEmail()].filter(Boolean),
    host: inbox.host,
  };
  const reading = await readMail(raw);
  const mail = mailOf(isWhole ? reading : { ...reading, whole: null }, own);
  if (mail.isOwn) return "own";
  for (const one of [mail, mailOf({ ...reading, head: null, whole: null }, own)]) {
    try {
      return await store(db, inbox, one);
    } catch (error) {
      // Everything else passes, as a database that does not answer: the email is sent again.
      if (!isRefusedData(error)) throw error;
      report(error, "an email was refused by the database, and is kept as one that could not be read");
    }
  }
  return "unreadable";
}

const inTurn = openTurns();
let waiting = 0;

/**
 * Stores an email in its conversation, or in a new one: with a warning if it claims to answer a conversation or an order
 * of another address, or was sent to an address that the shop did not sign. What looks like a program's is kept apart, and
 * what cannot be read as a message that says so. Pictures are encoded again, other attachments are not kept. Throws only for
 * what passes: a database that does not answer, or too many emails that wait. `isWhole` is false for what is left of an email.
 */
export async function receiveMail(
  db: Database,
  inbox: Inbox,
  raw: Uint8Array,
  report: Report,
  isWhole = true,
): Promise<Received> {
  if (waiting > 0 && waiting + raw.length > MAX_WAITING_BYTES) throw new Error("too many emails wait to be read");
  waiting += raw.length;
  try {
    return await inTurn(() => receive(db, inbox, raw, report, isWhole));
  } finally {
    waiting -= raw.length;
  }
}
