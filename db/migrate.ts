/** Migrations: tables, triggers and the job queues. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { Client } from "pg";
import { PgBoss, type Queue } from "pg-boss";

const MIGRATION_LOCK = 7_652_273;

type Queues = Record<string, Omit<Queue, "name">>;

type Journal = { entries: { when: number; tag: string }[] };

async function pendingMigrations(client: Client, folder: string): Promise<string[]> {
  const { entries } = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8")) as Journal;
  const { rows: found } = await client.query("SELECT to_regclass('drizzle.__drizzle_migrations') AS name");
  if (!found[0].name) return entries.map(({ tag }) => tag);
  const { rows } = await client.query("SELECT max(created_at) AS last FROM drizzle.__drizzle_migrations");
  return entries.filter(({ when }) => when > Number(rows[0].last)).map(({ tag }) => tag);
}

async function prepareQueues(url: string, queues: Queues): Promise<void> {
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false, max: 2 });
  boss.on("error", () => {});
  await boss.start();
  for (const [name, options] of Object.entries(queues)) await boss.createQueue(name, options);
  await boss.stop({ graceful: false });
}

/**
 * Applies pending migrations under an advisory lock, so that several processes may start at once. Returns their names.
 */
export async function migrateDatabase(url: string, queues: Queues, folder = "db/migrations"): Promise<string[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const pending = await pendingMigrations(client, folder);
    if (pending.length > 0) await migrate(drizzle(client), { migrationsFolder: folder });
    await prepareQueues(url, queues);
    return pending;
  } finally {
    await client.end();
  }
}
