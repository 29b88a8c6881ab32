import type { Locator, Page } from "@playwright/test";
import { expect, holdBack, open, someEmail, tabTo, test } from "../support/journey.ts";
import { addressOf, become, giveOrder } from "../support/screens.ts";
import { expectNoShift, watchShifts } from "../support/look.ts";

const BOWL = "/product/polara-pro-earth-green";

const gallery = (page: Page) => ({
  links: page
    .getByRole("list", { name: "Pictures of Polara Pro Earth Green" })
    .getByRole("link", { includeHidden: true }),
  thumbnails: page.getByRole("list", { name: "Choose a picture" }).getByRole("link"),
  large: page.getByRole("dialog", { name: "Enlarged picture" }),
});

const isCurrent = (thumbnail: Locator) => expect(thumbnail).toHaveAttribute("aria-current", "true");

test("the gallery turns by thumbnail and by arrow key", async ({ page }) => {
  await open(page, "/product/charging-dock");
  await expect(page.getByRole("list", { name: "Pictures of Charging Dock" })).toBeVisible();
  const { links, thumbnails } = gallery(page);
  await expect(thumbnails).toHaveCount(0);

  await open(page, BOWL);
  await expect(links).toHaveCount(6);
  await expect(thumbnails).toHaveCount(6);
  await isCurrent(thumbnails.first());
  await thumbnails.nth(2).click();
  await isCurrent(thumbnails.nth(2));
  await expect(links.nth(2)).toBeInViewport();
  await expect(links.first()).not.toBeInViewport();
  await thumbnails.first().click();
  await isCurrent(thumbnails.first());

  await tabTo(page, links.first());
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(links.nth(2)).toBeFocused();
  await isCurrent(thumbnails.nth(2));
  await expect(links.nth(2)).toBeInViewport({ ratio: 0.5 });
  await page.keyboard.press("ArrowLeft");
  await isCurrent(thumbnails.nth(1));

  // One stop for all the large pictures, then the thumbnails.
  await page.keyboard.press("Tab");
  await expect(thumbnails.first()).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(thumbnails.nth(2)).toBeFocused();
  await isCurrent(thumbnails.nth(2));
});

test(
  "a picture is enlarged at the pressed point; Escape and the button close it",
  { tag: "@both" },
  async ({ page, isMobile }) => {
    await open(page, BOWL);
    const { links, large } = gallery(page);
    const { width, height } = (await links.first().boundingBox()) ?? { width: 0, height: 0 };
    const position = { x: width / 4, y: height * 0.6 };
    await (isMobile ? links.first().tap({ position }) : links.first().click({ position }));
    const image = large.getByRole("img");
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.currentSrc)).toMatch(/-1600\.\w+$/);
    // A phone pans to the left quarter, a wide screen below the middle.
    const panned = () =>
      large.evaluate((dialog) => ({
        across: dialog.scrollLeft / (dialog.scrollWidth - dialog.clientWidth),
        down: dialog.scrollTop / (dialog.scrollHeight - dialog.clientHeight),
      }));
    if (isMobile) await expect.poll(async () => (await panned()).across).toBeLessThan(0.25);
    else await expect.poll(async () => (await panned()).down).toBeGreaterThan(0.5);
    const opened = await panned();
    await page.keyboard.press(isMobile ? "ArrowRight" : "ArrowUp");
    if (isMobile) await expect.poll(async () => (await panned()).across).toBeGreaterThan(opened.across);
    else await expect.poll(async () => (await panned()).down).toBeLessThan(opened.down);

    await page.keyboard.press("Escape");
    await expect(large).toHaveCount(0);
    await expect(links.first()).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(large.getByRole("button", { name: "Close picture" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(large).toHaveCount(0);
    await expect(links.first()).toBeFocused();
  },
);

test("the picture of a pressed card shows while its product loads", { tag: "@both" }, async ({ page }) => {
  await open(page, "/shop");
  const release = await holdBack(page, /\/product\/polara-pro-earth-green.*\.data/);
  await page.getByRole("link", { name: "Polara Pro Earth Green", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: "Loading product" })).toBeAttached();
  const early = page.locator("[data-skeleton] img");
  await expect(early).toBeVisible();
  const before = await early.boundingBox();
  release();
  const { links } = gallery(page);
  await expect(links.first()).toBeVisible();
  const after = await links.first().getByRole("img").boundingBox();
  expect(after).toEqual(before);
});

test("going back during a view transition shows the shop without an error", async ({ page }) => {
  await open(page, "/shop");
  for (const place of [0, 1, 2]) {
    await page.getByRole("main").getByRole("article").nth(place).getByRole("heading").getByRole("link").click();
    await page.waitForURL("/product/*");
    await page.goBack();
    await expect(page).toHaveURL("/shop");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
});

test("the shop holds still under a thumb that scrolls while it loads", { tag: "@phone" }, async ({ page }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await devtools.send("Network.enable");
  const slow4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
  await devtools.send("Network.emulateNetworkConditions", slow4G);
  await watchShifts(page);
  const isHydrated = page.waitForResponse(/\/personal/);
  await page.goto("/shop", { waitUntil: "commit" });
  await expect(page.getByRole("article").first()).toBeVisible();
  for (let turn = 0; turn < 20; turn++) {
    await page.mouse.wheel(0, 200);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  }
  await isHydrated;
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1_000);
  await expectNoShift(page);
});

test.describe("on a screen of two pixels a dot", () => {
  test.use({ deviceScaleFactor: 2 });

  test(
    "a phone loads its own upright opening picture, with a pixel for each dot",
    { tag: "@phone" },
    async ({ page }) => {
      await open(page, "/");
      const picture = page.getByRole("img", { name: /^An Earth Green Polara bowl on a kitchen counter, filled/ });
      await expect
        .poll(() => picture.evaluate((img: HTMLImageElement) => img.currentSrc))
        .toMatch(/\/banner-phone-800\./);
    },
  );
});

test.describe("in a time zone far from UTC", () => {
  test.use({ timezoneId: "Pacific/Kiritimati" });

  test("times are in the reader's zone, without a layout shift", async ({ page, database }) => {
    const email = someEmail();
    await become("customer", page.request, process.env.E2E_URL ?? "", database, { email });
    await watchShifts(page);
    const screen = { path: "/orders/:orderId", order: "two-parcels" } as const;
    await giveOrder(database, email, screen.order, new Date("2026-03-03T14:05:00Z"));
    await open(page, addressOf(screen, email));
    const text = (await page.getByRole("time").allTextContents()).join();
    expect(text).not.toContain("UTC");
    expect(text).toContain("March 4, 2026");
    // Other digits may be a pixel wider, and nothing that a reader sees.
    await expectNoShift(page);
  });
});
