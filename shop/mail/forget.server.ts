/** Removes an address from the outbox and the embedded mailbox. */
import { sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { MAIL_QUEUE } from "./queues.ts";

type Connection = Pick<Database, "execute">;

/** Removes the address from a delivered job, because the queue keeps jobs for some days. */
export async function forgetAddress(db: Connection, jobId: string): Promise<void> {
  await db.execute(sql`UPDATE pgboss.job SET data = data - 'email' WHERE name = ${MAIL_QUEUE} AND id = ${jobId}::uuid`);
}

/**
 * Deletes the jobs in the outbox with this address, and what mail servers answered about it. Where the address is
 * `proven` to be its owner's, deletes their emails in the embedded mailbox as well.
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
