/** `npm run backup [-- FOLDER]`: backs up the shop in DATA_DIR while it runs. */
import { backUp } from "#db/backup.ts";
import { systemEnvironment } from "#platform/environment.ts";
import { asCommand, embeddedEnv } from "./run-command.ts";

await asCommand(async () => {
  const env = embeddedEnv("back up");
  const now = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const folder = process.argv[2] ?? `${env.DATA_DIR}-backups/${now}Z`;
  const { moment, bytes } = await backUp(env.DATA_DIR, folder, systemEnvironment());
  const size = `${Math.ceil(bytes / 1e6)} MB`;
  console.log(`\n  Backup:  ${folder}, ${size}\n  Holds:   all that was answered until ${moment.toISOString()}\n`);
});
