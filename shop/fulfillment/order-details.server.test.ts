import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { aParcel } from "#tests/support/staff.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { listPersonOrders } from "#shop/orders/history.server.ts";
import { exportOrders } from "./export-orders.server.ts";
import { addressLine, type Address } from "#shop/orders/order.ts";
import { writeSummary } from "#shop/orders/write-change.server.ts";
import type { Order } from "#shop/orders/orders.server.ts";
import { uncounted } from "#tests/support/mail-permit.ts";
import { correctAddress } from "./address.server.ts";
import { addNote, holdOrder, resendEmail } from "./order-notes.server.ts";
import { countOrders, getOrderDetails, listOrderPage, neighborsOf, type OrderFilter } from "./order-list.server.ts";
import { delayOrder } from "./delay.server.ts";
import { cancelItems } from "./cancel-items.server.ts";
import { cancelByStaff, declineByStaff, markDelivered } from "./fulfill.server.ts";
import { refundOrder } from "./refund.server.ts";
import { shipOrder } from "./ship.server.ts";
import { listSlips } from "./shipments.server.ts";
import { DAY_VIEWS, type ViewName } from "./views.ts";
import { CANCEL_UNITS } from "#tests/support/units.ts";

const shop = useFreshDatabase();
const by: Acting = { staffId: randomUUID(), role: "manager", address: "203.0.113.9", requestId: "a request" };
const desk = { rateLimits: uncounted, taxProvider: null, providers: null };
const correct = (order: Order, moving: { address: Address; from: string }) =>
  correctAddress(shop.db, order, moving, { by, isVerified: false }, desk);
let numbers = 9000;

beforeEach(async () => {
  await shop.pool.query("TRUNCATE orders CASCADE");
});

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await shop.pool.query<Row>(text, values)).rows;
const audited = async (id: string) =>
  (
    await query<{ action: string }>(
      "SELECT action FROM audit_log WHERE subject = 'order:' || $1 AND staff_id = $2 ORDER BY id",
      [id, by.staffId],
    )
  ).map(({ action }) => action);
const staffOfEvents = async (id: string) =>
  (
    await query<{ type: string }>("SELECT type FROM order_events WHERE order_id = $1 AND staff_id = $2 ORDER BY id", [
      id,
      by.staffId,
    ])
  ).map(({ type }) => type);
const setOrder = (id: string, columns: string) => query(`UPDATE orders SET ${columns} WHERE id = $1`, [id]);

describe("the staff member", () => {
  it("is recorded in the event and the audit log", async () => {
    const bank = new MemoryProvider();
    const order = await placedOrder(shop.db, { "charging-dock": 2, "travel-sleeve": 1 }, { isAuthorized: true });
    bank.authorize(order.reference, order.totalCents);
    const { id, lines } = order;
    await delayOrder(shop.db, id, daysAfter(newYorkDay(new Date()), 20), by);
    const change = { keep: { [lines["travel-sleeve"]!]: 0 }, returnsStock: true, reason: "asked" as const };
    await cancelItems(shop.db, bank.providers, id, change, by);
    await shipOrder(shop.db, bank.providers, id, aParcel(++numbers, { [lines["charging-dock"]!]: 1 }), by);
    expect((await getOrderDetails(shop.db, id))?.order).toMatchObject({ stage: "partly-shipped" });
    await shipOrder(shop.db, bank.providers, id, aParcel(++numbers), by);
    await markDelivered(shop.db, id, by);
    await refundOrder(shop.db, bank.providers, id, { cents: 5_00, reason: "late", seen: 0 }, by);
    expect((await getOrderDetails(shop.db, id))?.order).toMatchObject({
      paymentStatus: "partly-refunded",
    });
    expect(await staffOfEvents(id)).toEqual([
      "delayed",
      "line-canceled",
      "shipped",
      "parcel-shipped",
      "delivered",
      "refunded",
    ]);
    expect(await audited(id)).toEqual([
      "order.delay",
      "order.cancel-line",
      "order.ship",
      "order.ship",
      "order.deliver",
      "order.refund",
    ]);
    expect(await refundOrder(shop.db, bank.providers, id, { cents: 5_00, reason: "late", seen: 0 }, by)).toEqual({
      ok: false,
      reason: "meanwhile",
    });
  });

  it("refunds no more of an order within a day than the role allows", async () => {
    const bank = new MemoryProvider();
    const order = await placedOrder(shop.db, { "charging-dock": 9 }, { isAuthorized: true });
    bank.authorize(order.reference, order.totalCents);
    await shipOrder(shop.db, bank.providers, order.id, aParcel(++numbers), by);
    const support = { ...by, role: "support" as const };
    const refund = (cents: number, who: typeof by = support) =>
      refundOrder(shop.db, bank.providers, order.id, { cents, reason: "late" }, who);
    for (const cents of [60_00, 30_00]) expect(await refund(cents)).toEqual({ ok: true, state: "done" });
    expect(await refund(10_01)).toEqual({ ok: false, reason: "limit", cents: 10_01, refundedCents: 90_00 });
    const atOnce = await Promise.all([refund(10_00), refund(10_00)]);
    expect(atOnce.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(await refund(1)).toMatchObject({ reason: "limit" });
    // The limit is per person and per day.
    expect(await refund(10_01, { ...by, staffId: randomUUID() })).toEqual({ ok: true, state: "done" });
    await query("UPDATE refunds SET created_at = created_at - interval '25 hours'");
    expect(await refund(10_01)).toEqual({ ok: true, state: "done" });
  });

  it("needs a code for refunds that add up to a large one, also at once", async () => {
    const bank = new MemoryProvider();
    const order = await placedOrder(shop.db, { "charging-dock": 9 }, { isAuthorized: true });
    bank.authorize(order.reference, order.totalCents);
    await shipOrder(shop.db, bank.providers, order.id, aParcel(++numbers), by);
    const refund = (cents: number, isVerified?: boolean) =>
      refundOrder(shop.db, bank.providers, order.id, { cents, reason: "late", ...(isVerified && { isVerified }) }, by);
    expect(await refund(200_01)).toEqual({ ok: false, reason: "unverified" });
    const atOnce = await Promise.all([refund(150_00), refund(150_00)]);
    expect(atOnce).toContainEqual({ ok: true, state: "done" });
    expect(atOnce).toContainEqual({ ok: false, reason: "unverified" });
    expect(await refund(50_00)).toEqual({ ok: true, state: "done" });
    expect(await refund(1)).toEqual({ ok: false, reason: "unverified" });
    expect(await refund(1, true)).toEqual({ ok: true, state: "done" });
  });

  it("a repeated cancel or decline is recorded once", async () => {
    for (const [act, end] of [
      ["cancel", (id: string) => cancelByStaff(shop.db, id, by)],
      ["decline", (id: string) => declineByStaff(shop.db, id, "price", by)],
    ] as const) {
      const { id } = await placedOrder(shop.db, { "charging-dock": 1 });
      await Promise.all([end(id), end(id), end(id)]);
      expect(await audited(id)).toEqual([`order.${act}`]);
      expect(await staffOfEvents(id)).toHaveLength(1);
    }
  });
});

describe("order notes", () => {
  it("an order on hold does not ship until released", async () => {
    const { id } = await placedOrder(shop.db, { "charging-dock": 1 }, { isArranged: true });
    await addNote(shop.db, id, "Asked for a gift wrap", by);
    await holdOrder(shop.db, id, { isOnHold: true, text: "Address looks wrong" }, by);
    expect(await shipOrder(shop.db, null, id, aParcel(++numbers), by)).toEqual({ ok: false, reason: "on-hold" });
    expect((await listOrderPage(shop.db, { view: "hold" })).orders.map((order) => order.id)).toEqual([id]);
    expect((await listOrderPage(shop.db, { view: "to-ship" })).orders).toEqual([]);
    await holdOrder(shop.db, id, { isOnHold: false, text: "" }, by);
    expect(await shipOrder(shop.db, null, id, aParcel(++numbers), by)).toMatchObject({ ok: true });
    expect(await holdOrder(shop.db, id, { isOnHold: true, text: "late" }, by)).toMatchObject({ reason: "status" });
    expect((await getOrderDetails(shop.db, id))?.notes.map(({ kind }) => kind)).toEqual(["note", "hold", "unhold"]);
    expect(await audited(id)).toEqual(["order.note", "order.hold", "order.unhold", "order.ship"]);
  });

  it("the rest of a partial order is held, listed so, and released; the note keeps where its first parcel went", async () => {
    const { id, lines } = await placedOrder(shop.db, { "charging-dock": 2 }, { isArranged: true });
    await shipOrder(shop.db, null, id, aParcel(++numbers, { [lines["charging-dock"]!]: 1 }), by);
    const listed = async (view: ViewName) => (await listOrderPage(shop.db, { view })).orders.map((order) => order.id);
    const views: ViewName[] = ["to-ship", "rest", "hold"];
    expect(await Promise.all(views.map(listed))).toEqual([[id], [id], []]);
    expect(await listPersonOrders(shop.db, `${id}@example.com`, 1)).toMatchObject([{ id, stage: "partly-shipped" }]);
    await holdOrder(shop.db, id, { isOnHold: true, text: "Moved" }, by);
    expect(await Promise.all(views.map(listed))).toEqual([[], [], [id]]);
    expect(await shipOrder(shop.db, null, id, aParcel(++numbers), by)).toEqual({ ok: false, reason: "on-hold" });
    const was = (await getOrderDetails(shop.db, id))!.order;
    const address = { ...was, shippingAddressLine1: "1 Other Street" };
    expect(await correct(was, { address, from: addressLine(was) })).toMatchObject({ ok: true });
    expect((await getOrderDetails(shop.db, id))?.notes.at(-1)).toMatchObject({
      kind: "address",
      text: "From Ada Lovelace, 12 Analytical Ave, New York, NY 10001\nto Ada Lovelace, 1 Other Street, New York, NY 10001",
    });
    await holdOrder(shop.db, id, { isOnHold: false, text: "" }, by);
    expect(await shipOrder(shop.db, null, id, aParcel(++numbers), by)).toMatchObject({ ok: true });
    expect(await Promise.all(views.map(listed))).toEqual([[], [], []]);
  });

  it("an address is corrected before shipping, unless it changed meanwhile, and is not in the audit log", async () => {
    const { id } = await placedOrder(shop.db, { "charging-dock": 1 }, { isArranged: true });
    const was = (await getOrderDetails(shop.db, id))!.order;
    const address = { ...was, shippingAddressLine1: "1 Other Street", shippingPostalCode: "94107" };
    const seen = addressLine(was);
    expect(await correct(was, { address, from: seen })).toEqual({ ok: true, repeated: false });
    expect(await correct(was, { address: was, from: seen })).toEqual({ ok: false, reason: "meanwhile" });
    const rows = await query("SELECT before, after FROM audit_log WHERE subject = $1", [`order:${id}`]);
    expect(rows).toEqual([{ before: null, after: { changed: "street, ZIP code" } }]);
    expect((await getOrderDetails(shop.db, id))?.notes.map(({ text }) => text)).toEqual([
      "From Ada Lovelace, 12 Analytical Ave, New York, NY 10001\nto Ada Lovelace, 1 Other Street, New York, NY 94107",
    ]);
    expect(
      await query("SELECT data->>'template' AS template FROM pgboss.job WHERE data->>'orderId' = $1", [id]),
    ).toEqual([{ template: "order-address-changed" }]);
    await shipOrder(shop.db, null, id, aParcel(++numbers), by);
    expect(await correct(was, { address: was, from: addressLine(address) })).toMatchObject({
      reason: "status",
    });
  });

  it("an email is resent, but not twice within a minute", async () => {
    const { id } = await placedOrder(shop.db, { "charging-dock": 1 });
    const email = { name: "Order received", job: { template: "order-confirmation" as const, orderId: id } };
    await resendEmail(shop.db, id, email, by);
    expect(await resendEmail(shop.db, id, email, by)).toEqual({ ok: true, repeated: true });
    expect(await query("SELECT FROM pgboss.job WHERE data->>'orderId' = $1", [id])).toHaveLength(1);
  });
});

describe("the day to ship by", () => {
  const TODAY = "(now() AT TIME ZONE 'America/New_York')::date";
  const isListed = async (view: ViewName) => (await listOrderPage(shop.db, { view })).orders.length === 1;

  it.each<[string, string, (typeof DAY_VIEWS)[number] | null, { isBlocked: boolean }?]>([
    ["yesterday", `ship_by = ${TODAY} - 1`, "late"],
    ["yesterday, on hold", `ship_by = ${TODAY} - 1, on_hold_since = now()`, "late", { isBlocked: true }],
    ["yesterday, shipped in part", `ship_by = ${TODAY} - 1, stage = 'partly-shipped'`, "late"],
    [
      "yesterday, shipped in part, without its payment",
      `ship_by = ${TODAY} - 1, stage = 'partly-shipped', attention = '{card-refused}'`,
      "late",
      { isBlocked: true },
    ],
    ["of an unknown day", "ship_by = NULL", "late"],
    ["yesterday, shipped", `ship_by = ${TODAY} - 1, stage = 'shipped'`, null],
    ["yesterday, canceled", `ship_by = ${TODAY} - 1, stage = 'canceled'`, null],
    ["today", `ship_by = ${TODAY}`, "today"],
    ["today, on hold", `ship_by = ${TODAY}, on_hold_since = now()`, "today", { isBlocked: true }],
    ["tomorrow", `ship_by = ${TODAY} + 1`, "tomorrow"],
    ["in two days", `ship_by = ${TODAY} + 2`, "week"],
    ["in six days", `ship_by = ${TODAY} + 6`, "week"],
    ["in seven days", `ship_by = ${TODAY} + 7`, "later"],
  ])(
    "%s: in one list of days, and first if something keeps it",
    async (_name, columns, view, { isBlocked } = { isBlocked: false }) => {
      const { id } = await placedOrder(shop.db, { "charging-dock": 1 }, { isArranged: true });
      await setOrder(id, columns);
      const isIn = async (filter: OrderFilter) => (await listOrderPage(shop.db, filter)).orders.length === 1;
      const listed = await Promise.all(DAY_VIEWS.map(async (each) => ((await isIn({ view: each })) ? [each] : [])));
      expect(listed.flat()).toEqual(view ? [view] : []);
      if (view)
        expect([await isIn({ view, isBlocked }), await isIn({ view, isBlocked: !isBlocked })]).toEqual([true, false]);
    },
  );

  it("is today if the payment expires before", async () => {
    const { id } = await placedOrder(shop.db, { "charging-dock": 1 }, { isAuthorized: true });
    await setOrder(id, `ship_by = ${TODAY} + 3`);
    expect([await isListed("week"), await isListed("today")]).toEqual([true, false]);
    await query("UPDATE payments SET capture_before = now() + interval '47 hours'");
    expect([await isListed("week"), await isListed("today")]).toEqual([false, true]);
  });

  it("is listed with what is left, of which pre-ordered lines wait", async () => {
    const { id, lines } = await placedOrder(
      shop.db,
      { "charging-dock": 2, "travel-sleeve": 1 },
      { isArranged: true, shipsFrom: { "travel-sleeve": "2099-01-12" } },
    );
    await shipOrder(shop.db, null, id, aParcel(++numbers, { [lines["charging-dock"]!]: 1 }), by);
    expect((await listOrderPage(shop.db, {})).orders[0]?.contents).toEqual([
      { name: "charging-dock", units: 1, waitsFor: null },
      { name: "travel-sleeve", units: 1, waitsFor: "2099-01-12" },
    ]);
  });

  it("has a slip that says why it is not packed, and lists nothing once it is canceled", async () => {
    const { id } = await placedOrder(shop.db, { "charging-dock": 2 });
    const lines = [{ name: "charging-dock", units: 2, shipsFrom: null }];
    const slip = async () => (await listSlips(shop.db, [id]))[0];
    expect(await slip()).toMatchObject({ stop: null, lines });
    await holdOrder(shop.db, id, { isOnHold: true, text: "Moved" }, by);
    expect(await slip()).toMatchObject({ stop: "on-hold", lines });
    await cancelByStaff(shop.db, id, by);
    expect(await slip()).toMatchObject({ stop: "canceled", lines: [] });
  });

  it.each([
    ["of a pre-order is its latest", "20", 0, true],
    ["of a pre-order is past", "-1", 0, false],
    ["of a canceled line does not count", "20", 1, false],
    ["comes before the authorization ends", "2", 0, false],
  ])("%s", async (_name, days, canceled, isExpiring) => {
    const { id, lines } = await placedOrder(
      shop.db,
      { "charging-dock": 1, "travel-sleeve": 1 },
      { isAuthorized: true },
    );
    await query("UPDATE payments SET capture_before = now() + interval '3 days'");
    expect(await isListed("expiring")).toBe(false);
    await setOrder(id, `ship_by = ${TODAY} + ${days}`);
    await query("UPDATE order_items SET ships_from = now() WHERE id = $1", [lines["travel-sleeve"]]);
    await query(CANCEL_UNITS, [[lines["travel-sleeve"]], canceled]);
    await writeSummary(shop.db, id);
    expect([await isListed("expiring"), await isListed("late")]).toEqual([isExpiring, days === "-1"]);
  });
});

it("the export has a row per order, in words, with what a label program and a bookkeeper need", async () => {
  const { id, lines } = await placedOrder(shop.db, { "charging-dock": 2, "travel-sleeve": 1 }, { isArranged: true });
  const address = "shipping_address_line2 = 'Apt 4', phone = '+1 (212) 555-0100'";
  await setOrder(id, `${address}, ship_by = '2099-03-04', tax = 700, shipping_tax = 700, total = total + 700`);
  await query("UPDATE payments SET amount = 12700, captured = 12700 WHERE order_id = $1", [id]);
  await query(
    `INSERT INTO charge_items (charge_id, order_id, kind, cents, tax)
     SELECT charge_id, order_id, 'shipping', 700, 700 FROM payments WHERE order_id = $1`,
    [id],
  );
  await query("UPDATE order_items SET name = 'A former name' WHERE id = $1", [lines["charging-dock"]]);
  const first = aParcel(++numbers, { [lines["charging-dock"]!]: 1 });
  const second = { carrier: "fedex", trackingNumber: "9865-7878-8855" } as const;
  for (const parcel of [first, second]) await shipOrder(shop.db, null, id, parcel, by);
  await placedOrder(shop.db, { "charging-dock": 1 });
  const words = () => ({ status: "Shipped", payment: "Paid" });
  const rows = [];
  for await (const row of exportOrders(shop.db, { status: "shipped" }, words, by)) rows.push(row);
  expect(rows).toEqual([
    {
      Order: `#${id.slice(0, 8)}`,
      Placed: expect.any(Date),
      Status: "Shipped",
      Payment: "Paid",
      "First name": "Ada",
      "Last name": "Lovelace",
      Email: `${id}@example.com`,
      Phone: "(212) 555-0100",
      Address: "12 Analytical Ave",
      Apartment: "Apt 4",
      City: "New York",
      State: "NY",
      "ZIP code": "10001",
      Country: "US",
      "Gift message": null,
      Shipping: "Standard Shipping",
      "Ship by": "2099-03-04",
      Units: 3,
      Items: "2 × A former name, 1 × travel-sleeve",
      SKUs: "2 × charging-dock, 1 × travel-sleeve",
      Carriers: "UPS, FedEx",
      "Tracking numbers": `${first.trackingNumber}, 986578788855`,
      Subtotal: 120,
      Discount: 0,
      "Discount code": null,
      "Shipping paid": 0,
      Tax: 7,
      Total: 127,
      Sales: 127,
      Charged: 127,
      Refunded: 0,
      ID: id,
    },
  ]);
});

describe("the list", () => {
  const found = async (filter: OrderFilter) => (await listOrderPage(shop.db, filter)).orders.map(({ id }) => id);

  it("finds by number and words of names and emails, in any case, without wildcards", async () => {
    const { id } = await placedOrder(shop.db, { "charging-dock": 2 });
    await setOrder(id, "shipping_first_name = 'Zoë', shipping_last_name = 'O''Brien_%', email = 'Zoe@Example.com'");
    for (const search of [id.slice(0, 8), `#${id.slice(0, 8).toUpperCase()}`, "zoë o'b", "o'brien_%", "zoe@exa"])
      expect(await found({ search, searchesContacts: true }), search).toEqual([id]);
    for (const search of ["zoe@exa", "z%e", "_oe", "%", "brien"]) expect(await found({ search }), search).toEqual([]);
    expect(await found({ search: "zoë", status: "shipped" })).toEqual([]);
  });

  it("finds each word of a name, without accents, case, apostrophes and hyphens", async () => {
    const { id } = await placedOrder(shop.db, { "charging-dock": 1 });
    await setOrder(id, "shipping_first_name = 'Siobhán Łucja', shipping_last_name = 'O’Brien-Núñez'");
    const typed = ["Siobhan", "siobhán łucja", "LUCJA", "obrien", "O'Brien", "o’brien-nu", "OBrien Nunez", "nuñ"];
    const apart = ["siobhan nunez", "Nunez, Siobhán", "lucja o'bri"];
    for (const search of [...typed, ...typed.map((text) => text.normalize("NFD")), ...apart])
      expect(await found({ search }), search).toEqual([id]);
    for (const search of ["iobhan", "siobhan lovelace", "brien", "–", "’"])
      expect(await found({ search }), search).toEqual([]);
    await setOrder(id, "shipping_first_name = '', shipping_last_name = ''");
    expect(await query("SELECT name_words FROM orders WHERE id = $1", [id])).toEqual([{ name_words: "" }]);
  });

  it("finds by ZIP code, phone and tracking number, however they are written", async () => {
    const { id } = await placedOrder(shop.db, { "charging-dock": 1 }, { isArranged: true });
    await placedOrder(shop.db, { "charging-dock": 1 });
    await setOrder(id, "shipping_postal_code = '94607-1234', phone = '+1 (415) 555-0199'");
    const parcel = aParcel(++numbers);
    await shipOrder(shop.db, null, id, parcel, by);
    const number = parcel.trackingNumber;
    const byAll = ["94607", "94607-12", number, ` ${number.slice(0, 2)} ${number.slice(2).toLowerCase()} `];
    const byContacts = ["415 555", "(415) 555-0199", "+1 415.555.0199", "14155550199"];
    for (const search of [...byAll, ...byContacts])
      expect(await found({ search, searchesContacts: true }), search).toEqual([id]);
    for (const search of byAll) expect(await found({ search }), search).toEqual([id]);
    for (const search of [...byContacts, "946", number.slice(0, -1)])
      expect(await found({ search }), search).toEqual([]);
    expect(await found({ search: number, status: "processing" })).toEqual([]);
  });

  it("shows what is left after a canceled item", async () => {
    const { id, lines } = await placedOrder(shop.db, { "charging-dock": 2, "travel-sleeve": 1 });
    const change = { keep: { [lines["charging-dock"]!]: 1 }, returnsStock: true, reason: "sold-out" as const };
    await cancelItems(shop.db, null, id, change, by);
    const { state } = (await getOrderDetails(shop.db, id))!;
    expect((await listOrderPage(shop.db, {})).orders).toMatchObject([
      { units: 2, what: "1 × charging-dock, 1 × travel-sleeve", totalCents: state.totalCents },
    ]);
    expect(state.totalCents).toBe(80_00);
  });

  it("paginates without gaps or repeats, in both directions and by product", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) {
      const { id } = await placedOrder(
        shop.db,
        { "charging-dock": 1, ...(i % 2 && { "travel-sleeve": 2 }) },
        { isArranged: true },
      );
      // Some events share a timestamp.
      const at = `now() - ${Math.floor(i / 3)} * interval '1 day'`;
      const shipBy = `(now() AT TIME ZONE 'America/New_York')::date + ${(i * 5) % 4}`;
      await setOrder(id, `created_at = ${at}, ship_by = ${shipBy}${i === 5 ? ", stage = 'shipped'" : ""}`);
      await query(
        `UPDATE order_items SET created_at = o.created_at FROM orders o WHERE o.id = order_id AND o.id = $1`,
        [id],
      );
      ids.push(id);
    }
    const walk = async (filter: OrderFilter) => {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const page = await listOrderPage(shop.db, filter, after, 2);
        seen.push(...page.orders.map(({ id }) => id));
        after = page.next;
      } while (after);
      return seen;
    };
    expect((await walk({})).toSorted()).toEqual(ids.toSorted());
    for (const filter of [{}, { view: "to-ship" }, { search: "ada" }] as OrderFilter[]) {
      const [first, second, third] = await walk(filter);
      expect(await neighborsOf(shop.db, filter, second!)).toEqual({ previous: first, next: third });
      expect((await neighborsOf(shop.db, filter, first!)).previous).toBeNull();
    }
    const toShip = await walk({ view: "to-ship" });
    const sorted = await query<{ id: string }>(
      "SELECT id FROM orders WHERE id = ANY ($1) ORDER BY ship_by, created_at, id",
      [ids.toSpliced(5, 1)],
    );
    expect(toShip).toEqual(sorted.map(({ id }) => id));
    const [sleeve] = await query<{ id: string }>("SELECT id FROM products WHERE slug = 'travel-sleeve'");
    expect(await walk({ productId: sleeve!.id })).toHaveLength(6);
    expect(await countOrders(shop.db, { productId: sleeve!.id, status: "shipped" })).toEqual({
      count: 1,
      hasMore: false,
    });
    const { orders } = await listOrderPage(shop.db, { status: "shipped" });
    expect(orders[0]).toMatchObject({ id: ids[5], units: 3, what: "1 × charging-dock, 2 × travel-sleeve" });
    const newYork = new Date(Date.now() - 86_400_000).toLocaleDateString("en-CA", { timeZone: "America/New_York" });
    expect(await walk({ since: newYork, until: newYork })).toHaveLength(3);
  });
});
