import type { Page } from "@playwright/test";
import { cartLink, expect, expectToast, holdBack, open, test } from "../support/journey.ts";

const buyPanel = (page: Page) => page.getByRole("region", { name: "Buy" });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

test("a bowl's page, from its price to its other models", async ({ page }) => {
  await open(page, "/product/polara-pro-midnight-black");
  const panel = buyPanel(page);

  await test.step("prices, stock and breadcrumb", async () => {
    await expect(page).toHaveTitle(/Polara Pro Midnight Black/);
    const trail = page.getByRole("navigation", { name: "Breadcrumb" });
    await expect(trail.getByRole("link", { name: "Home" })).toHaveAttribute("href", "/");
    await expect(trail.getByRole("link", { name: "Shop" })).toHaveAttribute("href", "/shop");
    await expect(trail.getByText("Polara Pro Midnight Black")).toHaveAttribute("aria-current", "page");
    await expect(panel.getByRole("heading", { level: 1 })).toHaveText("Polara Pro Midnight Black");
    await expect(panel.locator("s")).toHaveText("$129.00");
    for (const text of ["$99.00", "Today Only", "Save $30.00", "In Stock", "Midnight Black"])
      await expect(panel.getByText(text, { exact: true }).first()).toBeVisible();
    await expect(panel.getByText("Regular price $149.00 after ")).toBeVisible();
    await expect(panel.getByRole("timer")).toBeVisible();
    for (const words of ["Add to Wishlist", "Share", "30-day money-back guarantee"])
      await expect(panel.getByText(words, { exact: true })).toBeVisible();
  });

  await test.step("the tabs work by keyboard", async () => {
    const tab = (name: string) => page.getByRole("tab", { name, exact: true });
    const tabPanel = page.getByRole("tabpanel");
    await expect(page.getByRole("tab")).toHaveText(["Overview", "Technical Specs", "Reviews", "FAQs"]);
    await expect(tab("Overview")).toHaveAttribute("aria-selected", "true");
    await expect(tabPanel).toContainText("Polara Pro keeps produce cool");

    await tab("Overview").focus();
    await page.keyboard.press("ArrowRight");
    await expect(tab("Technical Specs")).toBeFocused();
    await expect(tabPanel.getByRole("row", { name: "battery life 48 hours" })).toBeVisible();
    await expect(tabPanel.getByRole("table", { name: "Power" })).toContainText("48 hours");
    await expect(tabPanel).not.toContainText("_");

    await page.keyboard.press("ArrowRight");
    await expect(tab("Reviews")).toBeFocused();
    await expect(tabPanel.getByText("4.9", { exact: true })).toBeVisible();
    await expect(tabPanel).toContainText("2,340 sample reviews");

    await page.keyboard.press("End");
    await expect(tab("FAQs")).toBeFocused();
    const questions = tabPanel.getByRole("group");
    await expect.poll(() => questions.count()).toBeGreaterThan(2);
    await questions.nth(1).locator("summary").click();
    await expect(questions.nth(1).getByRole("paragraph")).toBeVisible();

    await page.keyboard.press("Tab");
    await tab("FAQs").focus();
    await page.keyboard.press("ArrowRight");
    await expect(tab("Overview")).toBeFocused();
    await expect(tab("Overview")).toHaveAttribute("aria-selected", "true");
  });

  await test.step("a filter is offered where it makes shipping free", async () => {
    const offer = panel.getByText("Add a filter, get free shipping", { exact: true });
    await panel.getByRole("spinbutton", { name: "Quantity" }).fill("2");
    await expect(offer).toBeHidden();
    await panel.getByRole("spinbutton", { name: "Quantity" }).fill("1");
    await expect(offer).toBeVisible();
    await expect(panel.getByText("Two replacement filters: a year of fresher produce.")).toBeVisible();
    await panel.getByRole("button", { name: "+ Ethylene Filter 2-Pack $24.00" }).click();
    await expectToast(page, "Added to cart", "Product has been added to your cart");
    await expect(cartLink(page, 1)).toBeVisible();
    await expect(offer).toBeVisible();
    await panel.getByRole("button", { name: "Add to Cart", exact: true }).click();
    await expect(panel.getByText("You’ve got free shipping.", { exact: true })).toBeVisible();
    await expect(offer).toBeHidden();
  });

  await test.step("its counterpart, and what goes with it", async () => {
    await panel.getByRole("link", { name: "Earth Green" }).click();
    await expect(heading(page)).toHaveText("Polara Pro Earth Green");
    const models = page.getByRole("region", { name: "Pro or Classic" });
    await expect(models.getByRole("columnheader")).toContainText(["Pro", "Classic"]);
    for (const words of ["$99.00", "Today Only", "Save $30.00", "Regular price $149.00 after"])
      await expect(models.getByRole("row", { name: /^Price/ })).toContainText(words);
    await expect(models.getByRole("timer")).toBeVisible();
    await expect(models.getByRole("row", { name: /^weight 4\.6 lb 3\.5 lb$/i })).toBeVisible();
    const goesWith = page.getByRole("region", { name: "Goes With It" });
    await expect(goesWith.getByRole("heading", { level: 3 })).toHaveText([
      "Ethylene Filter 2-Pack",
      "Ethylene Filter 6-Pack",
    ]);
    await models.getByRole("link", { name: "Choose Classic" }).click();
    await expect(page).toHaveURL("/product/polara-classic-earth-green");
  });

  await test.step("a product out of stock cannot be bought", async () => {
    await expect(heading(page)).toHaveText("Polara Classic Earth Green");
    await expect(panel.getByRole("paragraph").filter({ hasText: /^Out of Stock$/ })).toBeVisible();
    for (const name of ["Decrease quantity", "Increase quantity", "Out of Stock"])
      await expect(panel.getByRole("button", { name }).first()).toBeDisabled();
    const others = panel.getByRole("link", { name: "See what’s in stock" });
    await expect(others).toHaveAttribute("href", /availability=in-stock/);
  });
});

test("an accessory's page, from sharing it to buying a related one", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "/product/charging-dock?utm_source=mail");

  await test.step("the link is copied without its query", async () => {
    await page.getByRole("button", { name: "Share" }).click();
    await expectToast(page, "Link copied", "Product link has been copied to clipboard.");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`${new URL(page.url()).origin}/product/charging-dock`);
  });

  await test.step("at most four related products show, of the same category", async () => {
    const related = page.getByRole("region", { name: "You Might Also Like" });
    await expect(related.getByRole("article").getByRole("heading", { level: 3 })).toHaveText([
      "Ethylene Filter 2-Pack",
      "Ethylene Filter 6-Pack",
      "Travel Sleeve",
      "Produce Basket",
    ]);
    await related.getByRole("link", { name: "Ethylene Filter 6-Pack" }).click();
    await expect(page).toHaveURL("/product/ethylene-filter-6-pack");
    await expect(heading(page)).toHaveText("Ethylene Filter 6-Pack");
  });

  await test.step("the chosen quantity is added to the cart", async () => {
    const panel = buyPanel(page);
    const quantity = panel.getByRole("spinbutton", { name: "Quantity" });
    await expect(quantity).toHaveValue("1");
    await expect(panel.getByRole("button", { name: "Decrease quantity" })).toBeDisabled();
    await panel.getByRole("button", { name: "Increase quantity" }).click();
    await panel.getByRole("button", { name: "Increase quantity" }).click();
    await panel.getByRole("button", { name: "Decrease quantity" }).click();
    await expect(quantity).toHaveValue("2");
    await quantity.fill("4");

    const release = await holdBack(page, /\/cart\/add/);
    await panel.getByRole("button", { name: "Add to Cart" }).first().click();
    await expect(panel.getByRole("button", { name: "Adding..." }).first()).toBeVisible();
    release();
    await expectToast(page, "Added to cart", "Product has been added to your cart");
    await expect(cartLink(page, 4)).toBeVisible();

    await quantity.fill("24");
    await panel.getByRole("button", { name: "Increase quantity" }).click();
    await expect(quantity).toHaveValue("25");
    await panel.getByRole("button", { name: "Add to Cart" }).first().click();
    await expectToast(page, "Added to cart", "Your cart now has 10, the most you can order of one product.");
  });
});

test("a toast leaves the buy bar free while a phone scrolls on", { tag: "@phone" }, async ({ page }) => {
  await open(page, "/product/polara-pro-earth-green");
  const buttons = page.getByRole("region", { name: "Buy" }).getByRole("button", { name: "Add to Cart", exact: true });
  await buttons.first().evaluate((button) => button.scrollIntoView({ block: "center" }));
  await buttons.first().click();
  const toast = page.getByRole("region", { name: /^Notifications/ }).getByRole("listitem");
  await expect(toast).toContainText("Added to cart");
  await page.getByRole("tabpanel").first().scrollIntoViewIfNeeded();
  await expect(buttons.last()).toBeInViewport({ ratio: 1 });
  // A phone widens its window for what is too wide.
  expect(await page.evaluate(() => innerWidth)).toBe(390);
  const [shown, bar] = [await toast.boundingBox(), await buttons.last().boundingBox()];
  expect((shown?.y ?? 0) + (shown?.height ?? Infinity)).toBeLessThan(bar?.y ?? 0);
});

test("the price updates when the early bird ends", async ({ page, database }) => {
  // One product, so one screen at a time.
  try {
    await database.query(
      `UPDATE products SET compare_at_price = 2200, early_bird_price = 1700,
        early_bird_end_date = now() + interval '1 hour' WHERE slug = 'travel-sleeve'`,
    );
    await page.clock.install();
    const html = async () => (await page.request.get("/product/travel-sleeve")).text();
    await expect.poll(html, { intervals: [100] }).toContain("$17.00");
    await open(page, "/product/travel-sleeve");
    const panel = page.getByRole("region", { name: "Buy" });
    await expect(panel.getByText("$17.00", { exact: true }).first()).toBeVisible();
    await expect(panel.getByText("Save $5.00", { exact: true })).toBeVisible();
    await expect(panel.getByText("Early Bird Ends In", { exact: true })).toBeVisible();

    await database.query("UPDATE products SET early_bird_end_date = now() WHERE slug = 'travel-sleeve'");
    await page.clock.fastForward("01:00:01");
    await expect(panel.getByRole("timer")).toBeHidden();
    await expect(panel.getByText("$19.00", { exact: true }).first()).toBeVisible();
    await expect(panel.getByText("Save $5.00")).toBeHidden();
    await expect(panel.getByText("$17.00")).toHaveCount(0);

    await panel.getByRole("button", { name: "Add to Cart" }).first().click();
    await expectToast(page, "Added to cart", "Product has been added to your cart");
    await cartLink(page, 1).click();
    await expect(page.getByRole("region", { name: "Order Summary" })).toContainText("Subtotal$19.00");
  } finally {
    await database.query(
      `UPDATE products SET compare_at_price = NULL, early_bird_price = NULL, early_bird_end_date = NULL
        WHERE slug = 'travel-sleeve'`,
    );
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("pictures, panels and a typed quantity are those of plain links and forms", async ({ page }) => {
    await page.goto("/product/polara-pro-earth-green");
    const pictures = page.getByRole("list", { name: /^Pictures of/ }).getByRole("link");
    await expect(pictures.first()).toHaveAttribute("href", "/images/pro-earth-green-hero-1600.webp");
    for (const name of ["Overview", "Technical Specs", "Reviews", "FAQs"])
      await expect(page.getByRole("heading", { level: 3, name, exact: true })).toBeVisible();
    await page.getByRole("spinbutton", { name: "Quantity" }).fill("3");
    await page.getByRole("button", { name: "Add to Cart" }).first().click();
    await expect(page).toHaveURL("/cart");
    await expect(page.getByRole("status", { name: "Quantity" })).toHaveText("3");
  });

  test("a phone can buy from the first screen on", { tag: "@phone" }, async ({ page }) => {
    await page.goto("/product/polara-pro-earth-green");
    const buttons = page.getByRole("region", { name: "Buy" }).getByRole("button", { name: "Add to Cart", exact: true });
    await expect(buttons.first()).not.toBeInViewport();
    await expect(buttons.last()).toBeInViewport({ ratio: 1 });
    await page.getByRole("spinbutton", { name: "Quantity" }).scrollIntoViewIfNeeded();
    await expect(buttons).toHaveCount(1);
    await page.getByRole("tabpanel").first().scrollIntoViewIfNeeded();
    await buttons.last().click();
    await expect(page).toHaveURL("/cart");
  });
});
