/** Columns that many tables share. */
import { sql } from "drizzle-orm";
import { customType, timestamp } from "drizzle-orm/pg-core";

export const time = () => timestamp({ withTimezone: true });
export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

/** Written by the statement: a column's default keeps PostgreSQL's own time when CLOCK_OFFSET moves the shop's. */
export const writtenAt = () =>
  time()
    .notNull()
    .defaultNow()
    .$defaultFn(() => sql`now()`);
