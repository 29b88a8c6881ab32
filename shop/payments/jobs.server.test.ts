import { beforeEach, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { endOrder } from "#shop/orders/actions/cancel.ts";
import { withOrder } from "#shop/orders/run.server.ts";
import { listUnmatchedEvents } from "./inbox.server.ts";
import { readMissedEvents, startPaymentJobs } from "./jobs.server.ts";

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
