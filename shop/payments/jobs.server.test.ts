import { beforeEach, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { endOrder } from "#shop/orders/actions/cancel.ts";
import { checkOrders } from "#shop/orders/check-orders.server.ts";
import { withOrder } from "#shop/orders/run.server.ts";
import { writeSummary } from "#shop/orders/write-change.server.ts";
import { listUnmatchedEvents } from "./inbox.server.ts";
import { readMissedEvents, startPaymentJobs } from "./jobs.server.ts";
import { reconcilePayment } from "./reconcile.server.ts";

const shop = useFreshDatabase();
let bank: MemoryProvider;

beforeEach(async () => {
  bank = new MemoryProvider();
  await shop.pool.query("TRUNCATE payment_inbox");
});

const receive = (id: string, reference: string, ago: string) =>
  shop.pool.query(
    `INSERT INTO payment_inbox (received_at, mode, provider, event_id, type, reference)
     VALUES (now() - $3::interval, 'test', 'stripe', $1, 'charge.dispute.created', $2)`,
    [id, reference, ago],
  );

it("an event that arrived days ago is handled, unless its payment is unknown", async () => {
  const order = await placedOrder(shop.db, { "charging-dock": 1 }, { isAuthorized: true });
  bank.authorize(order.reference, order.totalCents);
  await receive("known", order.reference, "3 days");
  await receive("unknown", "page of nobody", "3 days");
  expect((await listUnmatchedEvents(shop.db)).map(({ eventId }) => eventId)).toEqual(["unknown"]);
  const jobs = startPaymentJobs({
    db: shop.db,
    providers: bank.providers,
    report: (error) => expect.fail(String(error)),
  });
  const handled = async () =>
    (await shop.pool.query("SELECT event_id AS id FROM payment_inbox WHERE handled_at IS NOT NULL")).rows;
  await expect.poll(handled).toEqual([{ id: "known" }]);
  await jobs.stop();
});

it("a process first asks for the events of three days, later for those since two hours before the latest", async () => {
  const hours: number[] = [];
  const stripe = {
    ...bank.provider,
    missed(since: Date) {
      hours.push(Math.round((Date.now() - since.getTime()) / 3_600_000));
      return hours.length === 1 ? Promise.reject(new Error("away")) : Promise.resolve([]);
    },
  };
  await receive("early", "page of nobody", "0 hours");
  await expect(readMissedEvents(shop.db, { stripe })).rejects.toThrow("away");
  for (let round = 0; round < 2; round++) await readMissedEvents(shop.db, { stripe });
  expect(hours).toEqual([72, 72, 2]);
});

it.each([
  ["open", "unpaid", "processing"],
  ["authorized", "processing", "processing"],
  ["authorized", "canceled", "canceled"],
] as const)(
  "what is captured in the dashboard of a page that is %s counts, or goes back: %s",
  async (page, was, is) => {
    const order = await placedOrder(shop.db, { "charging-dock": 1 }, { isAuthorized: true, status: was });
    if (page === "open")
      await shop.pool.query("UPDATE payments SET state = 'open' WHERE reference = $1", [order.reference]);
    await shop.db.transaction((tx) => writeSummary(tx, order.id));
    bank.authorize(order.reference, order.totalCents);
    const payment = bank.payments.get(order.reference)!;
    payment.captured = order.totalCents;
    const { rows } = await shop.pool.query<{ id: string }>("SELECT id FROM payments WHERE order_id = $1", [order.id]);
    const read = () => reconcilePayment(shop.db, bank.providers, rows[0]!.id);
    await read();
    await shop.pool.query("UPDATE orders SET hold_until = now() WHERE id = $1 AND hold_until IS NOT NULL", [order.id]);
    const report = (error: unknown) => expect.fail(String(error));
    const jobs = startPaymentJobs({ db: shop.db, providers: bank.providers, report });
    const left = is === "canceled" ? 0 : order.totalCents;
    await expect.poll(() => bank.sum(), { timeout: 5_000 }).toBe(left);
    await jobs.stop();
    await read();
    const { rows: after } = await shop.pool.query("SELECT status FROM orders WHERE id = $1", [order.id]);
    expect([after, (await checkOrders(shop.db)).differences]).toEqual([[{ status: is }], []]);
    if (left > 0) {
      const parcel = { carrier: "ups", trackingNumber: "1Z999AA20000000001" } as const;
      expect(await shipOrder(shop.db, bank.providers, order.id, parcel, null)).toMatchObject({ ok: true });
      expect(bank.sum()).toBe(left);
    }
  },
);

it("an action is left to the request that asked for it, and run if that request has died", async () => {
  const { id, reference, totalCents } = await placedOrder(shop.db, { "charging-dock": 1 }, { isAuthorized: true });
  bank.authorize(reference, totalCents);
  const by = { by: "staff" } as const;
  await withOrder(shop.db, id, (state, act) => endOrder(state, { as: "declined" }, act), by);
  const report = (error: unknown) => expect.fail(String(error));
  const first = startPaymentJobs({ db: shop.db, providers: bank.providers, report });
  // Ends after one round.
  await first.stop();
  expect(bank.payments.get(reference)?.isVoided).toBe(false);
  const later = startPaymentJobs({ db: shop.db, providers: bank.providers, report });
  await expect.poll(() => bank.payments.get(reference)?.isVoided, { timeout: 5_000 }).toBe(true);
  await later.stop();
});
