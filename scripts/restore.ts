/** `npm run restore -- BACKUP [DATA_DIR]`: restores a backup into an empty or new data folder. */
import { restore } from "#db/restore.ts";
import { readEnv } from "#platform/environment.ts";

try {
  const env = readEnv();
  if (env.DATABASE_URL) {
    throw new Error(
      "DATABASE_URL is set: restore your own PostgreSQL by its tools, as pgBackRest in deploy/README.md.",
    );
  }
  const [backup, dataDir = env.DATA_DIR] = process.argv.slice(2);
  if (!backup) throw new Error("Name the backup: npm run restore -- BACKUP [DATA_DIR]");
  const moment = await restore(backup, dataDir);
  const start = dataDir === ".data" ? "npm start" : `DATA_DIR=${dataDir} npm start`;
  console.log(`\n  Restored:  ${dataDir}, as the shop was at ${moment.toISOString()}\n  Start it:  ${start}\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
