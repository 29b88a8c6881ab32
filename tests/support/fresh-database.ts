/**
 * A database of one's own for a test file: seeded, and gone afterwards. Files share their process, so the settings and
 * texts that it holds are read from the new database.
 */
import { afterAll, beforeAll, inject } from "vitest";
import type { Pool } from "pg";
import { openDatabase, type Database } from "#db/connection.server.ts";
import { loadTexts } from "#shop/content/published.server.ts";
import { loadSettings } from "#shop/settings/settings.server.ts";
import { createDatabase } from "./database.setup.ts";

export function useFreshDatabase(connections = 20): { db: Database; pool: Pool; url: string } {
  const kept = {} as { db: Database; pool: Pool; url: string };
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const created = await createDatabase(inject("databaseServer"), inject("templateName"));
    drop = created.drop;
    Object.assign(kept, openDatabase(created.url, connections, null), { url: created.url });
    await loadSettings(kept.db);
    await loadTexts(kept.db);
  });
  afterAll(async () => {
    await kept.pool.end();
    await drop();
  });
  return kept;
}
