import { bigint, integer, pgTable, text } from "drizzle-orm/pg-core";

/** rate-limiter-flexible's counters; `expire` is a time in milliseconds. */
export const attempts = pgTable("attempts", {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: "number" }),
});
