/**
 * How many SQL statements each thing takes, counted where they arrive: by PostgreSQL's own
 * pg_stat_statements, which has to be loaded at its start, so this part runs one of its own.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { openDatabase } from "../db/connection.server.ts";
import { startEmbeddedDatabase } from "../db/embedded.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { seedCatalog } from "../shop/inventory/seed.server.ts";
import { administer, adminUrl } from "../tests/support/database.setup.ts";
import { address, Visitor } from "../tests/support/visitor.ts";
import { serveShop } from "./processes.ts";
import { atMost, compared, median, type Row } from "./report.ts";
import { systemEnvironment } from "../server/config.ts";
import { QUEUES } from "../shop/mail/queues.ts";

const ROUNDS = 9;
const PRODUCT = "polara-pro-earth-green";

type Action = { what: string; budget?: number; prepare?: () => Promise<unknown>; run: () => Promise<Response> };

export async function statements(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "polara-bench-"));
  const database = await startCounting(folder);
  await migrateDatabase(database.url, QUEUES);
  const { db, pool } = openDatabase(database.url, 1);
  await seedCatalog(db);
  await pool.end();

  // A database beside the shop's, so that counting does not count itself.
  const counter = new Client({ connectionString: adminUrl(database.url, folder) });
  await counter.connect();
  await counter.query("CREATE EXTENSION pg_stat_statements");
  const shop = await serveShop({ DATABASE_URL: database.url });
  const shopper = new Client({ connectionString: database.url });
  await shopper.connect();
  await shopper.query("UPDATE stock SET inventory_count = 10000");

  const rows: Row[] = [];
  for (const { what, budget, prepare, run } of actions(shop.url, shopper)) {
    const counts: number[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      await prepare?.();
      counts.push(await count(counter, run));
    }
    const unit = { unit: "" };
    rows.push(budget === undefined ? compared(what, median(counts), unit) : atMost(what, median(counts), budget, unit));
  }
  await shop.stop();
  await shopper.end();
  await counter.end();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
  return rows;
}

async function startCounting(folder: string) {
  const first = await startEmbeddedDatabase(folder, systemEnvironment());
  await administer(adminUrl(first.url, folder), "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
  await first.stop();
  return startEmbeddedDatabase(folder, systemEnvironment());
}

function actions(url: string, shopper: Client): Action[] {
  const forget = async () => {
    await shopper.query("NOTIFY catalog");
    await new Promise((done) => setTimeout(done, 50));
  };
  let visitor = new Visitor(url);
  let productId = "";
  let fields: Record<string, string> = {};
  const arrive = async () => {
    visitor = new Visitor(url);
    productId ||= await visitor.productId(PRODUCT);
  };
  const fill = async () => {
    await arrive();
    await visitor.post("/cart/add", { productId, quantity: "1" });
  };
  const proceed = async () => {
    await fill();
    fields = await visitor.checkoutFields();
  };
  const view = (path: string) => () => visitor.fetch(path);
  return [
    { what: "home, rendered", budget: 2, prepare: forget, run: view("/") },
    { what: "shop, rendered", budget: 2, prepare: forget, run: view("/shop") },
    { what: "product, rendered", budget: 2, prepare: forget, run: view(`/product/${PRODUCT}`) },
    { what: "product, from the cache", run: view(`/product/${PRODUCT}`) },
    { what: "who is it (/personal)", prepare: fill, run: () => visitor.fetch("/personal") },
    { what: "cart page", prepare: fill, run: () => visitor.fetch("/cart") },
    { what: "checkout page", prepare: fill, run: () => visitor.fetch("/checkout") },
    {
      what: "add to cart",
      budget: 3,
      prepare: arrive,
      run: () => visitor.post("/cart/add", { productId, quantity: "1" }),
    },
    {
      what: "place order",
      budget: 6,
      prepare: proceed,
      run: () => visitor.post("/checkout", { ...address, ...fields }),
    },
  ];
}

/** The median of several rounds leaves out what the job queue asks in the background now and then. */
async function count(counter: Client, run: () => Promise<Response>): Promise<number> {
  await counter.query("SELECT pg_stat_statements_reset()");
  const response = await run();
  await response.arrayBuffer();
  const { rows } = await counter.query<{ calls: number }>(
    `SELECT coalesce(sum(calls), 0)::int AS calls FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE d.datname <> current_database()`,
  );
  if (response.status >= 400) throw new Error(`${response.url} answered ${response.status}`);
  return rows[0]?.calls ?? 0;
}
