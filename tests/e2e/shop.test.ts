import type { Page } from "@playwright/test";
import { cartLink, expect, expectToast, holdBack, open, openFilters, test } from "../support/journey.ts";
import { addCopies } from "../support/many-products.ts";
import { startOwnShop } from "../support/own-shop.ts";

const pros = ["Polara Pro Midnight Black", "Polara Pro Earth Green", "Polara Pro Frost White"];
const classics = ["Polara Classic Midnight Black", "Polara Classic Earth Green", "Polara Classic Frost White"];
const accessories = [
  "Ethylene Filter 2-Pack",
  "Ethylene Filter 6-Pack",
  "Charging Dock",
  "Travel Sleeve",
  "Produce Basket",
  "Lid Gasket Set",
];

const names = (page: Page) => page.getByRole("main").getByRole("article").getByRole("heading", { level: 3 });

/** The count on the page equals the cards. */
async function expectShown(page: Page, products: string[]): Promise<void> {
  const count = `Showing ${products.length} ${products.length === 1 ? "product" : "products"}`;
  await expect(page.getByText(count, { exact: true })).toBeVisible();
  await expect(names(page)).toHaveText(products);
}

test("the list: nothing found, all products, sorted, loading and failing", async ({ page, expectErrors }) => {
  expectErrors(/status of 500/, /caught the following error during render/, /assets\//);

  await test.step("an empty result offers to clear the filters", async () => {
    await open(page, "/shop?category=Pro&availability=out-of-stock");
    await expect(page.getByText("Showing 0 products", { exact: true })).toBeVisible();
    await expect(page.getByText("No products found", { exact: true })).toBeVisible();
    await expect(page.getByText("Try adjusting your filters", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await expectShown(page, [...pros, ...classics, ...accessories]);
  });

  await test.step("all products show, featured ones first", async () => {
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Shop Polara");
    await expectShown(page, [...pros, ...classics, ...accessories]);
    await expect(page.getByRole("combobox", { name: "Sort by" })).toHaveValue("featured");

    const early = page.getByRole("article").filter({ hasText: "Polara Pro Earth Green" });
    await expect(early).toContainText("$99.00");
    await expect(early.locator("s")).toHaveText("$129.00");
    await expect(early.getByText("Today Only", { exact: true })).toBeVisible();
    await expect(early.getByText("Save $30.00", { exact: true })).toBeVisible();
    await expect(early).toContainText("Regular price $149.00 after ");
    await expect(early.getByRole("timer")).toBeVisible();
    const out = page.getByRole("article").filter({ hasText: "Produce Basket" });
    await expect(out.getByText("Out of Stock", { exact: true })).toBeVisible();
    await expect(out.getByRole("button", { name: /Cart/ })).toHaveCount(0);
    await expect(out.getByRole("link", { name: "See what’s in stock" })).toHaveAttribute(
      "href",
      "/shop?category=Accessories&availability=in-stock",
    );
  });

  await test.step("sorting follows the shown prices and is in the URL", async () => {
    const sort = page.getByRole("combobox", { name: "Sort by" });
    for (const [value, first] of [
      ["price-asc", "Lid Gasket Set"],
      ["price-desc", pros[0]!],
      ["newest", pros[0]!],
      ["featured", pros[0]!],
    ] as const) {
      await sort.selectOption(value);
      await expect(page).toHaveURL(value === "featured" ? "/shop" : `/shop?sort=${value}`);
      await expect(names(page).first()).toHaveText(first);
    }
  });

  await test.step("six skeletons show while products load; a failed load offers to try again", async () => {
    await page.route(/\/shop\.data/, (route) => route.fulfill({ status: 500, body: "" }));
    const release = await holdBack(page, /\/shop\.data/);
    await page.getByRole("combobox", { name: "Sort by" }).selectOption("newest");
    await expect(page.locator("[data-skeleton]")).toHaveCount(6);
    release();
    await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(names(page)).toHaveCount(12);
    await expect(page.locator("[data-skeleton]")).toHaveCount(0);
  });
});

test("filters are in the URL, for sharing, reload and going back", { tag: "@both" }, async ({ page, isMobile }) => {
  await open(page, "/shop");
  const filters = await openFilters(page, isMobile);
  await filters.getByRole("checkbox", { name: "Classic" }).check();
  await expect(page).toHaveURL("/shop?category=Classic");
  await filters.getByRole("checkbox", { name: "Out of Stock" }).check();
  await expect(page).toHaveURL("/shop?category=Classic&availability=out-of-stock");
  if (isMobile) {
    const opener = page.getByRole("button", { name: "Filters", exact: true });
    await page.keyboard.press("Escape");
    await expect(filters).toBeHidden();
    await expect(opener).toBeFocused();
    await opener.click();
    await filters.getByRole("button", { name: "Close filters" }).click();
  }
  await expectShown(page, ["Polara Classic Earth Green"]);

  await page.goBack();
  await expectShown(page, classics);
  await page.goForward();
  await expectShown(page, ["Polara Classic Earth Green"]);
  await open(page, page.url());
  await expectShown(page, ["Polara Classic Earth Green"]);
  await expect((await openFilters(page, isMobile)).getByRole("checkbox", { name: "Out of Stock" })).toBeChecked();
});

test("colors and prices filter the list, and each filter can be removed", async ({ page }) => {
  await open(page, "/shop?color=Earth+Green&color=Midnight+Black");
  await expectShown(page, [...pros.slice(0, 2), ...classics.slice(0, 2), "Charging Dock", "Travel Sleeve"]);
  const filters = await openFilters(page, false);
  await expect(filters.getByRole("checkbox", { name: "Earth Green" })).toBeChecked();
  await expect(filters.getByRole("checkbox", { name: "Frost White" })).not.toBeChecked();

  const [least, most] = [
    filters.getByRole("slider", { name: "Minimum price" }),
    filters.getByRole("slider", { name: "Maximum price" }),
  ];
  for (const slider of [least, most]) {
    await expect(slider).toHaveAttribute("min", "0");
    await expect(slider).toHaveAttribute("max", "500");
    await expect(slider).toHaveAttribute("step", "10");
  }
  await least.fill("90");
  await expect(page).toHaveURL(/minPrice=90$/);
  await most.focus();
  await most.fill("100");
  await expect(page).toHaveURL(/minPrice=90&maxPrice=100$/);
  await expectShown(page, pros.slice(0, 2));

  await page.getByRole("link", { name: "Remove filter Earth Green" }).click();
  await expectShown(page, pros.slice(0, 1));
  await page.getByRole("link", { name: "Clear all" }).click();
  await expect(page).toHaveURL("/shop");
  await expectShown(page, [...pros, ...classics, ...accessories]);
});

test("filters ticked in the drawer before hydration apply", { tag: "@phone" }, async ({ page }) => {
  const release = await holdBack(page, /\/assets\/.*\.js$/);
  await page.goto("/shop", { waitUntil: "commit" });
  const filters = await openFilters(page, true);
  await filters.getByRole("checkbox", { name: "Pro", exact: true }).check();
  await filters.getByRole("checkbox", { name: "Midnight Black" }).check();
  release();
  await expect(page).toHaveURL("/shop?color=Midnight+Black&category=Pro");
  await expectShown(page, pros.slice(0, 1));
  for (const name of ["Pro", "Midnight Black"])
    await expect(filters.getByRole("checkbox", { name, exact: true })).toBeChecked();
  await filters.getByRole("button", { name: "Show 1 product" }).click();
  await expect(filters).toBeHidden();
});

test("a filter ticked while the products of another arrive keeps its tick", async ({ page }) => {
  await open(page, "/shop");
  // The moment between the router's navigation and React's commit.
  await page.evaluate(() => {
    const push = history.pushState.bind(history);
    history.pushState = (...entry) => {
      push(...entry);
      history.pushState = push;
      document.querySelector<HTMLElement>("aside [value='Midnight Black']")?.click();
      for (const end = performance.now() + 20; performance.now() < end;);
    };
  });
  const filters = await openFilters(page, false);
  await filters.getByRole("checkbox", { name: "Pro", exact: true }).click();
  await expect(page).toHaveURL("/shop?color=Midnight+Black&category=Pro");
  await expectShown(page, pros.slice(0, 1));
  for (const name of ["Pro", "Midnight Black"])
    await expect(filters.getByRole("checkbox", { name, exact: true })).toBeChecked();
  await page.goBack();
  await expect(filters.getByRole("checkbox", { name: "Midnight Black" })).not.toBeChecked();
});

test("a card adds its product to the cart; a guest's heart is refused with a message", async ({ page }) => {
  await open(page, "/shop?category=Accessories");
  const card = page.getByRole("article").filter({ hasText: "Ethylene Filter 2-Pack" });
  await card.hover();
  const release = await holdBack(page, /\/cart\/add/);
  await card.getByRole("button", { name: /^Add to Cart/ }).click();
  await expect(card.getByRole("button", { name: /^Adding\.\.\./ })).toBeVisible();
  release();
  await expectToast(
    page,
    "Added to cart",
    "Product has been added to your cartEthylene Filter 2-PackAdd $76.00 more for free shippingView cartCheckout",
  );
  const toasts = page.getByRole("region", { name: /^Notifications/ });
  await expect(toasts.getByRole("link", { name: "View cart" })).toHaveAttribute("href", "/cart");
  await expect(cartLink(page, 1)).toBeVisible();
  await expect(page).toHaveURL("/shop?category=Accessories");

  await card.getByRole("button", { name: /^Add to Wishlist/ }).click();
  await expect(toasts.getByText("You must be logged in to add items to wishlist", { exact: true })).toBeVisible();
  // The older toast is a bare edge below the newer, without its words.
  const older = toasts.getByRole("listitem").filter({ hasText: "Added to cart" });
  await expect(older).toHaveAttribute("data-front", "false");
  await expect
    .poll(() => older.locator("> *").evaluateAll((all) => all.map((part) => getComputedStyle(part).opacity)))
    .toEqual(["0", "0"]);
  await toasts.getByRole("link", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/auth?redirect=%2Fshop%3Fcategory%3DAccessories");
});

test("the badge of an early bird fits a card of 320 px", { tag: "@phone" }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, "/shop");
  const badges = page.getByText("Save $30.00").locator("..");
  await expect(badges.first()).toHaveText("Today OnlySave $30.00");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test(
    "filters apply by a button, and Add to Cart leads to the cart",
    { tag: "@phone" },
    async ({ page, isMobile }) => {
      await page.goto("/shop");
      const filters = await openFilters(page, isMobile);
      await filters.getByRole("checkbox", { name: "Accessories" }).check();
      await filters.getByRole("checkbox", { name: "Midnight Black" }).check();
      await filters.getByRole("button", { name: "Apply" }).click();
      await expect(page).toHaveURL(/category=Accessories/);
      await expectShown(page, ["Charging Dock"]);

      const card = page.getByRole("article").filter({ hasText: "Charging Dock" });
      await card.hover();
      await card.getByRole("button", { name: /^Add to Cart/ }).click();
      await expect(page).toHaveURL("/cart");
      await expect(page.getByRole("main").getByRole("link", { name: "Charging Dock" })).toBeVisible();
    },
  );
});

test("'Show more' appends products, and going back shows them again", async ({ page }) => {
  const shop = await startOwnShop({ prepare: (pool) => addCopies(pool, 10) });
  const cards = page.getByRole("main").getByRole("article");
  const more = page.getByRole("link", { name: "Show more" });
  const scrolled = () => page.evaluate(() => Math.round(scrollY));

  await open(page, `${shop.url}/shop`);
  await expect(page.getByText("Showing 120 products", { exact: true })).toBeVisible();
  await expect(cards).toHaveCount(48);
  await more.scrollIntoViewIfNeeded();
  const place = await scrolled();
  await more.click();
  await expect(cards).toHaveCount(96);
  expect(await scrolled()).toBe(place);
  await expect(cards.nth(48).getByRole("heading").getByRole("link")).toBeFocused();
  await more.click();
  await expect(cards).toHaveCount(120);
  await expect(more).toBeHidden();
  await expect(page).toHaveURL(`${shop.url}/shop?page=3`);

  const opened = cards.nth(100).getByRole("heading").getByRole("link");
  await opened.scrollIntoViewIfNeeded();
  const left = await scrolled();
  await opened.click();
  await expect(page).toHaveURL(/\/product\//);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.goBack();
  await expect(cards).toHaveCount(120);
  await expect.poll(scrolled).toBe(left);

  // Pictures may still be on their way.
  await page.goto("about:blank");
  await shop.stop();
});
