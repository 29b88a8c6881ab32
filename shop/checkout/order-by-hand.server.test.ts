/** Orders that staff place for someone. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { give, orderByHand } from "#tests/support/by-hand.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { anyPermit, uncounted } from "#tests/support/mail-permit.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { emailShop } from "#tests/support/outbox.ts";
import { makeAccount } from "#tests/support/people.ts";
import { changeSettings } from "#tests/support/settings.ts";
import { aParcel } from "#tests/support/staff.ts";
import { setUnits, unitsOf } from "#tests/support/stock.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { emails } from "#shop/emails.server.ts";
import { markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { loadDelivered } from "#shop/fulfillment/order-for-mail.server.ts";
import { listOrderPage } from "#shop/fulfillment/order-list.server.ts";
import { recordTracking, writeOff } from "#shop/fulfillment/parcels-on-the-way.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import type { ViewName } from "#shop/fulfillment/views.ts";
import { checkOrders } from "#shop/orders/check-orders.server.ts";
import { providePayments } from "#shop/payments/open-provider.server.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import { expireOrder, findUnpaid } from "#shop/payments/payments.server.ts";
import type { PaymentProvider } from "#shop/payments/provider.ts";
import { reconcileOrder } from "#shop/payments/reconcile.server.ts";
import { returnOptions } from "#shop/returns/request.server.ts";
import type { Role } from "#shop/roles.ts";
import { loadSettings } from "#shop/settings/settings.server.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import { placeByHand, type OrderByHand } from "./order-by-hand.server.ts";

const shop = useFreshDatabase();
const [DOCK, SLEEVE] = ["charging-dock", "travel-sleeve"] as const;
const member = (role: Role): Acting => ({ staffId: randomUUID(), role, address: "203.0.113.9", requestId: null });
const manager = member("manager");

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await shop.pool.query<Row>(text, values)).rows;
const gift = (units: number, more: { formKey?: string; email?: string } = {}) =>
  orderByHand(shop.pool, { units: { [DOCK]: units }, ...more });
const isIn = async (view: ViewName, id: string) =>
  (await listOrderPage(shop.db, { view }, null, 100)).orders.some((order) => order.id === id);

/** A tenth of everything. */
const taxProvider: TaxProvider = {
  async quote(lines, shippingCents) {
    const tenth = (cents: number) => Math.round(cents / 10);
    const lineTaxCents = Object.fromEntries(lines.map(({ productId, amountCents }) => [productId, tenth(amountCents)]));
    const shippingTaxCents = tenth(shippingCents);
    const taxCents = Object.values(lineTaxCents).reduce((sum, cents) => sum + cents, shippingTaxCents);
    return {
      reference: randomUUID(),
      expiresAt: new Date(Date.now() + 86_400_000),
      lineTaxCents,
      shippingTaxCents,
      taxCents,
    };
  },
  record: async () => "",
  reverse: async () => {},
};

type More = { by?: Acting; seenCents?: number | null; isVerified?: boolean; tax?: TaxProvider | null };

const place = (order: OrderByHand, { by = manager, seenCents = null, isVerified = false, tax = null }: More = {}) =>
  placeByHand(
    shop.db,
    { rateLimits: uncounted, taxProvider: tax },
    { ...order, seenCents },
    { by, isVerified, takePermit: () => Promise.resolve(anyPermit) },
  );

/** Places an order at the total that its first answer names. Returns its id. */
async function placed(order: OrderByHand, more: More = {}): Promise<string> {
  const asked = await place(order, more);
  if (asked.ok || asked.reason !== "total") throw new Error(JSON.stringify(asked));
  const result = await place(order, { ...more, seenCents: asked.amounts.totalCents });
  if (!result.ok) throw new Error(result.reason);
  return result.orderId;
}

const stored = async (id: string) =>
  (
    await query<Record<string, unknown>>(
      `SELECT status, payment_status AS paid, subtotal, discount, discount_name AS reason, shipping, tax, total, user_id AS owner,
         round(extract(epoch FROM hold_until - created_at) / 3600)::int AS hours,
         (SELECT array_agg(price ORDER BY number) FROM order_units WHERE order_id = orders.id) AS units
       FROM orders WHERE id = $1`,
      [id],
    )
  )[0];
const mailed = async (id: string) =>
  (
    await query<{ template: string }>(
      "SELECT data->>'template' AS template FROM pgboss.job WHERE data->>'orderId' = $1 ORDER BY created_on, 1",
      [id],
    )
  ).map(({ template }) => template);
const audited = async (id: string) =>
  (
    await query<{ after: object }>("SELECT after FROM audit_log WHERE subject = $1 AND action = 'order.place'", [
      `order:${id}`,
    ])
  ).map(({ after }) => after);

beforeEach(async () => {
  for (const slug of [DOCK, SLEEVE]) await setUnits(shop.pool, slug, 10);
});

describe("an order by a link", () => {
  it("holds its stock for three days, is emailed its link, and is paid on a page of its own time", async () => {
    const account = await makeAccount(shop.db);
    const order = await orderByHand(shop.pool, { units: { [DOCK]: 2 }, payment: { by: "link" }, email: account.email });
    const id = await placed(order);
    expect(await stored(id)).toMatchObject({ status: "unpaid", paid: "unpaid", hours: 72, owner: account.id });
    expect([await unitsOf(shop.pool, DOCK), await mailed(id)]).toEqual([8, ["order-to-pay"]]);
    expect(await query("SELECT type, actor, staff_id FROM order_events WHERE order_id = $1", [id])).toEqual([
      { type: "held", actor: "staff", staff_id: manager.staffId },
    ]);
    const mail = await emails["order-to-pay"].write(shop.db, { orderId: id }, emailShop);
    expect(mail).toMatchObject({
      to: account.email,
      text: expect.stringMatching(/reserved for you until .* Pay \$\d/),
    });
    expect(await findUnpaid(shop.db, { customerId: account.id }), "an order of the checkout may be begun").toBeNull();
    // Two days later.
    await query(
      `UPDATE orders SET hold_until = now() + interval '1 day', created_at = created_at - interval '2 days' WHERE id = $1`,
      [id],
    );
    await query("UPDATE payments SET expires_at = now() - interval '1 day' WHERE order_id = $1", [id]);
    const open: PaymentProvider["open"] = async ({ expiresAt }) => ({
      reference: "page",
      url: "https://pay",
      expiresAt,
    });
    const bank = new MemoryProvider();
    const stripe = { ...bank.provider, open };
    providePayments(
      { stripe },
      { baseUrl: "http://localhost", secret: "a secret that only tests know, and long enough" },
    );
    expect(await openPage(shop.db, { stripe }, id)).toEqual({ ok: true, url: "https://pay" });
    const opened =
      "SELECT extract(epoch FROM expires_at - now()) / 60 > 60 AS fresh FROM payments WHERE order_id = $1 AND state = 'open'";
    expect(await query(opened, [id])).toEqual([{ fresh: true }]);
    await query("UPDATE orders SET ship_by = '2020-01-01' WHERE id = $1", [id]);
    bank.authorize("page", Number((await stored(id))?.total));
    await reconcileOrder(shop.db, { stripe }, id);
    const [paid] = await query("SELECT status, ship_by >= current_date AS counts_from_now FROM orders WHERE id = $1", [
      id,
    ]);
    expect(paid).toEqual({ status: "processing", counts_from_now: true });
    expect((await checkOrders(shop.db)).differences).toEqual([]);
  });

  it("gives its stock back once its days are over, and its link is no longer sent", async () => {
    const { id: owner, email } = await makeAccount(shop.db);
    const id = await placed(await orderByHand(shop.pool, { units: { [DOCK]: 2 }, payment: { by: "link" }, email }));
    const late = "hold_until = now() - interval '1 second', created_at = created_at - interval '3 days'";
    await query(`UPDATE orders SET ${late} WHERE id = $1`, [id]);
    await expireOrder(shop.db, new MemoryProvider().providers, id);
    expect(await query("SELECT FROM cart_items WHERE user_id = $1", [owner]), "it came from no cart").toEqual([]);
    expect([(await stored(id))?.status, await unitsOf(shop.pool, DOCK)]).toEqual(["expired", 10]);
    expect(await emails["order-to-pay"].write(shop.db, { orderId: id }, emailShop)).toBeNull();
  });
});

it("an order that was paid otherwise is confirmed with its payment, and ships", async () => {
  const payment = { by: "arranged", arrangement: { how: "check", reference: "1042" } } as const;
  const id = await placed(await orderByHand(shop.pool, { units: { [DOCK]: 1 }, payment }), { by: member("support") });
  const order = await stored(id);
  expect(order).toMatchObject({ status: "processing", paid: "captured" });
  expect((await mailed(id)).toSorted()).toEqual(["order-confirmation", "payment-received"]);
  const mail = await emails["order-confirmation"].write(shop.db, { orderId: id }, emailShop);
  expect(mail?.text).toContain("We’ve received your payment of $");
  expect(await audited(id)).toEqual([{ units: 1, cents: order?.total, discountCents: 0, how: "check" }]);
  expect([await isIn("to-ship", id), await isIn("arrange", id)]).toEqual([true, false]);
  expect(await shipOrder(shop.db, null, id, aParcel(900), manager)).toMatchObject({ ok: true, state: "shipped" });
  expect((await checkOrders(shop.db)).differences).toEqual([]);
});

describe("a discount by hand", () => {
  const linked = (more: Partial<OrderByHand>, units: Record<string, number> = { [DOCK]: 2, [SLEEVE]: 1 }) =>
    orderByHand(shop.pool, { units, payment: { by: "link" }, reason: "A scratched box", ...more });
  const priceOf = async (slug: string) =>
    (await query<{ price: number }>("SELECT price FROM products WHERE slug = $1", [slug]))[0]!.price;

  it("is a price of its own, and a share of what is off the order, named by its reason", async () => {
    const [dock, sleeve] = [await priceOf(DOCK), await priceOf(SLEEVE)];
    const order = await linked({ discountCents: 7_01, isShippingFree: true });
    const cheaper = {
      ...order,
      lines: order.lines.map((line) => ({ ...line, unitCents: line.quantity === 2 ? dock - 5_00 : null })),
    };
    const id = await placed(cheaper);
    const off = 10_00 + 7_01;
    const subtotal = 2 * dock + sleeve;
    const found = await stored(id);
    expect(found).toMatchObject({
      subtotal,
      discount: off,
      reason: "A scratched box",
      shipping: 0,
      total: subtotal - off,
    });
    const units = found?.units as number[] | undefined;
    expect(units?.reduce((sum, cents) => sum + cents, 0)).toBe(subtotal - off);
    expect(await audited(id)).toEqual([{ units: 3, cents: subtotal - off, discountCents: off }]);
    expect((await checkOrders(shop.db)).differences).toEqual([]);
  });

  it("keeps to the limit of the role, and asks for a code when it is large", async () => {
    const units = { [DOCK]: 10, [SLEEVE]: 5 };
    const of = async (discountCents: number, role: Role, isVerified = false) => {
      const result = await place(await linked({ discountCents }, units), { by: member(role), isVerified });
      return result.ok ? "placed" : result.reason;
    };
    expect(await of(100_00, "support")).toBe("total");
    expect(await of(100_01, "support")).toBe("limit");
    expect(await of(200_01, "manager")).toBe("unverified");
    expect(await of(200_01, "manager", true)).toBe("total");
    expect(await of(1, "packer")).toBe("forbidden");
  });

  it("is refused above what the products cost, without a reason, and if it leaves too little to charge", async () => {
    const dock = await priceOf(DOCK);
    const one = { [DOCK]: 1 };
    const refusal = async (more: Partial<OrderByHand>) => {
      const result = await place(await linked({ isShippingFree: true, ...more }, one));
      return result.ok ? "placed" : result.reason;
    };
    expect(await refusal({ discountCents: dock + 1 })).toBe("discount");
    expect(await refusal({ discountCents: 1_00, reason: "" })).toBe("no-reason");
    expect(await refusal({ discountCents: dock })).toBe("too-small");
    const order = await linked({}, one);
    const dearer = { ...order, lines: order.lines.map((line) => ({ ...line, unitCents: dock + 1 })) };
    expect(await place(dearer)).toMatchObject({ reason: "price", priceCents: dock });
  });
});

it("its tax is asked as at checkout, and its total is seen before it is placed", async () => {
  await changeSettings(shop.db, { tax: { NY: true } });
  await loadSettings(shop.db);
  const order = await orderByHand(shop.pool, {
    units: { [DOCK]: 1 },
    payment: { by: "link" },
    discountCents: 3_00,
    reason: "Loyal",
  });
  const asked = await place(order, { tax: taxProvider, seenCents: 1 });
  if (asked.ok || asked.reason !== "total") throw new Error("placed unseen");
  const { subtotalCents, shippingCents, taxCents, totalCents } = asked.amounts;
  expect(taxCents).toBe(Math.round((subtotalCents - 3_00) / 10) + Math.round(shippingCents / 10));
  expect(totalCents).toBe(subtotalCents - 3_00 + shippingCents + taxCents);
  expect(await stored(await placed(order, { tax: taxProvider }))).toMatchObject({ tax: taxCents, total: totalCents });
  expect(await place(await gift(1), { tax: taxProvider, seenCents: 0 }), "nothing is due at no charge").toMatchObject({
    ok: true,
  });
});

it("an order at no charge takes its stock once, is audited, ships uncharged, and cannot come back for money", async () => {
  const form = await gift(2);
  const pressed = await Promise.all([1, 2].map(() => give(shop.db, form, manager)));
  const [first] = pressed;
  const id = first?.ok ? first.orderId : "";
  expect(pressed.map((each) => each.ok && [each.orderId, each.repeated]).toSorted()).toEqual([
    [id, false],
    [id, true],
  ]);
  expect([await unitsOf(shop.pool, DOCK), await mailed(id)]).toEqual([8, ["order-confirmation"]]);
  expect(await query("SELECT type, actor, staff_id, data FROM order_events WHERE order_id = $1", [id])).toEqual([
    { type: "placed", actor: "staff", staff_id: manager.staffId, data: { reason: "press" } },
  ]);
  expect(await audited(id)).toEqual([{ units: 2, cents: 0, discountCents: 0, reason: "press" }]);
  expect([await isIn("to-ship", id), await isIn("arrange", id)]).toEqual([true, false]);
  const write = async <Template extends keyof typeof emails>(template: Template, job: object) =>
    (await emails[template].write(shop.db, { template, orderId: id, ...job } as never, emailShop))?.text;
  const late = { from: "2026-03-15", until: null, answerBy: null, reason: "supplier", isFree: true, mayCancel: true };
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

it("is refused whole if too little is in stock, the product is unknown or archived, or the role may not give", async () => {
  await setUnits(shop.pool, DOCK, 1);
  const before = await query("SELECT count(*) FROM orders");
  expect(await give(shop.db, await gift(2), manager)).toMatchObject({ ok: false, reason: "short", unitsLeft: 1 });
  expect(await give(shop.db, { ...(await gift(1)), lines: [] }, manager)).toMatchObject({ reason: "nothing-chosen" });
  expect(await give(shop.db, await gift(1), member("support"))).toMatchObject({ reason: "forbidden" });
  await query("UPDATE products SET is_available = false, retired_at = now() WHERE slug = $1", [SLEEVE]);
  const archived = await orderByHand(shop.pool, { units: { [SLEEVE]: 1 } });
  const unknown = { ...archived, lines: [{ productId: randomUUID(), quantity: 1, unitCents: null }] };
  for (const order of [archived, unknown])
    expect(await give(shop.db, order, manager)).toMatchObject({
      reason: "short",
      productId: order.lines[0]!.productId,
    });
  await query("UPDATE products SET is_available = true, retired_at = NULL WHERE slug = $1", [SLEEVE]);
  expect([await unitsOf(shop.pool, DOCK), await query("SELECT count(*) FROM orders")]).toEqual([1, before]);
});

it("belongs to the account that has proven its email", async () => {
  const [ada, bob] = [await makeAccount(shop.db), await makeAccount(shop.db, { emailVerified: false })];
  const owners = [];
  for (const email of [ada.email.toUpperCase(), bob.email, "nobody@example.com"]) {
    const sent = await give(shop.db, await gift(1, { email }), manager);
    owners.push((await stored(sent.ok ? sent.orderId : ""))?.owner);
  }
  expect(owners).toEqual([ada.id, null, null]);
});

it("an order at no charge that is lost ends once it is written off, and leaves Today", async () => {
  const sent = await give(shop.db, await gift(2), manager);
  const id = sent.ok ? sent.orderId : "";
  const shipped = await shipOrder(shop.db, null, id, aParcel(77), null);
  const shipmentId = shipped.ok ? shipped.shipmentId : "";
  await recordTracking(shop.db, id, shipmentId, { state: "lost", at: new Date() });
  expect(await isIn("parcels", id)).toBe(true);
  for (const repeated of [false, true])
    expect(await writeOff(shop.db, id, { shipmentId, reason: "sold-out" }, manager)).toEqual({ ok: true, repeated });
  expect([await isIn("parcels", id), await unitsOf(shop.pool, DOCK)]).toEqual([false, 8]);
  expect(await query("SELECT status FROM orders WHERE id = $1", [id])).toEqual([{ status: "canceled" }]);
  expect((await checkOrders(shop.db)).differences).toEqual([]);
});
