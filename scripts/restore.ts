/** `npm run restore -- BACKUP [DATA_DIR]`: restores a backup into an empty or new data folder. */
import { restore } from "#db/restore.ts";
import { asCommand, embeddedEnv } from "./run-command.ts";

await asCommand(async () => {
  const env = embeddedEnv("restore");
  const [backup, dataDir = env.DATA_DIR] = process.argv.slice(2);
  if (!backup) throw new Error("Name the backup: npm run restore -- BACKUP [DATA_DIR]");
  const moment = await restore(backup, dataDir);
  const start = dataDir === ".data" ? "npm start" : `DATA_DIR=${dataDir} npm start`;
  console.log(`\n  Restored:  ${dataDir}, as the shop was at ${moment.toISOString()}\n  Start it:  ${start}\n`);
});
