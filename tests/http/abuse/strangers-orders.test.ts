/** A guest order with somebody else's email: nothing typed reaches them, and it is theirs only when they add it. */
import { describe, expect, it } from "vitest";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { transitWords } from "#shop/shipping/methods.ts";
import type { Actor } from "../../support/actors.ts";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { someEmail, useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, database, actor } = useShop();

const EVIL = {
  phone: "+1 666-555-0199",
  shippingFirstName: "Your refund: http://evil.example",
  shippingLastName: "Evil Lastname",
  shippingAddressLine1: "1 Evil Street",
  shippingAddressLine2: "Evil Floor",
  shippingCity: "Eviltown www.evil.example",
  shippingState: "NV",
  shippingPostalCode: "89evil 101",
};

const customer = () => actor("customer");

/** Places an order, and answers with its number, its email and the link in it. */
async function order(email: string, fields: Record<string, string> = {}, who = new Visitor(shop.url)) {
  await who.add("travel-sleeve");
  const html = await (await who.checkout({ ...fields, email })).text();
  const number = /Order number.*?>([0-9a-f]{8})</s.exec(html)?.[1] ?? "none";
  const mail = await emailTo(shop.url, email, number);
  return { number, mail, link: () => linkIn(mail, "/orders/claim") };
}

const history = async ({ visitor }: Actor) => (await visitor.fetch("/account?tab=orders")).text();
const ownersOf = async (number: string) =>
  (await database.pool.query("SELECT user_id, session_id FROM orders WHERE id::text LIKE $1", [`${number}%`])).rows[0];

describe("the confirmation of an order", () => {
  it("of a guest has no word that was typed, but the state, and the ZIP code if it is one", async () => {
    const { mail, number } = await order("stranger@example.com", EVIL);
    const all = JSON.stringify(await (await fetch(`${shop.url}/mailbox.json`)).json());
    expect(mail.text).toContain(number);
    expect(mail.text).toContain("1 x Travel Sleeve");
    expect(mail.text).toContain(
      `Standard Shipping, ${transitWords(FIRST_SETTINGS.shipping, "standard")}, to the address you gave, in NV.`,
    );
    for (const word of ["evil", "Evil", "refund", "666-555"]) expect(all).not.toContain(word);
    const { mail: other } = await order("zip@example.com", { shippingPostalCode: "10001-1234" });
    expect(other.text).toContain("to the address you gave, in NY 10001-1234.");
  });

  it("of a customer has the address for their own verified email alone, and never a link to add it", async () => {
    const ada = await customer();
    const { mail: elsewhere } = await order("other@example.com", EVIL, ada.visitor);
    expect(elsewhere.text).not.toMatch(/evil/i);
    const { mail: own } = await order(ada.email, {}, ada.visitor);
    expect(own.text).toContain("Thanks, Ada");
    expect(own.text).toContain("12 Analytical Ave");
    for (const { text } of [elsewhere, own]) expect(text).not.toContain("/orders/claim");
  });
});

describe("a guest order with a customer's email", () => {
  it("is not in their history, and does not fill in their checkout", async () => {
    const victim = await customer();
    const { number } = await order(victim.email, EVIL);
    await victim.visitor.add("travel-sleeve");
    const checkout = await (await victim.visitor.fetch("/checkout")).text();
    expect(checkout).not.toMatch(/evil|666-555/i);
    expect(checkout).toContain('value="12 Analytical Ave"');
    expect(await history(victim)).not.toContain(number);
  });

  it("is added once, by the button behind the link, not by opening it", async () => {
    const ada = await customer();
    const { number, link } = await order(ada.email.toUpperCase());
    for (let scans = 0; scans < 3; scans++) {
      const page = await ada.visitor.fetch(link());
      expect(page.status).toBe(200);
      expect(page.headers.get("Cache-Control")).toBe("private, no-store");
      const html = await page.text();
      expect(html).toContain("Add to my account");
      expect(html).toContain(number);
      expect(page.headers.get("Referrer-Policy")).toBe("same-origin");
      expect(html).toMatch(/name="robots" content="noindex"/);
    }
    expect(await history(ada)).not.toContain(number);
    const claimed = await ada.visitor.post(link(), {});
    expect([claimed.status, claimed.headers.get("Location")]).toEqual([303, "/account?tab=orders"]);
    expect(await history(ada)).toContain(number);
    expect(await ownersOf(number)).toEqual({ user_id: ada.userId, session_id: null });
    expect(await (await ada.visitor.fetch(link())).text()).toContain("This order is in your account");
    expect((await ada.visitor.post(link(), {})).status).toBe(303);
    expect((await (await customer()).visitor.fetch(link())).status).toBe(410);
  });

  it("is not added to another account, or one with an unverified email; a visitor signs in first", async () => {
    const [ada, ben, nova] = [await customer(), await customer(), await actor("unverified customer")];
    const [adas, novas] = [await order(ada.email), await order(nova.email)];
    const nobody = new Visitor(shop.url);
    const signIn = `/auth?redirect=${encodeURIComponent(adas.link())}`;
    for (const [who, { link }, message, status, location] of [
      [nobody, adas, `href="${signIn}"`, 302, signIn],
      [ben.visitor, adas, "This order was placed with another email address", 403, null],
      [nova.visitor, novas, "Verify your email address first", 403, null],
    ] as const) {
      const html = await (await who.fetch(link())).text();
      expect(html).toContain(message);
      for (const secret of [adas.number, ada.email]) expect(html).not.toContain(secret);
      const posted = await who.post(link(), {});
      expect([posted.status, posted.headers.get("Location")]).toEqual([status, location]);
    }
    for (const { number } of [adas, novas]) expect((await ownersOf(number)).user_id).toBeNull();
  });

  it("has one page for all invalid links: forged, cut, or of another order or email", async () => {
    const ada = await customer();
    const token = (link: string) => new URL(link, shop.url).searchParams.get("token") ?? "";
    const bytes = (link: string) => Buffer.from(token(link), "base64url");
    const [one, other] = [(await order(ada.email)).link(), (await order(someEmail())).link()];
    const flipped = bytes(one);
    flipped[flipped.length - 1]! ^= 1;
    const mixed = Buffer.concat([bytes(one).subarray(0, 36), bytes(other).subarray(36)]);
    const pages = new Set<string>();
    for (const each of [
      "",
      "x",
      "%00",
      "a".repeat(5_000),
      token(one).slice(0, -2),
      ...[mixed, flipped].map((changed) => changed.toString("base64url")),
    ]) {
      const address = `/orders/claim?token=${encodeURIComponent(each)}`;
      const response = await ada.visitor.fetch(address);
      pages.add(`${response.status} ${/<main[\s\S]*<\/main>/.exec(await response.text())?.[0]}`);
      expect((await ada.visitor.post(address, {})).status).toBe(410);
    }
    expect(pages.size).toBe(1);
    expect([...pages][0]).toContain("This link has expired");
  });
});
