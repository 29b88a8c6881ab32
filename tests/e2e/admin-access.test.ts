/** How a shop that nobody runs yet gets its owner, and the owner a packer. */
import { expect, joinOffice, test } from "../support/admin-journey.ts";
import { expectAccessible, someEmail } from "../support/journey.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";

test.beforeEach(({ expectErrors }) => expectErrors(/status of (403|404|409)/));

test("the first owner joins by the printed link, and invites a packer who joins by mail", async ({
  browser,
  office,
}) => {
  // A password is hashed slowly, and there are six of them.
  test.slow();
  const pages = {
    owner: await (await browser.newContext()).newPage(),
    packer: await (await browser.newContext()).newPage(),
  };

  const [ownerEmail, packerEmail] = [someEmail(), someEmail()];
  const path = await office.firstOwnerPath();
  await joinOffice(pages.owner, office, path, { email: ownerEmail, firstName: "Ada", role: "owner" });
  expect((await pages.owner.request.get(office.url + path)).status()).toBe(404);

  const { owner, packer } = pages;
  await owner.getByRole("link", { name: "Staff" }).click();
  await owner.getByLabel("Email").fill("not an email");
  await owner.getByRole("button", { name: "Send the link" }).click();
  await expect(owner.getByLabel("Email")).toBeFocused();
  await owner.getByLabel("Email").fill(packerEmail);
  await owner.getByRole("button", { name: "Send the link" }).click();
  await expect(owner.getByRole("status").filter({ hasText: "has a link to join" })).toBeVisible();
  await expectAccessible(owner);

  const invitation = await emailTo(office.url, packerEmail, "Join the team");
  await joinOffice(packer, office, linkIn(invitation, "/admin/join"), {
    email: packerEmail,
    firstName: "Grace",
    role: "packer",
  });
  await expect(
    packer.getByRole("navigation", { name: "Back office" }).getByRole("link", { name: "Staff" }),
  ).toHaveCount(0);
  await packer.goto(`${office.url}/admin/staff`);
  await expect(packer.getByRole("heading", { level: 1 })).toHaveText("This is not for your role");

  await owner.getByRole("link", { name: "Audit" }).click();
  for (const act of ["staff.invite", "staff.join", "session.begin", "refused"]) {
    await expect(owner.getByRole("cell", { name: act, exact: true }).first()).toBeVisible();
  }
  await expectAccessible(owner);

  await owner.goto(`${office.url}/admin/staff`);
  await owner.getByLabel("Change Grace Lovelace").click();
  await owner.getByRole("row", { name: /Grace/ }).getByRole("button", { name: "Keep out" }).click();
  await expect(owner.getByText("They are signed out and kept out.")).toBeVisible();
  await packer.goto(`${office.url}/admin`);
  await expect(packer.getByText(/You were signed out/)).toBeVisible();
  await owner.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(owner.getByLabel("Code")).toBeVisible();
});
