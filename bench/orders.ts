/** How many carts are filled and orders placed in a second, beside what PostgreSQL alone commits. */
import { randomInt, randomUUID } from "node:crypto";
import { Client, type Pool } from "pg";
import { openDatabase, type Database } from "../db/connection.server.ts";
import { addToCart, getCart } from "../shop/cart/cart.server.ts";
import type { CheckoutForm } from "../shop/checkout/checkout-form.ts";
import { placeOrder } from "../shop/checkout/place-order.server.ts";
import { formatSeenLines, type SeenLine } from "../shop/checkout/seen-lines.ts";
import { GUEST_PURPOSE, openSigner } from "../app/session/signature.server.ts";
import { uncounted } from "../tests/support/mail-permit.ts";
import { address } from "../tests/support/visitor.ts";
import { freshDatabase, type Bench } from "./databases.ts";
import { load, perSecond, type Load } from "./load.ts";
import { serveShop } from "./processes.ts";
import { atLeast, atMost, compared, median, round, type Row } from "./report.ts";

const CONCURRENCY = 32;
const ROUNDS = 5;
const AMOUNT = 2_000;
export const PLENTY = 100_000_000;
export const AUTH_SECRET = "a secret that only the bench knows, and long enough";

type Cart = { guestId: string; lines: SeenLine[] };
type Kind = "bare" | "add" | "addHot" | "order" | "orderHot" | "orderHotAmidAdds" | "orderThree";
type Rate = Pick<Load, "perSecond"> & Partial<Load>;
type Figures = Record<Kind, Rate[]> & { deadlocks: number };

export const form: CheckoutForm = {
  ...address,
  shippingState: "NY",
  shippingCountry: "US",
  billingAddressSameAsShipping: true,
  shippingMethod: "standard",
  saveInformation: false,
};

export async function orders(bench: Bench): Promise<Row[]> {
  const direct = await measure(bench, directly);
  const served = await measure(bench, overHttp(false));
  const scripted = await measure(bench, overHttp(true));
  return [
    ...rows("called directly", direct),
    ...rows("over HTTP, form posts without JavaScript", served),
    ...rows("over HTTP, as the page's script posts", scripted),
    {
      what: "direct ÷ PostgreSQL alone: add, order, order on the hot product",
      figures: [
        [direct.add, direct.order, direct.orderHot]
          .map((rates) =>
            round(median(rates.map(({ perSecond }, i) => perSecond / (direct.bare[i]?.perSecond ?? NaN))), 2),
          )
          .join(", "),
      ],
    },
  ];
}

function rows(how: string, figures: Figures): Row[] {
  const unit = { unit: "a second" };
  const rate = (kind: Kind) => median(figures[kind].map(({ perSecond }) => perSecond));
  const what = (text: string, kind: Kind) => {
    const each = (cpu: "cpuMsEach" | "ownCpuMsEach") => round(median(figures[kind].map((load) => load[cpu] ?? 0)), 2);
    const cpu =
      figures[kind][0]?.cpuMsEach === undefined
        ? ""
        : ` (CPU ms: shop ${each("cpuMsEach")}, load ${each("ownCpuMsEach")})`;
    return `${text}, ${how}${cpu}`;
  };
  return [
    atLeast(what("add to cart, 12 products", "add"), rate("add"), 1_000, unit),
    atLeast(what("add to cart, one hot product", "addHot"), rate("addHot"), 1_000, unit),
    atLeast(what("place order, 12 products", "order"), rate("order"), 1_000, unit),
    atLeast(what("place order, one hot product", "orderHot"), rate("orderHot"), 500, unit),
    atLeast(
      what("the same while it is put into as many carts", "orderHotAmidAdds"),
      rate("orderHotAmidAdds"),
      500,
      unit,
    ),
    atMost(`  deadlocks, ${how}`, figures.deadlocks, 0, { unit: "in all" }),
    compared(what("place order of three lines", "orderThree"), rate("orderThree"), unit),
    compared("  PostgreSQL alone, one-row inserts, same run", rate("bare"), unit),
  ];
}

type Way = (context: { url: string; db: Database; pool: Pool }) => Promise<{
  add(productIds: string[], amount: number): Promise<Rate>;
  order(carts: Cart[]): Promise<Rate>;
  stop(): Promise<void>;
}>;

async function measure(bench: Bench, way: Way): Promise<Figures> {
  const { url, drop } = await freshDatabase(bench);
  await prepare(url);
  const { db, pool } = openDatabase(url);
  const { rows: found } = await pool.query<{ id: string }>("SELECT id FROM products ORDER BY slug");
  const all = found.map((product) => product.id);
  const hot = all.slice(0, 1);
  const { add, order, stop } = await way({ url, db, pool });
  const carts = (ids: string[], lines: number, amount: number) => fillCarts(db, pool, ids, lines, amount);
  const bare = (amount: number) =>
    perSecond(CONCURRENCY, amount, async (i) => void (await pool.query("INSERT INTO bare (n) VALUES ($1)", [i])));

  const figures: Figures = {
    bare: [],
    add: [],
    addHot: [],
    order: [],
    orderHot: [],
    orderHotAmidAdds: [],
    orderThree: [],
    deadlocks: 0,
  };
  for (let i = -1; i < ROUNDS; i++) {
    const amount = i < 0 ? AMOUNT / 4 : AMOUNT;
    const one = {
      bare: await bare(amount),
      add: await add(all, amount),
      addHot: await add(hot, amount),
      order: await order(await carts(all, 1, amount)),
      orderHot: await order(await carts(hot, 1, amount)),
      orderHotAmidAdds: (await Promise.all([order(await carts(hot, 1, amount)), add(hot, amount)]))[0],
      orderThree: await order(await carts(all, 3, amount)),
    };
    // The first round warms up.
    if (i >= 0) for (const [kind, rate] of Object.entries(one)) figures[kind as keyof typeof one].push(rate);
  }
  await stop();
  await checkBooks(pool);
  figures.deadlocks = await countDeadlocks(pool);
  await pool.end();
  await drop();
  return figures;
}

/** The shop's functions on a pool like the server's own. */
const directly: Way = async ({ db }) => ({
  add: (ids, amount) =>
    perSecond(CONCURRENCY, amount, async (i) => {
      const added = await addToCart(
        db,
        { guestId: randomUUID() },
        { productId: ids[i % ids.length] ?? "", quantity: 1 },
      );
      if (!added.ok) throw new Error(added.reason);
    }),
  order: (carts) =>
    perSecond(CONCURRENCY, carts.length, async (i) => {
      const { guestId, lines } = carts[i] as Cart;
      const placed = await placeOrder(
        db,
        { guestId },
        { checkoutKey: randomUUID(), seenLines: lines, form },
        uncounted,
      );
      if (!placed.ok) throw new Error(JSON.stringify(placed));
    }),
  stop: async () => {},
});

/** Each shopper calls from a line of their own. */
export const someAddress = () => [10, 0, 0, 0].map((first) => first || randomInt(256)).join(".");

/** The same through the server, as a page posts its forms without JavaScript (and gets a page) or with it (and gets data). */
const overHttp =
  (isScripted: boolean): Way =>
  async ({ url }) => {
    const shop = await serveShop({ DATABASE_URL: url, AUTH_SECRET, TRUST_PROXY: "loopback" });
    const { sign } = openSigner(AUTH_SECRET, GUEST_PURPOSE);
    const post = (path: string, guestId: string, fields: Record<string, string>) => ({
      method: "POST" as const,
      path,
      headers: {
        Origin: shop.url,
        "X-Forwarded-For": someAddress(),
        Accept: isScripted ? "application/json" : "text/html",
        Cookie: `polara_guest=${guestId}.${sign(guestId)}`,
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(fields).toString(),
    });
    const send = (amount: number, status: number, next: () => ReturnType<typeof post>) =>
      load(shop, { connections: CONCURRENCY, amount, status: isScripted ? 200 : status, next });
    return {
      add(ids, amount) {
        let i = 0;
        return send(amount, 303, () =>
          post("/cart/add", randomUUID(), { productId: ids[i++ % ids.length] ?? "", quantity: "1" }),
        );
      },
      order(carts) {
        let i = 0;
        // autocannon prepares more requests than it sends; what is prepared past the last cart stays unsent.
        return send(carts.length, 200, () => {
          const { guestId, lines } = carts[i++ % carts.length] as Cart;
          return post("/checkout", guestId, {
            ...address,
            email: `${guestId}@example.com`,
            checkoutKey: randomUUID(),
            seen: formatSeenLines(lines),
          });
        });
      },
      stop: shop.stop,
    };
  };

export async function prepare(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`UPDATE stock SET inventory_count = ${PLENTY}`);
  await client.query("UPDATE products SET is_available = true");
  await client.query("CREATE TABLE bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n integer)");
  await client.end();
}

/** Carts as shoppers have left them: `lines` products each, in turn. */
export async function fillCarts(
  db: Database,
  pool: Pool,
  ids: string[],
  lines: number,
  amount: number,
): Promise<Cart[]> {
  const guests = Array.from({ length: amount }, () => randomUUID());
  const owners: string[] = [];
  const productIds: string[] = [];
  guests.forEach((guest, i) => {
    for (let line = 0; line < lines; line++) {
      owners.push(guest);
      productIds.push(ids[(i + line * 5) % ids.length] ?? "");
    }
  });
  await pool.query(
    `INSERT INTO cart_items (session_id, product_id, quantity)
     SELECT o, p, 1 FROM unnest($1::uuid[], $2::uuid[]) AS pairs (o, p)`,
    [owners, productIds],
  );
  // Prices as the shop shows them, read once a product.
  const prices = new Map<string, SeenLine>();
  for (const guestId of guests.slice(0, ids.length)) {
    for (const line of (await getCart(db, { guestId })).lines) prices.set(line.productId, line);
  }
  return guests.map((guestId, i) => ({
    guestId,
    lines: productIds.slice(i * lines, (i + 1) * lines).flatMap((id) => prices.get(id) ?? []),
  }));
}

/** Speed that loses something counts for nothing: every unit sold is a unit gone from stock. */
export async function checkBooks(pool: Pool): Promise<void> {
  const { rows: wrong } = await pool.query(
    `SELECT product_id FROM stock LEFT JOIN order_items i USING (product_id)
     GROUP BY product_id HAVING inventory_count + coalesce(sum(i.quantity), 0) <> $1`,
    [PLENTY],
  );
  if (wrong.length > 0) throw new Error(`Stock and orders do not add up: ${JSON.stringify(wrong)}`);
}

/** What PostgreSQL counted in this database; a connection tells of it when it has nothing to do. */
export async function countDeadlocks(pool: Pool): Promise<number> {
  await pool.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await pool.query<{ n: number }>(
    "SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()",
  );
  return rows[0]?.n ?? NaN;
}
