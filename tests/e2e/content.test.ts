import { layers } from "#app/routes/content/how-it-works/outlines.ts";
import { expect, expectAccessible, open, test } from "../support/journey.ts";
import { expectNoShift, watchShifts } from "../support/look.ts";

test(
  "the cutaway drawing comes apart while it scrolls into view, and each number has its part in the list",
  { tag: "@both" },
  async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await watchShifts(page);
    await open(page, "/how-it-works");
    const inside = page.getByRole("region", { name: "What’s Inside" });
    const picture = inside.getByRole("img");
    /** Scrolls the middle of the picture to this part of the window's height. */
    const scrollTo = (part: number) =>
      picture.evaluate((img, at) => {
        const { top, height } = img.getBoundingClientRect();
        scrollBy({ top: top + height / 2 - innerHeight * at, behavior: "instant" });
      }, part);
    const state = () =>
      inside.evaluate((section) => ({
        whole: [...section.querySelectorAll(".opening-whole")].map((part) => Number(getComputedStyle(part).opacity)),
        down: [...section.querySelectorAll(".opening-layer")].map(
          (layer) => new DOMMatrix(getComputedStyle(layer).transform).m42,
        ),
      }));

    await scrollTo(0.95);
    const { height } = (await picture.boundingBox()) ?? { height: 0 };
    const closed = layers.map(({ down }) => Math.round((down / 100) * height));
    await expect.poll(async () => (await state()).down.map(Math.round)).toEqual(closed);
    expect(new Set((await state()).whole)).toEqual(new Set([0]));
    await scrollTo(0.2);
    await expect.poll(async () => new Set((await state()).down)).toEqual(new Set([0]));
    expect(new Set((await state()).whole)).toEqual(new Set([1]));
    await expectNoShift(page);

    await expect(inside.getByRole("img")).toHaveAttribute("alt", /cut in half/);
    const parts = inside.getByRole("listitem");
    await expect(parts.getByRole("heading")).toHaveText([
      "Ethylene filter",
      "Light ring",
      "Lid",
      "Inner bowl",
      "Double wall",
      "Cold plate",
      "Cooling module",
      "Heat sink and fan",
      "Battery",
    ]);
    const numbers = await parts.evaluateAll((items) => items.map((item) => item.firstElementChild?.textContent));
    const markers = inside.getByText(/^\d$/).and(page.locator(":not(li *)"));
    await expect(markers).toHaveText(numbers.map(String));
    for (const marker of await markers.all()) await expect(marker).toBeVisible();
  },
);

test("the table of contents marks the current section", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 600 });
  await open(page, "/terms");
  const contents = page.getByRole("navigation", { name: "On this page" });
  await contents.getByRole("link", { name: "Prices and Payment" }).click();
  await expect(page).toHaveURL("/terms#pricing");
  await expect(contents.locator("[aria-current]")).toHaveText("Prices and Payment");

  await page.getByRole("heading", { name: "Governing Law and Courts" }).evaluate((heading) => {
    heading.scrollIntoView({ block: "start" });
  });
  await expect(contents.locator("[aria-current]")).toHaveText("Governing Law and Courts");
  // Longer than this window, it has gone along.
  await expect(contents.locator("[aria-current]")).toBeInViewport();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(contents.locator("[aria-current]")).toHaveText("Contact");
  await expect(contents.locator("[aria-current]")).toBeInViewport();
});

test(
  "on a small screen a bar shows the current section and opens the contents",
  { tag: "@phone" },
  async ({ page }) => {
    await open(page, "/warranty");
    const bar = page.locator("summary").filter({ visible: true });
    await expect(bar).toHaveText("On this page");
    await page.getByRole("heading", { name: "Refunds" }).evaluate((heading) => heading.scrollIntoView());
    await expect(bar).toHaveText(/Refunds$/);
    await expect(bar).toBeInViewport();
    await bar.tap();
    const contents = page.getByRole("navigation", { name: "On this page" });
    await expectAccessible(page);
    await contents.getByRole("link", { name: "Consumables and Wear Parts" }).tap();
    await expect(page).toHaveURL("/warranty#consumables");
    await expect(contents).toBeHidden();
    await expect(page.getByRole("heading", { name: "Consumables and Wear Parts" })).toBeInViewport();
    await expect(bar).toHaveText(/Consumables and Wear Parts$/);
  },
);

test("tables keep their semantics on a small screen", { tag: "@phone" }, async ({ page }) => {
  await open(page, "/science");
  const table = page.getByRole("table", { name: /^Respiration at/ });
  const row = table.getByRole("row").filter({ hasText: "Very low" });
  await expect(row.getByRole("rowheader")).toHaveText("Very low");
  await expect(row.getByRole("cell")).toHaveText(["under 5", "Nuts, dried fruit"]);
});

test("printed pages show the text alone", async ({ page }) => {
  await page.emulateMedia({ media: "print" });
  await page.goto("/privacy");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const around of ["banner", "contentinfo", "navigation"] as const) {
    await expect(page.getByRole(around)).toHaveCount(0);
  }
  await page.goto("/support");
  await expect(page.getByText("Twist out the old one")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send Message" })).toBeHidden();
});
