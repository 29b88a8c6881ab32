/** A guest order with somebody else's email: its words do not reach them, and it is not theirs until they say so. */
import { describe, expect, it } from "vitest";
import { SHIPPING_METHODS } from "../../../shop/shipping/methods.ts";
import { makeActor, type Actor } from "../../support/actors.ts";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET });

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

const customer = () => makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
const numberIn = (html: string) => /Order number.*?>([0-9a-f]{8})</s.exec(html)?.[1] ?? "none";

/** Places an order as a guest who types this email, and answers with its number and the link in its email. */
async function guestOrder(email: string, fields: Record<string, string> = EVIL) {
  const guest = new Visitor(shop.url);
  await guest.add("travel-sleeve");
  const number = numberIn(await (await guest.checkout({ ...fields, email })).text());
  const mail = await emailTo(shop.url, email, number);
  return { number, mail, guest, link: () => linkIn(mail, "/orders/claim") };
}

const history = async ({ visitor }: Actor) => (await visitor.fetch("/account?tab=orders")).text();
const ownersOf = async (number: string) =>
  (
    await database.pool.query<{ user_id: string | null; session_id: string | null }>(
      "SELECT user_id, session_id FROM orders WHERE id::text LIKE $1",
      [`${number}%`],
    )
  ).rows[0];

describe("the confirmation of a guest order", () => {
  it("carries no word that was typed", async () => {
    const { mail, number } = await guestOrder("stranger@example.com");
    const all = JSON.stringify(await (await fetch(`${shop.url}/mailbox.json`)).json());
    expect(mail.text).toContain(number);
    expect(mail.text).toContain("1 x Travel Sleeve");
    expect(mail.text).toContain(
      `Standard Shipping, ${SHIPPING_METHODS.standard.window}, to the address you gave, in NV.`,
    );
    for (const word of ["evil", "Evil", "refund", "666-555"]) expect(all).not.toContain(word);
  });

  it("names the ZIP code where it is one", async () => {
    const { mail } = await guestOrder("zip@example.com", { shippingPostalCode: "10001-1234" });
    expect(mail.text).toContain("to the address you gave, in NY 10001-1234.");
  });

  it("of a customer to another address than the account's carries none either, and no link to claim it", async () => {
    const { visitor } = await customer();
    await visitor.add("travel-sleeve");
    const number = numberIn(await (await visitor.checkout({ ...EVIL, email: "other@example.com" })).text());
    const mail = await emailTo(shop.url, "other@example.com", number);
    expect(mail.text).not.toMatch(/evil/i);
    expect(mail.text).not.toContain("/orders/claim");
  });

  it("of a customer to the account's own verified address says where it goes", async () => {
    const ada = await customer();
    await ada.visitor.add("travel-sleeve");
    const number = numberIn(await (await ada.visitor.checkout({ email: ada.email })).text());
    const mail = await emailTo(shop.url, ada.email, number);
    expect(mail.text).toContain("Hi Ada,");
    expect(mail.text).toContain("12 Analytical Ave");
    expect(mail.text).not.toContain("/orders/claim");
  });
});

describe("a guest order with a customer's email", () => {
  it("is not in their history, and does not fill in their checkout", async () => {
    const victim = await customer();
    const { number } = await guestOrder(victim.email);
    await victim.visitor.add("travel-sleeve");
    const checkout = await (await victim.visitor.fetch("/checkout")).text();
    expect(checkout).not.toMatch(/evil|666-555/i);
    expect(checkout).toContain('value="12 Analytical Ave"');
    expect(await history(victim)).not.toContain(number);
  });

  it("joins their account when they press the button behind the link; opening it does nothing", async () => {
    const ada = await customer();
    const { number, link } = await guestOrder(ada.email.toUpperCase(), {});
    for (let scans = 0; scans < 3; scans++) {
      const page = await ada.visitor.fetch(link());
      expect(page.status).toBe(200);
      expect(page.headers.get("Cache-Control")).toBe("private, no-store");
      const html = await page.text();
      expect(html).toContain("Add to my account");
      expect(html).toContain(number);
      expect(html).toMatch(/name="referrer" content="same-origin"/);
      expect(html).toMatch(/name="robots" content="noindex"/);
    }
    expect(await history(ada)).not.toContain(number);
    const claimed = await ada.visitor.post(link(), {});
    expect([claimed.status, claimed.headers.get("Location")]).toEqual([303, "/account?tab=orders"]);
    expect(await history(ada)).toContain(number);
    expect(await ownersOf(number)).toEqual({ user_id: ada.userId, session_id: null });
    expect(await (await ada.visitor.fetch(link())).text()).toContain("This order is in your account");
    expect((await ada.visitor.post(link(), {})).status).toBe(303);
  });

  it("asks whoever is not signed in to sign in, and leads back", async () => {
    const ada = await customer();
    const { number, link } = await guestOrder(ada.email, {});
    const nobody = new Visitor(shop.url);
    const page = await (await nobody.fetch(link())).text();
    expect(page).toContain(`href="/auth?redirect=${encodeURIComponent(link())}"`);
    expect(page).not.toContain(number);
    const posted = await nobody.post(link(), {});
    expect([posted.status, posted.headers.get("Location")]).toEqual([
      302,
      `/auth?redirect=${encodeURIComponent(link())}`,
    ]);
    expect((await ownersOf(number))?.user_id).toBeNull();
  });

  it("is not for another account, nor for one whose email is not verified", async () => {
    const ada = await customer();
    const { number, link } = await guestOrder(ada.email, {});
    const ben = await customer();
    const page = await ben.visitor.fetch(link());
    const html = await page.text();
    expect(html).toContain("This order was placed with another email address");
    expect(html).not.toContain(number);
    expect(html).not.toContain(ada.email);
    expect((await ben.visitor.post(link(), {})).status).toBe(403);

    const nova = await makeActor(database.pool, shop.url, AUTH_SECRET, "unverified customer");
    const novas = await guestOrder(nova.email, {});
    expect(await (await nova.visitor.fetch(novas.link())).text()).toContain("Verify your email address first");
    expect((await nova.visitor.post(novas.link(), {})).status).toBe(403);
    for (const each of [number, novas.number]) expect((await ownersOf(each))?.user_id).toBeNull();
  });

  it("is claimed once: its link is spent for everybody but whose it is", async () => {
    const ada = await customer();
    const { link } = await guestOrder(ada.email, {});
    await ada.visitor.post(link(), {});
    const later = await (await customer()).visitor.fetch(link());
    expect(later.status).toBe(410);
  });
});

describe("a link that is no link", () => {
  it("forged, cut, for another order, or with another address in it: all get the same page", async () => {
    const ada = await customer();
    const [one, other] = [await guestOrder(ada.email, {}), await guestOrder("elsewhere@example.com", {})];
    const token = (link: string) => new URL(link, shop.url).searchParams.get("token") ?? "";
    const bytes = (link: string) => Buffer.from(token(link), "base64url");
    const mixed = Buffer.concat([bytes(one.link()).subarray(0, 16), bytes(other.link()).subarray(16)]);
    const flipped = bytes(one.link());
    flipped[flipped.length - 1]! ^= 1;
    const tokens = [
      "",
      "x",
      "%00",
      "a".repeat(5_000),
      token(one.link()).slice(0, -2),
      mixed.toString("base64url"),
      flipped.toString("base64url"),
    ];
    const pages = new Set<string>();
    for (const each of tokens) {
      const address = `/orders/claim?token=${encodeURIComponent(each)}`;
      const response = await ada.visitor.fetch(address);
      const html = await response.text();
      pages.add(`${response.status} ${/<main[\s\S]*<\/main>/.exec(html)?.[0]}`);
      expect((await ada.visitor.post(address, {})).status).toBe(410);
    }
    expect(pages.size).toBe(1);
    expect([...pages][0]).toContain("This link has expired");
  });
});
