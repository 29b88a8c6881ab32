/** A promised day that passes: the notice by itself, and the end of an order whose customer does not answer. */
import { expect, it } from "vitest";
import { dayText } from "#shop/policy-text.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { textOf } from "../../support/page-data.ts";
import { useTrialShop } from "../../support/paying-shop.ts";
import { makeStaff } from "../../support/staff-member.ts";
import { unitsOf } from "../../support/stock.ts";
import { AUTH_SECRET } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, database, startAgain, query, guestWith, place, reserve, pay, comeBack, until, eventsOf } = useTrialShop();

const today = newYorkDay(new Date());
const preOrderDay = daysAfter(today, 20);
const delayedTo = daysAfter(today, 25);
/** Words without the year, which is named where it is another one. */
const short = (day: string) =>
  new Date(day).toLocaleDateString("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
const found = (text: string, pattern: RegExp) => (pattern.exec(text) ?? []).slice(1);

it.each([
  ["in stock", "Standard Shipping", ["lid-gasket-set"], false],
  ["in stock, express", "Express Shipping", ["lid-gasket-set"], false],
  ["a pre-order", "Standard Shipping", ["charging-dock"], false],
  ["mixed", "Overnight Shipping", ["ethylene-filter-2-pack", "charging-dock"], false],
  ["in stock, delayed", "Standard Shipping", ["ethylene-filter-2-pack"], true],
  ["a pre-order, delayed", "Express Shipping", ["charging-dock"], true],
])(
  "%s: checkout, emails, the order's page and its data, and the back office name the same days",
  async (_name, method, slugs, isDelayed) => {
    await query("UPDATE products SET ships_from = $1 WHERE slug = 'charging-dock'", [preOrderDay]);
    const guest = await guestWith(slugs[0]);
    for (const slug of slugs.slice(1)) await guest.add(slug, 1);
    const { visitor: owner } = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "owner");
    const checkout = textOf(await (await guest.fetch("/checkout")).text());
    let [arrives] = found(checkout, new RegExp(`${method} .*?Arrives (.+?) (?:\\$|FREE)`));
    const placed = await place(guest, { shippingMethod: method.split(" ")[0]!.toLowerCase() });
    const { orderId, email } = placed;
    await comeBack(placed, await pay(placed));
    await until(orderId, "processing");

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
      expect((await owner.post(`/admin/orders/${orderId}?intent=delay`, form)).status).toBe(200);
      const notice = await emailTo(shop.url, email, "ships later");
      expect(notice.text).toContain(`will ship later than planned: by ${dayText(delayedTo)}.`);
      expect((await owner.post(`/admin/orders/${orderId}?intent=email`, { email: "confirmation" })).status).toBe(200);
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
    const office = textOf(await (await owner.fetch(`/admin/orders/${orderId}`)).text());
    expect(office).toContain(`Ship by ${ships}`);
    expect(office).toContain(`Arrives ${arrives} `);
  },
);

it("an order that does not ship by its day is asked about, and ends after 30 more unless its customer agrees", async () => {
  const units = await unitsOf(database.pool, "travel-sleeve");
  const [silent, kept] = [await reserve(), await reserve()];
  for (const placed of [silent, kept]) {
    await comeBack(placed, await pay(placed));
    await until(placed.orderId, "processing");
  }

  // Two business days, with weekends and holidays.
  await startAgain({ clockOffset: "7d" });
  for (const { email } of [silent, kept])
    expect((await emailTo(shop.url, email, "ships later")).text).toContain("we’ll cancel your order for you");
  const link = linkIn(await emailTo(shop.url, kept.email, "ships later"), `/orders/${kept.orderId}`);
  const guest = new Visitor(shop.url);
  await guest.fetch(link);
  expect((await guest.post(`/orders/${kept.orderId}`, { intent: "keep" })).status).toBe(303);

  await startAgain({ clockOffset: "40d" });
  await until(silent.orderId, "canceled");
  expect((await emailTo(shop.url, silent.email, "is canceled")).text).toContain("didn’t hear that you’d wait");
  const page = new Visitor(shop.url);
  await page.fetch(linkIn(await emailTo(shop.url, silent.email, "is canceled"), `/orders/${silent.orderId}`));
  const html = await (await page.fetch(`/orders/${silent.orderId}`)).text();
  expect(html).toContain("We couldn’t ship it in time, and didn’t hear that you’d wait.");
  expect(html).not.toContain("Keep my order");
  expect(await eventsOf(silent.orderId)).toEqual(expect.arrayContaining(["delayed", "canceled"]));
  expect(await eventsOf(kept.orderId)).not.toContain("canceled");
  expect(await unitsOf(database.pool, "travel-sleeve")).toBe(units - 1);
  // One notice each, although the shop was started three times.
  expect(
    await query(
      "SELECT data->>'orderId' FROM pgboss.job WHERE data->>'template' = 'order-delayed' AND data->>'orderId' IN ($1, $2)",
      [silent.orderId, kept.orderId],
    ),
  ).toHaveLength(2);
});
