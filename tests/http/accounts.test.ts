import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openDatabase } from "../../db/connection.server.ts";
import { openAuth, type Auth } from "../../shop/accounts/auth.server.ts";
import { Authenticator, forgetUsedCodes } from "../support/authenticator.ts";
import { Caller, newAddress } from "../support/caller.ts";
import { createDatabase } from "../support/database.setup.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { startOpenIdProvider, type OpenIdProvider } from "../support/openid-provider.ts";
import { generousLimits } from "../support/rate-limits.ts";
import { freePort, startShop, type Shop } from "../support/shop.ts";
import { cookiesAfter, Visitor } from "../support/visitor.ts";

/** Two processes on one database, as behind a load balancer, and the provider of the first. */
let shop: Shop;
let other: Shop;
let provider: OpenIdProvider;
let auth: Auth;
let pool: Pool;
let close: () => Promise<void>;

const AUTH_SECRET = "the same secret for both processes";

beforeAll(async () => {
  const database = await createDatabase(inject("databaseServer"), inject("templateName"));
  const port = await freePort();
  provider = await startOpenIdProvider(`http://localhost:${port}`);
  const env = { DATABASE_URL: database.url, AUTH_SECRET, RATE_LIMIT_SCALE: "1", TRUST_PROXY: "loopback" };
  shop = await startShop({ ...env, ...provider.env, PORT: String(port) });
  other = await startShop({ ...env, BASE_URL: shop.url });
  const opened = openDatabase(database.url, 3);
  const { db } = opened;
  pool = opened.pool;
  auth = openAuth(db, pool, { secret: AUTH_SECRET, baseUrl: shop.url, google: null, rateLimits: generousLimits(db) });
  close = async () => {
    await pool.end();
    await Promise.all([shop.stop(), other.stop()]);
    await provider.stop();
    await database.drop();
  };
});
afterAll(() => close());

let made = 0;
const someEmail = () => `person-${made++}@example.com`;
/** Each from an address of their own, so that the limits by address stay out of the way. */
class Person extends Caller {
  constructor(address?: string, url = shop.url) {
    super(url, address);
  }
  signUp(email: string, password = "correct horse") {
    const name = { firstName: "Ada", lastName: "Lovelace" };
    const form = { intent: "sign-up", ...name, email, password, confirmPassword: password, terms: "on" };
    return this.post("/auth?tab=sign-up", form);
  }
  signIn(email: string, password = "correct horse", redirect = "/") {
    return this.post("/auth", { intent: "sign-in", email, password, redirect });
  }
  async me() {
    const answer = (await (await this.fetch("/personal")).json()) as {
      cartCount: number;
      customer: { firstName: string; emailVerified: boolean } | null;
      flashMessage: { title: string } | null;
    };
    return answer;
  }
}

/** Somebody who has signed up and opened the link in the mail. */
async function customer(email = someEmail()): Promise<{ who: Person; email: string }> {
  const who = new Person();
  expect((await who.signUp(email)).status).toBe(303);
  const opened = await who.fetch(linkIn(await emailTo(shop.url, email, "Verify"), "/auth/verify"));
  expect(opened.headers.get("Location")).toBe("/#type=signup");
  return { who, email };
}

describe("signing up", () => {
  it("signs in unverified, says that a link was sent, and the link verifies", async () => {
    const email = someEmail();
    const who = new Person();
    const response = await who.signUp(email);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith("polara.session_token="));
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/i);
    const first = await who.me();
    expect(first.customer).toEqual({ firstName: "Ada", emailVerified: false });
    expect(first.flashMessage?.title).toBe("Check your inbox");
    await who.post("/personal", { shown: "account-deleted" });
    expect((await who.me()).flashMessage?.title, "until a page has shown it").toBe("Check your inbox");
    await who.post("/personal", { shown: "signed-up" });
    expect((await who.me()).flashMessage).toBeNull();
    const link = linkIn(await emailTo(shop.url, email, "Verify"), "/auth/verify");
    for (let scans = 0; scans < 3; scans++) expect((await new Person().fetch(link)).status).toBe(200);
    expect((await who.me()).customer?.emailVerified).toBe(false);
    expect((await who.fetch(link)).headers.get("Location")).toBe("/#type=signup");
    expect((await who.me()).customer?.emailVerified).toBe(true);
  });

  it("fails with a known email, and says so", async () => {
    const { email } = await customer();
    const response = await new Person().signUp(email);
    expect(response.status).toBe(422);
    const html = await response.text();
    expect(html).toContain("Signup failed");
    expect(html).toContain("This email already has an account.");
    expect(html).not.toContain("correct horse");
  });
});

describe("signing in", () => {
  it("needs a verified email, and mails a fresh link", async () => {
    const email = someEmail();
    await new Person().signUp(email);
    const response = await new Person().signIn(email);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain(
      "Please verify your email address before signing in. Check your inbox for the verification link.",
    );
  });

  it("returns to where the visitor was going, on this site only", async () => {
    const { email } = await customer();
    const there = await new Person().signIn(email, "correct horse", "/account?tab=orders");
    expect(there.headers.get("Location")).toBe("/account?tab=orders");
    for (const elsewhere of ["https://evil.example/", "//evil.example", "/\\evil.example"]) {
      expect((await new Person().signIn(email, "correct horse", elsewhere)).headers.get("Location")).toBe("/");
    }
  });

  it("sends a signed-in visitor on", async () => {
    const { who } = await customer();
    const response = await who.fetch("/auth?redirect=%2Fcheckout");
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/checkout"]);
  });

  it("is limited after many wrong passwords, but not for others in the same house", async () => {
    const { email } = await customer();
    const housemate = await customer();
    const house = newAddress();
    const statuses: number[] = [];
    let last = "";
    for (let n = 0; n < 20; n++) {
      const response = await new Person(house).signIn(email, `wrong ${n}`);
      statuses.push(response.status);
      last = await response.text();
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.slice(10)).toEqual(Array.from({ length: 10 }, () => 429));
    expect(last).toMatch(/Too many attempts. Please wait \d+ minutes, then try again./);
    expect((await new Person(house).signIn(email)).status).toBe(429);
    expect((await new Person(house).signIn(housemate.email)).status).toBe(303);
    expect((await new Person().signIn(email)).status).toBe(303);
  });
});

describe("a forgotten password", () => {
  it("is answered alike for known and unknown emails", async () => {
    const { email } = await customer();
    const ask = async (address: string) => {
      const response = await new Person().post("/reset-password", { email: address });
      return `${response.status} ${(await response.text()).replaceAll(address, "")}`;
    };
    expect(await ask(someEmail())).toBe(await ask(email));
  });

  it("is set anew by the link, once; every session ends", async () => {
    const { who, email } = await customer();
    await new Person().post("/reset-password", { email });
    const link = linkIn(await emailTo(shop.url, email, "Set a new password"), "/reset-password");
    const visitor = new Person();
    for (let scans = 0; scans < 3; scans++) expect((await visitor.fetch(link)).status).toBe(200);
    const mismatch = await visitor.post(link, { password: "battery staple", confirmPassword: "other" });
    expect(mismatch.status).toBe(400);
    expect(await mismatch.text()).toContain("Passwords don&#x27;t match");
    const fields = { password: "battery staple", confirmPassword: "battery staple" };
    const set = await visitor.post(link, fields);
    expect([set.status, set.headers.get("Location")]).toEqual([303, "/auth"]);
    expect((await who.me()).customer).toBeNull();
    expect((await new Person().signIn(email)).status).toBe(401);
    expect((await new Person().signIn(email, "battery staple")).status).toBe(303);
    expect((await visitor.post(link, fields)).status).toBe(400);
    expect((await visitor.fetch(link)).status).toBe(410);
  });
});

describe("an address that is somebody else's", () => {
  it("is taken back by its owner: session and password of the other end", async () => {
    const email = someEmail();
    const squatter = new Person();
    await squatter.signUp(email, "squatter's own");
    const link = linkIn(await emailTo(shop.url, email, "Verify"), "/auth/verify");
    const owner = new Person();
    const page = await (await owner.fetch(link)).text();
    expect(page).toContain("It was not me");
    const taken = await owner.post(link, { intent: "take-over" });
    expect(taken.headers.get("Location")).toMatch(/^\/reset-password\?token=/);
    expect((await squatter.me()).customer).toBeNull();
    expect((await new Person().signIn(email, "squatter's own")).status).toBe(401);
    const fields = { password: "owner's own password", confirmPassword: "owner's own password" };
    await owner.post(taken.headers.get("Location") ?? "", fields);
    expect((await owner.signIn(email, fields.password)).status).toBe(303);
    expect((await owner.me()).customer?.emailVerified).toBe(true);
  });
});

describe("a session", () => {
  it("holds on every process, and ends on every process", async () => {
    const { who } = await customer();
    const there = who.movedTo(other.url);
    const ask = async (visitor: Visitor) =>
      ((await (await visitor.fetch("/personal")).json()) as { customer: unknown }).customer;
    expect(await ask(there)).not.toBeNull();
    await there.post("/auth/sign-out", {});
    expect(await ask(who)).toBeNull();
    expect(await ask(there)).toBeNull();
  });

  it("is over with the sign-out, also for a copy of its cookie", async () => {
    const email = (await customer()).email;
    const signedIn = await new Person().signIn(email);
    const cookie = cookiesAfter(signedIn.headers);
    const copy = () => fetch(`${shop.url}/account`, { redirect: "manual", headers: { Cookie: cookie } });
    const personal = async () =>
      (await (await fetch(`${shop.url}/personal`, { headers: { Cookie: cookie } })).json()) as { customer: unknown };
    expect((await personal()).customer).not.toBeNull();
    const out = await fetch(`${shop.url}/auth/sign-out`, {
      method: "POST",
      redirect: "manual",
      headers: { Cookie: cookie, Origin: shop.url },
    });
    expect([out.status, out.headers.get("Location")]).toEqual([303, "/"]);
    expect((await personal()).customer).toBeNull();
    expect((await copy()).status).not.toBe(200);
  });

  it("is not to be had with a forged or cut cookie", async () => {
    for (const cookie of ["polara.session_token=abc", "polara.session_token=abc.def%3D", "polara.session_token="]) {
      const response = await fetch(`${shop.url}/personal`, { headers: { Cookie: cookie } });
      expect(((await response.json()) as { customer: unknown }).customer).toBeNull();
    }
  });

  it("brings the guest's cart along, summed and capped, and says so", async () => {
    const { email, who } = await customer();
    await who.add("travel-sleeve", 6);
    await who.post("/auth/sign-out", {});
    const guest = new Person();
    await guest.add("travel-sleeve", 7);
    await guest.add("charging-dock", 1);
    await guest.signIn(email);
    const me = await guest.me();
    expect(me.cartCount).toBe(11);
    expect(me.flashMessage?.title).toBe("Your carts are one now");
    await guest.post("/auth/sign-out", {});
    expect((await guest.me()).cartCount).toBe(0);
  });
});

describe("an access token", () => {
  it("is signed by the published keys, and refused with another signature", async () => {
    const { who, email } = await customer();
    const { token } = (await (await who.fetch("/api/auth/token")).json()) as { token: string };
    const keys = createRemoteJWKSet(new URL(`${shop.url}/api/auth/jwks`));
    const { payload } = await jwtVerify(token, keys);
    expect(payload).toMatchObject({ email, email_verified: true, aal: "aal1" });
    const ask = (value: string) => fetch(`${shop.url}/api/me`, { headers: { Authorization: `Bearer ${value}` } });
    const told = await ask(token);
    expect(told.status).toBe(200);
    const mine = await auth.api.getSession({ headers: new Headers({ Cookie: who.cookieHeader() }) });
    const now = Math.floor(Date.now() / 1000);
    const about = (seconds: number) => expect.closeTo(seconds, -2) as unknown;
    expect(await told.json()).toEqual({
      sub: mine?.user.id,
      sid: mine?.session.id,
      iss: shop.url,
      aud: shop.url,
      iat: about(now),
      exp: about(now + 15 * 60),
      email,
      email_verified: true,
      aal: "aal1",
    });
    const [head, body, signature = ""] = token.split(".");
    const forged = `${head}.${body}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
    expect((await ask(forged)).status).toBe(401);
    await expect(jwtVerify(forged, keys)).rejects.toThrow("signature verification failed");
    expect((await ask("nonsense")).status).toBe(401);
  });

  it("is not for guests", async () => {
    expect((await new Person().fetch("/api/auth/token")).status).toBe(401);
  });

  it("is all that better-auth opens to the outside", async () => {
    for (const path of ["sign-in/email", "sign-up/email", "get-session", "list-sessions", "update-user", "ok"]) {
      expect((await new Person().fetch(`/api/auth/${path}`)).status, path).toBe(404);
      const body = JSON.stringify({ email: "a@example.com", password: "12345678", name: "A" });
      const headers = { Origin: shop.url, "Content-Type": "application/json" };
      const posted = await new Person().fetch(`/api/auth/${path}`, { method: "POST", body, headers });
      expect([404, 405]).toContain(posted.status);
    }
  });
});

type Claims = { email: string; verified?: boolean; deny?: boolean };

/** Presses the button and follows every redirect, there and back. Answers with the shop's last word. */
async function throughGoogle(who: Person, { email, verified = true, deny = false }: Claims, redirect = "/") {
  const pressed = await who.post("/auth", { intent: "google", redirect });
  expect(pressed.status).toBe(303);
  const google = new Visitor(provider.issuer);
  let next = pressed.headers.get("Location") ?? "";
  for (let hops = 0; hops < 10 && next.startsWith(provider.issuer); hops++) {
    const path = next.slice(provider.issuer.length);
    let response = await google.fetch(path);
    if (response.status === 200) {
      const form = new URLSearchParams({ email, firstName: "Grace", lastName: "Hopper" });
      if (verified) form.set("verified", "on");
      if (deny) form.set("deny", "yes");
      response = await google.fetch(path, { method: "POST", body: form });
    }
    next = new URL(response.headers.get("Location") ?? "", provider.issuer).href;
  }
  return who.fetch(next.slice(shop.url.length));
}

describe("Google", () => {
  const pathOf = (response: Response) => {
    const { pathname, search } = new URL(response.headers.get("Location") ?? "", shop.url);
    return pathname + search;
  };

  it("signs a new customer in, verified, and asks for offline access with consent", async () => {
    const who = new Person();
    const response = await throughGoogle(who, { email: someEmail() });
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
    expect((await who.me()).customer).toEqual({ firstName: "Grace", emailVerified: true });
    expect(Object.fromEntries(provider.asked())).toMatchObject({
      access_type: "offline",
      prompt: "consent",
      code_challenge_method: "S256",
      response_type: "code",
    });
  });

  it("signs in an email that Google has not verified, unverified", async () => {
    const who = new Person();
    await throughGoogle(who, { email: someEmail(), verified: false });
    expect((await who.me()).customer).toEqual({ firstName: "Grace", emailVerified: false });
  });

  it("joins an account only where the email is verified on both sides", async () => {
    const verified = await customer();
    const joined = new Person();
    await throughGoogle(joined, { email: verified.email });
    expect((await joined.me()).customer?.firstName).toBe("Ada");

    const unverifiedThere = await customer();
    const stranger = new Person();
    const refused = await throughGoogle(stranger, { email: unverifiedThere.email, verified: false });
    expect(refused.headers.get("Location")).toContain("/auth?");
    expect((await stranger.me()).customer).toBeNull();

    const email = someEmail();
    await new Person().signUp(email);
    const owner = new Person();
    const notYet = await throughGoogle(owner, { email });
    expect((await owner.me()).customer).toBeNull();
    const page = await owner.fetch(pathOf(notYet));
    expect(await page.text()).toContain("This email already has an account here.");
  });

  it("returns to where the visitor was going, and says when it was canceled", async () => {
    const response = await throughGoogle(new Person(), { email: someEmail() }, "/checkout");
    expect(response.headers.get("Location")).toBe("/checkout");
    const who = new Person();
    const denied = await throughGoogle(who, { email: someEmail(), deny: true });
    const page = await who.fetch(pathOf(denied));
    expect(await page.text()).toContain("Google sign-in was canceled.");
  });

  it("says where it is not set up", async () => {
    const response = await new Person(undefined, other.url).post("/auth", { intent: "google" });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain("Google sign-in is not set up in this shop.");
  });
});

describe("the second factor", () => {
  /** A customer who has set one up, with the secret that their app would hold. */
  async function protectedCustomer() {
    const { email } = await customer();
    const signedIn = await auth.api.signInEmail({ body: { email, password: "correct horse" }, returnHeaders: true });
    const headers = new Headers({ Cookie: cookiesAfter(signedIn.headers) });
    const enrolled = await auth.api.enableTwoFactor({ body: { password: "correct horse" }, headers });
    if (enrolled.method !== "totp") throw new Error(enrolled.method);
    const { totpURI, backupCodes } = enrolled;
    const app = new Authenticator(totpURI);
    await auth.api.verifyTOTP({ body: { code: await app.code() }, headers });
    await forgetUsedCodes(pool, email);
    return { email, code: () => app.code(), backupCodes };
  }

  it("is asked for after the password, and raises the session to aal2", async () => {
    const { email, code } = await protectedCustomer();
    const who = new Person();
    const first = await who.signIn(email, "correct horse", "/cart");
    expect(first.headers.get("Location")).toBe("/auth/two-factor?redirect=%2Fcart");
    expect((await who.me()).customer).toBeNull();
    expect((await who.fetch("/api/auth/token")).status).toBe(401);
    const wrong = await who.post("/auth/two-factor?redirect=%2Fcart", { code: "000000" });
    expect(wrong.status).toBe(401);
    expect(await wrong.text()).toContain("That code is not right.");
    const right = await who.post("/auth/two-factor?redirect=%2Fcart", { code: await code() });
    expect([right.status, right.headers.get("Location")]).toEqual([303, "/cart"]);
    expect((await who.me()).customer?.firstName).toBe("Ada");
    const { token } = (await (await who.fetch("/api/auth/token")).json()) as { token: string };
    expect(decodeJwt(token)).toMatchObject({ aal: "aal2" });
  });

  it("lets a backup code in, once", async () => {
    const { email, backupCodes } = await protectedCustomer();
    const code = backupCodes[0] ?? "";
    const signIn = async () => {
      const who = new Person();
      await who.signIn(email);
      return (await who.post("/auth/two-factor", { code })).status;
    };
    expect(await signIn()).toBe(303);
    expect(await signIn()).toBe(401);
  });

  it("gives up after five wrong codes", async () => {
    const { email, code } = await protectedCustomer();
    const who = new Person();
    await who.signIn(email);
    for (let n = 0; n < 5; n++) await who.post("/auth/two-factor", { code: "000000" });
    expect((await who.post("/auth/two-factor", { code: await code() })).status).not.toBe(303);
    expect((await who.me()).customer).toBeNull();
  });

  it("is asked for after Google, too", async () => {
    const { email, code } = await protectedCustomer();
    const who = new Person();
    const back = await throughGoogle(who, { email });
    expect(back.headers.get("Location")).toBe("/auth/two-factor?redirect=%2F");
    expect((await who.me()).customer).toBeNull();
    expect((await who.post("/auth/two-factor", { code: await code() })).status).toBe(303);
    expect((await who.me()).customer?.firstName).toBe("Ada");
  });
});
