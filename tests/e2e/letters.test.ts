/** A letter is written, tested and sent. */
import { expect, test } from "../support/admin-journey.ts";
import { expectAccessible, someEmail } from "../support/journey.ts";
import { emailTo } from "../support/mailbox.ts";
import { giveConsent } from "#shop/consents/consents.server.ts";
import { sendLetters } from "#shop/letters/send-letters.server.ts";

test("a manager composes a letter, tests it and sends it", async ({ office, page, expectErrors }) => {
  expectErrors(/status of 400/);
  const reader = someEmail();
  await giveConsent(office.db, { email: reader, kind: "news", page: "/account" });
  const { email: manager } = await office.signIn(page, "manager");
  await page.goto("/admin/letters");
  await page.getByText("New letter").click();
  await page.getByLabel("Subject").fill("The picnic basket fits a bowl");
  await page.getByRole("button", { name: "Write letter" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The picnic basket fits a bowl");

  const text = page.getByLabel("Text", { exact: true });
  await text.fill("<b>Cold</b>");
  await page.getByRole("button", { name: "Save and preview" }).click();
  await expect(page.getByText("Line 1 has HTML")).toBeVisible();
  await expect(text).toHaveValue("<b>Cold</b>");
  await text.fill("![A bowl in a basket](lifestyle-picnic)\n\nIt stays **cold** for hours. [See it](/shop)");
  await page.getByRole("button", { name: "Save and preview" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  for (const frame of ["Wide", "Phone, 390 pixels", "Dark"])
    await expect(
      page.frameLocator(`iframe[title="${frame}"]`).locator("p", { hasText: "It stays cold for hours." }),
    ).toBeVisible();
  await expect(page.locator("pre")).toContainText("It stays **cold** for hours.");
  await expectAccessible(page);

  await page.getByRole("button", { name: "Send a test to myself" }).click();
  await expect(page.getByText(`Saved, and a test sent to ${manager}.`)).toBeVisible();
  const tried = await emailTo(office.url, manager, "Test: The picnic basket fits a bowl");
  expect(tried.headers["List-Unsubscribe"]).toBeUndefined();

  await page.getByRole("button", { name: "Send letter" }).click();
  await expect(page.getByText("Scheduled", { exact: true })).toBeVisible();
  await sendLetters(office.db);
  await sendLetters(office.db);
  await emailTo(office.url, reader, /^The picnic basket/);
  await page.reload();
  await expect(page.getByText("Sent", { exact: true }).first()).toBeVisible();
});
