/** A conversation: the message and its replies. */
import { and, asc, desc, eq, ne, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { staff } from "#shop/staff/staff.tables.ts";
import { may } from "#shop/staff/permissions.ts";
import { contactMessages, contactReplies } from "../contact.tables.ts";

/** Age at which an unsent email is given up. */
const TRIED_DAYS = 2;
const OTHERS = 10;

type Thread = NonNullable<Awaited<ReturnType<typeof readThread>>>;

const stateOf = ({ sentAt, isOld }: { sentAt: Date | null; isOld: boolean }) =>
  sentAt ? "sent" : isOld ? "not delivered" : "on its way";

/**
 * The conversation of a message, or null; `statusBy` is who closed or reopened it, a reply's `by` its author, null if the
 * account is gone. The caller checks the permission.
 */
export async function readThread(db: Database, messageId: string) {
  const { id, name, email, message, status, createdAt, orderId, assignedTo } = contactMessages;
  const shown = { id, name, email, message, status, createdAt, orderId, assignedTo };
  const [[found], replies] = await Promise.all([
    db
      .select({ ...shown, statusBy: users.name })
      .from(contactMessages)
      .leftJoin(users, eq(users.id, contactMessages.statusBy))
      .where(eq(id, messageId)),
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

/** Latest other messages of the same email. */
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

/** Active staff whose role may answer messages. */
export async function listRepliers(db: DatabaseOrTransaction): Promise<{ id: string; name: string }[]> {
  const rows = await db
    .select({ id: staff.userId, name: users.name, role: staff.role })
    .from(staff)
    .innerJoin(users, eq(users.id, staff.userId))
    .where(sql`${staff.disabledAt} IS NULL`)
    .orderBy(asc(users.name));
  return rows.filter(({ role }) => may(role, "messages:reply")).map(({ id, name }) => ({ id, name }));
}
