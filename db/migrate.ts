/** Brings a database to what this version needs: tables, triggers, and the job queue. */
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { Client } from "pg";
import { PgBoss, type Queue } from "pg-boss";

const MIGRATION_LOCK = 7_652_273;

/** The queues that there must be, by name, with pg-boss's options of each. */
type Queues = Record<string, Omit<Queue, "name">>;

/** Runs what is missing under an advisory lock, so that several processes may start at once. */
export async function migrateDatabase(url: string, queues: Queues, migrationsFolder = "db/migrations"): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await migrate(drizzle(client), { migrationsFolder });
    const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false, max: 2 });
    boss.on("error", () => {});
    await boss.start();
    for (const [name, options] of Object.entries(queues)) await boss.createQueue(name, options);
    await boss.stop({ graceful: false });
  } finally {
    await client.end();
  }
}
