/** The messages of the contact form as the back office lists them: open ones by who has waited longest. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";
import type { MessageStatus } from "../contact.tables.ts";

export const MESSAGES_PAGE = 50;
/** Counts go no further: what is more is "10,000+". */
export const COUNTED_MESSAGES = 10_000;

export type MessageFilter = {
  status: MessageStatus | "all";
  /** A member of the staff, or nobody. */
  assigned?: { to: string | null };
  /** How words of the name, the email or the text begin. */
  search?: string;
};

export type ListedMessage = {
  id: string;
  name: string;
  email: string;
  /** How it begins. */
  begins: string;
  status: MessageStatus;
  createdAt: Date;
  orderId: string | null;
  assignee: string | null;
  replies: number;
};

/** What is typed, as the beginnings of words: whatever means something to the search is taken for a space. */
function tsQuery(search: string): string | null {
  const words = search.toLowerCase().match(/[\p{L}\p{N}@._+-]+/gu) ?? [];
  const whole = words.map((word) => word.replaceAll(/^[._+-]+|[._+-]+$/g, "")).filter((word) => word.length > 1);
  return whole.length === 0 ? null : whole.map((word) => `'${word}':*`).join(" & ");
}

/** Of the newest messages so many are looked at: where more than COMMON fit, so do many of all. */
const SAMPLED = 1_000;
const COMMON = 50;
/** What is common is counted no further. */
export const COUNTED_COMMON = 1_000;
/** Up to here what a search finds is looked up and sorted; past it, messages are read in order until a page is full. */
const FEW = 1_000;

type Found = { where: SQL; isCommon: boolean };

/** How a message fits a search. Of a common word the index would bring all that fit before the first is looked at. */
async function fits(db: Database, search: string | undefined): Promise<Found> {
  const query = search ? tsQuery(search) : null;
  if (!query) return { where: sql`true`, isCommon: false };
  const { rows: sample } = await db.execute<{ fit: number }>(sql`
    SELECT count(*)::int AS fit FROM
      (SELECT words FROM contact_messages ORDER BY created_at DESC, id DESC LIMIT ${SAMPLED}) AS newest
    WHERE words @@ ${query}::tsquery`);
  // No index answers IS TRUE.
  if (sample[0]!.fit > COMMON) return { where: sql`(m.words @@ ${query}::tsquery) IS TRUE`, isCommon: true };
  const found = sql`m.words @@ ${query}::tsquery`;
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT m.id FROM contact_messages m WHERE ${found} LIMIT ${FEW + 1}`,
  );
  const ids = sql.param(rows.map(({ id }) => id));
  return { where: rows.length > FEW ? found : sql`m.id = ANY(${ids}::uuid[])`, isCommon: false };
}

async function whereOf(db: Database, { status, assigned, search }: MessageFilter): Promise<Found> {
  const { where: fit, isCommon } = await fits(db, search);
  const parts = [status === "all" ? sql`true` : sql`m.status = ${status}`, fit];
  if (assigned)
    parts.push(assigned.to === null ? sql`m.assigned_to IS NULL` : sql`m.assigned_to = ${assigned.to}::uuid`);
  return { where: sql.join(parts, sql` AND `), isCommon };
}

/** One page, and one more where there are more; `after` is the id of the last one before. Open ones come oldest first. */
export async function listMessages(db: Database, filter: MessageFilter, after?: string): Promise<ListedMessage[]> {
  const isOldestFirst = filter.status === "open";
  const order = isOldestFirst ? sql`m.created_at, m.id` : sql`m.created_at DESC, m.id DESC`;
  const reached = sql`(SELECT created_at, id FROM contact_messages WHERE id = ${after}::uuid)`;
  const page = after ? sql`AND (m.created_at, m.id) ${isOldestFirst ? sql`>` : sql`<`} ${reached}` : sql``;
  const { where } = await whereOf(db, filter);
  const { rows } = await db.execute<Omit<ListedMessage, "createdAt"> & { createdAt: string }>(sql`
    SELECT m.id, m.name, m.email, left(m.message, 160) AS begins, m.status, m.created_at AS "createdAt",
      m.order_id AS "orderId", u.name AS assignee,
      (SELECT count(*)::int FROM contact_replies r WHERE r.message_id = m.id) AS replies
    FROM contact_messages m LEFT JOIN users u ON u.id = m.assigned_to
    WHERE ${where} ${page} ORDER BY ${order} LIMIT ${MESSAGES_PAGE + 1}`);
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}

/** How many there are, as far as they are counted. */
export async function countMessages(db: Database, filter: MessageFilter): Promise<{ count: number; hasMore: boolean }> {
  const { where, isCommon } = await whereOf(db, filter);
  const most = isCommon ? COUNTED_COMMON : COUNTED_MESSAGES;
  const { rows } = await db.execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM (SELECT FROM contact_messages m WHERE ${where} LIMIT ${most + 1}) AS capped`);
  const { count } = rows[0]!;
  return { count: Math.min(count, most), hasMore: count > most };
}

const SHOWN = 5;
export type WaitingMessages = {
  /** Up to COUNTED_MESSAGES and one. */
  count: number;
  /** Those that have waited longest, at most five. */
  oldest: { id: string; name: string; createdAt: Date }[];
};

/** Messages that have been open for more than a day: for the screen of what needs a hand. */
export async function messagesNeedingHand(db: Database): Promise<WaitingMessages> {
  const { rows } = await db.execute<{ id: string; name: string; createdAt: string; count: number }>(sql`
    WITH waiting AS MATERIALIZED (
      SELECT id, name, created_at FROM contact_messages WHERE status = 'open' AND created_at < now() - interval '1 day'
      ORDER BY created_at, id LIMIT ${COUNTED_MESSAGES + 1}
    ) SELECT id, name, created_at AS "createdAt", (SELECT count(*)::int FROM waiting) AS count
      FROM waiting ORDER BY created_at, id LIMIT ${SHOWN}`);
  return {
    count: rows[0]?.count ?? 0,
    oldest: rows.map(({ id, name, createdAt }) => ({ id, name, createdAt: new Date(createdAt) })),
  };
}
