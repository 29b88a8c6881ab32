/** A new ship day for all orders of a product: requested in the back office, and carried out by a shop that is killed. */
import { beforeAll, expect, it } from "vitest";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { useTrialShop } from "../../support/paying-shop.ts";
import { placedOrder } from "../../support/placed-order.ts";
import { makeStaff, type StaffMember } from "../../support/staff-member.ts";
import { AUTH_SECRET } from "../../support/use-shop.ts";

const ORDERS = 12;
const DONE = 7;
const SLUG = "travel-sleeve";
const UNTIL = daysAfter(newYorkDay(new Date()), 45);

const { shop, database, startAgain, query } = useTrialShop();
let support: StaffMember;
let path: string;

beforeAll(async () => {
  support = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "support");
  const [product] = await query<{ id: string }>(
    "UPDATE products SET ships_from = (now() AT TIME ZONE 'America/New_York')::date + 30 WHERE slug = $1 RETURNING id",
    [SLUG],
  );
  path = `/admin/products/${product!.id}`;
  for (let placed = 0; placed < ORDERS; placed++) await placedOrder(database.db, { [SLUG]: 1 }, { keepsCard: true });
});

const send = async (fields: Record<string, string>) => {
  const answer = await support.visitor.post(`${path}?intent=delay`, { reason: "supplier", ...fields });
  const html = (await answer.text()).replaceAll("<!-- -->", "");
  return { status: answer.status, html, confirms: /name="confirms" value="([^"]*)"/.exec(html)?.[1] ?? "" };
};
const delayed = async () =>
  (await query<{ orders: number }>("SELECT count(*)::int AS orders FROM orders WHERE ship_by = $1", [UNTIL]))[0]!
    .orders;
const requested = () => query("SELECT FROM product_delays");

it("is previewed first, and requested only as it was seen", async () => {
  const none = await send({ until: "" });
  expect([none.status, none.html.includes("Choose a date after today")]).toEqual([400, true]);
  const first = await send({ until: UNTIL });
  expect(first.status).toBe(200);
  expect(first.html).toContain(`Delay ${ORDERS} orders`);
  expect(first.html).toContain("Our supplier is late.");
  // Orders that came in between are shown first.
  const other = await send({ until: UNTIL, confirms: `${UNTIL} ${ORDERS - 1}` });
  expect([other.confirms, await requested()]).toEqual([first.confirms, []]);
});

it(`reaches ${ORDERS} orders once each, although the shop is killed in the middle of one`, async () => {
  const { confirms } = await send({ until: UNTIL });
  // The order after these waits with its last statement, the row of the audit log.
  const blocker = await database.pool.connect();
  await blocker.query("SELECT pg_advisory_lock(1)");
  await query(`
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM audit_log WHERE action = 'order.delay') = ${DONE} THEN PERFORM pg_advisory_xact_lock(1); END IF;
      RETURN NEW; END $$;
    CREATE TRIGGER wait BEFORE INSERT ON audit_log FOR EACH ROW WHEN (NEW.action = 'order.delay') EXECUTE FUNCTION wait()`);
  const { status, html } = await send({ until: UNTIL, confirms, movesShipDay: "on" });
  expect([status, html.includes(`${ORDERS} orders will be delayed`)]).toEqual([200, true]);
  // Support changes orders, but no product.
  expect(await query("SELECT FROM products WHERE ships_from = $1", [UNTIL])).toEqual([]);
  await startAgain({ clockOffset: "1m" });
  // Others take advisory locks of their own.
  const waits = () => query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 1 AND NOT granted");
  await expect.poll(waits, { timeout: 120_000 }).toHaveLength(1);
  expect(await delayed()).toBe(DONE);
  await shop.kill();
  await blocker.query("SELECT pg_advisory_unlock(1)");
  blocker.release();
  await expect.poll(waits).toEqual([]);
  await query("DROP FUNCTION wait CASCADE");
  expect([await delayed(), await requested()]).toEqual([DONE, [{}]]);

  // A killed chore ends after five minutes, an email in flight after half a minute.
  await query("UPDATE pgboss.job SET state = 'retry' WHERE state = 'active'");
  await startAgain({ clockOffset: "1m" });
  await expect.poll(requested, { timeout: 120_000 }).toEqual([]);
  expect(await delayed()).toBe(ORDERS);
  const wrong = await query(
    `SELECT orders.id FROM orders WHERE 1 <> ANY (ARRAY[
       (SELECT count(*) FROM order_events WHERE order_id = orders.id AND type = 'delayed'),
       (SELECT count(*) FROM pgboss.job WHERE data->>'template' = 'order-delayed' AND data->>'orderId' = orders.id::text),
       (SELECT count(*) FROM audit_log WHERE action = 'order.delay' AND subject = 'order:' || orders.id)])`,
  );
  expect(wrong).toEqual([]);
  const emails = () => query(`SELECT FROM mailbox_messages WHERE subject LIKE '%ships later'`);
  await expect.poll(emails, { timeout: 60_000 }).toHaveLength(ORDERS);
});
