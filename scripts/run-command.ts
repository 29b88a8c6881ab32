/** Commands of the operator on the shop's database, embedded or not. A failure is one sentence. */
import { isDatabaseDown, openDatabase, type Database } from "#db/connection.server.ts";
import { attachEmbedded } from "#db/embedded.ts";
import { authSecret, readEnv, systemEnvironment, type Env } from "#platform/environment.ts";

type Shop = { env: Env; db: Database; databaseUrl: string; secret: string };

export async function runCommand(command: (shop: Shop) => Promise<void>): Promise<void> {
  const ends: (() => Promise<void>)[] = [];
  try {
    const env = readEnv();
    const database = env.DATABASE_URL
      ? { url: env.DATABASE_URL, stop: async () => {} }
      : await attachEmbedded(env.DATA_DIR, systemEnvironment());
    ends.push(() => database.stop());
    const { db, pool } = openDatabase(database.url, 3, null);
    ends.push(() => pool.end());
    await command({ env, db, databaseUrl: database.url, secret: env.AUTH_SECRET ?? authSecret(env.DATA_DIR) });
  } catch (error) {
    if (isDatabaseDown(error)) console.error("The database does not answer. Try again once it does.");
    else console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
