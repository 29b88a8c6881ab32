/** A database of one's own for a test file: seeded, and gone afterwards. */
import { afterAll, beforeAll, inject } from "vitest";
import type { Pool } from "pg";
import { openDatabase, type Database } from "../../db/connection.server.ts";
import { administer, databaseUrl } from "./database.setup.ts";

let made = 0;

export async function createDatabase(
  server: string,
  template: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `polara_test_${process.pid}_${Date.now()}_${made++}`;
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    url: databaseUrl(server, name),
    drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

export function useFreshDatabase(connections = 20): { db: Database; pool: Pool; url: string } {
  const kept = {} as { db: Database; pool: Pool; url: string };
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const created = await createDatabase(inject("databaseServer"), inject("templateName"));
    drop = created.drop;
    Object.assign(kept, openDatabase(created.url, connections), { url: created.url });
  });
  afterAll(async () => {
    await kept.pool.end();
    await drop();
  });
  return kept;
}
