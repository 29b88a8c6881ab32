/** `npm run backup` and `npm run restore`: an online backup is complete, and an incomplete one is refused. */
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backUp } from "#db/backup.ts";
import { restore } from "#db/restore.ts";
import { systemEnvironment } from "#platform/environment.ts";
import { startShop, type Shop } from "../support/shop.ts";
import { Visitor } from "../support/visitor.ts";

const root = mkdtempSync(join(tmpdir(), "polara-backup-"));
const at = (name: string) => join(root, name);
const shops: Shop[] = [];
afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.stop()));
  rmSync(root, { recursive: true, force: true });
});

/** Starts a command without waiting, as a process of its own: an interrupted one is killed. */
function command(name: "backup" | "restore", args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [`scripts/${name}.ts`, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
  const ended = new Promise<{ code: number | null; output: string }>((done) =>
    child.once("close", (code) => done({ code, output: output.replaceAll(root, "ROOT").trim() })),
  );
  return { child, ended };
}
const run = (...args: Parameters<typeof command>) => command(...args).ended;

async function open(dataDir: string): Promise<Shop> {
  const shop = await startShop({ DATA_DIR: dataDir, DATABASE_URL: "" });
  shops.push(shop);
  return shop;
}

async function asAdmin(dataDir: string): Promise<Client> {
  const password = readFileSync(join(dataDir, "postgres-admin-password"), "utf8").trim();
  const port = readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[3];
  const client = new Client({ connectionString: `postgres://polara_admin:${password}@127.0.0.1:${port}/polara` });
  await client.connect();
  return client;
}
async function query<T>(dataDir: string, text: string): Promise<T[]> {
  const client = await asAdmin(dataDir);
  return client.query(text).then(
    ({ rows }) => client.end().then(() => rows as T[]),
    (error) => client.end().then(() => Promise.reject(error)),
  );
}

/** Units in stock plus units sold, constant for each product. */
const UNITS_AND_SOLD =
  "SELECT product_id, inventory_count + coalesce(sum(i.quantity), 0)::int AS units FROM stock LEFT JOIN order_items i USING (product_id) GROUP BY product_id, inventory_count ORDER BY 1";

type Order = { number: string; email: string; answered: number };

/** The name of an uploaded picture. */
const PICTURE = "u-0123456789abcdef0123-1600x1600-a1b2c3-400.webp";

let buyers = 0;
async function order(shop: Shop): Promise<Order> {
  const email = `buyer${buyers++}@example.com`;
  const guest = new Visitor(shop.url);
  await guest.add("travel-sleeve");
  const html = await (await guest.checkout({ email })).text();
  const number = /\b[0-9a-f]{8}\b(?!-)/.exec(html.split("Order placed!")[1] ?? "")?.[0];
  if (!number) throw new Error(`no order on the page:\n${html}`);
  return { number, email, answered: Date.now() };
}

/** Segments of the write-ahead log, of 16 MB each, that begin during the backup. */
const SEGMENTS = 3;

/** Places orders until `until` settles, with new write-ahead log segments and checkpoints that remove old ones. */
async function sell(shop: Shop, dataDir: string, until: Promise<unknown>): Promise<Order[]> {
  const orders: Order[] = [];
  let isOver = false;
  void until.finally(() => (isOver = true));
  const admin = await asAdmin(dataDir);
  while (!isOver) {
    orders.push(await order(shop));
    if (orders.length > SEGMENTS) continue;
    await admin.query("SELECT pg_switch_wal()");
    await admin.query("CHECKPOINT");
  }
  await admin.end();
  return orders;
}

const selling = at("selling");
const backup = at("backup");
let shop: Shop;
let atFirst: unknown[];
const orders: Order[] = [];
let moment = 0;

beforeAll(async () => {
  shop = await open(selling);
  await query(
    selling,
    "UPDATE stock SET inventory_count = 10000 WHERE product_id = (SELECT id FROM products WHERE slug = 'travel-sleeve')",
  );
  atFirst = await query(selling, UNITS_AND_SOLD);
  mkdirSync(join(selling, "pictures"));
  writeFileSync(join(selling, "pictures", PICTURE), "a picture");
  writeFileSync(join(selling, "pictures", `.${PICTURE}.77`), "half of one");
  for (let i = 0; i < 5; i++) orders.push(await order(shop));

  const { ended } = command("backup", [backup], { DATA_DIR: selling });
  orders.push(...(await sell(shop, selling, ended)));
  const { code, output } = await ended;
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(/^Backup: {2}ROOT\/backup, \d+ MB\n {2}Holds: {3}all that was answered until \S+Z$/),
  });
  moment = Date.parse(output.split(" ").at(-1) ?? "");
});

describe("a backup of a running shop", () => {
  it("is known to the shop with the moment that it holds", async () => {
    const known = await query<{ moment: Date }>(selling, "SELECT moment FROM backups");
    expect(known.map((row) => row.moment.getTime())).toEqual([moment]);
  });

  it("is readable by its owner only, and leaves nothing behind in the shop", async () => {
    expect(readdirSync(backup).toSorted()).toEqual([
      "auth-secret",
      "backup.json",
      "pictures",
      "postgres",
      "postgres-admin-password",
    ]);
    for (const name of ["", "postgres", "pictures"]) expect(statSync(join(backup, name)).mode & 0o777).toBe(0o700);
    for (const name of ["auth-secret", "postgres-admin-password", "backup.json"])
      expect(statSync(join(backup, name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(root).toSorted()).toEqual(["backup", "selling"]);
    expect(await query(selling, "SELECT FROM pg_replication_slots")).toEqual([]);
  });

  it("has every order confirmed before its time, starts, sells, and its stock adds up", async () => {
    const before = orders.filter(({ answered }) => answered < moment);
    // Some orders were placed during the copy.
    expect(before.length).toBeGreaterThan(5);

    const restored = at("restored");
    expect(await run("restore", [backup, restored])).toEqual({
      code: 0,
      output: `Restored:  ROOT/restored, as the shop was at ${new Date(moment).toISOString()}\n  Start it:  DATA_DIR=ROOT/restored npm start`,
    });
    expect(readdirSync(join(restored, "pictures"))).toEqual([PICTURE]);
    const again = await open(restored);
    expect(await (await fetch(`${again.url}/images/${PICTURE}`)).text()).toBe("a picture");
    const kept = await query(restored, "SELECT left(id::text, 8) AS number, email FROM orders");
    for (const { number, email } of before) expect(kept).toContainEqual({ number, email });
    expect(await query(restored, UNITS_AND_SOLD)).toEqual(atFirst);

    const next = await order(again);
    expect(await query(restored, "SELECT left(id::text, 8) AS number, email FROM orders")).toContainEqual({
      number: next.number,
      email: next.email,
    });
    expect(await query(restored, UNITS_AND_SOLD)).toEqual(atFirst);
    // amcheck reads every page with its checksum, and every row by its index.
    await query(restored, "CREATE EXTENSION IF NOT EXISTS amcheck");
    await query(
      restored,
      "SELECT bt_index_check(indexrelid, true) FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_am m ON m.oid = c.relam WHERE m.amname = 'btree' AND c.relkind = 'i' AND c.relpersistence = 'p'",
    );
    expect(await again.stop()).toBe(0);
    // A stopped shop can be backed up too, and so can a restored one.
    expect(await run("backup", [at("second")], { DATA_DIR: restored })).toMatchObject({ code: 0 });
    expect(await run("restore", [at("second")], { DATA_DIR: at("third") })).toMatchObject({ code: 0 });
    await open(at("third"));
    expect(await query(at("third"), UNITS_AND_SOLD)).toEqual(atFirst);
    expect(await query(at("third"), `SELECT FROM orders WHERE email = '${next.email}'`)).toHaveLength(1);
  });
});

/** Refusals of the commands have the words of these functions. */
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: Error) => error.message.replaceAll(root, "ROOT"),
  );
const refusedBackup = (target: string, dataDir = selling) => refusal(backUp(dataDir, target, systemEnvironment()));
const refusedRestore = (from: string, to: string) => refusal(restore(from, to));

describe("npm run restore", () => {
  const NO_BACKUP = (name: string) =>
    `ROOT/${name} is no backup, or one that was interrupted. Name a folder that \`npm run backup\` printed.`;

  it("refuses a folder that is not empty", async () => {
    mkdirSync(at("full"));
    writeFileSync(join(at("full"), "letter"), "keep me");
    expect(await run("restore", [backup, at("full")])).toEqual({
      code: 1,
      output: "ROOT/full is not empty. Stop its shop and move it away, or name another folder after the backup.",
    });
    expect(readdirSync(at("full"))).toEqual(["letter"]);
  });

  it("refuses other folders and interrupted backups", async () => {
    for (const name of ["selling", "nowhere"]) expect(await refusedRestore(at(name), at("new"))).toBe(NO_BACKUP(name));
    expect(existsSync(at("new"))).toBe(false);

    const { child, ended } = command("backup", [at("interrupted")], { DATA_DIR: selling });
    const partial = () => readdirSync(root).find((name) => name.startsWith("interrupted")) ?? "";
    await expect.poll(() => existsSync(join(at(partial()), "postgres/base")), { interval: 1 }).toBe(true);
    child.kill("SIGKILL");
    await ended;
    expect(partial()).toMatch(/^interrupted\.partial-/);
    expect(await refusedRestore(at(partial()), at("new"))).toBe(NO_BACKUP(partial()));
    expect(existsSync(at("new"))).toBe(false);
    // PostgreSQL ends the aborted backup.
    await expect.poll(() => query(selling, "SELECT FROM pg_replication_slots")).toEqual([]);
  });

  it("refuses a backup with a lost or changed file, and leaves the folder as it was", async () => {
    const spoiled = at("second");
    writeFileSync(join(spoiled, "postgres/PG_VERSION"), "17\n");
    mkdirSync(at("empty"));
    const refused = (what: string) => `The file ${what}. Take another backup.`;
    const refusals = () => refusedRestore(spoiled, at("empty"));
    expect(await refusals()).toBe(refused("postgres/PG_VERSION of the backup is not what it was"));
    rmSync(join(spoiled, "auth-secret"));
    expect(await refusals()).toBe(refused("auth-secret of the backup is missing"));
    expect(readdirSync(at("empty"))).toEqual([]);
  });
});

describe("npm run backup", () => {
  it("refuses a missing shop, an existing target and one inside the database", async () => {
    expect(await refusedBackup(at("b"), at("none"))).toBe(
      "There is no shop in ROOT/none. Set DATA_DIR to the folder of one.",
    );
    expect(await refusedBackup(backup)).toBe("ROOT/backup is there already. Name a folder that is not there yet.");
    expect(await refusedBackup(join(selling, "postgres/b"))).toBe(
      "ROOT/selling/postgres/b is inside the database's own folder. Name one outside of ROOT/selling.",
    );
  });

  it("reports a database that ends meanwhile, and leaves no partial backup", async () => {
    const { ended } = command("backup", [at("late")], { DATA_DIR: selling });
    const end = "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots";
    await expect.poll(() => query(selling, end), { interval: 1 }).toHaveLength(1);
    expect(await ended).toEqual({
      code: 1,
      output: "The database ended while it was being backed up. Run the backup again.",
    });
    expect(readdirSync(root).filter((name) => name.startsWith("late"))).toEqual([]);
  });

  it("refuses an external PostgreSQL, as restore does", async () => {
    const env = { DATABASE_URL: "postgres://shop@localhost/shop" };
    expect(await run("backup", [], env)).toEqual({
      code: 1,
      output: "DATABASE_URL is set: back up your own PostgreSQL by its tools, as pgBackRest in deploy/README.md.",
    });
    expect(await run("restore", [backup, at("new")], env)).toEqual({
      code: 1,
      output: "DATABASE_URL is set: restore your own PostgreSQL by its tools, as pgBackRest in deploy/README.md.",
    });
  });
});
