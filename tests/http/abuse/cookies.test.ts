/** Cookies: on HTTPS they are Secure, HttpOnly and of this host alone, and nobody but the shop can make one. */
import { createHmac, randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { DELETE_WORD } from "#shop/accounts/account-forms.ts";
import { makeResetToken, verifyToken } from "#shop/accounts/email-links.server.ts";
import { PASSWORD } from "../../support/actors.ts";
import { startForgingProvider } from "../../support/forging-provider.ts";
import { giveSecondFactor } from "../../support/second-factor.ts";
import { AUTH_SECRET, signIn, signUpForm, someEmail, useShop } from "../../support/use-shop.ts";
import { address, Visitor } from "../../support/visitor.ts";

const SITE = "https://localhost";
const provider = await startForgingProvider();
afterAll(() => provider.stop());
const { shop, database, actor } = useShop({ BASE_URL: SITE, TRUST_PROXY: "loopback", ...provider.env });
/** The lines that set each cookie, by its name. */
const lines = new Map<string, string[]>();
const GUEST = "__Host-polara_guest";
const FRESH = "a kettle under the stairs";

/** A browser that comes over HTTPS by a proxy, and checks every cookie that it gets. */
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
      const [name = ""] = line.split("=");
      lines.set(name, [...(lines.get(name) ?? []), line]);
      expect(line, path).toMatch(/^__Host-polara[\w.]*=/);
      expect(line.split("; ").slice(1), `${path} ${line}`).toEqual(
        expect.arrayContaining(["Secure", "HttpOnly", "Path=/", expect.stringMatching(/^SameSite=Lax$/i)]),
      );
      expect(line, path).not.toMatch(/; Domain=/i);
    }
    return answer;
  }
}
const enter = (who: Visitor, email: string, password = PASSWORD) => signIn({ email, password, visitor: who }, who);

describe("every cookie on HTTPS is Secure, HttpOnly, SameSite and of this host alone", () => {
  it("for a guest who orders", async () => {
    const guest = new Browser();
    const added = await guest.add("travel-sleeve");
    expect(added.status).toBe(303);
    expect(added.headers.getSetCookie().join()).toMatch(
      /^__Host-polara_guest=[0-9a-f-]{36}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await guest.checkout({ saveInformation: "on" })).status).toBe(200);
    expect([...lines.keys()]).toEqual(expect.arrayContaining([GUEST, "__Host-polara_ordered"]));
  });

  it("for signing up, verifying, signing out and in", async () => {
    const guest = new Browser();
    await guest.add("travel-sleeve", 10);
    const email = someEmail();
    expect((await guest.post("/auth?tab=sign-up", signUpForm(email, FRESH))).status).toBe(303);
    expect((await guest.me()).flashMessage?.title).toBe("Check your inbox");
    expect(await guest.isIn()).toBe(true);
    const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
    const token = await verifyToken({ id: rows[0]?.id ?? "", email }, { baseUrl: SITE, secret: AUTH_SECRET });
    expect((await guest.fetch(`/auth/verify?token=${token}`)).status).toBe(303);
    expect((await guest.post("/auth/sign-out", {})).status).toBe(303);
    expect((await enter(guest, email, FRESH)).status).toBe(303);
    expect(await guest.isIn()).toBe(true);
    const own = ["__Host-polara_flash", "__Host-polara.session_token", "__Host-polara_device"];
    expect([...lines.keys()]).toEqual(expect.arrayContaining(own));
  });

  it("for the second factor, a new password and deleting the account", async () => {
    const { email, userId } = await actor("customer");
    const who = new Browser();
    const { backupCodes } = await giveSecondFactor(database, AUTH_SECRET, userId ?? "");
    const [first = "", second = "", third = ""] = backupCodes;
    expect((await enter(who, email)).headers.get("Location")).toMatch("/auth/two-factor");
    expect(lines.has("__Host-polara.two_factor")).toBe(true);
    expect((await who.post("/auth/two-factor", { code: first })).status).toBe(303);
    const token = await makeResetToken(database.db, userId ?? "");
    const set = { password: FRESH, confirmPassword: FRESH };
    expect((await who.post(`/reset-password?token=${token}`, set)).status).toBe(303);
    await enter(who, email, FRESH);
    await who.post("/auth/two-factor", { code: second });
    const left = await who.settings("delete", { confirmation: DELETE_WORD, password: FRESH, code: third });
    expect(left.headers.get("Location")).toBe("/");
  });

  it("for signing in with Google", async () => {
    const who = new Browser();
    const back = await provider.backFrom(await who.post("/auth", { intent: "google", redirect: "/" }), someEmail());
    expect(lines.has("__Host-polara.state")).toBe(true);
    expect((await who.fetch(back)).status).toBe(302);
    expect(await who.isIn()).toBe(true);
  });

  it("and is in the privacy policy, with how long it stays", async () => {
    const policy = await (await new Browser().fetch("/privacy")).text();
    const kept = [...lines.values()].flat().filter((line) => !/Max-Age=0\b/.test(line));
    const ages = new Map(kept.map((line) => [line.split("=")[0] ?? "", /Max-Age=(\d+)/.exec(line)?.[1]]));
    const names = [...ages.keys()].map((name) => name.replace("__Host-", ""));
    expect(names.filter((name) => !policy.includes(`<code>${name}</code>`))).toEqual([]);
    expect(Object.fromEntries(ages)).toMatchObject({
      [GUEST]: "31536000",
      "__Host-polara.session_token": "2592000",
      "__Host-polara_device": "31536000",
      "__Host-polara_ordered": undefined,
    });
  });
});

it("cookies with the names of plain HTTP are ignored on HTTPS", async () => {
  const { visitor } = await actor("customer");
  const planted = new Browser();
  visitor.lendCookiesTo(planted);
  expect((await planted.fetch("/account")).headers.get("Location")).toMatch("/auth");
  const guest = new Browser();
  await guest.add("travel-sleeve");
  const other = new Browser();
  other.carry("polara_guest", guest.cookieHeader().split("=")[1] ?? "");
  expect((await other.me()).cartCount).toBe(0);
});

it("a session token appears in no answer but its cookie", async () => {
  const { email } = await actor("customer");
  const who = new Browser();
  expect((await enter(who, email)).status).toBe(303);
  const [, token = ""] = /session_token=([\w-]{20,})/.exec(who.cookieHeader()) ?? [];
  expect(token).not.toBe("");
  for (const path of ["/", "/account?tab=settings", "/account.data?tab=settings", "/personal", "/api/auth/token"]) {
    const answer = await who.fetch(path);
    expect([path, answer.status, (await answer.text()).includes(token)]).toEqual([path, 200, false]);
  }
  const file = await who.post("/account/download", { password: PASSWORD });
  expect(file.headers.get("Content-Disposition")).toContain("attachment");
  expect(await file.text()).not.toContain(token);
});

describe("a guest's cookie", () => {
  const held = (who: Browser) => new RegExp(`${GUEST}=([^;]+)`).exec(who.cookieHeader())?.[1] ?? "";

  it("counts only with the shop's signature, and is replaced otherwise", async () => {
    const [guest, other] = [new Browser(), new Browser()];
    for (const who of [guest, other]) await who.add("travel-sleeve", 2);
    expect((await guest.me()).cartCount).toBe(2);
    const [id = ""] = held(guest).split(".");
    const [, foreign = ""] = held(other).split(".");
    expect(foreign).not.toBe("");
    const purpose = createHmac("sha256", AUTH_SECRET).update(id).digest("base64url");
    for (const end of ["", ".", `.${purpose}`, `.${foreign}`]) {
      const stranger = new Browser();
      stranger.carry(GUEST, `${id}${end}`);
      expect((await stranger.me()).cartCount).toBe(0);
      expect(await (await stranger.fetch("/cart")).text()).toContain("Your cart is empty");
    }
    const invented = randomUUID();
    const inventor = new Browser();
    inventor.carry(GUEST, invented);
    await inventor.add("travel-sleeve");
    expect(held(inventor)).not.toContain(invented);
    const planted = await database.pool.query("SELECT 1 FROM cart_items WHERE session_id = $1", [invented]);
    expect([planted.rowCount, (await inventor.me()).cartCount]).toEqual([0, 1]);
  });

  it("fills in the saved address until the browser is closed, not for the next person who opens it", async () => {
    const visitor = new Browser();
    await visitor.add("travel-sleeve");
    const kept = held(visitor);
    const placed = await visitor.checkout({ saveInformation: "on" });
    expect(placed.status).toBe(200);
    expect(placed.headers.getSetCookie().filter((one) => /Max-Age|Expires/.test(one))).toEqual([]);
    await visitor.add("travel-sleeve");
    expect(await (await visitor.fetch("/checkout")).text()).toContain(`value="${address.shippingAddressLine1}"`);

    const forgetful = new Browser();
    for (let i = 0; i < 2; i++) {
      await forgetful.add("travel-sleeve");
      expect(await (await forgetful.fetch("/checkout")).text()).not.toContain(address.shippingAddressLine1);
      if (i === 0) expect((await forgetful.checkout()).status).toBe(200);
    }

    // Only cookies with a lifetime survive the browser's end.
    const next = new Browser();
    next.carry(GUEST, kept);
    expect((await next.me()).cartCount).toBe(1);
    const html = await (await next.fetch("/checkout")).text();
    expect(html).toContain("Travel Sleeve");
    for (const typed of [address.shippingAddressLine1, address.email, address.phone]) expect(html).not.toContain(typed);
  });
});
