/** Five people ask for a sold-out product without JavaScript, and one unit comes back. */
import { expect, test } from "../support/admin-journey.ts";
import { someEmail } from "../support/journey.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { setUnits } from "../support/stock.ts";
import { sendBackInStock } from "#shop/consents/back-in-stock.server.ts";

const SLUG = "lid-gasket-set";

test("three of five who asked are told of one unit, and one unsubscribes by one press", async ({ browser, office }) => {
  await setUnits(office.pool, SLUG, 0);
  const context = await browser.newContext({ baseURL: office.url, javaScriptEnabled: false });
  const page = await context.newPage();
  const emails = Array.from({ length: 5 }, () => someEmail());
  // The cached page hears of the stock a moment later.
  await expect(async () => {
    await page.goto(`/product/${SLUG}`);
    await expect(page.getByText("Out of Stock").first()).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 15_000 });
  await page.getByLabel("Email me when it’s available").fill("ada@example");
  await page.getByRole("button", { name: "Email me" }).click();
  await expect(page.getByRole("alert")).toHaveText("Please enter a valid email address");
  await expect(page.getByLabel("Email me when it’s available")).toHaveValue("ada@example");
  for (const email of emails) {
    await page.goto(`/product/${SLUG}`);
    await page.getByLabel("Email me when it’s available").fill(email);
    await page.getByRole("button", { name: "Email me" }).click();
    await expect(page.getByRole("status")).toHaveText("Noted. We’ll email you once, when it’s available.");
  }
  await page.getByRole("link", { name: "Back to the product" }).click();
  await expect(page).toHaveURL(`/product/${SLUG}`);

  const staff = await (await browser.newContext({ baseURL: office.url })).newPage();
  await office.signIn(staff, "manager");
  const { rows } = await office.pool.query("SELECT id FROM products WHERE slug = $1", [SLUG]);
  await staff.goto(`/admin/products/${rows[0].id}`);
  await expect(staff.getByText("5 people asked for an email when it’s available.")).toBeVisible();

  await setUnits(office.pool, SLUG, 1);
  expect(await sendBackInStock(office.db)).toBe(3);
  const mails = [];
  for (const email of emails.slice(0, 3)) mails.push(await emailTo(office.url, email, "Lid Gasket Set is available"));
  await staff.reload();
  await expect(staff.getByText("2 people asked for an email when it’s available.")).toBeVisible();
  const [, key = ""] = /unsubscribe\?k=(\S+)/.exec(mails[0]!.text) ?? [];
  await page.goto(`/unsubscribe?k=${key}`);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(page.getByRole("heading", { name: "You’re unsubscribed" })).toBeVisible();
  await page.goto(linkIn(mails[1]!, `/product/${SLUG}`));
  await expect(page.getByRole("region", { name: "Buy" })).toContainText("Only 1 left");
  const { rowCount } = await office.pool.query("SELECT FROM consents WHERE email = $1 AND withdrawn_at IS NOT NULL", [
    emails[0],
  ]);
  expect(rowCount).toBe(1);
});
