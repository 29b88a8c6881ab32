import type { Page } from "@playwright/test";
import { cartLink, expect, expectAccessible, expectToast, fillCart, open, tabTo, test } from "../support/journey.ts";

const mainLinks = {
  Shop: "/shop",
  "How It Works": "/how-it-works",
  Science: "/science",
  About: "/about",
  Blog: "/blog",
  Support: "/support",
};

test("header and footer lead everywhere", { tag: "@both" }, async ({ page, isMobile }) => {
  await open(page, "/shop");
  const header = page.getByRole("banner");
  await expect(header.getByRole("link", { name: "Polara, home" })).toHaveAttribute("href", "/");
  await expect(cartLink(page, 0)).toHaveAttribute("href", "/cart");
  if (!isMobile) {
    const nav = header.getByRole("navigation", { name: "Main" });
    for (const [name, href] of Object.entries(mainLinks)) {
      await expect(nav.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
    }
    await expect(nav.getByRole("link", { name: "Shop" })).toHaveAttribute("aria-current", "page");
    await expect(header.getByRole("link", { name: "Sign In" })).toHaveAttribute("href", "/auth");
    await expect(header.getByRole("button", { name: "Menu" })).toBeHidden();
  }

  const footer = page.getByRole("contentinfo");
  for (const column of ["Product", "Company", "Legal"]) {
    const nav = footer.getByRole("navigation", { name: column });
    await expect(nav.getByRole("heading", { name: column })).toBeVisible();
    expect(await nav.getByRole("link").count()).toBeGreaterThan(1);
  }
  for (const href of ["/shop", "/about", "/privacy", "/terms", "/warranty"]) {
    await expect(footer.locator(`a[href="${href}"]`)).toBeVisible();
  }
  await expect(footer.getByText("Keeps food fresh 3x longer.")).toBeVisible();
  await expect(footer.getByRole("link", { name: "Instagram" })).toBeVisible();

  // The header stays where it is.
  await footer.scrollIntoViewIfNeeded();
  await expect(cartLink(page, 0)).toBeInViewport();
});

test("the first Tab skips to the content", async ({ page }) => {
  await open(page, "/");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Pre-Order" })).toBeFocused();
});

test("on a small screen the menu slides in, keeps the focus, and leads on", { tag: "@phone" }, async ({ page }) => {
  await open(page, "/");
  const button = page.getByRole("button", { name: "Menu", exact: true });
  await button.click();
  const menu = page.getByRole("dialog", { name: "Menu" });
  await expect(menu).toBeVisible();
  for (const [name, href] of Object.entries(mainLinks)) {
    await expect(menu.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
  }
  await expect(menu.getByRole("link", { name: "Sign In" })).toHaveAttribute("href", "/auth");
  await expectAccessible(page);
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

test("the badge counts to nine, then says more", async ({ page, database }) => {
  await fillCart(page, database, "ethylene-filter-2-pack", 9);
  await open(page, "/");
  await expect(cartLink(page, 9).getByText("9", { exact: true })).toBeVisible();
  await fillCart(page, database, "travel-sleeve");
  await open(page, "/shop");
  await expect(cartLink(page, 10).getByText("9+", { exact: true })).toBeVisible();
});

test("an unknown page is a 404 that says what was missed", async ({ page, expectErrors }) => {
  expectErrors(/status of 404/, /^Page not found: \/no\/such-page /);
  const logged = page.waitForEvent("console", (message) => message.text().includes("/no/such-page"));
  const response = await page.goto("/no/such-page");
  expect(response?.status()).toBe(404);
  expect((await logged).type()).toBe("error");
  await expect(page.getByText("404", { exact: true })).toBeVisible();
  await expect(page.getByText("Oops! Page not found", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("link", { name: "Pre-Order" })).toBeVisible();
});

test("Tab and Enter are enough to put a bowl into the cart", async ({ page }) => {
  await open(page, "/");
  const main = page.getByRole("main");
  const go = async (name: string, limit?: number) => {
    const link = main.getByRole("link", { name, exact: true });
    await expect(link).toBeVisible();
    await tabTo(page, link, limit);
    await page.keyboard.press("Enter");
  };
  await go("Pre-Order");
  await expect(page.getByText(/^Showing 12 products$/)).toBeVisible();
  await go("Polara Pro Earth Green");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Polara Pro Earth Green");
  await tabTo(page, main.getByRole("button", { name: "Add to Cart", exact: true }).first());
  await page.keyboard.press("Enter");
  await expectToast(page, "Added to cart", "Product has been added to your cart");
  await expect(cartLink(page, 1)).toBeVisible();
});

/** How much the page has moved under its reader since it began to load, scrolled to its end. */
async function layoutShift(page: Page): Promise<{ score: number; moved: string[] }> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight / 2) {
      scrollTo(0, y);
      await new Promise((done) => requestAnimationFrame(done));
    }
    await document.fonts.ready;
    const pictures = [...document.images].filter((picture) => picture.checkVisibility());
    for (const picture of pictures) picture.loading = "eager";
    await Promise.all(pictures.map((picture) => picture.decode()));
  });
  return page.evaluate(
    () =>
      new Promise((done) => {
        const shifts: { score: number; moved: string[] } = { score: 0, moved: [] };
        type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Element }[] };
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as Shift[]) {
            if (entry.hadRecentInput) continue;
            shifts.score += entry.value;
            shifts.moved.push(...entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 160) ?? ""));
          }
        }).observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => done(shifts)));
      }),
  );
}

for (const path of ["/", "/shop", "/product/polara-pro-midnight-black", "/cart"]) {
  test(`nothing moves under the reader of ${path}`, { tag: "@both" }, async ({ page, database }) => {
    await fillCart(page, database, "polara-pro-frost-white");
    await open(page, path);
    await expect(cartLink(page, 1)).toBeVisible();
    const { score, moved } = await layoutShift(page);
    expect(score, moved.join("\n")).toBeLessThan(0.001);
  });
}
