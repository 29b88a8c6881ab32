/** Brings a database to what this version needs: tables, triggers, and the job queue. */
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { Client } from "pg";
import { PgBoss } from "pg-boss";
import { QUEUES } from "../shop/mail/queues.ts";

const MIGRATION_LOCK = 7_652_273;

/** Runs what is missing under an advisory lock, so that several processes may start at once. */
export async function migrateDatabase(url: string, migrationsFolder = "db/migrations"): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await migrate(drizzle(client), { migrationsFolder });
    const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false, max: 2 });
    boss.on("error", () => {});
    await boss.start();
    for (const [name, options] of Object.entries(QUEUES)) await boss.createQueue(name, options);
    await boss.stop({ graceful: false });
  } finally {
    await client.end();
  }
}
