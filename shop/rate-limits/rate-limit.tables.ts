import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { time } from "#db/columns.ts";

/**
 * Points used of each limit until it expires. The table is unlogged (set in the migration): counting needs no flush to
 * disk, and a crash of PostgreSQL resets every count. The sweep reads the whole table.
 */
export const rateLimits = pgTable("rate_limits", {
  key: text().primaryKey(),
  points: integer().notNull(),
  expiresAt: time().notNull(),
});
