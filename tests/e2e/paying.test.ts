/** From the cart to a paid order and what may come between, on a shop of its own that sends its buyers to another origin to pay. */
import type { Page } from "@playwright/test";
import {
  expect,
  expectAccessible,
  expectToast,
  fillAddress,
  open,
  someEmail,
  test as journey,
} from "../support/journey.ts";
import { startOwnPayingShop, type OwnShop } from "../support/own-shop.ts";
import { order, payBy, putInCart, sendCheckout } from "../support/pay-journey.ts";
import { giveTranslator } from "../support/translator.ts";

const test = journey.extend<{ paying: OwnShop }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here.
  paying: async ({}, use) => {
    const shop = await startOwnPayingShop({ changed: { payments: { paypal: true } } });
    await use(shop);
    await shop.stop();
  },
  baseURL: async ({ paying }, use) => use(paying.url),
});

// A declined card is answered with 402.
test.beforeEach(({ expectErrors }) => expectErrors(/status of (402|410)/));

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

async function expectPaid(page: Page, lastFour: string): Promise<void> {
  await expect(heading(page)).toHaveText("We’re getting it ready");
  await expect(page.getByText(`ending in ${lastFour}`).first()).toBeVisible();
}

test("a buyer pays by card after declined ones and a failed bank challenge, and then with PayPal", async ({
  page,
  paying,
}) => {
  await putInCart(page, paying);
  await page.goto("/checkout");
  await expect(page.getByText("Payment will be available later")).toHaveCount(0);
  await expectAccessible(page);
  await order(page);
  await payBy(page, "4000000000000002");
  await expect(page.getByRole("alert")).toContainText("Your card was declined.");
  await payBy(page, "4000000000009995");
  await expect(page.getByRole("alert")).toContainText("Your card has insufficient funds.");
  await payBy(page, "4000000000003220");
  await page.getByRole("button", { name: "Fail authentication" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await payBy(page, "4000000000003220");
  await page.getByRole("button", { name: "Complete authentication" }).click();
  await expectPaid(page, "3220");
  await expectToast(page, "Order placed!", "Your order has been successfully placed.");
  // The cart is empty after the order.
  await page.goto("/checkout");
  await expect(page.getByText("Your cart is empty")).toBeVisible();

  await putInCart(page, paying);
  await page.goto("/checkout");
  await expect(page.getByRole("radio", { name: /^Card and more/ })).toBeChecked();
  await page.getByRole("radio", { name: /^PayPal/ }).check();
  await fillAddress(page, { Email: someEmail() });
  await page.getByRole("button", { name: /^Continue to Payment, \$/ }).click();
  await expect(heading(page)).toHaveText("Pay with PayPal");
  await page.getByText("Accounts to try").click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Pay $28.99" }).click();
  await expect(heading(page)).toHaveText("We’re getting it ready");
  await expect(page.getByText("PayPal").first()).toBeVisible();
});

test(
  "a checkout that the browser has translated goes on to the payment",
  { tag: "@nightly" },
  async ({ page, paying }) => {
    await giveTranslator(page.context());
    await putInCart(page, paying);
    await open(page, "/checkout");
    await page.evaluate(() => translator.begin());
    await sendCheckout(page);
    await payBy(page, "4242424242424242");
    await expectPaid(page, "4242");
  },
);
