/**
 * Foreign programs and circumstances on every page: late scripts, a translator, a lost network, blocked cookies,
 * sizes; and what a second checker of accessibility says.
 */
import type { Page } from "@playwright/test";
import { orderUrl } from "#shop/orders/order-link.server.ts";
import { expect, test as journey } from "../support/admin-journey.ts";
import { addressOf as adminAddressOf, ADMIN_SCREENS } from "../support/admin-screens.ts";
import { blockCookies } from "../support/cookieless.ts";
import { runIbm } from "../support/ibm.ts";
import { holdBack, open, openAdmin, PASSWORD, sendSignUp, someEmail } from "../support/journey.ts";
import { giveEyes } from "../support/look.ts";
import { AUTH_SECRET, type Office } from "../support/office.ts";
import { placedOrder } from "../support/placed-order.ts";
import { addressOf, become, giveOrder, SCREENS } from "../support/screens.ts";
import { giveTranslator, pressTranslated, type Translated } from "../support/translator.ts";

const test = journey.extend<{ translated: Translated }>({
  translated: async ({ context }, use) => use(await giveTranslator(context)),
});

test.use({ hasDemo: true });
test.describe.configure({ mode: "parallel" });

test.beforeEach(async ({ context, expectErrors }) => {
  await giveEyes(context);
  await context.addInitScript(() => {
    // A file that is shown has no storage.
    if (origin !== "null") localStorage.setItem("polara:waitlist", "closed");
  });
  expectErrors(
    // Forms are refused, and a page may be left by what is pressed.
    /status of 4\d\d/,
    /ERR_INTERNET_DISCONNECTED/,
    /^Page not found: /,
    /Blocked script execution in 'about:srcdoc'/,
  );
});

/** As they are, and as the wide one is at 200% and 400%. */
const SIZES = [
  { name: "390 px", width: 390, height: 844 },
  { name: "390 px, text at 200%", width: 390, height: 844, text: 2 },
  { name: "400%", width: 360, height: 225 },
  { name: "200%", width: 720, height: 450 },
  { name: "1440 px", width: 1440, height: 900 },
];

/** Sideways scrolling, and bars that leave too little of a magnified screen for reading. */
async function sizeFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, width, height, text = 1 } of SIZES) {
    await page.setViewportSize({ width, height });
    const found = await page.evaluate(
      async ([innerWidth, enlarged]) => {
        document.documentElement.style.fontSize = `${100 * enlarged}%`;
        await look.settle(innerWidth);
        scrollTo(0, document.documentElement.scrollHeight / 2);
        await look.settle(innerWidth);
        const bars = [...document.querySelectorAll("header, main *")].filter((bar) => {
          const { position } = getComputedStyle(bar);
          const { top, bottom, left, right } = bar.getBoundingClientRect();
          const isStuck = position === "fixed" || (position === "sticky" && (top <= 64 || bottom >= innerHeight));
          return isStuck && bottom > 0 && top < innerHeight && right - left > innerWidth / 2 && bar.checkVisibility();
        });
        const covered = Math.round(bars.reduce((sum, bar) => sum + bar.getBoundingClientRect().height, 0));
        const isCovered = enlarged === 1 && covered > innerHeight / 3;
        return look.sideways().concat(isCovered ? [`bars cover ${covered} of ${innerHeight} px`] : []);
      },
      [width, text] as const,
    );
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  }
  return faults;
}

/** Links that leave the page when they are pressed offline. */
async function offlineFaults(page: Page): Promise<string[]> {
  await page.context().setOffline(true);
  const lost = await page.evaluate(async () => {
    const { href } = location;
    const faults: string[] = [];
    for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]:not([target], [download])")) {
      if (!link.checkVisibility() || !link.href.startsWith(location.origin)) continue;
      link.click();
      await new Promise((done) => setTimeout(done));
      if (location.pathname + location.search !== new URL(href).pathname + new URL(href).search)
        faults.push(`${link.href} leaves the page offline`);
    }
    return faults;
  });
  await expect(page.getByText("You’re offline").first()).toBeVisible();
  await page.context().setOffline(false);
  return lost;
}

/** Fields typed before the scripts had loaded, and lost once they have. */
async function earlyFaults(page: Page, show: () => Promise<void>): Promise<string[]> {
  const release = await holdBack(page, /\/assets\/.*\.js$/);
  const opening = show();
  await page.waitForFunction(() => location.protocol !== "about:" && document.readyState !== "loading");
  await page.evaluate(() => look.typeEarly());
  release();
  await opening;
  return page.evaluate(async () => {
    await look.settle();
    return look.lostSinceTyped();
  });
}

async function expectHolds(page: Page, translated: Translated, show: () => Promise<void>): Promise<void> {
  const faults = await earlyFaults(page, show);
  await show();
  faults.push(...(await runIbm(page)), ...(await sizeFaults(page)), ...(await offlineFaults(page)));
  await pressTranslated(page, translated, show);
  expect([...faults, ...translated.faults]).toEqual([]);
}

for (const screen of SCREENS)
  test(
    `${screen.name} holds, whatever is done to it from outside`,
    { tag: "@nightly" },
    async ({ page, office, translated }) => {
      const email = someEmail();
      await become(screen.who, page.request, office.url, office.pool, { email });
      if (screen.order) await giveOrder(office.pool, email, screen.order);
      await expectHolds(page, translated, () => open(page, office.url + addressOf(screen, email)));
    },
  );

/** The page to print listens for no news: it is hydrated once its button prints. */
async function openSlips(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: "commit" });
  await page.evaluate(() => (globalThis.print = () => document.body.setAttribute("data-printed", "")));
  await expect(async () => {
    await page.getByRole("button", { name: "Print", exact: true }).click();
    await expect(page.locator("[data-printed]")).toBeVisible({ timeout: 500 });
  }).toPass();
}

for (const screen of ADMIN_SCREENS)
  test(
    `${screen.name} of the back office holds, whatever is done to it`,
    { tag: "@nightly" },
    async ({ page, office, translated }) => {
      const address = office.url + (await adminAddressOf(office.pool, screen));
      const show = screen.name === "packing-slips" ? openSlips : openAdmin;
      await expectHolds(page, translated, async () => {
        // A member whom nothing that was pressed has disabled.
        await office.signIn(page, "owner");
        await show(page, address);
      });
    },
  );

/** Forms that need a cookie, and their words where cookies are blocked. */
const COOKIES: { needs: string; path: string; press?: (page: Page) => Promise<void> }[] = [
  {
    needs: "the cart",
    path: "/product/polara-pro-earth-green",
    press: (page) => page.getByRole("button", { name: "Add to Cart", exact: true }).first().click(),
  },
  {
    needs: "your wishlist",
    path: "/product/polara-pro-earth-green",
    press: (page) => page.getByRole("button", { name: "Add to Wishlist", exact: true }).click(),
  },
  {
    needs: "signing in",
    path: "/auth",
    async press(page) {
      await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
    },
  },
  {
    needs: "signing in",
    path: "/auth",
    press: (page) => page.getByRole("button", { name: "Continue with Google" }).first().click(),
  },
  { needs: "your account", path: "/auth?tab=sign-up", press: (page) => sendSignUp(page, someEmail()) },
  { needs: "signing in", path: "/auth/two-factor" },
  {
    needs: "the back office",
    path: "/admin/sign-in",
    async press(page) {
      await page.getByLabel("Email").fill("ada@example.com");
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByLabel("Code").fill("123456");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
    },
  },
];

const linkOf = async ({ db, url }: Office) => {
  const { id } = await placedOrder(db, { "charging-dock": 1 });
  const { pathname, search } = new URL(orderUrl({ id, linkVersion: 1 }, { baseUrl: url, secret: AUTH_SECRET }));
  return pathname + search;
};

test("what needs a cookie says so where cookies are blocked", { tag: "@nightly" }, async ({ page, office }) => {
  const shop = await blockCookies(page, office.url);
  for (const { needs, path, press } of COOKIES)
    await test.step(`${needs}: ${path}`, async () => {
      await page.goto(shop.url + path, { waitUntil: "networkidle" });
      await press?.(page);
      const words = `Your browser blocks cookies, and ${needs} needs one.`;
      await expect(page.getByText(words).first()).toBeVisible();
    });
  await page.goto(shop.url + (await linkOf(office)));
  await expect(page.getByText("Your browser blocks cookies, so you can only read this page.")).toBeVisible();
  shop.close();
});
