import type { Page } from "@playwright/test";
import { expect, expectAccessible, test as journey } from "../support/journey.ts";
import { giveEyes } from "../support/look.ts";
import { payBy } from "../support/pay-journey.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "../support/payment-sandbox.ts";

const test = journey.extend<{ sandbox: TestPaymentSandbox }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here.
  sandbox: async ({}, use) => {
    const sandbox = await startTestPaymentSandbox(process.env.E2E_DATABASE_URL ?? "");
    await use(sandbox);
    await sandbox.stop();
  },
});

async function expectWellMade(page: Page): Promise<void> {
  await expectAccessible(page);
  const faults = await page.evaluate(async () => {
    await look.settle();
    return [...look.sideways(), ...look.cutOff(), ...look.faintFields(), ...(await look.smallTargets())];
  });
  expect(faults, `on ${page.url()}`).toEqual([]);
}

test(
  "the payment sandbox's page, from a declined card to a paid and an expired one",
  { tag: ["@phone", "@nightly"] },
  async ({ page, context, sandbox, expectErrors }) => {
    expectErrors(/status of (402|410|422)/);
    await giveEyes(context);
    const session = await sandbox.stripe.checkout.sessions.create({
      mode: "payment",
      line_items: [
        {
          price_data: { currency: "usd", unit_amount: 9_900, product_data: { name: "Polara Pro Midnight Black" } },
          quantity: 2,
        },
        {
          price_data: { currency: "usd", unit_amount: 3_390, product_data: { name: "Express shipping" } },
          quantity: 1,
        },
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

    await payBy(page, "4000 0000 0000 9995");
    await expect(page.getByRole("alert")).toContainText("Your card has insufficient funds.");
    await expect(page.getByRole("alert")).toBeInViewport();
    await expect(page.getByLabel("Name on card")).toHaveValue("Ada Lovelace");
    await expect(page.getByLabel("Security code")).toHaveValue("");
    await expectWellMade(page);

    await payBy(page, "4000 0000 0000 3220");
    await expect(page.getByRole("heading", { name: "Is this you?" })).toBeVisible();
    await expectWellMade(page);
    await page.getByRole("button", { name: "Complete authentication" }).click();
    await expect(page).toHaveURL(`${process.env.E2E_URL}/shop?session=${session.id}`);

    await page.goto(address);
    await expect(page.getByRole("heading", { name: "This is paid" })).toBeVisible();
    await expectWellMade(page);

    const expired = await sandbox.stripe.checkout.sessions.create({
      mode: "payment",
      line_items: [
        { price_data: { currency: "usd", unit_amount: 900, product_data: { name: "Filter" } }, quantity: 1 },
      ],
      payment_intent_data: { capture_method: "manual" },
      success_url: `${process.env.E2E_URL}/shop`,
    });
    await sandbox.stripe.checkout.sessions.expire(expired.id);
    await page.goto(expired.url ?? "");
    await expect(page.getByRole("heading", { name: "This page has expired" })).toBeVisible();
    await expectWellMade(page);
  },
);
