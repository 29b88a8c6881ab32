import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { accountLetter } from "../accounts/account-emails.server.ts";
import { accounts, profiles, sessions, users } from "../accounts/account.tables.ts";
import { openAuth } from "../accounts/auth.server.ts";
import { openRateLimits, type RateLimits } from "../rate-limits/rate-limits.server.ts";
import { joinWaitlist } from "./waitlist.server.ts";
import { waitlist } from "./waitlist.tables.ts";

const secret = "a secret that only tests know, and long enough";
const baseUrl = "http://localhost:3000";

const shop = useFreshDatabase();
let rateLimits: RateLimits;
beforeAll(() => {
  rateLimits = openRateLimits(shop.db, { scale: 1, secret });
});

let made = 0;
const someEmail = () => `waiting-${made++}@example.com`;
/** From a household of their own, unless one is given. */
const join = (email: string, more: { phone?: string; utmSource?: string } = {}, address = `192.0.2.${made++}`) =>
  joinWaitlist(shop.db, rateLimits, { email, phone: null, utmSource: null, utmCampaign: null, ...more }, address);

const placeOf = async (email: string) => (await shop.db.select().from(waitlist).where(eq(waitlist.email, email))).at(0);
const userOf = async (email: string) => (await shop.db.select().from(users).where(eq(users.email, email))).at(0);
const lettersTo = async (userId = "") =>
  (
    await shop.db.execute(
      sql`SELECT 1 FROM pgboss.job WHERE name = 'mail' AND data = ${JSON.stringify({ letter: "verify-email", userId })}::jsonb`,
    )
  ).rows.length;
const letterTo = (userId: string) => accountLetter(shop.db, { letter: "verify-email", userId }, { baseUrl, secret });
const signUp = (email: string) =>
  openAuth(shop.db, shop.pool, { secret, baseUrl, google: null, rateLimits }).api.signUpEmail({
    body: { email, password: "correct horse", name: "Ada Lovelace", firstName: "Ada", lastName: "Lovelace" },
  });

describe("joining the waitlist", () => {
  it("keeps the place, unverified, in a silent account without password or session, and queues one letter", async () => {
    const email = someEmail();
    expect(await join(email, { phone: "+1 212 555 0100", utmSource: "mail" })).toEqual({ ok: true });
    const user = await userOf(email);
    expect(user).toMatchObject({ name: "", emailVerified: false });
    expect(await placeOf(email)).toMatchObject({
      userId: user?.id,
      phone: "+1 212 555 0100",
      utmSource: "mail",
      utmCampaign: null,
      verifiedAt: null,
    });
    expect(await shop.db.$count(accounts, eq(accounts.userId, user?.id ?? ""))).toBe(0);
    expect(await shop.db.$count(sessions, eq(sessions.userId, user?.id ?? ""))).toBe(0);
    expect(await shop.db.$count(profiles, eq(profiles.id, user?.id ?? ""))).toBe(1);
    expect(await lettersTo(user?.id)).toBe(1);
  });

  it("twice tells so, changes nothing, and sends a fresh link while the email is not verified", async () => {
    const email = someEmail();
    await join(email, { phone: "1" });
    expect(await join(email, { phone: "2" })).toEqual({ ok: false, reason: "already-registered" });
    const user = await userOf(email);
    expect(await placeOf(email)).toMatchObject({ phone: "1" });
    expect(await lettersTo(user?.id)).toBe(2);
    await shop.db.update(users).set({ emailVerified: true }).where(eq(users.email, email));
    expect(await join(email)).toEqual({ ok: false, reason: "already-registered" });
    expect(await lettersTo(user?.id)).toBe(2);
  });

  it("at the same moment from many tabs makes one place and one account", async () => {
    const email = someEmail();
    const results = await Promise.all(Array.from({ length: 8 }, () => join(email)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await shop.db.$count(waitlist, eq(waitlist.email, email))).toBe(1);
    expect(await shop.db.$count(users, eq(users.email, email))).toBe(1);
  });

  it("leaves a customer's account as it is", async () => {
    const email = someEmail();
    const { user } = await signUp(email);
    expect(await join(email)).toEqual({ ok: false, reason: "already-registered" });
    expect(await placeOf(email)).toBeUndefined();
    expect(await userOf(email)).toMatchObject({ id: user.id, firstName: "Ada" });
    expect(await shop.db.$count(accounts, eq(accounts.userId, user.id))).toBe(1);
  });

  it("says so where no account comes of it, and then keeps no place and writes no letter", async () => {
    const email = someEmail();
    await shop.db.execute(sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`);
    await shop.db.execute(sql`CREATE TRIGGER refuse BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const letters = sql`SELECT 1 FROM pgboss.job`;
    const before = (await shop.db.execute(letters)).rowCount;
    try {
      expect(await join(email)).toEqual({ ok: false, reason: "no-account", message: "Failed to create user account" });
    } finally {
      await shop.db.execute(sql`DROP FUNCTION refuse CASCADE`);
    }
    expect(await placeOf(email)).toBeUndefined();
    expect((await shop.db.execute(letters)).rowCount).toBe(before);
  });
});

describe("limits", () => {
  it("slow whoever tries many emails from one address, and nobody else", async () => {
    for (let i = 0; i < 60; i++) expect(await join(someEmail(), {}, "198.51.100.1")).toEqual({ ok: true });
    const email = someEmail();
    expect(await join(email, {}, "198.51.100.1")).toEqual({
      ok: false,
      reason: "limited",
      message: expect.stringMatching(/^Too many attempts\. Please wait (60|59) minutes, then try again\.$/),
    });
    expect(await userOf(email)).toBeUndefined();
    expect(await join(email, {}, "198.51.100.2")).toEqual({ ok: true });
  });

  it("slow the letters to one inbox, and the answer stays the same", async () => {
    const email = someEmail();
    await join(email);
    for (let i = 0; i < 8; i++) {
      expect(await join(email, {}, "198.51.100.3")).toEqual({ ok: false, reason: "already-registered" });
    }
    expect(await lettersTo((await userOf(email))?.id)).toBe(5);
  });
});

describe("the letter", () => {
  it("welcomes a silent account to the waitlist, and its link verifies the place", async () => {
    const email = someEmail();
    await join(email);
    const user = await userOf(email);
    const letter = await letterTo(user?.id ?? "");
    expect(letter).toMatchObject({ to: email, subject: "Welcome to the waitlist | Polara" });
    expect(letter?.text).toContain("Your place on the Polara waitlist is then confirmed.");
    const token = /\/auth\/verify\?token=(\S+)/.exec(letter?.text ?? "")?.[1] ?? "";
    const auth = openAuth(shop.db, shop.pool, { secret, baseUrl, google: null, rateLimits });
    const before = new Date();
    const press = () => auth.api.confirmEmail({ body: { token, press: true }, headers: new Headers() });
    expect(await press()).toEqual({ outcome: "confirmed" });
    const verifiedAt = (await placeOf(email))?.verifiedAt;
    expect(verifiedAt?.getTime()).toBeGreaterThanOrEqual(before.getTime() - 1000);
    // A second time changes nothing, and there is nothing left to verify.
    expect(await press()).toEqual({ outcome: "used" });
    expect((await placeOf(email))?.verifiedAt).toEqual(verifiedAt);
    expect(await letterTo(user?.id ?? "")).toBeNull();
  });

  it("speaks to a customer who signed up of the account", async () => {
    const { user } = await signUp(someEmail());
    expect((await letterTo(user.id))?.subject).toBe("Verify your email | Polara");
  });
});
