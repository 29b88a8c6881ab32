/** `npm run reset`: deletes the database: every product, cart and order. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { startEmbeddedDatabase } from "#db/embedded.ts";
import { readEnv, systemEnvironment } from "#platform/environment.ts";
import { asCommand } from "./run-command.ts";

await asCommand(async () => {
  const env = readEnv();
  if (env.DATABASE_URL) {
    const client = new Client({ connectionString: env.DATABASE_URL });
    await client.connect();
    await client.query(
      "DROP SCHEMA IF EXISTS drizzle CASCADE; DROP SCHEMA IF EXISTS pgboss CASCADE; DROP SCHEMA IF EXISTS clock CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public",
    );
    await client.end();
  } else {
    // Starting PostgreSQL fails if a shop runs on the folder.
    await (await startEmbeddedDatabase(env.DATA_DIR, systemEnvironment())).stop();
    rmSync(join(env.DATA_DIR, "postgres"), { recursive: true, force: true });
  }
  console.log("The shop is fresh again. `npm start` fills it with the seed catalog.");
});
