/** An order on the phone: keyed in on one screen, then paid by a link. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/admin-journey.ts";
import { expectAccessible, someEmail } from "../support/journey.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { payBy } from "../support/pay-journey.ts";

/** From the first field to the last by the keyboard alone, but for what a select chooses. */
async function keyIn(staff: Page, email: string): Promise<void> {
  await staff.goto("/admin/orders");
  await staff.getByRole("link", { name: "Create order" }).click();
  await expect(staff.getByRole("searchbox", { name: "Customer" })).toBeFocused();
  await staff.getByLabel("Product 1").fill("dock");
  await staff.getByLabel("Product 2").fill("sleeve");
  await staff.getByLabel("Quantity 2").fill("2");
  await staff.getByLabel("Email").fill(email);
  const typed = ["212 555 0100", "Ada", "Lovelace", "12 Analytical Ave", "", "New York"];
  for (const text of typed) {
    await staff.keyboard.press("Tab");
    await staff.keyboard.type(text);
  }
  await staff.getByLabel("State").selectOption("NY");
  await staff.getByLabel("ZIP code").fill("10001");
}

test("an order on the phone is keyed in, and paid by a link", async ({ browser, office, page }) => {
  const staff = await (await browser.newContext({ baseURL: office.url })).newPage();
  await office.signIn(staff, "support", "Sam Support");
  const email = someEmail();
  await keyIn(staff, email);
  await staff.keyboard.press("Enter");
  await expect(staff.getByText(/^The total is \$/)).toBeVisible();
  await expectAccessible(staff);
  await staff.getByRole("button", { name: "Create order" }).click();
  await expect(staff.getByRole("heading", { level: 1 })).toContainText("Order");
  const number = /orders\/([0-9a-f]{8})/.exec(staff.url())?.[1] ?? "";
  const mail = await emailTo(office.url, email, `Pay for your Polara order ${number}`);
  const path = new URL(staff.url()).pathname.replace("/admin", "");
  await expect(staff.getByText(/The items are reserved until/)).toBeVisible();
  await expect(staff.getByText(linkIn(mail, path))).toBeVisible();
  await page.goto(linkIn(mail, path));
  await expect(page.getByText(/Reserved until/)).toBeVisible();
  await page.getByRole("button", { name: "Pay now" }).click();
  await payBy(page, "4242 4242 4242 4242");
  await expect(page).toHaveURL(/\/orders\//);
  expect((await emailTo(office.url, email, `Your Polara order ${number}`)).text).toContain("We’ve authorized $");
});
