/** What holds for every page, and for every state it can be brought into, at every size of screen. */
import type { Cookie, Page } from "@playwright/test";
import { measureContrast } from "../support/contrast.ts";
import { expect, open, openFilters, runAxe, someEmail, test as journey } from "../support/journey.ts";
import { giveEyes } from "../support/look.ts";
import { missingStyles } from "../support/page-styles.ts";
import { addressOf, become, giveOrder, SCREENS, type Screen, type Who } from "../support/screens.ts";
import {
  enlargePicture,
  openComparison,
  openMenu,
  orderNothingFilledIn,
  searchFor,
  signUpNothingFilledIn,
} from "../support/states.ts";

const WIDE = { width: 1440, height: 900 };
const ZOOMED = { width: 720, height: 450 }; // the wide one at 200%
const PHONE = { width: 390, height: 844 };
const SMALL = { width: 360, height: 740 };
const SIZES = [WIDE, PHONE, SMALL, { width: 768, height: 1024 }, { width: 1024, height: 768 }, ZOOMED];

/** Most do nothing: they come while the page is still on its way to rest. */
const MAX_PRESSES = 9_000;

/** Where each kind of control is found once. */
const WALKED_LARGE = ["home", "product", "checkout"];

type Visit = (screen: Pick<Screen, "path" | "who" | "order">) => Promise<void>;
type Known = { cookies: Record<Who, Cookie[]>; email: string };

const test = journey.extend<{ visit: Visit }, { known: Known }>({
  /** One shopper and one customer for all the pages that a worker sees. */
  known: [
    async ({ playwright, database }, use) => {
      const cookies: Record<Who, Cookie[]> = { visitor: [], shopper: [], customer: [] };
      const email = someEmail();
      for (const who of ["shopper", "customer"] as const) {
        const request = await playwright.request.newContext();
        await become(who, request, process.env.E2E_URL ?? "", database, { email });
        cookies[who] = (await request.storageState()).cookies;
        await request.dispose();
      }
      await use({ cookies, email });
    },
    { scope: "worker" },
  ],
  visit: async ({ page, database, known: { cookies, email } }, use) => {
    await giveEyes(page.context());
    await use(async (screen) => {
      if (screen.order) await giveOrder(database, email, screen.order);
      await page.context().addCookies(cookies[screen.who]);
      await open(page, addressOf(screen, email));
    });
  },
});

test.describe.configure({ mode: "parallel" });

/** What falls short on the page as it stands, at one size. `openTexts` gathers what axe cannot tell the contrast of. */
async function faultsAt(page: Page, size: (typeof SIZES)[number], openTexts: Set<string>): Promise<string[]> {
  await page.setViewportSize(size);
  const faults = await page.evaluate(async (width) => {
    await look.settle(width);
    return [...look.sideways(), ...look.cutOff(), ...look.covered(), ...look.faintFields()];
  }, size.width);
  if (size === PHONE) faults.push(...(await page.evaluate(() => look.smallTargets())));
  if (size === WIDE || size === PHONE) {
    await page.evaluate(() => scrollTo(0, 0));
    const axe = await runAxe(page);
    faults.push(...axe.faults);
    for (const text of axe.openTexts) openTexts.add(text);
  }
  const findFaint = async () =>
    (await measureContrast(page, [...openTexts])).filter(({ found, least }) => found < least);
  let faint = openTexts.size > 0 ? await findFaint() : [];
  // A bar or a word over the page may have been on its way just then.
  if (faint.length > 0) faint = await findFaint();
  faults.push(
    ...faint.map(({ where, found, least }) => `${where} has ${found.toFixed(2)}:1 of ${least}:1 on the screen`),
  );
  return faults.map((fault) => `${size.width} px: ${fault}`);
}

/** Tabs through the whole page: the focus is always to be seen, and nothing sticks before it. */
async function walk(page: Page, how: string): Promise<string[]> {
  await page.evaluate(() => look.watchFocus());
  // The bar comes and goes by what is in view, and a frame asks the page to scroll: both a moment after the press. A
  // second press in that moment would leave the frame, and its late request scroll what has the focus out of sight.
  const isLate = page.frames().length > 1 || (await page.evaluate(() => look.hasBarAtFoot()));
  for (let presses = 0; ; presses++) {
    await page.keyboard.down("Tab");
    if (isLate) await page.evaluate(() => look.settle());
    if (presses % 20 > 0) continue;
    const { isRound, faults } = await page.evaluate(() => look.walked());
    if (!isRound && presses < MAX_PRESSES) continue;
    return (isRound ? faults : [...faults, "Tab does not come round"]).map((fault) => `${how}, focus: ${fault}`);
  }
}

for (const screen of SCREENS) {
  test(`${screen.name} can be read, reached and used by everyone`, async ({ page, visit, expectErrors }) => {
    if (screen.status) expectErrors(new RegExp(`status of ${screen.status}`), /^Page not found: /);
    // An email in the mailbox is kept from all scripts, those of this test included.
    if (screen.name === "mailbox") expectErrors(/^Blocked script execution in 'about:srcdoc'/);
    // The invitation would come in between.
    await page.addInitScript(() => self === top && localStorage.setItem("polara:waitlist", "closed"));
    await visit(screen);
    const openTexts = new Set<string>();
    const faults = await walk(page, "1440 px");
    for (const size of SIZES) {
      faults.push(...(await faultsAt(page, size, openTexts)));
      if (size === PHONE) faults.push(...(await walk(page, "390 px")));
    }
    faults.push(...(await missingStyles(page)));
    // Last of all the page is as it is for somebody with large type and few colors.
    await page.emulateMedia({ forcedColors: "active" });
    const forced = await page.evaluate(async () => {
      await look.settle();
      return [...look.sideways(), ...look.cutOff(), ...look.alike()];
    });
    faults.push(...forced.map((fault) => `in forced colors: ${fault}`));
    if (WALKED_LARGE.includes(screen.name)) faults.push(...(await walk(page, "in forced colors at 200%")));
    expect(faults, screen.path).toEqual([]);
  });
}

type State = Pick<Screen, "name" | "path" | "who"> & { sizes?: typeof SIZES; reach?: (page: Page) => Promise<void> };

const BOTH = [WIDE, PHONE, SMALL];
const BOWL = "/product/polara-pro-earth-green";

const STATES: State[] = [
  {
    name: "the menu of small screens",
    path: "/shop",
    who: "customer",
    sizes: [PHONE, SMALL],
    reach: openMenu,
  },
  {
    name: "the account menu",
    path: "/about",
    who: "customer",
    sizes: [WIDE],
    async reach(page) {
      await page.getByRole("button", { name: "Account, Ada" }).click();
      await expect(page.getByRole("navigation", { name: "Account" })).toBeVisible();
    },
  },
  {
    name: "the comparison",
    path: "/",
    who: "visitor",
    reach: openComparison,
  },
  {
    name: "the invitation, refused an empty email",
    path: "/",
    who: "visitor",
    async reach(page) {
      await page.clock.runFor(31_000);
      await page.getByRole("button", { name: "Join the Waitlist" }).click();
      await expect(page.getByText("Email is required")).toBeVisible();
    },
  },
  {
    name: "an enlarged picture",
    path: BOWL,
    who: "visitor",
    reach: enlargePicture,
  },
  {
    name: "the reviews, and a word that a heart needs an account",
    path: BOWL,
    who: "visitor",
    sizes: [WIDE], // on a phone the word lies over the way back for its few seconds
    async reach(page) {
      await page.getByRole("tab", { name: "Reviews" }).click();
      await page.getByRole("button", { name: "Add to Wishlist", exact: true }).click();
      await expect(page.getByText("You must be logged in to add items to wishlist")).toBeVisible();
    },
  },
  {
    name: "the reviews on a phone",
    path: BOWL,
    who: "visitor",
    sizes: [PHONE, SMALL],
    reach: (page) => page.getByRole("tab", { name: "Reviews" }).click(),
  },
  {
    name: "the drawer of filters",
    path: "/shop?color=Earth+Green&maxPrice=400",
    who: "visitor",
    sizes: [PHONE, SMALL],
    reach: async (page) => expect(await openFilters(page, true)).toBeVisible(),
  },
  {
    name: "the search, with results",
    path: "/about",
    who: "visitor",
    async reach(page) {
      await searchFor(page, "filter");
      await page.keyboard.press("ArrowDown");
    },
  },
  { name: "checkout, with nothing to buy", path: "/checkout", who: "visitor" },
  {
    name: "checkout, with every error",
    path: "/checkout",
    who: "shopper",
    reach: orderNothingFilledIn,
  },
  {
    name: "sign-up, with every error",
    path: "/auth?tab=sign-up",
    who: "visitor",
    reach: signUpNothingFilledIn,
  },
];

for (const { name, sizes = BOTH, reach, ...screen } of STATES) {
  test(`${name} can be read and used by everyone`, async ({ page, visit }) => {
    await page.clock.install();
    await page.setViewportSize(sizes[0] ?? WIDE);
    await visit(screen);
    await reach?.(page);
    const openTexts = new Set<string>();
    const faults: string[] = [];
    for (const size of sizes) faults.push(...(await faultsAt(page, size, openTexts)));
    faults.push(...(await missingStyles(page)));
    await page.emulateMedia({ forcedColors: "active" });
    const forced = await page.evaluate(async () => {
      await look.settle();
      return look.alike();
    });
    faults.push(...forced.map((fault) => `in forced colors: ${fault}`));
    expect(faults, name).toEqual([]);
  });
}
