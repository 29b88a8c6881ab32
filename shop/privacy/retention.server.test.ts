import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { makeAccount, makeOrder } from "#tests/support/people.ts";
import { makeStaff } from "#tests/support/staff-member.ts";
import { accounts } from "#shop/accounts/account.tables.ts";
import type { Stage } from "#shop/orders/lifecycle.ts";
import { policy } from "#shop/policies.ts";
import { applyRetention, lastRetention } from "./retention.server.ts";

const shop = useFreshDatabase(5);
const run = (text: string, values: unknown[] = []) => shop.pool.query(text, values);
const ago = (amount: number, unit: "years" | "days", more = 0) =>
  new Date(Date.now() - (amount * (unit === "years" ? 366 : 1) + more) * 24 * 3600_000);
const count = async (from: string) => Number((await run(`SELECT count(*) FROM ${from}`)).rows[0].count);

beforeEach(async () => {
  await run("TRUNCATE users, cart_items, contact_messages, orders, verifications, mailbox_messages CASCADE");
});

const makeMember = (options?: { isDisabled: boolean }) =>
  makeStaff(shop, { url: "http://localhost", secret: "a secret that only tests know" }, "support", options);

async function account(lastActiveAt: Date, hasPassword = true): Promise<string> {
  const times = { lastActiveAt, updatedAt: lastActiveAt, createdAt: lastActiveAt };
  const { id } = await makeAccount(shop.db, times);
  if (hasPassword) await shop.db.insert(accounts).values({ userId: id, accountId: id, providerId: "credential" });
  return id;
}
const session = (userId: string, usedAt: Date, expiresAt: Date) =>
  run("INSERT INTO sessions (user_id, token, updated_at, expires_at) VALUES ($1, $2, $3, $4)", [
    userId,
    randomUUID(),
    usedAt,
    expiresAt,
  ]);
const order = (createdAt: Date, userId: string | null = null, stage: Stage = "delivered") =>
  makeOrder(shop.db, { createdAt, userId, stage });

describe("retention", () => {
  it("deletes an account after its years without activity, not a day before", async () => {
    await account(ago(policy.accountInactiveYears, "years", 10));
    await account(ago(policy.accountInactiveYears, "years", -20));
    expect((await applyRetention(shop.db))?.accounts).toBe(1);
    expect(await count("users")).toBe(1);
  });

  it("counts sessions, also ended ones, and orders as activity", async () => {
    const long = ago(policy.accountInactiveYears, "years", 10);
    await session(await account(long), ago(100, "days"), ago(70, "days"));
    await session(await account(long), ago(1, "days"), ago(-20, "days"));
    await order(ago(30, "days"), await account(long));
    await order(long, await account(long), "to-ship");
    await applyRetention(shop.db);
    expect(await count("sessions")).toBe(1);
    await applyRetention(shop.db);
    expect(await count("users")).toBe(4);
  });

  it("removes the person from an order after its years", async () => {
    await order(ago(policy.transactionYears, "years", 10));
    await order(ago(policy.transactionYears, "years", -20));
    expect((await applyRetention(shop.db))?.["names and addresses of orders"]).toBe(1);
    const { rows } = await run("SELECT * FROM orders ORDER BY created_at");
    expect(JSON.stringify(rows[0])).not.toMatch(/@example|Ada|Lovelace|Analytical|10001|212 555/);
    expect(rows[0].total).toBe(2899);
    expect(rows[1].email).toContain("@example.com");
    expect((await applyRetention(shop.db))?.["names and addresses of orders"]).toBe(0);
  });

  it("deletes messages, guest carts, waitlist places and used links in time", async () => {
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
      await run(
        "INSERT INTO consents (email, kind, words, page, created_at) VALUES ('ada@example.com', 'news', 'News?', '/account', $1)",
        [at],
      );
      await run("UPDATE consents SET withdrawn_at = created_at");
      await run(
        `WITH made AS (INSERT INTO letters (subject) VALUES ('News') RETURNING id)
         INSERT INTO letter_recipients (letter_id, email, created_at) SELECT id, 'ada@example.com', $1 FROM made`,
        [at],
      );
    }
    for (const at of [ago(1, "days"), ago(-1, "days")]) {
      await run("INSERT INTO verifications (identifier, value, expires_at) VALUES ('x', 'y', $1)", [at]);
    }
    expect(await applyRetention(shop.db)).toMatchObject({
      messages: 1,
      "guest carts": 1,
      waitlist: 1,
      consents: 1,
      letters: 1,
      verifications: 1,
    });
    for (const table of [
      "contact_messages",
      "cart_items",
      "waitlist",
      "consents",
      "letter_recipients",
      "verifications",
      "users",
    ]) {
      expect([table, await count(table)]).toEqual([table, 1]);
    }
  });

  it("runs in one process at a time", async () => {
    const client = await shop.pool.connect();
    await client.query("BEGIN; SELECT pg_advisory_xact_lock(7652274)");
    expect(await applyRetention(shop.db)).toBeNull();
    await client.query("ROLLBACK");
    client.release();
    expect(await applyRetention(shop.db)).not.toBeNull();
  });

  it("runs until all batches are done, and is audited with its counts", async () => {
    await run(
      `INSERT INTO contact_messages (name, email, message, created_at)
       SELECT 'Ada', 'old@example.com', 'Hello?', now() - interval '4 years' FROM generate_series(1, 2500)`,
    );
    expect((await applyRetention(shop.db))?.messages).toBe(2500);
    expect(await lastRetention(shop.db)).toMatchObject({ at: expect.any(Date), counts: { messages: 2500 } });
    await applyRetention(shop.db);
    expect((await lastRetention(shop.db))?.counts).not.toHaveProperty("messages");
    const { rows } = await run("SELECT staff_id FROM audit_log WHERE action = 'privacy.retention'");
    expect(rows.every(({ staff_id }) => staff_id === null)).toBe(true);
  });

  it("deletes addresses of staff after 90 days, and keeps their last sign-in", async () => {
    const { staffId, sessionId } = await makeMember();
    const session = async (daysAgo: number) =>
      (
        await run(
          `INSERT INTO staff_sessions (user_id, token_hash, created_at, last_seen_at, ip_address, user_agent)
           VALUES ($1, $2, now() - $3 * interval '1 day', now() - $3 * interval '1 day', '203.0.113.7', 'a browser') RETURNING id`,
          [staffId, randomUUID(), daysAgo],
        )
      ).rows[0].id;
    await run("DELETE FROM staff_sessions WHERE id = $1", [sessionId]);
    const [recent, old, older] = [await session(89), await session(91), await session(100)];
    const { staffId: away } = await makeMember();
    await run("UPDATE staff_sessions SET created_at = now() - interval '1 year', ip_address = 'x' WHERE user_id = $1", [
      away,
    ]);
    for (const days of [89, 91]) {
      await run(
        "INSERT INTO audit_log (at, staff_id, action, address) VALUES (now() - $2 * interval '1 day', $1, 'test', '203.0.113.7')",
        [staffId, days],
      );
    }
    await run(
      `INSERT INTO staff_invitations (email, role, token_hash, expires_at) VALUES ('a@example.com', 'packer', 'a', now() - interval '91 days'),
       ('b@example.com', 'packer', 'b', now())`,
    );
    await applyRetention(shop.db);
    const left = (await run("SELECT id, ip_address FROM staff_sessions WHERE user_id = $1", [staffId])).rows;
    expect(left).toEqual([{ id: recent, ip_address: "203.0.113.7" }]);
    expect([old, older]).not.toContain(left[0].id);
    expect((await run("SELECT ip_address FROM staff_sessions WHERE user_id = $1", [away])).rows).toEqual([
      { ip_address: null },
    ]);
    const { rows } = await run("SELECT address FROM audit_log WHERE staff_id = $1 ORDER BY at", [staffId]);
    expect(rows).toEqual([{ address: null }, { address: "203.0.113.7" }]);
    expect((await run("SELECT email FROM staff_invitations")).rows).toEqual([{ email: "b@example.com" }]);
  });

  it("does not count staff as inactive", async () => {
    const working = await makeMember();
    const former = await makeMember({ isDisabled: true });
    await run("UPDATE users SET last_active_at = '2001-01-01', updated_at = '2001-01-01' WHERE id = ANY($1)", [
      [working.staffId, former.staffId],
    ]);
    await applyRetention(shop.db);
    const { rows } = await run("SELECT id FROM users WHERE id = ANY($1)", [[working.staffId, former.staffId]]);
    expect(rows).toEqual([{ id: working.staffId }]);
  });
});
