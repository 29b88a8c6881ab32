/**
 * `npm run test:firefox`: the main journeys in Firefox, over WebDriver BiDi. A guest buys, signs up and puts the order
 * into the account, the back office ships, the customer asks for a return. FIREFOX names another Firefox.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import puppeteer, { type Page } from "puppeteer-core";
import { openDatabase } from "#db/connection.server.ts";
import { markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { createDatabase, prepareTemplate } from "../support/database.setup.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { startShop } from "../support/shop.ts";
import { aParcel } from "../support/staff.ts";
import { makeStaff, STAFF_COOKIE } from "../support/staff-member.ts";

const AUTH_SECRET = "a secret of the shop for Firefox, and long enough";
const PASSWORD = "correct horse battery";
const EMAIL = "ada@example.com";
/** Long enough for a busy machine. */
const WAIT_MS = 60_000;
const FIREFOX = ["/usr/bin/firefox-esr", "/usr/bin/firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"];

const executablePath = process.env.FIREFOX ?? FIREFOX.find((path) => existsSync(path));
if (!executablePath) throw new Error("There is no Firefox here: apt-get install firefox-esr, or name it in FIREFOX.");

/** Firefox says so of an answer that was still being read when the page was left. */
const LEFT = /^(Error: )?TypeError: Error in input stream/;

const byRole = (page: Page, role: string, name: string) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`);
const press = (page: Page, name: string) => byRole(page, "button", name).click();
const follow = (page: Page, name: string) => byRole(page, "link", name).click();

/** Opens an address once the page has loaded: Firefox calls a page that cuts off another one aborted. */
async function go(page: Page, address: string): Promise<void> {
  await page.waitForFunction(() => document.readyState === "complete");
  await page.goto(address, { waitUntil: "load" });
}

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await byRole(page, "textbox", name).fill(value);
}

const reads = (page: Page, words: string) =>
  page.waitForFunction((text) => document.body?.innerText.includes(text), {}, words);

const heading = (page: Page, words: string) =>
  page.waitForFunction((text) => document.querySelector("h1")?.innerText === text, {}, words);

/** Waits for an address like this. Returns its last part. */
async function arrive(page: Page, path: RegExp): Promise<string> {
  await page.waitForFunction((source) => new RegExp(source).test(location.pathname), {}, path.source);
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

/** Returns the order's id. */
async function buy(page: Page, url: string): Promise<string> {
  await go(page, `${url}/product/polara-classic-frost-white`);
  await press(page, "Add to Cart");
  await reads(page, "Added to cart");
  await go(page, `${url}/checkout`);
  await fill(page, {
    Email: EMAIL,
    Phone: "2125550100",
    "First name": "Ada",
    "Last name": "Lovelace",
    "Address line 1": "12 Analytical Ave",
    City: "New York",
    "ZIP code": "10001",
  });
  await page.select('select[name="shippingState"]', "NY");
  await press(page, "Continue to Payment, $98.99");
  await fill(page, {
    "Card number": "4242 4242 4242 4242",
    Expires: "12 / 40",
    "Security code": "123",
    "Name on card": "Ada Lovelace",
    "ZIP code": "10001",
  });
  await press(page, "Pay $98.99");
  await heading(page, "We’re getting it ready");
  return arrive(page, /^\/orders\/[0-9a-f-]{36}$/);
}

const typePasswords = async (page: Page, ...names: string[]) => {
  // A password has no role.
  for (const name of names) await page.locator(`input[name="${name}"]`).fill(PASSWORD);
};

async function signUp(page: Page, url: string): Promise<void> {
  await go(page, `${url}/auth?tab=sign-up`);
  await fill(page, { "First name": "Ada", "Last name": "Lovelace", Email: EMAIL });
  await typePasswords(page, "password", "confirmPassword");
  await byRole(page, "checkbox", "I agree to the Terms and the Privacy Policy").click();
  await press(page, "Create Account");
  await arrive(page, /^\/$/);
  await go(page, url + linkIn(await emailTo(url, EMAIL, "Verify"), "/auth/verify"));
  await reads(page, "Email Verified!");
}

async function signInAgain(page: Page, url: string): Promise<void> {
  await press(page, "Account, Ada");
  await press(page, "Sign Out");
  await reads(page, "Sign In");
  await go(page, `${url}/auth`);
  await fill(page, { Email: EMAIL });
  await typePasswords(page, "password");
  await page.locator("main button::-p-text(Sign In)").click();
  await arrive(page, /^\/$/);
}

async function claim(page: Page, url: string, id: string): Promise<void> {
  await go(page, url + linkIn(await emailTo(url, EMAIL, id.slice(0, 8)), "/orders/claim"));
  await press(page, "Add to my account");
  await arrive(page, /^\/account$/);
  await page.locator(`main a[href="/orders/${id}"]`).click();
  await arrive(page, /^\/orders\/[0-9a-f-]{36}$/);
}

async function ship(page: Page, url: string, id: string): Promise<void> {
  await go(page, `${url}/admin/orders`);
  await follow(page, id.slice(0, 8));
  await heading(page, `Order ${id.slice(0, 8)}`);
  await fill(page, { "Tracking number": aParcel(77_010).trackingNumber });
  await press(page, "Ship");
  await reads(page, "Shipped. The customer was emailed the tracking number.");
}

async function askForReturn(page: Page, url: string, id: string): Promise<void> {
  await go(page, `${url}/orders/${id}`);
  await follow(page, "Return, exchange, or report a problem");
  await heading(page, "What can we do for you?");
  await page.locator('main a[href*="kind=return"]').click();
  await heading(page, "What are you sending back?");
  await page.select('select[name="reason"]', "not-for-me");
  await press(page, "Continue");
  await heading(page, "Check and send");
  await press(page, "Send request");
  await arrive(page, /^\/orders\/.+\/returns\/R-[A-Z0-9]{6}$/);
}

const { server, template, stop } = await prepareTemplate();
const { url: databaseUrl, drop } = await createDatabase(server, template);
const shop = await startShop({ DATABASE_URL: databaseUrl, AUTH_SECRET, PAYMENTS: "sandbox" });
const { url } = shop;
const database = openDatabase(databaseUrl, 2);
const viewport = { width: 1440, height: 900 };
const browser = await puppeteer.launch({ browser: "firefox", executablePath, defaultViewport: viewport });
const pages: Page[] = [];
const faults: unknown[] = [];

async function open(): Promise<Page> {
  const page = await (await browser.createBrowserContext()).newPage();
  page.setDefaultTimeout(WAIT_MS);
  page.on("pageerror", (error) => LEFT.test(String(error)) || faults.push(error));
  pages.push(page);
  return page;
}

async function step<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await run();
  console.log(`${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  return result;
}

try {
  console.log(await browser.version());
  const page = await open();
  const id = await step("a guest buys a bowl with a test card", () => buy(page, url));
  await step("signs up, and opens the link in the email", () => signUp(page, url));
  await step("signs out and in again", () => signInAgain(page, url));
  await step("adds the order to the account, and finds it there", () => claim(page, url, id));
  const { cookie } = await makeStaff(database, { url, secret: AUTH_SECRET }, "packer");
  const office = await open();
  await office.browserContext().setCookie({ name: STAFF_COOKIE, value: cookie, domain: "localhost", path: "/" });
  await step("the back office ships it", () => ship(office, url, id));
  // A page in the background draws no frames.
  await page.bringToFront();
  await markDelivered(database.db, id, null);
  await step("the customer asks for a return", () => askForReturn(page, url, id));
  assert.deepEqual(faults, []);
} catch (error) {
  for (const page of pages) console.error(page.url(), await page.evaluate(() => document.body?.innerText));
  throw error;
} finally {
  await browser.close();
  await database.pool.end();
  await shop.stop();
  await drop();
  await stop();
}
