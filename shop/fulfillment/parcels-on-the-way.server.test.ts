/** Parcels that arrive, come back or are lost, and the end of their orders. */
import { beforeEach, describe, expect, it } from "vitest";
import { checkOrders } from "#shop/orders/check-orders.server.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { announceAll, placedOrder, type Placed } from "#tests/support/placed-order.ts";
import { aParcel } from "#tests/support/staff.ts";
import { setUnits, unitsOf } from "#tests/support/stock.ts";
import { clock } from "#shop/clock.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { shipBy } from "#shop/shipping/methods.ts";
import { listOrderPage } from "./order-list.server.ts";
import { receiveBack, recordTracking, sendAgain } from "./parcels-on-the-way.server.ts";
import { cancelItems } from "./cancel-items.server.ts";
import { markDelivered } from "./fulfill.server.ts";
import { refundOrder } from "./refund.server.ts";
import { shipOrder } from "./ship.server.ts";
import type { Tracking } from "./shipment.ts";

const shop = useFreshDatabase();
const DOCK = "charging-dock";
let bank: MemoryProvider;
let numbers = 0;

beforeEach(async () => {
  bank = new MemoryProvider();
  await setUnits(shop.pool, DOCK, 10);
});

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await shop.pool.query<Row>(text, values)).rows;

async function shipped(units = 2, parts?: number[]): Promise<Placed & { parcels: string[] }> {
  const order = await placedOrder(shop.db, { [DOCK]: units }, { isAuthorized: true });
  bank.authorize(order.reference, order.totalCents);
  const parcels: string[] = [];
  for (const part of parts ?? [units]) {
    const sent = await shipOrder(
      shop.db,
      bank.providers,
      order.id,
      aParcel(++numbers, { [order.lines[DOCK]!]: part }),
      null,
    );
    if (!sent.ok) throw new Error(sent.reason);
    parcels.push(sent.shipmentId);
  }
  return { ...order, parcels };
}
const hears = (id: string, parcel: string, state: Tracking["state"], at = new Date()) =>
  recordTracking(shop.db, id, parcel, { state, at });
const statusOf = async (id: string) =>
  (
    await query<{ status: string; delivered_at: Date | null; stage: string }>(
      "SELECT status, delivered_at, stage FROM orders WHERE id = $1",
      [id],
    )
  )[0]!;
const eventsOf = async (id: string) =>
  (await query<{ type: string }>("SELECT type FROM order_events WHERE order_id = $1 ORDER BY id", [id])).map(
    ({ type }) => type,
  );
const mailsOf = async (id: string) =>
  (
    await query<{ template: string }>(
      "SELECT data->>'template' AS template FROM pgboss.job WHERE data->>'orderId' = $1 ORDER BY created_on, id",
      [id],
    )
  ).map(({ template }) => template);
const isInTrouble = async (id: string) =>
  (await listOrderPage(shop.db, { view: "parcels" }, null, 100)).orders.some((order) => order.id === id);

it("an order is delivered with its last parcel, at the time of its last arrival, and keeps what it heard last", async () => {
  const { id, parcels } = await shipped(2, [1, 1]);
  const [one, two] = parcels as [string, string];
  const at = new Date();
  expect(await hears(id, one, "out-for-delivery")).toMatchObject({ ok: true, repeated: false });
  expect(await hears(id, one, "in-transit")).toEqual({ ok: false, reason: "not-in-transit" });
  expect(await hears(id, one, "delivered", at)).toMatchObject({ ok: true });
  expect(await statusOf(id)).toMatchObject({ status: "shipped", delivered_at: null });
  expect(await hears(id, two, "delivered", new Date(at.getTime() - 60_000))).toMatchObject({ ok: true });
  expect(await hears(id, two, "delivered")).toEqual({ ok: true, repeated: true });
  expect(await hears(id, two, "refused")).toEqual({ ok: false, reason: "not-in-transit" });
  expect(await statusOf(id)).toEqual({ status: "delivered", delivered_at: at, stage: "delivered" });
  expect(await eventsOf(id)).toEqual(["shipped", "parcel-shipped", "parcel-delivered", "delivered"]);
  expect((await mailsOf(id)).filter((name) => name === "order-delivered")).toHaveLength(1);
});

it("a time just outside of the journey counts as its end; one long before is another parcel's", async () => {
  const { id, parcels } = await shipped();
  const [long, hour] = [48, 1].map((hours) => new Date(Date.now() - hours * 3_600_000)) as [Date, Date];
  expect(await hears(id, parcels[0]!, "delivered", long)).toEqual({ ok: false, reason: "not-in-transit" });
  await hears(id, parcels[0]!, "delivered", hour);
  const [row] = await query<{ is: boolean }>(
    "SELECT delivered_at = date_trunc('milliseconds', shipped_at) AND delivered_at > now() - interval '1 minute' AS is FROM shipments WHERE id = $1",
    [parcels[0]],
  );
  expect(row!.is).toBe(true);
});

it("a refused parcel comes back into stock and is refunded; then it needs nobody", async () => {
  const { id, totalCents, parcels } = await shipped();
  const [parcel] = parcels as [string];
  expect(await hears(id, parcel, "refused")).toMatchObject({ ok: true });
  // Carriers say so of its return.
  expect(await hears(id, parcel, "delivered")).toEqual({ ok: false, reason: "not-in-transit" });
  expect(await markDelivered(shop.db, id, null)).toEqual({ ok: false, reason: "not-in-transit" });
  expect([await isInTrouble(id), await mailsOf(id)]).toEqual([true, ["order-shipped", "parcel-refused"]]);
  expect(await sendAgain(shop.db, id, parcel, null)).toEqual({ ok: false, reason: "not-lost" });
  const before = await unitsOf(shop.pool, DOCK);
  for (const repeated of [false, true])
    expect(await receiveBack(shop.db, id, parcel, { returnsStock: true }, null)).toEqual({ ok: true, repeated });
  expect(await unitsOf(shop.pool, DOCK)).toBe(before + 2);
  expect(await isInTrouble(id)).toBe(true);
  await refundOrder(shop.db, bank.providers, id, { cents: totalCents, reason: "returned" }, null);
  expect([await isInTrouble(id), bank.sum()]).toEqual([false, 0]);
  expect([(await statusOf(id)).status, (await eventsOf(id)).slice(-2)]).toEqual([
    "canceled",
    ["undelivered", "refunded"],
  ]);
  expect(await sendAgain(shop.db, id, parcel, null)).toEqual({ ok: false, reason: "refunded" });
});

it("written off, a refused parcel leaves the stock as it is", async () => {
  const { id, parcels } = await shipped();
  await hears(id, parcels[0]!, "refused");
  const before = await unitsOf(shop.pool, DOCK);
  await receiveBack(shop.db, id, parcels[0]!, { returnsStock: false }, null);
  expect(await unitsOf(shop.pool, DOCK)).toBe(before);
});

it("the list says of an order that a parcel was refused, is back, or is lost", async () => {
  const { id, parcels } = await shipped();
  const [parcel] = parcels as [string];
  const astray = async () => (await listOrderPage(shop.db, {}, null, 1)).orders.map((order) => order.attention);
  expect(await astray()).toEqual([[]]);
  await hears(id, parcel, "refused");
  expect(await astray()).toEqual([["parcel-refused"]]);
  await receiveBack(shop.db, id, parcel, { returnsStock: true }, null);
  expect(await astray()).toEqual([["parcel-returned"]]);
  const other = await shipped();
  await hears(other.id, other.parcels[0]!, "lost");
  expect(await astray()).toEqual([["parcel-lost"]]);
});

it("a lost parcel is sent again from stock, once, without another charge", async () => {
  const { id, totalCents, parcels } = await shipped();
  const [parcel] = parcels as [string];
  await hears(id, parcel, "lost");
  expect([await isInTrouble(id), (await mailsOf(id)).at(-1)]).toEqual([true, "parcel-lost"]);
  const before = await unitsOf(shop.pool, DOCK);
  await query("UPDATE orders SET shipping_method = 'overnight', ship_by = '2026-01-12' WHERE id = $1", [id]);
  for (const repeated of [false, true])
    expect(await sendAgain(shop.db, id, parcel, null)).toEqual({ ok: true, repeated });
  const day = shipBy(FIRST_SETTINGS.shipping, "overnight", clock.now());
  expect(await query("SELECT ship_by::text FROM orders WHERE id = $1", [id])).toEqual([{ ship_by: day }]);
  expect(await unitsOf(shop.pool, DOCK)).toBe(before - 2);
  expect([await isInTrouble(id), await statusOf(id)]).toMatchObject([false, { stage: "partly-shipped" }]);
  const calls = bank.calls;
  const again = await shipOrder(shop.db, bank.providers, id, aParcel(++numbers), null);
  expect([again, bank.calls - calls, bank.sum()]).toMatchObject([{ ok: true, state: "shipped" }, 0, totalCents]);
  // The first one turns up beside it.
  for (const repeated of [false, true]) expect(await hears(id, parcel, "delivered")).toEqual({ ok: true, repeated });
  await hears(id, again.ok ? again.shipmentId : "", "delivered");
  expect(await statusOf(id)).toMatchObject({ stage: "delivered" });
  expect(await eventsOf(id)).toEqual([
    "shipped",
    "parcel-lost",
    "parcel-resent",
    "parcel-shipped",
    "parcel-delivered",
    "delivered",
  ]);
  expect((await checkOrders(shop.db)).differences).toEqual([]);
});

it.each([false, true])(
  "a lost parcel that turns up is delivered, and nothing is owed for it, sent again: %s",
  async (isSentAgain) => {
    const { id, parcels } = await shipped();
    await hears(id, parcels[0]!, "lost");
    const before = await unitsOf(shop.pool, DOCK);
    if (isSentAgain) await sendAgain(shop.db, id, parcels[0]!, null);
    await hears(id, parcels[0]!, "delivered");
    expect([await isInTrouble(id), (await statusOf(id)).status]).toEqual([false, "delivered"]);
    expect(await unitsOf(shop.pool, DOCK)).toBe(before);
    expect((await checkOrders(shop.db)).differences).toEqual([]);
  },
);

it("nothing is sent again that is not in stock", async () => {
  const { id, parcels } = await shipped();
  await hears(id, parcels[0]!, "lost");
  await setUnits(shop.pool, DOCK, 1);
  expect(await sendAgain(shop.db, id, parcels[0]!, null)).toEqual({ ok: false, reason: "out-of-stock" });
  expect([await unitsOf(shop.pool, DOCK), await isInTrouble(id)]).toEqual([1, true]);
});

it("a parcel that is charged by itself is not charged again when it is sent again", async () => {
  const order = await placedOrder(shop.db, { [DOCK]: 1 }, { keepsCard: true });
  bank.keepCard(order.reference, { customer: `customer of ${order.id}`, method: `card of ${order.id}` });
  await announceAll(shop.db, order.id);
  const sent = await shipOrder(shop.db, bank.providers, order.id, aParcel(++numbers), null);
  const parcel = sent.ok ? sent.shipmentId : "";
  await hears(order.id, parcel, "lost");
  await sendAgain(shop.db, order.id, parcel, null);
  expect(await shipOrder(shop.db, bank.providers, order.id, aParcel(++numbers), null)).toMatchObject({ ok: true });
  expect(bank.sum()).toBe(order.totalCents);
});

describe("an order of which nothing is on its way", () => {
  it("goes on while a part of its charge is not refunded, and ends as canceled with the rest", async () => {
    const { id, totalCents, parcels } = await shipped();
    await hears(id, parcels[0]!, "lost");
    const stock = await unitsOf(shop.pool, DOCK);
    const ends = [];
    for (const cents of [1_00, totalCents - 1_00]) {
      await refundOrder(shop.db, bank.providers, id, { cents, reason: "lost" }, null);
      ends.push((await statusOf(id)).status);
    }
    expect(ends).toEqual(["shipped", "canceled"]);
    expect([await unitsOf(shop.pool, DOCK), (await eventsOf(id)).slice(-3)]).toEqual([
      stock,
      ["refunded", "undelivered", "refunded"],
    ]);
    // It turns up after all.
    expect(await hears(id, parcels[0]!, "refused")).toEqual({ ok: true, repeated: false });
    expect([(await statusOf(id)).status, await isInTrouble(id)]).toEqual(["shipped", true]);
    await receiveBack(shop.db, id, parcels[0]!, { returnsStock: true }, null);
    expect([(await statusOf(id)).status, await isInTrouble(id)]).toEqual(["canceled", false]);
    expect([await unitsOf(shop.pool, DOCK), bank.sum()]).toEqual([stock + 2, 0]);
    expect((await checkOrders(shop.db)).differences).toEqual([]);
  });

  it("ends as canceled if what is to be sent again is canceled instead, and is refunded", async () => {
    const { id, totalCents, lines, parcels } = await shipped();
    await hears(id, parcels[0]!, "lost");
    await sendAgain(shop.db, id, parcels[0]!, null);
    const before = await unitsOf(shop.pool, DOCK);
    const change = { keep: { [lines[DOCK]!]: 0 }, returnsStock: true, reason: "damaged" } as const;
    expect(await cancelItems(shop.db, bank.providers, id, change, null)).toMatchObject({
      ok: true,
      refund: { cents: totalCents, state: "done" },
    });
    expect([await statusOf(id), await unitsOf(shop.pool, DOCK), bank.sum()]).toMatchObject([
      { stage: "canceled" },
      before + 2,
      0,
    ]);
  });
});
