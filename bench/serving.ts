/** Serving: a cached page against a bare Hono response of the same size; CPU and SQL of rendered pages. */
import { Client } from "pg";
import { Visitor } from "#tests/support/visitor.ts";
import { fillShop, SMALL } from "./large-shop.ts";
import { compare, countSql, freshDatabase, get, load, serve, serveShop, type Bench, type Step } from "./measured.ts";
import { atMost, figure, median, type Row } from "./report.ts";

const PAGE = "/product/polara-pro-earth-green";
const CACHED = 20_000;
const RENDERED = 300;
const BR = { "Accept-Encoding": "br" };

export async function serving(bench: Bench): Promise<Row[]> {
  const { url, drop } = await freshDatabase(bench);
  // More products than the page cache holds, so that each request renders.
  const addresses = await fillShop(url, SMALL);
  const shop = await serveShop({ DATABASE_URL: url });
  const { headers } = await fetch(shop.url + PAGE, { headers: BR });
  const bare = await serve(process.execPath, ["bench/bare-hono.ts"], { BYTES: headers.get("Content-Length") ?? "" });
  const customer = new Visitor(shop.url);
  await customer.add("travel-sleeve");

  const products = get(...addresses);
  const cart = { Cookie: customer.cookieHeader(), ...BR };
  const render = (headers: Record<string, string>, steps: Step) =>
    load(shop, { amount: RENDERED, connections: 8, headers, steps });
  const cached = await compare(
    () => load(bare, { amount: CACHED, steps: get("/") }),
    () => load(shop, { amount: CACHED, headers: BR, steps: get(PAGE) }),
  );
  const rendered = await compare(
    () => render(BR, products),
    () => render(cart, get("/cart")),
  );
  const rows = [
    figure("CPU of a product page, cached", cached.other.cpuMsEach, { unit: "ms", digits: 3 }),
    figure("CPU of bare Hono, the same size", cached.one.cpuMsEach, { unit: "ms", digits: 3 }),
    // By the servers' CPU: the client takes longer over compressed bytes than over letters.
    atMost("CPU beside bare Hono", cached.other.cpuMsEach / cached.one.cpuMsEach, 2, { unit: "times", digits: 2 }),
    atMost("CPU of a product page, rendered", rendered.one.cpuMsEach, 6, { unit: "ms", digits: 1 }),
    atMost("CPU of a cart page", rendered.other.cpuMsEach, 6, { unit: "ms", digits: 1 }),
    ...(await statements(bench, url, shop.url, customer)),
  ];
  await Promise.all([shop.stop(), bare.stop()]);
  await drop();
  return rows;
}

async function statements({ admin }: Bench, url: string, shopUrl: string, customer: Visitor): Promise<Row[]> {
  const [counter, notifier] = [admin, url].map((connectionString) => new Client({ connectionString }));
  await counter!.connect();
  await notifier!.connect();
  const rows: Row[] = [];
  for (const [path, visitor] of [
    ["/", new Visitor(shopUrl)],
    ["/shop", new Visitor(shopUrl)],
    [PAGE, new Visitor(shopUrl)],
    ["/cart", customer],
    ["/checkout", customer],
  ] as const) {
    const counts: number[] = [];
    for (let i = 0; i < 9; i++) {
      // Clears the page cache.
      await notifier!.query("NOTIFY catalog");
      await new Promise((done) => setTimeout(done, 50));
      counts.push((await countSql(counter!, url, async () => (await visitor.fetch(path)).text())).calls);
    }
    rows.push(atMost(`SQL statements of ${path}, rendered`, median(counts), 2, { unit: "" }));
  }
  await counter!.end();
  await notifier!.end();
  return rows;
}
