/** What runs beside requests: the outbox, periodic chores, and the listener for changes of the catalog. */
import { config } from "../app/config.server.ts";
import { db, pool } from "../app/database.server.ts";
import { log, reportError } from "../app/http/log.server.ts";
import { rateLimits } from "../app/session/rate-limits.server.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { seedCatalog } from "../shop/inventory/seed.server.ts";
import { startOutbox } from "../shop/mail/outbox.server.ts";
import { applyRetention } from "../shop/privacy/retention.server.ts";
import { textDocuments } from "../shop/search/documents.server.ts";
import { fillSearch } from "../shop/search/search.server.ts";
import { listenForCatalogChanges } from "./cache/catalog-changes.ts";
import type { PageCache } from "./cache/page-cache.ts";
import { QUEUES } from "../shop/mail/queues.ts";

const SWEEP_MS = 10 * 60_000;
const RETENTION_MS = 24 * 3600_000;

/** Does a chore now and every `ms` milliseconds, and logs where it failed. */
function repeat(ms: number, name: string, chore: () => Promise<void>): NodeJS.Timeout {
  const run = () => void chore().catch((error: unknown) => reportError(error, `a chore failed: ${name}`));
  run();
  return setInterval(run, ms);
}

/** Brings the database up to date and starts what runs beside requests. Resolves when the shop is ready to serve. */
export async function startWorker(cache: PageCache): Promise<{ stop(): Promise<void> }> {
  const { databaseUrl: url } = config();
  await migrateDatabase(url, QUEUES);
  await seedCatalog(db);
  await fillSearch(db, textDocuments());
  const changes = listenForCatalogChanges(url, cache);
  const chores = [
    repeat(SWEEP_MS, "expired limits", () => rateLimits.sweep()),
    repeat(RETENTION_MS, "retention", async () => {
      const counts = await applyRetention(db);
      if (Object.values(counts ?? {}).some(Boolean)) log.info({ counts }, "retention periods carried out");
    }),
  ];
  const [outbox] = await Promise.all([
    startOutbox(db, url, {
      ...config(),
      loadEmails: async () => (await import("../shop/emails.server.ts")).emails,
      report: reportError,
    }),
    changes.ready,
  ]);
  return {
    async stop() {
      chores.forEach(clearInterval);
      await outbox.stop();
      await changes.stop();
      await pool.end();
    },
  };
}
