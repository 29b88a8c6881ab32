import { expect, test } from "../support/admin-journey.ts";
import { openAdmin, someEmail } from "../support/journey.ts";

test.beforeEach(({ expectErrors }) => expectErrors(/status of 40[09]/));

test("support answers with a saved reply despite a conflict", async ({ office, page }) => {
  await office.pool.query(
    "INSERT INTO contact_messages (name, email, message, created_at) VALUES ('Ada Lovelace', $1, 'Does it fit a melon?', now() - interval '3 days')",
    [someEmail()],
  );
  await office.pool.query(
    "INSERT INTO contact_messages (name, email, message) VALUES ('Pia Park', $1, 'And a pear?')",
    [someEmail()],
  );
  await office.pool.query("INSERT INTO saved_replies (title, body) VALUES ('Melons', 'Hello {name}, it fits.')");
  await office.signIn(page, "support", "Grace Hopper");

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
});
