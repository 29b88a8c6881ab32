/** What the owner of an account is told by mail, so that somebody else in it does not stay unseen. */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeResetToken } from "../../../shop/accounts/passwords/reset-token.server.ts";
import { consumeMail } from "../../../shop/mail/mail-budget.server.ts";
import { openRateLimits } from "../../../shop/rate-limits/rate-limits.server.ts";
import { makeActor, type Actor } from "../../support/actors.ts";
import { Authenticator, uriIn } from "../../support/authenticator.ts";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { giveSecondFactor } from "../../support/second-factor.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET });
const strict = useShop({ AUTH_SECRET, RATE_LIMIT_SCALE: "1" });
const settings = "/account?tab=settings";
const password = "a kettle under the stairs";

async function customer() {
  const who = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
  await database.pool.query("UPDATE users SET created_at = now() - interval '1 day' WHERE id = $1", [who.userId]);
  return who;
}
const signIn = (who: Actor, browser = new Visitor(shop.url)) =>
  browser.post("/auth", { intent: "sign-in", redirect: "/", email: who.email, password: who.password });

/** What was queued for an account, in order. */
async function emailsOf(userId: string | null, pool = database.pool): Promise<string[]> {
  const { rows } = await pool.query<{ change: string }>(
    `SELECT data->>'change' AS change FROM pgboss.job
     WHERE data->>'template' = 'account-changed' AND data->>'userId' = $1 ORDER BY created_on`,
    [userId],
  );
  return rows.map(({ change }) => change);
}

const changePassword = (who: Actor) =>
  who.visitor.post(settings, {
    intent: "password",
    currentPassword: who.password,
    password,
    confirmPassword: password,
  });

describe("the owner of an account is told by mail", () => {
  it("that the password was changed, in words of the shop alone", async () => {
    const who = await customer();
    expect((await changePassword(who)).status).toBe(200);
    const mail = await emailTo(shop.url, who.email, "Your password was changed");
    expect(linkIn(mail, "/reset-password")).toBe("/reset-password");
    expect(mail.text).not.toContain(who.name);
    expect(await emailsOf(who.userId)).toEqual(["password"]);
  });

  it("that it was reset", async () => {
    const who = await customer();
    const link = `/reset-password?token=${await makeResetToken(database.db, who.userId ?? "")}`;
    const set = () => new Visitor(shop.url).post(link, { password, confirmPassword: password });
    expect((await set()).status).toBe(303);
    expect((await set()).status).toBe(400);
    expect(await emailsOf(who.userId)).toEqual(["password"]);
  });

  it("that a second factor was turned on, and off", async () => {
    const who = await customer();
    const submit = async (intent: string, fields: Record<string, string>) =>
      (await who.visitor.post(settings, { intent, ...fields })).text();
    const uri = uriIn(await submit("factor-start", { password: who.password }));
    await submit("factor-verify", { uri, code: "000000" });
    expect(await emailsOf(who.userId)).toEqual([]);
    const done = await submit("factor-verify", { uri, code: await new Authenticator(uri).code() });
    const [code = ""] = [...done.matchAll(/<li>([\w-]{20,})<\/li>/g)].map(([, each]) => each);
    await submit("factor-remove", { password: who.password, code });
    expect(await emailsOf(who.userId)).toEqual(["second-factor-on", "second-factor-off"]);
    await emailTo(shop.url, who.email, "Two-step sign-in is on");
    await emailTo(shop.url, who.email, "Two-step sign-in is off");
  });

  it("of the first sign-in in a browser, and of no later one there", async () => {
    const who = await customer();
    const browser = new Visitor(shop.url);
    for (let i = 0; i < 2; i++) {
      expect((await signIn(who, browser)).status).toBe(303);
      expect(await emailsOf(who.userId)).toEqual(["new-device"]);
      await browser.post("/auth/sign-out", {});
    }
    expect((await signIn(who)).status).toBe(303);
    expect(await emailsOf(who.userId)).toEqual(["new-device", "new-device"]);
    await emailTo(shop.url, who.email, "New sign-in to your account");
  });

  it("of a sign-in with two steps after the second", async () => {
    const who = await customer();
    const { code } = await giveSecondFactor(database, AUTH_SECRET, who.userId ?? "");
    const browser = new Visitor(shop.url);
    await signIn(who, browser);
    expect(await emailsOf(who.userId)).toEqual([]);
    expect((await browser.post("/auth/two-factor", { code: await code() })).status).toBe(303);
    expect(await emailsOf(who.userId)).toEqual(["new-device"]);
  });

  it("of nothing where the account has just been made, and nobody where its email is not verified", async () => {
    const email = `told-${randomUUID()}@example.com`;
    const names = { firstName: "Ada", lastName: "Lovelace", terms: "on" };
    const form = { intent: "sign-up", ...names, email, password, confirmPassword: password };
    const browser = new Visitor(shop.url);
    expect((await browser.post("/auth?tab=sign-up", form)).status).toBe(303);
    const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
    const userId = rows[0]?.id ?? "";
    const changed = { intent: "password", currentPassword: password, password: "another kettle there" };
    const answer = await browser.post(settings, { ...changed, confirmPassword: changed.password });
    expect(answer.status).toBe(200);
    expect(await emailsOf(userId)).toEqual([]);
    await browser.fetch(linkIn(await emailTo(shop.url, email, "Verify"), "/auth/verify"));
    const own = new Visitor(shop.url);
    const back = { intent: "sign-in", redirect: "/", email, password: changed.password };
    expect((await own.post("/auth", back)).status).toBe(303);
    expect(await emailsOf(userId)).toEqual([]);
  });
});

it("an inbox that has had enough keeps nobody from changing the password", async () => {
  const who = await makeActor(strict.database.pool, strict.shop.url, AUTH_SECRET, "customer");
  const limits = openRateLimits(strict.database.db, { scale: 1, secret: AUTH_SECRET });
  const spend = async () => (await consumeMail(limits, { to: who.email, network: "10.0.0.1" })).permit;
  while (await spend());
  expect((await changePassword(who)).status).toBe(200);
  expect(await emailsOf(who.userId, strict.database.pool)).toEqual([]);
});
