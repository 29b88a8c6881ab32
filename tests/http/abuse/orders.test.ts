/** Orders that cost nothing must not empty the shop: limits by network, email and units, and the way on for who is honest. */
import { beforeEach, describe, expect, it } from "vitest";
import { makeActor } from "../../support/actors.ts";
import { Caller, newAddress } from "../../support/caller.ts";
import { useShop } from "../../support/use-shop.ts";
import { unitsOf } from "../../support/stock.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET, RATE_LIMIT_SCALE: "1", TRUST_PROXY: "loopback" });
const PRODUCT = "polara-classic-frost-white";

let made = 0;
const someEmail = () => `buyer-${made++}@example.com`;
const stock = (slug = PRODUCT) => unitsOf(database.pool, slug);
const numberIn = (html: string) => /Order number.*?>([0-9a-f]{8})</s.exec(html)?.[1];

beforeEach(async () => {
  await database.pool.query("UPDATE stock SET inventory_count = 64");
});

/** A guest at an address with so much in the cart. */
async function guestAt(address: string, quantity = 1, slug = PRODUCT): Promise<Caller> {
  const guest = new Caller(shop.url, address);
  await guest.add(slug, quantity);
  return guest;
}

/** One guest order, each by a guest of its own. */
async function order(address: string, fields: Record<string, string> = {}, quantity = 1, slug = PRODUCT) {
  const guest = await guestAt(address, quantity, slug);
  const response = await guest.checkout({ email: someEmail(), ...fields });
  return { guest, status: response.status, html: await response.text() };
}

describe("guest orders", () => {
  it("seven in a row from one address, each with its own email: the later ones are refused, the stock is kept", async () => {
    const address = newAddress();
    const answers = [];
    for (const quantity of [10, 10, 10, 10, 10, 10, 4]) answers.push(await order(address, {}, quantity));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(await stock()).toBe(14);
  });

  it("a refusal says what to do, and everything typed is still there", async () => {
    const address = newAddress();
    for (let i = 0; i < 5; i++) await order(address);
    const { html, guest } = await order(address, { shippingLastName: "O'Typed", email: "typed@example.com" });
    expect(html).toMatch(
      /Too many orders from your connection\. Sign in to an account with a verified email to order now, or try again in (60|59) minutes\./,
    );
    expect(html).toContain('href="/auth?redirect=%2Fcheckout"');
    expect(html).toContain('value="typed@example.com"');
    expect(html).toMatch(/value="O(&#x27;|')Typed"/);
    expect(await (await guest.fetch("/cart")).text()).toContain("Polara Classic Frost White");
  });

  it("the addresses of one IPv6 line count as one, another line does not", async () => {
    const statuses = [];
    for (let i = 1; i <= 6; i++) statuses.push((await order(`2001:db8:7:1:${i}::${i}`)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await order("2001:db8:7:2::1")).status).toBe(200);
  });

  it("thirty at once never exceed the limit", async () => {
    const address = newAddress();
    const guests = await Promise.all(Array.from({ length: 30 }, () => guestAt(address)));
    const fields = await Promise.all(guests.map((guest) => guest.checkoutFields()));
    const answers = await Promise.all(guests.map((guest, i) => guest.checkout({ ...fields[i], email: someEmail() })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25);
    expect(await stock()).toBe(59);
  });

  it("one inbox counts as one, from wherever and however it is written", async () => {
    const written = ["ada.king", "adaking+1", "ADA.KING+two", "adaking", "a.d.a.k.i.n.g", "adaking+6"];
    const answers = [];
    for (const name of written) answers.push(await order(newAddress(), { email: `${name}@gmail.com` }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers.at(-1)?.html).toMatch(
      /Too many orders with this email address\. Sign in to the account with this email to order now, or try again in (60|59) minutes\./,
    );
  });

  it("20 units of a product are sold to one email in a day; the refusal names the product, and others are sold", async () => {
    const email = someEmail();
    for (let i = 0; i < 2; i++) expect((await order(newAddress(), { email }, 10)).status).toBe(200);
    const { status, html } = await order(newAddress(), { email });
    expect(status).toBe(429);
    expect(html).toContain("Polara Classic Frost White");
    expect(html).toMatch(/At most 20 in a day for one customer\. Lower the quantity, or order it in 24 hours\./);
    expect(await stock()).toBe(44);
    expect((await order(newAddress(), { email }, 1, "travel-sleeve")).status).toBe(200);
  });
});

describe("what does not count", () => {
  it("a repeated key answers with its order, though the limits are used up", async () => {
    const address = newAddress();
    const first = await guestAt(address);
    const fields = { ...(await first.checkoutFields()), email: someEmail() };
    const number = numberIn(await (await first.checkout(fields)).text());
    for (let i = 0; i < 5; i++) await order(address);
    const again = await first.checkout(fields);
    expect([again.status, numberIn(await again.text())]).toEqual([200, number]);
    expect(number).toBeDefined();
    // It is nobody else's key.
    const stranger = await guestAt(address);
    expect((await stranger.checkout({ checkoutKey: fields.checkoutKey, email: someEmail() })).status).toBe(429);
  });

  it("a repeat and an order that was refused give their points back", async () => {
    const address = newAddress();
    const guest = await guestAt(address);
    const { seen, checkoutKey } = await guest.checkoutFields();
    const email = someEmail();
    for (let i = 0; i < 7; i++) {
      expect((await guest.checkout({ checkoutKey, email, seen: seen.replace(/:\d+$/, ":1") })).status).toBe(409);
    }
    for (let i = 0; i < 7; i++) expect((await guest.checkout({ checkoutKey, email, seen })).status).toBe(200);
    for (let i = 0; i < 4; i++) expect((await order(address)).status).toBe(200);
    expect((await order(address)).status).toBe(429);
  });
});

describe("a customer with a verified email", () => {
  it("has a way on behind an address that others have used up, ten times an hour", async () => {
    const address = newAddress();
    for (let i = 0; i < 5; i++) await order(address);
    const actor = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    const customer = new Caller(shop.url, address);
    actor.visitor.lendCookiesTo(customer);
    await customer.post("/cart/clear", {});
    const slugs = ["travel-sleeve", PRODUCT];
    const statuses = [];
    for (let i = 0; i < 11; i++) {
      await customer.add(slugs[i % 2] ?? "");
      const response = await customer.checkout({ email: actor.email });
      statuses.push(response.status);
      if (i === 10) {
        expect(await response.text()).toMatch(
          /Your account has placed many orders\. Try again in (60|59) minutes, or write to support@/,
        );
      }
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  });
});
