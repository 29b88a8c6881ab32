import { base32 } from "@better-auth/utils/base32";
import type { Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import type { Pool } from "pg";
import { formatMoney } from "../../shop/money.ts";
import { shippingPrice } from "../../shop/shipping/methods.ts";
import { codeOf } from "../support/authenticator.ts";
import { expect, expectAccessible, expectToast, fillCart, open, test } from "../support/journey.ts";
import { postForm, productId, signUpShortly } from "../support/screens.ts";

const password = "correct horse";

/** Signs somebody up the short way; the browser is theirs from then on. */
async function signUp(page: Page, email: string): Promise<void> {
  const response = await signUpShortly(page.request, process.env.E2E_URL ?? "", email, password);
  expect(response.status()).toBe(303);
}

async function verify(database: Pool, email: string): Promise<void> {
  await database.query("UPDATE users SET email_verified = true WHERE email = $1", [email]);
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}

const tab = (page: Page, name: string) => page.getByRole("main").getByRole("tab", { name, exact: true });

test("a customer signs in, orders, and finds the order in the account", async ({ page, database }, { project }) => {
  const email = `orders-${project.name}@example.com`;
  await signUp(page, email);
  await verify(database, email);
  await page.context().clearCookies();

  await test.step("the account asks who is there, and goes on where it was asked", async () => {
    await open(page, "/account?tab=orders");
    await expect(page).toHaveURL("/auth?redirect=%2Faccount%3Ftab%3Dorders");
    await signIn(page, email);
    await expect(page).toHaveURL("/account?tab=orders");
    await expect(page.getByRole("heading", { level: 2, name: "No orders yet" })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("the checkout knows them", async () => {
    await fillCart(page, database, "ethylene-filter-2-pack", 2);
    await open(page, "/checkout");
    await expect(page.getByLabel("Email", { exact: true })).toHaveValue(email);
    await expect(page.getByLabel("First name")).toHaveValue("Ada");
    await expect(page.getByText("Your account remembers this address for next time.")).toBeVisible();
    await page.getByLabel("Phone").fill("+1 (212) 555-0100");
    await page.getByLabel("Address line 1").fill("12 Analytical Ave");
    await page.getByLabel("City").fill("New York");
    await page.getByLabel("State").selectOption("New York");
    await page.getByLabel("ZIP code").fill("10001");
    await page.getByRole("button", { name: "Place Order" }).click();
    await expectToast(page, "Order placed!", "Your order has been successfully placed.");
  });

  await test.step("the order stands on the dashboard and in the history", async () => {
    const number = await page.getByText("Order number").getByRole("strong").innerText();
    await open(page, "/account");
    await expect(page.getByRole("heading", { level: 1, name: "Hello, Ada" })).toBeVisible();
    const recent = page.getByRole("region", { name: "Recent orders" }).getByRole("listitem");
    await expect(recent).toHaveCount(1);
    const today = await page.evaluate(() =>
      new Date().toLocaleDateString("en-US", { year: "numeric", month: "long", day: "numeric" }),
    );
    await expect(recent).toContainText(`Order ${number}${today}`);
    await expect(recent).toContainText("Processing");
    await expect(recent).toContainText(formatMoney(48_00 + shippingPrice("standard", 48_00)));
    await expectAccessible(page);
    await page.getByRole("link", { name: "See all orders" }).click();
    const order = page.getByRole("article", { name: `Order ${number}` });
    await expect(order).toContainText("Ethylene Filter 2-Pack2 × $24.00$48.00");
    await expect(order).toContainText("Standard Shipping to New York, NY");
    await expect(tab(page, "Orders")).toHaveAttribute("aria-selected", "true");
    await expectAccessible(page);
  });

  await test.step("the next checkout remembers the address", async () => {
    await fillCart(page, database, "ethylene-filter-2-pack");
    await open(page, "/checkout");
    await expect(page.getByLabel("Address line 1")).toHaveValue("12 Analytical Ave");
    await expect(page.getByLabel("State")).toHaveValue("NY");
  });
});

test("the tabs go by keyboard, and nonsense is the dashboard", async ({ page }, { project }) => {
  await signUp(page, `tabs-${project.name}@example.com`);
  await open(page, "/account?tab=nonsense");
  await expect(tab(page, "Dashboard")).toHaveAttribute("aria-selected", "true");
  await tab(page, "Dashboard").focus();
  await page.keyboard.press("ArrowRight");
  await expect(tab(page, "Orders")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/account?tab=orders");
  await expect(page.getByRole("heading", { level: 1, name: "Orders" })).toBeVisible();
});

test("the unverified are told, helped, and kept from ordering", async ({ page, database }, { project }) => {
  const email = `nova-${project.name}@example.com`;
  await signUp(page, email);
  await open(page, "/account");
  await expect(
    page.getByText("Please verify your email address to access your account.", { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Profile" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Resend verification email" }).click();
  await expectToast(page, "Email sent!", "Please check your inbox for the verification link.");

  await fillCart(page, database, "ethylene-filter-2-pack");
  await open(page, "/checkout");
  const alert = page.getByRole("alert").filter({ hasText: "Email Verification Required" });
  await expect(alert).toContainText(
    "You must verify your email address before placing orders. This ensures we can send you order confirmations and shipping updates.",
  );
  await expect(page.getByRole("button", { name: "Place Order" })).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Go to My Account" }).click();
  await expect(page).toHaveURL("/account");
});

test("hearts: a guest's on home are kept and join the wishlist, a customer's work everywhere", async ({
  page,
  database,
}, { project }) => {
  const email = `hearts-${project.name}@example.com`;
  await open(page, "/");
  const home = page.getByRole("region", { name: "Pro", exact: true });
  await home.getByRole("button", { name: /^Add to Wishlist, / }).click();
  await expectToast(page, "Added to wishlist");
  await open(page, "/shop");
  await page.getByRole("button", { name: "Add to Wishlist, Travel Sleeve" }).click();
  await expectToast(page, "Error", "You must be logged in to add items to wishlist");

  await signUp(page, email);
  await open(page, "/shop");
  await expect(page.getByRole("button", { name: "In Wishlist, Polara Pro Midnight Black" })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("polara:hearts"))).toBeNull();

  await page.getByRole("button", { name: "Add to Wishlist, Travel Sleeve" }).click();
  await expect(page.getByRole("button", { name: "In Wishlist, Travel Sleeve" })).toBeVisible();
  await expectToast(page, "Added to wishlist", "Product has been added to your wishlist.");
  await open(page, "/product/travel-sleeve");
  await page.getByRole("button", { name: "In Wishlist", exact: true }).click();
  await expectToast(page, "Removed from wishlist", "Product has been removed from your wishlist.");
  await expect(page.getByRole("button", { name: "Add to Wishlist", exact: true })).toBeVisible();

  await open(page, "/");
  await home.getByRole("button", { name: /^In Wishlist, / }).click();
  await expectToast(page, "Removed from wishlist");
  await home.getByRole("button", { name: /^Add to Wishlist, / }).click();
  await expectToast(page, "Added to wishlist");

  await open(page, "/account?tab=wishlist");
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(page.getByRole("article")).toContainText("$99.00");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await expectToast(page, "Added to cart", "Product has been added to your cart");
  await page.getByRole("button", { name: "Remove Polara Pro Midnight Black from wishlist" }).click();
  await expectToast(page, "Removed from wishlist", "Product has been removed from your wishlist.");
  await expect(page.getByRole("heading", { level: 2, name: "Your wishlist is empty" })).toBeVisible();
  await expectAccessible(page);
  const { rows } = await database.query(
    "SELECT 1 FROM wishlists JOIN users ON users.id = user_id WHERE users.email = $1",
    [email],
  );
  expect(rows).toEqual([]);
});

test("a heart that the shop cannot keep goes back to what it was", async ({ page, expectErrors }, { project }) => {
  expectErrors(/status of 503|Failed to load resource/);
  await signUp(page, `broken-${project.name}@example.com`);
  await open(page, "/shop");
  await page.route(/\/wishlist\/add/, (route) => route.abort());
  await page.getByRole("button", { name: "Add to Wishlist, Travel Sleeve" }).click();
  await expectToast(page, "Error", "Failed to add item to wishlist");
  await expect(page.getByRole("button", { name: "Add to Wishlist, Travel Sleeve" })).toBeVisible();
});

test("settings: profile, password, second factor, devices", async ({ page, browser, database, expectErrors }, {
  project,
}) => {
  expectErrors(/status of 40[013]/);
  const email = `settings-${project.name}@example.com`;
  await signUp(page, email);
  await verify(database, email);
  await open(page, "/account?tab=settings");
  await expectAccessible(page);

  await test.step("the profile", async () => {
    const profile = page.getByRole("region", { name: "Profile" });
    await expect(profile.getByLabel("Email")).toHaveValue(email);
    await expect(profile.getByLabel("Email")).not.toBeEditable();
    await profile.getByLabel("First name").fill("Augusta");
    await profile.getByRole("button", { name: "Save profile" }).click();
    await expectToast(page, "Profile updated", "Your profile has been successfully updated.");
    await tab(page, "Dashboard").click();
    await expect(page.getByRole("heading", { level: 1, name: "Hello, Augusta" })).toBeVisible();
    await tab(page, "Settings").click();
  });

  const elsewhere = async () => {
    const context = await browser.newContext({ baseURL: process.env.E2E_URL });
    const device = await context.newPage();
    await device.goto("/auth?redirect=/account");
    await signIn(device, email);
    await expect(device).toHaveURL("/account");
    return device;
  };
  const [phone, tablet] = [await elsewhere(), await elsewhere()];
  const isOut = async (device: Page) => {
    await device.goto("/account");
    await expect(device).toHaveURL(/\/auth\?redirect=/);
    await device.context().close();
  };

  await test.step("devices are listed, this one marked, and signed out one by one or all at once", async () => {
    await open(page, "/account?tab=settings");
    const devices = page.getByRole("region", { name: "Signed-in devices" });
    await expect(devices.getByRole("listitem")).toHaveCount(3);
    await expect(devices.getByText("This device")).toHaveCount(1);
    // The last used one stands first.
    await expect(devices.getByRole("radio").first()).toBeChecked();
    await devices.getByRole("button", { name: "Sign out the chosen one" }).click();
    await expect(devices.getByLabel("Your password")).toHaveAccessibleDescription("Password is required");
    await expectAccessible(page);
    await devices.getByLabel("Your password").fill(password);
    await devices.getByRole("button", { name: "Sign out the chosen one" }).click();
    await expectToast(page, "Signed out", "That device is signed out.");
    await expect(devices.getByRole("listitem")).toHaveCount(2);
    await isOut(tablet);
    await expect(devices.getByLabel("Your password")).toHaveValue("");
    await devices.getByLabel("Your password").fill(password);
    await devices.getByRole("button", { name: "Sign out the others" }).click();
    await expect(devices.getByRole("listitem")).toHaveCount(1);
    await isOut(phone);
  });

  await test.step("a password of one's own choosing", async () => {
    const section = page.getByRole("region", { name: "Password", exact: true });
    await section.getByLabel("Current password").fill("wrong horse");
    await section.getByLabel("New password", { exact: true }).fill("battery staple");
    await section.getByLabel("Confirm new password").fill("battery staples");
    await section.getByRole("button", { name: "Change password" }).click();
    await expect(section.getByLabel("Confirm new password")).toHaveAccessibleDescription("Passwords don't match");
    await section.getByLabel("Confirm new password").fill("battery staple");
    await section.getByRole("button", { name: "Change password" }).click();
    await expect(section.getByLabel("Current password")).toHaveAccessibleDescription("That password is not right.");
    await section.getByLabel("Current password").fill(password);
    await section.getByRole("button", { name: "Change password" }).click();
    await expectToast(page, "Password updated", "Your other devices are signed out.");
    await expect(section.getByLabel("Current password")).toHaveValue("");
  });

  await test.step("an authenticator app", async () => {
    const section = page.getByRole("region", { name: "Two-step sign-in" });
    await section.getByLabel("Your password").fill("battery staple");
    await section.getByRole("button", { name: "Set up an authenticator app" }).click();
    await expect(section.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
    await expectAccessible(page);
    await section.getByLabel("Code from the app").fill("12");
    await section.getByRole("button", { name: "Turn on" }).click();
    await expect(section.getByLabel("Code from the app")).toHaveAccessibleDescription(/^That code is not right/);
    const key = (await section.getByText(/^([A-Z2-7]{1,4} ?)+$/).innerText()).replaceAll(" ", "");
    const secret = new TextDecoder().decode(base32.decode(key));
    await section.getByLabel("Code from the app").fill(await codeOf(secret));
    await section.getByRole("button", { name: "Turn on" }).click();
    await expect(section.getByRole("heading", { name: "Your backup codes" })).toBeFocused();
    await expect(section.getByRole("listitem")).toHaveCount(10);
    const backupCode = await section.getByRole("listitem").last().innerText();
    await expectAccessible(page);
    const download = page.waitForEvent("download");
    await section.getByRole("link", { name: "Download" }).click();
    const file = await readFile(await (await download).path(), "utf8");
    expect(file).toContain(await section.getByRole("listitem").first().innerText());
    await open(page, "/account?tab=settings");
    await expect(section.getByRole("listitem")).toHaveCount(0);
    await section.getByLabel("Your password").fill("battery staple");
    await section.getByLabel("Code from your app").fill("000000");
    await section.getByRole("button", { name: "Remove" }).click();
    await expect(section.getByLabel("Code from your app")).toHaveAccessibleDescription(/That code is not right/);
    await expectAccessible(page);
    await section.getByLabel("Code from your app").fill(backupCode);
    await section.getByRole("button", { name: "Remove" }).click();
    await expect(section.getByRole("button", { name: "Set up an authenticator app" })).toBeVisible();
  });
});

test("a profile cannot be saved by who is signed out meanwhile", async ({ page, expectErrors }, { project }) => {
  expectErrors(/status of 401/);
  await signUp(page, `gone-${project.name}@example.com`);
  await open(page, "/account?tab=settings");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save profile" }).click();
  await expectToast(page, "Error", "You must be logged in to update your profile");
});

test("a private page is left once its session has ended in another tab", async ({ page }, { project }) => {
  await signUp(page, `tabs-ended-${project.name}@example.com`);
  await open(page, "/account?tab=orders");
  await expect(page.getByRole("heading", { level: 1, name: "Orders" })).toBeVisible();
  // The cookies are those of all tabs.
  await postForm(page.request, process.env.E2E_URL ?? "", "/auth/sign-out", {});
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page).toHaveURL("/auth?redirect=%2Faccount%3Ftab%3Dorders");
  await expect(page.getByRole("heading", { level: 1, name: "Welcome back" })).toBeVisible();
});

test("all of one's data as a file, then gone for good", async ({ page, database }, { project }) => {
  const email = `leaving-${project.name}@example.com`;
  await signUp(page, email);
  await verify(database, email);
  await database.query("INSERT INTO wishlists (user_id, product_id) SELECT id, $2 FROM users WHERE email = $1", [
    email,
    await productId(database, "travel-sleeve"),
  ]);
  await open(page, "/account?tab=settings");
  const data = page.getByRole("region", { name: "Your data" });
  await data.getByLabel("Your password").fill(password);
  const download = page.waitForEvent("download");
  await data.getByRole("button", { name: "Download my data" }).click();
  const file = JSON.parse(await readFile(await (await download).path(), "utf8")) as object;
  expect(file).toMatchObject({ account: { email }, wishlist: [{ slug: "travel-sleeve" }] });

  const leave = page.getByRole("region", { name: "Delete account" });
  await leave.getByLabel("Type delete to confirm").fill("delete");
  await leave.getByLabel("Your password").fill(password);
  await leave.getByRole("button", { name: "Delete my account" }).click();
  await expect(page).toHaveURL("/");
  await expectToast(
    page,
    "Account deleted",
    "Your account and everything in it are gone. A confirmation is on its way to your inbox.",
  );
  await open(page, "/account");
  await expect(page).toHaveURL("/auth?redirect=%2Faccount");
});

test("the account menu leads to each tab, and out", { tag: "@both" }, async ({ page, isMobile }, { project }) => {
  await signUp(page, `menu-${project.name}@example.com`);
  await open(page, "/shop");
  const openMenu = () => page.getByRole("button", { name: isMobile ? "Menu" : "Account, Ada", exact: true }).click();
  for (const [name, heading] of Object.entries({
    "My Account": "Hello, Ada",
    Orders: "Orders",
    Wishlist: "Wishlist",
    Settings: "Settings",
  })) {
    await openMenu();
    await page.getByRole("navigation", { name: "Account" }).getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  }
  await openMenu();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL("/");
  await open(page, "/account");
  await expect(page).toHaveURL("/auth?redirect=%2Faccount");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("tabs are links, forms are answered in the page", async ({ page }, { project }) => {
    await signUp(page, `plain-account-${project.name}@example.com`);
    await page.goto("/account");
    await tab(page, "Settings").click();
    await page.getByLabel("First name").fill("Augusta");
    await page.getByRole("button", { name: "Save profile" }).click();
    const told = page.locator("noscript p");
    await expect(told).toHaveText("Profile updated. Your profile has been successfully updated.");
    await page.getByRole("button", { name: "Resend verification email" }).click();
    await expect(told).toHaveText("Email sent! Please check your inbox for the verification link.");
    await tab(page, "Dashboard").click();
    await expect(page.getByRole("heading", { level: 1, name: "Hello, Augusta" })).toBeVisible();
  });
});

test("a browser keeps settings, scroll positions and random ids, and nothing of who is there", async ({
  page,
  database,
}, { project }) => {
  const email = `keeps-${project.name}@example.com`;
  await signUp(page, email);
  await verify(database, email);
  await page.context().clearCookies();
  await fillCart(page, database, "ethylene-filter-2-pack", 1);
  await open(page, "/auth");
  await signIn(page, email);
  await expect(page).toHaveURL("/");
  for (const path of ["/shop", "/account?tab=settings", "/checkout", "/"]) await open(page, path);
  const kept = await page.evaluate(() => ({
    local: Object.keys(localStorage).map((name) => [name, localStorage.getItem(name)]),
    session: Object.keys(sessionStorage).map((name) => [name, sessionStorage.getItem(name)]),
  }));
  const settings = ["polara:hearts", "polara:waitlist", "polara:search-key", "polara:signed-in"];
  for (const [name] of kept.local) expect(settings).toContain(name);
  expect(kept.local.find(([name]) => name === "polara:signed-in")?.[1]).toMatch(/^(yes|no)$/);
  expect(kept.session.map(([name]) => name)).toEqual(["react-router-scroll-positions"]);
  const positions = JSON.parse(kept.session[0]?.[1] ?? "") as object;
  for (const position of Object.values(positions)) expect(position).toEqual(expect.any(Number));
  const cookies = await page.context().cookies();
  expect(cookies.length).toBeGreaterThan(1);
  for (const { name, value } of cookies) {
    expect(name).toMatch(/^polara/);
    expect(decodeURIComponent(value), name).toMatch(/^[\w+/=.-]{20,}$/);
  }
  expect(JSON.stringify([kept, cookies])).not.toContain("keeps-");
});
