/** Contact messages of the back office. */
import { and, asc, desc, eq, not, sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { afterRow, countRows, type Counted } from "#db/lists.sql.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { staff } from "#shop/staff/staff.tables.ts";
import { contactMessages, type MessageStatus } from "../contact.tables.ts";
import { isReplier } from "./thread.server.ts";

export const MESSAGES_PAGE = 50;

export type MessageFilter = {
  /** `waiting`: open, and the last word is the customer's; `automatic`: of programs, which the others but `all` leave out. */
  status: MessageStatus | "waiting" | "automatic" | "all";
  /** A member of the staff; null for nobody, or for one who may no longer answer. */
  assigned?: { to: string | null };
  /** Prefixes of words of the name, the email or the text. */
  search?: string;
};

const { id, name, email, message, status, isAutomatic, createdAt, orderId, assignedTo, words } = contactMessages;
const shown = { id, name, email, status, isAutomatic, createdAt, orderId };

const isAssignee = and(eq(staff.userId, assignedTo), isReplier);
const isAssigned = sql`EXISTS (SELECT FROM staff WHERE ${isAssignee})`;

/** Time of the customer's last message. */
const waitsSince = sql`coalesce((SELECT max(created_at) FROM incoming_emails WHERE message_id = contact_messages.id), contact_messages.created_at)`;

/** Staff wrote last. */
const isReplied = sql<boolean>`coalesce((SELECT max(created_at) FROM contact_replies WHERE message_id = contact_messages.id) > ${waitsSince}, false)`;

const ofPeople = not(isAutomatic);
const waiting = sql`${eq(status, "open")} AND ${ofPeople} AND NOT ${isReplied}`;

function ofStatus(wanted: MessageFilter["status"]): SQL | undefined {
  if (wanted === "waiting") return waiting;
  if (wanted === "automatic") return sql`${isAutomatic}`;
  return wanted === "all" ? undefined : and(eq(status, wanted), ofPeople);
}

/**
 * The query of the typed words as prefixes, without the signs of its syntax. PostgreSQL divides an email at its plus.
 * Without a word it is empty, and finds nothing.
 */
function tsQuery(search: string): string {
  const words = search.toLowerCase().match(/[\p{L}\p{M}\p{N}@._-]+/gu) ?? [];
  const whole = words.map((word) => word.replaceAll(/^[._-]+|[._-]+$/g, "")).filter((word) => word.length > 1);
  return whole.map((word) => `'${word}':*`).join(" & ");
}

function matching(filter: MessageFilter): SQL {
  const { assigned, search = "" } = filter;
  return and(
    sql`true`,
    ofStatus(filter.status),
    search.trim() ? sql`${words} @@ ${tsQuery(search)}::tsquery` : undefined,
    assigned && (assigned.to === null ? sql`NOT ${isAssigned}` : eq(assignedTo, assigned.to)),
  )!;
}

export type ListedMessage = Awaited<ReturnType<typeof listMessages>>[number];

/** Returns a page and one more row if there are more; `after` is the last id of the previous page. Open messages come oldest first. */
export async function listMessages(db: Database, filter: MessageFilter, after?: string) {
  const isNewestFirst = filter.status !== "open" && filter.status !== "waiting";
  const inOrder = isNewestFirst ? desc : asc;
  const keys: [SQL, SQL] = [sql`contact_messages.created_at`, sql`contact_messages.id`];
  return db
    .select({
      ...shown,
      begins: sql<string>`left(${message}, 160)`,
      assignee: users.name,
      isReplied,
      waitsSince: sql<Date>`${waitsSince}`.mapWith(createdAt),
    })
    .from(contactMessages)
    .leftJoin(staff, isAssignee)
    .leftJoin(users, eq(users.id, staff.userId))
    .where(and(matching(filter), afterRow(sql`contact_messages`, keys, after, isNewestFirst)))
    .orderBy(inOrder(createdAt), inOrder(id))
    .limit(MESSAGES_PAGE + 1);
}

export const countMessages = (db: Database, filter: MessageFilter): Promise<Counted> =>
  countRows(db, sql`contact_messages WHERE ${matching(filter)}`);

const SHOWN = 5;

/** Number of open messages whose last word is the customer's. */
export const countWaitingMessages = (db: Database): Promise<Counted> =>
  countRows(db, sql`contact_messages WHERE ${waiting}`);

/** Open messages whose last word is the customer's: their number, and the five oldest. */
export async function listWaitingMessages(db: Database) {
  const [counted, oldest] = await Promise.all([
    countWaitingMessages(db),
    db
      .select({ id, name, waitsSince: sql<Date>`${waitsSince}`.mapWith(createdAt) })
      .from(contactMessages)
      .where(waiting)
      .orderBy(asc(createdAt), asc(id))
      .limit(SHOWN),
  ]);
  return { ...counted, oldest };
}
