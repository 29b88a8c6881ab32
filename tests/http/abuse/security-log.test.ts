/** The security log: each event once, with outcome, account and origin. */
import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { DELETE_WORD } from "#shop/accounts/account-forms.ts";
import { accountLimits } from "#shop/accounts/account-limits.ts";
import { makeResetToken } from "#shop/accounts/email-links.server.ts";
import { openRateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { HONEYPOT_FIELD } from "#app/ui/form/honeypot.tsx";
import type { Role } from "../../support/actors.ts";
import { Authenticator, backupCodesIn, giveSecondFactor, uriIn } from "../../support/second-factor.ts";
import { Caller } from "../../support/visitor.ts";
import { startForgingProvider } from "../../support/forging-provider.ts";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { AUTH_SECRET, signIn, signUpForm, someEmail, useShop } from "../../support/use-shop.ts";

const provider = await startForgingProvider();
afterAll(() => provider.stop());
const { shop, database, actor } = useShop({ RATE_LIMIT_SCALE: "1", TRUST_PROXY: "loopback", ...provider.env });

const caller = () => new Caller(shop.url);
async function customer(role: Role = "customer") {
  const who = await actor(role);
  const browser = caller();
  who.visitor.lendCookiesTo(browser);
  return { ...who, browser, userId: who.userId ?? "" };
}

type Line = Record<"security" | "outcome" | "way" | "address" | "path" | "time" | "request", string> & {
  [field: string]: string | undefined;
};

/** The log lines of one address, once all its requests are logged. */
async function linesOf({ address }: Caller): Promise<Line[]> {
  const mark = `/none/${randomUUID()}`;
  await fetch(shop.url + mark);
  await expect.poll(() => shop.output()).toContain(mark);
  const lines = shop
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line) as Line).filter((line) => line.address === address);
}
const events = async (browser: Caller) =>
  (await linesOf(browser)).map(({ security, outcome, way }) => [security, outcome, ...(way ? [way] : [])].join(" "));

const NEW_PASSWORD = "a kettle under the stairs";

describe("the security log of sign-ins", () => {
  it("names the method and the account that was tried", async () => {
    const ada = await customer();
    const { email, userId } = ada;
    const browser = caller();
    await signIn(ada, browser, "not the password");
    await signIn({ ...ada, email: email.toUpperCase() }, browser);
    await browser.post("/auth/sign-out", {});
    await browser.post("/auth/sign-out", {});
    expect(await events(browser)).toEqual(["sign-in refused password", "sign-in ok password", "sign-out ok"]);
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
    const other = caller();
    await signIn(ada, other, "not the password");
    expect((await linesOf(other))[0]?.emailHash).toBe(refused?.emailHash);
  });

  it("has a reached limit once a minute", async () => {
    const ada = await customer();
    const browser = caller();
    const limits = openRateLimits(database.db, { scale: 1, secret: AUTH_SECRET });
    const tries = accountLimits("sign-in", { account: ada.email, network: browser.address });
    for (let i = 0; i < 10; i++) await limits.consume(tries);
    for (let i = 0; i < 3; i++) expect((await signIn(ada, browser, "a guess")).status).toBe(429);
    expect(await events(browser)).toEqual(["limit limited sign-in"]);
    expect((await linesOf(browser))[0]?.emailHash).toMatch(/^[\da-f]{16}$/);
  });

  it("has each attempt of the second factor", async () => {
    const ada = await customer();
    const { userId } = ada;
    const { code, backupCodes } = await giveSecondFactor(database, AUTH_SECRET, userId);
    const browser = caller();
    const send = (typed: string) => browser.post("/auth/two-factor", { code: typed });
    await signIn(ada, browser);
    await send("000000");
    const right = await code();
    expect((await send(right)).status).toBe(303);
    await signIn(ada, browser);
    await send(right);
    expect((await send(backupCodes[0] ?? "")).status).toBe(303);
    expect(await events(browser)).toEqual([
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

  it("has Google and emailed links as methods", async () => {
    const guest = caller();
    const back = await provider.backFrom(await guest.post("/auth", { intent: "google", redirect: "/" }), someEmail());
    await guest.fetch(back);
    await caller().fetch(back);
    await guest.fetch(back);
    expect(await events(guest)).toEqual(["sign-in ok google", "sign-in refused google"]);
    for (const query of ["", "?state=made-up&code=a", "?state=&error=access_denied", "?code=a&code=b"])
      expect((await caller().fetch(`/api/auth/callback/google${query}`)).status).toBeLessThan(500);
    expect(shop.output()).not.toContain("better-auth failed");

    const waiting = caller();
    const place = someEmail();
    await waiting.post("/waitlist/join", { email: place }, { Accept: "*/*" });
    const link = linkIn(await emailTo(shop.url, place, "Welcome to the waitlist"), "/auth/verify");
    await waiting.fetch(link);
    await waiting.post(link, { intent: "confirm" });
    await caller().post(link, { intent: "confirm" });
    await waiting.post("/auth/sign-out", {});
    await waiting.post(link, { intent: "confirm" });
    expect(await events(waiting)).toEqual(["sign-in ok mail-link", "sign-out ok", "sign-in refused mail-link"]);
  });
});

describe("the security log of an account", () => {
  it("has sign-up, sign-out and password reset", async () => {
    const browser = caller();
    const email = someEmail();
    const passwords = { password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    const form = signUpForm(email, NEW_PASSWORD);
    await browser.post("/auth?tab=sign-up", form);
    const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
    const userId = rows[0]?.id ?? "";
    await browser.post("/auth/sign-out", {});
    await browser.post("/auth?tab=sign-up", form);
    await browser.post("/reset-password", { email });
    const link = `/reset-password?token=${await makeResetToken(database.db, userId)}`;
    await browser.post(link, passwords);
    await browser.post(link, passwords);
    expect(await events(browser)).toEqual([
      "sign-up ok",
      "sign-out ok",
      "sign-up refused",
      "password-reset-asked ok",
      "password-reset ok",
      "password-reset refused",
    ]);
    expect((await linesOf(browser))[4]).toMatchObject({ userId });
  });

  it("has changes of the second factor and failed proofs of identity", async () => {
    const { browser, password, userId } = await customer();
    await browser.settings("factor-start", { password: "not the password" });
    const html = (await browser.settings("factor-start", { password })).html;
    const app = new Authenticator(uriIn(html));
    await browser.settings("factor-verify", { code: "000000", uri: uriIn(html) });
    const on = (await browser.settings("factor-verify", { code: await app.code(), uri: uriIn(html) })).html;
    const [first = ""] = backupCodesIn(on);
    await browser.settings("factor-codes", { password, code: "000000" });
    const codes = (await browser.settings("factor-codes", { password, code: first })).html;
    const [fresh = ""] = backupCodesIn(codes);
    await browser.settings("factor-remove", { password, code: fresh });
    expect(await events(browser)).toEqual([
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

  it("has a changed password, ended sessions, a data download and the deletion", async () => {
    const { browser, password, userId, sessionIds } = await customer();
    await browser.settings("sign-out-one", { password, session: sessionIds[1] ?? "" });
    await browser.settings("sign-out-others", { password });
    await browser.post("/account/download", { password });
    const changed = { currentPassword: password, password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    await browser.settings("password", changed);
    await browser.settings("delete", { confirmation: DELETE_WORD, password: NEW_PASSWORD });
    expect((await events(browser)).filter((event) => event !== "step-up ok password")).toEqual([
      "sessions-ended ok one",
      "sessions-ended ok all others",
      "data-downloaded ok",
      "password-changed ok",
      "account-deleted ok",
    ]);
    for (const line of await linesOf(browser)) expect(line.userId).toBe(userId);
  });
});

describe("the security log of refusals", () => {
  it("has each attempt on somebody else's things, with the account", async () => {
    const [asking, other] = [await customer(), await customer()];
    const { browser, password, userId } = asking;
    const statuses = [
      await browser.post("/cart/update", { itemId: other.lineId, quantity: "1" }, { Accept: "*/*" }),
      await browser.post("/cart/remove", { itemId: other.lineId }, { Accept: "*/*" }),
      await browser.settings("sign-out-one", { password, session: other.sessionIds[1] ?? "" }),
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

  it("has attempts without signing in or without a verified email", async () => {
    const guest = caller();
    const productId = await guest.productId("travel-sleeve");
    expect((await guest.post("/wishlist/add", { productId }, { Accept: "*/*" })).status).toBe(401);
    await guest.settings("profile", { firstName: "Eve" });
    expect((await guest.post("/account/download", {})).headers.get("Location")).toMatch(/^\/auth/);
    expect(await events(guest)).toEqual(["not-yours refused wishlist", "not-yours refused account"]);

    const { browser, password, userId } = await customer("unverified customer");
    expect((await browser.checkout()).status).toBe(403);
    expect((await browser.settings("factor-start", { password })).status).toBe(403);
    expect(await events(browser)).toEqual(["not-yours refused unverified"]);
    expect((await linesOf(browser))[0]?.userId).toBe(userId);
  });
});

describe("the security log of floods", () => {
  it("has one line a minute for each network and kind", async () => {
    const browser = caller();
    for (let i = 0; i < 3; i++) {
      await browser.post("/cart/clear", {}, { Origin: "https://evil.example" });
      await browser.post("/cart/add", { "x[5000000]": "1" });
      await browser.post("/support", { message: "x".repeat(70_000) });
      await browser.fetch("/api/me", { headers: { Authorization: "Bearer made.up.token" } });
      await browser.fetch("/shop?q=%00");
      await browser.post("/support", { [HONEYPOT_FIELD]: "https://spam.example" });
    }
    expect(await events(browser)).toEqual([
      "form-of-another-site refused",
      "form-of-no-page refused",
      "form-too-large refused",
      "access-token refused",
      "malformed-address refused",
      "form-of-a-program refused",
    ]);
  });

  it("has one line for a network's reached limit", async () => {
    const browser = caller();
    const limits = openRateLimits(database.db, { scale: 1, secret: AUTH_SECRET });
    for (const name of ["writes", "renders"])
      await limits.consume([{ name, subject: browser.address, points: 300, seconds: 60, cost: 300 }]);
    const statuses = new Set<number>();
    for (let i = 0; i < 45; i++) statuses.add((await browser.post("/auth/sign-out", {})).status);
    for (let i = 0; i < 40; i++) statuses.add((await browser.fetch(`/none/${i}`)).status);
    expect([...statuses]).toEqual([303, 429, 404]);
    expect(await events(browser)).toEqual(["limit limited writes", "limit limited renders"]);
  });

  it("has reached limits of orders and emails", async () => {
    const guest = caller();
    for (let i = 0; i < 7; i++) {
      await guest.add("travel-sleeve");
      await guest.checkout({ email: `guest-${i}@example.com` });
    }
    expect(await events(guest)).toEqual(["limit limited guest order"]);
    const { browser } = await customer("unverified customer");
    for (let i = 0; i < 6; i++) await browser.post("/auth/resend", {});
    const refused = await browser.post("/auth/resend", {}, { Accept: "*/*" });
    const wait = expect.stringMatching(/Too many attempts\. Please wait \d+ minutes/) as string;
    expect([refused.status, await refused.text()]).toEqual([429, wait]);
    expect(await events(browser)).toEqual(["limit limited email"]);
  });

  it("has nothing of a visitor who only shops", async () => {
    const guest = caller();
    for (const page of ["/", "/shop", "/account", "/auth", "/api/me", "/api/auth/token"]) await guest.fetch(page);
    await guest.add("travel-sleeve");
    await guest.checkout();
    await guest.post("/cart/clear", {}, { Origin: "https://evil.example" });
    expect(await events(guest)).toEqual(["form-of-another-site refused"]);
  });
});
