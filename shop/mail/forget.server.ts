/** How an address leaves the outbox and the embedded mailbox. */
import { sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { MAIL_QUEUE } from "./queues.ts";

type Connection = Pick<Database, "execute">;

/** Takes the address out of a job that was delivered: the queue keeps its jobs for some days. */
export async function forgetAddress(db: Connection, jobId: string): Promise<void> {
  await db.execute(sql`UPDATE pgboss.job SET data = data - 'email' WHERE name = ${MAIL_QUEUE} AND id = ${jobId}::uuid`);
}

/**
 * Deletes what the outbox holds with this address, and what a mail server said of it. Where it was
 * `proven` to be somebody's own, their mail in the embedded mailbox goes too.
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
