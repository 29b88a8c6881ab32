/** One PostgreSQL for a whole test run, with a migrated and seeded template that each test file copies. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { openDatabase } from "#db/connection.server.ts";
import { ADMIN } from "#db/embedded-folder.ts";
import { SHOP, startEmbeddedDatabase } from "#db/embedded.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { seedCatalog } from "#shop/inventory/stock.server.ts";
import { systemEnvironment } from "#platform/environment.ts";
import { QUEUES } from "#shop/mail/mailbox.server.ts";

declare module "vitest" {
  interface ProvidedContext {
    databaseServer: string;
    templateName: string;
  }
}

/**
 * TEST_DATABASE_URL runs the same tests on one's own PostgreSQL; its user must be allowed to create databases. What a
 * test run writes need not outlive the machine; what is measured must, as in the shop.
 */
export async function prepareTemplate({ isDurable = false } = {}): Promise<{
  server: string;
  template: string;
  stop(): Promise<void>;
}> {
  const own = process.env.TEST_DATABASE_URL;
  const folder = own ? null : mkdtempSync(join(tmpdir(), "polara-test-"));
  const embedded = folder ? await startEmbeddedDatabase(folder, systemEnvironment()) : null;
  const server = own ?? embedded?.url ?? "";
  if (folder) {
    const admin = adminUrl(server, folder);
    // The shop's own role may make no databases; that of the tests may, and nothing more.
    await administer(admin, `ALTER ROLE ${SHOP} CREATEDB`);
    for (const setting of isDurable ? [] : ["fsync", "full_page_writes", "synchronous_commit"])
      await administer(admin, `ALTER SYSTEM SET ${setting} = off`);
    await administer(admin, "SELECT pg_reload_conf()");
  }
  const template = `polara_template_${process.pid}_${Date.now()}`;
  await administer(server, `CREATE DATABASE ${template}`);
  const url = databaseUrl(server, template);
  await migrateDatabase(url, QUEUES);
  const { db, pool } = openDatabase(url, 1);
  await seedCatalog(db);
  await pool.end();
  return {
    server,
    template,
    async stop() {
      await dropDatabase(server, template);
      await embedded?.stop();
      if (folder) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Connection of the embedded database's administrator. */
export function adminUrl(server: string, dataDir: string): string {
  const url = new URL(databaseUrl(server, "postgres"));
  url.username = ADMIN;
  url.password = readFileSync(join(dataDir, "postgres-admin-password"), "utf8").trim();
  return url.href;
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

let made = 0;

/** A database of one's own: a copy of the template. */
export async function createDatabase(
  server: string,
  template: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `polara_test_${process.pid}_${Date.now()}_${made++}`;
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return {
    url: databaseUrl(server, name),
    drop: () => dropDatabase(server, name),
  };
}

/**
 * PostgreSQL waits 5 seconds for closing connections, because a pool ends before its sockets do; others are cut off.
 * FORCE would be refused beside a worker of autovacuum, which a plain DROP ends by itself.
 */
export async function dropDatabase(server: string, name: string): Promise<void> {
  try {
    await administer(server, `DROP DATABASE IF EXISTS ${name}`);
  } catch (error) {
    if ((error as { code?: string }).code !== "55006") throw error;
    const ours = `datname = '${name}' AND usename = current_user`;
    await administer(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ours}`);
    await administer(server, `DROP DATABASE ${name}`);
  }
}

export async function administer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

type Shared = { template: ReturnType<typeof prepareTemplate>; users: number };
const run = globalThis as { polaraTemplate?: Shared };

/** The projects of one run each ask for it, and each with modules of its own; the last one stops it. */
export default async function setup(project: TestProject) {
  const shared = (run.polaraTemplate ??= { template: prepareTemplate(), users: 0 });
  shared.users++;
  const { server, template, stop } = await shared.template;
  project.provide("databaseServer", server);
  project.provide("templateName", template);
  return async () => {
    if (--shared.users === 0) await stop();
  };
}
