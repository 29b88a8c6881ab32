/** Sums of past days in New York, kept in a table so that a year is quick to read. Later days are summed when they are read. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { today } from "./new-york-time.sql.ts";

/** Days in which an order may still change: a pre-order may ship months later. */
const OPEN_DAYS = 365;

/** The first day without kept sums: today, or an earlier one until the job has run. */
export const firstLive = (table: SQL) => sql`coalesce((SELECT max(day) + 1 FROM ${table}), '-infinity')`;

/** Sums the days before today, those of the last year again. `sums` has the table's columns, in its order, end excluded. */
export async function rollUpDays(
  tx: Pick<Database, "execute">,
  table: SQL,
  sums: (from: SQL, to: SQL) => SQL,
): Promise<void> {
  await tx.execute(sql`DELETE FROM ${table} WHERE day >= ${today} - ${OPEN_DAYS}::int`);
  await tx.execute(sql`INSERT INTO ${table} SELECT * FROM ${sums(firstLive(table), today)} AS sums`);
}
