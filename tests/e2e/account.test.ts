import { base32 } from "@better-auth/utils/base32";
import type { Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import type { Pool } from "pg";
import { codeOf } from "../support/second-factor.ts";
import {
  expect,
  expectAccessible,
  expectToast,
  fillCart,
  open,
  PASSWORD,
  someEmail,
  test,
} from "../support/journey.ts";
import { postForm, productId, signUpShortly } from "../support/screens.ts";

const URL_OF_SHOP = process.env.E2E_URL ?? "";

/** Signs somebody up without the form. The browser is theirs from then on. */
async function signUp(page: Page, verifiedIn?: Pool): Promise<string> {
  const email = someEmail();
  expect((await signUpShortly(page.request, URL_OF_SHOP, email, PASSWORD)).status()).toBe(303);
  if (verifiedIn) await verify(verifiedIn, email);
  return email;
}

const verify = (database: Pool, email: string) =>
  database.query("UPDATE users SET email_verified = true WHERE email = $1", [email]);

async function enterPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}

const tab = (page: Page, name: string) => page.getByRole("main").getByRole("tab", { name, exact: true });

test("the account asks to sign in, says why it refuses, and returns to its tab", async ({
  page,
  database,
  expectErrors,
}) => {
  expectErrors(/status of 40[13]/);
  const email = await signUp(page);
  await page.context().clearCookies();
  await open(page, "/account?tab=orders");
  await expect(page).toHaveURL("/auth?redirect=%2Faccount%3Ftab%3Dorders");
  await enterPassword(page, email, "not the password");
  await expectToast(page, "Login failed", "Invalid email or password");
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(email);
  await enterPassword(page, email);
  await expect(page.getByRole("alert").filter({ hasText: "verify" })).toHaveText(
    "Please verify your email address before signing in. Check your inbox for the verification link.",
  );
  await expectAccessible(page);
  await verify(database, email);
  await enterPassword(page, email);
  await expect(page).toHaveURL("/account?tab=orders");
  await expect(page.getByRole("heading", { level: 2, name: "No orders yet" })).toBeVisible();
});

test("tabs work by keyboard, an unknown tab is the dashboard, and the banner sends another link", async ({ page }) => {
  await signUp(page);
  await open(page, "/account?tab=nonsense");
  await expect(tab(page, "Dashboard")).toHaveAttribute("aria-selected", "true");
  await tab(page, "Dashboard").focus();
  await page.keyboard.press("ArrowRight");
  await expect(tab(page, "Orders")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/account?tab=orders");
  await expect(page.getByRole("heading", { level: 1, name: "Orders" })).toBeVisible();
  await expect(
    page.getByText("Please verify your email address to access your account.", { exact: true }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Resend verification email" }).click();
  await expectToast(page, "Email sent!", "Please check your inbox for the verification link.");
});

test("hearts of a guest join the wishlist at sign-in, hearts of a customer work everywhere", async ({
  page,
  database,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/);
  await open(page, "/");
  const home = page.getByRole("region", { name: "Pro", exact: true });
  await home.getByRole("button", { name: /^Add to Wishlist, / }).click();
  await expectToast(page, "Added to wishlist");
  // A card asks for the sign-in, which remembers the product, also if it was pressed before hydration.
  await open(page, "/shop");
  await page.getByRole("button", { name: "Add to Wishlist, Charging Dock" }).click();
  await page.getByRole("link", { name: "Sign In" }).last().click();
  await open(page, `/auth?wish=${await productId(database, "lid-gasket-set")}`);

  await signUp(page);
  await open(page, "/shop");
  for (const name of ["Polara Pro Midnight Black", "Charging Dock", "Lid Gasket Set"])
    await expect(page.getByRole("button", { name: `In Wishlist, ${name}` })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("polara:hearts"))).toBeNull();

  // One that fails to save is reset.
  const sleeve = page.getByRole("button", { name: "Add to Wishlist, Travel Sleeve" });
  await page.route(/\/wishlist\/add/, (route) => route.abort(), { times: 1 });
  await sleeve.click();
  await expectToast(page, "Error", "Failed to add item to wishlist");
  await sleeve.click();
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
  await expect(page.getByRole("article")).toHaveCount(3);
  const bowl = page.getByRole("article").filter({ hasText: "Polara Pro Midnight Black" });
  await expect(bowl).toContainText("$99.00");
  await bowl.getByRole("button", { name: "Add to Cart" }).click();
  await expectToast(page, "Added to cart", "Product has been added to your cart");
  for (const name of ["Charging Dock", "Lid Gasket Set", "Polara Pro Midnight Black"])
    await page.getByRole("button", { name: `Remove ${name} from wishlist` }).click();
  await expectToast(page, "Removed from wishlist", "Product has been removed from your wishlist.");
  await expect(page.getByRole("heading", { level: 2, name: "Your wishlist is empty" })).toBeVisible();
});

test("settings: a device is signed out, and a second factor set up", async ({
  page,
  browser,
  database,
  expectErrors,
}) => {
  expectErrors(/status of 40[013]/);
  const email = await signUp(page, database);
  for (let i = 0; i < 2; i++) {
    const { request } = await browser.newContext({ baseURL: URL_OF_SHOP });
    await postForm(request, URL_OF_SHOP, "/auth", { intent: "sign-in", email, password: PASSWORD, redirect: "/" });
  }
  await open(page, "/account?tab=settings");
  const devices = page.getByRole("region", { name: "Signed-in devices" });
  await expect(devices.getByText("This device")).toHaveCount(1);
  await devices.getByRole("button", { name: "Sign out the chosen one" }).click();
  await expect(devices.getByLabel("Your password")).toHaveAccessibleDescription("Password is required");
  await devices.getByLabel("Your password").fill(PASSWORD);
  await devices.getByRole("button", { name: "Sign out the chosen one" }).click();
  await expectToast(page, "Signed out", "That device is signed out.");
  await expect(devices.getByRole("listitem")).toHaveCount(2);

  const section = page.getByRole("region", { name: "Two-step sign-in" });
  await section.getByLabel("Your password").fill(PASSWORD);
  await section.getByRole("button", { name: "Set up an authenticator app" }).click();
  await expect(section.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await expectAccessible(page);
  await section.getByLabel("Code from the app").fill("12");
  await section.getByRole("button", { name: "Turn on" }).click();
  await expect(section.getByLabel("Code from the app")).toHaveAccessibleDescription(/^That code isn’t right/);
  const key = (await section.getByText(/^([A-Z2-7]{1,4} ?)+$/).innerText()).replaceAll(" ", "");
  const secret = new TextDecoder().decode(base32.decode(key));
  await section.getByLabel("Code from the app").fill(await codeOf(secret));
  await section.getByRole("button", { name: "Turn on" }).click();
  await expect(section.getByRole("heading", { name: "Your backup codes" })).toBeFocused();
  await expectAccessible(page);
  const download = page.waitForEvent("download");
  await section.getByRole("link", { name: "Download" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file).toContain(await section.getByRole("listitem").first().innerText());
});

test("a private page leads to sign-in once its session has ended in another tab", async ({ page }) => {
  await signUp(page);
  await open(page, "/account?tab=orders");
  await expect(page.getByRole("heading", { level: 1, name: "Orders" })).toBeVisible();
  // The cookies are those of all tabs.
  await postForm(page.request, URL_OF_SHOP, "/auth/sign-out", {});
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page).toHaveURL("/auth?redirect=%2Faccount%3Ftab%3Dorders");
  await expect(page.getByRole("heading", { level: 1, name: "Welcome back" })).toBeVisible();
});

test("the account menu leads to each tab and signs out", { tag: "@both" }, async ({ page, isMobile }) => {
  await signUp(page);
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
  if (isMobile) await expectAccessible(page);
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL("/");
  await open(page, "/account");
  await expect(page).toHaveURL("/auth?redirect=%2Faccount");
});

test("a browser stores settings, scroll positions and random ids, and nothing personal", async ({ page, database }) => {
  const email = await signUp(page, database);
  await page.context().clearCookies();
  await fillCart(page, database, "ethylene-filter-2-pack", 1);
  await open(page, "/auth");
  await enterPassword(page, email);
  await expect(page).toHaveURL("/");
  for (const path of ["/shop", "/account?tab=settings", "/checkout", "/"]) await open(page, path);
  const kept = await page.evaluate(() => ({
    local: Object.keys(localStorage).map((name) => [name, localStorage.getItem(name)]),
    session: Object.keys(sessionStorage).map((name) => [name, sessionStorage.getItem(name)]),
  }));
  const settings = ["polara:hearts", "polara:waitlist", "polara:signed-in"];
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
  expect(JSON.stringify([kept, cookies])).not.toContain(email.split("@")[0]);
});
