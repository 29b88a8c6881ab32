/** A trial shop that is started again on the same data, days later by CLOCK_OFFSET: what has fallen due is done. */
import { beforeAll, expect, it } from "vitest";
import { clock } from "#shop/clock.ts";
import { texts } from "#shop/content/text.tables.ts";
import { formatMoneyShort } from "#shop/money.ts";
import { daysAfter, newYorkDay, newYorkMoment } from "#shop/new-york-time.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { policy } from "#shop/policies.ts";
import { dayText } from "#shop/policy-text.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { settingsVersions } from "#shop/settings/settings.tables.ts";
import { makeActor } from "../../support/actors.ts";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { textOf } from "../../support/page-data.ts";
import { useTrialShop, type Placed } from "../../support/paying-shop.ts";
import { placedOrder } from "../../support/placed-order.ts";
import { makeStaff, type StaffMember } from "../../support/staff-member.ts";
import { AUTH_SECRET } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, database, startAgain, query, guestWith, place, reserve, pay, comeBack, statusOf, until } = useTrialShop();
const DAYS = 6;
const today = newYorkDay(clock.now());
let owner: StaffMember;
beforeAll(async () => {
  owner = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "owner");
});

async function paid(placed: Placed): Promise<Placed> {
  await comeBack(placed, await pay(placed));
  await until(placed.orderId, "processing");
  return placed;
}

const preOrderDay = daysAfter(today, 20);
const delayedTo = daysAfter(today, 25);
/** Words without the year, which is named where it is another one. */
const short = (day: string) =>
  new Date(day).toLocaleDateString("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
const found = (text: string, pattern: RegExp) => (pattern.exec(text) ?? []).slice(1);

it.each([
  ["in stock", "Standard Shipping", ["lid-gasket-set"], false],
  ["mixed", "Overnight Shipping", ["ethylene-filter-2-pack", "charging-dock"], false],
  ["a pre-order, delayed", "Express Shipping", ["charging-dock"], true],
])(
  "%s: checkout, emails, the order's page and its data, and the back office name the same days",
  async (_name, method, slugs, isDelayed) => {
    await query("UPDATE products SET ships_from = $1 WHERE slug = 'charging-dock'", [preOrderDay]);
    const guest = await guestWith(slugs[0]);
    for (const slug of slugs.slice(1)) await guest.add(slug, 1);
    const checkout = textOf(await (await guest.fetch("/checkout")).text());
    let [arrives] = found(checkout, new RegExp(`${method} .*?Arrives (.+?) (?:\\$|FREE)`));
    const shippingMethod = method.split(" ")[0]!.toLowerCase();
    const { orderId, email } = await paid(await place(guest, { shippingMethod }));

    const confirmed = (await emailTo(shop.url, email, "Your Polara order")).text;
    let [word, ships, mailed] = found(confirmed, /It ships (by|on) (.+?) and should arrive (.+?)\. /);
    expect(mailed).toBe(arrives);
    const [row] = await query<{ ship_by: string }>("SELECT ship_by::text FROM orders WHERE id = $1", [orderId]);
    expect(ships).toContain(short(row!.ship_by));
    if (slugs.includes("charging-dock")) {
      expect([word, row!.ship_by]).toEqual([slugs.length > 1 ? "by" : "on", preOrderDay]);
      expect(confirmed).toContain("Pre-order, ships ");
    }
    if (isDelayed) {
      const form = { until: delayedTo, reason: "not-ready", paysAgain: "on" };
      expect((await owner.visitor.post(`/admin/orders/${orderId}?intent=delay`, form)).status).toBe(200);
      const notice = await emailTo(shop.url, email, "ships later");
      expect(notice.text).toContain(`will ship later than planned: by ${dayText(delayedTo)}.`);
      expect(
        (await owner.visitor.post(`/admin/orders/${orderId}?intent=email`, { email: "confirmation" })).status,
      ).toBe(200);
      await expect
        .poll(async () => (await emailTo(shop.url, email, "Your Polara order")).text)
        .toContain(`It ships by ${short(delayedTo)}`);
      const again = (await emailTo(shop.url, email, "Your Polara order")).text;
      [word, ships, arrives] = found(again, /It ships (by|on) (.+?) and should arrive (.+?)\. /);
      expect(again).not.toMatch(/Pre-order, ships (?!by)/);
    }

    const page = textOf(await (await guest.fetch(`/orders/${orderId}`)).text());
    expect(page).toMatch(new RegExp(`Ships \\(still to come\\) ${word} ${ships} `, "i"));
    expect(page).toContain(`Arrives (still to come) ${arrives} `);
    const data = await (await guest.fetch(`/orders/${orderId}.data`)).text();
    expect(data).toContain(`"${word === "by" ? "By" : "On"} ${ships}"`);
    expect(data).toContain(`"${arrives}"`);
    const office = textOf(await (await owner.visitor.fetch(`/admin/orders/${orderId}`)).text());
    expect(office).toContain(`Ship by ${ships}`);
    expect(office).toContain(`Arrives ${arrives} `);
  },
);

const linked = (html: string) => /href="[^"]*(\/terms\/[^"]+)"/.exec(html)?.[1];

/** The pages and the email of an order link to `terms`, which anybody can open. */
async function expectTerms({ orderId, email }: Placed, terms: string) {
  const confirmation = await emailTo(shop.url, email, /^Your Polara order \w+$/);
  const link = linkIn(confirmation, terms);
  const holder = new Visitor(shop.url);
  await holder.fetch(linkIn(confirmation, `/orders/${orderId}`));
  expect(linked(await (await holder.fetch(`/orders/${orderId}`)).text())).toBe(link);
  expect(linked(await (await owner.visitor.fetch(`/admin/orders/${orderId}`)).text())).toBe(link);
  const page = await fetch(shop.url + link);
  expect(page.status).toBe(200);
  return page.text();
}

const priceOf = async (slug: string) => {
  const { price } = (await (await fetch(`${shop.url}/api/products/${slug}`)).json()) as { price: { cents: number } };
  return price.cents;
};

it("the shop that starts six days ahead does what has fallen due, and goes on in that time", async () => {
  const { staffId } = owner;
  const second = daysAfter(today, 3);
  await database.db.insert(texts).values({
    key: "legal-terms",
    version: 1,
    fields: {},
    markdown: "## Acceptance {#acceptance}\n\nYou agree twice.",
    publishAt: newYorkMoment(`${second}T00:00`),
    effectiveOn: second,
    staffId: staffId,
  });
  const free = { section: "shipping", value: { freeFromCents: 91_00 }, staffId: staffId } as const;
  await database.db.insert(settingsVersions).values({ ...free, effectiveOn: second });
  const before = await paid(await reserve());
  const sameDay = { ...free, value: { freeFromCents: 92_00 }, effectiveOn: today };
  await database.db.insert(settingsVersions).values(sameDay);
  const slug = "polara-pro-earth-green";
  await query("UPDATE products SET early_bird_end_date = now() + interval '5 days' WHERE slug = $1", [slug]);
  const unpaid = await reserve();
  const waiting = await paid(await reserve());
  await query("UPDATE orders SET ship_by = $2 WHERE id = $1", [waiting.orderId, today]);
  expect([await statusOf(unpaid.orderId), await priceOf(slug)]).toEqual(["unpaid", 9_900]);
  const customer = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");

  await startAgain({ clockOffset: `${DAYS}d` });
  const day = new Date(Date.now() + DAYS * 86_400_000);
  expect(shop.output()).toContain(
    `Its clock says:  ${day.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "America/New_York" })} at `,
  );
  // The reservation, the early-bird price and the day to ship are over, and the authorization ends within two days.
  await until(unpaid.orderId, "expired");
  expect(await priceOf(slug)).toBe(14_900);
  await emailTo(shop.url, "support@polara.example", orderNumber(waiting.orderId));
  await emailTo(shop.url, waiting.email, "ships later");

  // A new order is paid, its webhook is believed, and all its times are of that day.
  const later = await paid(await reserve());
  const early = await query(
    `SELECT 'order' AS what FROM orders WHERE id = $1 AND created_at < now() + $2 * interval '1 day' - interval '1 hour'
     UNION ALL SELECT type FROM order_events WHERE order_id = $1 AND at < now() + $2 * interval '1 day' - interval '1 hour'
     UNION ALL SELECT state FROM payments WHERE order_id = $1 AND least(created_at, read_at, capture_before)
       < now() + $2 * interval '1 day' - interval '1 hour'`,
    [later.orderId, DAYS],
  );
  expect(early).toEqual([]);
  await expect
    .poll(() =>
      query("SELECT FROM payment_inbox WHERE handled_at > now() + $1 * interval '1 day' - interval '1 hour'", [DAYS]),
    )
    .not.toEqual([]);

  // The browser counts down by the same clock, and nobody is signed out.
  const home = await (await fetch(shop.url)).text();
  expect(home).toContain(`data-clock-offset="${DAYS * 86_400_000}"`);
  expect(await customer.visitor.isIn()).toBe(true);
  expect((await owner.visitor.fetch("/admin")).status).toBe(200);

  // Its order has the second terms, and one before it the first with the numbers of its time.
  const first = await expectTerms(before, `/terms/${policy.effectiveDate}`);
  expect(first).toContain(formatMoneyShort(FIRST_SETTINGS.shipping.freeFromCents));
  expect(first).not.toMatch(/You agree twice|\$9[12]/);
  expect(await expectTerms(later, `/terms/${second}`)).toContain("You agree twice");
});

const ORDERS = 12;
const DONE = 7;
const SLUG = "polara-classic-frost-white";
const UNTIL = daysAfter(today, 45);

const delayed = async () =>
  (await query<{ orders: number }>("SELECT count(*)::int AS orders FROM orders WHERE ship_by = $1", [UNTIL]))[0]!
    .orders;
const requested = () => query("SELECT FROM product_delays");

it(`a new day of a product reaches ${ORDERS} orders once each, although the shop is killed in the middle of one`, async () => {
  const support = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "support");
  const [product] = await query<{ id: string }>(
    "UPDATE products SET ships_from = (now() AT TIME ZONE 'America/New_York')::date + 30 WHERE slug = $1 RETURNING id",
    [SLUG],
  );
  for (let placed = 0; placed < ORDERS; placed++) await placedOrder(database.db, { [SLUG]: 1 }, { keepsCard: true });
  const send = async (fields: Record<string, string>) => {
    const path = `/admin/products/${product!.id}?intent=delay`;
    const answer = await support.visitor.post(path, { reason: "supplier", until: UNTIL, ...fields });
    const html = (await answer.text()).replaceAll("<!-- -->", "");
    return { status: answer.status, html, confirms: /name="confirms" value="([^"]*)"/.exec(html)?.[1] ?? "" };
  };
  const { confirms } = await send({});
  // The order after these waits with its last statement, the row of the audit log.
  const blocker = await database.pool.connect();
  await blocker.query("SELECT pg_advisory_lock(1)");
  await query(`
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM audit_log WHERE action = 'order.delay' AND staff_id = '${support.staffId}') = ${DONE} THEN PERFORM pg_advisory_xact_lock(1); END IF;
      RETURN NEW; END $$;
    CREATE TRIGGER wait BEFORE INSERT ON audit_log FOR EACH ROW WHEN (NEW.action = 'order.delay') EXECUTE FUNCTION wait()`);
  const { status, html } = await send({ confirms, movesShipDay: "on" });
  expect([status, html.includes(`${ORDERS} orders will be delayed`)]).toEqual([200, true]);
  // Support changes orders, but no product.
  expect(await query("SELECT FROM products WHERE ships_from = $1", [UNTIL])).toEqual([]);
  await startAgain({ clockOffset: `${DAYS + 1}d` });
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
  await startAgain({ clockOffset: `${DAYS + 2}d` });
  await expect.poll(requested, { timeout: 120_000 }).toEqual([]);
  expect(await delayed()).toBe(ORDERS);
  const wrong = await query(
    `SELECT orders.id FROM orders WHERE ship_by = $1 AND 1 <> ANY (ARRAY[
       (SELECT count(*) FROM order_events WHERE order_id = orders.id AND type = 'delayed'),
       (SELECT count(*) FROM pgboss.job WHERE data->>'template' = 'order-delayed' AND data->>'orderId' = orders.id::text),
       (SELECT count(*) FROM audit_log WHERE action = 'order.delay' AND subject = 'order:' || orders.id)])`,
    [UNTIL],
  );
  expect(wrong).toEqual([]);
  const emails = () =>
    query(
      `SELECT FROM mailbox_messages JOIN orders ON email = "to" WHERE ship_by = $1 AND subject LIKE '%ships later'`,
      [UNTIL],
    );
  await expect.poll(emails, { timeout: 60_000 }).toHaveLength(ORDERS);
});
