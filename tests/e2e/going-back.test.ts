/** The browser's back/forward cache: which pages it may keep as they were left, and what is seen on coming back to them. */
import type { Page } from "@playwright/test";
import { CHROMIUM } from "../support/chromium.ts";
import { becomeCustomer, cartLink, expect, fillCart, open, someEmail, test } from "../support/journey.ts";
import { become, postForm, SCREENS } from "../support/screens.ts";

const url = process.env.E2E_URL ?? "";

/** Who pays, has an account or opens a mailed link leaves nothing behind; nor does a browser keep what is not there. */
const LEAVE_NOTHING = /^\/(checkout|account|orders\/(?!find)|auth\/|mailbox)/;
const SHOWN = SCREENS.filter(({ path, status = 200 }) => status === 200 && !LEAVE_NOTHING.test(path));

/** The browser under test keeps no page, whatever it is, and gives that as its reason. */
const ITS_OWN = "masked";

// Playwright turns the cache off, and with it the reasons.
test.use({ launchOptions: { ...CHROMIUM, ignoreDefaultArgs: ["--disable-back-forward-cache"] } });

test("nothing of the shop keeps a page out of the cache", async ({ page, database }) => {
  expect(SHOWN.length).toBeGreaterThan(15);
  const shopped = SHOWN.filter(({ who }) => who === "shopper");
  const found: Record<string, unknown> = {};
  const look = async (path: string) => {
    await open(page, path);
    await page.goto("/robots.txt");
    await page.goBack();
    found[path] = await page.evaluate(() => {
      const [arrival] = performance.getEntriesByType("navigation") as (PerformanceNavigationTiming & {
        notRestoredReasons: { reasons: { reason: string }[]; children: unknown[] };
      })[];
      return arrival?.notRestoredReasons.reasons.map(({ reason }) => reason);
    });
  };
  for (const { path } of [...SHOWN.filter((screen) => !shopped.includes(screen)), { path: "/?utm_source=mail" }])
    await look(path);
  await become("shopper", page.context().request, url, database, { email: someEmail() });
  for (const { path } of shopped) await look(path);
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((path) => [path, [ITS_OWN]])));
});

/** Tells the page that it is seen again, as the browser does when it takes it out of the cache. */
const returnTo = (page: Page) =>
  page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));

test("a cart that was emptied meanwhile is empty when somebody comes back", async ({ page, database }) => {
  await fillCart(page, database, "polara-pro-earth-green");
  await open(page, "/cart");
  await expect(cartLink(page, 1)).toBeVisible();
  await postForm(page.request, url, "/cart/clear", {});
  await returnTo(page);
  await expect(page.getByRole("heading", { name: "Your cart is empty" })).toBeVisible();
  await expect(cartLink(page, 0)).toBeVisible();
});

test("a cart that the browser has from its own cache is brought up to date", async ({ page, database }) => {
  await fillCart(page, database, "polara-pro-earth-green");
  await open(page, "/cart");
  await page.goto("/robots.txt");
  await postForm(page.request, url, "/cart/clear", {});
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Your cart is empty" })).toBeVisible();
});

test("the sign-in that somebody comes back to has forgotten the password, and leads on who is signed in", async ({
  page,
}) => {
  await open(page, "/auth");
  const password = page.getByLabel("Password", { exact: true });
  await password.fill("correct horse battery");
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
  await expect(password).toHaveValue("");
  const other = await page.context().newPage();
  await becomeCustomer(other);
  await returnTo(page);
  await expect(page).toHaveURL("/");
});

test("nobody goes back to another's cart once they have signed out", async ({ page, database, expectErrors }) => {
  expectErrors(/ERR_FAILED/, /Failed to fetch dynamically imported module/);
  await become("customer", page.context().request, url, database, { email: someEmail() });
  const line = page.getByRole("main").getByRole("link", { name: /Polara Pro/ });
  await open(page, "/cart");
  await expect(line.first()).toBeVisible();
  await open(page, "/about");
  await page.getByRole("button", { name: "Account, Ada" }).click();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL("/");
  // A document that is still coming would be stayed with.
  await page.waitForFunction(() => (globalThis as { early?: unknown }).early === null);
  // No script repairs what the browser shows from its own cache.
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.evaluate(() => history.go(-2));
  await expect(page).toHaveURL("/cart");
  await expect(page.getByRole("heading", { name: "Your cart is empty" })).toBeVisible();
  await expect(line).toHaveCount(0);
});
