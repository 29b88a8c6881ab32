import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { policy } from "../policies.ts";
import { applyRetention } from "./retention.server.ts";

const shop = useFreshDatabase(5);
const run = (text: string, values: unknown[] = []) => shop.pool.query(text, values);
const ago = (amount: number, unit: "years" | "days", more = 0) =>
  new Date(Date.now() - (amount * (unit === "years" ? 366 : 1) + more) * 24 * 3600_000);
const count = async (from: string) => Number((await run(`SELECT count(*) FROM ${from}`)).rows[0].count);

beforeEach(async () => {
  await run("TRUNCATE users, cart_items, contact_messages, orders, verifications, mailbox_messages CASCADE");
});

async function account(lastActive: Date, hasPassword = true): Promise<string> {
  const { rows } = await run(
    "INSERT INTO users (email, name, last_active_at, updated_at, created_at) VALUES ($1, 'Ada', $2, $2, $2) RETURNING id",
    [`${randomUUID()}@example.com`, lastActive],
  );
  if (hasPassword)
    await run(
      "INSERT INTO accounts (user_id, account_id, provider_id) SELECT id, id::text, 'credential' FROM users WHERE id = $1",
      [rows[0].id],
    );
  return rows[0].id;
}
const session = (userId: string, usedAt: Date, expiresAt: Date) =>
  run("INSERT INTO sessions (user_id, token, updated_at, expires_at) VALUES ($1, $2, $3, $4)", [
    userId,
    randomUUID(),
    usedAt,
    expiresAt,
  ]);
const order = (createdAt: Date, userId: string | null = null, status = "delivered") =>
  run(
    `INSERT INTO orders (checkout_key, user_id, status, subtotal, shipping, tax, total, email, phone, shipping_first_name,
       shipping_last_name, shipping_address_line1, shipping_city, shipping_state, shipping_postal_code, shipping_method, created_at)
     VALUES (gen_random_uuid(), $1, $2, 1900, 999, 0, 2899, 'ada@example.com', '2125550100', 'Ada', 'Lovelace',
       '12 Analytical Ave', 'New York', 'NY', '10001', 'standard', $3)`,
    [userId, status, createdAt],
  );

describe("retention", () => {
  it("deletes an account after the years without activity, and not a day before", async () => {
    await account(ago(policy.accountInactiveYears, "years", 10));
    await account(ago(policy.accountInactiveYears, "years", -20));
    expect((await applyRetention(shop.db))?.accounts).toBe(1);
    expect(await count("users")).toBe(1);
  });

  it("counts a session, an ended one too, and an order as activity", async () => {
    const long = ago(policy.accountInactiveYears, "years", 10);
    await session(await account(long), ago(100, "days"), ago(70, "days"));
    await session(await account(long), ago(1, "days"), ago(-20, "days"));
    await order(ago(30, "days"), await account(long));
    await order(long, await account(long), "processing");
    await applyRetention(shop.db);
    expect(await count("sessions")).toBe(1);
    await applyRetention(shop.db);
    expect(await count("users")).toBe(4);
  });

  it("leaves an order without its person after the years of transactions", async () => {
    await order(ago(policy.transactionYears, "years", 10));
    await order(ago(policy.transactionYears, "years", -20));
    expect((await applyRetention(shop.db))?.orders).toBe(1);
    const { rows } = await run("SELECT * FROM orders ORDER BY created_at");
    expect(JSON.stringify(rows[0])).not.toMatch(/ada@example|Ada|Lovelace|Analytical|10001|212555/);
    expect(rows[0].total).toBe(2899);
    expect(rows[1].email).toBe("ada@example.com");
    expect((await applyRetention(shop.db))?.orders).toBe(0);
  });

  it("deletes messages, guests' carts, places on the waitlist and spent links in their time", async () => {
    const message = (at: Date) =>
      run("INSERT INTO contact_messages (name, email, message, created_at) VALUES ('Ada', 'a@example.com', 'Hi', $1)", [
        at,
      ]);
    await message(ago(policy.supportYears, "years", 10));
    await message(ago(policy.supportYears, "years", -20));
    const cart = (at: Date) =>
      run(
        `INSERT INTO cart_items (product_id, quantity, session_id, created_at)
         SELECT id, 1, gen_random_uuid(), $1 FROM products LIMIT 1`,
        [at],
      );
    await cart(ago(policy.guestCookieYears, "years", 10));
    await cart(ago(policy.guestCookieYears, "years", -20));
    for (const at of [
      ago(policy.marketingInactiveYears, "years", 10),
      ago(policy.marketingInactiveYears, "years", -20),
    ]) {
      await run("INSERT INTO waitlist (user_id, email, created_at) VALUES ($1, $2, $3)", [
        await account(at, false),
        `${randomUUID()}@example.com`,
        at,
      ]);
    }
    for (const at of [ago(1, "days"), ago(-1, "days")]) {
      await run("INSERT INTO verifications (identifier, value, expires_at) VALUES ('x', 'y', $1)", [at]);
    }
    expect(await applyRetention(shop.db)).toMatchObject({
      messages: 1,
      "guest carts": 1,
      waitlist: 1,
      verifications: 1,
    });
    for (const table of ["contact_messages", "cart_items", "waitlist", "verifications", "users"]) {
      expect([table, await count(table)]).toEqual([table, 1]);
    }
  });

  it("is done by one process at a time", async () => {
    const client = await shop.pool.connect();
    await client.query("BEGIN; SELECT pg_advisory_xact_lock(7652274)");
    expect(await applyRetention(shop.db)).toBeNull();
    await client.query("ROLLBACK");
    client.release();
    expect(await applyRetention(shop.db)).not.toBeNull();
  });
});
