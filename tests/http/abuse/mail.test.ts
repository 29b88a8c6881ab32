/** The shop must not be a way to fill somebody's inbox: each email is counted before it is queued, and success forgives nothing. */
import { describe, expect, it } from "vitest";
import { makeActor } from "../../support/actors.ts";
import { Caller, newAddress } from "../../support/caller.ts";
import { emailTo, type MailboxEmail } from "../../support/mailbox.ts";
import { useShop } from "../../support/use-shop.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET, RATE_LIMIT_SCALE: "1", TRUST_PROXY: "loopback" });

/** What one inbox gets in a quarter of an hour, at most. */
const MAX_EMAILS = 5;

let made = 0;
const someEmail = () => `inbox-${made++}@example.com`;
const caller = (address = newAddress()) => new Caller(shop.url, address);

/** How many emails were queued since. */
async function counting() {
  const count = async () =>
    (await database.pool.query<{ n: number }>("SELECT count(*)::int AS n FROM pgboss.job WHERE name = 'mail'")).rows[0]
      ?.n ?? 0;
  const before = await count();
  return async () => (await count()) - before;
}

const signUp = (who: Caller, email: string, name = "Ada") => {
  const person = { firstName: name, lastName: name, email, password: "correct horse" };
  return who.post("/auth?tab=sign-up", {
    intent: "sign-up",
    ...person,
    confirmPassword: person.password,
    terms: "on",
  });
};
const signIn = (who: Caller, email: string) =>
  who.post("/auth", { intent: "sign-in", email, password: "correct horse", redirect: "/" });
const contact = (who: Caller, email: string, message = "Hello?") =>
  who.post("/support", { name: "Ada", email, message });

describe("somebody else's inbox", () => {
  it("gets five emails of forty sign-ins to an unverified account, and the answer stays the same", async () => {
    const email = someEmail();
    const emails = await counting();
    await signUp(caller(), email);
    const answers = new Set<string>();
    for (let i = 0; i < 40; i++) {
      const response = await signIn(caller(), email);
      const [told] = /Please verify your email address before signing in\./.exec(await response.text()) ?? [];
      answers.add(`${response.status} ${told}`);
    }
    expect([...answers]).toEqual(["403 Please verify your email address before signing in."]);
    expect(await emails()).toBe(MAX_EMAILS);
  });

  it("gets five for sign-ins, resets, the waitlist and the contact form together", async () => {
    const email = someEmail();
    const emails = await counting();
    await signUp(caller(), email);
    for (let i = 0; i < 3; i++) {
      await signIn(caller(), email);
      await caller().post("/reset-password", { email });
      await caller().post("/waitlist/join", { email });
      await contact(caller(), email.replace("@", `+${i}@`), `Message ${i}`);
    }
    expect(await emails()).toBeLessThanOrEqual(MAX_EMAILS + 1);
  });

  it("is one inbox for tagged addresses: thirty contact messages in a row", async () => {
    const emails = await counting();
    const who = caller();
    const statuses = [];
    for (let i = 0; i < 30; i++) statuses.push((await contact(who, `tagged+${i}@example.com`)).status);
    expect(statuses).toEqual([...Array<number>(MAX_EMAILS).fill(200), ...Array<number>(25).fill(429)]);
    // Each message is one email to its sender and one to support.
    expect(await emails()).toBe(2 * MAX_EMAILS);
  });

  it("gets five verification links, however often its customer asks", async () => {
    const actor = await makeActor(database.pool, shop.url, AUTH_SECRET, "unverified customer");
    const emails = await counting();
    for (let i = 0; i < 9; i++) {
      const elsewhere = caller();
      actor.visitor.lendCookiesTo(elsewhere);
      await elsewhere.post("/auth/resend", {}, { Accept: "*/*" });
    }
    expect(await emails()).toBe(MAX_EMAILS);
  });

  it("gets five confirmations of orders that a customer sends there", async () => {
    const actor = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    const victim = someEmail();
    const emails = await counting();
    const statuses = [];
    for (let i = 0; i < 7; i++) {
      await actor.visitor.add("ethylene-filter-2-pack");
      const response = await actor.visitor.checkout({ email: victim.replace("@", `+${i}@`) });
      statuses.push(response.status);
      if (i === 6) {
        expect(await response.text()).toMatch(
          /Too many orders with this email address\. Use the email of your account, or try again in (60|59) minutes\./,
        );
      }
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(await emails()).toBe(MAX_EMAILS);
  });
});

describe("an email to an address that nobody has verified", () => {
  it("carries no word that was typed into the form it comes from", async () => {
    const email = someEmail();
    const words = "Your refund: http://evil.example";
    const who = caller();
    await signUp(who, email, words);
    await who.post("/support", { name: words, email, message: words });
    await caller().post("/waitlist/join", { email, phone: "+1 666-555-0199", utm_source: words, utm_campaign: words });
    await emailTo(shop.url, email, "We have your message");
    const mails = (await (await fetch(`${shop.url}/mailbox.json`)).json()) as MailboxEmail[];
    const toThem = mails.filter(({ to }) => to === email);
    expect(toThem.length).toBeGreaterThan(1);
    expect(JSON.stringify(toThem)).not.toMatch(/refund|evil|666-555/);
  });
});

describe("whether somebody has an account", () => {
  const asked = async (ask: (who: Caller, email: string) => Promise<Response>, email: string) => {
    const emails = await counting();
    const answers = [];
    for (let i = 0; i < 9; i++) {
      const response = await ask(caller(), email);
      answers.push(`${response.status} ${(await response.text()).replaceAll(email, "")}`);
    }
    return { answers, emails: await emails() };
  };
  const reset = (who: Caller, email: string) => who.post("/reset-password", { email });

  it("is not told by a used-up budget: resets are answered alike, before and after", async () => {
    const known = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    const [one, other] = [await asked(reset, known.email), await asked(reset, someEmail())];
    expect(new Set([...one.answers, ...other.answers]).size).toBe(1);
    expect(one.answers[0]).toMatch(/^200 /);
    expect([one.emails, other.emails]).toEqual([MAX_EMAILS, MAX_EMAILS]);
  });

  it("is told by the waitlist no more than its two fixed messages", async () => {
    const email = someEmail();
    const join = (who: Caller, address: string) => who.post("/waitlist/join", { email: address }, { Accept: "*/*" });
    const { answers, emails } = await asked(join, email);
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual(["200", ...Array<string>(8).fill("409")]);
    expect(emails).toBe(MAX_EMAILS);
    // An inbox that is used up by other emails still gets its place.
    const full = someEmail();
    await asked(reset, full);
    expect((await join(caller(), full)).status).toBe(200);
  });
});

describe("one network", () => {
  it("causes sixty emails an hour, to whomever, and is told to wait", async () => {
    const emails = await counting();
    const who = caller();
    const answers = [];
    for (let i = 0; i < 65; i++) answers.push(await contact(who, someEmail()));
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array<number>(60).fill(200),
      ...Array<number>(5).fill(429),
    ]);
    expect(await emails()).toBe(120);
    expect(await answers.at(-1)?.text()).toMatch(
      /Too many messages from your connection or with this address\. Please wait (60|59) minutes, or write to support@/,
    );
    const refused = [
      await signUp(caller(who.address), someEmail()),
      await caller(who.address).post("/reset-password", { email: someEmail() }),
      await caller(who.address).post("/waitlist/join", { email: someEmail() }),
    ];
    for (const response of refused) {
      expect(response.status).toBe(429);
      expect(await response.text()).toMatch(/Too many attempts\. Please wait (60|59) minutes, then try again\./);
    }
    expect(await emails()).toBe(120);
  });
});
