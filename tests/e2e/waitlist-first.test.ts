/** A product is opened to the waitlist first, and its invited buyer is greeted. */
import { expect, test } from "../support/admin-journey.ts";
import { expectAccessible, expectToast, someEmail } from "../support/journey.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { AUTH_SECRET } from "../support/office.ts";
import { inviteBatch, sendInvitations } from "#shop/waitlist/invitations.server.ts";

const OPENS = "for everyone starting January 1, 2099";

test("an invited buyer is led to the product that opens to them first", async ({ office, page }) => {
  const email = someEmail();
  // People who joined earlier are invited earlier.
  await office.pool.query("DELETE FROM waitlist");
  await office.pool.query(
    `WITH person AS (INSERT INTO users (email, name) VALUES ($1, '') RETURNING id, email)
     INSERT INTO waitlist (user_id, email, verified_at) SELECT id, email, now() FROM person`,
    [email],
  );
  const { staffId, role } = await office.signIn(page, "manager");
  const by = { staffId, role, address: "", requestId: null };
  await office.pool.query("UPDATE products SET waitlist_only_until = '2099-01-01 05:00Z' WHERE slug = 'charging-dock'");
  await inviteBatch(office.db, by, { segment: {}, size: 1 }, AUTH_SECRET);
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
