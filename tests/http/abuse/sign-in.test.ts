/** Ways into an account that is not one's own, and ways to keep its owner out. */
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { accountLimits } from "../../../shop/accounts/account-limits.ts";
import { openRateLimits } from "../../../shop/rate-limits/rate-limits.server.ts";
import { makeActor, type Actor } from "../../support/actors.ts";
import { ageUsedCode, Authenticator, forgetUsedCodes, uriIn } from "../../support/authenticator.ts";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET, RATE_LIMIT_SCALE: "1", TRUST_PROXY: "loopback" });

let networks = 0;
/** A browser in a network of its own, unless one is given. */
class Browser extends Visitor {
  readonly network: string;
  constructor(network = `10.2.${networks >> 8}.${networks++ & 255}`) {
    super(shop.url);
    this.network = network;
  }
  override fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("X-Forwarded-For", this.network);
    return super.fetch(path, { ...init, headers });
  }
  signIn(email: string, password: string) {
    return this.post("/auth", { intent: "sign-in", email, password, redirect: "/" });
  }
  sendCode(code: string) {
    return this.post("/auth/two-factor", { code });
  }
  async isIn(): Promise<boolean> {
    return (await this.fetch("/account")).status === 200;
  }
}

const customer = () => makeActor(database.pool, shop.url, AUTH_SECRET, "customer");

/** A browser in which the customer has signed in before, and is not now. */
async function knownDevice({ email, password }: Actor): Promise<Browser> {
  const device = new Browser();
  expect((await device.signIn(email, password)).status).toBe(303);
  await device.post("/auth/sign-out", {});
  return device;
}

/** As many sign-ins at once as the shop lets wait in line. */
const AT_ONCE = 15;

/** Wrong passwords, many at once; answers with the statuses. */
async function guess(browsers: Browser[], email: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < browsers.length; i += AT_ONCE) {
    const some = browsers.slice(i, i + AT_ONCE);
    const answers = await Promise.all(some.map((browser) => browser.signIn(email, `wrong ${i}`)));
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses.sort();
}

/** What is left in the counters of that many wrong passwords, without a hash computed for each. */
async function guessed(email: string, amount: number, networkOf: (i: number) => string): Promise<void> {
  const limits = openRateLimits(database.db, { scale: 1, secret: AUTH_SECRET });
  for (let i = 0; i < amount; i++) {
    await limits.consume(accountLimits("sign-in", { account: email, network: networkOf(i) }));
  }
}

describe("a stranger who has tried 150 passwords from 30 networks", () => {
  let owner: Actor;
  let device: Browser;

  beforeAll(async () => {
    owner = await customer();
    device = await knownDevice(owner);
    const strangers = Array.from({ length: 30 }, () => new Browser());
    await guessed(owner.email, 90, (i) => strangers[i % 30]?.network ?? "");
    expect(await guess([...strangers, ...strangers], owner.email)).toEqual([
      ...Array<number>(10).fill(401),
      ...Array<number>(50).fill(429),
    ]);
  });

  it("does not keep the owner from signing in on a device that has signed in before", async () => {
    expect((await device.signIn(owner.email, owner.password)).status).toBe(303);
    expect(await device.isIn()).toBe(true);
  });

  it("does not keep the owner, signed in, from what asks for the password", async () => {
    const download = await owner.visitor.post("/account/download", { password: owner.password });
    expect(download.status).toBe(200);
  });

  it("makes a new device wait, and leaves it a way on: a password set by email", async () => {
    const phone = new Browser();
    const waiting = await phone.signIn(owner.email, owner.password);
    expect(waiting.status).toBe(429);
    expect(await waiting.text()).toMatch(/Please wait \d+ minutes, then try again\. Or set a new password by email/);
    await phone.post("/reset-password", { email: owner.email });
    const link = linkIn(await emailTo(shop.url, owner.email, "Set a new password"), "/reset-password");
    const password = "a new password of the owner";
    expect((await phone.post(link, { password, confirmPassword: password })).status).toBe(303);
    expect((await phone.signIn(owner.email, password)).status).toBe(303);
  });
});

describe("a device that has signed in before", () => {
  it("has ten wrong passwords in 15 minutes of its own", async () => {
    const owner = await customer();
    const device = await knownDevice(owner);
    const tries = await guess(Array<Browser>(12).fill(device), owner.email);
    expect(tries).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect((await device.signIn(owner.email, owner.password)).status).toBe(429);
    expect((await new Browser().signIn(owner.email, owner.password)).status).toBe(303);
  });

  it("keeps its count when it signs in again, and is known to several of one household", async () => {
    const [ada, ben] = [await customer(), await customer()];
    const device = await knownDevice(ada);
    await device.signIn(ben.email, ben.password);
    await device.post("/auth/sign-out", {});
    for (const { email } of [ada, ben]) {
      await guessed(email, 15, () => device.network);
      expect((await new Browser(device.network).signIn(email, "correct horse")).status).toBe(429);
    }
    for (const { email, password } of [ada, ben]) expect((await device.signIn(email, password)).status).toBe(303);
  });

  it("is nobody's else: a cookie made up, or got with another account, counts for nothing", async () => {
    const [owner, other] = [await customer(), await customer()];
    const stranger = await knownDevice(other);
    await guessed(owner.email, 10, () => stranger.network);
    expect((await stranger.signIn(owner.email, owner.password)).status).toBe(429);
    const forger = new Browser(stranger.network);
    const id = randomBytes(16).toString("base64url");
    for (const value of [id, `${id}.${randomBytes(32).toString("base64url")}`, `${id}.${owner.userId}`, ".", ""]) {
      forger.carry("polara_device", value);
      expect((await forger.signIn(owner.email, owner.password)).status).toBe(429);
    }
  });

  it("is not made by signing up with somebody's address", async () => {
    const squatter = new Browser();
    const form = { firstName: "A", lastName: "B", password: "correct horse", confirmPassword: "correct horse" };
    const email = `squatted-${randomUUID()}@example.com`;
    const answer = await squatter.post("/auth?tab=sign-up", { intent: "sign-up", ...form, email, terms: "on" });
    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie().join()).not.toContain("polara_device");
  });
});

describe("a password asked for within the account", () => {
  it("runs out after ten wrong ones, by itself: signing in does not", async () => {
    const owner = await customer();
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => owner.visitor.post("/account/download", { password: "wrong" })),
    );
    const problems = tries.map(({ headers }) => new URL(headers.get("Location") ?? "", shop.url).search);
    expect(problems.filter((problem) => problem.includes("wrong"))).toHaveLength(10);
    expect(problems.filter((problem) => problem.includes("wait"))).toHaveLength(2);
    // From the same address, where the wrong ones would count.
    const beside = new Visitor(shop.url);
    const form = { intent: "sign-in", email: owner.email, password: owner.password, redirect: "/" };
    expect((await beside.post("/auth", form)).status).toBe(303);
  });
});

/** Somebody with an authenticator app; the code of now turned it on. */
async function protectedCustomer() {
  const owner = await customer();
  const settings = "/account?tab=settings";
  const started = await owner.visitor.post(settings, { intent: "factor-start", password: owner.password });
  const uri = uriIn(await started.text());
  const app = new Authenticator(uri);
  const firstCode = await app.code();
  const done = await owner.visitor.post(settings, { intent: "factor-verify", uri, code: firstCode });
  expect(done.status).toBe(200);
  const backupCodes = [...(await done.text()).matchAll(/<li>([\w-]{31})<\/li>/g)].map(([, code = ""]) => code);
  return { ...owner, app, firstCode, backupCodes };
}

/** Browsers that have shown the password. */
async function atTheSecondStep({ email, password }: Actor, amount: number): Promise<Browser[]> {
  const browsers = Array.from({ length: amount }, () => new Browser());
  for (const browser of browsers) {
    const answer = await browser.signIn(email, password);
    expect(answer.headers.get("Location")).toContain("/auth/two-factor");
  }
  return browsers;
}

describe("a code of an authenticator app", () => {
  it("signs in once, however many browsers send it at the same moment", async () => {
    const owner = await protectedCustomer();
    const browsers = await atTheSecondStep(owner, 10);
    await forgetUsedCodes(database.pool, owner.email);
    const code = await owner.app.code();
    const answers = await Promise.all(browsers.map((browser) => browser.sendCode(code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(9).fill(401)]);
    expect(await answers.find(({ status }) => status === 401)?.text()).toContain(
      "That code was used already. Wait for the next one, then enter it.",
    );
    const inside = await Promise.all(browsers.map((browser) => browser.isIn()));
    expect(inside.filter(Boolean)).toHaveLength(1);
  });

  it("that turned the app on does not sign in; the next one does", async () => {
    const owner = await protectedCustomer();
    const browser = new Browser();
    await browser.signIn(owner.email, owner.password);
    expect((await browser.sendCode(owner.firstCode)).status).toBe(401);
    await ageUsedCode(database.pool, owner.email);
    const nextCode = await owner.app.code();
    expect((await browser.sendCode(nextCode)).status).toBe(303);
    // An earlier one does not come back.
    const later = new Browser();
    await later.signIn(owner.email, owner.password);
    for (const code of [owner.firstCode, nextCode]) expect((await later.sendCode(code)).status).toBe(401);
  });

  it("is over when its 30 seconds are, and not taken before them", async () => {
    const owner = await protectedCustomer();
    await forgetUsedCodes(database.pool, owner.email);
    const [early, late] = await atTheSecondStep(owner, 2);
    for (const step of [-3, -2, -1]) expect((await early?.sendCode(await owner.app.code(step)))?.status).toBe(401);
    for (const step of [1, 2, 3]) expect((await late?.sendCode(await owner.app.code(step)))?.status).toBe(401);
    expect((await late?.sendCode(await owner.app.code()))?.status).toBe(303);
  });

  it.each([
    ["", "NULL"],
    [", also while strangers have locked the step", "now() + interval '10 minutes'"],
  ])("works once also where a session waits for it, as after Google%s", async (_case, lockedUntil) => {
    const owner = await protectedCustomer();
    const waiting = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const token = randomBytes(24).toString("base64url");
        await database.pool.query(
          "INSERT INTO sessions (user_id, token, expires_at) VALUES ($1, $2, now() + interval '1 day')",
          [owner.userId, token],
        );
        const browser = new Browser();
        const signature = createHmac("sha256", AUTH_SECRET).update(token).digest("base64");
        browser.carry("polara.session_token", encodeURIComponent(`${token}.${signature}`));
        return browser;
      }),
    );
    await forgetUsedCodes(database.pool, owner.email);
    await database.pool.query(`UPDATE two_factors SET locked_until = ${lockedUntil} WHERE user_id = $1`, [
      owner.userId,
    ]);
    const code = await owner.app.code();
    const answers = await Promise.all(waiting.map((browser) => browser.sendCode(code)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect((await Promise.all(waiting.map((browser) => browser.isIn()))).filter(Boolean)).toHaveLength(1);
  });

  it("is not guessed by somebody who knows the password: ten wrong ones close the step, the password reset stays", async () => {
    const owner = await protectedCustomer();
    const stranger = new Browser();
    const statuses: number[] = [];
    for (let i = 0; i < 15; i++) {
      if (i % 4 === 0) await stranger.signIn(owner.email, owner.password);
      statuses.push((await stranger.sendCode(`00000${i % 10}`)).status);
    }
    expect(statuses.slice(0, 10)).toEqual(Array<number>(10).fill(401));
    expect(statuses.slice(10)).not.toContain(303);
    expect(statuses.at(-1)).toBe(429);
    // Whoever is signed in does not notice.
    expect((await owner.visitor.fetch("/account")).status).toBe(200);
  });
});

it("a backup code signs in once, however many browsers send it at the same moment", async () => {
  const owner = await protectedCustomer();
  const browsers = await atTheSecondStep(owner, 4);
  const code = owner.backupCodes[0] ?? "";
  const answers = await Promise.all(browsers.map((browser) => browser.sendCode(code)));
  expect(answers.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
});
