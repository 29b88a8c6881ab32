/** A message of the contact form with what was answered to it. */
import { and, asc, desc, eq, ne, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../../db/connection.server.ts";
import { users } from "../../accounts/account.tables.ts";
import { staff } from "../../staff/staff.tables.ts";
import { may } from "../../staff/permissions.ts";
import { contactMessages, contactReplies } from "../contact.tables.ts";

/** After this an email that was not taken is not tried again. */
const TRIED_DAYS = 2;
const OTHERS = 10;

export type Reply = {
  id: string;
  body: string;
  createdAt: Date;
  /** Who wrote it; null where their account is gone. */
  by: string | null;
  staffId: string | null;
  state: "sent" | "on its way" | "not delivered";
};

export type Thread = {
  id: string;
  name: string;
  email: string;
  message: string;
  status: "open" | "closed";
  createdAt: Date;
  orderId: string | null;
  assignedTo: string | null;
  /** Who has closed it, or opened it again. */
  statusBy: string | null;
  replies: Reply[];
};

const stateOf = ({ sentAt, isOld }: { sentAt: Date | null; isOld: boolean }): Reply["state"] =>
  sentAt ? "sent" : isOld ? "not delivered" : "on its way";

/** The conversation of a message, or null. Whoever asks may read messages. */
export async function readThread(db: Database, messageId: string): Promise<Thread | null> {
  const { name, email, message, status, createdAt, orderId, assignedTo } = contactMessages;
  const [[found], replies] = await Promise.all([
    db
      .select({
        id: contactMessages.id,
        name,
        email,
        message,
        status,
        createdAt,
        orderId,
        assignedTo,
        statusBy: users.name,
      })
      .from(contactMessages)
      .leftJoin(users, eq(users.id, contactMessages.statusBy))
      .where(eq(contactMessages.id, messageId)),
    db
      .select({
        id: contactReplies.id,
        body: contactReplies.body,
        createdAt: contactReplies.createdAt,
        sentAt: contactReplies.sentAt,
        isOld: sql<boolean>`${contactReplies.createdAt} < now() - ${TRIED_DAYS} * interval '1 day'`,
        by: users.name,
        staffId: contactReplies.staffId,
      })
      .from(contactReplies)
      .leftJoin(users, eq(users.id, contactReplies.staffId))
      .where(eq(contactReplies.messageId, messageId))
      .orderBy(asc(contactReplies.createdAt), asc(contactReplies.id)),
  ]);
  if (!found) return null;
  return {
    ...found,
    replies: replies.map(({ sentAt, isOld, ...reply }) => ({ ...reply, state: stateOf({ sentAt, isOld }) })),
  };
}

/** The newest other messages with the same email. */
export const otherMessages = (db: Database, { id, email }: Pick<Thread, "id" | "email">) =>
  db
    .select({
      id: contactMessages.id,
      begins: sql<string>`left(${contactMessages.message}, 80)`,
      status: contactMessages.status,
      createdAt: contactMessages.createdAt,
    })
    .from(contactMessages)
    .where(and(eq(sql`lower(${contactMessages.email})`, email.toLowerCase()), ne(contactMessages.id, id)))
    .orderBy(desc(contactMessages.createdAt))
    .limit(OTHERS);

/** Who answers messages: staff whose role may, and who are not disabled. */
export async function listAnswering(db: DatabaseOrTransaction): Promise<{ id: string; name: string }[]> {
  const rows = await db
    .select({ id: staff.userId, name: users.name, role: staff.role })
    .from(staff)
    .innerJoin(users, eq(users.id, staff.userId))
    .where(sql`${staff.disabledAt} IS NULL`)
    .orderBy(asc(users.name));
  return rows.filter(({ role }) => may(role, "messages:reply")).map(({ id, name }) => ({ id, name }));
}
