import { expect, test } from "../support/admin-journey.ts";
import { expectAccessible, openAdmin, someEmail } from "../support/journey.ts";

test.beforeEach(({ expectErrors }) => expectErrors(/status of 40[09]/));

test("support answers with a saved reply despite a conflict, and an owner deletes the customer", async ({
  browser,
  office,
  page,
}) => {
  const email = someEmail();
  await office.pool.query(
    "INSERT INTO contact_messages (name, email, message, created_at) VALUES ('Ada Lovelace', $1, 'Does it fit a melon?', now() - interval '3 days')",
    [email],
  );
  await office.pool.query(
    "INSERT INTO contact_messages (name, email, message) VALUES ('Pia Park', $1, 'And a pear?')",
    [someEmail()],
  );
  await office.pool.query("INSERT INTO saved_replies (title, body) VALUES ('Melons', 'Hello {name}, it fits.')");
  const linus = await browser.newPage();
  await office.signIn(page, "support", "Grace Hopper");
  await office.signIn(linus, "owner", "Linus Meyer");

  await openAdmin(page, "/admin/messages");
  await expect(page.getByRole("row", { name: /Ada Lovelace.*Overdue/ })).toBeVisible();
  await page.getByRole("link", { name: "Ada Lovelace" }).click();
  const answer = page.getByLabel("Message to Ada Lovelace");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByText("Enter a reply")).toBeVisible();
  // Nothing was typed, so nothing is asked.
  await page.getByRole("link", { name: "All messages" }).click();
  await page.getByRole("link", { name: "Ada Lovelace" }).click();
  await answer.fill("Dear ");
  await page.getByLabel("Saved reply").selectOption("Melons");
  await page.getByRole("button", { name: "Insert" }).click();
  await page.getByRole("link", { name: "All messages" }).click();
  await page.getByRole("button", { name: "Keep editing" }).click();
  await expect(answer).toHaveValue("Dear \n\nHello Ada, it fits.");

  // The same person replies first in another tab: the draft stays, and the second click sends it.
  const tab = await page.context().newPage();
  await openAdmin(tab, page.url());
  await tab.getByLabel("Message to Ada Lovelace").fill("It does.");
  await tab.getByRole("button", { name: "Send", exact: true }).click();
  await expect(tab.getByText("Sent.", { exact: true })).toBeVisible();
  await expect(tab.getByLabel("Message to Ada Lovelace")).toHaveValue("");
  await expect(tab.getByText("Unsaved changes")).toBeHidden();
  await tab.close();
  await page.getByRole("button", { name: "Send and close" }).click();
  await expect(page.getByText(/Grace Hopper replied in the meantime/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Grace Hopper" })).toBeVisible();
  await expect(answer).toHaveValue("Dear \n\nHello Ada, it fits.");
  await answer.press("Control+Enter");
  await expect(page.getByText("Sent and closed.")).toBeVisible();
  await expect(answer).toHaveValue("");
  await expect(page.getByRole("link", { name: "Next message" })).toHaveAttribute(
    "href",
    /^\/admin\/messages\/(?!saved)/,
  );
  await page.getByRole("link", { name: "View customer" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(email);
  await page.getByRole("link", { name: "Add request" }).click();
  await page.getByLabel("Request type").selectOption("Deletion");
  await page.getByLabel("Note").fill("By phone");
  await page.getByRole("button", { name: "Add request" }).click();
  const request = page.getByRole("row", { name: new RegExp(email) });
  await expect(request).toBeVisible();
  await expect(page.getByText("Request added.")).toBeVisible();
  await expect(page.getByLabel("Note")).toHaveValue("");
  await request.getByRole("link").click();
  await expect(page.getByText("so another team member must verify it")).toBeVisible();

  await linus.goto(page.url());
  await linus.getByLabel("Verified by").selectOption("Email from this address");
  await linus.getByRole("button", { name: "Save" }).click();
  await expect(linus.getByText("Identity verified.")).toBeVisible();
  await linus.getByLabel("Type delete to confirm").fill("delete");
  await linus.getByRole("button", { name: "Delete permanently" }).click();
  await expect(linus.getByText(/data was deleted/)).toBeVisible();
  await expectAccessible(linus);
  await linus.close();
});
