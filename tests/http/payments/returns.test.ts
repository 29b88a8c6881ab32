/** Refunds of returns at the sandbox, in a process that is killed. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { afterAction, shipOrder } from "#shop/fulfillment/ship.server.ts";
import { startPaymentJobs } from "#shop/payments/jobs.server.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { inspectReturn, receiveReturn } from "#shop/returns/inspect.server.ts";
import { carryOutReturns } from "#shop/returns/jobs.server.ts";
import { requestReturn } from "#shop/returns/request.server.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { providerOf } from "../../support/provider-of.ts";
import { aParcel, startStaff } from "../../support/staff.ts";

const AT_ONCE = 5;

// The jobs run here, so that they can pause while a process is killed.
const paying = usePayingShop({ WORKER: "outside" });
const { reserve, pay, until, mailsOf, shop, sandbox, query, database } = paying;
let providers: PaymentProviders;
let jobs: ReturnType<typeof startPaymentJobs>;
let parcels = 0;

const report = (error: unknown, what: string) => console.error(what, error);
const startJobs = () => (jobs = startPaymentJobs({ db: database.db, providers, after: afterAction, report }));

beforeAll(() => {
  providers = providerOf(sandbox, shop);
  startJobs();
});
afterAll(() => jobs.stop());

/** An inspected return of one unit. */
async function inspected(): Promise<{ orderId: string; returnId: string; cents: number }> {
  const placed = await reserve("travel-sleeve", 2);
  await paying.comeBack(placed, await pay(placed));
  const { orderId } = placed;
  await until(orderId, "processing");
  await shipOrder(database.db, providers, orderId, aParcel(++parcels), null);
  await until(orderId, "shipped");
  await markDelivered(database.db, orderId, null);
  const [line] = await query<{ id: string; price: number }>("SELECT id, price FROM order_items WHERE order_id = $1", [
    orderId,
  ]);
  const { id: lineId, price: cents } = line!;
  const form = { formKey: randomUUID(), kind: "return", reason: "not-for-me", description: "" } as const;
  const asked = await requestReturn(database.db, null, orderId, { ...form, units: { [lineId]: 1 } }, "guest");
  const returnId = asked.ok ? asked.returnId : "";
  await receiveReturn(database.db, returnId, null);
  const lines = { [lineId]: { condition: "new", isRestocked: true } } as const;
  expect(await inspectReturn(database.db, returnId, { lines, deduction: null }, null)).toMatchObject({ ok: true });
  return { orderId, returnId, cents };
}

it(`a process killed between ${AT_ONCE} refunds and their answers refunds, emails and closes each once`, async () => {
  const staff = startStaff();
  const all = await Promise.all(Array.from({ length: AT_ONCE }, () => inspected()));
  const returnIds = all.map(({ returnId }) => returnId);
  const stateOf = async () =>
    (await query<{ state: string }>("SELECT DISTINCT state FROM returns WHERE id = ANY($1)", [returnIds])).map(
      ({ state }) => state,
    );
  const { refunded } = await sandbox.books();
  const total = all.reduce((sum, { cents }) => sum + cents, 0);
  await jobs.stop();
  const order = { on: "call", fault: "hang", when: "after", method: "POST", path: "/v1/refunds" } as const;
  await sandbox.control({ do: "fail", order, times: AT_ONCE });
  const { apiUrl, payPal, secretKey, webhookSecret } = sandbox;
  const keys = { apiUrl, payPal, secretKey, webhookSecret };
  staff.ship({ databaseUrl: database.url, sandbox: keys, shop: { url: shop.url }, orderIds: [], from: 0, returnIds });
  await expect.poll(async () => (await sandbox.books()).refunded - refunded).toBe(total);
  await carryOutReturns(database.db, report);
  expect(await stateOf()).toEqual(["resolved"]);
  await staff.kill();
  startJobs();
  for (const { orderId } of all) await expect.poll(() => mailsOf(orderId, "refund-issued")).toBe(1);
  await carryOutReturns(database.db, report);
  expect(await stateOf()).toEqual(["closed"]);
  expect((await sandbox.books()).refunded - refunded).toBe(total);
  await paying.expectBooksToAgree();
});
