/** Reading of the embedded mailbox. */
import { desc, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { mailboxMessages } from "./mail.tables.ts";

const MAX_MESSAGES = 200;

/** Returns the newest 200 emails. `sentAt` is UTC. */
export function listMailbox(db: Database) {
  return db
    .select()
    .from(mailboxMessages)
    .orderBy(desc(mailboxMessages.sentAt), desc(mailboxMessages.id))
    .limit(MAX_MESSAGES);
}

/** State of an email: `created` and `active` ones are about to be sent, those in `retry` were refused at first. */
type OrderEmail = {
  id: string;
  template: string;
  at: Date;
  state: "created" | "active" | "retry" | "completed" | "failed";
};

/** Emails about an order for as long as the queue keeps them: a week after they were sent. */
export async function listOrderEmails(db: Database, orderId: string): Promise<OrderEmail[]> {
  const { rows } = await db.execute<Record<keyof OrderEmail, never>>(sql`
    SELECT id, coalesce(data->>'template', '') AS template, coalesce((data->>'at')::timestamptz, created_on) AS at, state
    FROM pgboss.job WHERE name = ${MAIL_QUEUE} AND state IN ('created', 'active', 'retry', 'completed', 'failed')
      AND data->>'orderId' = ${orderId}::uuid::text
    ORDER BY created_on`);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

type Connection = Pick<Database, "execute">;

/** Removes the address from a delivered job, because the queue retains jobs for some days. */
export async function forgetAddress(db: Connection, jobId: string): Promise<void> {
  await db.execute(sql`UPDATE pgboss.job SET data = data - 'email' WHERE name = ${MAIL_QUEUE} AND id = ${jobId}::uuid`);
}

/**
 * Deletes outbox jobs with this address and their server responses; if its ownership is `proven`, also emails in the
 * embedded mailbox.
 */
export async function forgetMail(db: Connection, email: string, proven: boolean): Promise<void> {
  await db.execute(
    sql`DELETE FROM pgboss.job WHERE name = ${MAIL_QUEUE} AND lower(data->>'email') = lower(${email}::text)`,
  );
  await db.execute(
    sql`UPDATE pgboss.job SET output = NULL WHERE name = ${MAIL_QUEUE} AND strpos(lower(output::text), lower(${email}::text)) > 0`,
  );
  if (!proven) return;
  await db.execute(
    sql`DELETE FROM mailbox_messages WHERE strpos(lower("to" || ' ' || text), lower(${email}::text)) > 0`,
  );
}

/** Outbox queue: retries for about two days; jobs of a crashed process resume after half a minute. */
export const MAIL_QUEUE = "mail";

export const QUEUES = {
  [MAIL_QUEUE]: { retryLimit: 12, retryDelay: 15, retryBackoff: true, retryDelayMax: 21_600, expireInSeconds: 30 },
} as const;
