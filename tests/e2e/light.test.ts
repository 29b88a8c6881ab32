/** A page that is still waking up, on a slow line or with scripts that are late, and links that lead on without a reload. */
import type { Page } from "@playwright/test";
import { cartLink, expect, open, someEmail, test } from "../support/journey.ts";
import { ADA, become } from "../support/screens.ts";

const BOWL = "/product/polara-pro-earth-green";
const LATE_MS = 10_000;
const ALL_STYLES = /\/assets\/styles-[^/]+\.css$/;

const WHERE_TO = {
  Phone: "2125550100",
  "First name": "Ada",
  "Last name": "Lovelace",
  "Address line 1": "12 Analytical Ave",
  City: "New York",
  "ZIP code": "10001",
};

/** Holds back every script until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

const productLink = (page: Page, name: RegExp) => page.getByRole("main").getByRole("link", { name }).first();

test("what is pressed before the scripts have come is done once they are there", async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto(BOWL, { waitUntil: "commit" });
  await page.getByRole("button", { name: "Increase quantity" }).first().click();
  await page.getByRole("button", { name: "Increase quantity" }).first().click();
  await page.getByRole("tab", { name: "Reviews" }).click();
  release();
  await expect(page.getByRole("tab", { name: "Reviews" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("spinbutton", { name: "Quantity" })).toHaveValue("3");
});

test("a color of home that is chosen before the scripts have come is shown once they are there", async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  const frost = page.getByRole("radio", { name: "Frost White" });
  await frost.locator("..").click();
  release();
  await expect(frost).toBeChecked();
});

test("a menu that was opened before the scripts have come stays open", { tag: "@phone" }, async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  const menu = page.getByRole("dialog", { name: "Menu" });
  await expect(menu).toBeVisible();
  const awake = page.waitForResponse(/\/personal/);
  release();
  await awake;
  await expect(menu).toBeVisible();
  await menu.getByRole("link", { name: "Science" }).click();
  await expect(page).toHaveURL("/science");
  await expect(menu).toBeHidden();
});

test("a bowl is ordered from before any script has come, ten seconds late", { tag: "@both" }, async ({ page }) => {
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await new Promise((done) => setTimeout(done, LATE_MS));
    await route.continue().catch(() => {});
  });
  await page.goto(BOWL, { waitUntil: "commit" });
  await page.getByRole("button", { name: "Add to Cart" }).first().click();
  await expect(page).toHaveURL("/cart");
  await expect(productLink(page, /Polara Pro/)).toBeVisible();
  await page.getByRole("link", { name: /Checkout/ }).click();
  await expect(page).toHaveURL("/checkout");
  await page.getByLabel("Email", { exact: true }).fill(someEmail());
  for (const [label, typed] of Object.entries(WHERE_TO)) await page.getByLabel(label, { exact: true }).fill(typed);
  await page.getByLabel("State", { exact: true }).selectOption("New York");
  await page.getByRole("button", { name: "Place Order" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Thank you for your order" })).toBeVisible();
});

test(
  "a search and a sign-in are answered while every script is on its way",
  { tag: "@both" },
  async ({ page, database }) => {
    const email = someEmail();
    await become("customer", page.context().request, process.env.E2E_URL ?? "", database, { email });
    await page.context().clearCookies();
    await holdScripts(page);
    await page.goto("/about", { waitUntil: "commit" });
    await page.getByRole("banner").getByRole("link", { name: "Search" }).click();
    await expect(page).toHaveURL("/search");
    await page.getByRole("searchbox", { name: "Search the shop" }).fill("filter");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/search?q=filter");
    await expect(productLink(page, /Ethylene Filter/)).toBeVisible();
    await page.goto("/auth?redirect=%2Faccount", { waitUntil: "commit" });
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByLabel("Password", { exact: true }).fill(ADA.password);
    await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
    await expect(page).toHaveURL("/account");
    await expect(page.getByRole("heading", { level: 1, name: "Hello, Ada" })).toBeVisible();
  },
);

for (const [who, comes] of Object.entries({
  "is in a field already": () => {
    new MutationObserver((_changes, observer) => {
      const field = document.querySelector<HTMLInputElement>("input[type=email]");
      field?.focus();
      if (field) observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  },
  "has a browser that may paint half of a page": () => {
    DOMTokenList.prototype.supports = (token) => token !== "expect";
  },
})) {
  test(`nothing of a page is hidden before its first picture from who ${who}`, async ({ page }) => {
    await page.addInitScript(() => {
      const seen = window as { hidden?: number };
      seen.hidden = 0;
      new MutationObserver((changes) => {
        for (const { target } of changes) if (target.nodeName === "MAIN") seen.hidden = (seen.hidden ?? 0) + 1;
      }).observe(document, { attributeFilter: ["hidden"], subtree: true });
    });
    await page.addInitScript(comes);
    await open(page, "/auth");
    expect(await page.evaluate(() => (window as { hidden?: number }).hidden)).toBe(0);
  });
}

test("links in what is not hydrated lead on in place", { tag: "@both" }, async ({ page }) => {
  await open(page, "/");
  await page.evaluate(() => ((window as { same?: boolean }).same = true));
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page).toHaveURL("/terms");
  await page.goBack();
  await page.getByRole("link", { name: "Read the science" }).click();
  await expect(page).toHaveURL("/science");
  expect(await page.evaluate(() => (window as { same?: boolean }).same)).toBe(true);
});

test("what a link leads to is fetched when somebody means to press it, once, and not to save data", async ({
  page,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const product = page.getByRole("main").getByRole("article").first();
  const data = () => asked.filter((path) => /^\/product\/.*\.data/.test(path));
  const code = () => asked.filter((path) => path.endsWith(".js"));
  await page.goto("/shop", { waitUntil: "networkidle" });
  const before = code();
  expect(data()).toEqual([]);
  await product.hover();
  await expect.poll(data).toHaveLength(1);
  await product.getByRole("heading").getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: /Polara/ })).toBeVisible();
  // The page's own code was there before; what a document has without code came with the data.
  const after = code().filter((path) => !before.includes(path));
  expect(after).toEqual([expect.stringMatching(/panels/)]);

  asked.length = 0;
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  await page.goto("/shop", { waitUntil: "networkidle" });
  await product.hover();
  await page.waitForTimeout(500);
  expect(data()).toEqual([]);
  expect(code().length).toBeLessThan(before.length);
});

test("scripts are asked for once there is a first picture", { tag: "@both" }, async ({ page }) => {
  const asked: string[] = [];
  let release = () => {};
  const styles = new Promise<void>((done) => (release = done));
  await page.route("**/assets/*.css", async (route) => {
    await styles;
    await route.continue();
  });
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const scripts = () => asked.filter((path) => path.endsWith(".js"));
  await page.goto(BOWL, { waitUntil: "commit" });
  await page.waitForTimeout(1_000);
  expect(asked.filter((path) => path.endsWith(".woff2"))).toHaveLength(1);
  expect(scripts()).toEqual([]);
  release();
  await expect.poll(() => scripts().length).toBeGreaterThan(5);
});

test("a page in a tab that nobody sees gets ready all the same", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(document, "hidden", { value: true });
    window.requestAnimationFrame = () => 0;
  });
  await page.goto(BOWL);
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await expect(page.getByRole("spinbutton", { name: "Quantity" })).toHaveValue("2");
});

test("the tolerance of the temperature is written in the shop's own typeface", async ({ page }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("DOM.enable");
  await devtools.send("CSS.enable");
  for (const path of ["/", "/science"]) {
    await open(page, path);
    await page
      .getByText("±")
      .first()
      .evaluate((figure) => figure.setAttribute("data-figure", ""));
    const { root } = await devtools.send("DOM.getDocument");
    const { nodeId } = await devtools.send("DOM.querySelector", { nodeId: root.nodeId, selector: "[data-figure]" });
    const { fonts } = await devtools.send("CSS.getPlatformFontsForNode", { nodeId });
    expect(
      fonts.map(({ familyName }) => familyName),
      path,
    ).toEqual(["Instrument Sans"]);
  }
});

test("while parts further down wait for their turn, nothing is laid out again", { tag: "@phone" }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await holdScripts(page);
  await page.goto("/shop", { waitUntil: "commit" });
  await page.evaluate(() => document.documentElement.style.setProperty("--after", "30s"));
  await page.waitForTimeout(1_000);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const timesLaidOut = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "LayoutCount")?.value;
  };
  const before = await timesLaidOut();
  await page.waitForTimeout(1_000);
  expect(await timesLaidOut()).toBe(before);
  expect(await page.evaluate(() => document.getAnimations().length)).toBeGreaterThan(5);
});

/** How each element is styled. Values that nothing reads may differ, and sizes while pictures are on their way. */
const stylesOf = (page: Page) =>
  page.evaluate(() => {
    const isAside = /^--|width|height|inline-size|block-size|-origin|inset|top|bottom|left|right/;
    const keys = [...getComputedStyle(document.body)].filter((key) => !isAside.test(key));
    return [...document.querySelectorAll("body :not(script, link)")].map((element) => {
      const styles = getComputedStyle(element);
      const name = `${element.tagName} ${element.getAttribute("class") ?? ""}`;
      return { name, values: keys.map((key) => `${key} ${styles.getPropertyValue(key)}`).join("\n") };
    });
  });

test("a page is styled the same for who opens it, comes from another, and comes back", async ({ page }) => {
  const opened = new Map<string, Awaited<ReturnType<typeof stylesOf>>>();
  for (const path of ["/", "/shop", BOWL, "/cart"]) {
    await open(page, path);
    opened.set(path, await stylesOf(page));
  }
  const isStyledAsOpened = async (path: string) => {
    await expect(page).toHaveURL(path);
    await expect(async () => {
      await page.mouse.move(0, 0);
      await page.evaluate(() => scrollTo(0, 0));
      const [now, then] = [await stylesOf(page), opened.get(path) ?? []];
      const others = now.flatMap(({ name, values }, i) => {
        const before = new Set(then[i]?.values.split("\n"));
        return values === then[i]?.values ? [] : [[name, ...values.split("\n").filter((value) => !before.has(value))]];
      });
      expect(others).toEqual([]);
      expect(now).toHaveLength(then.length);
    }).toPass();
  };
  await open(page, "/");
  await page.getByRole("link", { name: "Shop Polara" }).click();
  await isStyledAsOpened("/shop");
  await page.getByRole("main").getByRole("heading").locator(`a[href="${BOWL}"]`).click();
  await isStyledAsOpened(BOWL);
  await page.goBack();
  await isStyledAsOpened("/shop");
  await page.goBack();
  await isStyledAsOpened("/");
  await page.goForward();
  await isStyledAsOpened("/shop");
  await cartLink(page, 0).click();
  await isStyledAsOpened("/cart");
});

test("a page that somebody goes on to waits for its styles", async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  await page.route(ALL_STYLES, async (route) => {
    await released;
    await route.continue();
  });
  await open(page, "/about");
  const about = await page.getByRole("heading", { level: 1 }).innerText();
  const science = page.waitForResponse(/\/science\.data/);
  await page.getByRole("contentinfo").getByRole("link", { name: "Science", exact: true }).click();
  await science;
  await page.waitForTimeout(500);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(about);
  release();
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(about);
});

test("who comes back finds a page as long as it was, and stands where they stood", async ({ page }) => {
  await open(page, "/");
  await page.getByRole("link", { name: "Shop Polara" }).scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => Math.round(scrollY));
  expect(place).toBeGreaterThan(2_000);
  await page.getByRole("link", { name: "Shop Polara" }).click();
  await expect(page).toHaveURL("/shop");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Shop/);
  await page.goBack();
  await expect(page).toHaveURL("/");
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(place);
});

test("who loads a page again stands where they stood", { tag: "@both" }, async ({ page }) => {
  await open(page, "/");
  await page.getByRole("heading", { name: "Get Yours Before It's Gone" }).scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => Math.round(scrollY));
  expect(place).toBeGreaterThan(2_000);
  await page.reload();
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(place);
});
