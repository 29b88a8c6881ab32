/** How an email gets into the outbox: in the statement, or the transaction, that does what it tells of. */
import { sql, type Placeholder, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import type { EmailJob } from "./email.ts";
import type { MailPermit } from "./mail-budget.server.ts";

/**
 * Queues one email, in the caller's transaction where `db` is one. A job needs the permit that counting it gave
 * (mail-budget.server.ts).
 */
export async function enqueueEmail(db: Pick<Database, "execute">, job: EmailJob, permit: MailPermit): Promise<void> {
  await db.execute(sql`SELECT ${enqueueEmailCall(job, permit)}`);
}

/**
 * The call that queues one email, to stand in a statement where it is evaluated once, as in RETURNING: PostgreSQL leaves
 * out a SELECT in WITH that nobody reads. For a statement that is built once the job is a placeholder, and the permit is
 * asked for where it is run (emailJobJson). Triggers call the same function, enqueue_email(jsonb).
 */
export function enqueueEmailCall(job: EmailJob, permit: MailPermit): SQL;
export function enqueueEmailCall(job: Placeholder): SQL;
export function enqueueEmailCall(job: EmailJob | Placeholder, _permit?: MailPermit): SQL {
  return sql`enqueue_email(${"template" in job ? JSON.stringify(job) : job}::jsonb)`;
}

/** The value of such a placeholder. */
export const emailJobJson = (job: EmailJob, _permit: MailPermit): string => JSON.stringify(job);
