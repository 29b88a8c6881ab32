import { cartLink, expect, expectToast, open, tabTo, test } from "../support/journey.ts";

const mainLinks = {
  Shop: "/shop",
  "How It Works": "/how-it-works",
  Science: "/science",
  About: "/about",
  Blog: "/blog",
  Support: "/support",
};

test("header and footer link to every section", { tag: "@both" }, async ({ page, isMobile }) => {
  await open(page, "/shop");
  const header = page.getByRole("banner");
  await expect(header.getByRole("link", { name: "Polara, home" })).toHaveAttribute("href", "/");
  await expect(cartLink(page, 0)).toHaveAttribute("href", "/cart");
  if (!isMobile) {
    const links = { ...mainLinks, "Sign In": "/auth" };
    for (const [name, href] of Object.entries(links))
      await expect(header.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
    await expect(header.getByRole("link", { name: "Shop" })).toHaveAttribute("aria-current", "page");
    await expect(header.getByRole("button", { name: "Menu" })).toBeHidden();
  }

  const footer = page.getByRole("contentinfo");
  for (const column of ["Product", "Company", "Legal"])
    await expect(footer.getByRole("navigation", { name: column }).getByRole("heading")).toHaveText(column);
  for (const href of ["/shop", "/about", "/privacy", "/terms", "/warranty"])
    await expect(footer.locator(`a[href="${href}"]`)).toBeVisible();
  await expect(footer.getByText("Keeps food fresh 3x longer.")).toBeVisible();
  await expect(footer.getByRole("link", { name: "Instagram" })).toBeVisible();

  await footer.scrollIntoViewIfNeeded();
  await expect(cartLink(page, 0), "the header is sticky").toBeInViewport();
});

test("the menu of a small screen traps the focus and closes on navigation", { tag: "@phone" }, async ({ page }) => {
  await open(page, "/");
  const button = page.getByRole("button", { name: "Menu", exact: true });
  await button.click();
  const menu = page.getByRole("dialog", { name: "Menu" });
  await expect(menu).toBeVisible();
  for (const [name, href] of Object.entries(mainLinks)) {
    await expect(menu.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
  }
  await expect(menu.getByRole("link", { name: "Sign In" })).toHaveAttribute("href", "/auth");
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press("Tab");
    const isInside = await menu.evaluate(
      (element) => element.contains(document.activeElement) || document.activeElement === document.body,
    );
    expect(isInside).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(button).toBeFocused();

  await button.click();
  await menu.getByRole("link", { name: "Shop", exact: true }).click();
  await expect(page).toHaveURL("/shop");
  await expect(menu).toBeHidden();
});

test("the first Tab stop skips to the content, and a bowl is added to the cart by keyboard alone", async ({ page }) => {
  await open(page, "/");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Pre-Order" })).toBeFocused();
  await page.keyboard.press("Enter");

  const main = page.getByRole("main");
  await expect(page.getByText(/^Showing 12 products$/)).toBeVisible();
  await tabTo(page, main.getByRole("link", { name: "Polara Pro Earth Green", exact: true }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Polara Pro Earth Green");
  await tabTo(page, main.getByRole("button", { name: "Add to Cart", exact: true }).first());
  await page.keyboard.press("Enter");
  await expectToast(page, "Added to cart", "Product has been added to your cart");
  await expect(cartLink(page, 1)).toBeVisible();
});
