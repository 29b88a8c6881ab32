/** Commands of the operator on the shop's database, embedded or not. A failure is one sentence. */
import { isDatabaseDown, openDatabase, type Database } from "#db/connection.server.ts";
import { attachEmbedded } from "#db/embedded.ts";
import { authSecret, readEnv, systemEnvironment, type Env } from "#platform/environment.ts";

type Shop = { env: Env; db: Database; databaseUrl: string; secret: string };

export async function asCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

export async function runCommand(command: (shop: Shop) => Promise<void>): Promise<void> {
  const ends: (() => Promise<void>)[] = [];
  await asCommand(async () => {
    const env = readEnv();
    const database = env.DATABASE_URL
      ? { url: env.DATABASE_URL, stop: async () => {} }
      : await attachEmbedded(env.DATA_DIR, systemEnvironment());
    ends.push(() => database.stop());
    const { db, pool } = openDatabase(database.url, 3, null);
    ends.push(() => pool.end());
    const secret = env.AUTH_SECRET ?? authSecret(env.DATA_DIR);
    await command({ env, db, databaseUrl: database.url, secret }).catch((error: unknown) => {
      throw isDatabaseDown(error) ? new Error("The database does not answer. Try again once it does.") : error;
    });
  });
  for (const end of ends.toReversed()) await end();
}

/** The environment of a shop that has its database in its folder. `act` is what its operator would do. */
export function embeddedEnv(act: "back up" | "restore"): Env {
  const env = readEnv();
  if (!env.DATABASE_URL) return env;
  throw new Error(`DATABASE_URL is set: ${act} your own PostgreSQL by its tools, as pgBackRest in deploy/README.md.`);
}
