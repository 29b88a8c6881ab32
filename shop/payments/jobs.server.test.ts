import { beforeEach, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { startPaymentJobs } from "./jobs.server.ts";

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
  const jobs = startPaymentJobs({
    db: shop.db,
    providers: bank.providers,
    after: () => Promise.resolve(),
    report: (error) => expect.fail(String(error)),
  });
  const handled = async () =>
    (await shop.pool.query("SELECT event_id AS id FROM payment_inbox WHERE handled_at IS NOT NULL")).rows;
  await expect.poll(handled).toEqual([{ id: "known" }]);
  await jobs.stop();
});
