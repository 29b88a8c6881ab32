import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * What has been used of each limit, until it starts anew. The table is unlogged (the migration says so): counting costs
 * no flush to disk, and a crash of PostgreSQL starts every count at nothing. The sweep reads all of it.
 */
export const rateLimits = pgTable("rate_limits", {
  key: text().primaryKey(),
  points: integer().notNull(),
  expiresAt: timestamp({ withTimezone: true }).notNull(),
});
