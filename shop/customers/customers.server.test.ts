import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { makeAccount, makeOrder } from "#tests/support/people.ts";
import { customerNotes } from "./customer-note.tables.ts";
import { CUSTOMERS_PAGE, listCustomers, type CustomerFilter } from "./customers.server.ts";

const shop = useFreshDatabase(5);
const run = (text: string, values: unknown[] = []) => shop.pool.query(text, values);
const day = (days: number) => new Date(Date.UTC(2026, 1, days));
const order = (email: string, name: string, days: number, userId?: string) =>
  makeOrder(shop.db, { email, shippingFirstName: name, shippingLastName: "Low", createdAt: day(days), userId });
const account = (email: string, name: string, days: number) =>
  makeAccount(shop.db, { email, name, createdAt: day(days) });
const read = (filter: Partial<CustomerFilter> = {}, after?: string) =>
  listCustomers(shop.db, { search: "", ...filter }, after);
const list = async (...asked: Parameters<typeof read>) => (await read(...asked)).rows;
const emails = async (filter: Partial<CustomerFilter> = {}, after?: string) =>
  (await list(filter, after)).map(({ email }) => email);

beforeEach(() => run("TRUNCATE users, orders, customer_notes CASCADE"));

describe("the list of customers", () => {
  it("has accounts and guests once, those who ordered last first, then as they joined", async () => {
    const ada = await account("ada@example.com", "Ada Byron", 1);
    await account("new@example.com", "New Comer", 5);
    await order("ada@work.example.com", "Office", 2, ada.id);
    await order("ADA@example.com", "Ada", 7);
    await order("guest@example.com", "Old", 3);
    await order("Guest@EXAMPLE.com", "Guest", 6);
    await order("", "Nobody", 9);
    const owner = await account("owner@example.com", "Olivia Owner", 8);
    await order("owner@example.com", "Olivia", 8, owner.id);
    await run("INSERT INTO staff (user_id, role) VALUES ($1, 'owner')", [owner.id]);
    expect(await list()).toMatchObject([
      { userId: ada.id, email: "ada@example.com", name: "Ada Byron", orders: 2, lastOrderAt: day(7), isVerified: true },
      {
        userId: null,
        email: "guest@example.com",
        name: "Guest Low",
        orders: 2,
        lastOrderAt: day(6),
        isVerified: false,
      },
      { email: "new@example.com", orders: 0, lastOrderAt: null },
    ]);
    expect((await read()).counted).toEqual({ count: 3, hasMore: false });
  });

  it("is paged from the last row, also where people without an order stand between buyers", async () => {
    await run(
      `INSERT INTO users (email, name, created_at)
       SELECT 'c' || lpad(i::text, 3, '0') || '@example.com', 'Ada', timestamptz '2026-03-01Z' - i * interval '2 hours' + interval '1 minute' FROM generate_series(1, 60) i`,
    );
    await run(
      `INSERT INTO orders (checkout_key, email, user_id, created_at, stage, subtotal, shipping, tax, total, phone, shipping_first_name,
         shipping_last_name, shipping_address_line1, shipping_city, shipping_state, shipping_postal_code, shipping_method, terms_version)
       SELECT gen_random_uuid(), CASE WHEN n % 3 = 0 THEN 'c' || lpad((n / 3)::text, 3, '0') ELSE 'guest' || n % 60 END || '@example.com', NULL,
         timestamptz '2026-03-01Z' - n * interval '1 hour', 'delivered', 100, 0, 0, 100, '', 'Ada', 'Low', '', '', 'NY', '', 'standard', '2025-01-01'
       FROM generate_series(1, 150) n`,
    );
    const seen: string[] = [];
    for (let after: string | undefined, more = true; more;) {
      const rows = await list({}, after);
      more = rows.length > CUSTOMERS_PAGE;
      const page = rows.slice(0, CUSTOMERS_PAGE);
      seen.push(...page.map(({ email }) => email));
      after = page.at(-1)?.id;
    }
    const { rows } = await run(
      `SELECT email FROM (SELECT email, max(at) AS at FROM (SELECT email, created_at AS at FROM orders
         UNION ALL SELECT email, created_at FROM users WHERE NOT EXISTS (SELECT FROM orders WHERE orders.email = users.email)) AS all_of
       GROUP BY email) AS people ORDER BY at DESC`,
    );
    expect(seen).toHaveLength(100);
    expect(seen).toEqual(rows.map(({ email }) => email));
  });

  it("finds people by the beginning of their email, and by every name of theirs", async () => {
    const ada = await account("ada@example.com", "Ada%_ Lovelace", 1);
    await order("office@example.com", "Charles", 2, ada.id);
    await order("Guest@example.com", "Bea", 4);
    await order("guest@example.com", "Zoe", 3);
    await order("Ada@Example.com", "Countess", 5);
    const both = ["ada@example.com", "guest@example.com"];
    for (const search of ["ADA@", "ada%_ love", "lovelace", "char", "countess low", "office@"])
      expect([search, await emails({ search })]).toEqual([search, both.slice(0, 1)]);
    for (const search of ["GUEST", "bea", "zoe low"])
      expect([search, await emails({ search })]).toEqual([search, both.slice(1)]);
    expect(await emails({ search: "low" })).toEqual(both);
    expect(await emails({ search: "low" }, (await list({ search: "low" }))[0]?.id)).toEqual(both.slice(1));
    expect((await read({ search: "low" })).counted).toEqual({ count: 2, hasMore: false });
    for (const search of ["%", "ob"]) expect([search, await emails({ search })]).toEqual([search, []]);
  });

  it("has the tags of each, and is filtered by one", async () => {
    await account("ada@example.com", "Ada Lovelace", 1);
    await order("Press@example.com", "Pat", 4);
    await order("other@example.com", "Pat", 5);
    const rows = ["ada@example.com", "press@example.com", "nobody@example.com"].map((email) => ({
      email,
      tags: ["VIP"],
    }));
    await shop.db.insert(customerNotes).values(rows);
    expect((await list()).map(({ tags }) => tags)).toEqual([[], ["VIP"], ["VIP"]]);
    expect(await emails({ tag: "VIP" })).toEqual(["press@example.com", "ada@example.com"]);
    expect(await emails({ tag: "VIP", search: "pat" })).toEqual(["press@example.com"]);
    expect(await emails({ tag: "none" })).toEqual([]);
  });

  it("adds up orders, and what was charged and not refunded", async () => {
    const { id: userId, email } = await makeAccount(shop.db);
    for (const owner of [{ userId }, { email }, { email: "guest@example.com" }]) {
      const id = await makeOrder(shop.db, owner);
      for (const _ of [1, 2])
        await run(`INSERT INTO payments (order_id, provider, arrangement, state, amount, captured)
          VALUES ('${id}', 'manual', '{"how": "check", "reference": ""}', 'captured', 2500, 2500)`);
      await run(`INSERT INTO refunds (id, order_id, reason, asked_by, otherwise, otherwise_at)
        VALUES (gen_random_uuid(), '${id}', 'goodwill', 'staff', 1000, now())`);
    }
    expect((await list()).toSorted((a, b) => a.orders - b.orders)).toMatchObject([
      { email: "guest@example.com", orders: 1, spentCents: 40_00 },
      { email, orders: 2, spentCents: 80_00 },
    ]);
  });
});
