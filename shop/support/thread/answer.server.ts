/** Changes of a conversation by staff. Each names the version it saw, so nobody answers past what others wrote. */
import { eq, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { enqueueEmail, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { writeAudit, type Acting, type AuditEntry } from "#shop/audit/audit.server.ts";
import { contactMessages, contactReplies, type MessageStatus } from "../contact.tables.ts";
import { listRepliers } from "./thread.server.ts";

export type ThreadResult =
  | {
      ok: true;
      /** Nothing changed. */
      repeated: boolean;
      /** The colleague who closed it before. */
      closedBy?: string | null;
      /** The reply that was sent had another text. */
      isOther?: boolean;
    }
  | { ok: false; reason: "not-found" | "no-order" | "not-staff" | "customer-wrote" }
  /** A colleague's earlier change. */
  | { ok: false; reason: "answered" | "changed"; by: string | null };

type Row = typeof contactMessages.$inferSelect;
type Change = (tx: DatabaseOrTransaction, row: Omit<Row, "words">) => Promise<ThreadResult>;

/** Locks a conversation and changes it. */
const change = (db: Database, messageId: string, act: Change): Promise<ThreadResult> =>
  db.transaction(async (tx): Promise<ThreadResult> => {
    const [row] = await tx.select().from(contactMessages).where(eq(contactMessages.id, messageId)).for("update");
    return row ? act(tx, row) : { ok: false, reason: "not-found" };
  });

const audit = (tx: DatabaseOrTransaction, by: Acting, { id }: { id: string }, entry: AuditEntry) =>
  writeAudit(tx, by, { subject: `message:${id}`, ...entry });

async function nameOf(tx: DatabaseOrTransaction, staffId: string | null): Promise<string | null> {
  if (staffId === null) return null;
  const [found] = await tx.select({ name: users.name }).from(users).where(eq(users.id, staffId));
  return found?.name ?? null;
}

/** A refusal by who wrote last, if the number of emails and replies differs from the one seen; else null. */
async function writtenSince(tx: DatabaseOrTransaction, messageId: string, seen: number): Promise<ThreadResult | null> {
  const { rows } = await tx.execute<{ isReply: boolean; staffId: string | null }>(sql`
    SELECT true AS "isReply", staff_id AS "staffId", created_at FROM contact_replies WHERE message_id = ${messageId}::uuid
    UNION ALL SELECT false, NULL, created_at FROM incoming_emails WHERE message_id = ${messageId}::uuid
    ORDER BY created_at DESC`);
  if (rows.length === seen) return null;
  const [last] = rows;
  if (last && !last.isReply) return { ok: false, reason: "customer-wrote" };
  return { ok: false, reason: "answered", by: await nameOf(tx, last?.staffId ?? null) };
}

const setStatusOf = (tx: DatabaseOrTransaction, { id }: { id: string }, by: Acting, status: MessageStatus) =>
  tx.update(contactMessages).set({ status, statusBy: by.staffId }).where(eq(contactMessages.id, id));

type NewReply = {
  messageId: string;
  /** Chosen by the form, for idempotency. */
  replyId: string;
  body: string;
  /** Number of emails and replies on screen while writing. */
  seen: number;
  closes: boolean;
};

const mayReply = async (tx: DatabaseOrTransaction, staffId: string | null): Promise<boolean> =>
  (await listRepliers(tx)).some(({ id }) => id === staffId);

/**
 * Sends a reply and assigns the conversation to its author, unless its assignee may answer. A conversation closed by a
 * colleague stays closed, which the result says. Refused: 'answered' (a colleague replied first), 'customer-wrote', 'not-found'.
 */
export const sendReply = (db: Database, by: Acting, reply: NewReply, permit: MailPermit): Promise<ThreadResult> =>
  change(db, reply.messageId, async (tx, row) => {
    const { messageId, replyId, body, seen, closes } = reply;
    const [sent] = await tx
      .select({ messageId: contactReplies.messageId, body: contactReplies.body })
      .from(contactReplies)
      .where(eq(contactReplies.id, replyId));
    if (sent?.messageId === messageId)
      return { ok: true, repeated: true, ...(sent.body !== body && { isOther: true }) };
    if (sent) return { ok: false, reason: "not-found" };
    const refusal = await writtenSince(tx, messageId, seen);
    if (refusal) return refusal;
    await tx.insert(contactReplies).values({ id: replyId, messageId, staffId: by.staffId, body });
    const assignedTo = (await mayReply(tx, row.assignedTo)) ? row.assignedTo : by.staffId;
    await tx.update(contactMessages).set({ assignedTo, isAutomatic: false }).where(eq(contactMessages.id, messageId));
    if (closes && row.status === "open") await setStatusOf(tx, row, by, "closed");
    await enqueueEmail(tx, { template: "contact-reply", replyId }, permit);
    await audit(tx, by, row, { action: "message.reply", after: { reply: replyId, closes } });
    return { ok: true, repeated: false, closedBy: row.status === "closed" ? await nameOf(tx, row.statusBy) : null };
  });

/** Closes or reopens a conversation. Refused if a colleague or the customer wrote since: 'answered', 'customer-wrote'. */
export const setStatus = (
  db: Database,
  by: Acting,
  { messageId, status, seen }: { messageId: string; status: MessageStatus; seen: number },
): Promise<ThreadResult> =>
  change(db, messageId, async (tx, row) => {
    if (row.status === status) return { ok: true, repeated: true, closedBy: await nameOf(tx, row.statusBy) };
    const refusal = status === "closed" ? await writtenSince(tx, messageId, seen) : null;
    if (refusal) return refusal;
    await setStatusOf(tx, row, by, status);
    await audit(tx, by, row, { action: status === "closed" ? "message.close" : "message.reopen" });
    return { ok: true, repeated: false };
  });

/** Moves what looked automatic to the messages of people. Tells nobody: it is kept because somebody has read it. */
export const keepMessage = (db: Database, by: Acting, messageId: string): Promise<ThreadResult> =>
  change(db, messageId, async (tx, row) => {
    if (!row.isAutomatic) return { ok: true, repeated: true };
    await tx.update(contactMessages).set({ isAutomatic: false }).where(eq(contactMessages.id, messageId));
    await audit(tx, by, row, { action: "message.keep" });
    return { ok: true, repeated: false };
  });

/**
 * Assigns a conversation, or clears the assignment. Refused: 'changed' if the assignee is no longer `was`, 'not-staff'.
 */
export const assignTo = (
  db: Database,
  by: Acting,
  { messageId, staffId, was }: { messageId: string; staffId: string | null; was: string | null },
): Promise<ThreadResult> =>
  change(db, messageId, async (tx, row) => {
    if (row.assignedTo === staffId) return { ok: true, repeated: true };
    if (row.assignedTo !== was) return { ok: false, reason: "changed", by: await nameOf(tx, row.assignedTo) };
    if (staffId && !(await mayReply(tx, staffId))) return { ok: false, reason: "not-staff" };
    await tx.update(contactMessages).set({ assignedTo: staffId }).where(eq(contactMessages.id, messageId));
    await audit(tx, by, row, { action: "message.assign", before: { to: row.assignedTo }, after: { to: staffId } });
    return { ok: true, repeated: false };
  });

/** Links an order by its number; null unlinks. Refused: 'no-order'. */
export const linkOrder = (
  db: Database,
  by: Acting,
  { messageId, number }: { messageId: string; number: string | null },
): Promise<ThreadResult> =>
  change(db, messageId, async (tx, row) => {
    const orderId = number === null ? null : await orderOf(tx, number);
    if (number !== null && !orderId) return { ok: false, reason: "no-order" };
    if (row.orderId === orderId) return { ok: true, repeated: true };
    await tx.update(contactMessages).set({ orderId }).where(eq(contactMessages.id, messageId));
    await audit(tx, by, row, { action: "message.order", before: { order: row.orderId }, after: { order: orderId } });
    return { ok: true, repeated: false };
  });

/** A range of the primary key: an order number is the beginning of an id. */
async function orderOf(tx: DatabaseOrTransaction, number: string): Promise<string | null> {
  const [found] = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(
      sql`${orders.id} BETWEEN ${`${number}-0000-0000-0000-000000000000`}::uuid AND ${`${number}-ffff-ffff-ffff-ffffffffffff`}::uuid`,
    )
    .limit(1);
  return found?.id ?? null;
}
