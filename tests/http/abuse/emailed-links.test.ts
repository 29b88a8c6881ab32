/**
 * Emailed links sign in one person, once, and never replace somebody else's session. A guest order with somebody else's
 * email tells them nothing that was typed, and is theirs only when they add it.
 */
import { describe, expect, it } from "vitest";
import { verifyToken } from "#shop/accounts/email-links.server.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { transitWords } from "#shop/shipping/methods.ts";
import type { Actor } from "../../support/actors.ts";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { AUTH_SECRET, someEmail, useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, database, actor } = useShop();

const visitor = () => new Visitor(shop.url);
const press = (who: Visitor, link: string) => who.post(link, { intent: "confirm" });
const whoIs = async (who: Visitor) => (await who.me()).customer;
const welcomeLink = async (email: string) =>
  linkIn(await emailTo(shop.url, email, "Welcome to the waitlist"), "/auth/verify");
const verifyLink = async (id: string, email: string) =>
  `/auth/verify?token=${await verifyToken({ id, email }, { baseUrl: shop.url, secret: AUTH_SECRET })}`;

type State = { id: string; verified: boolean; placed: boolean; sessions: number };
const stateOf = async (email: string) => {
  const { rows } = await database.pool.query<State>(
    `SELECT users.id, email_verified AS verified, verified_at IS NOT NULL AS placed,
       (SELECT count(*)::int FROM sessions WHERE user_id = users.id) AS sessions
     FROM users JOIN waitlist ON user_id = users.id WHERE users.email = $1`,
    [email],
  );
  return rows[0]!;
};

/** A place on the waitlist whose email has come. */
async function joined() {
  const email = someEmail();
  expect((await visitor().post("/waitlist/join", { email }, { Accept: "*/*" })).status).toBe(200);
  return { email, link: await welcomeLink(email) };
}

it("the waitlist's form says what is wrong and keeps what was typed, also without a script", async () => {
  const [who, email, phone] = [visitor(), someEmail(), "+1 212 555 0100"];
  const send = async (typed: string) => {
    const answer = await who.post("/waitlist/join", { email: typed, phone });
    return [answer.status, (await answer.text()).replaceAll("&#x27;", "'")];
  };
  expect(await (await who.fetch("/about")).text()).toMatch(/<a [^>]*href="\/waitlist\/join"[^>]*>Join the waitlist</);
  expect(await (await who.fetch("/waitlist/join")).text()).toMatch(
    /<form [^>]*method="post"[^]*name="email"[^]*<\/form>/,
  );
  const refused = expect.stringMatching(
    /value="ada@example"[^]*Please enter a valid email address[^]*value="\+1 212 555 0100"/,
  );
  expect(await send("ada@example")).toEqual([400, refused]);
  expect(await send(email)).toEqual([200, expect.stringContaining("You're in!")]);
  expect(await send(email)).toEqual([409, expect.stringContaining("This email is already on our waitlist.")]);
});

describe("the link in the waitlist's email", () => {
  it("changes nothing when opened: the page has one button", async () => {
    const { email, link } = await joined();
    for (let scans = 0; scans < 3; scans++) {
      const who = visitor();
      const page = await who.fetch(link);
      expect(page.status).toBe(200);
      expect(page.headers.getSetCookie()).toEqual([]);
      const html = await page.text();
      expect(html).toContain("Confirm your email");
      expect(html).toContain(email);
      expect(html.match(/<button[^>]*name="intent"/g)).toHaveLength(1);
      expect((await who.fetch(link.replace("/auth/verify", "/auth/verify.data"))).headers.getSetCookie()).toEqual([]);
      expect(await whoIs(who)).toBeNull();
    }
    await visitor().fetch(link, { method: "HEAD" });
    expect(await stateOf(email)).toMatchObject({ verified: false, placed: false, sessions: 0 });
  });

  it("verifies and signs in by its button, once, and uses up every other link to the place", async () => {
    const { email, link } = await joined();
    const second = await verifyLink((await stateOf(email)).id, email);
    const owner = visitor();
    const pressed = await press(owner, link);
    expect([pressed.status, pressed.headers.get("Location")]).toEqual([303, "/#type=signup"]);
    expect(await whoIs(owner)).not.toBeNull();
    expect(await stateOf(email)).toMatchObject({ verified: true, placed: true, sessions: 1 });
    for (const who of [visitor(), owner]) {
      const again = await press(who, link);
      expect(again.status).toBe(410);
      const html = await again.text();
      expect(html).toContain("This link was already used");
      expect(html).toContain('href="/auth"');
      expect(html).toContain('href="/reset-password"');
    }
    const late = visitor();
    expect([(await late.fetch(link)).status, (await press(late, second)).status]).toEqual([410, 410]);
    expect(await whoIs(late)).toBeNull();
    expect((await stateOf(email)).sessions).toBe(1);
  });

  it("signs in one of ten who press at the same moment", async () => {
    const { email, link } = await joined();
    const answers = await Promise.all(Array.from({ length: 10 }, () => press(visitor(), link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(9).fill(410)]);
    expect((await stateOf(email)).sessions).toBe(1);
  });

  it("verifies the place in somebody else's browser, but keeps their session, and says so", async () => {
    const { email, link } = await joined();
    const other = await actor("customer");
    expect(await (await other.visitor.fetch(link)).text()).toContain("Confirm your email");
    const pressed = await press(other.visitor, link);
    expect(pressed.status).toBe(200);
    expect(pressed.headers.getSetCookie().join()).not.toContain("session_token");
    const html = await pressed.text();
    expect(html).toContain("Email Verified!");
    expect(html).toContain(email);
    expect(html).toMatch(/stays signed in as[\s\S]*?<strong[^>]*>/);
    expect(html).toContain(other.email);
    expect((await whoIs(other.visitor))?.firstName).toBe(other.name);
    expect(await stateOf(email)).toMatchObject({ verified: true, placed: true, sessions: 0 });
  });
});

describe("a customer's place on the waitlist", () => {
  const customer = async () => {
    const who = await actor("customer");
    await database.pool.query("DELETE FROM waitlist WHERE user_id = $1", [who.userId]);
    return who;
  };
  const join = async (who: Visitor, email: string) => {
    const answer = await who.post("/waitlist/join", { email }, { Accept: "*/*" });
    const text = (await answer.text()).replaceAll(email.toLowerCase(), "theirs");
    return { status: answer.status, cookies: answer.headers.getSetCookie(), text };
  };
  const isPlaced = async (email: string) => (await stateOf(email)).placed;

  it("is confirmed at once when they are signed in, and unconfirmed for others, like an unknown email", async () => {
    const [ada, ben, other] = [await customer(), await customer(), await customer()];
    const own = { status: 200, text: expect.stringContaining(", so your spot is confirmed.") as string };
    expect(await join(ada.visitor, ada.email.toUpperCase())).toMatchObject(own);
    expect((await join(ada.visitor, ada.email)).status).toBe(409);
    expect(await isPlaced(ada.email)).toBe(true);
    const unknown = await join(visitor(), someEmail());
    expect(unknown.status).toBe(200);
    expect(await join(visitor(), ben.email)).toEqual(unknown);
    expect(await join(ben.visitor, other.email)).toEqual(unknown);
    expect([await isPlaced(ben.email), await isPlaced(other.email)]).toEqual([false, false]);
  });

  it("is confirmed by the email's button without signing in, or by its link where they are signed in", async () => {
    const [ada, ben] = [await customer(), await customer()];
    for (const { email } of [ada, ben]) await join(visitor(), email);
    const link = await welcomeLink(ada.email);
    const owner = visitor();
    expect(await (await owner.fetch(link)).text()).not.toContain("sign you in");
    expect((await press(owner, link)).headers.getSetCookie().join()).not.toContain("session_token");
    expect([await whoIs(owner), await isPlaced(ada.email)]).toEqual([null, true]);
    expect((await ben.visitor.fetch(await welcomeLink(ben.email))).status).toBe(303);
    expect([(await whoIs(ben.visitor))?.firstName, await isPlaced(ben.email)]).toEqual([ben.name, true]);
  });
});

it("a sign-up's link keeps somebody else's session too, although the password is right", async () => {
  const nova = await actor("unverified customer");
  const other = await actor("customer");
  const answer = await other.visitor.post(await verifyLink(nova.userId ?? "", nova.email), {
    username: nova.email,
    password: nova.password,
  });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("Email Verified!");
  expect((await whoIs(other.visitor))?.firstName).toBe(other.name);
  expect((await whoIs(nova.visitor))?.firstName).toBe(nova.name);
  expect((await stateOf(nova.email)).verified).toBe(true);
});

const EVIL = {
  phone: "+1 666-555-0199",
  shippingFirstName: "Your refund: http://evil.example",
  shippingLastName: "Evil Lastname",
  shippingAddressLine1: "1 Evil Street",
  shippingAddressLine2: "Evil Floor",
  shippingCity: "Eviltown www.evil.example",
  shippingState: "NV",
  shippingPostalCode: "89101",
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

describe("the confirmation of an order", () => {
  it("of a guest has no word that was typed, but the state", async () => {
    const { mail, number } = await order("stranger@example.com", EVIL);
    const all = JSON.stringify(await (await fetch(`${shop.url}/mailbox.json`)).json());
    expect(mail.text).toContain(number);
    expect(mail.text).toContain("1 x Travel Sleeve");
    expect(mail.text).toContain(
      `Standard Shipping (${transitWords(FIRST_SETTINGS.shipping, "standard")}) to your address in Nevada.`,
    );
    for (const word of ["evil", "Evil", "refund", "666-555"]) expect(all).not.toContain(word);
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
  it("is added once, by the button behind the link: not by opening it, and until then nowhere in the account", async () => {
    const ada = await customer();
    const { number, link } = await order(ada.email.toUpperCase(), EVIL);
    for (let scans = 0; scans < 3; scans++) {
      const page = await ada.visitor.fetch(link());
      expect(page.status).toBe(200);
      const html = await page.text();
      for (const words of ["Add to my account", number]) expect(html).toContain(words);
    }
    await ada.visitor.add("travel-sleeve");
    const checkout = await (await ada.visitor.fetch("/checkout")).text();
    expect(checkout).not.toMatch(/evil|666-555/i);
    expect(checkout).toContain('value="12 Analytical Ave"');
    expect(await history(ada)).not.toContain(number);
    const claimed = await ada.visitor.post(link(), {});
    expect([claimed.status, claimed.headers.get("Location")]).toEqual([303, "/account?tab=orders"]);
    expect(await history(ada)).toContain(number);
    expect(await (await ada.visitor.fetch(link())).text()).toContain("This order is in your account");
    expect((await ada.visitor.post(link(), {})).status).toBe(303);
    expect((await (await customer()).visitor.fetch(link())).status).toBe(410);
  });

  it.each([
    ["a visitor, who signs in first", "guest", "/auth?redirect=", 302],
    ["another account", "customer", "This order was placed with another email address", 403],
    ["its account, before the email is verified", "unverified customer", "Verify your email address first", 403],
  ] as const)("is neither shown nor added to %s", async (_whom, role, words, status) => {
    const { visitor: who, email } = await actor(role);
    const { number, link } = await order(role === "unverified customer" ? email : someEmail());
    const html = await (await who.fetch(link())).text();
    expect(html).toContain(words);
    expect(html).not.toContain(number);
    expect((await who.post(link(), {})).status).toBe(status);
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
