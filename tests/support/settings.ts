/** Settings of a shop under test. */
import { randomUUID } from "node:crypto";
import type { Database } from "#db/connection.server.ts";
import { settingsVersions } from "#shop/settings/settings.tables.ts";
import type { Section, Settings } from "#shop/settings/settings.ts";

/** The values that differ from the first edition, by section. */
export type ChangedSettings = { [Name in Section]?: Partial<Settings[Name]> };

/** Changes settings from a day long past. A shop that runs hears of it within two seconds. */
export async function changeSettings(db: Database, changed: ChangedSettings): Promise<void> {
  const counts = { effectiveOn: "2020-01-01", staffId: randomUUID() };
  for (const [section, value] of Object.entries(changed))
    await db.insert(settingsVersions).values({ ...counts, section: section as Section, value });
}
