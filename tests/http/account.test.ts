/** The account page: what it shows of its customer, and what its forms change and ask before. */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { policy } from "#shop/policies.ts";
import { PASSWORD, type Actor } from "../support/actors.ts";
import { Authenticator, backupCodesIn, uriIn } from "../support/second-factor.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { signIn, signUpForm, someEmail, useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const { shop, database, actor, protectedCustomer } = useShop();

const settings = "/account?tab=settings";
const tabs = ["/account", "/account?tab=orders", "/account?tab=wishlist", settings];
const customer = () => actor("customer");
const query = (text: string, ...values: unknown[]) => database.pool.query(text, values);
/** A form that a script sends. */
const send = (who: Visitor, path: string, fields: Record<string, string> = {}) =>
  who.post(path, fields, { Accept: "*/*" });

/** Another browser of the same person. */
async function elsewhere(who: Actor): Promise<Visitor> {
  const other = new Visitor(shop.url);
  expect((await signIn(who, other)).status).toBe(303);
  return other;
}
async function page(who: Visitor, path: string): Promise<string> {
  const response = await who.fetch(path);
  expect([path, response.status, response.headers.get("Cache-Control")]).toEqual([path, 200, "private, no-store"]);
  return response.text();
}

/** As if they had come by Google: an account without a password. */
async function withoutPassword({ userId }: Actor, minutesAgo: number) {
  await query("UPDATE accounts SET provider_id = 'google', password = NULL WHERE user_id = $1", userId);
  await query(
    "UPDATE sessions SET created_at = now() - $2 * interval '1 minute' WHERE user_id = $1",
    userId,
    minutesAgo,
  );
}

describe("the account page", () => {
  it.each(tabs)("%s redirects a guest to sign in and back", async (path) => {
    const { status, headers } = await new Visitor(shop.url).fetch(path);
    expect([status, headers.get("Location")]).toEqual([302, `/auth?redirect=${encodeURIComponent(path)}`]);
  });

  it("shows the dashboard for an unknown tab, and the newest orders for an unknown page", async () => {
    const { visitor, name, orderId } = await customer();
    const dashboard = await page(visitor, "/account?tab=nonsense");
    expect(dashboard).toContain(`Hello, ${name}`);
    for (const tab of ["orders", "wishlist", "settings"]) expect(dashboard).toContain(`href="/account?tab=${tab}"`);
    expect(await page(visitor, "/account?tab=orders&page=-1")).toContain(orderId.slice(0, 8));
  });

  it("has a banner for unverified customers", async () => {
    const { visitor, name } = await actor("unverified customer");
    for (const path of tabs)
      expect(await page(visitor, path)).toContain("Please verify your email address to access your account.");
    expect(await page(visitor, "/account")).toContain(`Hello, ${name}`);
  });
});

describe("checkout of a customer", () => {
  it("is filled in from profile and last order, and the order belongs to them", async () => {
    const { visitor, email, userId } = await customer();
    await query("DELETE FROM orders WHERE user_id = $1", userId);
    await visitor.settings("profile", { firstName: "Augusta", lastName: "King", phone: "+1 212 555 0199" });
    const checkout = async () => (await visitor.fetch("/checkout")).text();
    const first = await checkout();
    for (const value of [email, "Augusta", "King", "+1 212 555 0199"]) expect(first).toContain(`value="${value}"`);
    expect(first).toContain("We’ll remember this address for next time.");
    await visitor.checkout({ email, shippingCity: "Boston", shippingState: "MA", shippingPostalCode: "02118" });
    const { rows } = await query("SELECT session_id FROM orders WHERE user_id = $1", userId);
    expect(rows).toEqual([{ session_id: null }]);
    await visitor.add("travel-sleeve");
    expect(await checkout()).toContain('value="Boston"');
  });

  it("is closed to unverified customers, page and action", async () => {
    const { visitor } = await actor("unverified customer");
    const shown = await (await visitor.fetch("/checkout")).text();
    expect(shown).toContain("Email Verification Required");
    expect(shown).toContain(
      "You must verify your email address before placing orders. This ensures we can send you order confirmations and shipping updates.",
    );
    expect(shown).toMatch(/href="\/account"[^>]*>Go to My Account/);
    const refused = await visitor.checkout({ seen: "", checkoutKey: crypto.randomUUID() });
    expect([refused.status, (await refused.text()).includes("Email Verification Required")]).toEqual([403, true]);
  });
});

describe("asking for another verification link", () => {
  const resend = async (who: Visitor) => {
    const response = await send(who, "/auth/resend");
    return { status: response.status, answer: await response.json() };
  };

  it("sends one that verifies", async () => {
    const { visitor, email } = await actor("unverified customer");
    expect(await resend(visitor)).toMatchObject({
      status: 200,
      answer: { ok: true, title: "Email sent!", message: "Please check your inbox for the verification link." },
    });
    const link = linkIn(await emailTo(shop.url, email, "Verify your email"), "/auth/verify");
    expect((await visitor.fetch(link)).headers.get("Location")).toBe("/#type=signup");
  });

  it("is answered in the page, also before its script has started", async () => {
    const { visitor } = await actor("unverified customer");
    const { headers } = await visitor.post("/auth/resend", {});
    const html = await (await visitor.fetch(headers.get("Location") ?? "")).text();
    expect(html.replaceAll(/<noscript>[^]*?<\/noscript>/g, "")).toContain(
      "Email sent! Please check your inbox for the verification link.",
    );
  });

  it("is refused for a guest, and a failure has a message", async () => {
    expect(await resend(new Visitor(shop.url))).toMatchObject({
      status: 401,
      answer: { ok: false, title: "Error", message: "No user email found" },
    });
    const { visitor } = await actor("unverified customer");
    await query("ALTER TABLE pgboss.queue RENAME TO queue_away");
    try {
      expect(await resend(visitor)).toMatchObject({
        status: 503,
        answer: { ok: false, title: "Error", message: "Failed to resend verification email" },
      });
    } finally {
      await query("ALTER TABLE pgboss.queue_away RENAME TO queue");
    }
  });
});

describe("the profile", () => {
  it("changes only for its owner and its own fields", async () => {
    const [ada, ben] = [await customer(), await customer()];
    const fields = { firstName: " Augusta ", lastName: "", phone: "ask my mother" };
    const foreign: Record<string, string>[] = [{ id: ben.userId ?? "" }, { email: "new@example.com" }];
    for (const more of foreign)
      expect((await ada.visitor.settings("profile", { ...fields, firstName: "Mallory", ...more })).status).toBe(400);
    const { status, html } = await ada.visitor.settings("profile", fields);
    expect(status).toBe(200);
    expect(html).toContain("Profile updated");
    expect(html).toContain("Your profile has been successfully updated.");
    const shown = await page(ada.visitor, settings);
    for (const value of ["Augusta", "ask my mother", ada.email]) expect(shown).toContain(`value="${value}"`);
    expect(await page(ben.visitor, "/account")).toContain(`Hello, ${ben.name}`);
  });

  it("is returned with what was typed if a field is too long", async () => {
    const { visitor, name } = await customer();
    const long = { firstName: "x".repeat(101), lastName: "Kept <b>", phone: "1" };
    const { status, html } = await visitor.settings("profile", long);
    expect(status).toBe(400);
    expect(html).toContain("First name must be at most 100 characters");
    expect(html).toContain('value="Kept &lt;b&gt;"');
    expect(await page(visitor, "/account")).toContain(`Hello, ${name}`);
  });

  it("needs a signed-in customer", async () => {
    const response = await send(new Visitor(shop.url), "/account.data", { intent: "profile" });
    expect(response.status).toBe(401);
    expect(await response.text()).toContain("You must be logged in to update your profile");
  });
});

describe("the email", () => {
  const ask = (who: Visitor, newEmail: string, more: Record<string, string> = { password: PASSWORD }) =>
    who.settings("email", { newEmail, ...more });
  const linkTo = async (email: string) =>
    linkIn(await emailTo(shop.url, email, "Confirm your new email"), "/auth/change-email");
  const newEmail = () => `new-${randomUUID().slice(0, 8)}@example.com`;
  const emailOf = async ({ userId }: Actor) => (await query("SELECT * FROM users WHERE id = $1", userId)).rows[0];

  it("changes with the password and the link to the new address, in a browser that is signed in", async () => {
    const ada = await customer();
    const phone = await elsewhere(ada);
    const to = newEmail();
    expect((await ask(ada.visitor, ada.email.toUpperCase())).html).toContain("That’s already your email");
    expect((await ask(ada.visitor, "nobody")).status).toBe(400);
    expect((await ask(ada.visitor, to, {})).html).toContain("Password is required");
    expect((await ask(ada.visitor, to, { password: "wrong horse" })).status).toBe(403);
    expect((await ask(ada.visitor, ` ${to.toUpperCase()} `)).html).toContain(to);
    const link = await linkTo(to);
    expect(await page(ada.visitor, settings)).toContain(`value="${ada.email}"`);
    const stranger = new Visitor(shop.url);
    const sent = `/auth?redirect=${encodeURIComponent(link)}`;
    for (const answer of [await stranger.fetch(link), await send(stranger, link)])
      expect([answer.status, answer.headers.get("Location")]).toEqual([302, sent]);
    const ben = await customer();
    expect([(await ben.visitor.fetch(link)).status, (await send(ben.visitor, link)).status]).toEqual([410, 410]);
    const shown = await ada.visitor.fetch(link);
    const html = await shown.text();
    expect([shown.status, shown.headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
    for (const email of [ada.email, to]) expect(html).toContain(email);
    expect((await emailOf(ada)).email).toBe(ada.email);
    expect((await ada.visitor.post(link, {})).headers.get("Location")).toBe(settings);
    expect(await emailOf(ada)).toMatchObject({ email: to, email_verified: true, new_email: null });
    expect([await ada.visitor.isIn(), await phone.isIn()]).toEqual([true, false]);
    expect((await send(ada.visitor, link)).status).toBe(410);
    expect((await signIn(ada)).status).toBe(401);
    expect((await signIn({ ...ada, email: to })).status).toBe(303);
    const told = await emailTo(shop.url, ada.email, "Your email was changed");
    expect(told.text).not.toContain(to);
  });

  it("needs a code with a second factor, which stays", async () => {
    const { code, ...ada } = await protectedCustomer();
    const to = newEmail();
    expect((await ask(ada.visitor, to)).html).toContain("Enter the code");
    expect((await ask(ada.visitor, to, { password: PASSWORD, code: await code() })).status).toBe(200);
    expect((await ada.visitor.post(await linkTo(to), {})).status).toBe(303);
    expect(await emailOf(ada)).toMatchObject({ email: to, two_factor_enabled: true });
    expect((await signIn({ ...ada, email: to })).headers.get("Location")).toMatch(/^\/auth\/two-factor/);
  });

  it("says that an address has an account only to who opens its mailbox, and the later of two links counts", async () => {
    const [ada, ben] = [await customer(), await customer()];
    const free = newEmail();
    const answer = async (email: string) => {
      const { status, html } = await ask(ada.visitor, email);
      return [status, html.includes(`Open the link we sent to ${email}. Nothing changes until then.`)];
    };
    expect(await answer(free)).toEqual([200, true]);
    const earlier = await linkTo(free);
    expect(await answer(ben.email)).toEqual([200, true]);
    expect((await send(ada.visitor, earlier)).status).toBe(410);
    const taken = await ada.visitor.post(await linkTo(ben.email), {});
    expect([taken.status, (await taken.text()).includes("This email has an account of its own")]).toEqual([409, true]);
    expect((await emailOf(ada)).email).toBe(ada.email);
  });
});

describe("the password", () => {
  it("changes with the current one, and ends every other session", async () => {
    const ada = await customer();
    const other = await elsewhere(ada);
    const change = (currentPassword: string) =>
      ada.visitor.settings("password", {
        currentPassword,
        password: "battery staple",
        confirmPassword: "battery staple",
      });
    const wrong = await change("wrong horse");
    expect([wrong.status, wrong.html.includes("That password isn’t right.")]).toEqual([403, true]);
    expect(await other.isIn()).toBe(true);
    const right = await change(PASSWORD);
    expect([right.status, right.html.includes("Password updated")]).toEqual([200, true]);
    expect([await ada.visitor.isIn(), await other.isIn()]).toEqual([true, false]);
    expect((await signIn(ada)).status).toBe(401);
    expect((await signIn(ada, new Visitor(shop.url), "battery staple")).status).toBe(303);
  });

  it("is asked for again after a sign-out while it was checked", async () => {
    const { visitor, userId } = await customer();
    // A correct password gives its attempt back, which comes right before the change.
    await query(`CREATE FUNCTION sign_out() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN DELETE FROM sessions WHERE user_id = '${userId}'; RETURN NULL; END $$`);
    await query(`CREATE TRIGGER sign_out AFTER UPDATE ON rate_limits FOR EACH ROW WHEN (NEW.points < OLD.points)
      EXECUTE FUNCTION sign_out()`);
    try {
      const { status, headers } = await visitor.settings("password", {
        currentPassword: PASSWORD,
        password: "battery staple",
        confirmPassword: "battery staple",
      });
      expect([status, headers.get("Location")]).toEqual([302, `/auth?redirect=${encodeURIComponent(settings)}`]);
    } finally {
      await query("DROP FUNCTION sign_out CASCADE");
    }
  });

  it("is set by email if there is none", async () => {
    const ada = await customer();
    await withoutPassword(ada, 0);
    const { status, html } = await ada.visitor.settings("set-password");
    expect([status, html.includes("Email sent!")]).toEqual([200, true]);
    const link = linkIn(await emailTo(shop.url, ada.email, "password"), "/reset-password");
    const first = { password: "a password of one's own", confirmPassword: "a password of one's own" };
    expect((await new Visitor(shop.url).post(link, first)).status).toBe(303);
    expect((await signIn(ada, new Visitor(shop.url), first.password)).status).toBe(303);
  });
});

describe("the second factor", () => {
  it("is set up with password and code, required at sign-in, renewed and removed", async () => {
    const ada = await customer();
    const other = await elsewhere(ada);
    const form = (intent: string, fields: Record<string, string> = {}) => ada.visitor.settings(intent, fields);
    const password = PASSWORD;
    expect((await form("factor-start")).status).toBe(400);
    const started = await form("factor-start", { password });
    expect(started.html).toContain("data:image/svg+xml,");
    const uri = uriIn(started.html);
    const code = await new Authenticator(uri).code();
    const wrong = await form("factor-verify", { uri, code: code === "000000" ? "000001" : "000000" });
    expect([wrong.status, wrong.html.includes("That code isn’t right")]).toEqual([401, true]);
    expect(uriIn(wrong.html)).toBe(uri);

    const done = await form("factor-verify", { uri, code });
    expect(done.status).toBe(200);
    const codes = backupCodesIn(done.html);
    expect(codes).toHaveLength(10);
    expect([await ada.visitor.isIn(), await other.isIn()]).toEqual([true, false]);
    expect(backupCodesIn(await page(ada.visitor, settings))).toEqual([]);
    const next = new Visitor(shop.url);
    expect((await signIn(ada, next)).headers.get("Location")).toBe("/auth/two-factor?redirect=%2F");
    expect(await next.isIn()).toBe(false);

    const renewed = backupCodesIn((await form("factor-codes", { password, code: codes[0]! })).html);
    expect(new Set([...codes, ...renewed]).size).toBe(20);
    const removals = [
      { password, code: codes[0]! },
      { password: "wrong horse", code: renewed[0]! },
      { password, code: renewed[0]! },
    ];
    const statuses: number[] = [];
    for (const proof of removals) statuses.push((await form("factor-remove", proof)).status);
    expect(statuses).toEqual([403, 403, 200]);
    expect(await ada.visitor.isIn()).toBe(true);
    expect((await signIn(ada)).headers.get("Location")).toBe("/auth?error=cookies&redirect=%2F");
  });
});

it("without a password, a sign-in of the last ten minutes is required instead", async () => {
  const ada = await customer();
  await withoutPassword(ada, 11);
  expect((await ada.visitor.settings("factor-start")).status).toBe(403);
  expect((await ada.visitor.post("/account/download", {})).headers.get("Location")).toBe(
    `${settings}&download=stale#data`,
  );
  const stale = await ada.visitor.settings("delete", { confirmation: "delete" });
  expect([stale.status, await ada.visitor.isIn()]).toEqual([403, true]);
  expect(stale.html).toContain("Please sign out and back in first.");
  await withoutPassword(ada, 9);
  expect((await ada.visitor.settings("factor-start")).html).toContain("data:image/svg+xml,");
  expect((await ada.visitor.post("/account/download", {})).status).toBe(200);
  expect((await ada.visitor.settings("delete", { confirmation: "delete" })).status).toBe(303);
});

describe("the wishlist", () => {
  it("refuses a guest with a message, and redirects a plain form to sign-in", async () => {
    const guest = new Visitor(shop.url);
    const productId = await guest.productId("travel-sleeve");
    for (const [path, message] of [
      ["/wishlist/add.data", "You must be logged in to add items to wishlist"],
      ["/wishlist/remove.data", "You must be logged in"],
    ] as const) {
      const refused = await send(guest, path, { productId });
      expect([refused.status, (await refused.text()).includes(JSON.stringify(message))]).toEqual([401, true]);
    }
    const plain = await guest.post("/wishlist/add", { productId });
    expect(plain.headers.get("Location")).toBe(`/auth?redirect=%2Faccount%3Ftab%3Dwishlist&wish=${productId}`);
  });

  it("keeps the heart of a guest without JavaScript through the sign-in, and through the tab beside it", async () => {
    const { email, password, visitor: known } = await customer();
    const productId = await known.productId("travel-sleeve");
    const [guest, newcomer] = [new Visitor(shop.url), new Visitor(shop.url)];
    const address = (await guest.post("/wishlist/add", { productId })).headers.get("Location")!;
    const read = async (who: Visitor) => (await who.fetch(address)).text();
    const [, action = ""] = /<form id="sign-in"[^>]*action="([^"]+)"/.exec(await read(guest)) ?? [];
    const [, tab = ""] = /id="tab-sign-up"[^>]*href="([^"]+)"/.exec(await read(newcomer)) ?? [];
    const plain = (path: string) => path.replaceAll("&amp;", "&");
    await guest.post(plain(action), { intent: "sign-in", email, password, redirect: "/" });
    await newcomer.post(plain(tab), signUpForm(someEmail()));
    for (const who of [guest, newcomer]) expect((await who.me()).wishlist).toContain(productId);
    const nonsense = await new Visitor(shop.url).post("/auth?tab=sign-up&wish=none", signUpForm(someEmail()));
    expect(nonsense.status).toBe(303);
  });

  it("adds a guest's hearts, and refuses invalid ones", async () => {
    const { visitor, productId } = await customer();
    expect((await visitor.post("/wishlist/remove", { productId })).headers.get("Location")).toBe(
      "/account?tab=wishlist",
    );
    expect(await page(visitor, "/account?tab=wishlist")).toContain("Your wishlist is empty");
    const ids = [productId, await visitor.productId("charging-dock"), crypto.randomUUID()];
    expect((await send(visitor, "/wishlist/join.data", { guestWishlist: JSON.stringify(ids) })).status).toBe(200);
    expect((await visitor.me()).wishlist.toSorted()).toEqual(ids.slice(0, 2).toSorted());
    const nonsense = ["", "x", "[]", '["x"]', "{}"].map((guestWishlist) => ["/wishlist/join.data", { guestWishlist }]);
    for (const [path, fields] of [...nonsense, ["/wishlist/add.data", { productId: "' OR 1=1 --" }]] as const)
      expect((await send(visitor, path as string, fields as Record<string, string>)).status).toBe(400);
  });
});

describe("the place on the waitlist", () => {
  it("shows since when, and can be left", async () => {
    const { visitor, userId, email } = await customer();
    await query("DELETE FROM waitlist WHERE user_id = $1", userId);
    expect(await page(visitor, settings)).toMatch(/not on the waitlist\.<\/p><a [^>]*href="\/waitlist\/join"/);
    await visitor.post("/waitlist/join", { email });
    await query("UPDATE waitlist SET created_at = '2026-03-03T14:05:00Z' WHERE user_id = $1", userId);
    expect(await page(visitor, settings)).toMatch(/on the waitlist since <time[^>]*>March 3, 2026<\/time>/);
    expect((await visitor.settings("leave-waitlist")).html).toContain("You left the waitlist.");
    expect(await page(visitor, settings)).toContain("not on the waitlist");
  });
});

describe("a request to correct or object", () => {
  it("is registered once of each kind with its deadline, proven by the session", async () => {
    const ada = await customer();
    const ask = (kind: string, details = "My name is Augusta.") =>
      ada.visitor.settings("privacy-request", { kind, details });
    const bad = await ask("deletion", "");
    expect(bad.status).toBe(400);
    for (const message of ["Choose a request", "Tell us what it is about"]) expect(bad.html).toContain(message);
    for (const kind of ["correction", "objection"]) {
      expect((await ask(kind)).html).toContain("Request received");
      expect((await ask(kind, "Once more.")).status).toBe(409);
    }
    const { rows } = await query(
      `SELECT kind, law, channel, proof, note, (due_at::date - received_at::date) AS days FROM privacy_requests
       WHERE email = $1 ORDER BY kind`,
      ada.email,
    );
    const asked = { law: "gdpr", channel: "account", proof: "account", note: "My name is Augusta." };
    const days = policy.gdprResponseDays;
    expect(rows).toEqual(["correction", "objection"].map((kind) => ({ kind, ...asked, days })));
    const shown = await page(ada.visitor, settings);
    for (const word of ["Correction", "Objection"]) expect(shown).toContain(`${word}:`);
    // Evening in New York: the deadline ends with that day, not with the next one of UTC.
    await query("UPDATE privacy_requests SET due_at = '2030-01-02T02:00Z' WHERE email = $1", ada.email);
    for (const html of [(await ask("correction")).html, await page(ada.visitor, settings)])
      expect(html).toContain("January 1, 2030");
  });

  it("needs a verified email", async () => {
    const { visitor, email } = await actor("unverified customer");
    const { status } = await visitor.settings("privacy-request", { kind: "objection", details: "No more emails." });
    expect([status, (await query("SELECT FROM privacy_requests WHERE email = $1", email)).rowCount]).toEqual([403, 0]);
  });
});

describe("a customer's data", () => {
  it("is a file that requires the password", async () => {
    const { visitor, email, name, orderId } = await customer();
    for (const [tried, problem, message] of [
      ["", "missing", "Password is required"],
      ["wrong horse", "wrong", "That password isn’t right."],
    ] as const) {
      const refused = await visitor.post("/account/download", { password: tried });
      expect(refused.headers.get("Location")).toBe(`${settings}&download=${problem}#data`);
      expect(await page(visitor, `${settings}&download=${problem}`)).toContain(message);
    }
    const response = await visitor.post("/account/download", { password: PASSWORD });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; filename="polara-data-[\d-]{10}\.json"$/);
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(await response.json()).toMatchObject({
      account: { email },
      profile: { firstName: name },
      orders: [{ id: orderId }],
    });
    const guest = await new Visitor(shop.url).post("/account/download", { password: PASSWORD });
    expect(guest.headers.get("Location")).toMatch(/^\/auth\?redirect=/);
  });

  it("is deleted with the account: signed out, with a message and an email", async () => {
    const ada = await customer();
    const phone = await elsewhere(ada);
    const leave = (confirmation: string, password = PASSWORD) =>
      ada.visitor.settings("delete", { confirmation, password });
    expect([(await leave("yes")).status, (await leave("delete", "wrong horse")).status]).toEqual([400, 403]);
    expect(await phone.isIn()).toBe(true);
    const { status, headers } = await leave(" DELETE ");
    expect([status, headers.get("Location"), headers.get("Clear-Site-Data")]).toEqual([303, "/", '"cache"']);
    expect(await ada.visitor.me()).toMatchObject({
      customer: null,
      cartCount: 0,
      flashMessage: { title: "Account deleted" },
    });
    expect([await ada.visitor.isIn(), await phone.isIn()]).toEqual([false, false]);
    expect((await signIn(ada)).status).toBe(401);
    expect((await emailTo(shop.url, ada.email, "deleted")).subject).toBe("Your account is deleted | Polara");
    expect((await new Visitor(shop.url).post("/auth?tab=sign-up", signUpForm(ada.email))).status).toBe(303);
  });
});
