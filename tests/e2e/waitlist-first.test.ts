/** A product is opened to the waitlist first, and its invited buyer is greeted. */
import { expect, test } from "../support/admin-journey.ts";
import { expectAccessible, expectToast, someEmail } from "../support/journey.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { sendInvitations } from "#shop/waitlist/invitations.server.ts";

const OPENS = "for everyone starting January 1, 2099";

test("an invited buyer is led to the product that a manager has named", async ({ browser, office, page }) => {
  const email = someEmail();
  // People who joined earlier are invited earlier.
  await office.pool.query("DELETE FROM waitlist");
  await office.pool.query(
    `WITH person AS (INSERT INTO users (email, name) VALUES ($1, '') RETURNING id, email)
     INSERT INTO waitlist (user_id, email, verified_at) SELECT id, email, now() FROM person`,
    [email],
  );
  const staff = await (await browser.newContext({ baseURL: office.url })).newPage();
  await office.signIn(staff, "manager");
  await staff.goto("/admin/waitlist");
  await staff.getByLabel("Product", { exact: true }).fill("Charging Dock");
  await staff.getByLabel("Waitlist-only until").fill("2099-01-01");
  await staff.getByRole("button", { name: "Save" }).click();
  await expect(staff.getByText("Waitlist-only until that date.")).toBeVisible();
  await staff.getByLabel("Number of people").fill("1");
  await staff.getByRole("button", { name: "Continue" }).click();
  await staff.getByRole("button", { name: "Invite 1 person" }).click();
  await expect(staff.getByText("Batch 1: 1 invited.")).toBeVisible();
  await sendInvitations(office.db);
  const mail = await emailTo(office.url, email, "You’re first in line");
  expect(mail.text).toContain("Charging Dock for $39.00, which opens to everyone on January 1, 2099.");

  const stock = page.getByRole("region", { name: "Buy" });
  await page.goto("/product/charging-dock");
  await expect(stock).toContainText(`Waitlist first: by invitation now, ${OPENS}`);
  await page.goto(linkIn(mail, "/waitlist/early"));
  await expect(page).toHaveURL("/product/charging-dock");
  await expectToast(
    page,
    "You’re invited",
    "Your link is good for one order: Charging Dock for $39.00, which opens to everyone on January 1, 2099.",
  );
  await expect(stock).toContainText(`You’re invited: yours for one order now, ${OPENS}`);
  await expectAccessible(page);
  await stock.getByRole("button", { name: "Add to Cart", exact: true }).click();
  await expectToast(page, "Added to cart", "Product has been added to your cart");
  await office.pool.query("UPDATE products SET waitlist_only_until = NULL");
});
