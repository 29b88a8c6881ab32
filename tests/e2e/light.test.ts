/** Pages on a slow line, or whose scripts are late. */
import type { Page } from "@playwright/test";
import { expect, fillAddress, fillCart, open, someEmail, test } from "../support/journey.ts";
import { ADA, become } from "../support/screens.ts";

const BOWL = "/product/polara-pro-earth-green";

/** Delays every script until the returned function is called. */
async function delayScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

const productLink = (page: Page, name: RegExp) => page.getByRole("main").getByRole("link", { name }).first();

test("an order is placed before any script has loaded", async ({ page }) => {
  await delayScripts(page);
  await page.goto(BOWL, { waitUntil: "commit" });
  await page.getByRole("button", { name: "Add to Cart" }).first().click();
  await expect(page).toHaveURL("/cart");
  await expect(productLink(page, /Polara Pro/)).toBeVisible();
  await page.getByRole("link", { name: /Checkout/ }).click();
  await expect(page).toHaveURL("/checkout");
  await fillAddress(page, { Email: someEmail() });
  await page.getByRole("button", { name: "Place Order" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Thank you for your order" })).toBeVisible();
});

test("a press that begins before hydration and ends after it places the order", async ({ page, database }) => {
  await fillCart(page, database, "ethylene-filter-2-pack");
  const release = await delayScripts(page);
  await page.goto("/checkout", { waitUntil: "commit" });
  await fillAddress(page, { Email: someEmail() });
  await page.getByRole("button", { name: "Place Order" }).hover();
  await page.mouse.down();
  release();
  // The review shows what was typed once the page is hydrated.
  await expect(page.getByRole("definition").filter({ hasText: "12 Analytical Ave" })).toBeVisible();
  await page.mouse.up();
  await expect(page.getByRole("heading", { level: 1, name: "Thank you for your order" })).toBeVisible();
});

test("search and sign-in work before any script has loaded", async ({ page, database }) => {
  const email = someEmail();
  await become("customer", page.context().request, process.env.E2E_URL ?? "", database, { email });
  await page.context().clearCookies();
  await delayScripts(page);
  await page.goto("/about", { waitUntil: "commit" });
  await page.getByRole("banner").getByRole("link", { name: "Search" }).click();
  await expect(page).toHaveURL("/search");
  await page.getByRole("searchbox", { name: "Search the shop" }).fill("filter");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/search?q=filter");
  await expect(productLink(page, /Ethylene Filter/)).toBeVisible();
  await page.goto("/auth?redirect=%2Faccount", { waitUntil: "commit" });
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(ADA.password);
  await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL("/account");
  await expect(page.getByRole("heading", { level: 1, name: "Hello, Ada" })).toBeVisible();
});

test("scripts are requested after the first paint", async ({ page }) => {
  const requests: string[] = [];
  let release = () => {};
  const styles = new Promise<void>((done) => (release = done));
  await page.route("**/assets/*.css", async (route) => {
    await styles;
    await route.continue();
  });
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  const scripts = () => requests.filter((path) => path.endsWith(".js"));
  await page.goto(BOWL, { waitUntil: "commit" });
  await page.waitForTimeout(1_000);
  expect(requests.filter((path) => path.endsWith(".woff2"))).toHaveLength(1);
  expect(scripts()).toEqual([]);
  release();
  await expect.poll(() => scripts().length).toBeGreaterThan(5);
});

test("letters outside Latin-1 load their part of the typeface, and nothing else does", async ({ page }) => {
  const fonts: string[] = [];
  page.on("request", (request) => request.resourceType() === "font" && fonts.push(request.url()));
  await open(page, "/search?q=Munoz");
  expect(fonts).toHaveLength(1);
  await open(page, "/search?q=Łukasiewicz");
  await expect.poll(() => fonts.filter((url) => url.includes("-ext"))).toHaveLength(1);
});

test("a page that reports no paint, as in a hidden tab, hydrates too", async ({ page }) => {
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {};
  });
  await page.goto(BOWL);
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await expect(page.getByRole("spinbutton", { name: "Quantity" })).toHaveValue("2");
});

test("going back and reloading restore the scroll position", async ({ page }) => {
  await open(page, "/");
  const position = () => page.evaluate(() => Math.round(scrollY));
  const link = page.getByRole("link", { name: "Shop Polara" });
  await link.scrollIntoViewIfNeeded();
  const left = await position();
  expect(left).toBeGreaterThan(2_000);
  await link.click();
  await expect(page).toHaveURL("/shop");
  await page.goBack();
  await expect(page).toHaveURL("/");
  await expect.poll(position).toBe(left);
  await page.reload();
  await expect.poll(position).toBe(left);
});
