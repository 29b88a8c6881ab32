/** Whether the shop stays as fast as it grows: one with some hundred products beside one with 100,000, in turn. */
import { randomUUID } from "node:crypto";
import { openDatabase } from "../db/connection.server.ts";
import { CATEGORIES } from "../shop/catalog/product.ts";
import { SORTS } from "../shop/catalog/filters.ts";
import { formatSeenLines } from "../shop/checkout/seen-lines.ts";
import { guestCookie, makeActor } from "../tests/support/actors.ts";
import { address } from "../tests/support/visitor.ts";
import { freshDatabase, type Bench } from "./databases.ts";
import { fillShop, type Size } from "./large-shop.ts";
import { load, type Load } from "./load.ts";
import { AUTH_SECRET, fillCarts } from "./orders.ts";
import { serveShop } from "./processes.ts";
import { heading, median, round, type Row } from "./report.ts";

const BUDGET = 1.3;
const ROUNDS = 5;
const CONNECTIONS = 4;
const PAGE = "/product/polara-pro-earth-green";

/** More products than the page cache keeps pages of, so that a walk through them meets none that is kept. */
const SMALL: Size = { copies: 40, orders: 500, cartLines: 500, ownOrders: 60 };
const LARGE: Size = { copies: 8_334, orders: 1_000_000, cartLines: 1_000_000, ownOrders: 2_000 };

/** Each pair of one value of `first` and one of `second`, as query strings. */
const pairs = (first: string[], second: string[]) => first.flatMap((a) => second.map((b) => `${a}&${b}`));
const named = (name: string, values: readonly (string | number)[]) =>
  values.map((value) => new URLSearchParams({ [name]: String(value) }).toString());

const sorts = named("sort", SORTS);
/** Bounds that leave nothing out, each another address. */
const wide = named("maxPrice", [400, 410, 420, 430, 440, 450, 460, 470, 480, 490]);
const kinds = pairs(named("color", ["Frost White", "Earth Green", "Midnight Black"]), named("category", CATEGORIES));
const lists = {
  "the list's first page, rendered": pairs(sorts, pairs(wide, named("minPrice", [0, 10, 20]))),
  "the list's next pages, rendered": pairs(sorts, pairs(wide, named("page", [2, 3, 4, 5]))),
  "the list of a color and a category, rendered": pairs(sorts, pairs(kinds, wide.slice(0, 3))),
  "the list of what is in stock, rendered": pairs(
    pairs(sorts, ["availability=in-stock"]),
    pairs(wide, named("minPrice", [0, 10, 20])),
  ),
};
const searches = {
  "search for a model's name": ["travel sleeve kobabababa", "gasket demubababa", "dock fibabababa"],
  "search for a word of every twelfth product": ["sleeve", "dock", "basket", "gasket"],
  "search for a word of every product": ["polara", "bowl", "freshness"],
  "search for a misspelled word": ["sleave", "baskit", "gaskett"],
};

type Action = (amount: number) => Promise<Load>;
type Shop = { actions: Record<string, Action>; stop(): Promise<void> };

export async function growth(bench: Bench): Promise<Row[]> {
  const small = await openShop(bench, SMALL);
  const large = await openShop(bench, LARGE);
  const rows = [heading("", "small", "large", "CPU small", "CPU large", "slower by")];
  for (const [what, run] of Object.entries(small.actions)) {
    const amount = what.endsWith("cache") ? 2_000 : 200;
    const other = large.actions[what] as Action;
    await run(amount);
    await other(amount);
    const runs: { small: Load; large: Load }[] = [];
    for (let i = 0; i < ROUNDS; i++) runs.push({ small: await run(amount), large: await other(amount) });
    rows.push(row(what, runs));
  }
  await small.stop();
  await large.stop();
  return rows;
}

function row(what: string, runs: { small: Load; large: Load }[]): Row {
  const ratio = median(runs.map(({ small, large }) => small.perSecond / large.perSecond));
  const figure = (of: "small" | "large") => `${round(median(runs.map((run) => run[of].perSecond)))} a second`;
  const cpu = (of: "small" | "large") => `${round(median(runs.map((run) => run[of].cpuMsEach)), 1)} ms`;
  return {
    what,
    figures: [figure("small"), figure("large"), cpu("small"), cpu("large"), `${round(ratio, 2)} times`],
    budget: `≤ ${BUDGET} times`,
    holds: ratio <= BUDGET,
  };
}

async function openShop(bench: Bench, size: Size): Promise<Shop> {
  const { url, drop } = await freshDatabase(bench);
  const { db, pool } = openDatabase(url);
  const shop = await serveShop({ DATABASE_URL: url, AUTH_SECRET });
  const { visitor, userId } = await makeActor(pool, shop.url, AUTH_SECRET, "customer");
  await fillShop(url, size, userId ?? "");
  const { rows: slugs } = await pool.query<{ slug: string }>("SELECT slug FROM products ORDER BY id LIMIT 400");
  const { rows: sold } = await pool.query<{ id: string }>(
    "SELECT id FROM products JOIN stock ON id = product_id WHERE is_available AND inventory_count > 0 ORDER BY slug LIMIT 12",
  );
  const ids = sold.map(({ id }) => id);

  let turn = 0;
  const walk =
    (path: (i: number) => string, headers: Record<string, string> = {}): Action =>
    (amount) =>
      load(shop, { amount, connections: CONNECTIONS, headers, next: () => ({ path: path(turn++) }) });
  const among = (addresses: string[]) => (i: number) => addresses[i % addresses.length] ?? "";
  const post = (path: string, guestId: string, fields: Record<string, string>) => ({
    method: "POST" as const,
    path,
    headers: {
      Origin: shop.url,
      Accept: "text/html",
      Cookie: `polara_guest=${guestCookie(guestId, AUTH_SECRET)}`,
      "Content-Type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(fields).toString(),
  });
  const add: Action = (amount) =>
    load(shop, {
      amount,
      connections: CONNECTIONS,
      status: 303,
      next: () => post("/cart/add", randomUUID(), { productId: among(ids)(turn++), quantity: "1" }),
    });
  const order: Action = async (amount) => {
    const carts = await fillCarts(db, pool, ids, 1, amount);
    let i = 0;
    const next = () => {
      const { guestId, lines } = carts[i++ % carts.length] ?? { guestId: "", lines: [] };
      const fields = { ...address, email: `${guestId}@example.com`, checkoutKey: randomUUID() };
      return post("/checkout", guestId, { ...fields, seen: formatSeenLines(lines) });
    };
    return load(shop, { amount, connections: CONNECTIONS, next });
  };
  const ofCustomer = { Cookie: visitor.cookieHeader() };

  return {
    actions: {
      "a product's page, from the cache": walk(() => PAGE),
      "a product's page, rendered": walk(among(slugs.map(({ slug }) => `/product/${slug}`))),
      "the list, from the cache": walk(() => "/shop"),
      ...Object.fromEntries(
        Object.entries(lists).map(([what, queries]) => [what, walk((i) => `/shop?${among(queries)(i)}`)]),
      ),
      ...Object.fromEntries(
        Object.entries(searches).map(([what, words]) => [
          what,
          walk((i) => `/search.json?${new URLSearchParams({ q: among(words)(i) })}`),
        ]),
      ),
      "add to cart": add,
      "place an order over 12 products": order,
      "order history": walk(() => "/account?tab=orders", ofCustomer),
    },
    async stop() {
      await shop.stop();
      await pool.end();
      await drop();
    },
  };
}
