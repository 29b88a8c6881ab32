import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { emailShop } from "#tests/support/outbox.ts";
import { accounts, profiles, sessions, users } from "#shop/accounts/account.tables.ts";
import { openAuth } from "#shop/accounts/auth.server.ts";
import { emails } from "#shop/emails.server.ts";
import { consumeMail } from "#shop/mail/enqueue-email.server.ts";
import { openRateLimits, type RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { confirmPlace, getPlace, hasUnconfirmedPlace, joinWaitlist, leaveWaitlist } from "./waitlist.server.ts";
import { waitlist } from "./waitlist.tables.ts";

const secret = "a secret that only tests know, and long enough";
const baseUrl = "http://localhost:3000";

const shop = useFreshDatabase();
let rateLimits: RateLimits;
beforeAll(() => {
  rateLimits = openRateLimits(shop.db, { scale: 1, secret });
});

type Customer = Parameters<typeof joinWaitlist>[3]["customer"];
let made = 0;
const someEmail = () => `waiting-${made++}@example.com`;
/** Each call has its own network unless one is given. */
const join = (
  email: string,
  more: { phone?: string; utmSource?: string } = {},
  network = `192.0.2.${made++}`,
  customer: Customer = null,
) =>
  joinWaitlist(
    shop.db,
    rateLimits,
    { email, phone: null, utmSource: null, utmCampaign: null, ...more },
    { network, customer },
  );
const joinAs = (customer: Customer, email: string) => join(email, {}, undefined, customer);

const placeOf = async (email: string) => (await shop.db.select().from(waitlist).where(eq(waitlist.email, email))).at(0);
const userOf = async (email: string) => (await shop.db.select().from(users).where(eq(users.email, email))).at(0);
const queuedFor = async (userId = "") =>
  (
    await shop.db.execute<{ template: "verify-email" | "waitlist-welcome" }>(
      sql`SELECT data->>'template' AS template FROM pgboss.job WHERE name = 'mail' AND data->>'userId' = ${userId}`,
    )
  ).rows.map(({ template }) => template);
const emailTo = async (userId = "") => {
  const [template] = await queuedFor(userId);
  return template ? emails[template].write(shop.db, { userId }, { ...emailShop, baseUrl, secret }) : null;
};
const signUp = (email: string) =>
  openAuth(shop.db, shop.pool, { secret, baseUrl, google: null, rateLimits }).api.signUpEmail({
    body: { email, password: "correct horse", name: "Ada Lovelace", firstName: "Ada", lastName: "Lovelace" },
  });

describe("joining the waitlist", () => {
  it("stores an unverified place with an account without password or session, and queues one email", async () => {
    const email = someEmail();
    expect(await join(email, { phone: "+1 212 555 0100", utmSource: "mail" })).toEqual({
      ok: true,
      isConfirmed: false,
    });
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
    expect(await queuedFor(user?.id)).toEqual(["waitlist-welcome"]);
  });

  it("twice is refused, changes nothing, and sends a new link until the email is verified", async () => {
    const email = someEmail();
    await join(email, { phone: "1" });
    expect(await join(email, { phone: "2" })).toEqual({ ok: false, reason: "already-registered" });
    const user = await userOf(email);
    expect(await placeOf(email)).toMatchObject({ phone: "1" });
    expect(await queuedFor(user?.id)).toEqual(["waitlist-welcome", "waitlist-welcome"]);
    await shop.db.update(users).set({ emailVerified: true }).where(eq(users.email, email));
    expect(await join(email)).toEqual({ ok: false, reason: "already-registered" });
    expect(await queuedFor(user?.id)).toEqual(["waitlist-welcome", "waitlist-welcome"]);
  });

  it("from many tabs at once makes one place and one account", async () => {
    const email = someEmail();
    const results = await Promise.all(Array.from({ length: 8 }, () => join(email)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await shop.db.$count(waitlist, eq(waitlist.email, email))).toBe(1);
    expect(await shop.db.$count(users, eq(users.email, email))).toBe(1);
  });

  it("keeps a customer's account, with an unconfirmed place", async () => {
    const email = someEmail();
    const { user } = await signUp(email);
    expect(await join(email, { utmSource: "friend" })).toEqual({ ok: true, isConfirmed: false });
    expect(await placeOf(email)).toMatchObject({ userId: user.id, utmSource: "friend", verifiedAt: null });
    expect(await userOf(email)).toMatchObject({ id: user.id, firstName: "Ada" });
    expect(await shop.db.$count(accounts, eq(accounts.userId, user.id))).toBe(1);
    expect(await join(email)).toEqual({ ok: false, reason: "already-registered" });
  });

  it("without an account is refused, with no place and no email", async () => {
    const email = someEmail();
    await shop.db.execute(sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`);
    await shop.db.execute(sql`CREATE TRIGGER refuse BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const jobs = sql`SELECT 1 FROM pgboss.job`;
    const before = (await shop.db.execute(jobs)).rowCount;
    try {
      expect(await join(email)).toEqual({ ok: false, reason: "no-account", message: "Failed to create user account" });
    } finally {
      await shop.db.execute(sql`DROP FUNCTION refuse CASCADE`);
    }
    expect(await placeOf(email)).toBeUndefined();
    expect((await shop.db.execute(jobs)).rowCount).toBe(before);
  });
});

describe("a customer with a verified email", () => {
  const verifiedCustomer = async () => {
    const email = someEmail();
    const { user } = await signUp(email);
    await shop.db.update(users).set({ emailVerified: true }).where(eq(users.id, user.id));
    return { id: user.id, email, emailVerified: true };
  };
  const welcomesTo = async (userId: string) => (await queuedFor(userId)).filter((name) => name === "waitlist-welcome");

  it("joins with a confirmed place and no email when signed in", async () => {
    const ada = await verifiedCustomer();
    expect(await joinAs(ada, ada.email)).toEqual({ ok: true, isConfirmed: true });
    expect(await placeOf(ada.email)).toMatchObject({ userId: ada.id, verifiedAt: expect.any(Date) });
    expect(await welcomesTo(ada.id)).toEqual([]);
    expect(await joinAs(ada, ada.email)).toEqual({ ok: false, reason: "already-registered" });
    expect(await welcomesTo(ada.id)).toEqual([]);
  });

  it("confirms a place that somebody else made", async () => {
    const ada = await verifiedCustomer();
    await join(ada.email, { phone: "1" });
    expect(await joinAs(ada, ada.email)).toEqual({ ok: true, isConfirmed: true });
    expect(await placeOf(ada.email)).toMatchObject({ phone: "1", verifiedAt: expect.any(Date) });
  });

  it("leaves the waitlist, and joins again anew", async () => {
    const [ada, ben] = [await verifiedCustomer(), await verifiedCustomer()];
    for (const one of [ada, ben]) await join(one.email, { phone: "1", utmSource: "mail" }, undefined, one);
    await shop.db.update(waitlist).set({ createdAt: new Date(0) });
    expect(await getPlace(shop.db, ada.id)).toEqual({ since: new Date(0), isConfirmed: true });
    await leaveWaitlist(shop.db, ada.id);
    expect(await getPlace(shop.db, ada.id)).toBeNull();
    expect(await placeOf(ada.email)).toMatchObject({ phone: null, utmSource: null, unsubscribedAt: expect.any(Date) });
    expect(await getPlace(shop.db, ben.id)).toEqual({ since: new Date(0), isConfirmed: true });
    // Somebody else's form does not undo it.
    expect(await join(ada.email)).toEqual({ ok: false, reason: "already-registered" });
    expect(await getPlace(shop.db, ada.id)).toBeNull();
    expect(await join(ada.email, { phone: "2" }, undefined, ada)).toEqual({ ok: true, isConfirmed: true });
    expect((await getPlace(shop.db, ada.id))?.since.getTime()).toBeGreaterThan(0);
    expect(await placeOf(ada.email)).toMatchObject({ phone: "2", unsubscribedAt: null });
  });

  it("gets a link if somebody else types it, with the answer of an unknown email", async () => {
    const ada = await verifiedCustomer();
    const ben = await verifiedCustomer();
    expect(await joinAs(ben, ada.email)).toEqual(await joinAs(ben, someEmail()));
    expect(await placeOf(ada.email)).toMatchObject({ userId: ada.id, verifiedAt: null });
    expect(await welcomesTo(ada.id)).toHaveLength(1);
    expect(await join(ada.email)).toEqual({ ok: false, reason: "already-registered" });
    expect(await welcomesTo(ada.id)).toHaveLength(2);
  });

  it("gets a link, if the email is not verified", async () => {
    const email = someEmail();
    const { user } = await signUp(email);
    const nova = { id: user.id, email, emailVerified: false };
    expect(await joinAs(nova, email)).toEqual({ ok: true, isConfirmed: false });
    expect(await placeOf(email)).toMatchObject({ verifiedAt: null });
  });

  it("confirms the place by the link's button, without signing in", async () => {
    const ada = await verifiedCustomer();
    await join(ada.email);
    const sessionsBefore = await shop.db.$count(sessions, eq(sessions.userId, ada.id));
    const email = await emails["waitlist-welcome"].write(
      shop.db,
      { userId: ada.id },
      { ...emailShop, baseUrl, secret },
    );
    expect(email).toMatchObject({ to: ada.email, subject: "Welcome to the waitlist | Polara" });
    expect(email?.text).not.toContain("signs you in");
    const token = /\/auth\/verify\?token=(\S+)/.exec(email?.text ?? "")?.[1] ?? "";
    const places = {
      isUnconfirmed: (id: string) => hasUnconfirmedPlace(shop.db, id),
      confirm: (id: string) => confirmPlace(shop.db, id),
    };
    const auth = openAuth(shop.db, shop.pool, { secret, baseUrl, google: null, rateLimits, places });
    const open = (more = {}) => auth.api.confirmEmail({ body: { token, ...more }, headers: new Headers() });
    expect(await open()).toEqual({ outcome: "press-for-place", email: ada.email });
    expect(await placeOf(ada.email)).toMatchObject({ verifiedAt: null });
    expect(await open({ press: true })).toEqual({ outcome: "confirmed", signedIn: null });
    const { verifiedAt } = (await placeOf(ada.email))!;
    expect(verifiedAt).toBeInstanceOf(Date);
    expect(await open({ press: true })).toEqual({ outcome: "confirmed", signedIn: null });
    expect((await placeOf(ada.email))?.verifiedAt).toEqual(verifiedAt);
    expect(await shop.db.$count(sessions, eq(sessions.userId, ada.id))).toBe(sessionsBefore);
    expect(
      await emails["waitlist-welcome"].write(shop.db, { userId: ada.id }, { ...emailShop, baseUrl, secret }),
    ).toBeNull();
  });
});

describe("limits", () => {
  it("apply to many emails from one address", async () => {
    for (let i = 0; i < 60; i++)
      expect(await join(someEmail(), {}, "198.51.100.1")).toEqual({ ok: true, isConfirmed: false });
    const email = someEmail();
    expect(await join(email, {}, "198.51.100.1")).toEqual({
      ok: false,
      reason: "limited",
      message: expect.stringMatching(/^Too many attempts\. Please wait (60|59) minutes, then try again\.$/),
    });
    expect(await userOf(email)).toBeUndefined();
    expect(await join(email, {}, "198.51.100.2")).toEqual({ ok: true, isConfirmed: false });
  });

  it("apply to emails to one inbox, with the same answer", async () => {
    const email = someEmail();
    await join(email);
    for (let i = 0; i < 8; i++) {
      expect(await join(email, {}, "198.51.100.3")).toEqual({ ok: false, reason: "already-registered" });
    }
    expect(await queuedFor((await userOf(email))?.id)).toHaveLength(5);
    // An inbox that is used up by other emails still gets its place.
    const full = someEmail();
    while ((await consumeMail(rateLimits, { to: full, network: "198.51.100.3" })).permit);
    expect(await join(full)).toEqual({ ok: true, isConfirmed: false });
  });
});

describe("the email", () => {
  it("welcomes a silent account, and its link verifies the place", async () => {
    const address = someEmail();
    await join(address);
    const user = await userOf(address);
    const email = await emailTo(user?.id);
    expect(email).toMatchObject({ to: address, subject: "Welcome to the waitlist | Polara" });
    expect(email?.text).toContain("and your spot is saved.");
    const token = /\/auth\/verify\?token=(\S+)/.exec(email?.text ?? "")?.[1] ?? "";
    const auth = openAuth(shop.db, shop.pool, { secret, baseUrl, google: null, rateLimits });
    const before = new Date();
    const press = () => auth.api.confirmEmail({ body: { token, press: true }, headers: new Headers() });
    expect(await press()).toEqual({ outcome: "confirmed", signedIn: address });
    const verifiedAt = (await placeOf(address))?.verifiedAt;
    expect(verifiedAt?.getTime()).toBeGreaterThanOrEqual(before.getTime() - 1000);
    // A repeat changes nothing, and nothing is left to verify.
    expect(await press()).toEqual({ outcome: "used" });
    expect((await placeOf(address))?.verifiedAt).toEqual(verifiedAt);
    expect(await emailTo(user?.id)).toBeNull();
  });

  it("mentions the account of a customer", async () => {
    const address = someEmail();
    const { user } = await signUp(address);
    expect((await emailTo(user.id))?.subject).toBe("Verify your email | Polara");
    await join(address);
    expect(await queuedFor(user.id)).toEqual(["verify-email", "verify-email"]);
  });
});
