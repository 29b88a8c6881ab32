/** Fixtures of all journeys: a quiet browser, the database, and helpers. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import { expect, test as base, type APIResponse, type Locator, type Page, type Request } from "@playwright/test";
import { Pool } from "pg";
import { emailTo, linkIn } from "./mailbox.ts";
import { officeFixtures, type OfficeFixtures } from "./office.ts";
import { productId, signUpShortly } from "./screens.ts";
import { address } from "./visitor.ts";

type Journey = {
  /** Console errors that the journey means to cause; any other fails it. */
  expectErrors: (...patterns: RegExp[]) => void;
  quiet: RegExp[];
};

/** The router ends reads that a newer write has made stale, and on a busy machine says so where nobody asked. */
const ENDED_READ = /^AbortError: signal is aborted without reason/;

// The office belongs to all journeys, so that a worker goes on from one file to the next.
export const test = base.extend<Journey, { database: Pool } & OfficeFixtures>({
  ...officeFixtures,

  quiet: [
    async ({ context }, use, test) => {
      const expected: RegExp[] = [];
      const heard: string[] = [];
      const happened: string[] = [];
      const note = (text: string) => happened.push(`${new Date().toISOString().slice(17, 23)} ${text}`);
      context.on("console", (message) => {
        if (message.type() === "error") heard.push(`${message.text()} (${message.location().url})`);
        if (message.type() === "debug") note(message.text());
      });
      context.on("request", (request) => {
        if (isSeen(request)) note(`asks ${request.method()} ${request.url()}`);
      });
      context.on("response", (response) => {
        if (isSeen(response.request())) note(`${response.status()} ${response.url()}`);
      });
      await context.addInitScript(() => {
        for (const type of ["mousedown", "mouseup", "click", "submit"])
          addEventListener(type, ({ target, defaultPrevented }) => {
            const { nodeName, textContent } = target as HTMLElement;
            console.debug(type, nodeName, textContent?.slice(0, 30), defaultPrevented ? "(prevented)" : "");
          });
        // Conform validates by a submit that React holds back, except while it changes the page.
        addEventListener("submit", ({ submitter, defaultPrevented }) => {
          if (submitter?.getAttribute("name") === "__intent__" && !defaultPrevented)
            console.error("A validation of fields was sent to the shop");
        });
      });
      context.on("weberror", (error) => heard.push(String(error.error().stack || error.error())));
      // Blocked eval is caught by libraries and stays out of the console.
      await context.addInitScript(() =>
        addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
          console.error(`The Content-Security-Policy blocked ${blockedURI} by ${violatedDirective}`),
        ),
      );
      await use(expected);
      const errors = heard.filter((text) => ![...expected, ENDED_READ].some((pattern) => pattern.test(text)));
      // A runner's log is all that is left of a clean clone.
      if (test.status !== test.expectedStatus || errors.length > 0)
        for (const page of context.pages())
          console.log(happened.slice(-40).join("\n"), page.url(), await page.locator("body").ariaSnapshot());
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],

  expectErrors: async ({ quiet }, use) => {
    await use((...patterns) => void quiet.push(...patterns));
  },

  database: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const pool = new Pool({ connectionString: process.env.E2E_DATABASE_URL, max: 2 });
      await use(pool);
      await pool.end();
    },
    { scope: "worker" },
  ],
});

export { expect };

const isSeen = (request: Request) => ["document", "fetch"].includes(request.resourceType());

/** Opens a page and waits for hydration, after which the page loads the visitor's state. */
export async function open(page: Page, path: string): Promise<void> {
  // A response before the commit may belong to the former page.
  await page.goto(path, { waitUntil: "commit" });
  await page.waitForResponse(/\/personal/);
  await page.waitForLoadState();
}

/** Opens a page of the back office and waits for hydration, after which the page listens for news. */
export async function openAdmin(page: Page, address: string): Promise<void> {
  await Promise.all([page.waitForResponse("**/admin/live"), page.goto(address)]);
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Rules of WCAG 2.2 A and AA and of axe's best practices, and of `markupFaults`, that the page breaks as it stands. Frames are left out: the
 * mailbox lets no script run in them.
 */
export async function runAxe(page: Page): Promise<string[]> {
  // Words can be there before the styles are.
  await page.waitForLoadState();
  // A pressed element looks so until the next frames, and what scrolled below a sticky bar looks too small to press.
  await page.evaluate(() => {
    scrollTo({ top: 0, behavior: "instant" });
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(AXE);
  const markup = await page.evaluate(markupFaults);
  const found = await page.evaluate(async (values) => {
    const { axe: here } = globalThis as unknown as { axe: typeof axe };
    // Naming all that is well takes a third of its time.
    const { violations } = await here.run({
      runOnly: { type: "tag", values },
      resultTypes: ["violations"],
      iframes: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }, RULES);
  return [...markup, ...found];
}

/** Ids with blanks, references to ids that are not there, and passwords that no password manager knows whose they are. */
function markupFaults(): string[] {
  const REFERENCES = [
    "aria-labelledby",
    "aria-describedby",
    "aria-controls",
    "aria-owns",
    "aria-details",
    "for",
    "list",
  ];
  // A field named "id" hides the property of its form.
  const blank = [...document.querySelectorAll("[id]")].filter((one) => /\s|^$/.test(one.getAttribute("id") ?? ""));
  const dangling = REFERENCES.flatMap((name) =>
    [...document.querySelectorAll(`[${name}]`)].flatMap((element) =>
      (element.getAttribute(name) ?? "")
        .split(/\s+/)
        .filter((id) => !document.getElementById(id))
        .map((id) => `${name}="${id}" names nothing: ${element.outerHTML.slice(0, 150)}`),
    ),
  );
  const nameless = [...document.forms].filter(
    (form) =>
      form.querySelector("[type=password]") && !form.querySelector("[autocomplete=username]:not([type=hidden])"),
  );
  return [
    ...blank.map(({ outerHTML }) => `id with a blank: ${outerHTML.slice(0, 150)}`),
    ...dangling,
    ...nameless.map(({ id }) => `form of a password without a username: ${id}`),
  ];
}

/** Axe finds nothing on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await runAxe(page), `axe on ${page.url()}`).toEqual([]);
}

/** A toast that says exactly this; that of the cart goes on with its product. */
export async function expectToast(page: Page, title: string, description = ""): Promise<void> {
  const toasts = page.getByRole("region", { name: /^Notifications/ }).getByRole("listitem");
  const shown = expect(toasts.filter({ has: page.getByText(title, { exact: true }) }).first());
  await (title === "Added to cart" ? shown.toContainText(title + description) : shown.toHaveText(title + description));
}

/** The cart link in the header, by what it says of its items. */
export function cartLink(page: Page, items: number): Locator {
  const name = items === 0 ? "Cart" : `Cart, ${items} ${items === 1 ? "item" : "items"}`;
  return page.getByRole("banner").getByRole("link", { name, exact: true });
}

/** Puts a product into this visitor's cart the short way: as a form without a page. */
export async function fillCart(page: Page, database: Pool, slug: string, quantity = 1): Promise<void> {
  const response = await page.request.post("/cart/add", {
    form: { productId: await productId(database, slug), quantity },
    headers: { Origin: process.env.E2E_URL ?? "", Accept: "text/html" },
  });
  expect(response.ok()).toBe(true);
}

/** Sends the checkout of this visitor's cart the short way, as a form without a page. */
export async function checkOut(page: Page, url: string, email: string): Promise<APIResponse> {
  const html = await (await page.request.get(`${url}/checkout`)).text();
  const hidden = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? "";
  return page.request.post(`${url}/checkout`, {
    form: { ...address, email, checkoutKey: hidden("checkoutKey"), seen: hidden("seen") },
    headers: { Origin: url, Accept: "text/html" },
  });
}

/** Orders the guest's cart the short way. Returns the order's id. */
export async function placeOrder(page: Page, email: string): Promise<string> {
  const answer = await checkOut(page, process.env.E2E_URL ?? "", email);
  return /href="\/orders\/([0-9a-f-]{36})"/.exec(await answer.text())?.[1] ?? "";
}

const ADDRESS = {
  Phone: "2125550100",
  "First name": "Ada",
  "Last name": "Lovelace",
  "Address line 1": "12 Analytical Ave",
  City: "New York",
  "ZIP code": "10001",
};

/** Fills in the checkout's form but for the email, unless that is given. */
export async function fillAddress(page: Page, more: Record<string, string> = {}): Promise<void> {
  for (const [label, answer] of Object.entries({ ...ADDRESS, ...more }))
    await page.getByRole("textbox", { name: label, exact: true }).fill(answer);
  await page.getByLabel("State", { exact: true }).selectOption("New York");
}

/** The filters, where this screen has them: beside the products, or in a drawer that is opened first. */
export async function openFilters(page: Page, isMobile: boolean): Promise<Locator> {
  if (!isMobile) return page.getByRole("complementary", { name: "Filters" });
  await page.getByRole("button", { name: "Filters" }).click();
  return page.getByRole("dialog", { name: "Filters" });
}

/** Holds back the requests to a path until released. */
export async function holdBack(page: Page, path: RegExp): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await gate.promise;
    await route.fallback();
  });
  return gate.resolve;
}

/** Presses Tab until the element has the focus, as somebody without a mouse would. */
export async function tabTo(page: Page, target: Locator, limit = 80): Promise<void> {
  for (let presses = 0; presses < limit; presses++) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}

let people = 0;

/** An address that nobody else in this run has. */
export const someEmail = () => `shopper-${process.pid}-${Date.now()}-${people++}@example.com`;

export const PASSWORD = "correct horse battery";

/** Fills in the sign-up form as Ada Lovelace, and sends it. */
export async function sendSignUp(page: Page, email: string): Promise<void> {
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Lovelace");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByLabel(/^I agree to the/).check();
  await page.getByRole("button", { name: "Create Account" }).click();
}

/** Signs up through the form, and waits until the shop has moved on to home. */
export async function signUp(page: Page, email: string): Promise<void> {
  await open(page, "/auth?tab=sign-up");
  await sendSignUp(page, email);
  await page.waitForURL("/");
}

/** Signs in through the form, and waits until the shop has moved on. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await open(page, "/auth");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await page.waitForURL((url) => url.pathname !== "/auth");
  // The address changes before the page does.
  await expect(page.getByLabel("Password", { exact: true })).toBeHidden();
}

/** A verified customer, signed in, on home: signed up without the form, and the link in the mail opened. */
export async function becomeCustomer(page: Page): Promise<string> {
  const [url, email] = [process.env.E2E_URL ?? "", someEmail()];
  await signUpShortly(page.request, url, email, PASSWORD);
  await open(page, linkIn(await emailTo(url, email, "Verify"), "/auth/verify"));
  return email;
}
