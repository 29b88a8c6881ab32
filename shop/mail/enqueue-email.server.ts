/** Puts emails into the outbox, in the same transaction as what they are about. */
import { sql, type Placeholder, type SQL } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../db/connection.server.ts";
import type { EmailJob } from "./email.ts";
import type { MailPermit } from "./mail-budget.server.ts";

/**
 * Queues one email, in the caller's transaction where `db` is one. A job needs the permit that counting it gave
 * (mail-budget.server.ts).
 */
export async function enqueueEmail(
  db: Pick<DatabaseOrTransaction, "execute">,
  job: EmailJob,
  permit: MailPermit,
): Promise<void> {
  await db.execute(sql`SELECT ${enqueueEmailCall(job, permit)}`);
}

/**
 * The SQL call that queues one email, as part of another statement. It must be evaluated once, as in RETURNING, because
 * PostgreSQL skips a SELECT in WITH that nothing reads. A prepared statement takes a placeholder as the job; its permit
 * is then asked for by emailJobJson, when it runs. Triggers call the same function, enqueue_email(jsonb).
 */
export function enqueueEmailCall(job: EmailJob, permit: MailPermit): SQL;
export function enqueueEmailCall(job: Placeholder): SQL;
export function enqueueEmailCall(job: EmailJob | Placeholder, _permit?: MailPermit): SQL {
  return sql`enqueue_email(${"template" in job ? JSON.stringify(job) : job}::jsonb)`;
}

/** The value of such a placeholder. */
export const emailJobJson = (job: EmailJob, _permit: MailPermit): string => JSON.stringify(job);
