/** The payment sandbox's page as somebody sees it: a declined card, the bank's question, and what is left when all is done. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test as journey } from "../support/journey.ts";
import { giveEyes } from "../support/look.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "../support/payment-sandbox.ts";

const test = journey.extend<object, { sandbox: TestPaymentSandbox }>({
  sandbox: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const sandbox = await startTestPaymentSandbox(process.env.E2E_DATABASE_URL ?? "");
      await use(sandbox);
      await sandbox.stop();
    },
    { scope: "worker" },
  ],
});

/** The page has no script; what is asked here comes from outside. */
async function expectWellMade(page: Page): Promise<void> {
  await expectAccessible(page);
  const faults = await page.evaluate(async () => {
    await look.settle();
    return [
      ...look.sideways(),
      ...look.cutOff(),
      ...look.covered(),
      ...look.faintFields(),
      ...(await look.smallTargets()),
    ];
  });
  expect(faults, `on ${page.url()}`).toEqual([]);
}

async function pay(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expires").fill("12 / 40");
  await page.getByLabel("Security code").fill("123");
  await page.getByLabel("Name on card").fill("Ada Lovelace");
  await page.getByLabel("ZIP code").fill("10001");
  await page.getByRole("button", { name: "Pay $231.90" }).click();
}

test("somebody pays in test mode", { tag: "@both" }, async ({ page, context, sandbox, expectErrors }) => {
  expectErrors(/status of (402|410|422)/);
  await giveEyes(context);
  const session = await sandbox.stripe.checkout.sessions.create({
    mode: "payment",
    line_items: [
      {
        price_data: { currency: "usd", unit_amount: 9_900, product_data: { name: "Polara Pro Midnight Black" } },
        quantity: 2,
      },
      { price_data: { currency: "usd", unit_amount: 3_390, product_data: { name: "Express shipping" } }, quantity: 1 },
    ],
    payment_intent_data: { capture_method: "manual" },
    success_url: `${process.env.E2E_URL}/shop?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${process.env.E2E_URL}/cart`,
  });
  const address = session.url ?? "";

  await page.goto(address);
  await expect(page.getByText("Test mode")).toBeVisible();
  await page.getByText("Test cards to try").click();
  await expectWellMade(page);

  await page.getByRole("button", { name: "Pay $231.90" }).click();
  await expect(page.getByLabel("Card number")).toBeFocused();
  await expect(page.getByLabel("ZIP code")).toHaveAccessibleDescription("Enter a ZIP code of 5 digits.");
  await expectWellMade(page);

  await pay(page, "4000 0000 0000 9995");
  await expect(page.getByRole("alert")).toContainText("Your card has insufficient funds.");
  await expect(page.getByRole("alert")).toBeInViewport();
  await expect(page.getByLabel("Name on card")).toHaveValue("Ada Lovelace");
  await expect(page.getByLabel("Security code")).toHaveValue("");
  await expectWellMade(page);

  await pay(page, "4000 0000 0000 3220");
  await expect(page.getByRole("heading", { name: "Is it you who pays?" })).toBeVisible();
  await expectWellMade(page);
  await page.getByRole("button", { name: "Complete authentication" }).click();
  await expect(page).toHaveURL(`${process.env.E2E_URL}/shop?session=${session.id}`);

  await page.goto(address);
  await expect(page.getByRole("heading", { name: "This is paid" })).toBeVisible();
  await expectWellMade(page);

  const expired = await sandbox.stripe.checkout.sessions.create({
    mode: "payment",
    line_items: [{ price_data: { currency: "usd", unit_amount: 900, product_data: { name: "Filter" } }, quantity: 1 }],
    success_url: `${process.env.E2E_URL}/shop`,
  });
  await sandbox.stripe.checkout.sessions.expire(expired.id);
  await page.goto(expired.url ?? "");
  await expect(page.getByRole("heading", { name: "This page has expired" })).toBeVisible();
  await expectWellMade(page);
});
