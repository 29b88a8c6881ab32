/** Where the shop is https, its cookies are its alone: no other host of the domain sets them, and none goes over plain http. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeResetToken } from "../../../shop/accounts/passwords/reset-token.server.ts";
import { verifyToken } from "../../../shop/accounts/verification/verify-token.server.ts";
import { DELETE_WORD } from "../../../shop/accounts/delete-word.ts";
import { makeActor } from "../../support/actors.ts";
import { useFreshDatabase } from "../../support/fresh-database.ts";
import { startForgingProvider, type ForgingProvider } from "../../support/forging-provider.ts";
import { giveSecondFactor } from "../../support/second-factor.ts";
import { startShop, type Shop } from "../../support/shop.ts";
import { Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const SITE = "https://localhost";
const database = useFreshDatabase(5);
let shop: Shop;
let provider: ForgingProvider;
const names = new Set<string>();

/** A browser that comes over https by a proxy, and notes every cookie it is sent. */
class Browser extends Visitor {
  constructor() {
    super(shop.url);
  }
  override async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("X-Forwarded-Proto", "https");
    if (headers.has("Origin")) headers.set("Origin", SITE);
    const answer = await super.fetch(path, { ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      names.add(line.split("=")[0] ?? "");
      expect(line, path).toMatch(/^__Host-polara[\w.]*=/);
      const attributes = line.split("; ").slice(1);
      expect(attributes, `${path} ${line}`).toEqual(
        expect.arrayContaining(["Secure", "HttpOnly", "Path=/", expect.stringMatching(/^SameSite=Lax$/i)]),
      );
      expect(line, path).not.toMatch(/; Domain=/i);
    }
    return answer;
  }
}

beforeAll(async () => {
  provider = await startForgingProvider();
  shop = await startShop({
    DATABASE_URL: database.url,
    AUTH_SECRET,
    BASE_URL: SITE,
    TRUST_PROXY: "loopback",
    ...provider.env,
  });
});
afterAll(async () => {
  await shop.stop();
  await provider.stop();
});

const password = "a kettle under the stairs";
const signIn = (who: Visitor, email: string, typed = "correct horse") =>
  who.post("/auth", { intent: "sign-in", email, password: typed, redirect: "/" });

async function customer() {
  const actor = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
  const who = new Browser();
  return { ...actor, who, userId: actor.userId ?? "" };
}

describe("every cookie of the shop on https is Secure, HttpOnly, for this host alone and of every path", () => {
  it("for a guest who shops and orders", async () => {
    const guest = new Browser();
    expect((await guest.add("travel-sleeve")).status).toBe(303);
    expect((await guest.checkout({ saveInformation: "on" })).status).toBe(200);
    expect([...names]).toEqual(expect.arrayContaining(["__Host-polara_guest", "__Host-polara_ordered"]));
  });

  it("for who signs up, in and out, and is told of it on the next page", async () => {
    const guest = new Browser();
    await guest.add("travel-sleeve", 10);
    const email = `ada-${randomUUID()}@example.com`;
    const person = { firstName: "Ada", lastName: "Lovelace" };
    const form = {
      intent: "sign-up",
      redirect: "/",
      ...person,
      email,
      password,
      confirmPassword: password,
      terms: "on",
    };
    expect((await guest.post("/auth?tab=sign-up", form)).status).toBe(303);
    expect(await (await guest.fetch("/personal")).text()).toContain("Check your inbox");
    expect((await guest.fetch("/account")).status).toBe(200);
    const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
    const token = await verifyToken(
      { id: rows[0]?.id ?? "", email },
      { baseUrl: "https://localhost", secret: AUTH_SECRET },
    );
    expect((await guest.fetch(`/auth/verify?token=${token}`)).status).toBe(303);
    expect((await guest.post("/auth/sign-out", {})).status).toBe(303);
    expect((await signIn(guest, email, password)).status).toBe(303);
    expect((await guest.fetch("/account")).status).toBe(200);
    const own = ["__Host-polara_flash", "__Host-polara.session_token", "__Host-polara_device"];
    expect([...names]).toEqual(expect.arrayContaining(own));
  });

  it("for who has a second step, sets a new password, and deletes the account", async () => {
    const { who, email, userId } = await customer();
    const { backupCodes } = await giveSecondFactor(database, AUTH_SECRET, userId);
    expect((await signIn(who, email)).headers.get("Location")).toMatch("/auth/two-factor");
    expect(names.has("__Host-polara.two_factor")).toBe(true);
    expect((await who.post("/auth/two-factor", { code: backupCodes[0] ?? "" })).status).toBe(303);
    const token = await makeResetToken(database.db, userId);
    const set = { password, confirmPassword: password };
    expect((await who.post(`/reset-password?token=${token}`, set)).status).toBe(303);
    await signIn(who, email, password);
    await who.post("/auth/two-factor", { code: backupCodes[1] ?? "" });
    const fields = { intent: "delete", confirmation: DELETE_WORD, password, code: backupCodes[2] ?? "" };
    expect((await who.post("/account?tab=settings", fields)).headers.get("Location")).toBe("/");
  });

  it("for who goes to Google and comes back", async () => {
    const who = new Browser();
    const pressed = await who.post("/auth", { intent: "google", redirect: "/" });
    const asked = new URL(pressed.headers.get("Location") ?? "").searchParams;
    expect(names.has("__Host-polara.state")).toBe(true);
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
    expect((await who.fetch(back)).status).toBe(302);
    expect((await who.fetch("/account")).status).toBe(200);
  });
});

it("a session's cookie under the name of plain http is nobody's on https", async () => {
  const { visitor } = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
  const planted = new Browser();
  visitor.lendCookiesTo(planted);
  expect((await planted.fetch("/account")).headers.get("Location")).toMatch("/auth");
});

it("a session's token stands in no answer but the cookie", async () => {
  const { who, email } = await customer();
  expect((await signIn(who, email)).status).toBe(303);
  const [, token = ""] = /session_token=([\w-]{20,})/.exec(who.cookieHeader()) ?? [];
  expect(token).not.toBe("");
  for (const path of ["/", "/account?tab=settings", "/account.data?tab=settings", "/personal", "/api/auth/token"]) {
    const answer = await who.fetch(path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect((await answer.text()).includes(token), path).toBe(false);
  }
  const file = await who.post("/account/download", { password: "correct horse" });
  expect(file.headers.get("Content-Disposition")).toContain("attachment");
  expect(await file.text()).not.toContain(token);
});
