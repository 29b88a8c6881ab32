/** Limits of orders and emails, and what an honest shopper can do when one is reached. */
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consumeMail } from "#shop/mail/enqueue-email.server.ts";
import { orderKey } from "#shop/orders/order-link.server.ts";
import { orderLimits, type OrderLimit } from "#shop/checkout/order-limits.ts";
import { openRateLimits, type RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import type { Role } from "../../support/actors.ts";
import { Caller, newAddress, type Visitor } from "../../support/visitor.ts";
import { emailTo, type MailboxEmail } from "../../support/mailbox.ts";
import { unitsOf } from "../../support/stock.ts";
import { AUTH_SECRET, signIn, signUpForm, someEmail, useShop } from "../../support/use-shop.ts";

const { shop, database, actor } = useShop({ RATE_LIMIT_SCALE: "1", TRUST_PROXY: "loopback" });
const PRODUCT = "polara-classic-frost-white";
/** Most emails to one inbox in 15 minutes. */
const MAX_EMAILS = 5;

const caller = (address?: string) => new Caller(shop.url, address);
const of = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);
/** Sequential requests: their statuses and the last text. */
async function inTurn(count: number, ask: (i: number) => Promise<Response>) {
  const statuses: number[] = [];
  let last = "";
  for (let i = 0; i < count; i++) {
    const response = await ask(i);
    statuses.push(response.status);
    last = await response.text();
  }
  return { statuses, last };
}

let rateLimits: RateLimits;
beforeAll(() => {
  rateLimits = openRateLimits(database.db, { scale: 1, secret: AUTH_SECRET });
});
beforeEach(async () => {
  await database.pool.query("UPDATE stock SET inventory_count = 64");
});

describe("guest orders", () => {
  const numberIn = (html: string) => /Order number.*?>([0-9a-f]{8})</s.exec(html)?.[1];
  const stock = () => unitsOf(database.pool, PRODUCT);

  /** A guest at an address with a product in the cart. */
  async function guestAt(address: string, quantity = 1, slug = PRODUCT): Promise<Caller> {
    const guest = caller(address);
    await guest.add(slug, quantity);
    return guest;
  }
  /** An order of a new guest. */
  async function order(address: string, fields: Record<string, string> = {}, quantity = 1, slug = PRODUCT) {
    return (await guestAt(address, quantity, slug)).checkout({ email: someEmail(), ...fields });
  }

  it("stop after five an hour from one network, and the refusal keeps the stock, the cart and what was typed", async () => {
    const { statuses } = await inTurn(7, (i) => order(`2001:db8:7:1:${i}::${i}`, {}, i === 6 ? 4 : 10));
    expect(statuses).toEqual([...of(5, 200), 429, 429]);
    expect(await stock()).toBe(14);
    const guest = await guestAt("2001:db8:7:1::1");
    const refused = await guest.checkout({ shippingLastName: "O'Typed", email: "typed@example.com" });
    const html = await refused.text();
    expect(html).toMatch(
      /Too many orders from your connection\. Sign in to an account with a verified email to order now, or try again in (60|59) minutes\./,
    );
    expect(html).toContain('href="/auth?redirect=%2Fcheckout"');
    expect(html).toContain('value="typed@example.com"');
    expect(html).toMatch(/value="O(&#x27;|')Typed"/);
    expect(await (await guest.fetch("/cart")).text()).toContain("Polara Classic Frost White");
    expect((await order("2001:db8:7:2::1")).status).toBe(200);
    const { visitor, email } = await actor("customer");
    visitor.lendCookiesTo(guest);
    expect((await guest.checkout({ email })).status).toBe(200);
  });

  it("do not count a repeat or a refusal, and a repeat is answered over the limit, to its guest alone", async () => {
    const address = newAddress();
    const guest = await guestAt(address);
    const { seen, checkoutKey } = await guest.checkoutFields();
    const sent = { checkoutKey, email: someEmail() };
    const wrong = await inTurn(7, () => guest.checkout({ ...sent, seen: seen.replace(/:\d+$/, ":1") }));
    const right = await inTurn(7, () => guest.checkout({ ...sent, seen }));
    expect([wrong.statuses, right.statuses]).toEqual([of(7, 409), of(7, 200)]);
    expect((await inTurn(5, () => order(address))).statuses).toEqual([...of(4, 200), 429]);
    const again = await guest.checkout({ ...sent, seen });
    expect([again.status, numberIn(await again.text())]).toEqual([200, numberIn(right.last)]);
    expect(numberIn(right.last)).toBeDefined();
    const stranger = await guestAt(address);
    expect((await stranger.checkout({ checkoutKey, email: someEmail() })).status).toBe(429);
  });

  it.each<[by: OrderLimit["by"], role: Role, whose: "their own" | "another", words: RegExp]>([
    [
      "inbox",
      "guest",
      "another",
      /with this email address\. Sign in to the account with this email to order now, or try again in (60|59) minutes\./,
    ],
    [
      "inbox",
      "customer",
      "another",
      /with this email address\. Use the email of your account, or try again in (60|59) /,
    ],
    ["account", "customer", "their own", /has placed many orders\. Try again in (60|59) minutes, or write to support@/],
    [
      "units",
      "guest",
      "another",
      /Travel Sleeve.*The limit is 20 a day per customer\. Lower the quantity, or order it in 24 hours\./s,
    ],
  ])("one too many by %s, of a %s with %s email, is told the way on", async (by, role, whose, words) => {
    const { visitor, userId, productId, ...owner } = await actor(role);
    const who = caller();
    visitor.lendCookiesTo(who);
    const email = whose === "another" ? someEmail() : owner.email;
    const customer = userId ? { id: userId, email: owner.email } : null;
    const lines = [{ productId, quantity: 1 }];
    const orderer = { network: who.address, email, customer, lines, unitsLeft: null, maxUnpaidOrders: 100 };
    const used = orderLimits(orderer).filter((limit) => limit.by === by);
    expect(await rateLimits.consume(used.map((limit) => ({ ...limit, cost: limit.points })))).toBeNull();
    const refused = await who.checkout({ email });
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringMatching(words)]);
  });
});

describe("links to orders", () => {
  it("are limited after 60 wrong ones, but the right one still opens", async () => {
    const { orderId: id } = await actor("guest");
    const guesser = caller();
    const { statuses } = await inTurn(65, (i) => guesser.fetch(`/orders/${randomUUID()}?k=${i}`));
    expect(statuses).toEqual([...of(60, 404), ...of(5, 429)]);
    const right = `/orders/${id}?k=${orderKey({ id, linkVersion: 1 }, AUTH_SECRET)}`;
    expect((await guesser.fetch(right)).status).toBe(303);
  });

  it("are emailed five times to an inbox, which is not told, and 60 times for a network, which is", async () => {
    const { orderId, email } = await actor("guest");
    const emails = await counting();
    const who = caller();
    const find = (to: string) => who.post("/orders/find", { number: orderId.slice(0, 8), email: to });
    expect((await inTurn(7, () => find(email))).statuses).toEqual(of(7, 200));
    expect(await emails()).toBe(MAX_EMAILS);
    expect((await emailTo(shop.url, email, orderId.slice(0, 8))).to).toBe(email);
    expect((await inTurn(60, () => find(someEmail()))).statuses).toEqual([...of(55, 200), ...of(5, 429)]);
  });
});

/** Counts the emails queued from now on. */
async function counting() {
  const count = async () => (await database.pool.query("SELECT FROM pgboss.job WHERE name = 'mail'")).rowCount ?? 0;
  const before = await count();
  return async () => (await count()) - before;
}
const signUp = (who: Visitor, email: string, name = "Ada") =>
  who.post("/auth?tab=sign-up", { ...signUpForm(email), firstName: name, lastName: name });
const contact = (who: Visitor, email: string, message = "Hello?") =>
  who.post("/support", { name: "Ada", email, message });
const reset = (who: Visitor, email: string) => who.post("/reset-password", { email });
const join = (who: Visitor, email: string) => who.post("/waitlist/join", { email }, { Accept: "*/*" });

describe("an inbox", () => {
  it("gets five emails for nine sign-ins to an unverified account, and the answer stays the same", async () => {
    const who = await actor("unverified customer");
    const emails = await counting();
    for (let i = 0; i < 9; i++) {
      const response = await signIn(who, caller());
      expect(response.status).toBe(403);
      expect(await response.text()).toContain("Please verify your email address before signing in.");
    }
    expect(await emails()).toBe(MAX_EMAILS);
    // The two that everybody here begins with.
    expect((await database.pool.query("SELECT FROM sessions WHERE user_id = $1", [who.userId])).rowCount).toBe(2);
  });

  it("gets five emails from sign-ins, the waitlist and the contact form together, and a reset besides", async () => {
    const email = someEmail();
    const emails = await counting();
    await signUp(caller(), email);
    for (let i = 0; i < 3; i++) {
      const who = caller();
      await signIn({ email, password: "correct horse", visitor: who }, who);
      await join(caller(), email);
      await contact(caller(), email.replace("@", `+${i}@`), `Message ${i}`);
    }
    const sent = await emails();
    expect(sent).toBeLessThanOrEqual(MAX_EMAILS + 1);
    await reset(caller(), email);
    expect(await emails()).toBe(sent + 1);
  });

  it("over its limit does not prevent a change of password", async () => {
    const { visitor, email, password: currentPassword } = await actor("customer");
    while ((await consumeMail(rateLimits, { to: email, network: "10.0.0.1" })).permit);
    const emails = await counting();
    const password = "a kettle under the stairs";
    const { status } = await visitor.settings("password", { currentPassword, password, confirmPassword: password });
    expect([status, await emails()]).toEqual([200, 0]);
  });
});

it("an email to an unverified address contains no word that was typed into a form", async () => {
  const email = someEmail();
  const typed = "Your refund: http://evil.example";
  const who = caller();
  await signUp(who, email, typed);
  await who.post("/support", { name: typed, email, message: typed });
  await caller().post("/waitlist/join", { email, phone: "+1 666-555-0199", utm_source: typed, utm_campaign: typed });
  await emailTo(shop.url, email, "We have your message");
  const mails = (await (await fetch(`${shop.url}/mailbox.json`)).json()) as MailboxEmail[];
  const toThem = mails.filter(({ to }) => to === email);
  expect(toThem.length).toBeGreaterThan(1);
  expect(JSON.stringify(toThem)).not.toMatch(/refund|evil|666-555/);
});

describe("the existence of an account", () => {
  it("is not revealed by a reached limit: resets are answered alike, before and after", async () => {
    const answers = new Set<string>();
    for (const email of [(await actor("customer")).email, someEmail()]) {
      const emails = await counting();
      for (let i = 0; i < 9; i++) {
        const response = await reset(caller(), email);
        answers.add(`${response.status} ${(await response.text()).replaceAll(email, "")}`);
      }
      expect(await emails()).toBe(MAX_EMAILS);
    }
    expect([...answers]).toEqual([expect.stringMatching(/^200 /)]);
  });
});

it("one network causes at most 60 emails an hour, and gets told how long to wait", async () => {
  const emails = await counting();
  const who = caller();
  for (let i = 0; i < 59; i++) await consumeMail(rateLimits, { to: someEmail(), network: who.address });
  const { statuses, last } = await inTurn(2, () => contact(who, someEmail()));
  expect(statuses).toEqual([200, 429]);
  expect(last).toMatch(
    /Too many messages from your connection or with this address\. Please wait (60|59) minutes, or write to support@/,
  );
  for (const ask of [signUp, reset, (other: Visitor, email: string) => other.post("/waitlist/join", { email })]) {
    const refused = await ask(caller(who.address), someEmail());
    expect(refused.status).toBe(429);
    expect(await refused.text()).toMatch(/Too many attempts\. Please wait (60|59) minutes, then try again\./);
  }
  // To its sender and to support.
  expect(await emails()).toBe(2);
});
