import type { Page } from "@playwright/test";
import { expect, test } from "../support/admin-journey.ts";
import { expectAccessible } from "../support/journey.ts";

async function opened(page: Page, name: string) {
  const section = page.getByRole("region", { name });
  await section.getByRole("heading", { name }).click();
  return section;
}

test("a manager changes shipping and plans a return window, and withdraws it", async ({
  page,
  office,
  expectErrors,
}) => {
  expectErrors(/status of 400/);
  await office.signIn(page, "manager", "Mara");
  await page.goto("/admin");
  await page.getByRole("link", { name: "Settings" }).click();
  await expect(page.getByText("Nothing has been changed yet.")).toBeVisible();
  await expectAccessible(page);
  const shipping = await opened(page, "Shipping");
  const freeFrom = shipping.getByLabel("Free at ($)");
  await freeFrom.fill("free");
  await shipping.getByRole("button", { name: "Save" }).click();
  await expect(shipping.getByText("Enter dollars, from $1 to $99,999")).toBeVisible();
  await freeFrom.fill("75");
  const method = (name: string) => shipping.getByRole("group", { name, exact: true });
  const boxes = ["Standard", "Express", "Overnight"].map((name) => method(name).getByLabel("Offered at checkout"));
  for (const box of boxes) await box.uncheck();
  await shipping.getByRole("button", { name: "Save" }).click();
  await expect(method("Standard").getByText("Offer at least one method")).toBeVisible();
  for (const box of boxes) await box.check();
  await method("Express").getByLabel("Free on larger orders").uncheck();
  await method("Express").getByLabel("Price ($)").fill("15");
  await shipping.getByRole("button", { name: "Save" }).click();
  await expect(shipping.getByText("Saved. Changes are live.")).toBeVisible();
  await expect(freeFrom).toHaveValue("75.00");

  const returns = await opened(page, "Returns");
  await returns.getByLabel("Return window").fill("14");
  await page.getByRole("link", { name: "Texts", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Leave without saving?" })).toBeVisible();
  await page.getByRole("button", { name: "Keep editing" }).click();
  await returns.getByLabel("Takes effect on").fill("2099-01-12");
  await returns.getByRole("button", { name: "Save" }).click();
  await expect(returns.getByText("Saved. It takes effect on January 12, 2099.")).toBeInViewport();
  await expect(returns.getByLabel("Return window")).toHaveValue("30");
  const history = page.getByRole("region", { name: "History" });
  await expect(history.getByRole("row")).toHaveCount(3);
  for (const change of [
    "Free at: $100 → $75",
    "Express free on larger orders: On → Off",
    "Express price: $19.99 → $15",
  ])
    await expect(history).toContainText(change);
  await expect(history).toContainText("Return window: 30 days → 14 days");
  await expectAccessible(page);
  await page.reload();
  await expect(returns.getByText("Planned for Jan 12, 2099")).toBeVisible();
  await returns.getByRole("button", { name: "Withdraw" }).click();
  await expect(returns.getByText("Withdrawn.")).toBeVisible();
  await expect(returns.getByText(/^Saved/)).toHaveCount(0);
  await expect(history.getByText("Withdrawn")).toHaveCount(1);
});

test("an owner chooses the ways to pay, keeps the card, and plans where tax is collected", async ({
  page,
  office,
  expectErrors,
}) => {
  expectErrors(/status of 400/);
  await office.signIn(page, "owner", "Olga");
  await page.goto("/admin/settings");
  const ways = await opened(page, "Ways to pay");
  await ways.getByLabel("Card").uncheck();
  await ways.getByLabel("Klarna").check();
  await ways.getByRole("button", { name: "Save" }).click();
  await expect(ways.getByText(/^Card must stay on/)).toBeVisible();
  await expect(ways.getByLabel("Klarna")).toBeChecked();
  await expectAccessible(page);
  await ways.getByLabel("Card").check();
  await ways.getByRole("button", { name: "Save" }).click();
  await expect(ways.getByText("Saved. Changes are live.")).toBeVisible();
  await expect(ways.getByLabel("Klarna")).toBeChecked();
  await expect(page.getByRole("region", { name: "History" })).toContainText("Klarna: Off → On");
  const tax = await opened(page, "Sales tax");
  await expect(tax.getByRole("group", { name: "Registered in" })).toContainText("None yet");
  await tax.locator("summary", { hasText: "Add states" }).click();
  await tax.getByLabel("Texas").check();
  await tax.getByLabel("Takes effect on").fill("2099-01-12");
  await tax.getByRole("button", { name: "Save" }).click();
  await expect(tax.getByText("Saved. It takes effect on January 12, 2099.")).toBeVisible();
  await expect(page.getByRole("region", { name: "History" })).toContainText("Texas: Off → On");
  await expectAccessible(page);
  await page.goto("/terms");
  await expect(
    page.getByText("Payment methods are credit and debit cards, Apple Pay, Google Pay, and Klarna."),
  ).toBeVisible();
});
