import type { Page } from "@playwright/test";
import { cartTotals } from "#shop/cart/totals.ts";
import { formatMoney } from "#shop/money.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { CART_MESSAGES } from "#app/ui/order/cart-messages.ts";
import { cartLink, expect, expectToast, fillCart, holdBack, open, test } from "../support/journey.ts";
import { productId } from "../support/screens.ts";

const summary = (page: Page) => page.getByRole("region", { name: "Order Summary" });
const line = (page: Page, name: string) =>
  page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name, exact: true }) });

/** The summary of a cart with this subtotal, as it reads. */
function sums(subtotal: number): string {
  const { shippingCents, totalCents } = cartTotals(FIRST_SETTINGS.shipping, [
    { unitPriceCents: subtotal, quantity: 1 },
  ]);
  const shipping = shippingCents === 0 ? "FREE" : formatMoney(shippingCents);
  return `Subtotal${formatMoney(subtotal)}Shipping${shipping}TaxCalculated at checkoutTotal${formatMoney(totalCents)}`;
}

async function expectGap(page: Page, subtotal: number) {
  const gap = FIRST_SETTINGS.shipping.freeFromCents - subtotal;
  if (gap <= 0) await expect(page.getByText(/more for free shipping/)).toBeHidden();
  else await expect(page.getByText(`Add ${formatMoney(gap)} more for free shipping`, { exact: true })).toBeVisible();
}

const quantity = (page: Page, name: string) => line(page, name).getByRole("status", { name: "Quantity" });

test("lines change and are removed, with the right totals", async ({ page, database }) => {
  await fillCart(page, database, "ethylene-filter-2-pack");
  await fillCart(page, database, "polara-classic-frost-white");
  await fillCart(page, database, "ethylene-filter-2-pack");
  // As a press before hydration leads there.
  await open(page, "/cart?problem=capped");
  await expect(page.getByText(CART_MESSAGES.capped)).toBeVisible();
  await expect(summary(page)).toContainText("Nothing to pay today");

  // Adding a product twice makes one line of two.
  await expect(quantity(page, "Ethylene Filter 2-Pack")).toHaveText("2");
  await expect(line(page, "Ethylene Filter 2-Pack")).toContainText("$48.00");
  await expect(summary(page)).toContainText(sums(137_00));
  await expectGap(page, 137_00);
  await expect(cartLink(page, 3)).toBeVisible();

  await page.getByRole("button", { name: "Remove Polara Classic Frost White" }).click();
  await expectToast(page, "Removed from cart", "Item has been removed from your cart");
  await expect(line(page, "Polara Classic Frost White")).toHaveCount(0);
  await expect(page.getByText(CART_MESSAGES.capped)).toHaveCount(0);
  await expect(summary(page)).toContainText(sums(48_00));
  await expectGap(page, 48_00);

  await line(page, "Ethylene Filter 2-Pack").getByRole("button", { name: "Decrease quantity" }).click();
  await expect(summary(page)).toContainText(sums(24_00));
  await expectGap(page, 24_00);
  await expect(line(page, "Ethylene Filter 2-Pack").getByRole("button", { name: "Decrease quantity" })).toBeDisabled();
  await expect(cartLink(page, 1)).toBeVisible();
  await expect(
    line(page, "Ethylene Filter 2-Pack").getByRole("link", { name: "Ethylene Filter 2-Pack" }),
  ).toHaveAttribute("href", "/product/ethylene-filter-2-pack");

  await page.getByRole("button", { name: "Clear cart" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your cart is empty");
  await expect(page.getByRole("link", { name: "Continue Shopping" })).toHaveAttribute("href", "/shop");
  await expect(cartLink(page, 0)).toBeVisible();
});

test("ten lines fit at 360 px", { tag: "@phone" }, async ({ page, database }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await fillCart(page, database, "polara-pro-midnight-black", 10);
  await fillCart(page, database, "lid-gasket-set");
  for (const path of ["/cart", "/checkout"]) {
    await open(page, path);
    const isWide = await page.evaluate(
      () => (document.scrollingElement?.scrollWidth ?? 0) > innerWidth || innerWidth > 360,
    );
    expect(isWide, path).toBe(false);
  }
});

test("a line is limited to ten or the stock", async ({ page, database }) => {
  await fillCart(page, database, "ethylene-filter-2-pack", 9);
  await open(page, "/cart");
  await expect(cartLink(page, 9).getByText("9", { exact: true })).toBeVisible();
  await fillCart(page, database, "lid-gasket-set", 2);
  await open(page, "/cart");
  for (const [name, most] of [
    ["Ethylene Filter 2-Pack", "10"],
    ["Lid Gasket Set", "3"],
  ] as const) {
    const increase = line(page, name).getByRole("button", { name: "Increase quantity" });
    await increase.click();
    await expect(quantity(page, name)).toHaveText(most);
    await expect(increase).toBeDisabled();
  }
  await expect(cartLink(page, 13).getByText("9+", { exact: true })).toBeVisible();
});

test("a quantity changes at once, sums with the server's answer, and quick presses all count", async ({
  page,
  database,
}) => {
  await fillCart(page, database, "travel-sleeve");
  await open(page, "/cart");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (/\/cart\/update/.test(request.url())) sent.push(/\d+$/.exec(request.postData() ?? "")?.[0] ?? "");
  });
  const release = await holdBack(page, /\/cart\/update/);
  const increase = page.getByRole("button", { name: "Increase quantity" });
  for (let presses = 0; presses < 4; presses++) await increase.click();
  await expect(quantity(page, "Travel Sleeve")).toHaveText("5");
  await expect(summary(page)).toContainText("Subtotal$19.00");
  release();
  await expect(summary(page)).toContainText("Subtotal$95.00");
  await expect(cartLink(page, 5)).toBeVisible();
  await expect(quantity(page, "Travel Sleeve")).toHaveText("5");
  // A change given up halfway could arrive after the one that replaced it.
  expect(sent).toEqual(["2", "5"]);
  await open(page, "/cart");
  await expect(quantity(page, "Travel Sleeve")).toHaveText("5");
});

test("a failed change is reverted with a message", async ({ page, database, expectErrors }) => {
  expectErrors(/ERR_FAILED/, /status of 503/);
  await fillCart(page, database, "travel-sleeve", 2);
  await open(page, "/cart");

  await page.route(/\/cart\/(update|remove)/, (route) => route.abort());
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await expectToast(page, "Error", "Failed to update quantity");
  await expect(quantity(page, "Travel Sleeve")).toHaveText("2");
  await page.getByRole("button", { name: "Remove Travel Sleeve" }).click();
  await expectToast(page, "Error", "Failed to remove item");
  await expect(quantity(page, "Travel Sleeve")).toHaveText("2");

  await page.unroute(/\/cart\/(update|remove)/);
  await page.route(/\/cart\/update/, (route) => route.fulfill({ status: 503, body: "unavailable" }));
  await page.getByRole("button", { name: "Decrease quantity" }).click();
  await expect(page.getByText("Failed to update quantity").nth(1)).toBeAttached();
  await expect(quantity(page, "Travel Sleeve")).toHaveText("2");
  await expect(page).toHaveURL("/cart");
  await expect(summary(page)).toContainText("Subtotal$38.00");
});

test("two tabs share one cart", async ({ page, context, database, expectErrors }) => {
  expectErrors(/status of 404/);
  await fillCart(page, database, "travel-sleeve");
  await open(page, "/cart");
  const [other, third] = [await context.newPage(), await context.newPage()];
  await open(other, "/cart");
  await open(third, "/cart");
  for (const tab of [third, other]) {
    // A line that the other tab removed first stays removed.
    await tab.getByRole("button", { name: "Remove Travel Sleeve" }).click();
    await expectToast(tab, "Removed from cart", "Item has been removed from your cart");
    await expect(tab.getByRole("heading", { level: 1 })).toHaveText("Your cart is empty");
    await tab.close();
  }

  // The line that this tab still shows is gone: the change is refused, and the page tells the truth.
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await expectToast(page, "Error", "Failed to update quantity");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your cart is empty");
});

test("products that cannot be bought are refused with a message", async ({ page, database, expectErrors }) => {
  expectErrors(/status of 409/);
  await open(page, "/shop?category=Classic");
  // The page still shows stock that is gone.
  const id = await productId(database, "polara-classic-earth-green");
  const shown = await productId(database, "polara-classic-frost-white");
  await page.route(/\/cart\/add/, (route) =>
    route.continue({ postData: route.request().postData()?.replace(shown, id) ?? "" }),
  );
  const card = page.getByRole("article").filter({ hasText: "Polara Classic Frost White" });
  await card.hover();
  await card.getByRole("button", { name: /^Add to Cart/ }).click();
  await expectToast(page, "Error", "This product is out of stock.");
  await expect(cartLink(page, 0)).toBeVisible();
});
