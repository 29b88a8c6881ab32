/** The embedded database: privileges of the shop's role, and starting. */
import { createServer, type AddressInfo } from "node:net";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "./connection.server.ts";
import { connectAsAdmin, startEmbeddedDatabase, type EmbeddedDatabase } from "./embedded.ts";
import { migrateDatabase } from "./migrate.ts";
import { seedCatalog } from "#shop/inventory/stock.server.ts";
import { systemEnvironment } from "#platform/environment.ts";
import { QUEUES } from "#shop/mail/mailbox.server.ts";
import { freePort } from "#tests/support/shop.ts";

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

const ROLES =
  "SELECT rolname AS role, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls FROM pg_roles";
/** Objects in the shop's schemas that the shop does not own, except members of extensions. */
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

describe("in a new data folder", () => {
  const dataDir = folder("embedded");
  let database: EmbeddedDatabase;
  beforeAll(async () => {
    database = await startEmbeddedDatabase(dataDir, systemEnvironment());
    await fill(database.url);
  });
  afterAll(() => database.stop());

  it("the shop's role has no rights beyond its database", async () => {
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

  it("the shop's role owns everything in its database and can use the search extension", async () => {
    expect(await query(database.url, NOT_OWNED)).toEqual([]);
    expect(await query(database.url, "SELECT extname FROM pg_extension WHERE extname = 'fuzzystrmatch'")).toHaveLength(
      1,
    );
    await query(database.url, "ALTER TABLE products ADD COLUMN later int; ALTER TABLE products DROP COLUMN later");
    await query(database.url, "CREATE SCHEMA later; DROP SCHEMA later");
  });

  it("there is one other role, with its own password", async () => {
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

  it("PostgreSQL listens on this machine alone, and is told no secret of the shop's", () => {
    const [pid, , , , , address] = readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n");
    expect(address).toBe("127.0.0.1");
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    const names = environment.map((one) => one.split("=")[0]).filter(Boolean);
    expect(names).toContain("PATH");
    expect(names.filter((name) => !["PATH", "HOME", "TZ", "LANG"].includes(name ?? ""))).toEqual([]);
  });

  it("no connection of the administrator stays open", async () => {
    // Only administrators see the encryption of other connections.
    const asAdmin = new URL("/postgres", database.url);
    asAdmin.username = "polara_admin";
    asAdmin.password = readFileSync(join(dataDir, "postgres-admin-password"), "utf8").trim();
    const others = "backend_type = 'client backend' AND pid <> pg_backend_pid()";
    expect(await query(asAdmin.href, `SELECT usename FROM pg_stat_activity WHERE ${others}`)).toEqual([
      { usename: "polara" },
    ]);
  });

  it("the shop's password is new at each start and in no file", async () => {
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

  it("it starts again with its data, and a second start is refused", async () => {
    await expect(startEmbeddedDatabase(dataDir, systemEnvironment())).rejects.toThrow("Another Polara already runs on");
    await database.stop();
    database = await startEmbeddedDatabase(dataDir, systemEnvironment());
    const [sleeve] = await query(
      database.url,
      "SELECT inventory_count AS units FROM stock JOIN products ON id = product_id WHERE slug = 'travel-sleeve'",
    );
    expect(sleeve).toEqual({ units: 85 });
  });
});

it("a PostgreSQL that is still starting does not look like a wrong password", async () => {
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
  expect(await connectAsAdmin(port, "a")).toBeNull();
  expect(asked).toBe(1);
  starting.close();
});

it("a port taken in the meantime is replaced by another", async () => {
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(0, "127.0.0.1", done));
  const { port } = taken.address() as AddressInfo;
  const ports = [port, await freePort()];
  const database = await startEmbeddedDatabase(folder("port"), systemEnvironment(), async () => ports.shift() ?? 0);
  expect(new URL(database.url).port).not.toBe(String(port));
  await database.stop();
  taken.close();
});
