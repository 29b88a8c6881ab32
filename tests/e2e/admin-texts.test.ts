import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { expect, test } from "../support/admin-journey.ts";
import { expectAccessible, openAdmin } from "../support/journey.ts";

const picture = sharp({ create: { width: 1300, height: 900, channels: 3, background: "#7b8467" } })
  .jpeg()
  .toBuffer();

/** Tomorrow at nine, as a field of New York takes it. */
const tomorrow = () =>
  `${new Date(Date.now() + 24 * 3_600_000).toLocaleDateString("en-CA", { timeZone: "America/New_York" })}T09:00`;

/** A process hears of a publication moments after its answer. */
const showsSoon = (page: Page, path: string, words: Locator) =>
  expect(async () => {
    await page.goto(path);
    await expect(words).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 10_000 });

async function expectAccessibleAtBoth(page: Page): Promise<void> {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
  }
}

test("a manager changes home, writes a post for tomorrow and raises a notice", async ({
  page,
  office,
  expectErrors,
}) => {
  expectErrors(/status of 400/);
  await office.signIn(page, "manager", "Writer");
  await page.goto("/admin/texts");
  await expectAccessibleAtBoth(page);

  await page.getByRole("link", { name: "Home", exact: true }).click();
  const part = (words: string) => page.getByRole("group").filter({ hasText: words });
  await part("Top of the page").getByLabel("Heading").fill("Peaches until Friday.");
  await expectAccessibleAtBoth(page);
  await page.getByRole("button", { name: "Save draft and open page" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Peaches until Friday." })).toBeVisible();
  await page.getByRole("link", { name: "Back to editing" }).click();
  await expect(page.getByText(/The store shows (?:the original|version \d+)\./)).toBeVisible();
  const folded = part("Promises");
  await folded.getByText("Promises").click();
  await folded.getByLabel("Text 2").fill("");
  await folded.getByText("Promises").click();
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("A few fields need fixing.")).toBeInViewport();
  await expect(folded.getByText("This may not be empty")).toBeVisible();
  await folded.getByLabel("Text 2").fill("Your money back, all of it");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Published.")).toBeInViewport();
  await expect(page.getByRole("link", { name: "View", exact: true })).toHaveAttribute("href", "/");
  await showsSoon(page, "/", page.getByRole("heading", { level: 1, name: "Peaches until Friday." }));

  await page.goto("/admin/texts");
  await expect(page.getByRole("row", { name: "Order shipped When the first package" })).toBeVisible();
  await page.getByText("New post").click();
  await page.getByLabel("Title").fill("Plums");
  await page.getByRole("button", { name: "Write post" }).click();
  await page.getByLabel("Description").fill("A plum is ripe when it gives, and not one day before that.");
  await page.getByLabel("What the picture shows").fill("A plum");
  await page.getByLabel("Product below 1").selectOption("Travel Sleeve");
  await page.getByLabel("Text", { exact: true }).fill("[Press](javascript:alert(1))");
  await page.getByLabel("Publish at").fill(tomorrow());
  const schedule = page.getByRole("button", { name: "Schedule", exact: true });
  await schedule.click();
  await expect(page.getByText("A post needs a picture")).toBeVisible();
  await expect(page.getByLabel("Picture", { exact: true })).toBeFocused();
  await expect(page.getByText("Links begin with https://").first()).toBeVisible();
  await expect(page.getByLabel("Text", { exact: true })).toHaveValue("[Press](javascript:alert(1))");
  await page.getByLabel("Text", { exact: true }).fill("## When\n\nNow. [Shop](/shop)");
  await page.getByLabel("Picture", { exact: true }).setInputFiles({
    name: "plum.jpg",
    mimeType: "image/jpeg",
    buffer: await picture,
  });
  await schedule.click();
  await expect(page.getByText("Scheduled: shown")).toBeInViewport();
  await page.goto("/admin/texts/notice");
  await page.getByLabel("Text", { exact: true }).fill("Closed on Thursday");
  await page.getByLabel("Link", { exact: true }).fill("/support");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Published.")).toBeVisible();
  const notices = page.getByRole("complementary", { name: "Notices" });
  await showsSoon(page, "/shop", notices.getByText("Closed on Thursday"));
  await expectAccessibleAtBoth(page);
  await notices.getByRole("link", { name: "Learn more" }).click();
  await expect(page).toHaveURL(/\/support$/);
});

test(
  "a text is formatted by buttons and keys, and shown on its page while it is typed",
  { tag: "@nightly" },
  async ({ page, office, expectErrors }) => {
    expectErrors(/status of 400/);
    await page.setViewportSize({ width: 390, height: 900 });
    await office.signIn(page, "manager", "Typist");
    await openAdmin(page, "/admin/texts/emails-order-confirmation");
    await page.getByLabel("Opening lines").fill("Dear ");
    await page.getByRole("button", { name: "{firstName}" }).click();
    await expect(page.getByLabel("Opening lines")).toHaveValue("Dear {firstName}");
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await expect(page.frameLocator('iframe[title="of a customer"]').getByText("Dear Ada")).toBeVisible();
    await expect(page.frameLocator('iframe[title="of a guest"]').getByText("Dear there")).toBeVisible();
    await expectAccessible(page);
    await openAdmin(page, "/admin/texts/pages-about");
    const text = page.getByLabel("Text", { exact: true });
    const shown = page.frameLocator('iframe[title="The page"]');
    const inPreview = async (check: () => Promise<void>) => {
      await page.getByRole("button", { name: "Preview", exact: true }).click();
      await check();
      await page.getByRole("button", { name: "Back to writing" }).click();
    };

    await text.fill("A peach waits");
    for (const key of ["Shift+Tab", "ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
    await expect(text).toHaveValue("## A peach waits");
    await expect(text).toBeFocused();
    await page.keyboard.type("\n\nIt gives. Really");
    await page.keyboard.press("ControlOrMeta+b");
    await expect(text).toHaveValue(/It gives\. \*\*Really\*\*$/);
    await page.keyboard.press("ControlOrMeta+z");
    await expect(text).toHaveValue(/It gives\. Really$/);
    await page.keyboard.press("ControlOrMeta+i");
    await page.keyboard.press("End");
    await page.keyboard.type(" ");
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("The shop");
    await expect(text).toHaveValue(/_Really_ \[The shop\]\(https:\/\/\)$/);
    await page.keyboard.press("End");
    await page.getByRole("button", { name: "Insert picture" }).click();
    await page.getByRole("button", { name: "lifestyle week" }).click();
    await page.keyboard.type("Seven days");
    await expect(text).toHaveValue(/\n\n!\[Seven days\]\(lifestyle-week\)$/);
    await page.keyboard.press("ControlOrMeta+End");
    await page.getByRole("button", { name: "Insert picture" }).click();
    const menu = page.getByRole("region", { name: "Insert a picture" });
    await menu.getByLabel("Upload a picture").setInputFiles({
      name: "plum.jpg",
      mimeType: "image/jpeg",
      buffer: await picture,
    });
    await menu.getByRole("button", { name: "Upload picture" }).click();
    await expect(menu.getByText("Say what the picture shows")).toBeVisible();
    await expectAccessible(page);
    await menu.getByLabel("Alternative text").fill("A plum");
    await menu.getByRole("button", { name: "Upload picture" }).click();
    await expect(text).toHaveValue(/\n\n!\[A plum\]\(u-[^)]*\)$/);
    await expect(menu).toBeHidden();
    await expect(page.getByText("Unsaved changes")).toBeVisible();
    await expectAccessible(page);

    await inPreview(async () => {
      await expect(shown.getByRole("heading", { level: 2, name: "A peach waits" })).toBeVisible();
      await expect(shown.locator("em", { hasText: "Really" })).toBeVisible();
      await expect(shown.getByRole("img", { name: "Seven days" })).toBeVisible();
      await expect(shown.getByRole("img", { name: "A plum" })).toBeVisible();
      await expectAccessible(page);
    });

    await text.press("ControlOrMeta+End");
    await page.keyboard.type("\n\n{frist name}");
    await expect(text).toHaveAccessibleDescription(/\{frist name\}, which stands for nothing/);
    await inPreview(() => expect(shown.getByText("{frist name}")).toBeVisible());
    for (const _ of "{frist name}") await text.press("Backspace");
    await page.getByText("Placeholders", { exact: true }).click();
    await page.getByRole("button", { name: "{returnDays}" }).click();
    await expect(text).toHaveValue(/\n\n\{returnDays\}$/);
    const scrolled = () => shown.locator("html").evaluate(({ scrollTop }) => scrollTop);
    await inPreview(async () => {
      await expect(shown.getByText("30 days", { exact: true })).toBeVisible();
      await shown.locator("html").evaluate((html) => html.scrollTo(0, 200));
      expect(await scrolled()).toBe(200);
    });
    await text.press("Shift");
    await page.keyboard.type(" to decide");
    await inPreview(async () => {
      await expect(shown.getByText("30 days to decide")).toBeVisible();
      expect(await scrolled()).toBe(200);
    });
    // Beside the form the preview follows the cursor.
    await page.setViewportSize({ width: 1440, height: 900 });
    await expectAccessible(page);
    await text.pressSequentially(" on it");
    await expect(shown.getByText("30 days to decide on it")).toBeInViewport();
    await page.keyboard.press("ControlOrMeta+Home");
    await expect(shown.getByRole("heading", { name: "A peach waits" })).toBeInViewport();
  },
);
