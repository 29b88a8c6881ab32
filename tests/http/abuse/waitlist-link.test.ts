/** The link in the waitlist's mail is the only way into its silent account: for a person, once, and over nobody. */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { verifyToken } from "../../../shop/accounts/verification/verify-token.server.ts";
import { makeActor } from "../../support/actors.ts";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET });

const visitor = () => new Visitor(shop.url);
const press = (who: Visitor, link: string) => who.post(link, { intent: "confirm" });
const whoIs = async (who: Visitor) =>
  ((await (await who.fetch("/personal")).json()) as { customer: { firstName: string } | null }).customer;

/** A place on the waitlist whose mail has come. */
async function joined() {
  const email = `waiting-${randomUUID()}@example.com`;
  expect((await visitor().post("/waitlist/join", { email }, { Accept: "*/*" })).status).toBe(200);
  const link = linkIn(await emailTo(shop.url, email, "Welcome to the waitlist"), "/auth/verify");
  const state = async () => {
    const { rows } = await database.pool.query<{ verified: boolean; placed: boolean; sessions: number }>(
      `SELECT email_verified AS verified, verified_at IS NOT NULL AS placed,
         (SELECT count(*)::int FROM sessions WHERE user_id = users.id) AS sessions
       FROM users JOIN waitlist ON user_id = users.id WHERE users.email = $1`,
      [email],
    );
    return rows[0];
  };
  return { email, link, state };
}

describe("the link in the waitlist's mail", () => {
  it("changes nothing by being opened: a page with one button, for scanners and people alike", async () => {
    const { email, link, state } = await joined();
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
    expect(await state()).toEqual({ verified: false, placed: false, sessions: 0 });
  });

  it("verifies and signs in by its button, once; a second time says so and leads on", async () => {
    const { link, state } = await joined();
    const owner = visitor();
    const pressed = await press(owner, link);
    expect([pressed.status, pressed.headers.get("Location")]).toEqual([303, "/#type=signup"]);
    expect(await whoIs(owner)).not.toBeNull();
    expect(await state()).toEqual({ verified: true, placed: true, sessions: 1 });
    for (const who of [visitor(), owner]) {
      const again = await press(who, link);
      expect(again.status).toBe(410);
      const html = await again.text();
      expect(html).toContain("This link was used already");
      expect(html).toContain('href="/auth"');
      expect(html).toContain('href="/reset-password"');
    }
    const late = visitor();
    expect((await late.fetch(link)).status).toBe(410);
    expect(await whoIs(late)).toBeNull();
    expect((await state())?.sessions).toBe(1);
  });

  it("is used up with any other link to the same place", async () => {
    const { email, link } = await joined();
    const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
    const second = `/auth/verify?token=${await verifyToken({ id: rows[0]?.id ?? "", email }, { baseUrl: shop.url, secret: AUTH_SECRET })}`;
    expect((await press(visitor(), link)).status).toBe(303);
    expect((await press(visitor(), second)).status).toBe(410);
  });

  it("signs in one of many who press at the same moment", async () => {
    const { link, state } = await joined();
    const answers = await Promise.all(Array.from({ length: 10 }, () => press(visitor(), link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(9).fill(410)]);
    expect((await state())?.sessions).toBe(1);
  });

  it("never replaces the session of somebody else: the place is verified, the browser stays theirs, and the page says so", async () => {
    const { email, link, state } = await joined();
    const other = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
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
    expect(await state()).toEqual({ verified: true, placed: true, sessions: 0 });
  });

  it("leaves a way in after it was used: a password set by email", async () => {
    const { email, link } = await joined();
    await press(visitor(), link);
    const later = visitor();
    await later.post("/reset-password", { email });
    const reset = linkIn(await emailTo(shop.url, email, "Set a new password"), "/reset-password");
    const password = "a password of one's own";
    expect((await later.post(reset, { password, confirmPassword: password })).status).toBe(303);
    expect((await later.post("/auth", { intent: "sign-in", email, password, redirect: "/" })).status).toBe(303);
    expect(await whoIs(later)).not.toBeNull();
  });
});

describe("a customer who is not on the waitlist", () => {
  const customer = async () => {
    const actor = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    await database.pool.query("DELETE FROM waitlist WHERE user_id = $1", [actor.userId]);
    return actor;
  };
  const join = async (who: Visitor, email: string) => {
    const answer = await who.post("/waitlist/join", { email }, { Accept: "*/*" });
    return { status: answer.status, cookies: answer.headers.getSetCookie(), said: await answer.text() };
  };
  const place = async (email: string) => {
    const { rows } = await database.pool.query<{ verified_at: Date | null }>(
      "SELECT verified_at FROM waitlist WHERE email = $1",
      [email],
    );
    return rows[0];
  };

  it("joins at once where they are signed in with this email", async () => {
    const ada = await customer();
    expect(await join(ada.visitor, ada.email.toUpperCase())).toMatchObject({
      status: 200,
      said: '{"outcome":"joined","isConfirmed":true}',
    });
    expect(await place(ada.email)).toEqual({ verified_at: expect.any(Date) });
    expect((await join(ada.visitor, ada.email)).status).toBe(409);
  });

  it("is told to a stranger, and to another customer, like an email that nobody has", async () => {
    const [ada, ben, other] = [await customer(), await customer(), await customer()];
    const unknown = await join(visitor(), `nobody-${randomUUID()}@example.com`);
    expect(unknown.status).toBe(200);
    expect(await join(visitor(), ada.email)).toEqual(unknown);
    expect(await join(other.visitor, ben.email)).toEqual(unknown);
    expect(await place(ada.email)).toEqual({ verified_at: null });
  });

  it("confirms by the button in the mail, which scanners do not press and which signs nobody in", async () => {
    const ada = await customer();
    await join(visitor(), ada.email);
    const link = linkIn(await emailTo(shop.url, ada.email, "Welcome to the waitlist"), "/auth/verify");
    const owner = visitor();
    const html = await (await owner.fetch(link)).text();
    expect(html).toContain("Confirm your email");
    expect(html).not.toContain("signed in to the account");
    expect(await place(ada.email)).toEqual({ verified_at: null });
    const pressed = await press(owner, link);
    expect([pressed.status, pressed.headers.get("Location")]).toEqual([303, "/#type=signup"]);
    expect(pressed.headers.getSetCookie().join()).not.toContain("session_token");
    expect(await whoIs(owner)).toBeNull();
    expect(await place(ada.email)).toEqual({ verified_at: expect.any(Date) });
  });

  it("confirms by opening the link in the browser where they are signed in", async () => {
    const ada = await customer();
    await join(visitor(), ada.email);
    const link = linkIn(await emailTo(shop.url, ada.email, "Welcome to the waitlist"), "/auth/verify");
    expect((await ada.visitor.fetch(link)).status).toBe(303);
    expect(await place(ada.email)).toEqual({ verified_at: expect.any(Date) });
    expect((await whoIs(ada.visitor))?.firstName).toBe(ada.name);
  });
});

describe("the link in the mail of somebody who signed up", () => {
  it("never replaces the session of somebody else either, whose password was typed beside it", async () => {
    const nova = await makeActor(database.pool, shop.url, AUTH_SECRET, "unverified customer");
    const other = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    const link = `/auth/verify?token=${await verifyToken({ id: nova.userId ?? "", email: nova.email }, { baseUrl: shop.url, secret: AUTH_SECRET })}`;
    const answer = await other.visitor.post(link, { email: nova.email, password: nova.password });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("Email Verified!");
    expect((await whoIs(other.visitor))?.firstName).toBe(other.name);
    expect((await whoIs(nova.visitor))?.firstName).toBe(nova.name);
    const { rows } = await database.pool.query("SELECT email_verified FROM users WHERE id = $1", [nova.userId]);
    expect(rows).toEqual([{ email_verified: true }]);
  });
});
