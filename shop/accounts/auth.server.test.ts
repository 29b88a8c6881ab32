import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { generousLimits } from "../../tests/support/rate-limits.ts";
import { cookiesAfter } from "../../tests/support/visitor.ts";
import { consumeMail } from "../mail/mail-budget.server.ts";
import { openRateLimits } from "../rate-limits/rate-limits.server.ts";
import { makeResetToken } from "./passwords/reset-token.server.ts";
import { accounts, profiles, sessions, users } from "./account.tables.ts";
import { openAuth, type Auth } from "./auth.server.ts";
import { verifyToken } from "./verification/verify-token.server.ts";

const secret = "a secret that only tests know, and long enough";
const baseUrl = "http://localhost:3000";
const password = "correct horse";

const shop = useFreshDatabase();
let auth: Auth;
beforeAll(() => {
  auth = openAuth(shop.db, shop.pool, { secret, baseUrl, google: null, rateLimits: generousLimits(shop.db) });
});

let made = 0;
const someEmail = () => `somebody-${made++}@example.com`;

const cookies = (headers: Headers) => new Headers({ Cookie: cookiesAfter(headers) });

async function signUp(email = someEmail()) {
  const { headers, response } = await auth.api.signUpEmail({
    body: { email, password, name: "Ada Lovelace", firstName: "Ada", lastName: "Lovelace" },
    returnHeaders: true,
  });
  return { email, id: response.user.id, browser: cookies(headers) };
}

const mailJobs = async () =>
  (await shop.db.execute<{ data: unknown }>(sql`SELECT data FROM pgboss.job WHERE name = 'mail'`)).rows.map(
    ({ data }) => data,
  );

type More = { press?: boolean; password?: string; takeOver?: boolean };
const open = (token: string, headers = new Headers(), more: More = {}) =>
  auth.api.confirmEmail({ body: { token, ...more }, headers });
const isSignedIn = async (headers: Headers) => (await auth.api.getSession({ headers })) !== null;
const isVerified = async (id: string) =>
  (await shop.db.select().from(users).where(eq(users.id, id)))[0]?.emailVerified === true;
const signIn = (email: string, tried = password) =>
  auth.api.signInEmail({ body: { email, password: tried } }).then(
    () => "in",
    (error: { body?: { code?: string } }) => error.body?.code,
  );

describe("signing up", () => {
  it("signs in, unverified, with a profile and a letter", async () => {
    const { id, browser } = await signUp();
    expect(await isSignedIn(browser)).toBe(true);
    expect(await isVerified(id)).toBe(false);
    const [profile] = await shop.db.select().from(profiles).where(eq(profiles.id, id));
    expect(profile).toMatchObject({ firstName: "Ada", lastName: "Lovelace" });
    expect(await mailJobs()).toContainEqual({ template: "verify-email", userId: id });
  });

  it("makes no account where no email is left for it, because nobody could verify it", async () => {
    const email = someEmail();
    const limits = openRateLimits(shop.db, { scale: 1, secret });
    const sparing = openAuth(shop.db, shop.pool, { secret, baseUrl, google: null, rateLimits: limits });
    for (let i = 0; i < 5; i++) await consumeMail(limits, { to: email, network: "192.0.2.1" });
    const body = { email, password, name: "Ada Lovelace", firstName: "Ada", lastName: "Lovelace" };
    const headers = new Headers({ "x-caller-address": "192.0.2.2" });
    await expect(sparing.api.signUpEmail({ body, headers })).rejects.toMatchObject({
      statusCode: 429,
      body: { code: "TOO_MANY_EMAILS", message: "Too many attempts. Please wait 15 minutes, then try again." },
    });
    expect(await shop.db.$count(users, eq(users.email, email))).toBe(0);
  });

  it("refuses an email that is known, also in other letters", async () => {
    const { email } = await signUp();
    await expect(signUp(email.toUpperCase())).rejects.toMatchObject({ statusCode: 422 });
  });
});

describe("signing in", () => {
  it("needs a verified email, and sends a fresh link", async () => {
    const { email, id } = await signUp();
    const before = (await mailJobs()).length;
    expect(await signIn(email)).toBe("EMAIL_NOT_VERIFIED");
    expect(await mailJobs()).toHaveLength(before + 1);
    expect(await shop.db.select().from(sessions).where(eq(sessions.userId, id))).toHaveLength(1);
  });

  it("says the same of a wrong password and an unknown email", async () => {
    const { email } = await signUp();
    expect(await signIn(email, "wrong horse")).toBe("INVALID_EMAIL_OR_PASSWORD");
    expect(await signIn(someEmail())).toBe("INVALID_EMAIL_OR_PASSWORD");
  });
});

describe("the link in the mail", () => {
  it("verifies in the browser that signed up, however often it is opened", async () => {
    const { browser, ...user } = await signUp();
    const token = await verifyToken(user, { baseUrl, secret });
    for (let opened = 0; opened < 3; opened++) {
      expect(await open(token, browser)).toEqual({ outcome: "confirmed" });
    }
    expect(await isVerified(user.id)).toBe(true);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await signIn(user.email)).toBe("in");
  });

  it("changes nothing for a mail scanner", async () => {
    const { browser, ...user } = await signUp();
    const token = await verifyToken(user, { baseUrl, secret });
    expect(await open(token)).toEqual({ outcome: "ask", email: user.email, hasPassword: true });
    expect(await isVerified(user.id)).toBe(false);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await open(token, browser)).toEqual({ outcome: "confirmed" });
  });

  it("verifies and signs in elsewhere with the password", async () => {
    const { browser, ...user } = await signUp();
    const token = await verifyToken(user, { baseUrl, secret });
    expect(await open(token, new Headers(), { password: "wrong horse" })).toMatchObject({ outcome: "wrong-password" });
    const { headers, response } = await auth.api.confirmEmail({
      body: { token, password },
      headers: new Headers(),
      returnHeaders: true,
    });
    expect(response).toEqual({ outcome: "confirmed" });
    expect(await isSignedIn(cookies(headers))).toBe(true);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it("puts whoever signed up with somebody else's address out: session and password", async () => {
    const { browser: stranger, ...user } = await signUp();
    const response = await open(await verifyToken(user, { baseUrl, secret }), new Headers(), { takeOver: true });
    if (response.outcome !== "taken-over") throw new Error(response.outcome);
    expect(await isVerified(user.id)).toBe(true);
    expect(await isSignedIn(stranger)).toBe(false);
    expect(await signIn(user.email)).toBe("INVALID_EMAIL_OR_PASSWORD");
    await auth.api.resetPassword({ body: { token: response.resetToken, newPassword: "the owner's own" } });
    expect(await signIn(user.email, "the owner's own")).toBe("in");
  });

  it("signs the waitlist's silent account in by its button, once, also after a scanner was first", async () => {
    const email = someEmail();
    const [user] = await shop.db.insert(users).values({ email, name: "" }).returning();
    const token = await verifyToken(user!, { baseUrl, secret });
    expect(await open(token)).toEqual({ outcome: "press", email });
    expect(await isVerified(user!.id)).toBe(false);
    const { headers } = await auth.api.confirmEmail({
      body: { token, press: true },
      headers: new Headers(),
      returnHeaders: true,
    });
    expect(await isSignedIn(cookies(headers))).toBe(true);
    expect(await isVerified(user!.id)).toBe(true);
    for (const more of [{}, { press: true }])
      expect(await open(token, new Headers(), more)).toEqual({ outcome: "used" });
  });

  it("never replaces the session of somebody else", async () => {
    const [{ browser: _, ...nova }, other] = [await signUp(), await signUp()];
    const [silent] = await shop.db.insert(users).values({ email: someEmail(), name: "" }).returning();
    for (const [user, more] of [
      [nova, { password }],
      [silent!, { press: true }],
    ] as const) {
      const { headers, response } = await auth.api.confirmEmail({
        body: { token: await verifyToken(user, { baseUrl, secret }), ...more },
        headers: other.browser,
        returnHeaders: true,
      });
      expect(response).toEqual({ outcome: "confirmed-for-other", email: user.email, signedInAs: other.email });
      expect(headers.getSetCookie()).toEqual([]);
      expect(await isVerified(user.id)).toBe(true);
    }
    expect((await auth.api.getSession({ headers: other.browser }))?.user.id).toBe(other.id);
  });

  it.each([
    ["nonsense", "nonsense", "invalid"],
    ["another secret", "", "invalid"],
  ])("is refused: %s", async (_, given, outcome) => {
    const user = await signUp();
    const token = given || (await verifyToken(user, { baseUrl, secret: "another secret, also long enough to be one" }));
    expect(await open(token, user.browser)).toEqual({ outcome });
  });
});

describe("a reset password", () => {
  it("ends every session, proves the mailbox, and works once", async () => {
    const { browser, id, email } = await signUp();
    const token = await makeResetToken(shop.db, id);
    await auth.api.resetPassword({ body: { token, newPassword: "another horse" } });
    expect(await isSignedIn(browser)).toBe(false);
    expect(await isVerified(id)).toBe(true);
    expect(await signIn(email, "another horse")).toBe("in");
    await expect(auth.api.resetPassword({ body: { token, newPassword: "third horse" } })).rejects.toMatchObject({
      statusCode: 400,
    });
  });
});

describe("Google's account", () => {
  it("is kept without the tokens that came with it, at the first sign-in and at each later one", async () => {
    const { id } = await signUp();
    const { internalAdapter } = await auth.$context;
    const tokens = { accessToken: "a", refreshToken: "r", idToken: "i", accessTokenExpiresAt: new Date() };
    const google = { userId: id, providerId: "google", accountId: `google-${id}` };
    const { id: accountId } = await internalAdapter.createAccount({ ...google, ...tokens });
    const kept = async () => (await shop.db.select().from(accounts).where(eq(accounts.id, accountId)))[0];
    const none = { accessToken: null, refreshToken: null, idToken: null, accessTokenExpiresAt: null };
    expect(await kept()).toMatchObject({ ...google, ...none });
    await internalAdapter.updateAccount(accountId, { ...tokens, scope: "openid" });
    expect(await kept()).toMatchObject({ ...google, ...none, scope: "openid" });
  });
});

describe("a session", () => {
  it("is read in one statement", async () => {
    const { browser } = await signUp();
    const statements: unknown[] = [];
    const query = shop.pool.query.bind(shop.pool);
    shop.pool.query = ((...args: Parameters<typeof query>) => {
      statements.push(args[0]);
      return query(...args);
    }) as typeof query;
    await auth.api.getSession({ headers: browser });
    shop.pool.query = query;
    expect(statements).toHaveLength(1);
  });
});
