import { describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { makeAccount, makeOrder } from "#tests/support/people.ts";
import { GUESTS_PAGE, listGuests, mostAreGuests } from "#shop/orders/history.server.ts";
import { countCustomers, CUSTOMERS_PAGE, listCustomers } from "./customers.server.ts";

const shop = useFreshDatabase(5);
const run = (text: string, values: unknown[] = []) => shop.pool.query(text, values);

describe("the lists of customers", () => {
  it("has accounts newest first, found by the beginning of email or name", async () => {
    await run("TRUNCATE users, orders CASCADE");
    await run(
      `INSERT INTO users (email, name, first_name, last_name, created_at)
       SELECT 'c' || i || '@example.com', 'Ada%_ Last' || i, 'Ada', 'Last' || i, now() - i * interval '1 minute' FROM generate_series(1, 60) i`,
    );
    const first = await listCustomers(shop.db, "");
    expect(first).toHaveLength(CUSTOMERS_PAGE + 1);
    expect((await listCustomers(shop.db, "", first[CUSTOMERS_PAGE - 1]?.id)).map(({ email }) => email)).toEqual(
      [51, 52, 53, 54, 55, 56, 57, 58, 59, 60].map((i) => `c${i}@example.com`),
    );
    for (const search of ["C42@", "last42", "ada%_ last42"]) {
      expect([search, (await listCustomers(shop.db, search)).map(({ email }) => email)]).toEqual([
        search,
        ["c42@example.com"],
      ]);
    }
    expect(await listCustomers(shop.db, "%")).toEqual([]);
    await run("INSERT INTO staff (user_id, role) SELECT id, 'packer' FROM users WHERE email = 'c1@example.com'");
    expect(await listCustomers(shop.db, "c1@"), "one of the staff").toEqual([]);
    expect(await countCustomers(shop.db, "")).toEqual({ count: 59, hasMore: false });
  });

  it("has each guest's email once", async () => {
    for (let i = 10; i < 65; i++) await makeOrder(shop.db, { email: `Guest${i}@example.com` });
    await makeOrder(shop.db, { email: "guest12@EXAMPLE.com" });
    await makeOrder(shop.db, { email: "" });
    const first = await listGuests(shop.db, "");
    expect(first).toHaveLength(GUESTS_PAGE + 1);
    expect(first[2]).toMatchObject({ email: "guest12@example.com", orders: 2 });
    const rest = await listGuests(shop.db, "", first[GUESTS_PAGE - 1]?.email);
    expect(rest.map(({ email }) => email)).toEqual([60, 61, 62, 63, 64].map((i) => `guest${i}@example.com`));
    expect((await listGuests(shop.db, "GUEST3")).map(({ email }) => email)).toHaveLength(10);
  });

  it("finds a guest by any of their names, and shows that of the newest order", async () => {
    await run("TRUNCATE users, orders CASCADE");
    const [ada, bob] = ["ada@example.com", "bob@example.com"];
    const order = (email: string, shippingFirstName: string, shippingLastName: string, day: number, userId?: string) =>
      makeOrder(shop.db, {
        email,
        shippingFirstName,
        shippingLastName,
        createdAt: new Date(Date.UTC(2026, 1, day)),
        userId,
      });
    await order("ADA@example.com", "Ada", "Lovelace", 2);
    await order(ada, "Ada", "Byron", 1);
    await order(bob, "Bob%", "Ada", 1);
    await order("zoe@example.com", "Ada", "Byron", 3, (await makeAccount(shop.db)).id);
    const found = async (search: string, after?: string) =>
      (await listGuests(shop.db, search, after)).map((guest) => [guest.email, guest.name, guest.orders]);
    const both = [
      [ada, "Ada Lovelace", 2],
      [bob, "Bob% Ada", 1],
    ];
    expect(await found("")).toEqual(both);
    expect(await found("ada")).toEqual(both);
    expect(await found("ADA", ada)).toEqual(both.slice(1));
    for (const search of ["ada byr", "byron", "love", "ada@"]) expect(await found(search)).toEqual(both.slice(0, 1));
    expect(await found("bob%")).toEqual(both.slice(1));
    expect(await found("ob")).toEqual([]);
  });

  it("adds up orders and what was charged, and begins where most buyers are", async () => {
    await run("TRUNCATE users, orders CASCADE");
    const { id: userId } = await makeAccount(shop.db);
    for (const owner of [{ userId }, { email: "guest@example.com" }]) {
      const id = await makeOrder(shop.db, owner);
      for (const _ of [1, 2])
        await run(`INSERT INTO payments (order_id, provider, arrangement, state, amount, captured)
          VALUES ('${id}', 'manual', '{"how": "check", "reference": ""}', 'captured', 2500, 2500)`);
    }
    expect(await listCustomers(shop.db, "")).toMatchObject([{ orders: 1, spentCents: 50_00 }]);
    expect(await listGuests(shop.db, "")).toMatchObject([{ orders: 1, spentCents: 50_00 }]);
    await run(
      `INSERT INTO refunds (id, order_id, reason, asked_by, otherwise, otherwise_at)
       SELECT gen_random_uuid(), id, 'goodwill', 'staff', 1000, now() FROM orders`,
    );
    expect(await listCustomers(shop.db, "")).toMatchObject([{ spentCents: 40_00 }]);
    expect(await listGuests(shop.db, "")).toMatchObject([{ spentCents: 40_00 }]);
    expect(await mostAreGuests(shop.db)).toBe(false);
    await makeOrder(shop.db, { email: "guest@example.com" });
    expect(await mostAreGuests(shop.db)).toBe(true);
  });
});
