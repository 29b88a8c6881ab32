/**
 * Guessed, stolen and copied passwords, links, sessions and tokens. Emailed links sign in one person, once, and never
 * replace somebody else's session. A guest order with somebody else's email tells them nothing that was typed, and is
 * theirs only when they add it.
 */
import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { MAX_CODE_CHARACTERS } from "#shop/accounts/account-forms.ts";
import { makeResetToken, verifyToken } from "#shop/accounts/email-links.server.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { transitWords } from "#shop/shipping/methods.ts";
import { type Actor, type Role, sessionCookie } from "../../support/actors.ts";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { Authenticator, backupCodesIn, giveSecondFactor, uriIn } from "../../support/second-factor.ts";
import { AUTH_SECRET, signIn, signUpForm, someEmail, useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, database, actor, protectedCustomer } = useShop();

const COMMON = "This password is one of the most common. Please choose another.";
const PERSONAL = "This password uses your name, your email, or words from this shop. Please choose another.";
const FRESH = "a kettle under the stairs";
const NEW = { password: FRESH, confirmPassword: FRESH };

const customer = () => actor("customer");
const browser = () => new Visitor(shop.url);
const query = async <Row extends object>(text: string, ...values: unknown[]) =>
  (await database.pool.query<Row>(text, values)).rows;
const count = async (of: string, ...values: unknown[]) =>
  (await query<{ n: number }>(`SELECT count(*)::int AS n FROM ${of}`, ...values))[0]?.n;

const newLink = async (who: Actor) => `/reset-password?token=${await makeResetToken(database.db, who.userId ?? "")}`;
const open = async (link: string) => (await browser().fetch(link)).status;
const setPassword = (link: string, password: string) => browser().post(link, { password, confirmPassword: password });
const changePassword = ({ visitor, password: currentPassword }: Actor, password: string) =>
  visitor.settings("password", { currentPassword, password, confirmPassword: password });
const signUp = (password: string, email = someEmail(), who = browser()) =>
  who.post("/auth?tab=sign-up", { ...signUpForm(email, password), firstName: "Grace", lastName: "Hopper" });
const textOf = async (response: Response) => (await response.text()).replaceAll("&#x27;", "'");

type Session = { id: string; token: string; created_at: Date };
const sessionsOf = ({ userId }: Actor) =>
  query<Session>("SELECT id, token, created_at FROM sessions WHERE user_id = $1 ORDER BY created_at, id", userId);
/** The session of the actor's browser, as the database has it now. */
async function sessionInUse(who: Actor): Promise<Session> {
  const found = (await sessionsOf(who)).find(({ id }) => id === who.sessionIds[0]);
  if (!found) throw new Error("the session has ended");
  return found;
}
/** A browser with a copied session cookie. */
function thiefOf({ token }: { token: string }): Visitor {
  const thief = browser();
  thief.carry("polara.session_token", sessionCookie(token, AUTH_SECRET));
  return thief;
}
const areIn = (...visitors: Visitor[]) => Promise.all(visitors.map((who) => who.isIn()));

/** One of each kind; password-rules.server.test.ts has the others. */
const guessed = ({ name }: Actor): [password: string, message: string][] => [
  ["password2026!", COMMON],
  [`${name.toLowerCase()}!shop`, PERSONAL],
];

describe("a common or personal password", () => {
  it.each([
    ["password2026!", COMMON],
    ["grace.hopper1", PERSONAL],
  ])("is refused at sign-up beside its field, and keeps the other fields: %s", async (password, message) => {
    const email = someEmail();
    const refused = await signUp(password, email);
    const page = await textOf(refused);
    expect(refused.status).toBe(400);
    expect(page).toMatch(new RegExp(`id="[^"]*password-error"[^>]*>${message.replaceAll(".", "\\.")}`));
    for (const typed of ["Grace", "Hopper", email]) expect(page).toContain(`value="${typed}"`);
    expect(page).not.toContain(`value="${password}"`);
    expect(await count("users WHERE email = $1", email)).toBe(0);
  });

  it("is refused in settings and by a reset link, which stays valid", async () => {
    const who = await customer();
    const link = await newLink(who);
    for (const [password, message] of guessed(who)) {
      const { status, html } = await changePassword(who, password);
      expect([password, status, html.includes(message)]).toEqual([password, 400, true]);
      const refused = await setPassword(link, password);
      expect([password, refused.status, (await textOf(refused)).includes(message)]).toEqual([password, 400, true]);
    }
    expect(await who.visitor.isIn()).toBe(true);
    expect((await setPassword(link, FRESH)).status).toBe(303);
    expect((await signIn(who, browser(), FRESH)).status).toBe(303);
  });
});

describe("a reset link", () => {
  it("is stored as a hash that opens nothing", async () => {
    const who = await customer();
    const link = await newLink(who);
    const rows = await query<{ identifier: string }>("SELECT * FROM verifications WHERE value = $1", who.userId);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(link.split("=")[1]);
    const stolen = rows[0]?.identifier ?? "";
    for (const guess of [stolen, stolen.replace("reset-password:", "")]) {
      const path = `/reset-password?token=${encodeURIComponent(guess)}`;
      expect([await open(path), (await setPassword(path, FRESH)).status]).toEqual([410, 400]);
    }
    expect((await setPassword(link, FRESH)).status).toBe(303);
  });

  it.each<[how: string, role: Role, end: (who: Actor) => Promise<{ status: number }>]>([
    ["another one is used", "customer", async (who) => setPassword(await newLink(who), FRESH)],
    ["the password is changed", "customer", (who) => changePassword(who, FRESH)],
    [
      "the mailbox's owner takes the account over",
      "unverified customer",
      async ({ userId, email }) => {
        const token = await verifyToken({ id: userId ?? "", email }, { baseUrl: shop.url, secret: AUTH_SECRET });
        const taken = await browser().post(`/auth/verify?token=${token}`, { intent: "take-over" });
        return setPassword(taken.headers.get("Location") ?? "", "the owner's own");
      },
    ],
  ])("is revoked when %s", async (_how, role, end) => {
    const [who, stranger] = [await actor(role), await customer()];
    const [link, others] = [await newLink(who), await newLink(stranger)];
    expect([200, 303]).toContain((await end(who)).status);
    expect([await open(link), (await setPassword(link, "an older link's password")).status]).toEqual([410, 400]);
    expect((await signIn(who, browser(), "an older link's password")).status).toBe(401);
    expect(await open(others)).toBe(200);
  });
});

describe("a session", () => {
  const age = (who: Actor, days: number) =>
    query("UPDATE sessions SET created_at = now() - make_interval(days => $2) WHERE user_id = $1", who.userId, days);
  const isKnown = async (who: Visitor) => (await who.me()).customer !== null;

  it("ends 90 days after sign-in, and is listed no more", async () => {
    const who = await customer();
    await age(who, 89);
    expect(await isKnown(who.visitor)).toBe(true);
    await query("UPDATE sessions SET created_at = now() - interval '91 days' WHERE id = $1", who.sessionIds[1]);
    expect((await (await who.visitor.fetch("/account?tab=settings")).text()).split("Last used")).toHaveLength(2);
    await age(who, 90);
    expect(await isKnown(who.visitor)).toBe(false);
    expect((await who.visitor.fetch("/account")).headers.get("Location")).toMatch(/^\/auth\?/);
    expect((await who.visitor.fetch("/api/auth/token")).status).toBe(401);
  });

  it("is extended by use, but not past 90 days", async () => {
    const [old, young] = [await customer(), await customer()];
    await age(old, 80);
    await age(young, 20);
    for (const { visitor } of [old, young]) expect(await isKnown(visitor)).toBe(true);
    const tooLong = "sessions WHERE user_id = $1 AND expires_at > created_at + interval '90 days'";
    expect(await count(tooLong, old.userId)).toBe(0);
    const extended = "sessions WHERE user_id = $1 AND expires_at > now() + interval '29 days'";
    expect(await count(extended, young.userId)).toBeGreaterThan(0);
  });

  it("ends after 30 days without use", async () => {
    const who = await customer();
    const unusedFor = async (days: number) => {
      const other = browser();
      expect((await signIn(who, other)).status).toBe(303);
      const earlier = ["created_at", "updated_at", "expires_at"].map(
        (at) => `${at} = ${at} - make_interval(days => $2)`,
      );
      const newest = "SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1";
      await query(`UPDATE sessions SET ${earlier.join()} WHERE id = (${newest})`, who.userId, days);
      return isKnown(other);
    };
    expect([await unusedFor(29), await unusedFor(30)]).toEqual([true, false]);
  });

  it("that ends while it is being extended belongs to nobody", async () => {
    const { visitor } = await customer();
    // A sign-out between the two statements leaves no row to extend.
    await query("CREATE FUNCTION ended() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
    await query("CREATE TRIGGER ended BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION ended()");
    try {
      expect((await visitor.me()).customer).toBeNull();
    } finally {
      await query("DROP FUNCTION ended CASCADE");
    }
  });

  it("stores a user agent without control characters, cut to a reasonable length", async () => {
    const { email, password, userId } = await customer();
    const agent = `Mozilla/5.0 (X11; Linux x86_64) \u0085\u009bFirefox/140 ${"x".repeat(7_000)}`;
    await browser().post("/auth", { intent: "sign-in", email, password }, { "User-Agent": agent });
    const stored = await query("SELECT user_agent FROM sessions WHERE user_id = $1 AND user_agent <> ''", userId);
    const expected = expect.stringMatching(/^Mozilla\/5\.0 \(X11; Linux x86_64\) Firefox\/140 x{20,356}$/) as string;
    expect(stored).toEqual([{ user_agent: expected }]);
  });
});

describe("an access token", () => {
  const ask = async (token: string) =>
    (await fetch(`${shop.url}/api/me`, { headers: { Authorization: `Bearer ${token}` } })).status;

  it("expires with its session, if that ends sooner", async () => {
    const who = await customer();
    const nearEnd = "created_at = now() + interval '5 minutes' - interval '90 days'";
    await query(`UPDATE sessions SET ${nearEnd} WHERE user_id = $1`, who.userId);
    const { iat = 0, exp = Infinity } = decodeJwt(await who.visitor.accessToken());
    expect(exp - iat).toBeLessThanOrEqual(5 * 60);
  });

  it.each<[how: string, end: (who: Actor) => Promise<unknown>]>([
    ["the customer signs out", ({ visitor }) => visitor.post("/auth/sign-out", {})],
    ["the password is reset", async (who) => setPassword(await newLink(who), FRESH)],
    ["the account is deleted", ({ userId }) => query("DELETE FROM users WHERE id = $1", userId)],
    [
      "the account gets a second factor that the session has not shown",
      ({ userId }) => query("UPDATE users SET two_factor_enabled = true WHERE id = $1", userId),
    ],
  ])("is revoked when %s", async (_how, end) => {
    const who = await customer();
    const token = await who.visitor.accessToken();
    expect(await ask(token)).toBe(200);
    await end(who);
    expect(await ask(token)).toBe(401);
  });
});

describe("a session's token", () => {
  it("is revoked when its browser signs in again, as somebody else, or up to the second factor", async () => {
    const [ada, ben, cleo] = [await customer(), await customer(), await protectedCustomer()];
    const before = await sessionInUse(ada);
    expect((await signIn(ada, ada.visitor)).status).toBe(303);
    const second = (await sessionsOf(ada)).at(-1)!;
    expect(await areIn(thiefOf(before), thiefOf(second))).toEqual([false, true]);
    expect((await signIn(ben, ada.visitor)).status).toBe(303);
    expect(await areIn(thiefOf(second), ada.visitor)).toEqual([false, true]);
    const third = (await sessionsOf(ben)).at(-1)!;
    expect((await signIn(cleo, ada.visitor)).headers.get("Location")).toMatch(/^\/auth\/two-factor/);
    expect(await areIn(thiefOf(third), ada.visitor)).toEqual([false, false]);
  });

  it("is replaced after the second factor: the one from before never opens the account", async () => {
    const ada = await protectedCustomer();
    // As after Google, which proves the first factor only.
    await query("UPDATE sessions SET aal = 'aal1' WHERE user_id = $1", ada.userId);
    const before = await sessionInUse(ada);
    expect((await ada.visitor.post("/auth/two-factor", { code: await ada.code() })).status).toBe(303);
    expect(await areIn(ada.visitor, thiefOf(before))).toEqual([true, false]);
    expect((await sessionInUse(ada)).created_at).toEqual(before.created_at);
  });

  it("is replaced after each proof in Settings, in the same session", async () => {
    const ada = await customer();
    const { visitor, password } = ada;
    for (const send of [
      () => visitor.settings("factor-start", { password }),
      () => visitor.settings("sign-out-others", { password }),
      () => visitor.post("/account/download", { password }),
    ]) {
      const before = await sessionInUse(ada);
      expect((await send()).status).toBe(200);
      const after = await sessionInUse(ada);
      expect(after).toEqual({ ...before, token: expect.not.stringMatching(before.token) as string });
      expect(await areIn(visitor, thiefOf(before))).toEqual([true, false]);
    }
    const before = await sessionInUse(ada);
    expect((await visitor.settings("factor-start", { password: "wrong horse" })).status).toBe(403);
    expect(await sessionInUse(ada)).toEqual(before);
    expect((await changePassword(ada, FRESH)).status).toBe(200);
    expect(await areIn(visitor, thiefOf(before))).toEqual([true, false]);
  });

  it("is not cleared in the browser by an answer to the one before it", async () => {
    const { visitor, sessionIds } = await customer();
    await query("UPDATE sessions SET token = 'renewed' WHERE id = $1", sessionIds[0]);
    const late = await visitor.fetch("/personal");
    expect(await late.json()).toMatchObject({ customer: null });
    expect(late.headers.getSetCookie()).toEqual([]);
  });

  it("is replaced when the second factor is removed, and its session grows no longer", async () => {
    const ada = await protectedCustomer();
    await query("UPDATE sessions SET created_at = now() - interval '1 day' WHERE user_id = $1", ada.userId);
    const before = await sessionInUse(ada);
    const proof = { password: ada.password, code: ada.backupCodes[0]! };
    expect((await ada.visitor.settings("factor-remove", proof)).status).toBe(200);
    expect(await areIn(ada.visitor, thiefOf(before))).toEqual([true, false]);
    for (const session of await sessionsOf(ada)) expect(session.created_at).toEqual(before.created_at);
  });
});

describe("a stolen password and an open browser", () => {
  /** Each form that asks for the password; the code of the second factor is added. */
  const forms: [intent: string, fields: (ada: Actor) => Record<string, string>][] = [
    ["password", ({ password }) => ({ currentPassword: password, ...NEW })],
    ["factor-remove", ({ password }) => ({ password })],
    ["factor-codes", ({ password }) => ({ password })],
    ["sign-out-others", ({ password }) => ({ password })],
    ["sign-out-one", ({ password, sessionIds: [, second = ""] }) => ({ password, session: second })],
    ["delete", ({ password }) => ({ password, confirmation: "delete" })],
  ];
  const stateOf = ({ userId }: Actor) =>
    Promise.all(
      [
        "SELECT id, two_factor_enabled FROM users WHERE id = $1",
        "SELECT password FROM accounts WHERE user_id = $1",
        "SELECT secret, backup_codes FROM two_factors WHERE user_id = $1",
        "SELECT id, token FROM sessions WHERE user_id = $1 ORDER BY id",
      ].map((text) => query(text, userId)),
    );

  it.each(forms)("change nothing without a valid code: %s", async (intent, fields) => {
    const ada = await protectedCustomer();
    const send = async (code: Record<string, string>) =>
      (await ada.visitor.settings(intent, { ...fields(ada), ...code })).status;
    const before = await stateOf(ada);
    expect(await send({})).toBe(400);
    expect(await send({ code: "zzzzzzz-zzzzzzz-zzzzzzz-zzzzzzz" })).toBe(403);
    expect(await send({ code: "x".repeat(MAX_CODE_CHARACTERS + 1) })).toBe(400);
    expect(await stateOf(ada)).toEqual(before);
    expect([200, 303]).toContain(await send({ code: ada.backupCodes[0]! }));
    expect(await stateOf(ada)).not.toEqual(before);
  });

  it("download nothing without a valid code", async () => {
    const { visitor, password, code } = await protectedCustomer();
    const download = async (fields: Record<string, string>) => {
      const answer = await visitor.post("/account/download", fields);
      return answer.headers.get("Location") ?? answer.status;
    };
    expect(await download({ password })).toBe("/account?tab=settings&download=code-missing#data");
    expect(await download({ password, code: "not-a-code" })).toBe("/account?tab=settings&download=code-wrong#data");
    expect(await download({ password, code: await code() })).toBe(200);
  });

  it("end no session without the password, and with it only the owner's", async () => {
    const [ada, ben] = [await customer(), await customer()];
    const before = await sessionsOf(ada);
    expect((await ada.visitor.settings("sign-out-others")).status).toBe(400);
    expect((await ada.visitor.settings("sign-out-one", { session: ada.sessionIds[1]! })).status).toBe(400);
    expect(await sessionsOf(ada)).toEqual(before);
    const end = (session: string) => ada.visitor.settings("sign-out-one", { session, password: ada.password });
    for (const session of [ben.sessionIds[0]!, ben.sessionIds[1]!, "nonsense", "", ada.sessionIds[0]!]) {
      const { status, html } = await end(session);
      expect([session, status]).toEqual([session, session ? 404 : 400]);
      expect(html).toContain(session ? "That isn’t one of your other devices." : "Choose a device first.");
    }
    expect([await sessionsOf(ada), await sessionsOf(ben)].map(({ length }) => length)).toEqual([2, 2]);
    // The second time it is signed out already.
    for (const _ of [1, 2]) expect((await end(ada.sessionIds[1]!)).status).toBe(200);
    expect((await sessionsOf(ada)).map(({ id }) => id)).toEqual([ada.sessionIds[0]]);
    const others = [browser(), browser()];
    for (const other of others) await signIn(ada, other);
    const listed = async () =>
      (await (await ada.visitor.fetch("/account?tab=settings")).text()).split("Last used").length;
    expect(await listed()).toBe(1 + 3);
    expect((await ada.visitor.settings("sign-out-others", { password: ada.password })).status).toBe(200);
    expect([await areIn(ada.visitor, ...others), await ben.visitor.isIn()]).toEqual([[true, false, false], true]);
    expect(await listed()).toBe(1 + 1);
  });
});

it("backup codes are stored as hashes, have 140 bits, work once, and may be typed in any form", async () => {
  const ada = await protectedCustomer();
  const stored = async () => {
    const text = "SELECT backup_codes AS codes FROM two_factors WHERE user_id = $1";
    return JSON.parse((await query<{ codes: string }>(text, ada.userId))[0]?.codes ?? "[]") as string[];
  };
  const made = await ada.visitor.settings("factor-codes", { password: ada.password, code: ada.backupCodes[0]! });
  const codes = backupCodesIn(made.html);
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{7}-){3}[0-9a-hjkmnp-tv-z]{7}$/);
  const hashes = await stored();
  expect([codes.length, hashes.length]).toEqual([10, 10]);
  for (const hash of hashes) expect(hash).toMatch(/^sha256:[\w-]{43}$/);
  const owner = browser();
  await signIn(ada, owner);
  const typed = codes[0]!.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l");
  expect((await owner.post("/auth/two-factor", { code: typed })).status).toBe(303);
  expect(await stored()).toHaveLength(9);
});

describe("the account's owner gets an email", () => {
  async function owner() {
    const who = await customer();
    await query("UPDATE users SET created_at = now() - interval '1 day' WHERE id = $1", who.userId);
    return who;
  }
  /** The changes that emails were queued for, in order. */
  const emailsOf = async (userId: string | null) =>
    (
      await query<{ change: string }>(
        `SELECT data->>'change' AS change FROM pgboss.job
         WHERE data->>'template' = 'account-changed' AND data->>'userId' = $1 ORDER BY created_on`,
        userId,
      )
    ).map(({ change }) => change);

  it("when the password is changed or reset, without a word that was typed", async () => {
    const who = await owner();
    expect((await changePassword(who, FRESH)).status).toBe(200);
    const mail = await emailTo(shop.url, who.email, "Your password was changed");
    expect(linkIn(mail, "/reset-password")).toBe("/reset-password");
    expect(mail.text).not.toContain(who.name);
    expect(await emailsOf(who.userId)).toEqual(["password"]);
    const link = await newLink(who);
    expect([(await setPassword(link, FRESH)).status, (await setPassword(link, FRESH)).status]).toEqual([303, 400]);
    expect(await emailsOf(who.userId)).toEqual(["password", "password"]);
  });

  it("when the second factor is turned on or off", async () => {
    const { visitor, password, email, userId } = await owner();
    const uri = uriIn((await visitor.settings("factor-start", { password })).html);
    await visitor.settings("factor-verify", { uri, code: "000000" });
    expect(await emailsOf(userId)).toEqual([]);
    const done = await visitor.settings("factor-verify", { uri, code: await new Authenticator(uri).code() });
    const [code = ""] = backupCodesIn(done.html);
    await visitor.settings("factor-remove", { password, code });
    expect(await emailsOf(userId)).toEqual(["second-factor-on", "second-factor-off"]);
    for (const subject of ["Two-step sign-in is on", "Two-step sign-in is off"])
      await emailTo(shop.url, email, subject);
  });

  it("for the first sign-in in a browser, after both factors", async () => {
    const who = await owner();
    const known = browser();
    for (let i = 0; i < 2; i++) {
      expect((await signIn(who, known)).status).toBe(303);
      expect(await emailsOf(who.userId)).toEqual(["new-device"]);
      await known.post("/auth/sign-out", {});
    }
    expect((await signIn(who)).status).toBe(303);
    expect(await emailsOf(who.userId)).toEqual(["new-device", "new-device"]);
    await emailTo(shop.url, who.email, "New sign-in to your account");

    const { code } = await giveSecondFactor(database, AUTH_SECRET, who.userId ?? "");
    const device = browser();
    await signIn(who, device);
    expect(await emailsOf(who.userId)).toHaveLength(2);
    expect((await device.post("/auth/two-factor", { code: await code() })).status).toBe(303);
    expect(await emailsOf(who.userId)).toHaveLength(3);
  });

  it("but not for a new account or an unverified email", async () => {
    const email = someEmail();
    const who = browser();
    expect((await signUp(FRESH, email, who)).status).toBe(303);
    const [{ id } = { id: "" }] = await query<{ id: string }>("SELECT id FROM users WHERE email = $1", email);
    const password = "another kettle there";
    const changed = { currentPassword: FRESH, password, confirmPassword: password };
    expect((await who.settings("password", changed)).status).toBe(200);
    expect(await emailsOf(id)).toEqual([]);
    await who.fetch(linkIn(await emailTo(shop.url, email, "Verify"), "/auth/verify"));
    expect((await signIn({ email, password, visitor: who })).status).toBe(303);
    expect(await emailsOf(id)).toEqual([]);
  });
});

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
  expect((await browser().post("/waitlist/join", { email }, { Accept: "*/*" })).status).toBe(200);
  return { email, link: await welcomeLink(email) };
}

it("the waitlist's form says what is wrong and keeps what was typed, also without a script", async () => {
  const [who, email, phone] = [browser(), someEmail(), "+1 212 555 0100"];
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
      const who = browser();
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
    await browser().fetch(link, { method: "HEAD" });
    expect(await stateOf(email)).toMatchObject({ verified: false, placed: false, sessions: 0 });
  });

  it("verifies and signs in by its button, once, and uses up every other link to the place", async () => {
    const { email, link } = await joined();
    const second = await verifyLink((await stateOf(email)).id, email);
    const owner = browser();
    const pressed = await press(owner, link);
    expect([pressed.status, pressed.headers.get("Location")]).toEqual([303, "/#type=signup"]);
    expect(await whoIs(owner)).not.toBeNull();
    expect(await stateOf(email)).toMatchObject({ verified: true, placed: true, sessions: 1 });
    for (const who of [browser(), owner]) {
      const again = await press(who, link);
      expect(again.status).toBe(410);
      const html = await again.text();
      expect(html).toContain("This link was already used");
      expect(html).toContain('href="/auth"');
      expect(html).toContain('href="/reset-password"');
    }
    const late = browser();
    expect([(await late.fetch(link)).status, (await press(late, second)).status]).toEqual([410, 410]);
    expect(await whoIs(late)).toBeNull();
    expect((await stateOf(email)).sessions).toBe(1);
  });

  it("signs in one of ten who press at the same moment", async () => {
    const { email, link } = await joined();
    const answers = await Promise.all(Array.from({ length: 10 }, () => press(browser(), link)));
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
    const all = await (await fetch(`${shop.url}/mailbox.json`)).text();
    expect(mail.text).toContain(number);
    expect(mail.text).toContain("1 x Travel Sleeve");
    expect(mail.text).toContain(
      `Standard Shipping (${transitWords(FIRST_SETTINGS.shipping, "standard")}) to your address in Nevada.`,
    );
    expect(all).not.toMatch(/evil|666-555/i);
    expect(mail.text).not.toContain("refund");
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
