/** CLOCK_OFFSET: a trial shop started again on the same data, days later. */
import { expect, it } from "vitest";
import { orderNumber } from "#shop/orders/order.ts";
import { makeActor } from "../../support/actors.ts";
import { emailTo } from "../../support/mailbox.ts";
import { useTrialShop } from "../../support/paying-shop.ts";
import { makeStaff } from "../../support/staff-member.ts";
import { AUTH_SECRET } from "../../support/use-shop.ts";

const { shop, database, startAgain, query, reserve, pay, comeBack, statusOf, until } = useTrialShop();

const DAYS = 6;
const priceOf = async (slug: string) => {
  const { price } = (await (await fetch(`${shop.url}/api/products/${slug}`)).json()) as { price: { cents: number } };
  return price.cents;
};

it("the shop that starts six days ahead does what has fallen due, and goes on in that time", async () => {
  const slug = "polara-pro-earth-green";
  await query("UPDATE products SET early_bird_end_date = now() + interval '5 days' WHERE slug = $1", [slug]);
  const unpaid = await reserve();
  const waiting = await reserve();
  await comeBack(waiting, await pay(waiting));
  await until(waiting.orderId, "processing");
  expect([await statusOf(unpaid.orderId), await priceOf(slug)]).toEqual(["unpaid", 9_900]);
  const customer = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
  const staff = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "owner");

  await startAgain({ clockOffset: `${DAYS}d` });
  const day = new Date(Date.now() + DAYS * 86_400_000);
  expect(shop.output()).toContain(
    `Its clock says:  ${day.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "America/New_York" })} at `,
  );
  // The reservation and the early-bird price are over, and the authorization ends within two days.
  await until(unpaid.orderId, "expired");
  expect(await priceOf(slug)).toBe(14_900);
  await emailTo(shop.url, "support@polara.example", orderNumber(waiting.orderId));

  // A new order is paid, its webhook is believed, and all its times are of that day.
  const later = await reserve();
  await comeBack(later, await pay(later));
  await until(later.orderId, "processing");
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
  expect((await staff.visitor.fetch("/admin")).status).toBe(200);
});
