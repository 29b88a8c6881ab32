/** Writes: adding to the cart and placing orders, alternating with bare Node and `pg`. */
import { randomInt, randomUUID } from "node:crypto";
import { Pool } from "pg";
import { GUEST_PURPOSE, openSigner } from "#shop/purpose-key.server.ts";
import { openDatabase, type Database } from "#db/connection.server.ts";
import { addToCart, getCart } from "#shop/cart/cart.server.ts";
import { formatExpectedLines } from "#shop/checkout/expected-lines.ts";
import { createDatabase } from "#tests/support/database.setup.ts";
import { address } from "#tests/support/visitor.ts";
import {
  AUTH_SECRET,
  compare,
  freshDatabase,
  load,
  serve,
  serveShop,
  START,
  type Bench,
  type Served,
  type Step,
} from "./measured.ts";
import { atLeast, atMost, round, type Row } from "./report.ts";

const SECONDS = 2;
const CROWD = 40;
const PLENTY = 100_000_000;
/** Orders a second of Vendure 3.7 at its best on a comparable machine. */
const VENDURE_ORDERS = 11;

type Product = { id: string; name: string; price: number; seen: string };

/** A guest's form post, as sent by the page's script, each guest from their own network. */
function post(served: Served, path: string, guestId: string, fields: Record<string, string>) {
  const { sign } = openSigner(AUTH_SECRET, GUEST_PURPOSE);
  return {
    method: "POST" as const,
    path: `${path}.data`,
    headers: {
      Origin: served.url,
      "X-Forwarded-For": [10, randomInt(256), randomInt(256), randomInt(256)].join("."),
      Cookie: `polara_guest=${guestId}.${sign(guestId)}`,
      "Content-Type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(fields).toString(),
  };
}

/** Each call is a new guest. */
export function add(served: Served, products: Product[]): Step {
  let turn = 0;
  return (visit) => {
    const product = products[turn++ % products.length];
    visit.guestId = randomUUID();
    visit.seen = product?.seen ?? "";
    return post(served, "/cart/add", visit.guestId, { productId: product?.id ?? "", quantity: "1" });
  };
}

/** The order of the guest who just added to the cart. */
export const order =
  (served: Served): Step =>
  ({ guestId = "", seen = "" }) =>
    post(served, "/checkout", guestId, {
      ...address,
      email: `${guestId}@example.com`,
      checkoutKey: randomUUID(),
      seen,
    });

/** Products on sale, each with its cart line of one unit. */
export async function productsOf(db: Database, limit = 12): Promise<Product[]> {
  const { rows } = await db.$client.query<{ id: string }>(
    `SELECT id FROM products JOIN stock ON product_id = id WHERE is_available AND inventory_count > 0
     ORDER BY slug LIMIT $1`,
    [limit],
  );
  const products: Product[] = [];
  for (const { id } of rows) {
    const buyer = { guestId: randomUUID() };
    await addToCart(db, buyer, { productId: id, quantity: 1 });
    const { lines } = await getCart(db, buyer);
    products.push({ id, name: lines[0]!.name, price: lines[0]!.unitPriceCents, seen: formatExpectedLines(lines) });
  }
  return products;
}

export async function orders(bench: Bench): Promise<Row[]> {
  const { url, drop } = await freshDatabase(bench);
  const { db, pool } = openDatabase(url, 1);
  await pool.query("UPDATE products SET is_available = true");
  await pool.query("UPDATE stock SET inventory_count = $1", [PLENTY]);
  const products = await productsOf(db);
  const [hot] = products;
  const shop = await serveShop({ DATABASE_URL: url, TRUST_PROXY: "loopback" });
  const bare = await startBare(bench, products);

  const work = {
    add: (served: Served) => [add(served, products)],
    order: (served: Served) => [add(served, products), order(served)],
    hot: (served: Served) => [add(served, hot ? [hot] : []), order(served)],
  };
  const run = (served: Served, steps: Step[]) => load(served, { connections: CROWD, seconds: SECONDS, steps });
  const results: Record<string, Awaited<ReturnType<typeof compare>>> = {};
  for (const [name, steps] of Object.entries(work))
    results[name] = await compare(
      () => run(shop, steps(shop)),
      () => run(bare.served, steps(bare.served)),
    );
  await shop.stop();
  await checkBooks(pool);
  const deadlocks = await countDeadlocks(pool);
  await pool.end();
  await drop();
  await bare.stop();

  const rate = (name: string) => results[name]!.one.perSecond;
  const row = (what: string, name: string, limit: number): Row => {
    const { one, other, ratio } = results[name]!;
    const atLeastRow = atLeast(what, ratio, limit, { unit: "of bare", digits: 2 });
    const figures = {
      ...atLeastRow.figures,
      "shop, a second": round(one.perSecond),
      bare: round(other.perSecond),
      CPU: `${round(one.cpuMsEach, 2)} ms`,
    };
    return { ...atLeastRow, figures };
  };
  return [
    row("add to cart, 12 products", "add", 0.2),
    row("add and place order, 12 products", "order", 0.25),
    { ...row("add and place order, one hot product", "hot", 0), budget: "", holds: undefined },
    atLeast("one hot product beside twelve", rate("hot") / rate("order"), 0.5, { unit: "", digits: 2 }),
    // Half of the requests are orders.
    atLeast("orders beside Vendure's documented 11 a second", rate("order") / 2 / VENDURE_ORDERS, 40, {
      unit: "times",
    }),
    atMost("deadlocks", deadlocks, 0, { unit: "" }),
  ];
}

async function startBare({ server }: Bench, products: Product[]) {
  const { url, drop } = await createDatabase(server, "template1");
  const [options = ""] = START;
  const served = await serve(process.execPath, [options, "bench/bare-shop.ts"], { DATABASE_URL: url, AUTH_SECRET });
  const pool = new Pool({ connectionString: url, max: 1 });
  const columns = (["id", "name", "price"] as const).map((column) => products.map((product) => product[column]));
  await pool.query("INSERT INTO products SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[])", columns);
  await pool.query("INSERT INTO stock SELECT id, $1 FROM products", [PLENTY]);
  return {
    served,
    async stop() {
      await served.stop();
      await checkBooks(pool);
      await pool.end();
      await drop();
    },
  };
}

/** Consistency: every unit sold has left the stock. */
async function checkBooks(pool: Pool): Promise<void> {
  const { rows: wrong } = await pool.query(
    `SELECT product_id FROM stock LEFT JOIN order_items i USING (product_id)
     GROUP BY product_id HAVING inventory_count + coalesce(sum(i.quantity), 0) <> $1`,
    [PLENTY],
  );
  if (wrong.length > 0) throw new Error(`Stock and orders do not add up: ${JSON.stringify(wrong)}`);
}

async function countDeadlocks(pool: Pool): Promise<number> {
  await pool.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await pool.query<{ n: number }>(
    "SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()",
  );
  return rows[0]?.n ?? NaN;
}
