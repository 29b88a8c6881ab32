/** Emails that the outbox gave up after two days of retries. They are kept for a week. */
import { sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { MAIL_QUEUE } from "./mailbox.server.ts";

export type FailedEmail = {
  id: string;
  template: string;
  /** Null if it is not about an order. */
  orderId: string | null;
  /** Null if the job names no address. */
  to: string | null;
  at: Date;
  /** Name of the error, and the answer of the mail server if there was one. */
  error: string;
};

const isFailed = sql`name = ${MAIL_QUEUE} AND state = 'failed'`;

/** Newest first. */
export async function listFailedEmails(db: Database, count: number): Promise<FailedEmail[]> {
  const { rows } = await db.execute<Record<keyof FailedEmail, never>>(sql`
    SELECT id, coalesce(data->>'template', '') AS template, data->>'orderId' AS "orderId", data->>'email' AS to,
      coalesce(completed_on, created_on) AS at, concat_ws(' ', output->>'error', output->>'responseCode') AS error
    FROM pgboss.job WHERE ${isFailed} ORDER BY at DESC, id LIMIT ${count}`);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

/**
 * Queues failed emails again, or removes them, and returns their number. The mail budget counted each when it was queued
 * first.
 */
export const endFailedEmails = (
  db: Database,
  by: Acting,
  { ids, isResent }: { ids: string[]; isResent: boolean },
): Promise<number> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string; template: string }>(sql`
      WITH ended AS (DELETE FROM pgboss.job WHERE ${isFailed} AND id = ANY(${sql.param(ids)}::uuid[]) RETURNING id, data, priority)
      SELECT id, data->>'template' AS template,
        CASE WHEN ${isResent}::boolean THEN enqueue_email(data || '{"isResent": true}', priority) END FROM ended`);
    const action = isResent ? "email.send-again" : "email.remove";
    for (const email of rows)
      await writeAudit(tx, by, { action, subject: `email:${email.id}`, after: { template: email.template } });
    return rows.length;
  });
