/** Races: no unit is sold twice or lost, and nobody pays for nothing. */
import { expect, it } from "vitest";
import { deleteAccount } from "#shop/privacy/erase-account.server.ts";
import { expireOrder } from "#shop/payments/payments.server.ts";
import { providerOf } from "../../support/provider-of.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { payOnPage } from "../../support/pay-page.ts";
import { setUnits, unitsOf } from "../../support/stock.ts";
import { address, type Visitor } from "../../support/visitor.ts";

const paying = usePayingShop();
const { guestWith, reserve, pay, statusOf, paymentsOf, endReservation, until, shop, sandbox, query, database } = paying;
const SLUG = "travel-sleeve";
/** ROUNDS=100 repeats the expiry that often. */
const ROUNDS = Number(process.env.ROUNDS ?? 10);
const LONG = { timeout: 240_000 };

async function inLanes<Each>(lanes: number, all: Each[], run: (each: Each) => Promise<void>): Promise<void> {
  const left = all.values();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const each of left) await run(each);
    }),
  );
}

const range = (length: number) => Array.from({ length }, (_, i) => i);
const actionsEnd = () =>
  expect
    .poll(async () => (await query("SELECT FROM payment_actions WHERE state IN ('asked', 'sent')")).length, {
      timeout: 60_000,
    })
    .toBe(0);

it(
  `a payment during the expiry is paid with its units, or expired and not charged, ${ROUNDS} times`,
  LONG,
  async () => {
    await setUnits(database.pool, SLUG, 1_000);
    const providers = providerOf(sandbox, shop);
    await inLanes(6, range(ROUNDS), async (i) => {
      const placed = await reserve();
      await endReservation(placed.orderId);
      const release = () => expireOrder(database.db, providers, placed.orderId);
      // One in ten is certain either way; in the others both are on their way at once.
      if (i % 10 === 0) await release();
      const paying = pay(placed);
      if (i % 10 === 1) await paying;
      await Promise.all([release(), paying]);
    });
    await expect
      .poll(async () => (await query("SELECT FROM orders WHERE status = 'unpaid'")).length, { timeout: 90_000 })
      .toBe(0);
    await actionsEnd();
    const rows = await query<{ status: string; state: string; reference: string }>(
      "SELECT orders.status, payments.state, reference FROM orders JOIN payments ON order_id = orders.id",
    );
    expect(rows).toHaveLength(ROUNDS);
    const kinds = new Set(rows.map(({ status, state }) => `${status} ${state}`));
    expect([...kinds].filter((kind) => !["processing authorized", "expired closed"].includes(kind))).toEqual([]);
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
  "40 buyers of 10 units, of whom half abandon: never more than 10 are reserved, and all 10 are sold in the second round",
  LONG,
  async () => {
    await query("TRUNCATE cart_items, orders CASCADE");
    await setUnits(database.pool, SLUG, 10);
    type Buyer = { guest: Visitor; fields: Record<string, string> };
    const buyers: Buyer[] = [];
    await inLanes(10, range(40), async (i) => {
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
          // Waiting buyers reach the page a moment later.
          const page = url.startsWith("/") ? (await buyer.guest.fetch(url)).headers.get("Location") : url;
          pages.push({ url: page ?? "", buyer });
        } else expect(answer.status).toBe(409);
      });
    await tryAll(buyers);
    expect([pages.length, await unitsOf(database.pool, SLUG)]).toEqual([10, 0]);
    for (const { url } of pages.slice(0, 5)) await payOnPage(url);
    await expect.poll(async () => (await query("SELECT FROM orders WHERE status = 'processing'")).length).toBe(5);
    await query("UPDATE orders SET hold_until = now() - interval '1 second' WHERE status = 'unpaid'");
    await expect.poll(async () => (await query("SELECT FROM orders WHERE status = 'expired'")).length).toBe(5);
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

it("a deleted account cancels its paid order, returns its units, and leaves no person", async () => {
  await setUnits(database.pool, SLUG, 5);
  const placed = await reserve();
  await pay(placed);
  await until(placed.orderId, "processing");
  const [user] = await query<{ id: string; email: string }>(
    "INSERT INTO users (email, email_verified, name) VALUES ('leaving@example.com', true, 'Ada') RETURNING id, email",
  );
  await query("UPDATE orders SET user_id = $1, session_id = NULL WHERE id = $2", [user?.id, placed.orderId]);
  const owner = { id: user?.id ?? "", email: user?.email ?? "", emailVerified: true };
  await deleteAccount(database.db, owner, null, null);
  await actionsEnd();
  expect([await statusOf(placed.orderId), await unitsOf(database.pool, SLUG)]).toEqual(["canceled", 5]);
  expect(await paymentsOf(placed.orderId)).toMatchObject([{ state: "closed", captured: 0 }]);
  const [left] = await query(
    "SELECT email, method FROM orders JOIN payments ON order_id = orders.id WHERE orders.id = $1",
    [placed.orderId],
  );
  expect(left).toEqual({ email: "", method: null });
  const [page] = await paymentsOf(placed.orderId);
  const { payment_intent: intent } = await sandbox.stripe.checkout.sessions.retrieve(page?.reference ?? "", {
    expand: ["payment_intent.latest_charge.refunds"],
  });
  expect(intent).toMatchObject({ status: "canceled" });
});
