/** What only an email leads to, and what somebody is in the back office, for the data file. */
import { asc, desc, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { staff, staffInvitations, staffSessions } from "../staff/staff.tables.ts";
import { contactMessages, contactReplies } from "../support/contact.tables.ts";
import { privacyRequests } from "./request.tables.ts";

async function messagesOf(db: Database, email: string) {
  const { id, name, message, status, createdAt, orderId } = contactMessages;
  const rows = await db
    .select({ id, name, email: contactMessages.email, message, status, orderId, createdAt })
    .from(contactMessages)
    .where(eq(sql`lower(${contactMessages.email})`, email.toLowerCase()))
    .orderBy(desc(createdAt));
  if (rows.length === 0) return [];
  const { messageId, body, sentAt, mailId } = contactReplies;
  const replies = await db
    .select({ messageId, body, sentAt, mailId, createdAt: contactReplies.createdAt })
    .from(contactReplies)
    .where(
      inArray(
        messageId,
        rows.map((row) => row.id),
      ),
    )
    .orderBy(asc(contactReplies.createdAt));
  return rows.map((row) => ({
    ...row,
    replies: replies.filter((one) => one.messageId === row.id).map(({ messageId: _message, ...reply }) => reply),
  }));
}

/** Messages, requests and invitations with an email that its owner has proved to be theirs. */
export async function exportTraces(db: Database, email: string) {
  const lower = email.toLowerCase();
  const { id: _id, emailHash: _hash, staffId: _staff, ...request } = getTableColumns(privacyRequests);
  const { email: invited, role, createdAt, expiresAt, acceptedAt } = staffInvitations;
  const [messages, requests, invitations] = await Promise.all([
    messagesOf(db, email),
    db
      .select(request)
      .from(privacyRequests)
      .where(eq(sql`lower(${privacyRequests.email})`, lower))
      .orderBy(desc(privacyRequests.receivedAt)),
    db
      .select({ email: invited, role, createdAt, expiresAt, acceptedAt })
      .from(staffInvitations)
      .where(eq(invited, lower))
      .orderBy(desc(createdAt)),
  ]);
  return { messages, requests, invitations };
}

/** What the account is in the back office, and where it was signed in there; null for a customer. */
export async function exportWork(db: Database, userId: string) {
  const { role, createdAt, disabledAt } = staff;
  const [found] = await db.select({ role, createdAt, disabledAt }).from(staff).where(eq(staff.userId, userId));
  if (!found) return null;
  const { id: _id, userId: _user, tokenHash: _token, ...session } = getTableColumns(staffSessions);
  const sessions = await db
    .select(session)
    .from(staffSessions)
    .where(eq(staffSessions.userId, userId))
    .orderBy(desc(staffSessions.createdAt));
  return { ...found, sessions };
}
