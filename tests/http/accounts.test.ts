/** Signing up, in and out, and by Google. */
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { orderKey } from "#shop/orders/order-link.server.ts";
import { inviteStaff } from "#shop/staff/invitations.server.ts";
import { PASSWORD } from "../support/actors.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { anyPermit } from "../support/mail-permit.ts";
import { Authenticator, uriIn } from "../support/second-factor.ts";
import { staffRow } from "../support/staff-member.ts";
import { AUTH_SECRET, signIn as signInAs, signUpForm, someEmail, useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const { shop, database, actor, protectedCustomer, staff } = useShop();

const browser = () => new Visitor(shop.url);
const signUp = (who: Visitor, email: string, password = PASSWORD) =>
  who.post("/auth?tab=sign-up", signUpForm(email, password));
const signIn = (email: string, password = PASSWORD, who = browser()) =>
  signInAs({ email, password, visitor: who }, who);
const customer = async () => {
  const { visitor: who, email, userId, name, sessionIds } = await actor("customer");
  return { who, email, userId: userId ?? "", name, sessionId: sessionIds[0] };
};

describe("signing up", () => {
  it("signs in unverified, and the emailed link verifies", async () => {
    const email = someEmail();
    const who = browser();
    const response = await signUp(who, email);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/auth?error=cookies&redirect=%2F"]);
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
    for (let scans = 0; scans < 3; scans++) expect((await browser().fetch(link)).status).toBe(200);
    expect((await who.me()).customer?.emailVerified).toBe(false);
    await who.add("travel-sleeve");
    expect((await who.fetch(link)).headers.get("Location")).toBe("/#type=signup");
    const { customer, flashMessage } = await who.me();
    expect(customer?.emailVerified).toBe(true);
    expect(flashMessage).toMatchObject({ title: "Email Verified!", link: { to: "/checkout" } });
  });

  it("verifies in another browser by the link and the password, which signs in there", async () => {
    const [email, owner, device] = [someEmail(), browser(), browser()];
    await signUp(owner, email);
    const link = linkIn(await emailTo(shop.url, email, "Verify"), "/auth/verify");
    expect(await (await device.fetch(link)).text()).toMatch(/type="password"[^]*Verify email/);
    const wrong = await device.post(link, { password: "wrong horse" });
    expect([wrong.status, (await device.me()).customer]).toEqual([400, null]);
    expect((await device.post(link, { password: PASSWORD })).status).toBe(303);
    for (const who of [device, owner])
      expect((await who.me()).customer).toEqual({ firstName: "Ada", emailVerified: true });
  });

  it("fails with a known email in any case", async () => {
    const { email } = await customer();
    const response = await signUp(browser(), email.toUpperCase());
    expect(response.status).toBe(422);
    const html = await response.text();
    expect(html).toContain("Signup failed");
    expect(html).toContain("This email already has an account.");
    expect(html).not.toContain(PASSWORD);
  });
});

describe("an invitation to the team", () => {
  const invited = async (email: string) => {
    const owner = await staffRow(database.pool, "owner");
    await inviteStaff(database.db, owner, { email, role: "packer" }, AUTH_SECRET, anyPermit);
    return linkIn(await emailTo(shop.url, email, "Join the team"), "/admin/join");
  };
  const page = async (who: Visitor, path: string) => (await who.fetch(path)).text();

  it("fills in the email, and is where its link and the second factor lead on to", async () => {
    const email = someEmail();
    const [who, path] = [browser(), await invited(email)];
    const step = await page(who, path);
    for (const [, link = ""] of step.matchAll(/href="(\/auth\?[^"]+)"/g))
      expect(await page(who, link.replaceAll("&amp;", "&"))).toMatch(new RegExp(`name="email"[^>]*value="${email}"`));
    await who.post("/auth?tab=sign-up", { ...signUpForm(email), redirect: path });
    expect(await page(who, path)).toContain(`Open the link in the email we sent to ${email}`);
    const link = linkIn(await emailTo(shop.url, email, "Verify"), "/auth/verify");
    expect((await who.fetch(link)).headers.get("Location")).toBe(path);
    expect(await page(who, path)).toContain('href="/account?tab=settings#two-step"');
    const { html } = await who.settings("factor-start", { password: PASSWORD });
    const code = await new Authenticator(uriIn(html)).code();
    expect(await page(who, "/account?tab=settings")).not.toContain(path);
    expect((await who.settings("factor-verify", { uri: uriIn(html), code })).html).toContain(`href="${path}"`);
    expect((await who.post(path, {})).headers.get("Location")).toBe("/admin/sign-in");
    expect(await page(who, "/account?tab=settings")).not.toContain("/admin/join");
  });

  it("is of its email alone: nobody else is led to it", async () => {
    const [email, path] = [someEmail(), await invited("somebody.else@example.com")];
    const who = browser();
    await signUp(who, email);
    const link = linkIn(await emailTo(shop.url, email, "Verify"), "/auth/verify");
    expect((await who.fetch(link)).headers.get("Location")).toBe("/#type=signup");
    expect(await page(who, path)).toContain("This invitation is for somebody.else@example.com.");
  });
});

describe("signing in", () => {
  it("returns to the visitor's page, on this site only", async () => {
    const { email } = await customer();
    for (const [redirect, location] of [
      ["/account?tab=orders", "/account?tab=orders"],
      ["//evil.example", "/"],
    ] as const) {
      const form = { intent: "sign-in", email, password: PASSWORD, redirect };
      const who = browser();
      const next = (await who.post("/auth", form)).headers.get("Location") ?? "";
      // A browser without any cookie may block them, which the sign-in page then says.
      expect((await who.fetch(next)).headers.get("Location")).toBe(location);
      expect(await (await browser().fetch(next)).text()).toContain("Your browser blocks cookies");
    }
  });
});

it("a reset link sets a password once and ends every session", async () => {
  const { who, email } = await customer();
  expect(await (await browser().fetch("/auth")).text()).toMatch(/href="\/reset-password"[^>]*>Forgot your password\?</);
  expect(await (await browser().post("/reset-password", { email })).text()).toContain("Check your inbox");
  const link = linkIn(await emailTo(shop.url, email, "Set a new password"), "/reset-password");
  const visitor = browser();
  for (let scans = 0; scans < 3; scans++) expect((await visitor.fetch(link)).status).toBe(200);
  const mismatch = await visitor.post(link, { password: "battery staple", confirmPassword: "other" });
  expect(mismatch.status).toBe(400);
  expect(await mismatch.text()).toContain("Passwords don&#x27;t match");
  const fields = { password: "battery staple", confirmPassword: "battery staple" };
  const set = await visitor.post(link, fields);
  expect([set.status, set.headers.get("Location")]).toEqual([303, "/auth"]);
  expect(set.headers.get("Clear-Site-Data")).toBe('"cache"');
  expect((await visitor.me()).flashMessage?.title).toBe("Password updated");
  expect((await who.me()).customer).toBeNull();
  expect((await signIn(email)).status).toBe(401);
  expect((await signIn(email, "battery staple")).status).toBe(303);
  expect((await visitor.post(link, fields)).status).toBe(400);
  expect((await visitor.fetch(link)).status).toBe(410);
});

it("an email used by somebody else is taken back by its owner, and their session and password are revoked", async () => {
  const email = someEmail();
  const squatter = browser();
  await signUp(squatter, email, "squatter's own");
  const link = linkIn(await emailTo(shop.url, email, "Verify"), "/auth/verify");
  const owner = browser();
  expect(await (await owner.fetch(link)).text()).toContain("It wasn’t me");
  const taken = await owner.post(link, { intent: "take-over" });
  expect(taken.headers.get("Location")).toMatch(/^\/reset-password\?token=/);
  expect((await squatter.me()).customer).toBeNull();
  expect((await signIn(email, "squatter's own")).status).toBe(401);
  const password = "owner's own password";
  await owner.post(taken.headers.get("Location") ?? "", { password, confirmPassword: password });
  expect((await signIn(email, password, owner)).status).toBe(303);
  expect((await owner.me()).customer?.emailVerified).toBe(true);
});

describe("a session", () => {
  it("is refused with a forged or cut cookie", async () => {
    for (const cookie of ["abc", "abc.def%3D", ""]) {
      const who = browser();
      who.carry("polara.session_token", cookie);
      expect((await who.me()).customer).toBeNull();
    }
  });

  it("merges the guest's cart, summed and capped, with a message", async () => {
    const { email, who } = await customer();
    await who.post("/cart/clear", {});
    await who.add("travel-sleeve", 6);
    const guest = browser();
    await guest.add("travel-sleeve", 7);
    await guest.add("charging-dock", 1);
    await signIn(email, PASSWORD, guest);
    expect(await guest.me()).toMatchObject({ cartCount: 11, flashMessage: { title: "We combined your carts" } });
    await guest.post("/auth/sign-out", {});
    expect((await guest.me()).cartCount).toBe(0);
  });
});

describe("an access token", () => {
  it("is signed by the published keys, and refused with another signature", async () => {
    const { who, email, userId, sessionId } = await customer();
    const token = await who.accessToken();
    const keys = createRemoteJWKSet(new URL(`${shop.url}/api/auth/jwks`));
    const { payload, protectedHeader } = await jwtVerify(token, keys);
    expect(payload).toMatchObject({ email, email_verified: true, aal: "aal1" });
    expect(protectedHeader.alg).toBe("EdDSA");
    const ask = (value: string) => fetch(`${shop.url}/api/me`, { headers: { Authorization: `Bearer ${value}` } });
    const told = await ask(token);
    expect(told.status).toBe(200);
    const now = Math.floor(Date.now() / 1000);
    const about = (seconds: number) => expect.closeTo(seconds, -2) as unknown;
    expect(await told.json()).toEqual({
      sub: userId,
      sid: sessionId,
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
    await expect(jwtVerify(forged, keys)).rejects.toThrow("signature verification failed");
    for (const value of [forged, "nonsense"]) expect((await ask(value)).status).toBe(401);
  });

  it("is the only public endpoint of better-auth", async () => {
    for (const path of ["sign-in/email", "sign-up/email", "get-session", "list-sessions", "update-user", "ok"]) {
      expect((await browser().fetch(`/api/auth/${path}`)).status, path).toBe(404);
      const body = JSON.stringify({ email: "a@example.com", password: "12345678", name: "A" });
      const headers = { Origin: shop.url, "Content-Type": "application/json" };
      const posted = await browser().fetch(`/api/auth/${path}`, { method: "POST", body, headers });
      expect(posted.status).toBe(415);
    }
  });
});

type Claims = { email: string; verified?: boolean; error?: string };

/** Presses the button, answers the sandbox and comes back. Answers with the shop's last word. */
async function throughGoogle(who: Visitor, { email, verified = true, error }: Claims, redirect = "/") {
  const pressed = await who.post("/auth", { intent: "google", redirect });
  expect(pressed.status).toBe(303);
  const asked = (pressed.headers.get("Location") ?? "").slice(shop.url.length);
  const typed = { email, firstName: "Grace", lastName: "Hopper", ...(verified && { verified: "on" }) };
  const answered = await who.post(asked, error ? { error } : typed);
  return who.fetch((answered.headers.get("Location") ?? "").slice(shop.url.length));
}

describe("Google", () => {
  const textAt = async (who: Visitor, { headers }: Response) => {
    const { pathname, search } = new URL(headers.get("Location") ?? "", shop.url);
    return (await who.fetch(pathname + search)).text();
  };

  it("signs in a new verified customer, and requests offline access with consent", async () => {
    const who = browser();
    const response = await throughGoogle(who, { email: someEmail() });
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
    expect((await who.me()).customer).toEqual({ firstName: "Grace", emailVerified: true });
    const unverified = browser();
    await throughGoogle(unverified, { email: someEmail(), verified: false });
    expect((await unverified.me()).customer).toEqual({ firstName: "Grace", emailVerified: false });
    const pressed = await browser().post("/auth", { intent: "google", redirect: "/" });
    const { searchParams } = new URL(pressed.headers.get("Location") ?? "");
    expect(Object.fromEntries(searchParams)).toMatchObject({ access_type: "offline", prompt: "consent" });
  });

  it("joins an account only if the email is verified on both sides", async () => {
    const { email, name } = await customer();
    const joined = browser();
    await throughGoogle(joined, { email });
    expect((await joined.me()).customer?.firstName).toBe(name);
    for (const claims of [
      { email: (await customer()).email, verified: false },
      { email: (await actor("unverified customer")).email },
    ]) {
      const stranger = browser();
      const refused = await throughGoogle(stranger, claims);
      expect(refused.headers.get("Location")).toContain("/auth?");
      expect((await stranger.me()).customer).toBeNull();
      if (!("verified" in claims))
        expect(await textAt(stranger, refused)).toContain("This email already has an account here.");
    }
  });

  it("returns to the visitor's page, with a message if it was canceled or failed", async () => {
    const response = await throughGoogle(browser(), { email: someEmail() }, "/checkout");
    expect(response.headers.get("Location")).toBe("/checkout");
    for (const [error, words] of [
      ["access_denied", "Google sign-in was canceled."],
      ["server_error", "Google couldn’t sign you in. Please try again, or use your email and a password."],
    ] as const) {
      const who = browser();
      expect(await textAt(who, await throughGoogle(who, { email: someEmail(), error }))).toContain(words);
    }
  });
});

describe("a suspended account", () => {
  const suspend = async (userId: string, fields: Record<string, string> = { reason: "risk" }) => {
    const manager = await staff("manager");
    const response = await manager.visitor.post(`/admin/customers/${userId}?intent=suspend`, fields);
    return { manager, status: response.status, html: await response.text() };
  };
  const WHY = "It put other people or our shop at risk.";

  it("is signed out at once, and opened again by no way in", async () => {
    const { who, email, userId } = await customer();
    const waiting = await protectedCustomer();
    const half = browser();
    await signIn(waiting.email, PASSWORD, half);
    const token = await who.accessToken();
    const { rows } = await database.pool.query("SELECT to_jsonb(s) AS opened FROM sessions s WHERE user_id = $1", [
      userId,
    ]);
    for (const id of [userId, waiting.userId ?? ""]) expect((await suspend(id)).status).toBe(200);
    const expectOut = async () => {
      expect([await who.isIn(), (await who.me()).customer]).toEqual([false, null]);
      const asked = { headers: { Authorization: `Bearer ${token}` } };
      expect((await fetch(`${shop.url}/api/me`, asked)).status).toBe(401);
    };
    await expectOut();
    // Sessions that were opened meanwhile.
    for (const { opened } of rows)
      await database.pool.query("INSERT INTO sessions SELECT * FROM jsonb_populate_record(NULL::sessions, $1)", [
        opened,
      ]);
    await expectOut();
    expect((await half.post("/auth/two-factor", { code: await waiting.code() })).status).toBe(401);
    const refused = await signIn(email);
    const html = await refused.text();
    expect([refused.status, html.includes(WHY), html.includes("contact us at /support")]).toEqual([403, true, true]);
    expect(await (await signIn(email, "wrong horse")).text()).not.toContain("suspended");
    const google = browser();
    const { pathname, search } = new URL(
      (await throughGoogle(google, { email })).headers.get("Location") ?? "",
      shop.url,
    );
    expect(await (await google.fetch(pathname + search)).text()).toContain("This account is suspended.");
    expect((await google.me()).customer).toBeNull();
  });

  it("is told why and how to object, keeps its orders, and is opened again by staff", async () => {
    const { email, userId } = await customer();
    const { rows } = await database.pool.query("SELECT id, status FROM orders WHERE user_id = $1", [userId]);
    expect((await suspend(userId, { reason: "" })).html).toContain("Choose a reason");
    const { manager } = await suspend(userId);
    const mail = await emailTo(shop.url, email, "suspended");
    for (const words of [WHY, "reply to this email", "Your orders aren’t affected"]) expect(mail.text).toContain(words);
    const kept = await database.pool.query("SELECT id, status FROM orders WHERE user_id = $1", [userId]);
    expect(kept.rows).toEqual(rows);
    const key = orderKey({ id: rows[0].id, linkVersion: 1 }, AUTH_SECRET);
    expect((await browser().fetch(`/orders/${rows[0].id}?k=${key}`)).status).toBe(303);
    const path = `/admin/customers/${userId}`;
    expect(await (await manager.visitor.fetch(path)).text()).toContain(WHY);
    expect((await suspend(userId)).status).toBe(409);
    expect((await manager.visitor.post(`${path}?intent=reinstate`, {})).status).toBe(200);
    expect((await emailTo(shop.url, email, "open again")).to).toBe(email);
    expect((await signIn(email)).status).toBe(303);
    const audited = await database.pool.query(
      "SELECT action, after FROM audit_log WHERE subject = $1 AND action <> 'customer.open' ORDER BY id",
      [`customer:${userId}`],
    );
    expect(audited.rows).toEqual([
      { action: "customer.suspend", after: { reason: "risk" } },
      { action: "customer.reinstate", after: { reason: null } },
    ]);
  });

  it("is never one of the team, and an unverified email is told nothing", async () => {
    const member = await staff("packer");
    expect(await suspend(member.staffId)).toMatchObject({ status: 409, html: expect.stringContaining("on the team") });
    const { userId } = await actor("unverified customer");
    expect((await suspend(userId ?? "")).status).toBe(200);
    const queued = "SELECT FROM pgboss.job WHERE data->>'userId' = $1 AND data->>'template' = 'account-suspended'";
    expect((await database.pool.query(queued, [userId])).rowCount).toBe(0);
  });
});

describe("the second factor", () => {
  it("is required after the password, and raises the session to aal2", async () => {
    const { email, code, name } = await protectedCustomer();
    const who = browser();
    const first = await who.post("/auth", { intent: "sign-in", email, password: PASSWORD, redirect: "/cart" });
    expect(first.headers.get("Location")).toBe("/auth/two-factor?redirect=%2Fcart");
    expect((await who.me()).customer).toBeNull();
    expect((await who.fetch("/api/auth/token")).status).toBe(401);
    const send = (typed: string) => who.post("/auth/two-factor?redirect=%2Fcart", { code: typed });
    const wrong = await send("000000");
    expect(wrong.status).toBe(401);
    expect(await wrong.text()).toContain("That code isn’t right.");
    const right = await send(await code());
    expect([right.status, right.headers.get("Location")]).toEqual([303, "/cart"]);
    expect((await who.me()).customer?.firstName).toBe(name);
    const token = await who.accessToken();
    expect(decodeJwt(token)).toMatchObject({ aal: "aal2" });
  });

  it("says on the page of the code that the browser blocks cookies, where it does", async () => {
    const { email } = await protectedCustomer();
    const who = browser();
    await signIn(email, PASSWORD, who);
    const blocked = "Your browser blocks cookies, and signing in needs one.";
    for (const [visitor, isBlocked] of [
      [browser(), true],
      [who, false],
    ] as const)
      expect((await (await visitor.fetch("/auth/two-factor")).text()).includes(blocked)).toBe(isBlocked);
  });

  it("is required after Google, too", async () => {
    const { email, code, name } = await protectedCustomer();
    const who = browser();
    const back = await throughGoogle(who, { email });
    expect(back.headers.get("Location")).toBe("/auth/two-factor?redirect=%2F");
    expect((await who.me()).customer).toBeNull();
    expect((await who.post("/auth/two-factor", { code: await code() })).status).toBe(303);
    expect((await who.me()).customer?.firstName).toBe(name);
  });

  it("can be left for another account, after Google as after the password", async () => {
    const { email } = await protectedCustomer();
    const [google, password] = [browser(), browser()];
    const form = { intent: "sign-in", email, password: PASSWORD, redirect: "/cart" };
    for (const [who, back] of [
      [google, await throughGoogle(google, { email }, "/cart")],
      [password, await password.post("/auth", form)],
    ] as const) {
      const html = await (await who.fetch(back.headers.get("Location") ?? "")).text();
      const leave = /action="(\/auth\/sign-out\?[^"]+)"/.exec(html)?.[1] ?? "";
      const left = await who.post(leave, {});
      expect([left.status, left.headers.get("Location")]).toEqual([303, "/auth?redirect=%2Fcart"]);
      expect((await who.fetch("/auth?redirect=%2Fcart")).status).toBe(200);
    }
  });
});
