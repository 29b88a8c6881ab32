/** Emailed links sign in one person, once, and never replace somebody else's session. */
import { describe, expect, it } from "vitest";
import { verifyToken } from "#shop/accounts/email-links.server.ts";
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

    await late.post("/reset-password", { email });
    const reset = linkIn(await emailTo(shop.url, email, "Set a new password"), "/reset-password");
    const password = "a password of one's own";
    expect((await late.post(reset, { password, confirmPassword: password })).status).toBe(303);
    expect((await late.post("/auth", { intent: "sign-in", email, password, redirect: "/" })).status).toBe(303);
    expect(await whoIs(late)).not.toBeNull();
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
    const html = await (await owner.fetch(link)).text();
    expect(html).toContain("Confirm your email");
    expect(html).not.toContain("sign you in");
    expect(await isPlaced(ada.email)).toBe(false);
    const pressed = await press(owner, link);
    expect([pressed.status, pressed.headers.get("Location")]).toEqual([303, "/#type=signup"]);
    expect(pressed.headers.getSetCookie().join()).not.toContain("session_token");
    expect(await whoIs(owner)).toBeNull();
    expect(await isPlaced(ada.email)).toBe(true);

    expect((await ben.visitor.fetch(await welcomeLink(ben.email))).status).toBe(303);
    expect(await isPlaced(ben.email)).toBe(true);
    expect((await whoIs(ben.visitor))?.firstName).toBe(ben.name);
  });
});

it("a sign-up's link keeps somebody else's session too, although the password is right", async () => {
  const nova = await actor("unverified customer");
  const other = await actor("customer");
  const answer = await other.visitor.post(await verifyLink(nova.userId ?? "", nova.email), {
    email: nova.email,
    password: nova.password,
  });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("Email Verified!");
  expect((await whoIs(other.visitor))?.firstName).toBe(other.name);
  expect((await whoIs(nova.visitor))?.firstName).toBe(nova.name);
  expect((await stateOf(nova.email)).verified).toBe(true);
});
