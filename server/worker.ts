/** The jobs: the outbox, and periodic chores. Safe to run more than once on one database, and needed once. */
import { config } from "../app/config.server.ts";
import { db } from "../app/database.server.ts";
import { openDatabase } from "../db/connection.server.ts";
import { log, reportError } from "../app/http/log.server.ts";
import { rateLimits } from "../app/session/rate-limits.server.ts";
import { startOutbox } from "../shop/mail/outbox.server.ts";
import { applyRetention } from "../shop/privacy/retention.server.ts";

const SWEEP_MS = 10 * 60_000;
const RETENTION_MS = 24 * 3600_000;

/** Does a chore now and every `ms` milliseconds, and logs where it failed. */
function repeat(ms: number, name: string, chore: () => Promise<void>): NodeJS.Timeout {
  const run = () => void chore().catch((error: unknown) => reportError(error, `a chore failed: ${name}`));
  run();
  return setInterval(run, ms);
}

/** Starts the jobs on a database that is up to date. */
export async function startWorker(): Promise<{ stop(): Promise<void> }> {
  const chores = [
    repeat(SWEEP_MS, "expired limits", () => rateLimits.sweep()),
    repeat(RETENTION_MS, "retention", async () => {
      // Deleting what has gathered in a year may take minutes.
      const { db: patient, pool } = openDatabase(config().databaseUrl, 1, null);
      const counts = await applyRetention(patient).finally(() => pool.end());
      if (Object.values(counts ?? {}).some(Boolean)) log.info({ counts }, "retention periods carried out");
    }),
  ];
  const outbox = await startOutbox(db, config().databaseUrl, {
    ...config(),
    loadEmails: async () => (await import("../shop/emails.server.ts")).emails,
    report: reportError,
  });
  return {
    async stop() {
      chores.forEach(clearInterval);
      await outbox.stop();
    },
  };
}
