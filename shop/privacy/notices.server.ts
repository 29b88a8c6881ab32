/** Notices to many people. Adding recipients is idempotent, and the worker emails each once, at a pace. */
import { eq, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { enqueueEmail, NOTICE_PERMIT } from "#shop/mail/enqueue-email.server.ts";
import { dayText } from "#shop/policy-text.ts";
import { message, requiredLine } from "#shop/text.ts";
import { z } from "#shop/zod.ts";
import { noticeRecipients, notices } from "./notice.tables.ts";

/** Emails a minute of one worker: a hundred thousand people are told in six hours. */
const AT_ONCE = 300;

export const noticeSchema = z.object({
  id: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{2,60}$/,
      "Name the file of the text like breach-2026-11.txt, in 3 to 61 small letters, digits and hyphens",
    ),
  subject: requiredLine("Subject", 120, "The first line of the text is its subject"),
  body: message("Text", 10_000, "The text has a subject and nothing else"),
});
export type Notice = z.output<typeof noticeSchema>;

/** Addresses with an account, verified, or with an order that still names somebody. */
const EVERYONE = sql`SELECT email FROM users WHERE email_verified UNION SELECT lower(email) FROM orders WHERE email <> ''`;

export const countEveryone = async (db: Database): Promise<number> =>
  Number((await db.execute<{ count: string }>(sql`SELECT count(*) FROM (${EVERYONE}) AS everyone`)).rows[0]!.count);

type Added = { added: number; recipients: number; queued: number };

/**
 * Adds recipients to a notice, new or known, in the caller's transaction. Who is on it already stays on it once. Refused:
 * 'other-text', if a notice of this id has begun with another text.
 */
export async function addRecipients(
  tx: DatabaseOrTransaction,
  { id, ...text }: Notice,
  emails: string[] | "everyone",
  by: Acting | null = null,
): Promise<({ ok: true } & Added) | { ok: false; reason: "other-text" }> {
  await tx
    .insert(notices)
    .values({ id, ...text })
    .onConflictDoNothing();
  const [kept] = await tx.select().from(notices).where(eq(notices.id, id)).for("update");
  if (kept?.subject !== text.subject || kept.body !== text.body) return { ok: false, reason: "other-text" };
  const from = emails === "everyone" ? EVERYONE : sql`SELECT unnest(${sql.param(emails)}::text[])`;
  const { rowCount } = await tx.execute(sql`
    INSERT INTO notice_recipients (notice_id, email, created_at)
    SELECT ${id}::text, found.email, now() FROM (${from}) AS found (email) ON CONFLICT DO NOTHING`);
  const added = rowCount ?? 0;
  const [counted] = await tx
    .select({ recipients: sql<number>`count(*)::int`, queued: sql<number>`count(${noticeRecipients.queuedAt})::int` })
    .from(noticeRecipients)
    .where(eq(noticeRecipients.noticeId, id));
  await writeAudit(tx, by, { action: "notice.send", subject: `notice:${id}`, after: { added } });
  return { ok: true, added, ...counted! };
}

type LegalVersion = { key: string; version: number };
const idOf = ({ key, version }: LegalVersion) => `${key}-version-${version}`;

/** The notice about a version of a legal text. `link` is its address. */
export const announcement = ({
  title,
  effectiveOn,
  summary,
  link,
  ...version
}: LegalVersion & { title: string; effectiveOn: string; summary: string; link: string }): Notice => ({
  id: idOf(version),
  subject: `${title}: a new version`,
  body: `A new version of our ${title} takes effect on ${dayText(effectiveOn)}.\n\n${summary}\n\nThe new text is at ${link}.`,
});

/** Adds everyone to a notice. Refused: 'other-text', if it has been sent in other words. */
export const announceToEveryone = (db: Database, by: Acting, notice: Notice): ReturnType<typeof addRecipients> =>
  transaction(db, (tx) => addRecipients(tx, notice, "everyone", by));

/** Time at which a version of a legal text was announced by email; null if it was not. */
export async function announcedAt(db: Database, key: string, version: number): Promise<Date | null> {
  const [found] = await db
    .select({ at: notices.createdAt })
    .from(notices)
    .where(eq(notices.id, idOf({ key, version })));
  return found?.at ?? null;
}

/** Queues the next emails of all notices. Returns their number. */
export const sendNotices = (db: Database): Promise<number> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ noticeId: string; email: string }>(sql`
      UPDATE notice_recipients SET queued_at = now() WHERE id = ANY(ARRAY(
        SELECT id FROM notice_recipients WHERE queued_at IS NULL
        ORDER BY created_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED))
      RETURNING notice_id AS "noticeId", email`);
    for (const job of rows) await enqueueEmail(tx, { template: "notice", ...job }, NOTICE_PERMIT);
    return rows.length;
  });
