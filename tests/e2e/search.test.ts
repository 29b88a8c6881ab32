import type { Page } from "@playwright/test";
import { expect, expectAccessible, holdBack, open, test } from "../support/journey.ts";

const box = (page: Page) => page.getByRole("combobox", { name: "Search the shop" });
const sheet = (page: Page) => page.getByRole("dialog", { name: "Search" });
const options = (page: Page) => sheet(page).getByRole("option");
const opener = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Search" });

/** Opens the search as this device does: by mouse, or by thumb. */
async function openSearch(page: Page, isMobile: boolean): Promise<void> {
  await (isMobile ? opener(page).tap() : opener(page).click());
  await expect(box(page)).toBeFocused();
}

test("by keyboard: Escape, part of a word, an arrow, Enter", async ({ page, isMobile }) => {
  await open(page, "/");
  await openSearch(page, isMobile);
  await page.keyboard.type("lid");
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet(page)).toBeHidden();
  await expect(opener(page)).toBeFocused();
  await openSearch(page, isMobile);
  await expect(box(page)).toHaveValue("");
  await page.keyboard.type("ethylene fi");
  await expect(options(page).first()).toContainText("Ethylene Filter 2-Pack");
  await expect(box(page)).toHaveAttribute("aria-expanded", "true");

  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const second = options(page).nth(1);
  await expect(second).toHaveAttribute("aria-selected", "true");
  await expect(box(page)).toHaveAttribute("aria-activedescendant", (await second.getAttribute("id")) ?? "none");
  // Up past the first is the box again, and up from there the last.
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(box(page)).not.toHaveAttribute("aria-activedescendant");
  await page.keyboard.press("ArrowUp");
  await expect(options(page).last()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/product/ethylene-filter-6-pack");
  await expect(sheet(page)).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ethylene Filter 6-Pack");

  await openSearch(page, isMobile);
  await page.keyboard.type("erth green");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/search?q=erth+green");
  await expect(sheet(page)).toBeHidden();
  await expect(page.getByRole("status").filter({ hasText: "earth green" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: /Polara Pro Earth Green/ })).toBeVisible();
});

test("by touch: a full-screen sheet with results", { tag: "@phone" }, async ({ page, isMobile }) => {
  await open(page, "/");
  await openSearch(page, isMobile);
  expect(await sheet(page).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  await box(page).fill("refund");
  await expect(options(page).first()).toContainText("Refunds");
  for (const option of await options(page).all()) {
    expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
  await options(page).first().tap();
  await expect(page).toHaveURL("/warranty#refunds");
  await expect(page.getByRole("heading", { name: "Refunds" })).toBeInViewport();
});

test("a question among the results opens its answer", async ({ page, isMobile }) => {
  await open(page, "/support");
  await openSearch(page, isMobile);
  await box(page).fill("change the filter");
  await options(page).filter({ hasText: "How often do I change the filter" }).click();
  await expect(page).toHaveURL("/support#filter");
  await expect(sheet(page)).toBeHidden();
  await expect(page.getByRole("main").getByText("Twist out the old one")).toBeVisible();
});

test("no results offer other links, only the last query is shown, and a lost connection is reported", async ({
  page,
  isMobile,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/);
  await open(page, "/");
  await openSearch(page, isMobile);
  await box(page).fill("xyzzy");
  await expect(sheet(page).getByRole("status")).toContainText("No results for “xyzzy”");
  await expect(sheet(page).getByRole("link", { name: "Returns" })).toBeVisible();
  await expectAccessible(page);

  const release = await holdBack(page, /\/search\.json\?q=gasket/);
  const asked = page.waitForRequest(/q=gasket/);
  await box(page).fill("gasket");
  const dropped = page.waitForEvent("requestfailed", (request) => request === first);
  const first = await asked;
  await box(page).fill("sleeve");
  await dropped;
  await expect(options(page).first()).toContainText("Travel Sleeve");
  release();
  await expect(options(page).first()).toContainText("Travel Sleeve");

  await page.route("**/search.json?**", (route) => route.abort());
  await box(page).fill("filter");
  await expect(sheet(page).getByRole("status")).toContainText("Search isn’t available right now");
});

test("a failed script opens the search page", async ({ page, expectErrors }) => {
  expectErrors(/ERR_FAILED/, /dynamically imported module/);
  await page.route("**/assets/search-sheet-*", (route) => route.abort());
  await open(page, "/");
  await opener(page).click();
  await expect(page).toHaveURL("/search");
  await expect(page.getByRole("searchbox", { name: "Search the shop" })).toBeVisible();
});
