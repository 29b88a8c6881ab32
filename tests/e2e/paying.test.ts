/** From the cart to a paid order and what may come between, on a shop of its own that sends its buyers to another origin to pay. */
import type { Page } from "@playwright/test";
import { Pool } from "pg";
import { createDatabase } from "../support/database.setup.ts";
import { cartLink, expect, expectAccessible, expectToast, test as journey } from "../support/journey.ts";
import { order, payBy, putInCart } from "../support/pay-journey.ts";
import { startTestPaymentSandbox } from "../support/payment-sandbox.ts";
import { freePort, startShop } from "../support/shop.ts";

type Paying = { url: string; pool: Pool };

const test = journey.extend<object, { paying: Paying }>({
  paying: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const database = await createDatabase(process.env.E2E_SERVER ?? "", process.env.E2E_TEMPLATE ?? "");
      const port = String(await freePort());
      const sandbox = await startTestPaymentSandbox(database.url, `http://localhost:${port}/payments/stripe/events`);
      const shop = await startShop({
        PORT: port,
        DATABASE_URL: database.url,
        PAYMENTS: "stripe",
        STRIPE_SECRET_KEY: sandbox.secretKey,
        STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret,
        STRIPE_API_URL: sandbox.apiUrl,
      });
      const pool = new Pool({ connectionString: database.url, max: 1 });
      await use({ url: shop.url, pool });
      await pool.end();
      await shop.stop();
      await sandbox.stop();
      await database.drop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ paying }, use) => use(paying.url),
});

// A declined card is answered with 402.
test.beforeEach(({ expectErrors }) => expectErrors(/status of (402|410)/));

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

async function expectPaid(page: Page, lastFour: string): Promise<void> {
  await expect(heading(page)).toHaveText("We are getting it ready");
  await expect(page.getByText(`ending in ${lastFour}`).first()).toBeVisible();
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });
    const settled = async (page: Page) => javaScriptEnabled && expectAccessible(page);

    test(
      "a buyer pays after cards that were declined and a bank that said no",
      { tag: "@both" },
      async ({ page, paying }) => {
        await putInCart(page, paying);
        await page.goto("/checkout");
        await expect(page.getByText("Payment will be available later")).toHaveCount(0);
        await settled(page);
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
        if (javaScriptEnabled) await expectToast(page, "Order placed!", "Your order has been successfully placed.");
        await settled(page);
        // Whoever comes back to the checkout has nothing left to order.
        await page.goto("/checkout");
        await expect(page.getByText("Your cart is empty")).toBeVisible();
      },
    );

    test("a buyer comes back, changes the order and pays the new one", { tag: "@both" }, async ({ page, paying }) => {
      await putInCart(page, paying);
      await order(page);
      await page.getByRole("link", { name: "Do not pay, go back" }).click();
      await expect(heading(page)).toHaveText("Waiting for your payment");
      await settled(page);
      const former = page.url();
      await page.getByRole("link", { name: "Change my order" }).click();
      await page.getByRole("button", { name: "Back to my cart" }).click();
      await expect(page).toHaveURL("/cart");
      await expect(page.getByRole("main").getByRole("link", { name: "Travel Sleeve" }).first()).toBeVisible();
      await order(page);
      await page.getByRole("link", { name: "Do not pay, go back" }).click();
      await page.getByRole("button", { name: "Pay now" }).click();
      await page.getByRole("button", { name: "Simulate Apple Pay" }).click();
      await expectPaid(page, "4242");
      await page.goto(former);
      await expect(heading(page)).toHaveText("Canceled");
    });

    test("a paid order is canceled and not charged", async ({ page, paying }) => {
      await putInCart(page, paying);
      await order(page);
      await payBy(page, "4242424242424242");
      await expectPaid(page, "4242");
      const id = page.url().slice(-36);
      await page.getByRole("link", { name: "Cancel order" }).click();
      await page.getByRole("button", { name: "Cancel order" }).click();
      await expect(heading(page)).toHaveText("Canceled");
      await settled(page);
      const states = async () =>
        (await paying.pool.query("SELECT state, captured FROM payments WHERE order_id = $1", [id])).rows;
      await expect.poll(states).toEqual([{ state: "closed", captured: 0 }]);
    });
  });
}

test(
  "an order that nobody pays in time lapses, and is in the cart again",
  { tag: "@both" },
  async ({ page, paying }) => {
    await putInCart(page, paying);
    const email = await order(page);
    const paid = page.url();
    await paying.pool.query("UPDATE orders SET hold_until = now() WHERE email = $1", [email]);
    const status = async () => (await paying.pool.query("SELECT status FROM orders WHERE email = $1", [email])).rows;
    await expect.poll(status).toEqual([{ status: "lapsed" }]);
    const { rows } = await paying.pool.query("SELECT id FROM orders WHERE email = $1", [email]);
    await page.goto(`/orders/${rows[0].id}`);
    await expect(heading(page)).toHaveText("This order was not paid in time");
    await expectAccessible(page);
    await expect(cartLink(page, 1)).toBeVisible();
    // The page where it could have been paid is closed, and leads back.
    await page.goto(paid);
    await expect(heading(page)).toHaveText("This page has expired");
  },
);

test.describe("each of the other test cards", () => {
  test.use({ javaScriptEnabled: false });
  const cards = [
    "5555555555554444",
    "378282246310005",
    "4000000000000259",
    "4000000000007726",
    "4000000000005126",
    "4000000000004400",
  ];

  for (const number of cards) {
    test(`authorizes an order: ${number.slice(-4)}`, async ({ page, paying }) => {
      await putInCart(page, paying);
      await order(page);
      await payBy(page, number);
      await expectPaid(page, number.slice(-4));
    });
  }

  test("says why: expired, and a wrong security code", async ({ page, paying }) => {
    await putInCart(page, paying);
    await order(page);
    await payBy(page, "4000000000000069");
    await expect(page.getByRole("alert")).toContainText("Your card has expired.");
    await payBy(page, "4000000000000127");
    await expect(page.getByRole("alert")).toContainText("security code is incorrect");
  });
});
