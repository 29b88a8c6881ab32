/** The checkout of a shop that collects sales tax: taxed and untaxed states, another ZIP code, and no answer. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, fillAddress, someEmail, test as journey } from "../support/journey.ts";
import { startOwnPayingShop } from "../support/own-shop.ts";
import { putInCart } from "../support/pay-journey.ts";

const test = journey.extend<{ taxing: Awaited<ReturnType<typeof startOwnPayingShop>> }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here.
  taxing: async ({}, use) => {
    const shop = await startOwnPayingShop({
      changed: { tax: { TX: true, CA: true } },
      env: { TAX: "stripe" },
    });
    await use(shop);
    await shop.stop();
  },
  baseURL: async ({ taxing }, use) => use(taxing.url),
});

const button = (page: Page, total?: string) =>
  page.getByRole("button", { name: total ? `Continue to Payment, ${total}` : /^Continue to Payment$/ });
const state = (page: Page) => page.getByRole("combobox", { name: "State" });
const zip = (page: Page) => page.getByRole("textbox", { name: "ZIP code" });

test(
  "the tax follows state and ZIP code as they are typed",
  { tag: "@phone" },
  async ({ page, taxing, expectErrors }) => {
    expectErrors(/status of 503/);
    await putInCart(page, taxing);
    await page.goto("/checkout");
    await expect(button(page)).toBeVisible();
    await fillAddress(page, { Email: someEmail() });
    await expect(button(page, "$28.99")).toBeVisible();
    await state(page).selectOption("TX");
    await zip(page).fill("78701");
    await expect(button(page, "$31.38")).toBeVisible();
    await state(page).selectOption("CA");
    await zip(page).fill("94103");
    await expect(button(page, "$30.37")).toBeVisible();
    await expectAccessible(page);
    await taxing.sandbox.control({ do: "fail", order: { on: "call", fault: "cut", path: "/v1/tax/calculations" } });
    await zip(page).fill("94104");
    const away = page.getByText("We couldn’t calculate the sales tax just now.");
    await expect(away).toBeAttached();
    const summary = page.getByText("Show order summary");
    if (await summary.isVisible()) await summary.click();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(away).toHaveCount(0);
    await button(page, "$30.37").click();
    await expect(page.getByText("Test mode")).toBeVisible();
    await expect(page.getByText("$30.37").first()).toBeVisible();
  },
);
