import { describe, expect, it } from "vitest";
import { Authenticator, uriIn } from "../support/authenticator.ts";
import { emailTo } from "../support/mailbox.ts";
import { Visitor } from "../support/visitor.ts";
import { useShop } from "../support/use-shop.ts";

const { shop, database } = useShop({ RATE_LIMIT_SCALE: "1" });

const password = "correct horse";
const settings = "/account?tab=settings";
let made = 0;

class Customer extends Visitor {
  readonly email: string;
  constructor(email: string) {
    super(shop.url);
    this.email = email;
  }
  signIn(tried = password) {
    return this.post("/auth", { intent: "sign-in", email: this.email, password: tried, redirect: "/" });
  }
  /** Another browser of the same person. */
  async elsewhere(): Promise<Customer> {
    const other = new Customer(this.email);
    expect((await other.signIn()).status).toBe(303);
    return other;
  }
  /** A form of the account page, without JavaScript. */
  async submit(intent: string, fields: Record<string, string> = {}) {
    const response = await this.post(settings, { intent, ...fields });
    return { status: response.status, response, html: await response.clone().text() };
  }
  /** The same as a script sends it. */
  send(path: string, fields: Record<string, string> = {}) {
    return this.post(path, fields, { Accept: "*/*" });
  }
  async page(path: string): Promise<string> {
    const response = await this.fetch(path);
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  }
  async isIn(): Promise<boolean> {
    return (await this.fetch("/account")).status === 200;
  }
}

async function customer({ verified = true, firstName = "Ada" } = {}): Promise<Customer> {
  const who = new Customer(`own-${made++}@example.com`);
  const name = { firstName, lastName: "Lovelace" };
  const form = { intent: "sign-up", ...name, email: who.email, password, confirmPassword: password, terms: "on" };
  expect((await who.post("/auth?tab=sign-up", form)).status).toBe(303);
  if (verified) await database.pool.query("UPDATE users SET email_verified = true WHERE email = $1", [who.email]);
  return who;
}

/** As if they had come by Google: an account without a password. */
async function withoutPassword(who: Customer, minutesAgo: number) {
  await database.pool.query(
    "UPDATE accounts SET provider_id = 'google', password = NULL WHERE user_id = (SELECT id FROM users WHERE email = $1)",
    [who.email],
  );
  await database.pool.query(
    "UPDATE sessions SET created_at = now() - $2 * interval '1 minute' WHERE user_id = (SELECT id FROM users WHERE email = $1)",
    [who.email, minutesAgo],
  );
}

const orderNumberIn = (html: string) => /Order number.*?>([0-9a-f]{8})</s.exec(html)?.[1] ?? "none";
const tabs = ["/account", "/account?tab=orders", "/account?tab=wishlist", settings];

describe("the account page", () => {
  it.each(tabs)("%s sends a guest to sign in, and back", async (path) => {
    const response = await new Visitor(shop.url).fetch(path);
    expect([response.status, response.headers.get("Location")]).toEqual([
      302,
      `/auth?redirect=${encodeURIComponent(path)}`,
    ]);
  });

  it("opens each tab for its customer only, kept by nobody", async () => {
    const ada = await customer();
    for (const path of tabs) {
      const response = await ada.fetch(path);
      expect([path, response.status, response.headers.get("Cache-Control")]).toEqual([path, 200, "private, no-store"]);
    }
    expect(await ada.page("/account")).toContain("Hello, Ada");
    expect(await ada.page("/account?tab=nonsense")).toContain("Hello, Ada");
    expect(await ada.page("/account?tab=orders&page=-1")).toContain("No orders yet");
  });

  it("tells the unverified, and shows all the same", async () => {
    const nova = await customer({ verified: false, firstName: "Nova" });
    for (const path of tabs) {
      expect(await nova.page(path)).toContain("Please verify your email address to access your account.");
    }
    expect(await nova.page("/account")).toContain("Hello, Nova");
  });

  it("shows whose order it is to nobody else, and no guest's order that only has their email", async () => {
    const [ada, ben] = [await customer(), await customer()];
    await ada.add("travel-sleeve", 2);
    const placed = orderNumberIn(await (await ada.checkout({ email: ada.email })).text());
    const guest = new Visitor(shop.url);
    await guest.add("charging-dock");
    const asGuest = orderNumberIn(await (await guest.checkout({ email: ada.email.toUpperCase() })).text());
    for (const path of ["/account", "/account?tab=orders"]) {
      const [own, other] = [await ada.page(path), await ben.page(path)];
      expect(own).toContain(placed);
      expect(own).not.toContain(asGuest);
      for (const number of [placed, asGuest]) expect(other).not.toContain(number);
    }
    expect(await ada.page("/account?tab=orders")).toMatch(/Travel Sleeve[\s\S]*New York, NY/);
  });
});

describe("checkout of a customer", () => {
  it("is filled in from profile and last order, and the order is theirs", async () => {
    const ada = await customer();
    await ada.submit("profile", { firstName: "Augusta", lastName: "King", phone: "+1 212 555 0199" });
    await ada.add("travel-sleeve");
    const first = await ada.page("/checkout");
    for (const value of [ada.email, "Augusta", "King", "+1 212 555 0199"]) expect(first).toContain(`value="${value}"`);
    await ada.checkout({ email: ada.email, shippingCity: "Boston", shippingState: "MA" });
    const { rows } = await database.pool.query(
      "SELECT session_id FROM orders JOIN users ON users.id = user_id WHERE users.email = $1",
      [ada.email],
    );
    expect(rows).toEqual([{ session_id: null }]);
    await ada.add("travel-sleeve");
    expect(await ada.page("/checkout")).toContain('value="Boston"');
  });

  it("is closed to the unverified, page and action", async () => {
    const nova = await customer({ verified: false });
    await nova.add("travel-sleeve");
    const page = await nova.page("/checkout");
    expect(page).toContain("Email Verification Required");
    expect(page).toContain(
      "You must verify your email address before placing orders. This ensures we can send you order confirmations and shipping updates.",
    );
    expect(page).toMatch(/href="\/account"[^>]*>Go to My Account/);
    const refused = await nova.checkout({ seen: "", checkoutKey: crypto.randomUUID() });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("Email Verification Required");
    expect(
      (
        await database.pool.query("SELECT 1 FROM orders JOIN users ON users.id = user_id WHERE users.email = $1", [
          nova.email,
        ])
      ).rows,
    ).toEqual([]);
  });
});

describe("the profile", () => {
  it("changes for its owner alone, whatever else is posted", async () => {
    const [ada, ben] = [await customer(), await customer({ firstName: "Ben" })];
    const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM users WHERE email = $1", [ben.email]);
    const fields = { firstName: " Augusta ", lastName: "", phone: "ask my mother" };
    for (const [name, value] of [
      ["id", rows[0]!.id],
      ["email", "new@example.com"],
    ] as const) {
      expect((await ada.submit("profile", { ...fields, firstName: "Mallory", [name]: value })).status).toBe(400);
    }
    const { status, html } = await ada.submit("profile", fields);
    expect(status).toBe(200);
    expect(html).toContain("Profile updated");
    expect(html).toContain("Your profile has been successfully updated.");
    const page = await ada.page(settings);
    for (const value of ["Augusta", "ask my mother", ada.email]) expect(page).toContain(`value="${value}"`);
    expect(await ben.page("/account")).toContain("Hello, Ben");
  });

  it("comes back with what was typed where it is too long", async () => {
    const ada = await customer();
    const { status, html } = await ada.submit("profile", {
      firstName: "x".repeat(101),
      lastName: "Kept <b>",
      phone: "1",
    });
    expect(status).toBe(400);
    expect(html).toContain("First name must be at most 100 characters");
    expect(html).toContain('value="Kept &lt;b&gt;"');
    expect(await ada.page("/account")).toContain("Hello, Ada");
  });

  it("says so where nobody is signed in", async () => {
    const response = await new Visitor(shop.url).post("/account.data", { intent: "profile" }, { Accept: "*/*" });
    expect(response.status).toBe(401);
    expect(await response.text()).toContain("You must be logged in to update your profile");
  });
});

describe("the password", () => {
  const change = { password: "battery staple", confirmPassword: "battery staple" };

  it("changes with the current one, and ends every other session", async () => {
    const ada = await customer();
    const other = await ada.elsewhere();
    const wrong = await ada.submit("password", { currentPassword: "wrong horse", ...change });
    expect([wrong.status, wrong.html.includes("That password is not right.")]).toEqual([403, true]);
    expect(await other.isIn()).toBe(true);
    const right = await ada.submit("password", { currentPassword: password, ...change });
    expect([right.status, right.html.includes("Password updated")]).toEqual([200, true]);
    expect([await ada.isIn(), await other.isIn()]).toEqual([true, false]);
    expect((await new Customer(ada.email).signIn()).status).toBe(401);
    expect((await new Customer(ada.email).signIn("battery staple")).status).toBe(303);
  });

  it.each([
    [{}, ["Password is required", "Password must be at least 8 characters"]],
    [
      { currentPassword: password, password: "short", confirmPassword: "short" },
      ["Password must be at least 8 characters"],
    ],
    [
      { currentPassword: password, password: "long enough", confirmPassword: "otherwise" },
      ["Passwords don&#x27;t match"],
    ],
  ])("%j is refused", async (fields, messages) => {
    const ada = await customer();
    const { status, html } = await ada.submit("password", fields);
    expect(status).toBe(400);
    for (const message of messages) expect(html).toContain(message);
    expect(html).not.toContain('value="long enough"');
  });

  it("can be guessed only so often, wherever it is asked for", async () => {
    const ada = await customer();
    const guess = async () => (await ada.submit("factor-start", { password: "wrong horse" })).status;
    for (let i = 0; i < 10; i++) expect(await guess()).toBe(403);
    const limited = await ada.submit("delete", { confirmation: "delete", password });
    expect([limited.status, /Too many attempts. Please wait/.test(limited.html)]).toEqual([429, true]);
    expect(await ada.isIn()).toBe(true);
  });

  it("is set by mail where there is none", async () => {
    const ada = await customer();
    await withoutPassword(ada, 0);
    const { status, html } = await ada.submit("set-password");
    expect([status, html.includes("Email sent!")]).toEqual([200, true]);
    expect((await emailTo(shop.url, ada.email, "password")).links.join(" ")).toContain("/reset-password?token=");
  });
});

describe("signed-in devices", () => {
  it("are listed, and all but this one can be signed out", async () => {
    const ada = await customer();
    const [phone, bystander] = [await ada.elsewhere(), await customer()];
    expect((await ada.page(settings)).match(/Last used/g)).toHaveLength(2);
    expect((await ada.submit("sign-out-others", { password })).status).toBe(200);
    expect([await ada.isIn(), await phone.isIn(), await bystander.isIn()]).toEqual([true, false, true]);
    expect(await ada.page(settings)).not.toContain("Sign out the others");
  });
});

/** The code that an app shows now, which was given what the page gives. */
async function codeFrom(html: string): Promise<{ uri: string; code: string }> {
  const uri = uriIn(html);
  return { uri, code: await new Authenticator(uri).code() };
}
const backupCodesIn = (html: string) =>
  [...html.matchAll(/<li>(\w{7}(?:-\w{7}){3})<\/li>/g)].map(([, code = ""]) => code);

describe("the second factor", () => {
  it("is set up with password and code, asked for at sign-in, renewed and removed", async () => {
    const ada = await customer();
    const other = await ada.elsewhere();
    expect((await ada.submit("factor-start")).status).toBe(400);
    const started = await ada.submit("factor-start", { password });
    expect(started.html).toContain("data:image/svg+xml,");
    const { uri, code } = await codeFrom(started.html);
    const wrong = await ada.submit("factor-verify", { uri, code: code === "000000" ? "000001" : "000000" });
    expect([wrong.status, wrong.html.includes("That code is not right")]).toEqual([401, true]);
    expect((await codeFrom(wrong.html)).uri).toBe(uri);

    const done = await ada.submit("factor-verify", { uri, code });
    expect(done.status).toBe(200);
    expect(backupCodesIn(done.html)).toHaveLength(10);
    expect([await ada.isIn(), await other.isIn()]).toEqual([true, false]);
    expect(backupCodesIn(await ada.page(settings))).toEqual([]);

    const next = new Customer(ada.email);
    expect((await next.signIn()).headers.get("Location")).toBe("/auth/two-factor?redirect=%2F");
    expect(await next.isIn()).toBe(false);

    const [first = ""] = backupCodesIn(done.html);
    const renewed = await ada.submit("factor-codes", { password, code: first });
    expect(backupCodesIn(renewed.html)).toHaveLength(10);
    expect(backupCodesIn(renewed.html)).not.toEqual(backupCodesIn(done.html));
    const [second = ""] = backupCodesIn(renewed.html);
    expect((await ada.submit("factor-remove", { password, code: first })).status).toBe(403);
    expect((await ada.submit("factor-remove", { password: "wrong horse", code: second })).status).toBe(403);
    expect((await ada.submit("factor-remove", { password, code: second })).status).toBe(200);
    expect(await ada.isIn()).toBe(true);
    expect((await new Customer(ada.email).signIn()).headers.get("Location")).toBe("/");
  });

  it("needs a verified email", async () => {
    const nova = await customer({ verified: false });
    const { status, html } = await nova.submit("factor-start", { password });
    expect([status, html.includes("data:image/svg+xml")]).toEqual([403, false]);
  });

  it("needs, without a password, a sign-in of the last ten minutes", async () => {
    const ada = await customer();
    await withoutPassword(ada, 11);
    expect((await ada.submit("factor-start")).status).toBe(403);
    await withoutPassword(ada, 9);
    expect((await ada.submit("factor-start")).html).toContain("data:image/svg+xml,");
  });
});

describe("the wishlist", () => {
  it("tells a guest that they must be logged in, and leads a form without JavaScript to sign-in", async () => {
    const guest = new Visitor(shop.url);
    const productId = await guest.productId("travel-sleeve");
    for (const [path, message] of [
      ["/wishlist/add.data", "You must be logged in to add items to wishlist"],
      ["/wishlist/remove.data", "You must be logged in"],
    ] as const) {
      const refused = await guest.post(path, { productId }, { Accept: "*/*" });
      expect([refused.status, (await refused.text()).includes(JSON.stringify(message))]).toEqual([401, true]);
    }
    const plain = await guest.post("/wishlist/add", { productId });
    expect(plain.headers.get("Location")).toBe("/auth?redirect=%2Faccount%3Ftab%3Dwishlist");
  });

  it("is changed by its owner alone", async () => {
    const [ada, ben] = [await customer(), await customer()];
    const productId = await ada.productId("travel-sleeve");
    expect((await ada.post("/wishlist/add", { productId })).headers.get("Location")).toBe("/account?tab=wishlist");
    await ben.post("/wishlist/remove", { productId });
    expect(await ada.page("/account?tab=wishlist")).toContain("Travel Sleeve");
    expect(await ben.page("/account?tab=wishlist")).toContain("Your wishlist is empty");
    await ada.post("/wishlist/remove", { productId });
    expect(await ada.page("/account?tab=wishlist")).toContain("Your wishlist is empty");
  });

  it("takes what a browser kept for its guest, and no nonsense", async () => {
    const ada = await customer();
    const ids = [await ada.productId("travel-sleeve"), await ada.productId("charging-dock"), crypto.randomUUID()];
    expect((await ada.send("/wishlist/join.data", { guestWishlist: JSON.stringify(ids) })).status).toBe(200);
    const { wishlist } = (await (await ada.fetch("/personal")).json()) as { wishlist: string[] };
    expect(wishlist.toSorted()).toEqual(ids.slice(0, 2).toSorted());
    for (const guestWishlist of ["", "x", "[]", '["x"]', "{}"]) {
      expect([guestWishlist, (await ada.send("/wishlist/join.data", { guestWishlist })).status]).toEqual([
        guestWishlist,
        400,
      ]);
    }
    expect((await ada.send("/wishlist/add.data", { productId: "' OR 1=1 --" })).status).toBe(400);
  });
});

describe("one's own data", () => {
  it("is a file, for who knows the password", async () => {
    const ada = await customer();
    for (const [tried, problem, message] of [
      ["", "missing", "Password is required"],
      ["wrong horse", "wrong", "That password is not right."],
    ] as const) {
      const refused = await ada.post("/account/download", { password: tried });
      expect(refused.headers.get("Location")).toBe(`${settings}&download=${problem}#data`);
      expect(await ada.page(`${settings}&download=${problem}`)).toContain(message);
    }
    const response = await ada.post("/account/download", { password });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; filename="polara-data-[\d-]{10}\.json"$/);
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(await response.json()).toMatchObject({
      account: { email: ada.email },
      profile: { firstName: "Ada" },
      orders: [],
    });
    const guest = await new Visitor(shop.url).post("/account/download", { password });
    expect(guest.headers.get("Location")).toMatch(/^\/auth\?redirect=/);
  });

  it("goes with the account: signed out, told, confirmed by mail", async () => {
    const ada = await customer();
    const phone = await ada.elsewhere();
    expect((await ada.submit("delete", { confirmation: "yes", password })).status).toBe(400);
    expect((await ada.submit("delete", { confirmation: "delete", password: "wrong horse" })).status).toBe(403);
    expect(await phone.isIn()).toBe(true);
    const { status, response } = await ada.submit("delete", { confirmation: " DELETE ", password });
    expect([status, response.headers.get("Location")]).toEqual([303, "/"]);
    expect(await (await ada.fetch("/personal")).json()).toMatchObject({
      customer: null,
      cartCount: 0,
      flashMessage: { title: "Account deleted" },
    });
    expect([await ada.isIn(), await phone.isIn()]).toEqual([false, false]);
    expect((await new Customer(ada.email).signIn()).status).toBe(401);
    expect((await emailTo(shop.url, ada.email, "deleted")).subject).toBe("Your account is deleted | Polara");
    const again = new Customer(ada.email);
    const form = {
      intent: "sign-up",
      firstName: "Ada",
      lastName: "L",
      email: ada.email,
      password,
      confirmPassword: password,
      terms: "on",
    };
    expect((await again.post("/auth?tab=sign-up", form)).status).toBe(303);
  });

  it("needs, without a password, a sign-in of the last ten minutes", async () => {
    const ada = await customer();
    await withoutPassword(ada, 11);
    expect((await ada.post("/account/download", {})).headers.get("Location")).toBe(`${settings}&download=stale#data`);
    const stale = await ada.submit("delete", { confirmation: "delete" });
    expect([stale.status, await ada.isIn()]).toEqual([403, true]);
    expect(stale.html).toContain("Please sign out and in again first.");
    await withoutPassword(ada, 9);
    expect((await ada.post("/account/download", {})).status).toBe(200);
    expect((await ada.submit("delete", { confirmation: "delete" })).status).toBe(303);
  });
});
