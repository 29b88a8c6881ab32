/** Sales tax at the checkout: quoted by address, compared with what the shopper saw, frozen with the order. */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { usePayingShop } from "../../support/paying-shop.ts";
import { changeSettings } from "../../support/settings.ts";
import type { Visitor } from "../../support/visitor.ts";

const { database, sandbox, query, guestWith } = usePayingShop({ TAX: "stripe" }, { tax: { TX: true, CA: true } });

const TEXAS = { shippingState: "TX", shippingCity: "Austin", shippingPostalCode: "78701" };
const CALIFORNIA = { shippingState: "CA", shippingCity: "San Francisco", shippingPostalCode: "94103" };
const SLEEVE_CENTS = 19_00;
const SHIPPING_CENTS = 9_99;

const textOf = (html: string) => html.replaceAll("<!-- -->", "").replaceAll(/<[^>]+>/g, " ");
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
    expect((await submit(guest, { email, ...CALIFORNIA, seenTax: moved.seenTax })).status).toBe(303);
    expect(await ordersOf(email)).toMatchObject([{ tax: 1_38, shipping_tax: 0, lines: [1_38] }]);
  });

  it.each(["-1", "1.5", "free", "239239"])("a tax of %s, which nobody showed, is asked about", async (seenTax) => {
    const [guest, email] = [await guestWith(), someone()];
    expect((await submit(guest, { email, ...TEXAS, seenTax })).status).toBe(409);
    expect(await ordersOf(email)).toEqual([]);
  });

  it("a ZIP code of another state is refused beside its field", async () => {
    const [guest, email] = [await guestWith(), someone()];
    const { status, text } = await submit(guest, { email, ...TEXAS, shippingPostalCode: "10001" });
    expect([status, text.includes("This ZIP code doesn’t belong to the state.")]).toEqual([400, true]);
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
    expect(await ask(guest, {})).toEqual([400, { message: expect.stringContaining("is missing") }]);
    expect(await ask(guest, { ...TEXAS, shippingPostalCode: "10001" })).toEqual([
      503,
      { message: expect.stringContaining("doesn’t belong to the state") },
    ]);
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
