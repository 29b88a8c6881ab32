/** Emails that were given up, after they had been tried for about two days. */
import { sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { MAIL_QUEUE } from "./queues.ts";

export type FailedEmail = {
  id: string;
  template: string;
  /** Null where it is about no order. */
  orderId: string | null;
  at: Date;
  /** The kind of the error, none of its words. */
  error: string | null;
};

/** The newest, `count` at most. */
export async function listFailedEmails(db: Database, count: number): Promise<FailedEmail[]> {
  const { rows } = await db.execute<Record<keyof FailedEmail, never>>(sql`
    SELECT id, coalesce(data->>'template', data->>'letter', '') AS template, data->>'orderId' AS "orderId",
      coalesce(completed_on, created_on) AS at, output->>'error' AS error
    FROM pgboss.job WHERE name = ${MAIL_QUEUE} AND state = 'failed' ORDER BY at DESC LIMIT ${count}`);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}
