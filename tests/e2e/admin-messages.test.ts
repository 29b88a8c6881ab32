/** Somebody writes, support answers, and the privacy desk does what was asked. */
import { expect, test } from "../support/admin-journey.ts";
import { expectAccessible, someEmail } from "../support/journey.ts";
import { emailTo, type MailboxEmail } from "../support/mailbox.ts";

test.beforeEach(({ expectErrors }) => expectErrors(/status of 409/));

test("support answers a message with a saved reply, and an owner erases who asks for it", async ({
  browser,
  office,
  page,
}) => {
  const email = someEmail();
  const { rows } = await office.pool.query(
    "INSERT INTO contact_messages (name, email, message, created_at) VALUES ('Ada Lovelace', $1, 'Does it fit a melon?', now() - interval '3 days') RETURNING id",
    [email],
  );
  await office.pool.query("INSERT INTO saved_replies (title, body) VALUES ('Melons', 'Hello {name}, it fits.')");
  const linus = await browser.newPage();
  await office.signIn(page, "support", "Grace Hopper");
  await office.signIn(linus, "owner", "Linus Meyer");

  await page.goto("/admin/messages");
  await expect(page.getByRole("row", { name: /Ada Lovelace.*Waiting/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Ada Lovelace" }).click();
  const answer = page.getByLabel("To Ada Lovelace");
  await answer.fill("Dear ");
  await page.getByLabel("Saved reply").selectOption("Melons");
  await page.getByRole("button", { name: "Insert" }).click();
  await expect(answer).toHaveValue("Dear Hello Ada, it fits.");
  await expectAccessible(page);

  // A colleague is faster: nothing typed is lost, and the second click sends it.
  await linus.goto(`${office.url}/admin/messages/${rows[0].id}`);
  await linus.getByLabel("To Ada Lovelace").fill("It does.");
  await linus.getByRole("button", { name: "Send, keep open" }).click();
  await expect(linus.getByText("Sent.", { exact: true })).toBeVisible();
  await expect(linus.getByLabel("To Ada Lovelace")).toHaveValue("");
  await page.getByRole("button", { name: "Send and close" }).click();
  await expect(page.getByText(/Linus Meyer has answered meanwhile/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Linus Meyer" })).toBeVisible();
  await expect(answer).toHaveValue("Dear Hello Ada, it fits.");
  await page.getByRole("button", { name: "Send and close" }).click();
  await expect(page.getByText("Sent, and closed.")).toBeVisible();
  await expect(answer).toHaveValue("");
  // Two answers may go out in the same moment.
  const answered = async () => {
    const emails = (await (await fetch(`${office.url}/mailbox.json`)).json()) as MailboxEmail[];
    return emails
      .filter(({ to }) => to === email)
      .map(({ text }) => text)
      .join("\n");
  };
  await expect.poll(answered).toContain("Dear Hello Ada, it fits.");

  await page.getByRole("link", { name: "Everything of this email" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(email);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Register a request" }).click();
  await page.getByLabel("They ask for").selectOption("Deletion");
  await page.getByLabel("Note").fill("By phone");
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByRole("row", { name: new RegExp(email) })).toBeVisible();
  await expect(page.getByText("Registered. It stands in the list above.")).toBeVisible();
  await expect(page.getByLabel("Note")).toHaveValue("");
  await expectAccessible(page);
  await page
    .getByRole("row", { name: new RegExp(email) })
    .getByRole("link")
    .click();
  await expect(page.getByText("An owner does this.")).toBeVisible();
  await page.getByLabel("How you know").selectOption("They wrote from this address");
  await page.getByRole("button", { name: "Note", exact: true }).click();
  await expect(page.getByText("Noted.")).toBeVisible();
  await expectAccessible(page);

  await linus.goto(page.url());
  await linus.getByLabel("Type delete to confirm").fill("delete");
  await linus.getByRole("button", { name: "Erase for good" }).click();
  await expect(linus.getByText(/The person is erased/)).toBeVisible();
  await expectAccessible(linus);
  expect((await emailTo(office.url, email, "deleted")).to).toBe(email);
  await linus.goto(`${office.url}/admin/messages?status=all&q=${email}`);
  await expect(linus.getByText("No message fits.", { exact: false })).toBeVisible();
  await linus.close();
});
