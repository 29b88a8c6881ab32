/**
 * The least that Node with `pg` can do of the shop's work, on tables of its own: a text in place of a page, one upsert to
 * add, one statement to order. It checks no field, signs no cookie, counts no limits, writes no log and sends no email.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { Pool } from "pg";

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query(`
  CREATE TABLE products (id uuid PRIMARY KEY, price integer NOT NULL);
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
  )`);

const ADD = `
  INSERT INTO cart_items VALUES ($1, $2, $3)
  ON CONFLICT (guest_id, product_id) DO UPDATE SET quantity = least(10, cart_items.quantity + excluded.quantity)`;

/** Where units are missing, the CHECK of `stock` ends the statement, and nothing has happened. */
const ORDER = `
  WITH lines AS (
    DELETE FROM cart_items WHERE guest_id = $1 RETURNING product_id, quantity
  ), taken AS (
    UPDATE stock SET inventory_count = inventory_count - quantity FROM lines
    WHERE stock.product_id = lines.product_id RETURNING stock.product_id, quantity
  ), sold AS (
    SELECT product_id, price, quantity FROM taken JOIN products ON products.id = taken.product_id
  ), placed AS (
    INSERT INTO orders (id, checkout_key, guest_id, email, address, total)
    SELECT $2, $3, $1, $4, $5, sum(price * quantity) FROM sold HAVING count(*) > 0
  )
  INSERT INTO order_items SELECT $2, product_id, price, quantity FROM sold`;

async function add(guest: string, form: Record<string, string>) {
  await pool.query({ name: "add", text: ADD, values: [guest, form.productId, form.quantity] });
  return { ok: true };
}

async function order(guest: string, form: Record<string, string>) {
  const { checkoutKey, email, ...address } = form;
  const orderId = randomUUID();
  const values = [guest, orderId, checkoutKey, email, address];
  try {
    const { rowCount } = await pool.query({ name: "order", text: ORDER, values });
    return rowCount ? { ok: true, orderId } : { ok: false, message: "Your cart is empty" };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "23514") return { ok: false, message: "Out of stock" };
    if (code !== "23505") throw error;
    const { rows } = await pool.query("SELECT id FROM orders WHERE checkout_key = $1", [checkoutKey]);
    return { ok: true, orderId: rows[0]?.id };
  }
}

async function readForm(request: IncomingMessage): Promise<Record<string, string>> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  return Object.fromEntries(new URLSearchParams(body));
}

/** By address, a text as long as what the shop sends there. */
const pages = Object.fromEntries(
  Object.entries(JSON.parse(process.env.PAGES ?? "{}")).map(([path, bytes]) => [
    path,
    Buffer.alloc(Number(bytes), "x"),
  ]),
);
const writes: Record<string, typeof add | typeof order> = { "/cart/add.data": add, "/checkout.data": order };

const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  const write = writes[request.url ?? ""];
  if (request.method !== "POST" || !write) {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(pages[request.url ?? ""]);
    return;
  }
  try {
    const guest = /polara_guest=([0-9a-f-]{36})/.exec(request.headers.cookie ?? "")?.[1] ?? randomUUID();
    const result = await write(guest, await readForm(request));
    response.writeHead(result.ok ? 200 : 409, { "Content-Type": "application/json" }).end(JSON.stringify(result));
  } catch (error) {
    response.writeHead(503).end(String(error));
  }
});
server.listen(Number(process.env.PORT));
process.on("SIGINT", () => process.exit(0));
