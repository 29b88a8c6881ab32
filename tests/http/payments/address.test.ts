/** The buyer's own address form, over HTTP: by its link and by an account. */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { orderKey } from "#shop/orders/order-link.server.ts";
import { emailTo } from "../../support/mailbox.ts";
import { usePayingShop, type Placed } from "../../support/paying-shop.ts";
import { makeStaff } from "../../support/staff-member.ts";
import { AUTH_SECRET } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, database, query, guestWith, place, reserve, pay, comeBack, until, eventsOf, mailsOf, sandbox } =
  usePayingShop({ TAX: "stripe", AUTH_SECRET }, { tax: { TX: true, CA: true } });

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

const textOf = (html: string) =>
  html
    .replaceAll("<!-- -->", "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");

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
  return {
    status: answer.status,
    html,
    text: textOf(html),
    seenTax: /name="seenTax"[^>]*value="(\d+)"/.exec(html)?.[1],
  };
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
    expect(text).toContain("from A••• L•••, NY 100•• to G••• H•••, NY 112••.");
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

describe("another state", () => {
  it("shows a pre-order's new total, which is confirmed and then charged", async () => {
    const placed = await preOrder();
    const { total, quote } = (await orderOf(placed))!;
    const first = await send(placed.guest, placed, AUSTIN);
    expect([first.status, (await orderOf(placed))?.state]).toEqual([409, "NY"]);
    expect(first.text).toMatch(/Sales tax at this address is \$4\.04 instead of \$0\.00, so your total is \$53\.03\./);
    expect(first.html).toContain('value="78701"');
    expect((await send(placed.guest, placed, { ...AUSTIN, seenTax: first.seenTax ?? "" })).status).toBe(303);
    const changed = await orderOf(placed);
    expect(changed).toMatchObject({ line: "1 Other Street", state: "TX", tax: 4_04, total: total + 4_04 });
    expect(changed?.quote).not.toBe(quote);
    expect((await emailTo(shop.url, placed.email, "has changed")).text).toContain("your total is now $53.03.");
    const before = await sandbox.books();
    const { visitor: packer } = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "packer");
    await packer.post(`/admin/orders/${placed.orderId}?intent=ship`, { tracking: "1Z999AA10000000001" });
    await until(placed.orderId, "shipped");
    expect((await sandbox.books()).captured - before.captured).toBe(total + 4_04);
  });

  it("that costs more than was authorized is refused, with the support as the way on", async () => {
    const placed = await authorized();
    const { status, text, html } = await send(placed.guest, placed, AUSTIN);
    expect([status, (await orderOf(placed))?.state]).toEqual([409, "NY"]);
    expect(text).toContain("your total would be $31.38. Your payment is for another amount");
    expect(html).toContain(`href="/support?order=${placed.orderId.slice(0, 8)}#contact"`);
  });

  it("is not taken while the tax is unknown", async () => {
    const placed = await preOrder();
    const elsewhere = await send(placed.guest, placed, { ...AUSTIN, shippingPostalCode: "10001" });
    expect([elsewhere.status, elsewhere.text.includes("This ZIP code doesn’t belong to the state.")]).toEqual([
      400,
      true,
    ]);
    await sandbox.control({ do: "fail", order: { on: "call", fault: "cut", path: "/v1/tax/calculations" } });
    const away = await send(placed.guest, placed, { ...AUSTIN, shippingState: "CA", shippingPostalCode: "94103" });
    expect([away.status, (await orderOf(placed))?.state]).toEqual([503, "NY"]);
    expect(away.text).toContain("We couldn’t calculate the sales tax just now. Your address hasn’t changed.");
    await sandbox.control({ do: "behave" });
  });
});

it("is refused once the order has shipped", async () => {
  const placed = await authorized();
  const { visitor: packer } = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "packer");
  await packer.post(`/admin/orders/${placed.orderId}?intent=ship`, { tracking: "1Z999AA10000000002" });
  await until(placed.orderId, "shipped");
  const { status, text } = await send(placed.guest, placed);
  expect([status, text.includes("address can’t be changed anymore")]).toEqual([409, true]);
  expect(await (await placed.guest.fetch(formPath(placed))).text()).not.toContain("Change the delivery address");
  expect(await orderOf(placed)).toMatchObject({ line: "12 Analytical Ave" });
});
