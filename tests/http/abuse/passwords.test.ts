/** Passwords, links and sessions as somebody finds them who guesses, steals or floods. */
import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { makeResetToken } from "../../../shop/accounts/passwords/reset-token.server.ts";
import { verifyToken } from "../../../shop/accounts/verification/verify-token.server.ts";
import { makeActor, type Actor } from "../../support/actors.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET });

const COMMON = "This password is one of the most common. Please choose another.";
const PERSONAL = "This password is made of your name, your email or words of this shop. Please choose another.";
const FRESH = "a kettle under the stairs";

const customer = () => makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
const newLink = async (who: Actor) => `/reset-password?token=${await makeResetToken(database.db, who.userId ?? "")}`;
const setPassword = (link: string, password: string) =>
  new Visitor(shop.url).post(link, { password, confirmPassword: password });
const changePassword = (who: Actor, password: string) =>
  who.visitor.post("/account?tab=settings", {
    intent: "password",
    currentPassword: who.password,
    password,
    confirmPassword: password,
  });
const signIn = (email: string, password: string) =>
  new Visitor(shop.url).post("/auth", { intent: "sign-in", redirect: "/", email, password });
let made = 0;
const signUp = (password: string, email = `grace.hopper-${made++}@example.com`) =>
  new Visitor(shop.url).post("/auth?tab=sign-up", {
    intent: "sign-up",
    redirect: "/",
    firstName: "Grace",
    lastName: "Hopper",
    email,
    password,
    confirmPassword: password,
    terms: "on",
  });
const count = async (query: string, ...values: unknown[]) =>
  Number((await database.pool.query<{ count: string }>(`SELECT count(*) FROM ${query}`, values)).rows[0]?.count);
const textOf = async (response: Response) => (await response.text()).replaceAll("&#x27;", "'");
const isSignedIn = async (visitor: Visitor) =>
  ((await (await visitor.fetch("/personal")).json()) as { customer: unknown }).customer !== null;

const GUESSED: [password: string, message: string][] = [
  ["password", COMMON],
  ["12345678", COMMON],
  ["QwertyUiop", COMMON],
  ["ｑｗｅｒｔｙｕｉｏｐ", COMMON],
  ["ｑｗｅｒｔｙｕｉｏｐ２０２６", COMMON],
  ["password2026!", COMMON],
  ["polara123", PERSONAL],
  ["Polara2026!", PERSONAL],
  ["localhost-shop", PERSONAL],
];

describe("a password that is guessed first", () => {
  it.each([...GUESSED, ["grace.hopper1", PERSONAL], ["HopperGrace!", PERSONAL]])(
    "is refused at sign-up, beside its field, and nothing typed elsewhere is lost: %s",
    async (password, message) => {
      const email = `grace.hopper-${made++}@example.com`;
      const refused = await signUp(password, email);
      const page = await textOf(refused);
      expect(refused.status).toBe(400);
      expect(page).toMatch(new RegExp(`id="[^"]*password-error"[^>]*>${message.replaceAll(".", "\\.")}`));
      for (const typed of ["Grace", "Hopper", email]) expect(page).toContain(`value="${typed}"`);
      expect(page).not.toContain(`value="${password}"`);
      expect(await count("users WHERE email = $1", email)).toBe(0);
    },
  );

  it("is refused in settings, and the one before stays", async () => {
    const who = await customer();
    for (const [password, message] of GUESSED) {
      const refused = await changePassword(who, password);
      expect([password, refused.status]).toEqual([password, 400]);
      expect(await textOf(refused)).toContain(message);
    }
    expect((await signIn(who.email, who.password)).status).toBe(303);
  });

  it("is refused in settings where it is made of the customer's own name or email", async () => {
    const who = await customer();
    for (const password of [
      who.name,
      `${who.name}-Lovelace99`,
      `${who.name.toLowerCase()}!shop`,
      who.email.split("@")[0] ?? "",
    ]) {
      const refused = await changePassword(who, password);
      expect([password, refused.status]).toEqual([password, 400]);
      expect(await textOf(refused)).toContain(PERSONAL);
    }
  });

  it("is refused by a reset link, which stays good for another", async () => {
    const who = await customer();
    const link = await newLink(who);
    for (const [password, message] of [...GUESSED, [who.name, PERSONAL] as const]) {
      const refused = await setPassword(link, password);
      expect([password, refused.status]).toEqual([password, 400]);
      expect(await textOf(refused)).toContain(message);
    }
    expect(await isSignedIn(who.visitor)).toBe(true);
    expect((await setPassword(link, FRESH)).status).toBe(303);
    expect((await signIn(who.email, FRESH)).status).toBe(303);
  });

  it.each(["only small letters", "ünïcödé ☃ ☃", "     8     "])(
    "is no other: %s needs no digit, capital or sign",
    async (password) => {
      const email = `linus-${made++}@example.com`;
      expect((await signUp(password, email)).headers.get("Location")).toBe("/");
    },
  );
});

describe("a reset link", () => {
  it("is stored as a hash only, which opens nothing", async () => {
    const who = await customer();
    const link = await newLink(who);
    const token = link.split("=")[1] ?? "";
    const { rows } = await database.pool.query<{ identifier: string }>("SELECT * FROM verifications WHERE value = $1", [
      who.userId,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    const stolen = rows[0]?.identifier ?? "";
    for (const guess of [stolen, stolen.replace("reset-password:", "")]) {
      const path = `/reset-password?token=${encodeURIComponent(guess)}`;
      expect((await new Visitor(shop.url).fetch(path)).status).toBe(410);
      expect((await setPassword(path, FRESH)).status).toBe(400);
    }
    expect((await setPassword(link, FRESH)).status).toBe(303);
  });

  it("dies with every other one when one was used", async () => {
    const who = await customer();
    const stranger = await customer();
    const [first, second, others] = [await newLink(who), await newLink(who), await newLink(stranger)];
    expect((await setPassword(second, FRESH)).status).toBe(303);
    expect((await new Visitor(shop.url).fetch(first)).status).toBe(410);
    expect((await setPassword(first, "an older link's password")).status).toBe(400);
    expect((await signIn(who.email, FRESH)).status).toBe(303);
    expect((await new Visitor(shop.url).fetch(others)).status).toBe(200);
  });

  it("dies when the password is changed", async () => {
    const who = await customer();
    const link = await newLink(who);
    expect((await changePassword(who, FRESH)).status).toBe(200);
    expect((await new Visitor(shop.url).fetch(link)).status).toBe(410);
    expect((await setPassword(link, "an older link's password")).status).toBe(400);
  });

  it("dies when the owner of the mailbox takes the account over", async () => {
    const email = `grace.hopper-${made++}@example.com`;
    expect((await signUp(FRESH, email)).status).toBe(303);
    const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
    const id = rows[0]?.id ?? "";
    const older = `/reset-password?token=${await makeResetToken(database.db, id)}`;
    const link = `/auth/verify?token=${await verifyToken({ id, email }, { baseUrl: shop.url, secret: AUTH_SECRET })}`;
    const taken = await new Visitor(shop.url).post(link, { intent: "take-over" });
    expect((await setPassword(older, "an older link's password")).status).toBe(400);
    expect((await setPassword(taken.headers.get("Location") ?? "", "the owner's own")).status).toBe(303);
  });

  it.each(["%00", "a%00b", "%0D%0A", "%0D%0ASet-Cookie:%20a=b", "%ED%A0%80", "%E2%80%AE", "", "a".repeat(4_000)])(
    "with a token as no mail has it is 400 or 410, never an error: %s",
    async (token) => {
      for (const path of [`/reset-password?token=${token}`, `/reset-password.data?token=${token}`]) {
        const looked = await new Visitor(shop.url).fetch(path);
        expect([400, 410]).toContain(looked.status);
        const sent = await setPassword(path, FRESH);
        expect([400, 410]).toContain(sent.status);
        expect(sent.headers.get("Set-Cookie")).toBeNull();
      }
    },
  );
});

describe("a session", () => {
  const age = (who: Actor, days: number) =>
    database.pool.query("UPDATE sessions SET created_at = now() - make_interval(days => $2) WHERE user_id = $1", [
      who.userId,
      days,
    ]);

  it("ends 90 days after the sign-in, whatever it was prolonged to", async () => {
    const who = await customer();
    await age(who, 89);
    expect(await isSignedIn(who.visitor)).toBe(true);
    await age(who, 90);
    expect(await isSignedIn(who.visitor)).toBe(false);
    expect((await who.visitor.fetch("/account")).headers.get("Location")).toMatch(/^\/auth\?/);
    expect((await who.visitor.fetch("/api/auth/token")).status).toBe(401);
  });

  it("is prolonged by use, never past 90 days", async () => {
    const who = await customer();
    await age(who, 80);
    expect(await isSignedIn(who.visitor)).toBe(true);
    const { rows } = await database.pool.query<{ days: number }>(
      "SELECT extract(epoch FROM max(expires_at) - min(created_at)) / 86400 AS days FROM sessions WHERE user_id = $1",
      [who.userId],
    );
    expect(Number(rows[0]?.days)).toBeLessThanOrEqual(90);
    const young = await customer();
    await age(young, 20);
    expect(await isSignedIn(young.visitor)).toBe(true);
    expect(
      await count("sessions WHERE user_id = $1 AND expires_at > now() + interval '29 days'", young.userId),
    ).toBeGreaterThan(0);
  });

  it("ends 30 days after it was last used", async () => {
    const who = await customer();
    const unusedFor = async (days: number) => {
      const browser = new Visitor(shop.url);
      const form = { intent: "sign-in", redirect: "/", email: who.email, password: who.password };
      expect((await browser.post("/auth", form)).status).toBe(303);
      await database.pool.query(
        `UPDATE sessions SET created_at = created_at - make_interval(days => $2), updated_at = updated_at - make_interval(days => $2),
           expires_at = expires_at - make_interval(days => $2)
         WHERE id = (SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1)`,
        [who.userId, days],
      );
      return isSignedIn(browser);
    };
    expect(await unusedFor(29)).toBe(true);
    expect(await unusedFor(30)).toBe(false);
  });

  it("is not listed among the signed-in devices once it is over", async () => {
    const who = await customer();
    const other = who.sessionIds[1];
    await database.pool.query("UPDATE sessions SET created_at = now() - interval '91 days' WHERE id = $1", [other]);
    const page = await textOf(await who.visitor.fetch("/account?tab=settings"));
    expect(page.split("Last used")).toHaveLength(2);
  });
});

describe("an access token", () => {
  const tokenOf = async (who: Actor) => {
    const answer = await who.visitor.fetch("/api/auth/token");
    return ((await answer.json()) as { token: string }).token;
  };
  const ask = async (token: string) =>
    (await fetch(`${shop.url}/api/me`, { headers: { Authorization: `Bearer ${token}` } })).status;

  it("is never stored on the way, and lives fifteen minutes at most, and no longer than its session", async () => {
    const who = await customer();
    const answer = await who.visitor.fetch("/api/auth/token");
    expect(answer.headers.get("Cache-Control")).toMatch(/no-store/);
    const { token } = (await answer.json()) as { token: string };
    const { iat = 0, exp = Infinity } = decodeJwt(token);
    expect(exp - iat).toBeLessThanOrEqual(15 * 60);
    await database.pool.query(
      "UPDATE sessions SET created_at = now() + interval '5 minutes' - interval '90 days' WHERE user_id = $1",
      [who.userId],
    );
    const short = decodeJwt(await tokenOf(who));
    expect((short.exp ?? Infinity) - (short.iat ?? 0)).toBeLessThanOrEqual(5 * 60);
  });

  it("ends with its session: by signing out, by another password, by the account's end", async () => {
    const [out, changed, gone] = [await customer(), await customer(), await customer()];
    const tokens = [await tokenOf(out), await tokenOf(changed), await tokenOf(gone)];
    for (const token of tokens) expect(await ask(token)).toBe(200);
    await out.visitor.post("/auth/sign-out", {});
    expect((await setPassword(await newLink(changed), FRESH)).status).toBe(303);
    await database.pool.query("DELETE FROM users WHERE id = $1", [gone.userId]);
    for (const token of tokens) expect(await ask(token)).toBe(401);
  });

  it("of a session without the second factor ends where the account gets one", async () => {
    const who = await customer();
    const token = await tokenOf(who);
    await database.pool.query("UPDATE users SET two_factor_enabled = true WHERE id = $1", [who.userId]);
    expect(await ask(token)).toBe(401);
  });
});
