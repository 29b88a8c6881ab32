/** What the page of an order does with money: its buttons pay, change and cancel, and say so. */
import { describe, expect, it } from "vitest";
import { orderKey } from "../../../shop/orders/order-link.server.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { payOnPage } from "../../support/pay-page.ts";
import { setUnits, unitsOf } from "../../support/stock.ts";
import { Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const paying = usePayingShop({ AUTH_SECRET });
const { hold, pay, comeBack, statusOf, eventsOf, mailsOf, until, database, shop } = paying;

const textOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
const pageIn = async (who: Visitor, path: string) => textOf(await (await who.fetch(path)).text());
const pageOf = (who: Visitor, id: string) => pageIn(who, `/orders/${id}`);
const act = (who: Visitor, id: string, name: string) => who.post(`/orders/${id}`, { act: name });

async function linkedTo(id: string): Promise<Visitor> {
  const who = new Visitor(shop.url);
  expect((await who.fetch(`/orders/${id}?k=${orderKey({ id, linkVersion: 1 }, AUTH_SECRET)}`)).status).toBe(303);
  return who;
}

describe("an unpaid order's page", () => {
  it("is where a buyer comes back to, stays, and is told that the order is placed", async () => {
    const held = await hold();
    const { guest, orderId } = held;
    expect(await pageOf(guest, orderId)).toMatch(/Waiting for your payment.*Yours until.*Pay now.*Change my order/);
    const back = await comeBack(held, await pay(held));
    expect(back).toMatch(new RegExp(`^/orders/${orderId}`));
    expect((await guest.fetch(back ?? "")).headers.get("Location")).toBe(`/orders/${orderId}`);
    const told = (await (await guest.fetch("/personal")).json()) as object;
    expect(JSON.stringify(told)).toContain("Order placed!");
    const text = await pageOf(guest, orderId);
    expect(text).toMatch(/We are getting it ready.*You are charged only then/);
    expect(text).toMatch(/Visa ending in 4242.*Authorized \$28\.99/);
    expect(text).not.toContain("Pay now");
  });

  it("leads to the page of the same payment again, from any browser with its link", async () => {
    const { orderId, url } = await hold();
    const answer = await act(await linkedTo(orderId), orderId, "pay");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, url]);
    expect(answer.headers.get("Content-Security-Policy")).toBeTruthy();
    await payOnPage(url);
    await until(orderId, "processing");
  });

  it("lets its buyer change it: nobody can pay it then, the stock returns, and the cart is full again", async () => {
    await setUnits(database.pool, "charging-dock", 5);
    const { orderId, guest } = await hold("charging-dock", 2);
    expect(await unitsOf(database.pool, "charging-dock")).toBe(3);
    // The question changes nothing.
    expect(await (await guest.fetch(`/orders/${orderId}?act=change`)).text()).toContain("Change this order?");
    expect(await statusOf(orderId)).toBe("unpaid");
    const answer = await act(guest, orderId, "change");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/cart"]);
    const inCart = async () => (await pageIn(guest, "/cart")).match(/Charging Dock/g)?.length;
    const once = await inCart();
    expect([await statusOf(orderId), once]).toEqual(["canceled", expect.any(Number)]);
    expect(await unitsOf(database.pool, "charging-dock")).toBe(5);
    expect((await act(guest, orderId, "change")).status).toBe(409);
    expect((await act(guest, orderId, "pay")).status).toBe(409);
    expect(await inCart()).toBe(once);
  });

  it("ends without an email where it is canceled, because none has confirmed it", async () => {
    const { orderId, guest } = await hold();
    expect((await act(guest, orderId, "cancel")).status).toBe(303);
    expect([await statusOf(orderId), await mailsOf(orderId, "order-canceled")]).toEqual(["canceled", 0]);
    expect(await pageOf(guest, orderId)).toContain("You were not charged.");
  });
});

describe("a paid order's page", () => {
  it("cancels it for nothing: what was authorized is given back, and its buyer hears of it once", async () => {
    const held = await hold();
    await comeBack(held, await pay(held));
    const { orderId, guest } = held;
    for (let press = 0; press < 2; press++) expect((await act(guest, orderId, "cancel")).status).toBe(303);
    expect(await statusOf(orderId)).toBe("canceled");
    expect(await mailsOf(orderId, "order-canceled")).toBe(1);
    await expect.poll(async () => (await paying.paymentsOf(orderId))[0]?.state).toBe("closed");
    expect(await eventsOf(orderId)).toEqual(expect.arrayContaining(["held", "authorized", "canceled"]));
    const text = await pageOf(guest, orderId);
    expect(text).toMatch(/Canceled You were not charged\./);
    await paying.expectBooksToAgree();
  });

  it("is paid once, whatever is pressed", async () => {
    const held = await hold();
    await comeBack(held, await pay(held));
    const answer = await act(held.guest, held.orderId, "pay");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/orders/${held.orderId}`]);
    expect((await act(held.guest, held.orderId, "change")).status).toBe(409);
    expect(await statusOf(held.orderId)).toBe("processing");
  });
});

it("its pages let a form lead to where orders are paid, and no other page does", async () => {
  const { orderId, guest, url } = await hold();
  const policyOf = async (path: string) => (await guest.fetch(path)).headers.get("Content-Security-Policy");
  const provider = `form-action 'self' http://${new URL(url).hostname}:`;
  expect(await policyOf(`/orders/${orderId}`)).toContain(provider);
  expect(await policyOf("/about")).not.toContain(provider);
});

it("the checkout and the terms say what comes next, and promise no way to pay that there is not", async () => {
  const guest = await paying.guestWith();
  const checkout = await pageIn(guest, "/checkout");
  expect(checkout).toContain("secure page to pay by card, Apple Pay, or Google Pay.");
  expect(checkout).not.toContain("Payment will be available later");
  for (const path of ["/terms", "/terms.md", "/privacy", "/warranty"]) {
    const text = await (await fetch(shop.url + path)).text();
    expect(text, path).not.toMatch(/PayPal|Online payment is not open/i);
  }
});
