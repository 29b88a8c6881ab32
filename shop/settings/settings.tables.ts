import { bigint, date, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { time, writtenAt } from "#db/columns.ts";
import type { Section, Version } from "./settings.ts";

/** Versions of the settings. Only a planned one changes: it can be withdrawn. A trigger announces both. */
export const settingsVersions = pgTable("settings_versions", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  section: text().$type<Section>().notNull(),
  /** The values that change. */
  value: jsonb().$type<Version["value"]>().notNull(),
  /** First day in New York on which it counts. */
  effectiveOn: date().notNull(),
  createdAt: writtenAt(),
  withdrawnAt: time(),
  /** No foreign key: the row outlives the account. */
  staffId: uuid().notNull(),
});
