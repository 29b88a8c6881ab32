/** Many at once: no unit is sold twice, nobody pays for nothing, and no unit is lost. */
import { expect, it } from "vitest";
import { deleteAccount } from "../../../shop/privacy/erase-account.server.ts";
import { releaseOrder } from "../../../shop/payments/settle/release.server.ts";
import { providerOf } from "../../support/provider-of.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { payOnPage } from "../../support/pay-page.ts";
import { setUnits, unitsOf } from "../../support/stock.ts";
import { address, type Visitor } from "../../support/visitor.ts";

const paying = usePayingShop();
const { guestWith, hold, pay, statusOf, paymentsOf, endHold, until, shop, sandbox, query, database } = paying;
const SLUG = "travel-sleeve";
const ROUNDS = 100;
const LONG = { timeout: 240_000 };

/** Does something with each of many, a few at a time. */
async function inLanes<Each>(lanes: number, all: Each[], run: (each: Each) => Promise<void>): Promise<void> {
  const left = all.values();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const each of left) await run(each);
    }),
  );
}

const range = (length: number) => Array.from({ length }, (_, i) => i);
const settled = () =>
  expect
    .poll(async () => (await query("SELECT FROM payment_actions WHERE state IN ('asked', 'sent')")).length, {
      timeout: 60_000,
    })
    .toBe(0);

it(
  `paying in the second of the release, ${ROUNDS} times: paid with its units, or lapsed and not charged, never both`,
  LONG,
  async () => {
    await setUnits(database.pool, SLUG, 1_000);
    const provider = providerOf(sandbox, shop);
    await inLanes(6, range(ROUNDS), async (i) => {
      const held = await hold();
      await endHold(held.orderId);
      const release = () => releaseOrder(database.db, provider, held.orderId);
      // One in ten is certain either way; in the others both are on their way at once.
      if (i % 10 === 0) await release();
      const paying = pay(held);
      if (i % 10 === 1) await paying;
      await Promise.all([release(), paying]);
    });
    await expect
      .poll(async () => (await query("SELECT FROM orders WHERE status = 'unpaid'")).length, { timeout: 90_000 })
      .toBe(0);
    await settled();
    const rows = await query<{ status: string; state: string; reference: string }>(
      "SELECT orders.status, payments.state, reference FROM orders JOIN payments ON order_id = orders.id",
    );
    expect(rows).toHaveLength(ROUNDS);
    const kinds = new Set(rows.map(({ status, state }) => `${status} ${state}`));
    expect([...kinds].filter((kind) => !["processing authorized", "lapsed closed"].includes(kind))).toEqual([]);
    const paid = rows.filter(({ status }) => status === "processing").length;
    const books = await sandbox.books();
    // The provider holds money for exactly the orders that go on.
    expect(books.intents.requires_capture ?? 0).toBe(paid);
    expect(await unitsOf(database.pool, SLUG)).toBe(1_000 - paid);
    expect(paid).toBeGreaterThan(0);
    expect(paid).toBeLessThan(ROUNDS);
  },
);

it(
  "10 units, 100 buyers, half of those who hold abandon: never above 10, and 10 are sold in the second round",
  LONG,
  async () => {
    await query("TRUNCATE cart_items, orders CASCADE");
    await setUnits(database.pool, SLUG, 10);
    type Buyer = { guest: Visitor; fields: Record<string, string> };
    const buyers: Buyer[] = [];
    await inLanes(10, range(100), async (i) => {
      const guest = await guestWith(SLUG);
      buyers.push({
        guest,
        fields: { ...address, email: `one-of-${i}@example.com`, ...(await guest.checkoutFields()) },
      });
    });
    const pages: { url: string; buyer: Buyer }[] = [];
    const tryAll = (those: Buyer[]) =>
      inLanes(20, those, async (buyer) => {
        const answer = await buyer.guest.post("/checkout", buyer.fields);
        if (answer.status === 303) {
          const url = answer.headers.get("Location") ?? "";
          // Who stands in line comes to the page a moment later.
          const page = url.startsWith("/") ? (await buyer.guest.fetch(url)).headers.get("Location") : url;
          pages.push({ url: page ?? "", buyer });
        } else expect(answer.status).toBe(409);
      });
    await tryAll(buyers);
    expect([pages.length, await unitsOf(database.pool, SLUG)]).toEqual([10, 0]);
    for (const { url } of pages.slice(0, 5)) await payOnPage(url);
    await expect.poll(async () => (await query("SELECT FROM orders WHERE status = 'processing'")).length).toBe(5);
    await query("UPDATE orders SET hold_until = now() - interval '1 second' WHERE status = 'unpaid'");
    await expect.poll(async () => (await query("SELECT FROM orders WHERE status = 'lapsed'")).length).toBe(5);
    expect(await unitsOf(database.pool, SLUG)).toBe(5);
    const others = buyers.filter((each) => !pages.some(({ buyer }) => buyer === each));
    pages.length = 0;
    await tryAll(others);
    expect([pages.length, await unitsOf(database.pool, SLUG)]).toEqual([5, 0]);
    for (const { url } of pages) await payOnPage(url);
    await expect.poll(async () => (await query("SELECT FROM orders WHERE status = 'processing'")).length).toBe(10);
    expect([await unitsOf(database.pool, SLUG), (await sandbox.books()).captured]).toEqual([0, 0]);
  },
);

it("a provider without time for a burst of orders: all are held, stand in line, and are paid in the end", async () => {
  await setUnits(database.pool, SLUG, 50);
  const busy = {
    on: "call",
    path: "/v1/checkout/sessions",
    method: "POST",
    fault: "rate-limit",
    when: "before",
  } as const;
  await sandbox.control({ do: "fail", order: busy, times: 12 });
  const all = await Promise.all(range(12).map(() => hold()));
  for (const held of all) {
    const url = held.url.startsWith("/") ? held.url : null;
    const page = url ? (await held.guest.fetch(url)).headers.get("Location") : held.url;
    await payOnPage(page ?? "");
  }
  expect(all.filter(({ url }) => url.startsWith("/payments/wait"))).toHaveLength(12);
  for (const { orderId } of all) await until(orderId, "processing");
});

it("an account that is deleted with a paid order: it is given back, its units return, and the person is gone", async () => {
  await setUnits(database.pool, SLUG, 5);
  const held = await hold();
  await pay(held);
  await until(held.orderId, "processing");
  const [user] = await query<{ id: string; email: string }>(
    "INSERT INTO users (email, email_verified, name) VALUES ('leaving@example.com', true, 'Ada') RETURNING id, email",
  );
  await query("UPDATE orders SET user_id = $1, session_id = NULL WHERE id = $2", [user?.id, held.orderId]);
  const owner = { id: user?.id ?? "", email: user?.email ?? "", emailVerified: true };
  await deleteAccount(database.db, owner, null, null);
  await settled();
  expect([await statusOf(held.orderId), await unitsOf(database.pool, SLUG)]).toEqual(["canceled", 5]);
  expect(await paymentsOf(held.orderId)).toMatchObject([{ state: "closed", captured: 0 }]);
  const [left] = await query(
    "SELECT email, method FROM orders JOIN payments ON order_id = orders.id WHERE orders.id = $1",
    [held.orderId],
  );
  expect(left).toEqual({ email: "", method: null });
  const [page] = await paymentsOf(held.orderId);
  const { payment_intent: intent } = await sandbox.stripe.checkout.sessions.retrieve(page?.reference ?? "", {
    expand: ["payment_intent"],
  });
  expect(intent).toMatchObject({ status: "canceled" });
});
