import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, holdBack, open, someEmail, tabTo, test } from "../support/journey.ts";
import { addressOf, become, giveOrder, SCREENS } from "../support/screens.ts";
import { shiftOf, watchShifts } from "../support/shifts.ts";

const BOWL = "/product/polara-pro-earth-green";

const gallery = (page: Page) => {
  const row = page.getByRole("list", { name: "Pictures of Polara Pro Earth Green" });
  return {
    row,
    links: row.getByRole("link", { includeHidden: true }),
    thumbnails: page.getByRole("list", { name: "Choose a picture" }).getByRole("link"),
    large: page.getByRole("dialog", { name: "Enlarged picture" }),
  };
};

const isCurrent = (thumbnail: Locator) => expect(thumbnail).toHaveAttribute("aria-current", "true");

test("arrow keys turn the gallery, from a picture and from a thumbnail", async ({ page }) => {
  await open(page, BOWL);
  const { links, thumbnails } = gallery(page);
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

test("a finger turns the gallery by one picture a swipe", { tag: "@phone" }, async ({ page, context }) => {
  await open(page, BOWL);
  const { row, thumbnails, large } = gallery(page);
  const box = (await row.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const touch = await context.newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const swipe = async (distance: number) => {
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x - distance / 2, y }] });
    for (let part = -0.4; part <= 0.5; part += 0.1) {
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: x + distance * part, y }] });
    }
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  /** The row has come to rest there: a finger put down before would hold it between two pictures. */
  const restsAt = async (picture: number) => {
    await expect.poll(() => row.evaluate((list) => list.scrollLeft / list.clientWidth)).toBe(picture);
    await isCurrent(thumbnails.nth(picture));
  };
  await swipe(-250);
  await restsAt(1);
  await swipe(-250);
  await restsAt(2);
  await swipe(250);
  await restsAt(1);
  await expect(large).toBeHidden();
});

test(
  "a press enlarges the picture where it was pressed; Escape and the button lead back",
  { tag: "@both" },
  async ({ page, isMobile }) => {
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    await open(page, BOWL);
    const { links, large } = gallery(page);
    expect(loaded.filter((url) => /\/zoom-/.test(url))).toEqual([]);

    const picture = (await links.first().boundingBox()) ?? { width: 0, height: 0 };
    const position = { x: picture.width / 4, y: picture.height * 0.6 };
    await (isMobile ? links.first().tap({ position }) : links.first().click({ position }));
    const image = large.getByRole("img");
    await expect(image).toBeVisible();
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.currentSrc)).toMatch(/-1600\.\w+$/);
    const view = () =>
      large.evaluate(({ scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight }) => ({
        left: scrollLeft,
        top: scrollTop,
        across: scrollWidth - clientWidth,
        down: scrollHeight - clientHeight,
        fills: clientWidth >= innerWidth - 16 && clientHeight >= innerHeight,
      }));
    const opened = await view();
    expect(opened.fills).toBe(true);
    if (isMobile) {
      expect(opened.across).toBeGreaterThan(300);
      expect(opened.left).toBeLessThan(opened.across / 4);
    } else {
      expect(opened.down).toBeGreaterThan(400);
      expect(opened.top).toBeGreaterThan(opened.down / 2);
    }
    await expectAccessible(page);

    await page.keyboard.press(isMobile ? "ArrowRight" : "ArrowUp");
    await expect
      .poll(async () => (isMobile ? (await view()).left : -(await view()).top))
      .toBeGreaterThan(isMobile ? opened.left : -opened.top);

    await page.keyboard.press("Escape");
    await expect(large).toHaveCount(0);
    await expect(links.first()).toBeFocused();

    await page.keyboard.press("Enter");
    const close = large.getByRole("button", { name: "Close picture" });
    await expect(close).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(large).toHaveCount(0);
    await expect(links.first()).toBeFocused();
  },
);

test("a pressed card's picture is on the page before the product is", { tag: "@both" }, async ({ page }) => {
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
  const after = await links.first().boundingBox();
  expect(after).toEqual(before);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("each picture is a link to its largest file", async ({ page }) => {
    await page.goto(BOWL);
    await expect(gallery(page).links.first()).toHaveAttribute("href", "/images/pro-earth-green-hero-1600.webp");
    await gallery(page).links.first().click();
    await expect(page).toHaveURL("/images/pro-earth-green-hero-1600.webp");
  });
});

test("who goes back while a card opens finds the shop as it was, and no error is told", async ({ page }) => {
  await open(page, "/shop");
  for (const place of [0, 1, 2]) {
    await page.getByRole("main").getByRole("article").nth(place).getByRole("heading").getByRole("link").click();
    await page.waitForURL("/product/*");
    await page.goBack();
    await expect(page).toHaveURL("/shop");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
});

test("what is pressed answers in the next frame", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await open(page, "/shop");
  /** How an element stands while it is held down, one frame after the press. */
  const held = async (target: Locator, seen = target) => {
    await target.hover();
    await page.mouse.down();
    const looks = await seen.evaluate(
      (element) =>
        new Promise<string>((done) => {
          requestAnimationFrame(() => {
            const { opacity, transform } = getComputedStyle(element);
            done(`${opacity} ${transform}`);
          });
        }),
    );
    await page.mouse.move(0, 0); // a press that ends elsewhere does nothing
    await page.mouse.up();
    return looks;
  };
  const card = page.getByRole("article").first();
  const picture = card.locator("> :first-child");
  expect(await held(card.getByRole("link"), picture)).toBe("1 matrix(0.98, 0, 0, 0.98, 0, 0)");
  expect(await held(card.getByRole("button", { name: /^Add to Cart/ }))).toBe("1 matrix(0.97, 0, 0, 0.97, 0, 0)");
  expect(await held(page.getByRole("link", { name: "Search" }))).toBe("0.6 matrix(0.92, 0, 0, 0.92, 0, 0)");
});

test.describe("far from where the shop counts its hours", () => {
  test.use({ timezoneId: "Pacific/Kiritimati" });

  test(
    "pages with times on them say the reader's own, and nothing jumps",
    { tag: "@both" },
    async ({ page, database }) => {
      const email = someEmail();
      await become("customer", page.request, process.env.E2E_URL ?? "", database, { email });
      await watchShifts(page);
      const orderedAt = new Date("2026-03-03T14:05:00Z");
      const shifts: Record<string, number> = {};
      for (const screen of SCREENS.filter(({ who }) => who === "customer")) {
        if (screen.order) await giveOrder(database, email, screen.order, orderedAt);
        await open(page, addressOf(screen, email));
        const text = (await page.getByRole("time").allTextContents()).join();
        expect(text, screen.name).not.toContain("UTC");
        if (screen.order) expect(text, screen.name).toContain("March 4, 2026");
        shifts[screen.name] = await shiftOf(page);
      }
      expect(Object.entries(shifts).filter(([, shift]) => shift > 0)).toEqual([]);
      expect(Object.keys(shifts)).toContain("order-unpaid");
    },
  );
});
