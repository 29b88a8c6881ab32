/** How the shop looks: every page and main state beside the picture of it that was last accepted (tests/looks). */
import type { Locator, Page } from "@playwright/test";
import { Pool } from "pg";
import { brand } from "../../shop/brand.ts";
import { createDatabase } from "../support/database.setup.ts";
import { sampleEmail } from "../support/emails.ts";
import { cartLink, expect, open, openFilters, test as base } from "../support/journey.ts";
import { addressOf, become, giveOrder, SCREENS, type Who } from "../support/screens.ts";
import { startShop, type Shop } from "../support/shop.ts";
import {
  enlargePicture,
  openComparison,
  openMenu,
  orderNothingFilledIn,
  searchFor,
  signUpNothingFilledIn,
} from "../support/states.ts";

/** Early bird ends so long after the moment at which the browser's clock stands still. */
const EARLY_BIRD_MS = ((12 * 24 + 4) * 3600 + 30 * 60 + 15) * 1000;
/** Further down, a long text is set as it is above. */
const ENOUGH_TEXT = 3_000;
const LONG_TEXTS = ["science", "post", "warranty", "privacy", "terms"];
const EMAIL = "ada@example.com";
const ORDER = { orderId: "8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750", orderedAt: new Date("2026-03-14T15:09:26Z") };

type Still = { shop: Shop; database: Pool; now: Date };

/** A shop of its own, in which nobody else buys. */
const test = base.extend<{ as: (who: Who) => Promise<void> }, { still: Still }>({
  still: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const { url, drop } = await createDatabase(process.env.E2E_SERVER ?? "", process.env.E2E_TEMPLATE ?? "");
      const database = new Pool({ connectionString: url, max: 2 });
      const now = new Date();
      await database.query("UPDATE products SET early_bird_end_date = $1 WHERE early_bird_end_date IS NOT NULL", [
        new Date(now.getTime() + EARLY_BIRD_MS),
      ]);
      const shop = await startShop({ DATABASE_URL: url });
      await use({ shop, database, now });
      await shop.stop();
      await database.end();
      await drop();
    },
    { scope: "worker" },
  ],

  baseURL: async ({ still }, use) => use(still.shop.url),

  page: async ({ page, still }, use) => {
    await page.clock.setFixedTime(still.now);
    // A visitor on a slow line reads in another typeface at first; a picture of the page waits for its own.
    await page.route(/\/assets\/[^/]+\.css$/, async (route) => {
      const response = await route.fetch();
      const styles = (await response.text()).replaceAll("font-display:optional", "font-display:block");
      await route.fulfill({ response, body: styles });
    });
    await use(page);
    // The styles of the next page may still be on their way.
    await page.unrouteAll({ behavior: "ignoreErrors" });
  },

  as: async ({ page, still: { shop, database } }, use) => {
    await use(async (who) => {
      await database.query("DELETE FROM orders; DELETE FROM users");
      await become(who, page.request, shop.url, database, { email: EMAIL, ...ORDER });
      // Emails come a little later, and would stand in the mailbox of the next test.
      const queued = "SELECT 1 FROM pgboss.job WHERE state IN ('created', 'active')";
      await expect.poll(async () => (await database.query(queued)).rowCount).toBe(0);
      await database.query("DELETE FROM mailbox_messages");
    });
  },
});

type Frame = {
  /** How much of it: the whole page, only what the screen shows, or a part. */
  of?: "page" | "screen" | Locator;
  /** With header and footer, which have pictures of their own: a change there is no change of every page. */
  withChrome?: boolean;
  /** What differs from run to run. */
  hide?: Locator[];
};

/** The page beside its accepted picture, once its type and its own pictures are there. */
async function expectLook(
  page: Page,
  name: string,
  { of = "page", withChrome = typeof of !== "string", hide = [] }: Frame = {},
): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    const pictures = [...document.images].filter((picture) => picture.checkVisibility());
    for (const picture of pictures) picture.loading = "eager";
    await Promise.all(pictures.map((picture) => picture.decode()));
    // The fixed-width type is the system's own, which differs from machine to machine.
    for (const { style } of document.querySelectorAll("code")) style.fontFamily = "inherit";
  });
  if (!withChrome) {
    await page.locator("body > header").evaluateAll(of === "page" ? takeAway : makeInvisible);
    await page.getByRole("contentinfo").evaluateAll(takeAway);
  }
  if (of === "page") await hideWhatSticks(page);
  for (const differing of hide) await differing.evaluateAll(makeInvisible);
  const as = { type: "jpeg", quality: 60, animations: "disabled", caret: "hide" } as const;
  const clip = LONG_TEXTS.includes(name)
    ? { x: 0, y: 0, width: page.viewportSize()?.width ?? 0, height: ENOUGH_TEXT }
    : undefined;
  const look = () =>
    typeof of === "string" ? page.screenshot({ ...as, clip, fullPage: of === "page" }) : of.screenshot(as);
  // On a busy machine, what comes last may still be on its way.
  await expect(async () => expect(await look()).toMatchSnapshot(`${name}.jpg`, { maxDiffPixels: 60 })).toPass({
    timeout: 20_000,
  });
}

const takeAway = (elements: (HTMLElement | SVGElement)[]) => {
  for (const { style } of elements) style.display = "none";
};

const makeInvisible = (elements: (HTMLElement | SVGElement)[]) => {
  for (const { style } of elements) style.visibility = "hidden";
};

/** What keeps to the screen would lie across the middle of a whole page. */
const hideWhatSticks = (page: Page) =>
  page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>("main *"))
      if (getComputedStyle(element).position === "fixed") element.style.visibility = "hidden";
  });

/** The header of a wide screen greets her last. */
async function expectAda(page: Page, isMobile: boolean): Promise<void> {
  if (!isMobile) await expect(page.getByRole("button", { name: "Account, Ada" })).toBeVisible();
}

for (const screen of SCREENS) {
  const { name, who, status, order } = screen;
  test(name, async ({ page, isMobile, as, still, expectErrors }) => {
    if (status) expectErrors(new RegExp(`status of ${status}`), /Page not found/);
    await as(who);
    if (order) await giveOrder(still.database, EMAIL, order, ORDER.orderedAt);
    await open(page, addressOf(screen, EMAIL));
    if (who === "customer") await expectAda(page, isMobile);
    const hide = [page.getByRole("region", { name: "Signed-in devices" }).locator("time")];
    await expectLook(page, name, { hide });
  });
}

test("header and footer", async ({ page, isMobile, as }) => {
  await open(page, "/shop");
  await expectLook(page, "footer", { of: page.getByRole("contentinfo") });
  await expectLook(page, "header", { of: page.getByRole("banner") });
  await as("customer");
  await open(page, "/shop");
  await expectAda(page, isMobile);
  await expect(cartLink(page, 3)).toBeVisible();
  await expectLook(page, "header-customer", { of: page.getByRole("banner") });
});

const screen = { of: "screen" } as const;

test("menu", { tag: "@phone" }, async ({ page }) => {
  await open(page, "/");
  await openMenu(page);
  await expectLook(page, "menu", { ...screen, withChrome: true });
});

test("search-sheet", async ({ page }) => {
  await open(page, "/");
  await searchFor(page, "ethylene");
  await expectLook(page, "search-sheet", { ...screen, withChrome: true });
});

test("compare-models", async ({ page }) => {
  await open(page, "/");
  await openComparison(page);
  await expectLook(page, "compare-models", screen);
});

test("waitlist", async ({ page }) => {
  await page.clock.install();
  await open(page, "/");
  await page.clock.runFor(31_000);
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectLook(page, "waitlist", { ...screen, hide: [page.getByRole("timer")] });
});

test("filters", { tag: "@phone" }, async ({ page }) => {
  await open(page, "/shop?category=Pro");
  await expect(await openFilters(page, true)).toBeVisible();
  await expectLook(page, "filters", screen);
});

test("shop-nothing", async ({ page }) => {
  await open(page, "/shop?category=Pro&minPrice=400");
  await expectLook(page, "shop-nothing");
});

test("shop-added", async ({ page }) => {
  await open(page, "/shop");
  await page
    .getByRole("article")
    .first()
    .getByRole("button", { name: /^Add to Cart/ })
    .click();
  await expect(page.getByText("Product has been added to your cart")).toBeVisible();
  await expectLook(page, "shop-added", screen);
});

test("product-sold-out", async ({ page }) => {
  await open(page, "/product/polara-classic-earth-green");
  await expectLook(page, "product-sold-out", screen);
});

test("product-not-found", async ({ page, expectErrors }) => {
  expectErrors(/status of 404/, /not found/i);
  await open(page, "/product/polara-toaster");
  await expectLook(page, "product-not-found");
});

test("product-tabs", async ({ page }) => {
  await open(page, "/product/polara-pro-earth-green");
  for (const name of ["Technical Specs", "Reviews", "FAQs"]) {
    await page.getByRole("tab", { name }).click();
    await expect(page.getByRole("tabpanel", { name })).toBeInViewport();
    await page.getByRole("tablist").evaluate((tabs) => tabs.scrollIntoView({ block: "start", behavior: "instant" }));
    await expectLook(page, `product-${name.toLowerCase().replace(" ", "-")}`, screen);
  }
});

test("product-enlarged", async ({ page }) => {
  await open(page, "/product/polara-pro-earth-green");
  await enlargePicture(page);
  await expectLook(page, "product-enlarged", screen);
});

test("buy-bar", { tag: "@phone" }, async ({ page }) => {
  await open(page, "/product/polara-pro-earth-green");
  await expectLook(page, "buy-bar", screen);
});

test("checkout-refused", async ({ page, as }) => {
  await as("shopper");
  await open(page, "/checkout");
  await orderNothingFilledIn(page);
  await expectLook(page, "checkout-refused");
});

test("order-placed", async ({ page, as, still }) => {
  await as("shopper");
  await page.clock.install({ time: still.now });
  await open(page, "/checkout");
  await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
  await page.getByLabel("Phone").fill("2125550100");
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Lovelace");
  await page.getByLabel("Address line 1").fill("12 Analytical Ave");
  await page.getByLabel("City").fill("New York");
  await page.getByLabel("State").selectOption("New York");
  await page.getByLabel("ZIP code").fill("10001");
  // After two seconds it would go home.
  await page.clock.pauseAt(new Date(still.now.getTime() + 60_000));
  await page.getByRole("button", { name: "Place Order" }).click();
  // The order is sent in the frame after the press.
  await page.clock.runFor(50);
  // The line is centered: its number moves the words beside it, too.
  const number = page.getByText("Order number");
  await expect(number).toBeVisible();
  await expectLook(page, "order-placed", { ...screen, hide: [number] });
});

test("sign-up-refused", async ({ page }) => {
  await open(page, "/auth?tab=sign-up");
  await signUpNothingFilledIn(page);
  await expectLook(page, "sign-up-refused");
});

test("account-empty", async ({ page, isMobile, as, still }) => {
  await as("customer");
  await still.database.query("DELETE FROM orders; DELETE FROM wishlists; UPDATE users SET email_verified = false");
  for (const tab of ["orders", "wishlist"]) {
    await open(page, `/account?tab=${tab}`);
    await expectAda(page, isMobile);
    await expectLook(page, `${tab}-empty`);
  }
});

test("failure", async ({ page, expectErrors }) => {
  expectErrors(/status of 500/);
  await open(page, "/about");
  await page.route(/\/science.*\.data/, (route) => route.fulfill({ status: 500, body: "" }));
  await page.getByRole("contentinfo").getByRole("link", { name: "Science", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  await expectLook(page, "failure", screen);
});

const emails = {
  "mail-order": ["order-confirmation", "of a guest"],
  "mail-answer": ["contact-receipt", "to the sender"],
} as const;

for (const [name, [template, sample]] of Object.entries(emails)) {
  test(name, async ({ page, baseURL }) => {
    // At the shop's address, because the wordmark comes from there.
    const { html } = await sampleEmail(template, sample, {
      baseUrl: baseURL ?? "",
      secret: "",
      supportEmail: brand.supportEmail,
    });
    await page.route("/email", (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.goto("/email");
    await expectLook(page, name);
  });
}
