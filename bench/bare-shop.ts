/**
 * The shop's work by Node with `pg` alone, on tables of its own. It knows guests by their signed cookie, caps lines by 10
 * and by stock, takes only prices that were seen, and queues an email; it counts no limits, writes no log and checks no
 * address. A page is a text in its place. With WAY=plain it is written as one writes it: products are read for a page, and
 * an order is a transaction of statements. With WAY=least it asks for nothing that it could know, and an order is one statement.
 */
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { Pool } from "pg";
import { GUEST_PURPOSE } from "../app/session/signature.server.ts";
import { purposeKey } from "../shop/purpose-key.server.ts";

const MAX_BODY_BYTES = 64 * 1024;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
  CREATE TABLE jobs (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text NOT NULL, data jsonb NOT NULL,
    state text NOT NULL DEFAULT 'created', start_after timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX ON jobs (name, start_after) WHERE state = 'created'`);

/** A statement does not see what it writes itself: the line that was added comes from RETURNING, the others from the table. */
const ADD = `
  WITH added AS (
    INSERT INTO cart_items AS line
    SELECT $1, product_id, least($3::int, inventory_count, 10) FROM stock WHERE product_id = $2 AND inventory_count > 0
    ON CONFLICT (guest_id, product_id) DO UPDATE SET quantity = least(line.quantity + $3::int,
      (SELECT inventory_count FROM stock WHERE stock.product_id = line.product_id), 10)
    RETURNING product_id, quantity
  ), lines AS (
    SELECT * FROM added UNION ALL
    SELECT product_id, quantity FROM cart_items WHERE guest_id = $1 AND product_id <> $2
  )
  SELECT product_id AS "productId", name, price, quantity, inventory_count AS stock
  FROM lines JOIN products ON products.id = product_id JOIN stock USING (product_id)
  WHERE EXISTS (SELECT FROM added)`;

/** Where units are missing, the CHECK of `stock` ends the statement, and nothing has happened. */
const ORDER = `
  WITH seen AS (
    SELECT * FROM unnest($6::uuid[], $7::int[], $8::int[]) AS s (product_id, quantity, price)
  ), lines AS (
    SELECT product_id, line.quantity, products.price,
      coalesce(seen.quantity = line.quantity AND seen.price = products.price, false) AS is_as_seen
    FROM cart_items line JOIN products ON products.id = product_id LEFT JOIN seen USING (product_id)
    WHERE guest_id = $1
  ), sold AS (
    SELECT * FROM lines WHERE (SELECT count(*) = cardinality($6::uuid[]) AND bool_and(is_as_seen) FROM lines)
  ), emptied AS (
    DELETE FROM cart_items USING sold WHERE guest_id = $1 AND cart_items.product_id = sold.product_id
  ), taken AS (
    UPDATE stock SET inventory_count = inventory_count - quantity FROM sold WHERE stock.product_id = sold.product_id
  ), placed AS (
    INSERT INTO orders (id, checkout_key, guest_id, email, address, total)
    SELECT $2, $3, $1, $4, $5, sum(price * quantity) FROM sold HAVING count(*) > 0 RETURNING id
  ), queued AS (
    INSERT INTO jobs (name, data) SELECT 'email', jsonb_build_object('orderId', id) FROM placed
  )
  INSERT INTO order_items SELECT $2, product_id, price, quantity FROM sold`;

const refused = (message: string, status = 409) => ({ ok: false, status, message });

async function add(guest: string, { productId = "", quantity = "" }: Record<string, string>) {
  if (!UUID.test(productId) || !/^\d{1,2}$/.test(quantity)) return refused("No such product", 400);
  const { rows } = await pool.query({ name: "add", text: ADD, values: [guest, productId, quantity] });
  return rows.length > 0 ? { ok: true, status: 200, cart: rows } : refused("Out of stock");
}

/** The same by itself, step by step. */
const STEPS = {
  cart: `SELECT product_id, quantity, price, inventory_count FROM cart_items JOIN products ON products.id = product_id
    JOIN stock USING (product_id) WHERE guest_id = $1 ORDER BY product_id FOR UPDATE OF cart_items, stock`,
  take: `UPDATE stock SET inventory_count = inventory_count - quantity
    FROM unnest($1::uuid[], $2::int[]) AS sold (product_id, quantity) WHERE stock.product_id = sold.product_id`,
  place: "INSERT INTO orders (id, checkout_key, guest_id, email, address, total) VALUES ($1, $2, $3, $4, $5, $6)",
  freeze: "INSERT INTO order_items SELECT $1, * FROM unnest($2::uuid[], $3::int[], $4::int[])",
  empty: "DELETE FROM cart_items WHERE guest_id = $1",
  queue: "INSERT INTO jobs (name, data) VALUES ('email', jsonb_build_object('orderId', $1::uuid))",
};

type Ordered = {
  guest: string;
  orderId: string;
  checkoutKey: string;
  email: string;
  address: object;
  seen: string[][];
};

/** Whether the cart was as it was seen. */
async function orderAtOnce({ guest, orderId, checkoutKey, email, address, seen }: Ordered): Promise<boolean> {
  const columns = [0, 1, 2].map((i) => seen.map((line) => line[i]));
  const values = [guest, orderId, checkoutKey, email, address, ...columns];
  const { rowCount } = await pool.query({ name: "order", text: ORDER, values });
  return Boolean(rowCount);
}

async function orderInSteps({ guest, orderId, checkoutKey, email, address, seen }: Ordered): Promise<boolean> {
  const client = await pool.connect();
  const run = (name: keyof typeof STEPS, ...values: unknown[]) => client.query({ name, text: STEPS[name], values });
  try {
    await client.query("BEGIN");
    const { rows } = await run("cart", guest);
    const isAsSeen = rows.every(({ product_id, quantity, price, inventory_count }) =>
      seen.some(
        (line) =>
          line[0] === product_id &&
          Number(line[1]) === quantity &&
          Number(line[2]) === price &&
          quantity <= inventory_count,
      ),
    );
    if (rows.length === 0 || rows.length !== seen.length || !isAsSeen) {
      await client.query("ROLLBACK");
      return false;
    }
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
    return true;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

const isPlain = process.env.WAY === "plain";

async function order(guest: string, form: Record<string, string>) {
  const { checkoutKey = "", email = "", seen = "", ...address } = form;
  if (!UUID.test(checkoutKey) || !email.includes("@")) return refused("Fill in the form", 400);
  const ordered = {
    guest,
    orderId: randomUUID(),
    checkoutKey,
    email,
    address,
    seen: seen.split(",").map((line) => line.split(":")),
  };
  try {
    const isPlaced = await (isPlain ? orderInSteps : orderAtOnce)(ordered);
    return isPlaced ? { ok: true, status: 200, orderId: ordered.orderId } : refused("Your cart is not as you saw it");
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "23514") return refused("Out of stock");
    if (code !== "23505") throw error;
    const { rows } = await pool.query("SELECT id FROM orders WHERE checkout_key = $1", [checkoutKey]);
    return { ok: true, status: 200, orderId: rows[0]?.id };
  }
}

async function readForm(request: IncomingMessage): Promise<Record<string, string> | null> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) {
    body += chunk;
    if (body.length > MAX_BODY_BYTES) return null;
  }
  return Object.fromEntries(new URLSearchParams(body));
}

const key = purposeKey(process.env.AUTH_SECRET ?? "", `signature\n${GUEST_PURPOSE}`);

/** The guest whose cookie the shop has signed. */
function guestOf({ headers }: IncomingMessage): string | null {
  const [, id = "", signature = ""] = /polara_guest=([0-9a-f-]{36})\.([\w-]+)/.exec(headers.cookie ?? "") ?? [];
  const [made, given] = [createHmac("sha256", key).update(id).digest(), Buffer.from(signature, "base64url")];
  return made.length === given.length && timingSafeEqual(made, given) ? id : null;
}

const SHOWN = `SELECT id, name, price, inventory_count FROM products JOIN stock ON product_id = id
  WHERE $1::uuid IS NULL OR id = $1 ORDER BY name`;

type Page = { bytes: number; /** Null where all products are shown. */ productId: string | null };

/** By address, a text as long as what the shop sends there, and what is read for it. */
const pages = new Map(
  Object.entries(JSON.parse(process.env.PAGES ?? "{}") as Record<string, Page>).map(([path, { bytes, productId }]) => [
    path,
    { text: Buffer.alloc(bytes, "x"), productId },
  ]),
);
const writes: Record<string, typeof add | typeof order> = { "/cart/add": add, "/checkout": order };

const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  const write = writes[request.url ?? ""];
  if (request.method !== "POST" || !write) {
    const page = pages.get(request.url ?? "");
    if (isPlain && page) await pool.query({ name: "shown", text: SHOWN, values: [page.productId] });
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(page?.text);
    return;
  }
  try {
    const guest = guestOf(request);
    const form = await readForm(request);
    if (!form || !guest) return void response.writeHead(form ? 403 : 413).end();
    const { status, ...result } = await write(guest, form);
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(result));
  } catch (error) {
    response.writeHead(503).end(String(error));
  }
});
server.listen(Number(process.env.PORT));
process.on("SIGINT", () => process.exit(0));
