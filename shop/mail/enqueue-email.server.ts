/** How a letter gets into the outbox: as a row of the same statement, and so of the same transaction. */
import { sql, type Placeholder, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import type { MailPermit } from "./mail-budget.server.ts";
import { MAIL_QUEUE, type MailJob } from "./queues.ts";

/**
 * An INSERT of one mail job, or of a placeholder for its JSON, to stand in a WITH list beside what it
 * tells of; it happens only where `condition` holds. Writes the columns that pg-boss's own send()
 * writes, from the queue's settings. A job needs the permit that counting it gave (mail-budget.server.ts);
 * a statement that is built once is permitted where it is run.
 */
export function insertMailJob(job: MailJob, condition: SQL, permit: MailPermit): SQL;
export function insertMailJob(job: Placeholder, condition: SQL): SQL;
export function insertMailJob(job: MailJob | Placeholder, condition: SQL, _permit?: MailPermit): SQL {
  return sql`INSERT INTO pgboss.job (name, data, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, keep_until)
    SELECT name, ${"letter" in job ? JSON.stringify(job) : job}::jsonb, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds,
      now() + retention_seconds * interval '1 second'
    FROM pgboss.queue WHERE name = ${MAIL_QUEUE} AND ${condition}`;
}

/** The value of such a placeholder. */
export const mailJobJson = (job: MailJob, _permit: MailPermit): string => JSON.stringify(job);

/** Queues one letter, in the caller's transaction where `db` is one. */
export async function queueMail(db: Pick<Database, "execute">, job: MailJob, permit: MailPermit): Promise<void> {
  await db.execute(insertMailJob(job, sql`true`, permit));
}
