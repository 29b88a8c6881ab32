/** Paying with PayPal, in a shop that takes cards too: declined, approved, shipped and refunded. */
import type { Page } from "@playwright/test";
import { expect, shipAndRefund, test } from "../support/admin-journey.ts";
import { expectAccessible, fillAddress, someEmail } from "../support/journey.ts";
import { putInCart } from "../support/pay-journey.ts";

test.use({ changed: { payments: { paypal: true } } });

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const way = (page: Page, name: string) => page.getByRole("radio", { name: new RegExp(`^${name}`) });

test("a buyer who is declined first pays with PayPal, and staff ship and refund", async ({ browser, office, page }) => {
  await putInCart(page, office);
  await page.goto("/checkout");
  await expect(way(page, "Card and more")).toBeChecked();
  await expectAccessible(page);
  await fillAddress(page, { Email: someEmail() });
  await way(page, "PayPal").check();
  await page.getByRole("button", { name: /^Continue to Payment, \$/ }).click();
  await expect(heading(page)).toHaveText("Pay with PayPal");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Cancel and return" }).click();
  await expect(heading(page)).toHaveText("Waiting for your payment");
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByText("Accounts to try").click();
  await page.getByRole("button", { name: "Approves, but is declined" }).click();
  await expect(heading(page)).toHaveText("Waiting for your payment");
  await expect(page.getByText("Your last payment didn’t go through.")).toBeVisible();
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("button", { name: "Pay $28.99" }).click();
  await expect(heading(page)).toHaveText("We’re getting it ready");
  await expect(page.getByText("PayPal").first()).toBeVisible();

  const staff = await (await browser.newContext({ baseURL: office.url })).newPage();
  await office.signIn(staff, "manager");
  const id = /orders\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? "";
  await staff.goto(`/admin/orders/${id}`);
  await expect(staff.getByText("Authorized $28.99, PayPal")).toBeVisible();
  await shipAndRefund(staff, 88_201);
  await page.reload();
  await expect(heading(page)).toHaveText("On its way");
  await expect(page.getByText(/\$4\.50/).first()).toBeVisible();
});
