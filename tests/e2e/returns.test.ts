/** A claim from the order's page to what replaces the product, in the back office and on the customer's phone. */
import { randomUUID } from "node:crypto";
import { truncateSync, writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expect, test } from "../support/admin-journey.ts";
import { expectAccessible, open, someEmail } from "../support/journey.ts";
import type { Office } from "../support/office.ts";
import { addressOf, become, giveOrder } from "../support/screens.ts";

const BOWL = "Polara Pro Earth Green";
const HOUR = 3_600_000;
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** The address of a customer's order that arrived six days ago. */
async function receivedOrder(page: Page, { url, pool }: Office): Promise<string> {
  const email = someEmail();
  await become("customer", page.request, url, pool, { email, orderId: randomUUID() });
  await giveOrder(pool, email, "delivered", new Date(Date.now() - 300 * HOUR));
  return addressOf({ path: "/orders/:orderId", order: "delivered" }, email);
}

test.describe("on a phone", () => {
  // Here and not by a tag, so that the office serves all of them.
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test("a customer reports a defect with photos, and staff replace the product", async ({ page, office, browser }) => {
    const next = async (role: "link" | "button", name: string, headline: string | RegExp) => {
      await page.getByRole(role, { name }).click();
      await expect(heading(page)).toHaveText(headline);
      await expectAccessible(page);
    };
    await open(page, await receivedOrder(page, office));
    await next("link", "Return, exchange, or report a problem", "What can we do for you?");
    await next("link", "Report something damaged, defective, or missing", "What are you sending back?");
    await page.getByLabel(BOWL).selectOption("1");
    await page.getByLabel("Why?").selectOption("It arrived damaged");
    await next("button", "Continue", "Check and send");
    for (const words of ["A replacement, or $99.00 back", "We’ll pay, and send you a label."])
      await expect(page.getByRole("main")).toContainText(words);
    await page.getByRole("textbox", { name: /What’s wrong\?/ }).fill("The lid is cracked at the hinge.");
    const buffer = await sharp({ create: { width: 900, height: 700, channels: 3, background: "#7b8467" } })
      .jpeg()
      .toBuffer();
    const photos = ["0.jpg", "1.jpg"].map((name) => ({ name, mimeType: "image/jpeg", buffer }));
    await page.getByLabel("Photos").setInputFiles(photos);
    await next("button", "Send request", "We’ve got your request");
    await expect(page).toHaveURL(/\/returns\/R-[A-Z0-9]{6}$/);

    // A manager works on a wide screen, whatever the customer has.
    const wide = { viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false };
    const staff = await (await browser.newContext({ baseURL: office.url, ...wide })).newPage();
    await office.signIn(staff, "manager");
    const number = page.url().slice(-8);
    await staff.goto(`/admin/returns?q=${number}`);
    await expect(heading(staff)).toHaveText(`Return ${number}`);
    await expect(staff.getByText("The lid is cracked at the hinge.")).toBeVisible();
    await expect(staff.getByRole("list", { name: "Photos" }).getByRole("img")).toHaveCount(2);
    /** Staff press a button, and the customer reads what follows. */
    const step = async (button: string, answer: string, headline: string | RegExp) => {
      await staff.getByRole("button", { name: button, exact: true }).click();
      await expect(staff.getByText(answer)).toBeVisible();
      await expectAccessible(staff);
      await page.reload();
      await expect(heading(page)).toHaveText(headline);
    };
    await staff.getByLabel("Link to the prepaid label").fill("https://labels.example/1");
    await step("Authorize", "Authorized.", /^Send it by /);
    await step("Mark as received", "Received.", "It’s here");
    await staff.getByRole("main").getByLabel(BOWL).first().selectOption("Damaged");
    await step("Save inspection", "Inspected.", "We’ve checked it");
    await staff.getByLabel("Replacement Sends the same again, pays back nothing").check();
    await step("Resolve", "Resolved.", "Your replacement ships soon");
    await staff.context().close();

    await page.goto(`${page.url()}/slip`);
    await expect(page.getByRole("img", { name: `QR code of ${number}` })).toBeVisible();
    await expectAccessible(page);
    const paper = (await page.pdf({ format: "Letter" })).toString("latin1");
    expect(/\/Type \/Pages[^>]*\/Count (\d+)|\/Count (\d+)/.exec(paper)?.slice(1)).toContain("1");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("going back from refused photos shows what was typed", async ({ page, office, expectErrors }) => {
    expectErrors(/status of 413/);
    await page.goto(`${await receivedOrder(page, office)}/return?kind=defect`);
    await page.getByLabel(BOWL).selectOption("1");
    await page.getByLabel("Why?").selectOption("It arrived damaged");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("textbox", { name: "What’s wrong?" }).fill("The lid is cracked.");
    const photo = test.info().outputPath("large.jpg");
    writeFileSync(photo, "");
    truncateSync(photo, 40 * 1024 * 1024);
    await page.getByLabel("Photos").setInputFiles(photo);
    await page.getByRole("button", { name: "Send request" }).click();
    await expect(page.getByText("Go back: your text is still there.")).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("textbox", { name: "What’s wrong?" })).toHaveValue("The lid is cracked.");
  });
});
