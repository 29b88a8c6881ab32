/** A promised day that passes: the notice by itself, and the end of an order whose customer does not answer. */
import { expect, it } from "vitest";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { useTrialShop } from "../../support/paying-shop.ts";
import { unitsOf } from "../../support/stock.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, database, startAgain, query, reserve, pay, comeBack, until, eventsOf } = useTrialShop();

it("an order that never ships is asked about after 30 days, and ends after 30 more unless its customer agrees", async () => {
  const units = await unitsOf(database.pool, "travel-sleeve");
  const [silent, kept] = [await reserve(), await reserve()];
  for (const placed of [silent, kept]) {
    await comeBack(placed, await pay(placed));
    await until(placed.orderId, "processing");
  }

  await startAgain({ clockOffset: "31d" });
  for (const { email } of [silent, kept])
    expect((await emailTo(shop.url, email, "ships later")).text).toContain("we’ll cancel your order for you");
  const link = linkIn(await emailTo(shop.url, kept.email, "ships later"), `/orders/${kept.orderId}`);
  const guest = new Visitor(shop.url);
  await guest.fetch(link);
  expect((await guest.post(`/orders/${kept.orderId}`, { intent: "keep" })).status).toBe(303);

  await startAgain({ clockOffset: "62d" });
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
