/** The browser's back/forward cache: the pages it may hold, and what they show when they return. */
import type { Page } from "@playwright/test";
import { CHROMIUM } from "../support/chromium.ts";
import { becomeCustomer, cartLink, expect, fillCart, open, someEmail, test } from "../support/journey.ts";
import { become, postForm } from "../support/screens.ts";

const url = process.env.E2E_URL ?? "";

/** A page of each layout and kind of headers. Those that are private are not stored. */
const SHOWN = [
  "/",
  "/?utm_source=mail",
  "/shop",
  "/product/polara-pro-earth-green",
  "/warranty",
  "/cart",
  "/orders/find",
  "/auth",
];

/** Problems that a browser without the cache, as the one without a window, reports of every page. */
const BY_BROWSER = "masked";

/** Goes back, to a page that loads again or, from the cache, has loaded long ago. */
const goBack = (page: Page) => page.goBack({ waitUntil: "commit" });

test("no page is kept out of the back/forward cache", { tag: "@nightly" }, async ({ playwright, database }) => {
  // Playwright turns the cache off, and with it the reasons. A browser of its own spares the others a new worker.
  const browser = await playwright.chromium.launch({
    ...CHROMIUM,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  });
  const page = await browser.newPage({ baseURL: url });
  await fillCart(page, database, "polara-pro-earth-green");
  const found: Record<string, unknown> = {};
  for (const path of SHOWN) {
    await open(page, path);
    await page.evaluate(() => Object.assign(globalThis, { wasLeft: true }));
    await page.goto("/robots.txt");
    await goBack(page);
    found[path] = await page.evaluate(() => {
      const [arrival] = performance.getEntriesByType("navigation") as (PerformanceNavigationTiming & {
        notRestoredReasons: { reasons: { reason: string }[] } | null;
      })[];
      return "wasLeft" in globalThis ? "kept" : arrival?.notRestoredReasons?.reasons.map(({ reason }) => reason);
    });
  }
  // A browser with the cache keeps every page, one without names itself and nothing else.
  const reasons = Object.values(found)[0] === "kept" ? "kept" : [BY_BROWSER];
  expect(found).toEqual(Object.fromEntries(SHOWN.map((path) => [path, reasons])));
  await browser.close();
});

/** The event of a page restored from the cache. */
const restore = (page: Page) =>
  page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));

test("a cart from the back/forward cache is revalidated", async ({ page, database }) => {
  await fillCart(page, database, "polara-pro-earth-green");
  await open(page, "/cart");
  await expect(cartLink(page, 1)).toBeVisible();
  await postForm(page.request, url, "/cart/clear", {});
  await restore(page);
  await expect(page.getByRole("heading", { name: "Your cart is empty" })).toBeVisible();
  await expect(cartLink(page, 0)).toBeVisible();
});

test("a cart from the HTTP cache is revalidated", async ({ page, database }) => {
  await fillCart(page, database, "polara-pro-earth-green");
  await open(page, "/cart");
  await page.goto("/robots.txt");
  await postForm(page.request, url, "/cart/clear", {});
  await goBack(page);
  await expect(page.getByRole("heading", { name: "Your cart is empty" })).toBeVisible();
});

test("going back to the sign-in clears the password, and redirects a customer", async ({ page }) => {
  await open(page, "/auth");
  const password = page.getByLabel("Password", { exact: true });
  await password.fill("correct horse battery");
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
  await expect(password).toHaveValue("");
  const other = await page.context().newPage();
  await becomeCustomer(other);
  await restore(page);
  await expect(page).toHaveURL("/");
});

test("nobody goes back to another customer's cart after sign-out", async ({ page, database, expectErrors }) => {
  expectErrors(/ERR_FAILED/, /Failed to fetch dynamically imported module/);
  await become("customer", page.context().request, url, database, { email: someEmail() });
  const line = page.getByRole("main").getByRole("link", { name: /Polara Pro/ });
  await open(page, "/cart");
  await expect(line.first()).toBeVisible();
  await open(page, "/about");
  await page.getByRole("button", { name: "Account, Ada" }).click();
  const home = page.waitForResponse(/\/personal/);
  await page.getByRole("button", { name: "Sign Out" }).click();
  await home;
  await expect(page).toHaveURL("/");
  // No script repairs what the browser shows from its own cache. Home may still load modules, and would reload without.
  await page.route(/\/assets\/.*\.js$/, (route) =>
    route.request().headers().referer === `${url}/cart` ? route.abort() : route.fallback(),
  );
  await page.evaluate(() => history.go(-2));
  await expect(page).toHaveURL("/cart");
  await expect(page.getByRole("heading", { name: "Your cart is empty" })).toBeVisible();
  await expect(line).toHaveCount(0);
});
