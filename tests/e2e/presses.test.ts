/**
 * No press is lost: on links, filters, hearts, quantities, tabs, colors, dialogs and the boxes of the checkout, in the first
 * two seconds of a load. PRESSES=60 presses so often in all.
 */
import type { CDPSession, Locator, Page } from "@playwright/test";
import type { Pool } from "pg";
import { expect, fillCart, open, test } from "../support/journey.ts";

const PRESSES = Number(process.env.PRESSES ?? 9);
const FIRST_MS = 2_000;
const BOWL = "/product/polara-pro-earth-green";
const FILTER = "ethylene-filter-2-pack";

type Kind = {
  name: string;
  path: string;
  inCart?: true;
  press: (page: Page) => Promise<void>;
  took: (page: Page) => Promise<void>;
  /** The expected outcome offline. */
  tookOffline?: (page: Page) => Promise<void>;
  isWrite?: true;
};

const main = (page: Page) => page.getByRole("main");
const says = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible();

/** The box and the list are as they were. */
async function staysOffline(page: Page) {
  await says(page, "You’re offline");
  await expect(page).toHaveURL("/shop");
  await expect(page.getByRole("checkbox", { name: "Classic" }).first()).not.toBeChecked();
  await says(page, "Showing 12 products");
}

const KINDS: Kind[] = [
  {
    name: "a link",
    path: "/about",
    async press(page) {
      const link = page.getByRole("contentinfo").getByRole("link", { name: "Science", exact: true });
      await link.hover();
      // The router loads a page ahead while the pointer rests on its link.
      await page.waitForTimeout(150);
      await link.click();
    },
    took: (page) => expect(page).toHaveURL("/science"),
    async tookOffline(page) {
      await says(page, "You’re offline");
      await expect(page).toHaveURL("/about");
    },
  },
  {
    name: "a filter",
    path: "/shop",
    press: (page) => page.getByRole("checkbox", { name: "Classic" }).first().click(),
    async took(page) {
      await expect(page).toHaveURL("/shop?category=Classic");
      await says(page, "Showing 3 products");
      await expect(page.getByRole("checkbox", { name: "Classic" }).first()).toBeChecked();
    },
    tookOffline: staysOffline,
  },
  {
    name: "the order of the list",
    path: "/shop",
    press: async (page) => void (await page.getByRole("combobox", { name: "Sort by" }).selectOption("price-asc")),
    async took(page) {
      await expect(page).toHaveURL("/shop?sort=price-asc");
      await expect(main(page).getByRole("heading", { level: 3 }).first()).toHaveText("Lid Gasket Set");
    },
    tookOffline: staysOffline,
  },
  {
    name: "a heart",
    path: BOWL,
    press: (page) => page.getByRole("button", { name: "Add to Wishlist", exact: true }).click(),
    took: (page) =>
      expect(
        page
          .getByText("You must be logged in to add items to wishlist")
          .or(page.getByRole("heading", { name: "Welcome back" }))
          .first(),
      ).toBeVisible(),
  },
  {
    name: "Add to Cart",
    path: BOWL,
    press: (page) => page.getByRole("button", { name: "Add to Cart", exact: true }).first().click(),
    took: (page) => expect(page.getByRole("banner").getByRole("link", { name: "Cart, 1 item" })).toBeVisible(),
    isWrite: true,
  },
  {
    name: "a quantity in the cart",
    path: "/cart",
    inCart: true,
    press: (page) => page.getByRole("button", { name: "Increase quantity" }).click(),
    // The quantity itself is optimistic; the count in the header is the shop's.
    took: (page) => expect(page.getByRole("banner").getByRole("link", { name: "Cart, 2 items" })).toBeVisible(),
    isWrite: true,
  },
  {
    name: "a quantity of a product",
    path: BOWL,
    press: (page) => page.getByRole("spinbutton", { name: "Quantity" }).fill("3"),
    async took(page) {
      await page.getByRole("button", { name: "Increase quantity" }).click();
      await expect(page.getByRole("spinbutton", { name: "Quantity" })).toHaveValue("4");
    },
  },
  {
    name: "a tab",
    path: BOWL,
    press: (page) => page.getByRole("tab", { name: "Reviews" }).click(),
    async took(page) {
      await expect(page.getByRole("tab", { name: "Reviews" })).toHaveAttribute("aria-selected", "true");
      await expect(page.locator("#reviews")).toBeVisible();
      await expect(page.locator("#overview")).toBeHidden();
    },
  },
  {
    name: "a color of home",
    path: "/",
    press: (page) => page.getByRole("radio", { name: "Frost White" }).locator("..").click(),
    async took(page) {
      await expect(page.getByRole("radio", { name: "Frost White" })).toBeChecked();
      await expect(page.getByRole("group", { name: "Color Frost White" })).toBeVisible();
    },
  },
  {
    name: "the menu",
    path: "/about",
    press: async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole("button", { name: "Menu", exact: true }).click();
    },
    took: (page) => expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible(),
  },
  {
    name: "the boxes of the checkout",
    path: "/checkout",
    inCart: true,
    async press(page) {
      await page.getByRole("radio", { name: /Express Shipping/ }).check();
      await page.getByLabel("Remember this until I close my browser").check();
      await page.getByLabel("City", { exact: true }).fill("New York");
    },
    async took(page) {
      await expect(page.getByRole("radio", { name: /Express Shipping/ })).toBeChecked();
      await expect(page.getByLabel("Remember this until I close my browser")).toBeChecked();
      // The review is made of what the form knows.
      await expect(main(page).getByRole("definition").filter({ hasText: "Express Shipping" })).toBeVisible();
      await expect(main(page).getByRole("definition").filter({ hasText: "New York" })).toBeVisible();
    },
  },
];

const CONDITIONS: Record<string, (devtools: CDPSession) => Promise<unknown>> = {
  "four times slower": (devtools) => devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 }),
  "on slow 4G": (devtools) =>
    devtools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 150,
      downloadThroughput: 1_600_000 / 8,
      uploadThroughput: 750_000 / 8,
    }),
};

async function prepare(page: Page, database: Pool, { inCart }: Kind): Promise<void> {
  await page.context().clearCookies();
  await page.setViewportSize({ width: 1440, height: 900 });
  if (inCart) await fillCart(page, database, FILTER);
}

/** The presses of one of the three tests, each of which begins with another kind and takes every second one. */
const pressesOf = (kinds: Kind[], test: number): Kind[] =>
  Array.from({ length: Math.ceil(PRESSES / 3) }, (_, i) => kinds[(i * 2 + test * 5) % kinds.length] as Kind);

test.describe.configure({ mode: "parallel" });

test.beforeEach(({ page }) => page.addInitScript(() => localStorage.setItem("polara:waitlist", "closed")));

for (const [place, [condition, slowDown]] of Object.entries(CONDITIONS).entries()) {
  test(
    `no press is lost ${condition}`,
    { tag: place === 0 ? [] : "@nightly" },
    async ({ page, database, expectErrors }) => {
      // A heart that is pressed before its visitor is known is refused by the shop.
      expectErrors(/status of 401/);
      test.setTimeout(180_000 + PRESSES * 10_000);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("Network.enable");
      await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
      await slowDown(devtools);
      for (const [i, kind] of pressesOf(KINDS, place).entries()) {
        await test.step(`press ${i + 1}: ${kind.name}`, async () => {
          await prepare(page, database, kind);
          await page.goto(kind.path, { waitUntil: "commit" });
          // Moments of a load, spread over its first two seconds.
          await page.waitForTimeout((i * 379) % FIRST_MS);
          await kind.press(page);
          await kind.took(page);
        });
      }
    },
  );
}

test("no press is lost offline", async ({ page, database, expectErrors }) => {
  test.setTimeout(180_000 + PRESSES * 10_000);
  expectErrors(/ERR_INTERNET_DISCONNECTED/, /caught the following error during render/, /Failed to fetch/, /assets\//);
  const kinds = KINDS.filter(({ isWrite }) => !isWrite);
  for (const [i, kind] of pressesOf(kinds, 0).entries()) {
    await test.step(`press ${i + 1}: ${kind.name}`, async () => {
      await page.context().setOffline(false);
      await prepare(page, database, kind);
      await open(page, kind.path);
      // The router reloads a page that goes offline while it imports a route.
      await page.waitForLoadState("networkidle");
      await page.context().setOffline(true);
      await kind.press(page);
      await (kind.tookOffline ?? kind.took)(page);
    });
  }
});

test("a press counts though its page is left before the shop answers", async ({ page }) => {
  const pressed = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  // A page that was prefetched would arrive before the press.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  await open(page, "/shop");
  await page.route(/polara-pro-earth-green\.data/, async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await page.route(/cart\/add/, async (route) => {
    pressed.resolve();
    await left.promise;
    await route.continue();
  });
  // Both before the skeleton of the next page takes the button away.
  await page.evaluate((bowl) => {
    document.querySelector<HTMLElement>(`main a[href="${bowl}"]`)?.click();
    document.querySelector<HTMLElement>("main form[action='/cart/add'] button")?.click();
  }, BOWL);
  await expect(page).toHaveURL(BOWL);
  left.resolve();
  await expect(page.getByRole("banner").getByRole("link", { name: "Cart, 1 item" })).toBeVisible();
});

/** A field that is left with an error, and what is pressed meanwhile. */
const LEFT: {
  path: string;
  field: string;
  /** Condition for the field to be wrong. */
  before?: (page: Page) => Promise<void>;
  press: (page: Page) => Locator;
  took: (page: Page) => Promise<void>;
  inCart?: true;
}[] = [
  {
    path: "/auth?tab=sign-up",
    field: "Confirm password",
    before: (page) => page.getByLabel("Password", { exact: true }).fill("correct horse battery"),
    press: (page) => page.getByRole("checkbox", { name: /^I agree/ }),
    took: (page) => expect(page.getByRole("checkbox", { name: /^I agree/ })).toBeChecked(),
  },
  {
    path: "/auth",
    field: "Email",
    press: (page) => main(page).getByRole("button", { name: "Sign In", exact: true }),
    took: (page) => says(page, "Password is required"),
  },
  {
    path: "/support",
    field: "Email",
    press: (page) => page.getByRole("button", { name: "Send Message" }),
    took: (page) => says(page, "Message is required"),
  },
  {
    path: "/orders/find",
    field: "Order number",
    press: (page) => page.getByRole("button", { name: "Send Link" }),
    took: (page) => says(page, "Email is required"),
  },
  {
    path: "/checkout",
    inCart: true,
    field: "ZIP code",
    press: (page) => page.getByRole("radio", { name: /Express Shipping/ }),
    took: (page) => expect(page.getByRole("radio", { name: /Express Shipping/ })).toBeChecked(),
  },
];

test("a press counts that leaves a field with an error", { tag: "@both" }, async ({ page, database, isMobile }) => {
  for (const { path, field, press, took, inCart, before } of LEFT) {
    await test.step(path, async () => {
      if (inCart) await fillCart(page, database, FILTER);
      await open(page, path);
      await before?.(page);
      await page.getByLabel(field, { exact: true }).fill("x");
      const target = press(page);
      await target.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const [left, top] = [x + width / 2, y + height / 2] as const;
      if (isMobile) await page.touchscreen.tap(left, top);
      else {
        await page.mouse.move(left, top);
        await page.mouse.down();
        // Longer than an error takes to show.
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        await page.mouse.up();
      }
      await took(page);
      await expect(page.getByLabel(field, { exact: true })).toHaveAttribute("aria-invalid", "true");
    });
  }
});
