/** A team joins the back office, takes one order from its purchase to a partial refund, and loses its phones. */
import { expect, joinOffice, test } from "../support/admin-journey.ts";
import { expectAccessible, someEmail } from "../support/journey.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { orderAndPay, putInCart } from "../support/pay-journey.ts";
import { aParcel } from "../support/staff.ts";

test.beforeEach(({ expectErrors }) => expectErrors(/status of (403|404|409)/));

test("an owner joins, and each member does their part of an order", async ({ browser, office, page }) => {
  const shopper = page;
  const newPage = async () => (await browser.newContext({ baseURL: office.url })).newPage();
  const [owner, packer] = [await newPage(), await newPage()];

  await test.step("the first owner joins by the printed link, once", async () => {
    const path = await office.firstOwnerPath();
    await joinOffice(owner, office, path, { email: someEmail(), firstName: "Olga", role: "owner" });
    expect((await owner.request.get(path)).status()).toBe(404);
  });

  await test.step("the emailed invitation of a packer opens, and packers see what is theirs", async () => {
    await owner.getByRole("link", { name: "Staff" }).click();
    await owner.getByLabel("Email", { exact: true }).fill("not an email");
    await owner.getByRole("button", { name: "Send invitation" }).click();
    await expect(owner.getByLabel("Email", { exact: true })).toBeFocused();
    const email = someEmail();
    await owner.getByLabel("Email", { exact: true }).fill(email);
    await owner.getByRole("radio", { name: /^Packer/ }).check();
    await owner.getByRole("button", { name: "Send invitation" }).click();
    await expect(owner.getByRole("status").filter({ hasText: "Invitation sent to" })).toBeVisible();
    await packer.goto(linkIn(await emailTo(office.url, email, "Join the team"), "/admin/join"));
    await expect(packer.getByRole("heading", { level: 1 })).toHaveText("Join the back office as packer");
    await office.signIn(packer, "packer", "Pia Lovelace");
    await packer.goto("/admin/staff");
    await expect(packer.getByRole("heading", { level: 1 })).toHaveText("You do not have access");
  });

  await putInCart(shopper, office);
  const email = someEmail();
  const id = await orderAndPay(shopper, office, email);
  const number = id.slice(0, 8);

  await test.step("the packer ships without seeing amounts, which charges the card", async () => {
    await packer.goto(`/admin/orders/${id}`);
    const menu = packer.getByRole("navigation", { name: "Back office" });
    await expect(menu.getByRole("link", { name: "Orders", exact: true })).toBeVisible();
    await expect(menu.getByRole("link", { name: "Staff" })).toHaveCount(0);
    await expect(packer.getByText("$", { exact: false })).toHaveCount(0);
    await packer.getByLabel("Tracking number").fill(aParcel(88_001).trackingNumber);
    await packer.getByRole("button", { name: "Ship", exact: true }).click();
    await expect(packer.getByText("Shipped. The customer was emailed the tracking number.")).toBeVisible();
  });

  await test.step("the owner refunds a part, which the timeline, the audit log and the shopper see", async () => {
    await owner.goto(`/admin/orders/${id}`);
    await owner.locator("summary", { hasText: "Refund" }).click();
    await owner.getByLabel("Or an amount ($)").fill("4.50");
    await owner.getByLabel("Reason, shown to the customer").selectOption({ index: 1 });
    await owner.getByRole("button", { name: "Refund $4.50" }).click();
    await expect(owner.getByText("Refunded $4.50. The customer was notified.")).toBeVisible();
    const timeline = owner.getByRole("region", { name: "Timeline" }).getByRole("listitem");
    await expect(timeline.first()).toContainText(/Refund.*\$4\.50.*Olga Lovelace/s);
    await expect(timeline.filter({ hasText: /^Shipped/ })).toContainText("Pia");
    await expect(timeline.filter({ hasText: "Sent: refund" })).toBeVisible();
    await owner.getByRole("link", { name: "Audit log" }).click();
    const entries = owner.getByRole("main").getByRole("listitem");
    for (const words of ["invited a packer to the team", "joined the team as owner", "signed in"])
      await expect(entries.filter({ hasText: words }).first()).toBeVisible();
    // The packer's refused page was open during the news of an order.
    await expect(owner.getByText(/refused attempt/)).toHaveText("1 refused attempt");
    await owner.getByLabel("Order number").fill(number);
    await owner.getByRole("button", { name: "Filter" }).click();
    await expect(owner.getByText("signed in")).toHaveCount(0);
    await expect(entries.first()).toContainText(/Olga Lovelace refunded \$4\.50 \(.+\) on order/);
    await expect(entries.nth(1)).toContainText(`Pia Lovelace shipped order ${number}`);
    const details = entries.first().getByText("Details");
    const place = await details.boundingBox();
    await details.click();
    await expect(entries.first().getByText("IP address")).toBeVisible();
    expect(await details.boundingBox()).toEqual(place);
    await expectAccessible(owner);
    await entries
      .first()
      .getByRole("link", { name: `order ${number}` })
      .click();
    await expect(owner.getByRole("heading", { level: 1 })).toContainText(number);
    await shopper.goto(`/orders/${id}`);
    await expect(shopper.getByText("−$4.50")).toBeVisible();
    expect((await emailTo(office.url, email, "refund")).text).toContain("$4.50");
  });

  await owner.getByRole("link", { name: "Staff" }).click();
  await owner.getByRole("link", { name: "Pia Lovelace" }).click();
  const pia = owner.getByRole("dialog", { name: "Pia Lovelace" });
  await expectAccessible(owner);
  await pia.getByRole("radio", { name: /^Support/ }).check();
  await pia.getByRole("button", { name: "Save role" }).click();
  await expect(pia.getByText("Role changed.")).toBeVisible();
  await pia.locator("summary", { hasText: "Disable" }).click();
  await expect(pia.getByText("Sign Pia Lovelace out and end their access?")).toBeVisible();
  await pia.getByRole("button", { name: "Yes, disable" }).click();
  await expect(owner.getByText("Disabled and signed out.")).toBeVisible();
  await owner.keyboard.press("Escape");
  await expect(owner).toHaveURL("/admin/staff");
  await expect(owner.getByRole("row", { name: /Pia Lovelace.*Support.*Disabled/ })).toBeVisible();
  await packer.goto("/admin");
  await expect(packer.getByText("An owner has ended your access to the back office.")).toBeVisible();
  await owner.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(owner.getByLabel("Code")).toBeVisible();
});

test("who lost the phone gets a link, after a reset by an owner or, for a sole owner, by the operator", async ({
  browser,
  office,
}) => {
  const newPage = async () => (await browser.newContext({ baseURL: office.url })).newPage();
  const [owner, packer] = [await newPage(), await newPage()];
  const olga = await office.signIn(owner, "owner", "Olga Only");
  const pia = await office.signIn(packer, "packer", "Pia Phoneless");
  const wasReset = (page: typeof owner) => page.getByText("Your two-step sign-in was reset.");

  await test.step("a packer's is reset by the owner", async () => {
    const listens = packer.waitForResponse(/\/admin\/live/);
    await packer.goto("/admin/orders");
    await listens;
    await owner.goto(`/admin/staff/${pia.staffId}`);
    const member = owner.getByRole("region", { name: "Pia Phoneless" });
    await member.getByRole("button", { name: "Reset two-step sign-in" }).click();
    await expect(member.getByText(`We emailed ${pia.email} a link`)).toBeVisible();
    // Names of customers leave the screen by themselves.
    await expect(wasReset(packer)).toBeVisible();
    const email = await emailTo(office.url, pia.email, "Set up two-step sign-in again");
    expect(email.text).toContain("Olga Only reset your two-step sign-in.");
    await packer.goto(linkIn(email, "/admin/join"));
    await expect(packer.getByRole("link", { name: "Sign in" })).toBeVisible();
  });

  await test.step("the owner's is reset by the operator's command, which prints the link", async () => {
    const [path = ""] = /\/admin\/join\?token=\S+/.exec(office.run("scripts/lost-factor.ts", olga.email)) ?? [];
    await owner.goto("/admin");
    await expect(wasReset(owner)).toBeVisible();
    await owner.goto(path);
    await expect(owner.getByRole("heading", { level: 1 })).toHaveText("Join the back office as owner");
  });
});
