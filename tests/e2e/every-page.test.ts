/**
 * Every page and main state of the shop: its screenshot beside the accepted one (tests/looks), layout shift, axe, keyboard,
 * touch targets and small screens.
 */
import { existsSync, readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import type { Pool } from "pg";
import { sampleEmail } from "../support/emails.ts";
import { cartLink, expect, fillAddress, open, openFilters, runAxe, test as journey } from "../support/journey.ts";
import { expectNoShift, giveEyes, watchShifts } from "../support/look.ts";
import { startOwnShop, type OwnShop } from "../support/own-shop.ts";
import { addressOf, become, giveOrder, SCREENS, type Who } from "../support/screens.ts";

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** The least width without sideways scrolling, by WCAG 1.4.10. */
const SMALL = { width: 320, height: 640 };
/** One size by default, all by `npm run looks`. The last one is the wide screen at 200%. */
const ALL_SIZES = [
  WIDE,
  PHONE,
  SMALL,
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 720, height: 450 },
];
const isInAllSizes = process.env.LOOKS === "both";
const SIZES = isInAllSizes ? ALL_SIZES : [WIDE];
/** Limit of Tab presses on a page. */
const MAX_PRESSES = 9_000;

/** Time left of the early bird by the browser's fixed clock. */
const EARLY_BIRD_MS = ((12 * 24 + 4) * 3600 + 30 * 60 + 15) * 1000;
/** The last day of the early bird and the days of delivery move with the server's clock. */
const MOVING_DAY = /^Regular (price )?\$[\d.]+ after |^Arrives [A-Z]/;
const LONG_TEXTS = ["science", "post", "warranty", "privacy", "terms"];
const ENOUGH_TEXT = 3_000;
const EMAIL = "ada@example.com";
const ORDER = { orderId: "8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750", orderedAt: new Date("2026-03-14T15:09:26Z") };

type Still = { shop: OwnShop; database: Pool; now: Date };

const test = journey.extend<{ as: (who: Who) => Promise<void> }, { still: Still }>({
  /** A shop of its own, without other buyers. */
  still: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const now = new Date();
      const ends = new Date(now.getTime() + EARLY_BIRD_MS);
      const endEarlyBird = "UPDATE products SET early_bird_end_date = $1 WHERE early_bird_end_date IS NOT NULL";
      // Nothing happens by itself: emails of one test would be in the mailbox of another.
      const shop = await startOwnShop({
        env: { WORKER: "outside" },
        prepare: (pool) => pool.query(endEarlyBird, [ends]),
      });
      await use({ shop, database: shop.pool, now });
      await shop.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ still }, use) => use(still.shop.url),
  page: async ({ page, still }, use) => {
    await page.clock.setFixedTime(still.now);
    await giveEyes(page.context());
    await watchShifts(page);
    await use(page);
  },
  as: async ({ page, still: { shop, database } }, use) => {
    await use(async (who) => {
      await database.query("DELETE FROM orders; DELETE FROM users");
      await become(who, page.request, shop.url, database, { email: EMAIL, ...ORDER });
    });
  },
});

test.describe.configure({ mode: "parallel" });

type Frame = {
  /** The whole page, the viewport, or an element. */
  of?: "page" | "screen" | Locator;
  /** Header and footer have screenshots of their own. */
  withChrome?: boolean;
  /** Elements that differ from run to run. */
  hide?: Locator[];
};

/** Compares the screenshot, once fonts and pictures have loaded. */
async function expectLook(page: Page, name: string, frame: Frame = {}): Promise<void> {
  const { of = "page", withChrome = typeof of !== "string", hide = [] } = frame;
  await page.mouse.move(0, 0);
  await page.evaluate(async () => {
    // Screenshots wait for the font; slow visitors read the fallback.
    for (const face of document.fonts) face.display = "block";
    await Promise.all([...document.fonts].map((face) => face.load()));
    const pictures = [...document.images].filter((picture) => picture.checkVisibility());
    for (const picture of pictures) picture.loading = "eager";
    await Promise.all(pictures.map((picture) => picture.decode()));
    // Fixed elements would lie across the middle of a whole page.
    for (const element of document.querySelectorAll<HTMLElement>("main *"))
      element.toggleAttribute("data-sticks", getComputedStyle(element).position === "fixed");
  });
  for (const differing of [...hide, page.getByText(MOVING_DAY)])
    await differing.evaluateAll((elements) => elements.forEach((one) => one.setAttribute("data-differs", "")));
  const styles = [
    "[data-differs] { visibility: hidden !important }",
    // Monospaced fonts differ between machines.
    "code { font-family: inherit !important }",
    withChrome ? "" : "body > footer { display: none !important }",
    withChrome ? "" : `body > header { ${of === "page" ? "display: none" : "visibility: hidden"} !important }`,
    of === "page" ? "[data-sticks] { visibility: hidden !important }" : "",
  ].join("\n");
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
  }, styles);
  const as = { type: "jpeg", quality: 60, animations: "disabled", caret: "hide" } as const;
  const clip = LONG_TEXTS.includes(name)
    ? { x: 0, y: 0, width: page.viewportSize()?.width ?? 0, height: ENOUGH_TEXT }
    : undefined;
  const look = () =>
    typeof of === "string" ? page.screenshot({ ...as, clip, fullPage: of === "page" }) : of.screenshot(as);
  const accepted = test.info().snapshotPath(`${name}.jpg`, { kind: "snapshot" });
  // Decoding a long page takes seconds, and most are the same to the byte.
  const isSame = existsSync(accepted) && readFileSync(accepted).equals(await look());
  if (!isSame)
    await expect(async () => expect(await look()).toMatchSnapshot(`${name}.jpg`, { maxDiffPixels: 60 })).toPass({
      timeout: 20_000,
    });
  await page.evaluate(() => void document.adoptedStyleSheets.pop());
}

/** Header and footer, which are on every page, are walked on these: a visitor's and a customer's. */
const WHOLE = ["home", "account"];
/** The pages that are walked by default, one of each layout and kind of control; `npm run looks` walks all. */
const WALKED = [
  ...WHOLE,
  "shop",
  "product",
  "cart",
  "checkout",
  "sign-up",
  "settings",
  "order-two-parcels",
  "warranty",
  "support",
];
/** Orders that are opened by default, for what no other shows: a button, parcels, long names. */
const ORDERS: (string | undefined)[] = ["unpaid", "two-parcels", "ten-lines"];
/** Built like another one that is opened; `npm run looks` opens them too. */
const VARIANTS = [
  "privacy",
  "terms",
  "accessory",
  "search-nothing",
  "cart-empty",
  "sign-in",
  "verify",
  "reset-password",
  "claim-order",
  "order-not-shown",
  "mailbox",
  "shop-nothing",
  "product-not-found",
  "product-technical-specs",
  "product-reviews",
  "checkout-empty",
  "sign-up-refused",
  "mail-answer",
];
const isOpened = ({ name, order }: { name: string; order?: string }) =>
  isInAllSizes || !(VARIANTS.includes(name) || (order && !ORDERS.includes(order)));

/** Tabs through the page: the focus is always visible. */
async function walk(page: Page, isWhole: boolean): Promise<string[]> {
  await page.evaluate((whole) => look.watchFocus(whole), isWhole);
  // The bar comes and goes by what is in view, and a frame asks the page to scroll: both a moment after the press. A
  // second press in that moment would leave the frame, and its late request scroll what has the focus out of sight.
  const isLate = page.frames().length > 1 || (await page.evaluate(() => look.hasBarAtFoot()));
  for (let presses = 0; ; presses++) {
    await page.keyboard.down("Tab");
    if (isLate) await page.evaluate(() => look.settle());
    if (presses % 20 > 0) continue;
    const { isRound, faults } = await page.evaluate(() => look.walked());
    if (!isRound && presses < MAX_PRESSES) continue;
    // A focused skip link lies over the header.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    return isRound ? faults : [...faults, "Tab does not come round"];
  }
}

/** No accessibility fault at any of these sizes. */
async function expectUsable(
  page: Page,
  { sizes = SIZES, walks = "none" as "none" | "main" | "whole" } = {},
): Promise<void> {
  const all: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    const faults = await page.evaluate(async (width) => {
      await look.settle(width);
      return [...look.sideways(), ...look.cutOff(), ...look.faintFields()];
    }, size.width);
    if (size === PHONE) faults.push(...(await page.evaluate(() => look.smallTargets())));
    if (size === WIDE || size === PHONE) {
      await page.evaluate(() => scrollTo(0, 0));
      faults.push(...(await runAxe(page)));
      // On a phone a bar at the foot may cover what has the focus.
      const isWalked = walks !== "none" && (size === WIDE || (await page.evaluate(() => look.hasBarAtFoot())));
      if (isWalked) faults.push(...(await walk(page, walks === "whole")));
    }
    all.push(...faults.map((fault) => `${size.width} px: ${fault}`));
  }
  expect(all, page.url()).toEqual([]);
}

/** The account menu of a wide screen renders last. */
async function expectAda(page: Page, isMobile: boolean): Promise<void> {
  if (!isMobile) await expect(page.getByRole("button", { name: "Account, Ada" })).toBeVisible();
}

for (const screen of SCREENS.filter(isOpened)) {
  const { name, who, status, order } = screen;
  test(name, async ({ page, isMobile, as, still, expectErrors }) => {
    if (status) expectErrors(new RegExp(`status of ${status}`), /^Page not found: /);
    // Emails in the mailbox run no scripts.
    if (name === "mailbox") expectErrors(/^Blocked script execution in 'about:srcdoc'/);
    // The waitlist popup would open.
    await page.addInitScript(() => self === top && localStorage.setItem("polara:waitlist", "closed"));
    await as(who);
    if (order) await giveOrder(still.database, EMAIL, order, ORDER.orderedAt);
    await open(page, addressOf(screen, EMAIL));
    if (who === "customer") await expectAda(page, isMobile);
    await expect(page).toHaveTitle(/\S.* \| Polara$|^Polara/);
    await expectNoShift(page);
    await expectLook(page, name, { hide: [page.getByRole("region", { name: "Signed-in devices" }).locator("time")] });
    const isWalked = isInAllSizes || WALKED.includes(name);
    const walks = WHOLE.includes(name) ? "whole" : isWalked ? "main" : "none";
    if (!isMobile) await expectUsable(page, { walks });
  });
}

type State = {
  name: string;
  path: string;
  who?: Who;
  sizes?: (typeof WIDE)[];
  errors?: RegExp[];
  reach?: (page: Page) => Promise<unknown>;
  frame?: (page: Page) => Frame;
  hasClock?: true;
  hasNoPicture?: true;
};

const PHONES = [PHONE, SMALL];
const BOWL = "/product/polara-pro-earth-green";
const screen = { of: "screen" } as const;
const whole = { ...screen, withChrome: true };
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

const STATES: State[] = [
  {
    name: "menu",
    path: "/",
    sizes: PHONES,
    frame: () => whole,
    reach: (page) => press(page, "Menu"),
  },
  {
    name: "filters",
    path: "/shop?category=Pro",
    sizes: PHONES,
    frame: () => screen,
    reach: async (page) => expect(await openFilters(page, true)).toBeVisible(),
  },
  { name: "buy-bar", path: BOWL, sizes: PHONES, frame: () => screen },
  {
    name: "account-menu",
    path: "/about",
    who: "customer",
    sizes: [WIDE],
    hasNoPicture: true,
    async reach(page) {
      await press(page, "Account, Ada");
      await expect(page.getByRole("navigation", { name: "Account" })).toBeVisible();
    },
  },
  {
    name: "search-sheet",
    path: "/",
    frame: () => whole,
    async reach(page) {
      await page.getByRole("banner").getByRole("link", { name: "Search" }).click();
      await page.getByRole("combobox", { name: "Search the shop" }).fill("ethylene");
      await expect(page.getByRole("option").first()).toBeVisible();
    },
  },
  {
    name: "compare-models",
    path: "/",
    frame: () => screen,
    async reach(page) {
      await press(page, "Compare Models");
      await expect(page.getByRole("dialog", { name: "Compare Models" })).toBeVisible();
    },
  },
  {
    name: "waitlist",
    path: "/",
    hasClock: true,
    frame: (page) => ({ ...screen, hide: [page.getByRole("timer")] }),
    async reach(page) {
      await page.clock.runFor(31_000);
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  { name: "shop-nothing", path: "/shop?category=Pro&minPrice=400" },
  {
    name: "shop-added",
    path: "/shop",
    sizes: [WIDE],
    frame: () => screen,
    async reach(page) {
      const card = page.getByRole("article").first();
      await card.getByRole("button", { name: /^Add to Cart/ }).click();
      await expect(page.getByText("Product has been added to your cart")).toBeVisible();
    },
  },
  { name: "product-sold-out", path: "/product/polara-classic-earth-green", frame: () => screen },
  { name: "product-not-found", path: "/product/polara-toaster", errors: [/status of 404/, /not found/i] },
  ...["Technical Specs", "Reviews", "FAQs"].map((name): State => ({
    name: `product-${name.toLowerCase().replace(" ", "-")}`,
    path: BOWL,
    frame: () => screen,
    async reach(page) {
      await page.getByRole("tab", { name }).click();
      await expect(page.getByRole("tabpanel", { name })).toBeInViewport();
      await page.getByRole("tablist").evaluate((tabs) => tabs.scrollIntoView({ block: "start", behavior: "instant" }));
    },
  })),
  {
    name: "product-enlarged",
    path: BOWL,
    frame: () => screen,
    async reach(page) {
      const picture = page.getByRole("link", { name: /^Enlarge/ });
      await picture.first().click();
      await expect(page.getByRole("dialog", { name: "Enlarged picture" }).getByRole("img")).toBeVisible();
    },
  },
  { name: "checkout-empty", path: "/checkout", hasNoPicture: true },
  {
    name: "checkout-refused",
    path: "/checkout",
    who: "shopper",
    async reach(page) {
      await press(page, "Place Order");
      for (const message of ["Invalid email address", "Address is required"])
        await expect(page.getByText(message, { exact: true })).toBeVisible();
    },
  },
  {
    name: "sign-up-refused",
    path: "/auth?tab=sign-up",
    async reach(page) {
      await press(page, "Create Account");
      for (const message of ["First name is required", "You must accept the terms"])
        await expect(page.getByText(message)).toBeVisible();
    },
  },
  {
    name: "failure",
    path: "/about",
    errors: [/status of 500/],
    frame: () => screen,
    async reach(page) {
      await page.route(/\/science.*\.data/, (route) => route.fulfill({ status: 500, body: "" }));
      await page.getByRole("contentinfo").getByRole("link", { name: "Science", exact: true }).click();
      await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
    },
  },
];

for (const state of STATES.filter(isOpened)) {
  const {
    name,
    path,
    who,
    sizes = isInAllSizes ? [WIDE, ...PHONES] : [WIDE],
    errors = [],
    reach,
    frame,
    hasClock,
    hasNoPicture,
  } = state;
  test(name, { tag: sizes === PHONES ? "@both" : [] }, async ({ page, isMobile, as, still, expectErrors }) => {
    test.skip(isMobile && hasNoPicture === true, "Only pictures are taken on a phone.");
    expectErrors(...errors);
    if (hasClock) await page.clock.install({ time: still.now });
    if (who) await as(who);
    if (sizes === PHONES) await page.setViewportSize(PHONE);
    await open(page, path);
    await reach?.(page);
    // Only `npm run looks` compares screenshots of a phone.
    const isPictured = !hasNoPicture && (sizes !== PHONES || isMobile);
    if (isPictured) await expectLook(page, name, frame?.(page));
    if (!isMobile) await expectUsable(page, { sizes });
  });
}

test("header and footer", async ({ page, isMobile, as }) => {
  await open(page, "/shop");
  // The picture is of 2026.
  const copyright = page.getByText(/^© \d{4} /);
  await copyright.evaluate((line) => (line.innerHTML = line.innerHTML.replace(/\d{4}/, "2026")));
  await expectLook(page, "footer", { of: page.getByRole("contentinfo") });
  await expectLook(page, "header", { of: page.getByRole("banner") });
  await as("customer");
  await open(page, "/shop");
  await expectAda(page, isMobile);
  await expect(cartLink(page, 3)).toBeVisible();
  await expectLook(page, "header-customer", { of: page.getByRole("banner") });
});

test("order-placed", async ({ page, as, still }) => {
  await as("shopper");
  await page.clock.install({ time: still.now });
  await open(page, "/checkout");
  await fillAddress(page, { Email: EMAIL });
  // It would redirect after two seconds.
  await page.clock.pauseAt(new Date(still.now.getTime() + 60_000));
  await press(page, "Place Order");
  await page.clock.runFor(50);
  const number = page.getByText("Order number");
  await expect(number).toBeVisible();
  await expectLook(page, "order-placed", { ...screen, hide: [number] });
});

test("account-empty", async ({ page, isMobile, as, still }) => {
  await as("customer");
  await still.database.query("DELETE FROM orders; DELETE FROM wishlists; UPDATE users SET email_verified = false");
  for (const tab of ["orders", "wishlist"]) {
    await open(page, `/account?tab=${tab}`);
    await expectAda(page, isMobile);
    await expectLook(page, `${tab}-empty`);
    if (!isMobile) await expectUsable(page, { sizes: isInAllSizes ? [WIDE, PHONE] : [WIDE] });
    await page.setViewportSize(isMobile ? PHONE : WIDE);
  }
});

const EMAILS = [
  { name: "mail-order", template: "order-confirmation", sample: "of a guest" },
  { name: "mail-answer", template: "contact-receipt", sample: "to the sender" },
] as const;

for (const { name, template, sample } of EMAILS.filter(isOpened)) {
  test(name, async ({ page, baseURL }) => {
    // The wordmark is loaded from the shop.
    const settings = { baseUrl: baseURL ?? "", secret: "" };
    const { html } = await sampleEmail(template, sample, settings);
    await page.route("/email", (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.goto("/email");
    await expectLook(page, name);
  });
}
