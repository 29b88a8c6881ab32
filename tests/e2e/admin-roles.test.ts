/** One order through the hands of the whole team: bought and asked about, answered, shipped, charged, and given back in part. */
import { expect, joinOffice, test } from "../support/admin-journey.ts";
import { someEmail } from "../support/journey.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { order, payBy, putInCart } from "../support/pay-journey.ts";
import { aParcel } from "../support/staff.ts";

test("each of the team does their part of one order", async ({ browser, office, page: shopper }) => {
  const [owner, packer, support] = await Promise.all(
    [0, 1, 2].map(async () => (await browser.newContext({ baseURL: office.url })).newPage()),
  );
  if (!owner || !packer || !support) throw new Error("no pages");
  await office.signIn(owner, "owner", "Olga Owner");
  await office.signIn(support, "support", "Sven Support");

  // The owner invites somebody, who joins with a second factor.
  const packerEmail = someEmail();
  await owner.goto("/admin/staff");
  await owner.getByLabel("Email").fill(packerEmail);
  await owner.getByLabel("Role").last().selectOption({ label: "Packer" });
  await owner.getByRole("button", { name: "Send the link" }).click();
  const invitation = linkIn(await emailTo(office.url, packerEmail, "Join the team"), "/admin/join");
  await joinOffice(packer, office, invitation, { email: packerEmail, firstName: "Pia", role: "packer" });

  // A shopper buys, pays, and asks.
  await putInCart(shopper, office);
  const email = await order(shopper);
  await payBy(shopper, "4242 4242 4242 4242");
  await expect(shopper.getByRole("heading", { level: 1 })).toHaveText("We are getting it ready");
  const orderPage = shopper.url();
  const id = /orders\/([0-9a-f-]{36})/.exec(orderPage)?.[1] ?? "";
  const number = id.slice(0, 8);
  await shopper.goto(`/support?order=${number}#contact`);
  await shopper.getByLabel("Name").fill("Ada Lovelace");
  await shopper.getByLabel("Email").fill(email);
  await shopper.getByLabel("Message").fill("Can it be here by Friday?");
  await shopper.getByRole("button", { name: /Send/ }).click();
  await emailTo(office.url, email, "We have your message");

  // Support answers.
  await support.goto(`/admin/messages?q=${email}`);
  await support.getByRole("link", { name: "Ada Lovelace" }).click();
  await expect(support.getByRole("link", { name: `Open order ${number}` })).toBeVisible();
  await support.getByLabel("To Ada Lovelace").fill("It ships today.");
  await support.getByRole("button", { name: "Send and close" }).click();
  await expect(support.getByText("Sent, and closed.")).toBeVisible();
  expect((await emailTo(office.url, email, "Re:")).text).toContain("It ships today.");

  // Who packs sees no sums, and ships: that charges the card.
  await packer.goto(`/admin/orders/${id}`);
  await expect(packer.getByText("$", { exact: false })).toHaveCount(0);
  await packer.getByLabel("Tracking number").fill(aParcel(88_001).trackingNumber);
  await packer.getByRole("button", { name: "Ship", exact: true }).click();
  await expect(packer.getByText("Shipped. Its customer has the tracking number.")).toBeVisible();

  // The owner gives a part back, and sees it where it was done and in the audit log.
  await owner.goto(`/admin/orders/${id}`);
  await owner.locator("summary", { hasText: "Refund" }).click();
  await owner.getByLabel("Or an amount, in dollars").fill("4.50");
  await owner.getByLabel("Reason, as its customer reads it").selectOption({ index: 1 });
  await owner.getByRole("button", { name: "Refund", exact: true }).click();
  await expect(owner.getByText("$4.50 is refunded, and the customer is told.")).toBeVisible();
  const story = owner.getByRole("region", { name: "Timeline" }).getByRole("listitem");
  await expect(story.first()).toContainText(/Refund.*\$4\.50.*Olga Owner/s);
  await expect(story.nth(1)).toContainText(/Shipped.*Pia/s);
  await owner.getByRole("link", { name: "Audit" }).click();
  const acts = owner.getByRole("row").filter({ hasText: id });
  await expect(acts.first()).toContainText(/Olga Owner.*order\.refund.*450/s);
  await expect(acts.nth(1)).toContainText(/Pia.*order\.ship/s);
  await shopper.goto(orderPage);
  await expect(shopper.getByText("−$4.50")).toBeVisible();
  expect((await emailTo(office.url, email, "refund")).text).toContain("$4.50");
});
