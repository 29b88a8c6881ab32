/** Orders that staff send at no charge. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { emailShop } from "#tests/support/outbox.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { aParcel } from "#tests/support/staff.ts";
import { setUnits, unitsOf } from "#tests/support/stock.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { emails } from "#shop/emails.server.ts";
import { checkOrders } from "#shop/orders/check-orders.server.ts";
import { returnOptions } from "#shop/returns/request.server.ts";
import { markDelivered } from "./fulfill.server.ts";
import { listOrderPage } from "./order-list.server.ts";
import { recordTracking, writeOff } from "./parcels-on-the-way.server.ts";
import { loadDelivered } from "./order-for-mail.server.ts";
import { listInStock, sendAtNoCharge } from "./shop-order.server.ts";
import { shipOrder } from "./ship.server.ts";
import type { ViewName } from "./views.ts";

const shop = useFreshDatabase();
const DOCK = "charging-dock";
const manager: Acting = { staffId: randomUUID(), role: "manager", address: "203.0.113.9", requestId: null };

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await shop.pool.query<Row>(text, values)).rows;
const productId = async (slug: string) =>
  (await query<{ id: string }>("SELECT id FROM products WHERE slug = $1", [slug]))[0]!.id;

const recipient = {
  email: "press@example.com",
  phone: "",
  termsVersion: "2025-01-01",
  shippingFirstName: "Ada",
  shippingLastName: "Lovelace",
  shippingAddressLine1: "12 Analytical Ave",
  shippingAddressLine2: null,
  shippingCity: "New York",
  shippingState: "NY",
  shippingPostalCode: "10001",
};

const gift = async (units: number, given: { formKey?: string; fromOrderId?: string; email?: string } = {}) => ({
  formKey: given.formKey ?? randomUUID(),
  fromOrderId: given.fromOrderId ?? null,
  recipient: { ...recipient, ...(given.email && { email: given.email }) },
  units: { [await productId(DOCK)]: units },
  reason: "press" as const,
});
const isIn = async (view: ViewName, id: string) =>
  (await listOrderPage(shop.db, { view }, null, 100)).orders.some((order) => order.id === id);

it("an order at no charge takes its stock once, is audited, ships uncharged, and cannot come back for money", async () => {
  await setUnits(shop.pool, DOCK, 10);
  const form = await gift(2);
  const pressed = await Promise.all([1, 2].map(() => sendAtNoCharge(shop.db, form, manager)));
  const [first] = pressed;
  const id = first?.ok ? first.orderId : "";
  expect(pressed.map((each) => each.ok && [each.orderId, each.repeated]).toSorted()).toEqual([
    [id, false],
    [id, true],
  ]);
  expect(await unitsOf(shop.pool, DOCK)).toBe(8);
  expect(await query("SELECT data->>'template' AS template FROM pgboss.job WHERE data->>'orderId' = $1", [id])).toEqual(
    [{ template: "order-confirmation" }],
  );
  expect(await query("SELECT type, actor, staff_id, data FROM order_events WHERE order_id = $1", [id])).toEqual([
    { type: "placed", actor: "staff", staff_id: manager.staffId, data: { reason: "press" } },
  ]);
  expect(await query("SELECT action, after FROM audit_log WHERE subject = $1", [`order:${id}`])).toEqual([
    { action: "order.place", after: { reason: "press", units: 2 } },
  ]);
  expect([await isIn("to-ship", id), await isIn("arrange", id)]).toEqual([true, false]);
  const write = async <Template extends keyof typeof emails>(template: Template, job: object) =>
    (await emails[template].write(shop.db, { template, orderId: id, ...job } as never, emailShop))?.text;
  const late = { from: "2026-03-15", until: null, answerBy: null, reason: "supplier", isFree: true };
  expect(await write("order-delayed", late)).toMatch(/You can cancel your order anytime before it ships\.\s+Keep/);
  expect(await shipOrder(shop.db, null, id, aParcel(1), manager)).toMatchObject({ ok: true, state: "shipped" });
  const [parcel] = await query<{ id: string }>("SELECT id FROM shipments WHERE order_id = $1", [id]);
  for (const template of ["parcel-refused", "parcel-lost"] as const) {
    const text = await write(template, { shipmentId: parcel!.id });
    expect(text).toContain("these items");
    expect(text).not.toMatch(/refund|money/);
  }
  await markDelivered(shop.db, id, manager);
  expect(await loadDelivered(shop.db, { orderId: id })).toMatchObject({ returnUntil: null });
  expect((await returnOptions(shop.db, id))?.[0]?.kinds).toMatchObject({
    return: { why: "free" },
    exchange: { why: "free" },
    defect: { why: null },
  });
  expect(await query("SELECT FROM payments WHERE order_id = $1", [id])).toEqual([]);
});

it("is refused whole if too little is in stock, or the product is unknown or retired", async () => {
  await setUnits(shop.pool, DOCK, 1);
  const before = await query("SELECT count(*) FROM orders");
  expect(await sendAtNoCharge(shop.db, await gift(2), manager)).toMatchObject({ ok: false, reason: "sold-out" });
  expect(await sendAtNoCharge(shop.db, { ...(await gift(1)), units: {} }, manager)).toMatchObject({
    reason: "nothing-chosen",
  });
  await query("UPDATE products SET is_available = false, retired_at = now() WHERE slug = 'travel-sleeve'");
  for (const product of [randomUUID(), await productId("travel-sleeve")]) {
    const unknown = { ...(await gift(1)), units: { [product]: 1 } };
    expect(await sendAtNoCharge(shop.db, unknown, manager)).toMatchObject({ reason: "sold-out", productId: product });
  }
  expect((await listInStock(shop.db)).some(({ units }) => units === 0)).toBe(false);
  expect([await unitsOf(shop.pool, DOCK), await query("SELECT count(*) FROM orders")]).toEqual([1, before]);
});

it("belongs to the account of the order it is made from, unless it goes to another email", async () => {
  await setUnits(shop.pool, DOCK, 10);
  const { id: fromOrderId } = await placedOrder(shop.db, { [DOCK]: 1 });
  const [user] = await query<{ id: string }>(
    "INSERT INTO users (name, email) VALUES ('Ada', 'ada@example.com') RETURNING id",
  );
  await query("UPDATE orders SET user_id = $1, session_id = NULL WHERE id = $2", [user!.id, fromOrderId]);
  const owners = [];
  for (const email of [`${fromOrderId}@EXAMPLE.com`, "press@example.com"]) {
    const sent = await sendAtNoCharge(shop.db, await gift(1, { fromOrderId, email }), manager);
    const [order] = await query<{ user_id: string | null }>("SELECT user_id FROM orders WHERE id = $1", [
      sent.ok && sent.orderId,
    ]);
    owners.push(order?.user_id);
  }
  expect(owners).toEqual([user!.id, null]);
});

it("an order at no charge that is lost ends once it is written off, and leaves Today", async () => {
  await setUnits(shop.pool, DOCK, 10);
  const placed = await sendAtNoCharge(shop.db, await gift(2), manager);
  const id = placed.ok ? placed.orderId : "";
  const sent = await shipOrder(shop.db, null, id, aParcel(77), null);
  const shipmentId = sent.ok ? sent.shipmentId : "";
  await recordTracking(shop.db, id, shipmentId, { state: "lost", at: new Date() });
  expect(await isIn("parcels", id)).toBe(true);
  for (const repeated of [false, true])
    expect(await writeOff(shop.db, id, { shipmentId, reason: "sold-out" }, manager)).toEqual({ ok: true, repeated });
  expect([await isIn("parcels", id), await unitsOf(shop.pool, DOCK)]).toEqual([false, 8]);
  expect(await query("SELECT status FROM orders WHERE id = $1", [id])).toEqual([{ status: "canceled" }]);
  expect((await checkOrders(shop.db)).differences).toEqual([]);
});
