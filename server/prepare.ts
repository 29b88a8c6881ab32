/** Brings the database to what this version serves: migrations, a catalog where there is none, the texts that are searched. */
import { config } from "../app/config.server.ts";
import { db } from "../app/database.server.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { seedCatalog } from "../shop/inventory/seed.server.ts";
import { QUEUES } from "../shop/mail/queues.ts";
import { textDocuments } from "../shop/search/documents.server.ts";
import { fillSearch } from "../shop/search/search.server.ts";

/** Safe when several processes do it at once, and cheap where nothing is missing. Returns what it did. */
export async function prepareDatabase(): Promise<{ migrations: string[]; seeded: number }> {
  const migrations = await migrateDatabase(config().databaseUrl, QUEUES);
  const seeded = await seedCatalog(db);
  await fillSearch(db, textDocuments());
  return { migrations, seeded };
}
