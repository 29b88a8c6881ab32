/**
 * The baseline for writes: Node with `pg` alone, without limits, log, signed cookies, order events, early-bird prices
 * or address checks.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { Pool } from "pg";

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query(`
  CREATE TABLE products (id uuid PRIMARY KEY, name text NOT NULL, price integer NOT NULL);
  CREATE TABLE stock (product_id uuid PRIMARY KEY, inventory_count integer NOT NULL CHECK (inventory_count >= 0));
  CREATE TABLE cart_items (
    guest_id uuid, product_id uuid REFERENCES products, quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 10),
    PRIMARY KEY (guest_id, product_id)
  );
  CREATE TABLE orders (
    id uuid PRIMARY KEY, checkout_key uuid NOT NULL UNIQUE, guest_id uuid NOT NULL, email text NOT NULL,
    address jsonb NOT NULL, total integer NOT NULL, created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE order_items (
    order_id uuid REFERENCES orders, product_id uuid REFERENCES products, price integer NOT NULL,
    quantity integer NOT NULL, PRIMARY KEY (order_id, product_id)
  );
  CREATE TABLE jobs (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text NOT NULL, data jsonb NOT NULL)`);

const SQL = {
  add: `INSERT INTO cart_items AS line
    SELECT $1, product_id, least($3::int, inventory_count, 10) FROM stock WHERE product_id = $2 AND inventory_count > 0
    ON CONFLICT (guest_id, product_id) DO UPDATE SET quantity = least(line.quantity + $3::int, 10)`,
  shown: `SELECT product_id, name, price, quantity FROM cart_items JOIN products ON products.id = product_id
    WHERE guest_id = $1`,
  cart: `SELECT product_id, quantity, price, inventory_count FROM cart_items JOIN products ON products.id = product_id
    JOIN stock USING (product_id) WHERE guest_id = $1 ORDER BY product_id FOR UPDATE OF cart_items, stock`,
  take: `UPDATE stock SET inventory_count = inventory_count - quantity
    FROM unnest($1::uuid[], $2::int[]) AS sold (product_id, quantity) WHERE stock.product_id = sold.product_id`,
  place: "INSERT INTO orders (id, checkout_key, guest_id, email, address, total) VALUES ($1, $2, $3, $4, $5, $6)",
  freeze: "INSERT INTO order_items SELECT $1, * FROM unnest($2::uuid[], $3::int[], $4::int[])",
  empty: "DELETE FROM cart_items WHERE guest_id = $1",
  queue: "INSERT INTO jobs (name, data) VALUES ('email', jsonb_build_object('orderId', $1::uuid))",
};
const statement = (name: keyof typeof SQL, values: unknown[]) => ({ name, text: SQL[name], values });

type Form = Record<string, string>;

async function add(guest: string, { productId, quantity }: Form): Promise<object> {
  await pool.query(statement("add", [guest, productId, quantity]));
  return { cart: (await pool.query(statement("shown", [guest]))).rows };
}

async function order(guest: string, { checkoutKey, email, seen = "", ...address }: Form): Promise<object> {
  const client = await pool.connect();
  const run = (name: keyof typeof SQL, ...values: unknown[]) => client.query(statement(name, values));
  const expected = new Set(seen.split(","));
  const orderId = randomUUID();
  try {
    await client.query("BEGIN");
    const { rows } = await run("cart", guest);
    const isAsSeen = rows.every(
      ({ product_id, quantity, price, inventory_count }) =>
        expected.has(`${product_id}:${quantity}:${price}`) && quantity <= inventory_count,
    );
    if (rows.length !== expected.size || !isAsSeen) throw new Error("The cart is not as it was seen.");
    const [ids, prices, quantities] = (["product_id", "price", "quantity"] as const).map((column) =>
      rows.map((row) => row[column]),
    );
    const total = rows.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
    await run("place", orderId, checkoutKey, guest, email, address, total);
    await run("freeze", orderId, ids, prices, quantities);
    await run("take", ids, quantities);
    await run("empty", guest);
    await run("queue", orderId);
    await client.query("COMMIT");
    return { orderId };
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

const guestOf = ({ headers }: IncomingMessage) => /polara_guest=([0-9a-f-]{36})/.exec(headers.cookie ?? "")?.[1] ?? "";

const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  if (request.method !== "POST") return void response.end();
  try {
    const guest = guestOf(request);
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const form = Object.fromEntries(new URLSearchParams(body));
    const result = await (request.url?.startsWith("/cart/add") ? add : order)(guest, form);
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(result));
  } catch (error) {
    response.writeHead(503).end(String(error));
  }
});
server.listen(Number(process.env.PORT));
process.on("SIGINT", () => process.exit(0));
