/** The column of the time at which a row is written. */
import { sql } from "drizzle-orm";
import { timestamp } from "drizzle-orm/pg-core";

/** Written by the statement: a column's default keeps PostgreSQL's own time when CLOCK_OFFSET moves the shop's. */
export const writtenAt = () =>
  timestamp({ withTimezone: true })
    .notNull()
    .defaultNow()
    .$defaultFn(() => sql`now()`);
