/** Payment actions of the order page: pay, change and cancel. */
import { describe, expect, it } from "vitest";
import { orderKey } from "#shop/orders/order-link.server.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { payOnPage } from "../../support/pay-page.ts";
import { setUnits, unitsOf } from "../../support/stock.ts";
import { Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const paying = usePayingShop({ AUTH_SECRET });
const { reserve, pay, comeBack, statusOf, eventsOf, mailsOf, until, database, shop } = paying;

const textOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
const pageIn = async (who: Visitor, path: string) => textOf(await (await who.fetch(path)).text());
const pageOf = (who: Visitor, id: string) => pageIn(who, `/orders/${id}`);
const submit = (who: Visitor, id: string, name: string) => who.post(`/orders/${id}`, { intent: name });

async function linkedTo(id: string): Promise<Visitor> {
  const who = new Visitor(shop.url);
  expect((await who.fetch(`/orders/${id}?k=${orderKey({ id, linkVersion: 1 }, AUTH_SECRET)}`)).status).toBe(303);
  return who;
}

describe("an unpaid order's page", () => {
  it("is where a buyer returns and sees that the order is placed", async () => {
    const placed = await reserve();
    const { guest, orderId } = placed;
    expect(await pageOf(guest, orderId)).toMatch(/Waiting for your payment.*Reserved until.*Pay now.*Change my order/);
    const back = await comeBack(placed, await pay(placed));
    expect(back).toMatch(new RegExp(`^/orders/${orderId}`));
    expect((await guest.fetch(back ?? "")).headers.get("Location")).toBe(`/orders/${orderId}`);
    const visitorState = (await (await guest.fetch("/personal")).json()) as object;
    expect(JSON.stringify(visitorState)).toContain("Order placed!");
    const text = await pageOf(guest, orderId);
    expect(text).toMatch(/We’re getting it ready.*We charge you only then/);
    expect(text).toMatch(/Visa ending in 4242.*Authorized \$28\.99/);
    expect(text).not.toContain("Pay now");
  });

  it("opens the same payment page again, from any browser with its link", async () => {
    const { orderId, url } = await reserve();
    const answer = await submit(await linkedTo(orderId), orderId, "pay");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, url]);
    expect(answer.headers.get("Content-Security-Policy")).toBeTruthy();
    await payOnPage(url);
    await until(orderId, "processing");
  });

  it("lets its buyer change it: it can no longer be paid, and its lines return to stock and cart", async () => {
    await setUnits(database.pool, "charging-dock", 5);
    const placed = await reserve("charging-dock", 2);
    const { orderId, guest } = placed;
    expect((await guest.fetch("/checkout")).headers.get("Location")).toContain("/payments/return?order=");
    expect(await unitsOf(database.pool, "charging-dock")).toBe(3);
    expect(await (await guest.fetch(`/orders/${orderId}?intent=change`)).text()).toContain("Change this order?");
    expect(await statusOf(orderId)).toBe("unpaid");
    const answer = await submit(guest, orderId, "change");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/cart"]);
    const inCart = async () => (await pageIn(guest, "/cart")).match(/Charging Dock/g)?.length;
    const once = await inCart();
    expect([await statusOf(orderId), await paying.cartOf(orderId)]).toEqual(["canceled", 2]);
    expect(await unitsOf(database.pool, "charging-dock")).toBe(5);
    expect((await submit(guest, orderId, "change")).status).toBe(409);
    expect((await submit(guest, orderId, "pay")).status).toBe(409);
    expect(await inCart()).toBe(once);
    expect((await pay(placed)).status).toBe(410);
  });

  it("cancels it without an email, because none had confirmed it", async () => {
    const { orderId, guest } = await reserve();
    expect((await submit(guest, orderId, "cancel")).status).toBe(303);
    expect([await statusOf(orderId), await mailsOf(orderId, "order-canceled")]).toEqual(["canceled", 0]);
    expect(await pageOf(guest, orderId)).toContain("You weren’t charged.");
  });
});

describe("a paid order's page", () => {
  it("cancels it free of charge, with one email", async () => {
    const placed = await reserve();
    await comeBack(placed, await pay(placed));
    const { orderId, guest } = placed;
    for (let press = 0; press < 2; press++) expect((await submit(guest, orderId, "cancel")).status).toBe(303);
    expect(await statusOf(orderId)).toBe("canceled");
    expect(await mailsOf(orderId, "order-canceled")).toBe(1);
    await expect.poll(async () => (await paying.paymentsOf(orderId))[0]?.state).toBe("closed");
    expect(await eventsOf(orderId)).toEqual(expect.arrayContaining(["held", "authorized", "canceled"]));
    const text = await pageOf(guest, orderId);
    expect(text).toMatch(/Canceled You weren’t charged\./);
    await paying.expectBooksToAgree();
  });

  it("neither pays nor changes it again", async () => {
    const placed = await reserve();
    await comeBack(placed, await pay(placed));
    const answer = await submit(placed.guest, placed.orderId, "pay");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/orders/${placed.orderId}`]);
    expect((await submit(placed.guest, placed.orderId, "change")).status).toBe(409);
    expect(await statusOf(placed.orderId)).toBe("processing");
  });
});

it("the link back from paying ends with the link version of its order", async () => {
  const placed = await reserve();
  const { pathname, search } = new URL((await pay(placed)).location ?? "");
  const back = async () => (await new Visitor(shop.url).fetch(pathname + search)).status;
  expect(await back()).toBe(303);
  await database.pool.query("UPDATE orders SET link_version = 2 WHERE id = $1", [placed.orderId]);
  expect(await back()).toBe(404);
});

it("only its pages allow forms that redirect to the provider", async () => {
  const { orderId, guest, url } = await reserve();
  const policyOf = async (path: string) => (await guest.fetch(path)).headers.get("Content-Security-Policy");
  const provider = `form-action 'self' http://${new URL(url).hostname}:`;
  expect(await policyOf(`/orders/${orderId}`)).toContain(provider);
  expect(await policyOf("/about")).not.toContain(provider);
});

it("the checkout and the terms name the next step, and no unavailable payment method", async () => {
  const guest = await paying.guestWith();
  const checkout = await pageIn(guest, "/checkout");
  expect(checkout).toContain("pay securely with Stripe: by card, Apple Pay, or Google Pay.");
  expect(checkout).not.toContain("Payment will be available later");
  for (const path of ["/terms", "/terms.md", "/privacy", "/warranty"]) {
    const text = await (await fetch(shop.url + path)).text();
    expect(text, path).not.toMatch(/PayPal|Online payment is not open/i);
  }
});
