/** Guessing passwords and codes, in the shop and in the back office, and locking an owner out by it. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { accountLimits } from "#shop/accounts/account-limits.ts";
import { openSigner } from "#shop/purpose-key.server.ts";
import { openRateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { sessionCookie, type Actor } from "../../support/actors.ts";
import {
  ageUsedCode,
  Authenticator,
  backupCodesIn,
  forgetUsedCodes,
  giveSecondFactor,
  uriIn,
} from "../../support/second-factor.ts";
import { Caller, Visitor } from "../../support/visitor.ts";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { startShop } from "../../support/shop.ts";
import { STAFF_COOKIE, type StaffMember } from "../../support/staff-member.ts";
import { AUTH_SECRET, signIn, signUpForm, someEmail, useShop } from "../../support/use-shop.ts";

const { shop, database, actor, staff } = useShop({ RATE_LIMIT_SCALE: "1", TRUST_PROXY: "loopback" });
const customer = () => actor("customer");
/** A browser in a network of its own, unless one is given. */
const browser = (network?: string) => new Caller(shop.url, network);
const sendCode = async (who: Visitor, code: string) => (await who.post("/auth/two-factor", { code })).status;
const of = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

/** A browser in which the customer has signed in and out. */
async function knownDevice(owner: Actor): Promise<Caller> {
  const device = browser();
  expect((await signIn(owner, device)).status).toBe(303);
  await device.post("/auth/sign-out", {});
  return device;
}

/** The shop queues so many sign-ins at once. */
const AT_ONCE = 15;

/** The statuses of wrong passwords. */
async function guess(browsers: Visitor[], owner: Actor): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < browsers.length; i += AT_ONCE) {
    const some = browsers.slice(i, i + AT_ONCE);
    const answers = await Promise.all(some.map((one) => signIn(owner, one, `wrong ${i}`)));
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses.sort();
}

/** Counts wrong passwords without hashing each. */
async function guessed({ email }: Actor, amount: number, networkOf: (i: number) => string): Promise<void> {
  const limits = openRateLimits(database.db, { scale: 1, secret: AUTH_SECRET });
  for (let i = 0; i < amount; i++)
    await limits.consume(accountLimits("sign-in", { account: email, network: networkOf(i) }));
}

describe("after 150 wrong passwords from 30 networks", () => {
  let owner: Actor;
  let device: Caller;

  beforeAll(async () => {
    owner = await customer();
    device = await knownDevice(owner);
    const strangers = Array.from({ length: 30 }, () => browser());
    await guessed(owner, 90, (i) => strangers[i % 30]?.address ?? "");
    expect(await guess([...strangers, ...strangers], owner)).toEqual([...of(10, 401), ...of(50, 429)]);
  });

  it("the owner still signs in on a known device", async () => {
    expect((await signIn(owner, device)).status).toBe(303);
    expect(await device.isIn()).toBe(true);
    expect((await owner.visitor.post("/account/download", { password: owner.password })).status).toBe(200);
  });

  it("a new device has to wait, or sets a new password by email", async () => {
    const phone = browser();
    const waiting = await signIn(owner, phone);
    expect(waiting.status).toBe(429);
    expect(await waiting.text()).toMatch(/Please wait \d+ minutes, then try again\. Or set a new password by email/);
    await phone.post("/reset-password", { email: owner.email });
    const link = linkIn(await emailTo(shop.url, owner.email, "Set a new password"), "/reset-password");
    const password = "a new password of the owner";
    expect((await phone.post(link, { password, confirmPassword: password })).status).toBe(303);
    expect((await signIn(owner, phone, password)).status).toBe(303);
  });
});

it("many wrong passwords from one network lock out neither its other customers nor the owner elsewhere", async () => {
  const [owner, housemate] = [await customer(), await customer()];
  const { address: house } = browser();
  expect(
    await guess(
      Array.from({ length: 12 }, () => browser(house)),
      owner,
    ),
  ).toEqual([...of(10, 401), 429, 429]);
  const refused = await signIn(owner, browser(house));
  expect(refused.status).toBe(429);
  expect(await refused.text()).toMatch(/Too many attempts. Please wait \d+ minutes, then try again./);
  expect((await signIn(housemate, browser(house))).status).toBe(303);
  expect((await signIn(owner, browser())).status).toBe(303);
});

describe("a known device", () => {
  it("has its own ten attempts in 15 minutes", async () => {
    const owner = await customer();
    const device = await knownDevice(owner);
    expect(await guess(of(12, device), owner)).toEqual([...of(10, 401), 429, 429]);
    expect((await signIn(owner, device)).status).toBe(429);
    expect((await signIn(owner, browser())).status).toBe(303);
  });

  it("is known for several accounts of a household", async () => {
    const [ada, ben] = [await customer(), await customer()];
    const device = await knownDevice(ada);
    await signIn(ben, device);
    await device.post("/auth/sign-out", {});
    for (const one of [ada, ben]) {
      await guessed(one, 15, () => device.address);
      expect((await signIn(one, browser(device.address))).status).toBe(429);
    }
    for (const one of [ada, ben]) expect((await signIn(one, device)).status).toBe(303);
  });

  it("is not one with a forged cookie, or one of another account or of signing up", async () => {
    const [owner, other] = [await customer(), await customer()];
    const stranger = await knownDevice(other);
    await guessed(owner, 10, () => stranger.address);
    expect((await signIn(owner, stranger)).status).toBe(429);
    const forger = browser(stranger.address);
    const id = randomBytes(16).toString("base64url");
    const signedUp = await forger.post("/auth?tab=sign-up", signUpForm(someEmail()));
    expect(signedUp.status).toBe(303);
    expect(signedUp.headers.getSetCookie().join()).not.toContain("polara_device");
    await forger.post("/auth/sign-out", {});
    for (const value of [id, `${id}.${randomBytes(32).toString("base64url")}`, `${id}.${owner.userId}`, ".", ""]) {
      forger.carry("polara_device", value);
      expect((await signIn(owner, forger)).status).toBe(429);
    }
  });
});

describe("a password asked for in the account", () => {
  it("has its own ten attempts, apart from signing in", async () => {
    const owner = await customer();
    const tries = await Promise.all(
      of(12, "wrong").map((password) => owner.visitor.post("/account/download", { password })),
    );
    const problems = tries.map(({ headers }) => /download=(\w+)/.exec(headers.get("Location") ?? "")?.[1]);
    expect(problems.toSorted()).toEqual(["wait", "wait", ...of(10, "wrong")]);
    const limited = await owner.visitor.settings("delete", { confirmation: "delete", password: owner.password });
    expect([limited.status, /Too many attempts. Please wait/.test(limited.html)]).toEqual([429, true]);
    // From the same address, where the wrong ones would count.
    expect((await signIn(owner)).status).toBe(303);
  });

  it("comes with a code whose ten attempts are counted, too", async () => {
    const { visitor, password, userId } = await customer();
    const { backupCodes } = await giveSecondFactor(database, AUTH_SECRET, userId ?? "");
    const tried = (code: string) => visitor.settings("factor-codes", { password, code });
    for (let n = 0; n < 10; n++) expect((await tried("000000")).status).toBe(403);
    const limited = await tried(backupCodes[0]!);
    expect([limited.status, limited.html.includes("Too many attempts. Please wait")]).toEqual([429, true]);
  });
});

/** A customer with an authenticator app, turned on by the current code. */
async function protectedCustomer() {
  const owner = await customer();
  const started = await owner.visitor.settings("factor-start", { password: owner.password });
  const uri = uriIn(started.html);
  const app = new Authenticator(uri);
  const firstCode = await app.code();
  const done = await owner.visitor.settings("factor-verify", { uri, code: firstCode });
  expect(done.status).toBe(200);
  return { ...owner, app, firstCode, backupCodes: backupCodesIn(done.html) };
}

/** Browsers that have entered the password. */
async function atTheSecondStep(owner: Actor, amount: number): Promise<Caller[]> {
  const browsers = Array.from({ length: amount }, () => browser());
  for (const one of browsers) expect((await signIn(owner, one)).headers.get("Location")).toContain("/auth/two-factor");
  return browsers;
}
const inside = async (browsers: Visitor[]) =>
  (await Promise.all(browsers.map((one) => one.isIn()))).filter(Boolean).length;

describe("a code of an authenticator app", () => {
  it("signs in once when ten browsers send it at the same moment", async () => {
    const owner = await protectedCustomer();
    const browsers = await atTheSecondStep(owner, 10);
    await forgetUsedCodes(database.pool, owner.email);
    const code = await owner.app.code();
    const answers = await Promise.all(browsers.map((one) => one.post("/auth/two-factor", { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...of(9, 401)]);
    expect(await answers.find(({ status }) => status === 401)?.text()).toContain(
      "That code was already used. Wait for the next one, then enter it.",
    );
    expect(await inside(browsers)).toBe(1);
  });

  it("that turned the app on does not sign in, nor any older one", async () => {
    const owner = await protectedCustomer();
    const [first, later] = await atTheSecondStep(owner, 2);
    expect(await sendCode(first!, owner.firstCode)).toBe(401);
    await ageUsedCode(database.pool, owner.email);
    const nextCode = await owner.app.code();
    expect(await sendCode(first!, nextCode)).toBe(303);
    // An earlier one does not come back.
    for (const code of [owner.firstCode, nextCode]) expect(await sendCode(later!, code)).toBe(401);
  });

  it("is valid in its 30 seconds only", async () => {
    const owner = await protectedCustomer();
    await forgetUsedCodes(database.pool, owner.email);
    const [early, late] = await atTheSecondStep(owner, 2);
    for (const step of [-3, -2, -1]) expect(await sendCode(early!, await owner.app.code(step))).toBe(401);
    for (const step of [1, 2, 3]) expect(await sendCode(late!, await owner.app.code(step))).toBe(401);
    expect(await sendCode(late!, await owner.app.code())).toBe(303);
  });

  it.each([
    ["", "NULL"],
    [", also while wrong codes have locked the step", "now() + interval '10 minutes'"],
  ])("signs in one of ten sessions that wait for it, as after Google%s", async (_case, lockedUntil) => {
    const owner = await protectedCustomer();
    const waiting = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const token = randomBytes(24).toString("base64url");
        await database.pool.query(
          "INSERT INTO sessions (user_id, token, expires_at) VALUES ($1, $2, now() + interval '1 day')",
          [owner.userId, token],
        );
        const one = browser();
        one.carry("polara.session_token", sessionCookie(token, AUTH_SECRET));
        return one;
      }),
    );
    await forgetUsedCodes(database.pool, owner.email);
    await database.pool.query(`UPDATE two_factors SET locked_until = ${lockedUntil} WHERE user_id = $1`, [
      owner.userId,
    ]);
    const code = await owner.app.code();
    const statuses = await Promise.all(waiting.map((one) => sendCode(one, code)));
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(await inside(waiting)).toBe(1);
  });

  it("is limited to five attempts in a browser and ten in all, and existing sessions stay", async () => {
    const owner = await protectedCustomer();
    await forgetUsedCodes(database.pool, owner.email);
    const [first] = await atTheSecondStep(owner, 1);
    for (let n = 0; n < 5; n++) expect(await sendCode(first!, "000000")).toBe(401);
    expect(await sendCode(first!, await owner.app.code())).not.toBe(303);
    expect(await first!.isIn()).toBe(false);

    const stranger = browser();
    const statuses: number[] = [];
    for (let i = 0; i < 10; i++) {
      if (i % 4 === 0) await signIn(owner, stranger);
      statuses.push(await sendCode(stranger, `00000${i % 10}`));
    }
    expect(statuses.slice(0, 5)).toEqual(of(5, 401));
    expect(statuses).not.toContain(303);
    expect(statuses.at(-1)).toBe(429);
    // Existing sessions are not affected.
    expect(await owner.visitor.isIn()).toBe(true);
  });
});

it("a backup code signs in once when four browsers send it at the same moment", async () => {
  const owner = await protectedCustomer();
  const browsers = await atTheSecondStep(owner, 4);
  const statuses = await Promise.all(browsers.map((one) => sendCode(one, owner.backupCodes[0] ?? "")));
  expect(statuses.filter((status) => status === 303)).toHaveLength(1);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
});

it("a lost second factor is removed by the operator's command, which ends all sessions and mails the owner", async () => {
  const ada = await customer();
  await giveSecondFactor(database, AUTH_SECRET, ada.userId ?? "");
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, AUTH_SECRET, BASE_URL: shop.url };
  execFileSync(process.execPath, ["scripts/lost-factor.ts", ada.email], { env });
  expect(await ada.visitor.isIn()).toBe(false);
  const again = new Visitor(shop.url);
  expect((await signIn(ada, again)).status).toBe(303);
  expect(await again.isIn()).toBe(true);
  await emailTo(shop.url, ada.email, "Two-step sign-in is off");
});

it("a replaced AUTH_SECRET ends all sessions, and AUTH_SECRET_OLD keeps second factors readable", async () => {
  const ada = await customer();
  const { code } = await giveSecondFactor(database, AUTH_SECRET, ada.userId ?? "");
  expect(await ada.visitor.isIn()).toBe(true);
  const secrets = { AUTH_SECRET: "a new secret that nobody else has seen yet", AUTH_SECRET_OLD: AUTH_SECRET };
  const renewed = await startShop({ DATABASE_URL: database.url, WORKER: "outside", ...secrets });
  try {
    expect(await ada.visitor.movedTo(renewed.url).isIn()).toBe(false);
    const visitor = new Visitor(renewed.url);
    await signIn(ada, visitor);
    await sendCode(visitor, await code());
    expect(await visitor.isIn()).toBe(true);
  } finally {
    await renewed.stop();
  }
});

it("the keys that verify access tokens may be cached for 15 minutes", async () => {
  const answer = await fetch(`${shop.url}/api/auth/jwks`);
  expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "public, max-age=900"]);
});

/** The form of the back office. */
const enter = (who: Visitor, { email, password }: StaffMember, code: string) =>
  who.post("/admin/sign-in", { email, password, code });

/** A browser in which the member signed in to the shop before. */
function deviceOf({ staffId }: StaffMember, id: string): Caller {
  const device = browser();
  const signature = openSigner(AUTH_SECRET, "device").sign(`${id}\n${staffId}`);
  device.carry("polara_device", `${id}.${signature}`);
  return device;
}

it("with a member's stolen password 30 codes are tried in an hour, from wherever, and the member is mailed", async () => {
  const member = await staff("manager");
  const limits = openRateLimits(database.db, { scale: 1, secret: AUTH_SECRET });
  for (let i = 0; i < 18; i++)
    await limits.consume(accountLimits("code", { account: member.staffId, network: browser().address }));
  const devices = ["a", "b"].map((letter) => deviceOf(member, letter.repeat(22)));
  const guesses = Array.from({ length: AT_ONCE }, (_, i) => (i % 4 ? browser() : devices[i % 8 ? 0 : 1]!));
  const answers = await Promise.all(guesses.map((who) => enter(who, member, "000000")));
  expect(answers.map(({ status }) => status).sort()).toEqual([...of(12, 403), ...of(3, 429)]);
  expect((await enter(browser(), member, await member.code())).status).toBe(429);
  await emailTo(shop.url, member.email, "Ten wrong codes in a row");
});

describe("a session of the back office", () => {
  const withCookie = (cookie: string) => {
    const visitor = browser();
    visitor.carry(STAFF_COOKIE, cookie);
    return visitor;
  };
  const isOpen = async (cookie: string) => (await withCookie(cookie).fetch("/admin")).status === 200;
  const heldCookie = (who: Visitor) => new RegExp(`${STAFF_COOKIE}=([^;]+)`).exec(who.cookieHeader())?.[1] ?? "";

  it("is replaced by a code and by another sign-in, and the former cookie leads to sign-in", async () => {
    const member = await staff("owner", { isFresh: false });
    const { visitor, cookie } = member;
    const form = { email: "grace@example.com", role: "packer", code: await member.code() };
    expect((await visitor.post("/admin/staff?intent=invite", form)).status).toBe(200);
    const proved = heldCookie(visitor);
    expect([await isOpen(cookie), await isOpen(proved)]).toEqual([false, true]);
    await forgetUsedCodes(database.pool, member.email);
    expect((await enter(visitor, member, await member.code())).status).toBe(303);
    expect([await isOpen(proved), await isOpen(heldCookie(visitor))]).toEqual([false, true]);
    expect((await withCookie(cookie).fetch("/admin")).headers.get("Location")).toMatch(/^\/admin\/sign-in/);
  });

  const newPassword = { password: "a new password of mine", confirmPassword: "a new password of mine" };

  it.each([
    {
      by: "a password set by mail",
      says: "because your password was changed",
      async end(_account: Visitor, { email }: StaffMember) {
        const visitor = browser();
        await visitor.post("/reset-password", { email });
        const link = linkIn(await emailTo(shop.url, email, "Set a new password"), "/reset-password");
        return (await visitor.post(link, newPassword)).status;
      },
    },
    {
      by: "a changed password",
      says: "because your password was changed",
      async end(account: Visitor, { password, code }: StaffMember) {
        const fields = { currentPassword: password, code: await code(), ...newPassword };
        return (await account.settings("password", fields)).status;
      },
    },
    {
      by: "signing out all others in Settings",
      says: "You signed out, here or in your account",
      async end(account: Visitor, { password, code }: StaffMember) {
        return (await account.settings("sign-out-others", { password, code: await code() })).status;
      },
    },
    {
      by: "signing it out in Settings, where a colleague's is not found",
      says: "You signed out, here or in your account",
      async end(account: Visitor, { password, code, sessionId, email }: StaffMember, colleague: StaffMember) {
        const signOut = async (session: string) =>
          (await account.settings("sign-out-one", { session, password, code: await code() })).status;
        expect(await signOut(colleague.sessionId)).toBe(404);
        await forgetUsedCodes(database.pool, email);
        return signOut(sessionId);
      },
    },
  ])("ends by $by", async ({ says, end }) => {
    const [member, colleague] = [await staff("manager"), await staff("packer")];
    const account = browser();
    await signIn(member, account);
    await account.post("/auth/two-factor", { code: await member.code() });
    await forgetUsedCodes(database.pool, member.email);
    const settings = await (await account.fetch("/account?tab=settings")).text();
    expect(settings).toContain("Back office, Unknown device");
    expect([200, 303]).toContain(await end(account, member, colleague));
    expect([await isOpen(member.cookie), await isOpen(colleague.cookie)]).toEqual([false, true]);
    expect(await (await member.visitor.fetch("/admin/sign-in")).text()).toContain(says);
  });
});
