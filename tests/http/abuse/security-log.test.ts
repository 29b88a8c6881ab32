/** What an operator finds after an attack: each event once, with its outcome, whose account it was and where it came from. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountLimits } from "../../../shop/accounts/account-limits.ts";
import { makeResetToken } from "../../../shop/accounts/passwords/reset-token.server.ts";
import { DELETE_WORD } from "../../../shop/accounts/delete-word.ts";
import { openRateLimits } from "../../../shop/rate-limits/rate-limits.server.ts";
import { makeActor } from "../../support/actors.ts";
import { HONEYPOT_FIELD } from "../../../shop/support/contact-form.ts";
import { Authenticator, uriIn } from "../../support/authenticator.ts";
import { startForgingProvider, type ForgingProvider } from "../../support/forging-provider.ts";
import { useFreshDatabase } from "../../support/fresh-database.ts";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { giveSecondFactor } from "../../support/second-factor.ts";
import { startShop, type Shop } from "../../support/shop.ts";
import { Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const database = useFreshDatabase(5);
let shop: Shop;
let provider: ForgingProvider;

beforeAll(async () => {
  provider = await startForgingProvider();
  shop = await startShop({
    DATABASE_URL: database.url,
    AUTH_SECRET,
    RATE_LIMIT_SCALE: "1",
    TRUST_PROXY: "loopback",
    ...provider.env,
  });
});
afterAll(async () => {
  await shop.stop();
  await provider.stop();
});

let networks = 0;
/** A browser at an address of its own. */
class Browser extends Visitor {
  readonly address = `10.3.${networks >> 8}.${networks++ & 255}`;
  constructor() {
    super(shop.url);
  }
  override fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("X-Forwarded-For", this.address);
    return super.fetch(path, { ...init, headers });
  }
  signIn(email: string, password: string) {
    return this.post("/auth", { intent: "sign-in", email, password, redirect: "/" });
  }
  settle(intent: string, fields: Record<string, string> = {}) {
    return this.post("/account?tab=settings", { intent, ...fields });
  }
}

async function customer() {
  const actor = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
  const browser = new Browser();
  actor.visitor.lendCookiesTo(browser);
  return { ...actor, browser, userId: actor.userId ?? "" };
}

type Line = Record<"security" | "outcome" | "way" | "address" | "path" | "time" | "request", string> & {
  [field: string]: string | undefined;
};

/** Every line of one address, once all that has been asked stands in the log. */
async function linesOf({ address }: Browser): Promise<Line[]> {
  const mark = `/none/${randomUUID()}`;
  await fetch(shop.url + mark);
  await expect.poll(() => shop.output()).toContain(mark);
  const lines = shop
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line) as Line).filter((line) => line.address === address);
}
const told = async (browser: Browser) =>
  (await linesOf(browser)).map(({ security, outcome, way }) => [security, outcome, ...(way ? [way] : [])].join(" "));

const NEW_PASSWORD = "a kettle under the stairs";

describe("signing in and out", () => {
  it("is told of with the way, and with whose account was tried", async () => {
    const { email, password, userId } = await customer();
    const browser = new Browser();
    await browser.signIn(email, "not the password");
    await browser.signIn(email.toUpperCase(), password);
    await browser.post("/auth/sign-out", {});
    await browser.post("/auth/sign-out", {});
    expect(await told(browser)).toEqual(["sign-in refused password", "sign-in ok password", "sign-out ok"]);
    const [refused, entered, left] = await linesOf(browser);
    expect(refused).toMatchObject({
      emailHash: expect.stringMatching(/^[\da-f]{16}$/),
      reason: "INVALID_EMAIL_OR_PASSWORD",
      path: "/auth",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect([entered?.userId, left?.userId]).toEqual([userId, userId]);
    expect(shop.output()).toContain(`"request":"${refused?.request}","method":"POST","path":"/auth","status":401`);
    expect(shop.output().toLowerCase()).not.toContain(email);
    const other = new Browser();
    await other.signIn(email, "not the password");
    expect((await linesOf(other))[0]?.emailHash).toBe(refused?.emailHash);
  });

  it("is told of where it was tried too often: once a minute", async () => {
    const { email } = await customer();
    const browser = new Browser();
    const limits = openRateLimits(database.db, { scale: 1, secret: AUTH_SECRET });
    const tries = accountLimits("sign-in", { account: email, network: browser.address });
    for (let i = 0; i < 10; i++) await limits.consume(tries);
    for (let i = 0; i < 3; i++) expect((await browser.signIn(email, "a guess")).status).toBe(429);
    expect(await told(browser)).toEqual(["limit limited sign-in"]);
    expect((await linesOf(browser))[0]?.emailHash).toMatch(/^[\da-f]{16}$/);
  });

  it("is told of with each second step", async () => {
    const { email, password, userId } = await customer();
    const { code, backupCodes } = await giveSecondFactor(database, AUTH_SECRET, userId);
    const browser = new Browser();
    const signIn = (typed: string) => browser.post("/auth/two-factor", { code: typed });
    await browser.signIn(email, password);
    await signIn("000000");
    const right = await code();
    expect((await signIn(right)).status).toBe(303);
    await browser.signIn(email, password);
    await signIn(right);
    expect((await signIn(backupCodes[0] ?? "")).status).toBe(303);
    expect(await told(browser)).toEqual([
      "sign-in ok password",
      "sign-in refused totp",
      "sign-in ok totp",
      "sign-in ok password",
      "sign-in refused totp",
      "sign-in ok backup-code",
    ]);
    const lines = await linesOf(browser);
    expect(lines[0]).toMatchObject({ reason: "a second step follows" });
    expect(lines[4]).toMatchObject({ reason: "CODE_ALREADY_USED" });
    expect(lines[5]).toMatchObject({ userId });
  });

  it("is told of by Google and by a link from a mail", async () => {
    const guest = new Browser();
    const pressed = await guest.post("/auth", { intent: "google", redirect: "/" });
    const asked = new URL(pressed.headers.get("Location") ?? "").searchParams;
    const now = Math.floor(Date.now() / 1000);
    const email = `grace-${randomUUID()}@example.com`;
    provider.answer = async () => ({
      idToken: await provider.sign({
        iss: provider.issuer,
        aud: provider.clientId,
        sub: email,
        email,
        email_verified: true,
        name: "Grace",
        nonce: asked.get("nonce") ?? "",
        iat: now,
        exp: now + 300,
      }),
    });
    const back = `/api/auth/callback/google?code=a&state=${encodeURIComponent(asked.get("state") ?? "")}`;
    await guest.fetch(back);
    await new Browser().fetch(back);
    await guest.fetch(back);
    expect(await told(guest)).toEqual(["sign-in ok google", "sign-in refused google"]);

    const waiting = new Browser();
    const place = `waiting-${randomUUID()}@example.com`;
    await waiting.post("/waitlist/join", { email: place }, { Accept: "*/*" });
    const link = linkIn(await emailTo(shop.url, place, "Welcome to the waitlist"), "/auth/verify");
    await waiting.fetch(link);
    await waiting.post(link, { intent: "confirm" });
    await new Browser().post(link, { intent: "confirm" });
    await waiting.post("/auth/sign-out", {});
    await waiting.post(link, { intent: "confirm" });
    expect(await told(waiting)).toEqual(["sign-in ok mail-link", "sign-out ok", "sign-in refused mail-link"]);
  });
});

describe("an account", () => {
  it("is followed from its sign-up to the reset of its password", async () => {
    const browser = new Browser();
    const email = `ada-${randomUUID()}@example.com`;
    const passwords = { password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    const names = { firstName: "Ada", lastName: "Lovelace" };
    const form = { intent: "sign-up", redirect: "/", ...names, email, ...passwords, terms: "on" };
    await browser.post("/auth?tab=sign-up", form);
    await new Browser().post("/auth?tab=sign-up", form);
    const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
    const userId = rows[0]?.id ?? "";
    await browser.post("/auth/sign-out", {});
    await browser.post("/auth?tab=sign-up", form);
    await browser.post("/reset-password", { email });
    const link = `/reset-password?token=${await makeResetToken(database.db, userId)}`;
    await browser.post(link, passwords);
    await browser.post(link, passwords);
    expect(await told(browser)).toEqual([
      "sign-up ok",
      "sign-out ok",
      "sign-up refused",
      "password-reset-asked ok",
      "password-reset ok",
      "password-reset refused",
    ]);
    expect((await linesOf(browser))[4]).toMatchObject({ userId });
  });

  it("tells of its second step, and of who could not prove that they are its customer", async () => {
    const { browser, password, userId } = await customer();
    await browser.settle("factor-start", { password: "not the password" });
    const html = await (await browser.settle("factor-start", { password })).text();
    const app = new Authenticator(uriIn(html));
    await browser.settle("factor-verify", { code: "000000", uri: uriIn(html) });
    const on = await (await browser.settle("factor-verify", { code: await app.code(), uri: uriIn(html) })).text();
    const [first = "", second = ""] = [...on.matchAll(/\b[\da-z]{7}(?:-[\da-z]{7}){3}\b/g)].map(String);
    await browser.settle("factor-codes", { password, code: "000000" });
    const codes = await (await browser.settle("factor-codes", { password, code: first })).text();
    expect(second).not.toBe("");
    const [fresh = ""] = [...codes.matchAll(/\b[\da-z]{7}(?:-[\da-z]{7}){3}\b/g)].map(String);
    await browser.settle("factor-remove", { password, code: fresh });
    expect(await told(browser)).toEqual([
      "step-up refused password",
      "step-up ok password",
      "second-factor-on refused",
      "second-factor-on ok",
      "step-up ok password",
      "step-up refused totp",
      "step-up ok password",
      "step-up ok backup-code",
      "backup-codes-renewed ok",
      "step-up ok password",
      "step-up ok backup-code",
      "second-factor-off ok",
    ]);
    for (const line of await linesOf(browser)) expect(line.userId).toBe(userId);
  });

  it("tells of its new password, its sessions, its data and its end", async () => {
    const { browser, password, userId, sessionIds } = await customer();
    await browser.settle("sign-out-one", { password, session: sessionIds[1] ?? "" });
    await browser.settle("sign-out-others", { password });
    await browser.post("/account/download", { password });
    const changed = { currentPassword: password, password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    await browser.settle("password", changed);
    await browser.settle("delete", { confirmation: DELETE_WORD, password: NEW_PASSWORD });
    const events = (await told(browser)).filter((event) => event !== "step-up ok password");
    expect(events).toEqual([
      "sessions-ended ok one",
      "sessions-ended ok all others",
      "data-downloaded ok",
      "password-changed ok",
      "account-deleted ok",
    ]);
    for (const line of await linesOf(browser)) expect(line.userId).toBe(userId);
  });
});

describe("what is not somebody's", () => {
  it("is told of with what it was, and with who asked", async () => {
    const [asking, other] = [await customer(), await customer()];
    const { browser, password, userId } = asking;
    const statuses = [
      await browser.post("/cart/update", { itemId: other.lineId, quantity: "1" }, { Accept: "*/*" }),
      await browser.post("/cart/remove", { itemId: other.lineId }, { Accept: "*/*" }),
      await browser.settle("sign-out-one", { password, session: other.sessionIds[1] ?? "" }),
      await browser.checkout({ checkoutKey: other.checkoutKey }),
      await browser.fetch(`/orders/claim?token=${Buffer.alloc(52).toString("base64url")}`),
      await browser.post("/orders/claim?token=forged", {}),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 409, 410, 410]);
    const refusals = (await linesOf(browser)).filter(({ security }) => security === "not-yours");
    expect(refusals.map(({ outcome, way }) => [outcome, way])).toEqual([
      ["refused", "cart"],
      ["refused", "session"],
      ["refused", "order-key"],
      ["refused", "claim"],
    ]);
    expect(refusals.slice(0, 3).map((line) => line.userId)).toEqual([userId, userId, userId]);
  });

  it("is told of where somebody is not signed in, or has not verified their email", async () => {
    const guest = new Browser();
    const productId = await guest.productId("travel-sleeve");
    expect((await guest.post("/wishlist/add", { productId }, { Accept: "*/*" })).status).toBe(401);
    await guest.settle("profile", { firstName: "Eve" });
    expect((await guest.post("/account/download", {})).headers.get("Location")).toMatch(/^\/auth/);
    expect(await told(guest)).toEqual(["not-yours refused wishlist", "not-yours refused account"]);

    const unverified = await makeActor(database.pool, shop.url, AUTH_SECRET, "unverified customer");
    const browser = new Browser();
    unverified.visitor.lendCookiesTo(browser);
    expect((await browser.checkout()).status).toBe(403);
    expect((await browser.settle("factor-start", { password: unverified.password })).status).toBe(403);
    expect(await told(browser)).toEqual(["not-yours refused unverified"]);
    expect((await linesOf(browser))[0]?.userId).toBe(unverified.userId);
  });
});

describe("what anybody can send without end", () => {
  it("is told of once a minute for each network and kind", async () => {
    const browser = new Browser();
    for (let i = 0; i < 3; i++) {
      await browser.post("/cart/clear", {}, { Origin: "https://evil.example" });
      await browser.post("/cart/add", { "x[5000000]": "1" });
      await browser.post("/support", { message: "x".repeat(70_000) });
      await browser.fetch("/api/me", { headers: { Authorization: "Bearer made.up.token" } });
      await browser.fetch("/shop?q=%00");
      await browser.post("/support", { [HONEYPOT_FIELD]: "https://spam.example" });
    }
    expect(await told(browser)).toEqual([
      "form-of-another-site refused",
      "form-of-no-page refused",
      "form-too-large refused",
      "access-token refused",
      "malformed-address refused",
      "form-of-a-program refused",
    ]);
  });

  it("is told of once where it is more than a network may ask for", async () => {
    const browser = new Browser();
    const statuses = new Set<number>();
    for (let i = 0; i < 305; i++) statuses.add((await browser.post("/auth/sign-out", {})).status);
    for (let i = 0; i < 245; i++) statuses.add((await browser.fetch(`/none/${i}`)).status);
    expect([...statuses]).toEqual([303, 429, 404]);
    expect(await told(browser)).toEqual(["limit limited writes", "limit limited renders"]);
  });

  it("is told of where an order or an email is one too many", async () => {
    const guest = new Browser();
    for (let i = 0; i < 7; i++) {
      await guest.add("travel-sleeve");
      await guest.checkout({ email: `guest-${i}@example.com` });
    }
    expect(await told(guest)).toEqual(["limit limited guest order"]);
    const unverified = await makeActor(database.pool, shop.url, AUTH_SECRET, "unverified customer");
    const browser = new Browser();
    unverified.visitor.lendCookiesTo(browser);
    for (let i = 0; i < 7; i++) await browser.post("/auth/resend", {});
    expect(await told(browser)).toEqual(["limit limited email"]);
  });

  it("is not told of where somebody only shops", async () => {
    const guest = new Browser();
    for (const page of ["/", "/shop", "/account", "/auth", "/api/me", "/api/auth/token"]) await guest.fetch(page);
    await guest.add("travel-sleeve");
    await guest.checkout();
    await guest.post("/cart/clear", {}, { Origin: "https://evil.example" });
    expect(await told(guest)).toEqual(["form-of-another-site refused"]);
  });
});
