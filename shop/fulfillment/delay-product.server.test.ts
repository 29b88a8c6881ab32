import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { announceCharge } from "#shop/orders/actions/announce.ts";
import { withOrder } from "#shop/orders/run.server.ts";
import { writeSummary } from "#shop/orders/write-change.server.ts";
import { announceCharges } from "./charges.server.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { aParcel } from "#tests/support/staff.ts";
import { staffRow } from "#tests/support/staff-member.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { clock } from "#shop/clock.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { cancelOrder } from "#shop/payments/cancel.server.ts";
import { acceptDelay, carryOutDelays, delayOrder } from "./delay.server.ts";
import { carryOutProductDelays, delayProduct, delayUnderWay, previewDelay } from "./delay-product.server.ts";
import { shipOrder } from "./ship.server.ts";

const shop = useFreshDatabase();
let by: Acting;
let productId: string;
const reported: unknown[] = [];

beforeAll(async () => {
  by = await staffRow(shop.pool, "manager");
  productId = (await query<{ id: string }>("SELECT id FROM products WHERE slug = 'charging-dock'"))[0]!.id;
});
beforeEach(async () => {
  reported.length = 0;
  await query("TRUNCATE orders, product_delays CASCADE");
  await query("DELETE FROM pgboss.job");
});
afterEach(() => expect(reported).toEqual([]));

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await shop.pool.query<Row>(text, values)).rows;
const inDays = (days: number) => daysAfter(newYorkDay(clock.now()), days);
const run = () => carryOutProductDelays(shop.db, (error) => reported.push(error));
const set = (id: string, columns: string) => query(`UPDATE orders SET ${columns} WHERE id = $1`, [id]);

/** Promised within 30 days. */
async function order(units: Record<string, number> = { "charging-dock": 1 }, shipBy = inDays(30)) {
  const placed = await placedOrder(shop.db, units, { isArranged: true });
  await set(placed.id, `ship_by = '${shipBy}'`);
  return placed;
}
const preview = (until: string | null, paysAgain = false) => previewDelay(shop.db, productId, { until, paysAgain });
const request = (until: string | null, { paysAgain = false, movesShipDay = false } = {}) =>
  delayProduct(shop.db, productId, { until, reason: "supplier", paysAgain, movesShipDay }, by);

type Told = { day: string | null; by: string | null; emails: number };
/** The days that a buyer was told, by whom, and the number of notices. */
const toldOf = async (id: string): Promise<Told[]> =>
  query<Told>(
    `SELECT data->>'until' AS day, staff_id AS by, (
       SELECT count(*)::int FROM pgboss.job WHERE data->>'template' = 'order-delayed' AND data->>'orderId' = order_id::text
     ) AS emails FROM order_events WHERE order_id = $1 AND type = 'delayed' ORDER BY id`,
    [id],
  );
const once = (day: string | null) => [{ day, by: by.staffId, emails: 1 }];

describe("the preview of a delay", () => {
  it("counts orders by their promised day and by what silence does, and changes nothing", async () => {
    const [asked] = [await order(), await order(), await order({ "charging-dock": 2 }, inDays(10))];
    await order({ "travel-sleeve": 1 });
    await order({ "charging-dock": 1 }, inDays(45));
    await delayOrder(shop.db, asked.id, inDays(35), null);
    expect(await preview(inDays(40))).toEqual({
      orders: 3,
      later: 1,
      payAgain: 0,
      groups: [
        { shipBy: inDays(10), answerBy: null, orders: 1 },
        { shipBy: inDays(30), answerBy: null, orders: 1 },
        // A further delay needs a yes by the day agreed to.
        { shipBy: inDays(35), answerBy: inDays(35), orders: 1 },
      ],
    });
    expect(await preview(null)).toMatchObject({
      orders: 4,
      groups: [{ answerBy: inDays(40) }, { answerBy: inDays(60) }, { answerBy: inDays(35) }, { answerBy: inDays(75) }],
    });
    expect(await query("SELECT FROM product_delays")).toEqual([]);
  });

  it.each(["", "soon", "2026-02-30", inDays(0), inDays(-1), inDays(2 * 366)])(
    "refuses the day %j, as the request does",
    async (day) => {
      await order();
      expect([await preview(day), await request(day)]).toEqual([null, false]);
    },
  );
});

describe("the delay of a product", () => {
  it("reaches each order that waits for it once, with one notice, and leaves the others", async () => {
    const [one, mixed, partial] = [
      await order(),
      await order({ "charging-dock": 1, "travel-sleeve": 1 }),
      await order({ "charging-dock": 2 }),
    ];
    const [later, other, canceled, sent] = [
      await order({ "charging-dock": 1 }, inDays(45)),
      await order({ "travel-sleeve": 1 }),
      await order(),
      await order({ "charging-dock": 1, "travel-sleeve": 1 }),
    ];
    await cancelOrder(shop.db, canceled.id, "guest");
    const ship = ({ id, lines }: typeof one, number: number) =>
      shipOrder(shop.db, null, id, aParcel(number, { [lines["charging-dock"]!]: 1 }), null);
    expect([await ship(partial, 1), await ship(sent, 2)]).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await request(inDays(40))).toBe(true);
    const tooLate = await order();
    expect(await delayUnderWay(shop.db, productId)).toEqual({ until: inDays(40), orders: 3 });
    await Promise.all([run(), run(), run()]);
    await run();
    for (const { id } of [one, mixed, partial]) expect(await toldOf(id)).toEqual(once(inDays(40)));
    for (const { id } of [later, other, canceled, sent, tooLate]) expect(await toldOf(id)).toEqual([]);
    expect(await delayUnderWay(shop.db, productId)).toBeNull();
    expect(
      await query("SELECT action, subject, after FROM audit_log WHERE staff_id = $1 AND action = 'product.delay'", [
        by.staffId,
      ]),
    ).toEqual([
      {
        action: "product.delay",
        subject: `product:${productId}`,
        after: { until: inDays(40), reason: "supplier", paysAgain: false },
      },
    ]);
    expect(
      await query("SELECT FROM audit_log WHERE action = 'order.delay' AND staff_id = $1", [by.staffId]),
    ).toHaveLength(3);
    // The same request again finds nobody to tell.
    await request(inDays(40));
    await set(tooLate.id, `ship_by = '${inDays(50)}'`);
    await run();
    expect(await toldOf(one.id)).toEqual(once(inDays(40)));
  });

  it("to an unknown day leaves orders of which the buyer knows that, and a day that staff name meanwhile", async () => {
    const [one, known, named] = [await order(), await order(), await order()];
    await delayOrder(shop.db, known.id, null, null);
    await acceptDelay(shop.db, known.id, null, "guest");
    await request(null);
    await delayOrder(shop.db, named.id, inDays(40), null);
    await run();
    expect(await toldOf(one.id)).toEqual(once(null));
    expect(await toldOf(known.id)).toEqual([{ day: null, by: null, emails: 1 }]);
    expect(await toldOf(named.id)).toEqual([{ day: inDays(40), by: null, emails: 1 }]);
  });

  it("reaches an order whose charge is due to be announced, and one that an announcement has moved meanwhile", async () => {
    const placed = () => placedOrder(shop.db, { "charging-dock": 1 }, { keepsCard: true });
    const [due, moved] = [await placed(), await placed()];
    for (const { id } of [due, moved]) await set(id, `ship_by = '${inDays(1)}', announce_on = '${inDays(0)}'`);
    await request(inDays(45));
    await announceCharges(shop.db, (error) => reported.push(error));
    expect([await toldOf(due.id), await toldOf(moved.id)]).toEqual([[], []]);
    await withOrder(shop.db, moved.id, (state, act) => announceCharge(state, {}, act), { by: "system" });
    expect((await toldOf(moved.id)).map(({ day }) => day)).toEqual([inDays(3)]);
    await run();
    expect(await toldOf(due.id)).toEqual(once(inDays(45)));
    expect((await toldOf(moved.id)).map(({ day }) => day)).toEqual([inDays(3), inDays(45)]);
  });

  it("to the promised day names it to buyers who were told of an unknown day", async () => {
    const [known, unknown] = [await order(), await order()];
    await delayOrder(shop.db, unknown.id, null, null);
    expect(await preview(inDays(30))).toMatchObject({ orders: 1, later: 1 });
    await request(inDays(30));
    await run();
    expect((await toldOf(unknown.id)).map(({ day }) => day)).toEqual([null, inDays(30)]);
    expect([await toldOf(known.id), await delayUnderWay(shop.db, productId)]).toEqual([[], null]);
  });

  it("asks buyers to pay again only if that was chosen", async () => {
    const ends = await placedOrder(shop.db, { "charging-dock": 1 }, { isAuthorized: true });
    await query("UPDATE payments SET capture_before = now() + interval '32 days' WHERE order_id = $1", [ends.id]);
    expect(await preview(inDays(31))).toMatchObject({ orders: 1, payAgain: 0 });
    expect(await preview(inDays(40))).toMatchObject({ orders: 0, payAgain: 1, groups: [] });
    expect(await preview(inDays(40), true)).toMatchObject({ orders: 1, payAgain: 1 });
    await request(inDays(40));
    await run();
    expect([await toldOf(ends.id), await delayUnderWay(shop.db, productId)]).toEqual([[], null]);
    await request(inDays(40), { paysAgain: true });
    await run();
    expect(await toldOf(ends.id)).toEqual(once(inDays(40)));
  });

  it("is replaced by a later request before it is carried out", async () => {
    const { id } = await order();
    await request(inDays(40));
    await request(inDays(50));
    await run();
    expect(await toldOf(id)).toEqual(once(inDays(50)));
  });

  it("waits for an order whose parcel is being charged", async () => {
    const { id } = await order();
    await query(
      "INSERT INTO shipments (order_id, carrier, tracking_number, state) VALUES ($1, 'ups', '1', 'packing')",
      [id],
    );
    await request(inDays(40));
    await run();
    expect([await toldOf(id), await delayUnderWay(shop.db, productId)]).toEqual([[], { until: inDays(40), orders: 1 }]);
    await query("UPDATE shipments SET state = 'failed' WHERE order_id = $1", [id]);
    await run();
    expect([await toldOf(id), await delayUnderWay(shop.db, productId)]).toEqual([once(inDays(40)), null]);
  });

  it("ends without a word once its day has come", async () => {
    const { id } = await order();
    await request(inDays(40));
    await query("UPDATE product_delays SET until = $1", [inDays(0)]);
    await set(id, `ship_by = '${inDays(-1)}'`);
    await run();
    expect([await toldOf(id), await delayUnderWay(shop.db, productId)]).toEqual([[], null]);
  });

  it("reports an order that fails, which stops no other, and tries it again", async () => {
    const [broken, fine] = [await order({ "charging-dock": 1 }, inDays(20)), await order()];
    await request(inDays(40));
    await query(`CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$`);
    await query(`CREATE TRIGGER fails BEFORE UPDATE ON orders FOR EACH ROW WHEN (NEW.id = '${broken.id}')
      EXECUTE FUNCTION fails()`);
    await run();
    await query("DROP FUNCTION fails CASCADE");
    expect(reported.splice(0)).toHaveLength(1);
    expect([await toldOf(broken.id), await toldOf(fine.id)]).toEqual([[], once(inDays(40))]);
    await run();
    expect(await toldOf(broken.id)).toEqual(once(inDays(40)));
  });

  it.each(["unpaid", "expired"] as const)("reaches an order that is %s, once it is paid", async (status) => {
    const placed = { status, isAuthorized: true };
    const [one, link] = [await order(), await placedOrder(shop.db, { "charging-dock": 1 }, placed)];
    await query("UPDATE payments SET state = 'open', authorized = 0 WHERE order_id = $1", [link.id]);
    await set(link.id, `stage = '${status}', ship_by = '${inDays(30)}', hold_until = now() + interval '3 days'`);
    await request(inDays(40));
    await run();
    expect([await toldOf(one.id), await toldOf(link.id)]).toEqual([once(inDays(40)), []]);
    expect(await delayUnderWay(shop.db, productId)).toBeNull();
    await set(link.id, "stage = 'to-ship', hold_until = NULL");
    await run();
    expect([await toldOf(one.id), await toldOf(link.id)]).toEqual([once(inDays(40)), once(inDays(40))]);
    expect(await query("SELECT FROM product_delays")).toEqual([]);
  });

  it.each<[string, () => Promise<void>]>([
    ["the delay of a product", () => request(inDays(40)).then(run)],
    ["the notice that it is late", () => carryOutDelays(shop.db, (error) => reported.push(error))],
  ])("%s reaches what ships beside what was refunded before it left, and not that alone", async (_what, tell) => {
    const beside = await order({ "charging-dock": 1, "travel-sleeve": 1 }, inDays(-1));
    const alone = await order({ "charging-dock": 1 }, inDays(-1));
    for (const { id, lines } of [beside, alone]) {
      await query(
        `WITH refund AS (INSERT INTO refunds (id, order_id, reason, asked_by) VALUES (gen_random_uuid(), $1, 'late', 'staff') RETURNING id)
         INSERT INTO refund_items (refund_id, order_id, kind, unit, cents, tax)
         SELECT refund.id, $1, 'unit', number, price, tax FROM refund, order_units WHERE order_item_id = $2`,
        [id, lines["travel-sleeve"] ?? lines["charging-dock"]],
      );
      await writeSummary(shop.db, id);
    }
    await tell();
    expect([(await toldOf(beside.id)).length, await toldOf(alone.id)]).toEqual([1, []]);
  });

  it("comes before the notice that an order is late", async () => {
    const late = await order({ "charging-dock": 1 }, inDays(-1));
    await request(inDays(40));
    for (const _minute of [1, 2]) {
      await carryOutDelays(shop.db, (error) => reported.push(error));
      await run();
    }
    expect(await toldOf(late.id)).toEqual(once(inDays(40)));
  });

  it.each([
    ["an earlier", inDays(20), inDays(40), inDays(40)],
    ["a later", inDays(60), inDays(40), inDays(60)],
    ["no", null, inDays(40), null],
    ["any, to an unknown one,", inDays(20), null, inDays(20)],
  ])("moves the product's own ship day along: %s day", async (_what, before, until, after) => {
    const day = async () => (await query("SELECT ships_from::text AS day FROM products WHERE id = $1", [productId]))[0];
    await query("UPDATE products SET ships_from = $2 WHERE id = $1", [productId, before]);
    await request(until);
    expect(await day()).toEqual({ day: before });
    await request(until, { movesShipDay: true });
    expect(await day()).toEqual({ day: after });
    const edits = await query(
      "SELECT after FROM audit_log WHERE action = 'product.edit' AND after->>'shipsFrom' = $1",
      [after],
    );
    expect(edits.length > 0).toBe(after !== before);
    await query("UPDATE products SET ships_from = NULL WHERE id = $1", [productId]);
  });
});
