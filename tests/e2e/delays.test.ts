/** A delay from the email of its notice to its end: kept or declined. */
import type { Page } from "@playwright/test";
import type { Pool } from "pg";
import { openDatabase } from "#db/connection.server.ts";
import { carryOutDelays } from "#shop/fulfillment/delay.server.ts";
import { expect, expectAccessible, fillCart, placeOrder, someEmail, test } from "../support/journey.ts";
import { emailTo, type MailboxEmail } from "../support/mailbox.ts";

const url = () => process.env.E2E_URL ?? "";
const SLUG = "travel-sleeve";

/** Does what has fallen due, as the shop does each minute. */
async function carryOut(): Promise<void> {
  const { db, pool } = openDatabase(process.env.E2E_DATABASE_URL ?? "", 1);
  const fail = (error: unknown) => {
    throw error;
  };
  await carryOutDelays(db, fail).finally(() => pool.end());
}

/** An order whose promised day has come, and the email of its notice. */
async function delayedOrder(page: Page, database: Pool): Promise<{ id: string; email: string; notice: MailboxEmail }> {
  await fillCart(page, database, SLUG);
  const email = someEmail();
  const id = await placeOrder(page, email);
  await database.query(
    "UPDATE orders SET promised_on = (now() AT TIME ZONE 'America/New_York')::date - 1 WHERE id = $1",
    [id],
  );
  await carryOut();
  return { id, email, notice: await emailTo(url(), email, "ships later") };
}

const linkOf = ({ links }: MailboxEmail, intent: string) =>
  links.find((link) => link.endsWith(`&intent=${intent}`)) ?? "";

test("a delay is kept by the button of its email", async ({ page, database }) => {
  const { id, notice } = await delayedOrder(page, database);
  expect(notice.text).toContain("We can’t say yet when it will ship.");
  expect(notice.text).toContain("we’ll cancel your order for you");
  await page.context().clearCookies();
  await page.goto(linkOf(notice, "keep"));
  await expect(page).toHaveURL(`${url()}/orders/${id}?intent=keep`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your order is delayed");
  const question = page.getByRole("region", { name: "Keep this order?" });
  await expect(question).toContainText("We’ll email you the day as soon as we know it.");
  await expectAccessible(page);
  await question.getByRole("button", { name: "Keep my order" }).click();
  await expect(page.getByText("You chose to wait")).toBeVisible();
  await expect(page.getByText("Thanks for waiting.", { exact: false }).first()).toBeVisible();
  await database.query("UPDATE orders SET delay_answer_by = delay_answer_by - 400 WHERE id = $1", [id]);
  await carryOut();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your order is delayed");
  // The right to cancel goes on.
  await expect(page.getByRole("link", { name: "Cancel order" })).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a delay is declined by the button of its email", async ({ page, database }) => {
    const { id, email, notice } = await delayedOrder(page, database);
    await page.context().clearCookies();
    await page.goto(linkOf(notice, "cancel"));
    const question = page.getByRole("region", { name: "Cancel this order?" });
    await question.getByRole("button", { name: "Cancel order" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Canceled");
    await expect(page.getByText("Canceled by you")).toBeVisible();
    await emailTo(url(), email, `order ${id.slice(0, 8)} is canceled`);
  });
});
