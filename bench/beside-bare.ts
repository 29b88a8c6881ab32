/** What the shop's answers cost beside Node with `pg` alone for the same requests, in turn in one run. */
import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { openDatabase } from "../db/connection.server.ts";
import { formatSeenLines } from "../shop/checkout/seen-lines.ts";
import { GUEST_PURPOSE, openSigner } from "../app/session/signature.server.ts";
import { createDatabase } from "../tests/support/database.setup.ts";
import { address } from "../tests/support/visitor.ts";
import { freshDatabase, type Bench } from "./databases.ts";
import { load, type Load, type Step } from "./load.ts";
import { AUTH_SECRET, checkBooks, countDeadlocks, fillCarts, PLENTY, prepare, someAddress } from "./orders.ts";
import { serve, serveShop, START, type Served } from "./processes.ts";
import { atMost, heading, median, p95, round, type Row } from "./report.ts";

const ROUNDS = 5;
const WARM_UP_ROUNDS = 2;
const SECONDS = 2;
const CROWD = 20;
const LEAST = 0.5;
const LIST = "/shop";
const PRODUCT = "/product/polara-pro-earth-green";
const BR = { "Accept-Encoding": "br" };

type Run = Pick<Load, "perSecond" | "times" | "cpuMsEach">;
type Round = Record<"shop" | "bare" | "least", Run>;
type Product = { id: string; seen: string; name: string; price: number };
type Work = (served: Served, products: Product[]) => Promise<Run>;

const work: Record<string, Work> = {
  "list (/shop)": (served) => load(served, { path: LIST, headers: BR, seconds: SECONDS }),
  "product page": (served) => load(served, { path: PRODUCT, headers: BR, seconds: SECONDS }),
  "add to cart, 12 products": (served, all) => visits(served, [add(served, all)], 2 * CROWD),
  "add and order, 12 products": (served, all) => visits(served, [add(served, all), order(served)], 2 * CROWD),
  "add and order one hot product, amid as many who add it": async (served, [hot]) => {
    const one = hot ? [hot] : [];
    const [sellers, adders] = await Promise.all([
      visits(served, [add(served, one), order(served)], CROWD),
      visits(served, [add(served, one)], CROWD),
    ]);
    return {
      perSecond: sellers.perSecond + adders.perSecond,
      times: [...sellers.times, ...adders.times],
      // Both counted the same process for the same time.
      cpuMsEach: (sellers.cpuMsEach * sellers.answered) / (sellers.answered + adders.answered),
    };
  },
};

const visits = (served: Served, next: Step[], connections: number) =>
  load(served, { connections, next, seconds: SECONDS });

const { sign } = openSigner(AUTH_SECRET, GUEST_PURPOSE);

/** As the page's script posts, each shopper from a line of their own. */
function post(served: Served, path: string, guestId: string, fields: Record<string, string>) {
  return {
    method: "POST" as const,
    path,
    headers: {
      Origin: served.url,
      "X-Forwarded-For": someAddress(),
      Accept: "application/json",
      Cookie: `polara_guest=${guestId}.${sign(guestId)}`,
      "Content-Type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(fields).toString(),
  };
}

function add(served: Served, products: Product[]): Step {
  let i = 0;
  return (visit) => {
    const { id = "", seen } = products[i++ % products.length] ?? {};
    const guestId = randomUUID();
    Object.assign(visit, { guestId, seen });
    return post(served, "/cart/add", guestId, { productId: id, quantity: "1" });
  };
}

/** Of the guest who has just added. */
function order(served: Served): Step {
  return (visit) => {
    const { guestId, seen } = visit as { guestId: string; seen: string };
    const email = `${guestId}@example.com`;
    return post(served, "/checkout", guestId, { ...address, email, checkoutKey: randomUUID(), seen });
  };
}

export async function besideBare(bench: Bench): Promise<Row[]> {
  const shop = await startShop(bench);
  const plain = await startBare(bench, shop, "plain");
  const least = await startBare(bench, shop, "least");
  const rows = [
    heading(
      "",
      "shop, a second",
      "p95",
      "CPU",
      "bare, a second",
      "p95",
      "CPU",
      "least, a second",
      "shop ÷ least",
      "shop ÷ bare",
    ),
  ];
  for (const [what, run] of Object.entries(work)) {
    const rounds: Round[] = [];
    for (let i = -WARM_UP_ROUNDS; i < ROUNDS; i++) {
      const round = {
        shop: await run(shop.served, shop.products),
        bare: await run(plain.served, shop.products),
        least: await run(least.served, shop.products),
      };
      if (i >= 0) rounds.push(round);
    }
    rows.push(compare(what, rounds));
  }
  const [ofShop, ofBare, ofLeast] = [await shop.stop(), await plain.stop(), await least.stop()];
  const counted = atMost("deadlocks, as PostgreSQL counts them", ofShop, 0, { unit: "in all" });
  return [
    ...rows,
    { ...counted, figures: [...counted.figures, "", "", `${ofBare} in all`, "", "", `${ofLeast} in all`] },
  ];
}

function compare(what: string, rounds: Round[]): Row {
  const beside = (side: "bare" | "least") => median(rounds.map((each) => each.shop.perSecond / each[side].perSecond));
  const aSecond = (side: keyof Round) => round(median(rounds.map((each) => each[side].perSecond)));
  const figures = (side: keyof Round) => [
    aSecond(side),
    `${round(median(rounds.map((each) => p95(each[side].times))), 1)} ms`,
    `${round(median(rounds.map((each) => each[side].cpuMsEach)), 2)} ms`,
  ];
  const ratio = beside("bare");
  return {
    what,
    figures: [...figures("shop"), ...figures("bare"), aSecond("least"), round(beside("least"), 2), round(ratio, 2)],
    budget: `≥ ${LEAST}`,
    holds: ratio >= LEAST,
  };
}

async function startShop(bench: Bench) {
  const { url, drop } = await freshDatabase(bench);
  await prepare(url);
  const { db, pool } = openDatabase(url, 1);
  const { rows } = await pool.query<{ id: string; name: string }>("SELECT id, name FROM products ORDER BY slug");
  const ids = rows.map(({ id }) => id);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const carts = await fillCarts(db, pool, ids, 1, ids.length);
  const served = await serveShop({ DATABASE_URL: url, AUTH_SECRET, TRUST_PROXY: "loopback" });
  const products = carts.flatMap(({ lines }) =>
    lines.map((line) => ({
      id: line.productId,
      name: names.get(line.productId) ?? "",
      price: line.unitPriceCents,
      seen: formatSeenLines([line]),
    })),
  );
  return { served, products, stop: () => close(served, pool, drop) };
}

async function startBare({ server }: Bench, shop: { served: Served; products: Product[] }, WAY: "plain" | "least") {
  const { url, drop } = await createDatabase(server, "template1");
  const PAGES = JSON.stringify({
    [LIST]: { bytes: await transferred(shop.served, LIST), productId: null },
    [PRODUCT]: { bytes: await transferred(shop.served, PRODUCT), productId: shop.products[0]?.id },
  });
  const [options = ""] = START;
  const served = await serve(process.execPath, [options, "bench/bare-shop.ts"], {
    env: { DATABASE_URL: url, AUTH_SECRET, PAGES, WAY },
  });
  const pool = new Pool({ connectionString: url, max: 1 });
  const columns = (["id", "name", "price"] as const).map((column) => shop.products.map((product) => product[column]));
  await pool.query("INSERT INTO products SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[])", columns);
  await pool.query("INSERT INTO stock SELECT id, $1 FROM products", [PLENTY]);
  return { served, stop: () => close(served, pool, drop) };
}

async function transferred({ url }: Served, path: string): Promise<number> {
  return Number((await fetch(url + path, { headers: BR })).headers.get("Content-Length"));
}

/** Answers how often PostgreSQL has found a deadlock. */
async function close(served: Served, pool: Pool, drop: () => Promise<void>): Promise<number> {
  await served.stop();
  await checkBooks(pool);
  const deadlocks = await countDeadlocks(pool);
  await pool.end();
  await drop();
  return deadlocks;
}
