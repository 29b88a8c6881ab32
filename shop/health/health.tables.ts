import { sql } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import { time, writtenAt } from "#db/columns.ts";
import type { AlertName } from "./health.ts";

/** Alerts that owners were emailed about and that are not over. */
export const healthAlerts = pgTable("health_alerts", {
  name: text().$type<AlertName>().primaryKey(),
  since: writtenAt(),
  /** The last check that found it. */
  seenAt: time().notNull(),
});

/** Moments that finished backups hold, in PostgreSQL's own time. Written by `npm run backup` or the tool in its place. */
export const backups = pgTable("backups", {
  moment: time()
    .primaryKey()
    .default(sql`now()`),
});
