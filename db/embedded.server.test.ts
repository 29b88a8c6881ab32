/** Who the shop is to its embedded database, in a new data folder and in one from before. */
import { createServer, type AddressInfo } from "node:net";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "./connection.server.ts";
import { startEmbeddedDatabase, type EmbeddedDatabase } from "./embedded.ts";
import { runProgram } from "./embedded-programs.ts";
import { connectAsAdmin } from "./embedded-roles.ts";
import { migrateDatabase } from "./migrate.ts";
import { seedCatalog } from "../shop/inventory/seed.server.ts";
import { systemEnvironment } from "../server/config.ts";
import { QUEUES } from "../shop/mail/queues.ts";
import { freePort } from "../tests/support/shop.ts";

const folders: string[] = [];
const folder = (name: string) => {
  const made = mkdtempSync(join(tmpdir(), `polara-${name}-`));
  folders.push(made);
  return made;
};
afterAll(() => folders.forEach((each) => rmSync(each, { recursive: true, force: true })));

async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function fill(url: string): Promise<void> {
  await migrateDatabase(url, QUEUES);
  const { db, pool } = openDatabase(url, 1);
  await seedCatalog(db);
  await pool.end();
}

/** A data folder as it was before: initdb's superuser is 'polara', and the shop connects as it. */
async function makeOldFolder(dataDir: string): Promise<void> {
  const password = join(dataDir, "postgres-password");
  writeFileSync(password, "0123456789abcdef", { mode: 0o600 });
  const data = join(dataDir, "postgres");
  const run = (name: string, args: string[]) => runProgram(name, args, systemEnvironment());
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  expect(
    run("initdb", ["-D", data, "-U", "polara", "-A", "scram-sha-256", "--pwfile", password, ...locale]).stderr,
  ).toBe("");
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
  expect(run("pg_ctl", ["-D", data, "-w", "-l", join(dataDir, "log"), "-o", options, "start"]).status).toBe(0);
  const server = `postgres://polara:0123456789abcdef@127.0.0.1:${port}`;
  await query(`${server}/postgres`, "CREATE DATABASE polara");
  await fill(`${server}/polara`);
  await query(
    `${server}/polara`,
    "CREATE SEQUENCE odd_one; CREATE TYPE mood AS ENUM ('fresh'); CREATE VIEW a_view AS SELECT 1 AS one",
  );
  await query(
    `${server}/polara`,
    "UPDATE stock SET inventory_count = 77 FROM products WHERE id = product_id AND slug = 'travel-sleeve'",
  );
  expect(run("pg_ctl", ["-D", data, "-w", "-m", "fast", "stop"]).status).toBe(0);
}

const ROLES =
  "SELECT rolname AS role, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls FROM pg_roles";
/** What lies in the shop's schemas and is not the shop's; members of an extension belong to it. */
const NOT_OWNED = `
  WITH owned (what, owner, catalog, id, schema) AS (
    SELECT relname, relowner, 'pg_class'::regclass, oid, relnamespace FROM pg_class
    UNION ALL SELECT proname, proowner, 'pg_proc'::regclass, oid, pronamespace FROM pg_proc
    UNION ALL SELECT typname, typowner, 'pg_type'::regclass, oid, typnamespace FROM pg_type
    UNION ALL SELECT cfgname, cfgowner, 'pg_ts_config'::regclass, oid, cfgnamespace FROM pg_ts_config
    UNION ALL SELECT nspname, nspowner, 'pg_namespace'::regclass, oid, oid FROM pg_namespace WHERE nspname <> 'public')
  SELECT what FROM owned JOIN pg_namespace n ON n.oid = schema
  WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND pg_get_userbyid(owner) <> 'polara'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = catalog AND d.objid = owned.id AND d.deptype = 'e')`;

describe.each([
  ["a new data folder", async () => {}],
  ["a data folder from before", makeOldFolder],
])("in %s", (_name, make) => {
  const dataDir = folder("embedded");
  let database: EmbeddedDatabase;
  beforeAll(async () => {
    await make(dataDir);
    database = await startEmbeddedDatabase(dataDir, systemEnvironment());
    await fill(database.url);
  });
  afterAll(() => database.stop());

  it("the shop is a role that may do nothing beyond its database", async () => {
    expect(await query(database.url, `${ROLES} WHERE rolname = current_user`)).toEqual([
      {
        role: "polara",
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolbypassrls: false,
      },
    ]);
    for (const forbidden of [
      "CREATE ROLE another",
      "CREATE DATABASE another",
      "ALTER ROLE polara SUPERUSER",
      "SET ROLE polara_admin",
      "SELECT pg_read_file('PG_VERSION')",
      "COPY (SELECT 1) TO PROGRAM 'true'",
      "ALTER SYSTEM SET fsync = off",
      "SELECT rolpassword FROM pg_authid",
    ])
      await expect(query(database.url, forbidden), forbidden).rejects.toThrow(/permission denied|must be|Only roles/);
  });

  it("owns all that is in it, the extension for search included in use", async () => {
    expect(await query(database.url, NOT_OWNED)).toEqual([]);
    expect(await query(database.url, "SELECT extname FROM pg_extension WHERE extname = 'pg_trgm'")).toHaveLength(1);
    await query(database.url, "ALTER TABLE products ADD COLUMN later int; ALTER TABLE products DROP COLUMN later");
    await query(database.url, "CREATE SCHEMA later; DROP SCHEMA later");
  });

  it("only one other role is there, with a password of its own", async () => {
    expect(await query(database.url, "SELECT rolname FROM pg_roles WHERE rolname !~ '^pg_' ORDER BY 1")).toEqual([
      { rolname: "polara" },
      { rolname: "polara_admin" },
    ]);
    const file = join(dataDir, "postgres-admin-password");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(new URL(database.url).password).not.toBe(readFileSync(file, "utf8").trim());
    const hba = readFileSync(join(dataDir, "postgres/pg_hba.conf"), "utf8");
    const methods = [...hba.matchAll(/^(?:local|host)\s.*?(\S+)$/gm)].map(([, method]) => method);
    expect(new Set(methods)).toEqual(new Set(["scram-sha-256"]));
  });

  it("nobody stays connected as the administrator", async () => {
    // Only an administrator sees what kind of connection another one's is.
    const asAdmin = new URL("/postgres", database.url);
    asAdmin.username = "polara_admin";
    asAdmin.password = readFileSync(join(dataDir, "postgres-admin-password"), "utf8").trim();
    const others = "backend_type = 'client backend' AND pid <> pg_backend_pid()";
    expect(await query(asAdmin.href, `SELECT usename FROM pg_stat_activity WHERE ${others}`)).toEqual([
      { usename: "polara" },
    ]);
  });

  it("the shop's password is a new one at each start, and in no file", async () => {
    const before = database.url;
    await database.stop();
    database = await startEmbeddedDatabase(dataDir, systemEnvironment());
    const [old, now] = [before, database.url].map((url) => new URL(url).password);
    for (const password of [old, now]) expect(password).toMatch(/^[0-9a-f]{48}$/);
    expect(now).not.toBe(old);
    const sameDoor = new URL(database.url);
    sameDoor.password = old ?? "";
    await expect(query(sameDoor.href, "SELECT 1")).rejects.toThrow("password authentication failed");
    expect(readdirSync(dataDir).filter((name) => name.includes("password"))).toEqual(["postgres-admin-password"]);
  });

  it("it starts again as it was, and refuses a second one meanwhile", async () => {
    await expect(startEmbeddedDatabase(dataDir, systemEnvironment())).rejects.toThrow("Another Polara already runs on");
    await database.stop();
    database = await startEmbeddedDatabase(dataDir, systemEnvironment());
    const [sleeve] = await query(
      database.url,
      "SELECT inventory_count AS units FROM stock JOIN products ON id = product_id WHERE slug = 'travel-sleeve'",
    );
    expect(sleeve).toEqual({ units: make === makeOldFolder ? 77 : 85 });
  });
});

it("an administrator's password that is gone is asked back in a clear sentence", async () => {
  const dataDir = folder("lost");
  await (await startEmbeddedDatabase(dataDir, systemEnvironment())).stop();
  rmSync(join(dataDir, "postgres-admin-password"));
  await expect(startEmbeddedDatabase(dataDir, systemEnvironment())).rejects.toThrow(
    "postgres-admin-password in DATA_DIR is missing",
  );
  expect(existsSync(join(dataDir, "postgres/postmaster.pid"))).toBe(false);
});

it("while PostgreSQL still starts, the administrator is not taken for unknown", async () => {
  let asked = 0;
  const fields = ["SFATAL", "C57P03", "Mthe database system is starting up", ""].map((field) => `${field}\0`).join("");
  const refusal = Buffer.concat([Buffer.from("E\0\0\0\0"), Buffer.from(fields)]);
  refusal.writeInt32BE(refusal.length - 1, 1);
  const starting = createServer((socket) => {
    socket.once("data", () => {
      asked++;
      socket.end(refusal);
    });
  });
  await new Promise<void>((ready) => starting.listen(0, "127.0.0.1", ready));
  const { port } = starting.address() as AddressInfo;
  expect(await connectAsAdmin(port, { admin: "a", former: "b" })).toBeNull();
  expect(asked).toBe(1);
  starting.close();
});
