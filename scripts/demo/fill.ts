/** Writes the demo's year into a shop that has sold nothing yet, whole or not at all. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { prepareSchema } from "../../server/payment-sandbox/schema.ts";
import { hashPassword } from "../../shop/accounts/passwords/password-hash.server.ts";
import { INVITATION_DAYS } from "../../shop/staff/invitations.server.ts";
import type { Role } from "../../shop/staff/roles.ts";
import { askProvider } from "./provider.ts";
import type { Row } from "./rows.ts";
import { tellYear, type DemoProduct, type Year } from "./year.ts";

/** The shop is not one to fill. */
export class NotEmpty extends Error {}

/** Their role, their name, and how many hours ago they were here last. */
const STAFF: [Role, string, number][] = [
  ["manager", "Mara Lind", 15],
  ["support", "Sol Weber", 18],
  ["packer", "Pim Okoro", 40],
];
const HOUR_MS = 3_600_000;

/** One statement, whatever the number of rows. */
async function insert(client: PoolClient, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).map((column) => `"${column}"`);
  if (columns.length === 0) return;
  await client.query(
    `INSERT INTO ${table} (${columns.join()}) SELECT ${columns.join()} FROM jsonb_populate_recordset(NULL::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

async function refuseRealShop(client: PoolClient): Promise<void> {
  // No order comes in while the year is written.
  await client.query("LOCK TABLE orders, contact_messages, waitlist IN SHARE ROW EXCLUSIVE MODE");
  const { rows } = await client.query<{ what: string }>(
    `SELECT 'orders' AS what WHERE EXISTS (SELECT FROM orders)
     UNION ALL SELECT 'messages' WHERE EXISTS (SELECT FROM contact_messages)
     UNION ALL SELECT 'a waitlist' WHERE EXISTS (SELECT FROM waitlist)`,
  );
  if (rows.length === 0) return;
  const found = rows.map(({ what }) => what).join(" and ");
  throw new NotEmpty(
    `This shop has ${found}: the demo fills only a shop that has none. Set DATA_DIR to another folder.`,
  );
}

const PRODUCTS = `
  SELECT id, name, category, price, early_bird_price AS "earlyBirdPrice",
    early_bird_end_date - interval '30 days' AS "earlyBirdFrom"
  FROM products ORDER BY slug`;

/** Of a secret that nobody knows. */
const nobodysHash = () => randomBytes(32).toString("base64url");

/** A working day that is over. */
const sessionOf = (userId: string, endedAt: Date): Row => {
  const begun = new Date(endedAt.getTime() - 7 * HOUR_MS);
  return {
    id: randomUUID(),
    user_id: userId,
    token_hash: nobodysHash(),
    created_at: begun,
    proved_at: begun,
    last_seen_at: endedAt,
    ended_at: endedAt,
  };
};

/** Accounts that nobody has the password of, and staff without a second factor: they cannot be entered. */
async function insertStaff(client: PoolClient, password: string, now: Date): Promise<void> {
  for (const [role, name, seenHours] of STAFF) {
    const id = randomUUID();
    const email = `${name.toLowerCase().replace(" ", ".")}@example.com`;
    await client.query("INSERT INTO users (id, email, email_verified, name) VALUES ($1, $2, true, $3)", [
      id,
      email,
      name,
    ]);
    await insert(client, "accounts", [accountOf(id, password)]);
    await insert(client, "staff", [{ user_id: id, role, factor_id: randomUUID(), created_at: now }]);
    await insert(client, "staff_sessions", [sessionOf(id, new Date(now.getTime() - seenHours * HOUR_MS))]);
  }
  await insert(client, "staff_invitations", [
    {
      id: randomUUID(),
      email: "noa.berg@example.com",
      role: "support",
      token_hash: nobodysHash(),
      created_at: now,
      expires_at: new Date(now.getTime() + INVITATION_DAYS * 24 * HOUR_MS),
    },
  ]);
}

const accountOf = (userId: string, password: string): Row => ({
  id: randomUUID(),
  user_id: userId,
  account_id: userId,
  provider_id: "credential",
  password,
  created_at: new Date(),
  updated_at: new Date(),
});

export type Filled = { orders: number; people: number; messages: number; waiting: number };

/**
 * Fills the shop behind `pool`. Throws NotEmpty where it has orders, messages or a waitlist. The stock stays as it is: what
 * the demo has sold had come in before. `baseUrl` is where the payment sandbox shows its pages.
 */
export async function fillDemo(pool: Pool, baseUrl: string, now = new Date()): Promise<Filled> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await refuseRealShop(client);
    const { rows: catalog } = await client.query<DemoProduct>(PRODUCTS);
    if (catalog.length === 0) throw new NotEmpty("This shop has no products, so nothing can have been sold.");
    const year = tellYear(catalog, now);
    await write(client, pool, year, baseUrl, now);
    await client.query("COMMIT");
    return {
      orders: year.orders.length,
      people: year.people.length,
      messages: year.contact_messages.length,
      waiting: year.waitlist.length,
    };
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

/** What came in before the last days was answered. */
const ANSWERED = `UPDATE contact_messages SET status = 'closed' WHERE created_at < now() - interval '4 days'`;

const REST_TO_SHIP = `UPDATE orders SET rest_to_ship = true WHERE status = 'shipped' AND
  (SELECT sum(quantity - canceled_quantity) FROM order_items WHERE order_id = orders.id) >
  (SELECT sum(packed.quantity) FROM shipment_items AS packed JOIN shipments ON shipments.id = shipment_id
   WHERE shipments.order_id = orders.id AND shipments.state <> 'failed')`;

/** What the year has sold came in before: stock is what it was, and still the sum of its moves. */
const DELIVERIES = `INSERT INTO stock_moves (product_id, delta, reason, note, at)
  SELECT product_id, sum(quantity - canceled_quantity), 'received', 'Deliveries of the year', min(orders.created_at)
  FROM order_items JOIN orders ON orders.id = order_id
  WHERE status IN ('unpaid', 'processing', 'shipped', 'delivered')
  GROUP BY product_id HAVING sum(quantity - canceled_quantity) > 0`;

async function write(client: PoolClient, pool: Pool, year: Year, baseUrl: string, now: Date): Promise<void> {
  const { states, objects } = askProvider(year.payments, year.payment_actions, baseUrl, now);
  const password = await hashPassword(randomBytes(32).toString("base64url"));
  await insert(client, "users", year.users);
  const customers = new Set(year.people.map(({ userId }) => userId));
  const known = year.users.filter(({ id }) => customers.has(id));
  await insert(
    client,
    "accounts",
    known.map(({ id }) => accountOf(id, password)),
  );
  await insertStaff(client, password, now);
  for (const table of ["orders", "order_items", "order_events"] as const) await insert(client, table, year[table]);
  await insert(
    client,
    "payments",
    year.payments.map(({ row }) => row),
  );
  for (const table of [
    "payment_actions",
    "shipments",
    "shipment_items",
    "contact_messages",
    "waitlist",
    "daily_counts",
  ] as const) {
    await insert(client, table, year[table]);
  }
  await client.query(ANSWERED);
  await client.query(REST_TO_SHIP);
  await client.query(DELIVERIES);
  await prepareSchema(pool, false);
  await insert(client, "payment_sandbox.payments", states);
  await insert(client, "payment_sandbox.objects", objects);
}
