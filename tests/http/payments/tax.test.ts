/**
 * Sales tax: quoted by address, compared with what the shopper saw, frozen with the order. The buyer's own form changes the
 * address afterwards.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { orderKey } from "#shop/orders/order-link.server.ts";
import { emailTo } from "../../support/mailbox.ts";
import { textOf } from "../../support/page-data.ts";
import { usePayingShop, type Placed } from "../../support/paying-shop.ts";
import { changeSettings } from "../../support/settings.ts";
import { makeStaff } from "../../support/staff-member.ts";
import { AUTH_SECRET } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, database, query, guestWith, place, reserve, pay, comeBack, until, eventsOf, mailsOf, sandbox } =
  usePayingShop({ TAX: "stripe", AUTH_SECRET }, { tax: { TX: true, CA: true } });

const TEXAS = { shippingState: "TX", shippingCity: "Austin", shippingPostalCode: "78701" };
const CALIFORNIA = { shippingState: "CA", shippingCity: "San Francisco", shippingPostalCode: "94103" };
const SLEEVE_CENTS = 19_00;
const SHIPPING_CENTS = 9_99;

const seenTaxOf = (html: string) => /name="seenTax"[^>]*value="(\d+)"/.exec(html)?.[1] ?? "";

/** Submits the checkout as a page without JavaScript. */
async function submit(guest: Visitor, fields: Record<string, string>) {
  const response = await guest.checkout(fields);
  const html = await response.text();
  return { status: response.status, html, text: textOf(html), seenTax: seenTaxOf(html) };
}

const ordersOf = (email: string) =>
  query<{ tax: number; shipping_tax: number; total: number; tax_reference: string; lines: number[]; amount: number }>(
    `SELECT orders.tax, shipping_tax, total, tax_reference, payments.amount,
       (SELECT array_agg(tax) FROM order_items WHERE order_id = orders.id) AS lines
     FROM orders JOIN payments ON order_id = orders.id WHERE email = $1`,
    [email],
  );
const someone = () => `buyer-${randomUUID()}@example.com`;

describe("without JavaScript", () => {
  it("the first submission shows tax and total, and the second places the order", async () => {
    const [guest, email] = [await guestWith(), someone()];
    const first = await submit(guest, { email, ...TEXAS });
    expect([first.status, first.seenTax]).toEqual([409, "239"]);
    expect(first.text).toContain("Sales tax at your address is $2.39, so your total is $31.38.");
    expect(first.html).toContain('value="78701"');
    expect(await ordersOf(email)).toEqual([]);
    const second = await submit(guest, { email, ...TEXAS, seenTax: first.seenTax });
    expect(second.status).toBe(303);
    const total = SLEEVE_CENTS + SHIPPING_CENTS + 2_39;
    expect(await ordersOf(email)).toEqual([
      {
        tax: 2_39,
        shipping_tax: 82,
        lines: [1_57],
        total,
        amount: total,
        tax_reference: expect.stringMatching(/^taxcalc_/),
      },
    ]);
  });

  it.each([
    ["Oregon", { shippingState: "OR", shippingPostalCode: "97201" }],
    ["a state where nothing is collected", {}],
  ])("an order to %s is placed at once, without tax", async (_, address) => {
    const [guest, email] = [await guestWith(), someone()];
    expect((await submit(guest, { email, ...address })).status).toBe(303);
    expect(await ordersOf(email)).toMatchObject([{ tax: 0, shipping_tax: 0, lines: [0], amount: 28_99 }]);
  });

  it("another address is asked about again, with the old and the new amount", async () => {
    const [guest, email] = [await guestWith(), someone()];
    const { seenTax } = await submit(guest, { email, ...TEXAS });
    const moved = await submit(guest, { email, ...CALIFORNIA, seenTax });
    expect([moved.status, moved.seenTax]).toEqual([409, "138"]);
    expect(moved.text).toContain("Sales tax is now $1.38 instead of $2.39, so your total is $30.37.");
    expect((await submit(guest, { email, ...CALIFORNIA, seenTax: "free" })).status).toBe(409);
    expect((await submit(guest, { email, ...CALIFORNIA, seenTax: moved.seenTax })).status).toBe(303);
    expect(await ordersOf(email)).toMatchObject([{ tax: 1_38, shipping_tax: 0, lines: [1_38] }]);
  });

  it("a ZIP code of another state is refused beside its field", async () => {
    const [guest, email] = [await guestWith(), someone()];
    const { status, text } = await submit(guest, { email, ...TEXAS, shippingPostalCode: "10001" });
    expect([status, text.includes("ZIP code 10001 is in New York.")]).toEqual([400, true]);
  });
});

describe("while the provider is away", () => {
  // Another quantity each, because a quote is remembered.
  it("the buyer is told, nothing is ordered, and trying again works", async () => {
    const [guest, email] = [await guestWith("travel-sleeve", 3), someone()];
    await sandbox.control({ do: "fail", order: { on: "call", fault: "cut", path: "/v1/tax/calculations" } });
    const away = await submit(guest, { email, ...TEXAS });
    expect(away.status).toBe(503);
    expect(away.text).toContain("We couldn’t calculate the sales tax just now. Please try again.");
    expect(away.html).toContain('value="78701"');
    await expect.poll(() => shop.output()).toContain("the sales tax was not quoted");
    expect(await ordersOf(email)).toEqual([]);
    const { seenTax } = await submit(guest, { email, ...TEXAS });
    expect((await submit(guest, { email, ...TEXAS, seenTax })).status).toBe(303);
  });

  it("a repeated submission still leads to its order", async () => {
    const [guest, email, checkoutKey] = [await guestWith("travel-sleeve", 4), someone(), randomUUID()];
    const { seenTax } = await submit(guest, { email, ...TEXAS, checkoutKey });
    const { seen } = await guest.checkoutFields();
    const fields = { email, ...TEXAS, checkoutKey, seen, seenTax };
    expect((await submit(guest, fields)).status).toBe(303);
    await sandbox.control({ do: "fail", order: { on: "call", fault: "cut", path: "/v1/tax/calculations" } });
    // Another method, whose quote nobody has asked for.
    expect((await submit(guest, { ...fields, shippingMethod: "overnight" })).status).toBe(303);
    await sandbox.control({ do: "behave" });
    expect(await ordersOf(email)).toHaveLength(1);
  });
});

describe("the amount for the page's script", () => {
  const ask = async (guest: Visitor, fields: Record<string, string>) => {
    const question = new URLSearchParams({ shippingMethod: "standard", ...fields });
    const response = await guest.fetch(`/checkout/tax.json?${question}`);
    return [response.status, await response.json()];
  };

  it("is that of the caller's own cart", async () => {
    const guest = await guestWith();
    expect(await ask(guest, TEXAS)).toEqual([200, { taxCents: 2_39 }]);
    expect(await ask(guest, { ...TEXAS, shippingMethod: "overnight" })).toEqual([200, { taxCents: 4_46 }]);
    await guest.post("/cart/clear", {});
    expect(await ask(guest, TEXAS)).toEqual([200, { taxCents: 0 }]);
  });

  it("is refused in words without an address, and for a ZIP code of another state", async () => {
    const guest = await guestWith();
    expect(await ask(guest, {})).toEqual([400, { message: "State is required" }]);
    expect(await ask(guest, { ...TEXAS, shippingPostalCode: "10001" })).toEqual([
      400,
      { message: expect.stringContaining("ZIP code 10001 is in New York.") },
    ]);
  });
});

const BROOKLYN = {
  shippingFirstName: "Grace",
  shippingLastName: "Hopper",
  shippingAddressLine1: "1 Other Street",
  shippingAddressLine2: "",
  shippingCity: "Brooklyn",
  shippingState: "NY",
  shippingPostalCode: "11201",
};
const AUSTIN = { ...BROOKLYN, shippingCity: "Austin", shippingState: "TX", shippingPostalCode: "78701" };

async function paid(placed: Placed): Promise<Placed> {
  await comeBack(placed, await pay(placed));
  await until(placed.orderId, "processing");
  return placed;
}
const authorized = async () => paid(await reserve());
async function preOrder(): Promise<Placed> {
  await query("UPDATE products SET ships_from = (now() + interval '45 days')::date WHERE slug = 'charging-dock'");
  return paid(await place(await guestWith("charging-dock")));
}

async function linkedTo({ orderId: id }: Placed): Promise<Visitor> {
  const who = new Visitor(shop.url);
  await who.fetch(`/orders/${id}?k=${orderKey({ id, linkVersion: 1 }, AUTH_SECRET)}&intent=address`);
  return who;
}
const formPath = ({ orderId }: Placed) => `/orders/${orderId}?intent=address`;
async function send(who: Visitor, placed: Placed, fields: Record<string, string> = BROOKLYN) {
  const answer = await who.post(formPath(placed), { intent: "address", ...fields });
  const html = await answer.text();
  return { status: answer.status, html, text: textOf(html), seenTax: seenTaxOf(html) };
}
const orderOf = async ({ orderId }: Placed) =>
  (
    await query<{ line: string; state: string; tax: number; total: number; quote: string }>(
      "SELECT shipping_address_line1 AS line, shipping_state AS state, tax, total, tax_reference AS quote FROM orders WHERE id = $1",
      [orderId],
    )
  )[0];

describe("the address form", () => {
  it("is opened by the emailed link without the address in it, and changes it once for the order's email to know", async () => {
    const placed = await authorized();
    const who = await linkedTo(placed);
    const form = await (await who.fetch(formPath(placed))).text();
    expect(form).toContain("Change the delivery address");
    expect(form).not.toMatch(/Lovelace|Analytical|10001/);
    expect((await send(who, placed)).status).toBe(303);
    expect(await orderOf(placed)).toMatchObject({ line: "1 Other Street", state: "NY" });
    const { text } = await emailTo(shop.url, placed.email, "has changed");
    expect(text).toContain("It now ships to G••• H•••, number 1••, NY 112••.");
    expect(text).not.toMatch(/Hopper|Other Street|Brooklyn/);
    expect((await send(who, placed)).status).toBe(303);
    expect(await mailsOf(placed.orderId, "order-address-changed")).toBe(1);
    expect((await eventsOf(placed.orderId)).filter((type) => type === "address-changed")).toHaveLength(1);
    expect(textOf(await (await who.fetch(`/orders/${placed.orderId}`)).text())).toContain("Address changed");
  });

  it("shows the address to the browser in which it was ordered, and every problem beside its field", async () => {
    const placed = await authorized();
    expect(await (await placed.guest.fetch(formPath(placed))).text()).toContain('value="12 Analytical Ave"');
    const { status, html, text } = await send(placed.guest, placed, {
      ...BROOKLYN,
      shippingCity: "",
      shippingPostalCode: "1",
    });
    expect(status).toBe(400);
    expect(text).toMatch(/City is required.*Postal code must be at least 5 digits/);
    expect(html).toContain('value="1 Other Street"');
    expect(await orderOf(placed)).toMatchObject({ line: "12 Analytical Ave" });
  });

  it("answers 404 by another order's link, a revoked one or none, and changes nothing", async () => {
    const [placed, other] = [await authorized(), await authorized()];
    const former = await linkedTo(placed);
    await query("UPDATE orders SET link_version = 2 WHERE id = $1", [placed.orderId]);
    for (const who of [await linkedTo(other), other.guest, former, new Visitor(shop.url)])
      expect((await send(who, placed)).status).toBe(404);
    expect((await send(placed.guest, { ...placed, orderId: randomUUID() })).status).toBe(404);
    expect(await orderOf(placed)).toMatchObject({ line: "12 Analytical Ave" });
  });
});

describe("a new address in another state", () => {
  it("shows a pre-order's new total, which is confirmed", async () => {
    const placed = await preOrder();
    const first = await send(placed.guest, placed, AUSTIN);
    expect([first.status, (await orderOf(placed))?.state]).toEqual([409, "NY"]);
    expect(first.text).toMatch(/Sales tax at this address is \$4\.04 instead of \$0\.00, so your total is \$53\.03\./);
    expect(first.html).toContain('value="78701"');
    expect((await send(placed.guest, placed, { ...AUSTIN, seenTax: first.seenTax })).status).toBe(303);
    expect(await orderOf(placed)).toMatchObject({ line: "1 Other Street", state: "TX", tax: 4_04 });
  });

  it("that costs more than was authorized is refused, with the support as the way on", async () => {
    const placed = await authorized();
    const { status, text, html } = await send(placed.guest, placed, AUSTIN);
    expect([status, (await orderOf(placed))?.state]).toEqual([409, "NY"]);
    expect(text).toContain("your total would be $31.38. Your payment is for a different amount");
    expect(html).toContain(`href="/support?order=${placed.orderId.slice(0, 8)}#contact"`);
  });

  it("is not taken while the tax is unknown", async () => {
    const placed = await preOrder();
    await sandbox.control({ do: "fail", order: { on: "call", fault: "cut", path: "/v1/tax/calculations" } });
    const away = await send(placed.guest, placed, { ...AUSTIN, shippingState: "CA", shippingPostalCode: "94103" });
    expect([away.status, (await orderOf(placed))?.state]).toEqual([503, "NY"]);
    expect(away.text).toContain("We couldn’t calculate the sales tax just now. Your address hasn’t changed.");
    await sandbox.control({ do: "behave" });
  });
});

describe("staff, without JavaScript,", () => {
  async function correct(placed: Placed, fields: Record<string, string>) {
    const { visitor: support } = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "support");
    const path = `/admin/orders/${placed.orderId}`;
    const shown = await (await support.fetch(path)).text();
    const addressSeen = /name="addressSeen"[^>]*value="([^"]*)"/.exec(shown)?.[1] ?? "";
    const answer = await support.post(`${path}?intent=address`, { addressSeen, ...AUSTIN, ...fields });
    const html = await answer.text();
    return { status: answer.status, text: textOf(html), seenTax: seenTaxOf(html) };
  }

  it("see what the tax of another state changes, and have the customer pay again", async () => {
    const placed = await authorized();
    const first = await correct(placed, {});
    expect([first.status, first.seenTax, (await orderOf(placed))?.state]).toEqual([409, "239", "NY"]);
    expect(first.text).toContain("Sales tax changes from $0.00 to $2.39. Choose who pays the difference.");
    expect(first.text).toMatch(
      /The customer, who is asked to pay again: \$31\.38 in all.*We pay it, the customer pays \$28\.99 in all/,
    );
    const second = await correct(placed, { seenTax: first.seenTax, bears: "customer" });
    expect(second.text).toContain("Address updated. The customer was notified.");
    expect(await orderOf(placed)).toMatchObject({ state: "TX", tax: 2_39, total: 31_38 });
    expect((await emailTo(shop.url, placed.email, "has changed")).text).toContain("Please pay again");
  });
});

it("where the registration has ended, nothing is added, asked or recorded", async () => {
  await changeSettings(database.db, { tax: { TX: false } });
  const guest = await guestWith("travel-sleeve", 5);
  const asked = `/checkout/tax.json?${new URLSearchParams({ ...TEXAS, shippingMethod: "standard" })}`;
  await sandbox.control({ do: "fail", times: 9, order: { on: "call", fault: "cut", path: "/v1/tax/calculations" } });
  await expect.poll(async () => (await guest.fetch(asked)).json()).toEqual({ taxCents: 0 });
  const email = someone();
  expect((await submit(guest, { email, ...TEXAS })).status).toBe(303);
  await sandbox.control({ do: "behave" });
  expect(await ordersOf(email)).toMatchObject([{ tax: 0, shipping_tax: 0, lines: [0], tax_reference: null }]);
});
