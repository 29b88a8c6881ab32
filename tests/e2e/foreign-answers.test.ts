/** Foreign answers: a proxy or network answers in the shop's place, and every write says so in the shop's words. */
import type { Page, Route } from "@playwright/test";
import {
  expect,
  fillAddress,
  fillCart,
  open,
  PASSWORD,
  placeOrder,
  sendSignUp,
  someEmail,
  test,
} from "../support/journey.ts";
import { signUpShortly } from "../support/screens.ts";

const FOREIGN: [name: string, answer: Parameters<Route["fulfill"]>[0] | null][] = [
  ["a proxy's 502", { status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" }],
  ["a foreign error in JSON", { status: 500, json: { error: "internal" } }],
  ["JSON without a result", { status: 200, json: {} }],
  ["an empty answer", { status: 200, body: "" }],
  ["a lost connection", null],
];

type Write = {
  name: string;
  path: RegExp;
  /** Opens and fills the form; returns the press that sends it. */
  prepare: (page: Page, database: Parameters<typeof fillCart>[1]) => Promise<() => Promise<void>>;
  message: string;
  /** Typed values by label, which must stay. */
  typed?: Record<string, string>;
};

const LOST = "The connection to the shop was lost. Please try again.";
const EMAIL = "ada@example.com";
const press = (page: Page, name: string) => () =>
  page.getByRole("main").or(page.getByRole("dialog")).getByRole("button", { name, exact: true }).first().click();
const fill = async (page: Page, values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
};

const writes: Write[] = [
  {
    name: "joining the waitlist",
    path: /\/waitlist\/join/,
    message: "Something went wrong",
    async prepare(page) {
      await page.clock.install();
      await open(page, "/");
      await page.clock.runFor(31_000);
      await page.getByRole("dialog").getByLabel("Email").fill(EMAIL);
      return press(page, "Join the Waitlist");
    },
    typed: { Email: EMAIL },
  },
  {
    name: "signing up",
    path: /\/auth\.data/,
    message: "Signup failed",
    async prepare(page) {
      await open(page, "/auth?tab=sign-up");
      return () => sendSignUp(page, EMAIL);
    },
    typed: { "First name": "Ada", Email: EMAIL },
  },
  {
    name: "signing in",
    path: /\/auth\.data/,
    message: "Login failed",
    async prepare(page) {
      await open(page, "/auth");
      await fill(page, { Email: EMAIL, Password: PASSWORD });
      return press(page, "Sign In");
    },
    typed: { Email: EMAIL },
  },
  {
    name: "asking for a reset link",
    path: /\/reset-password\.data/,
    message: LOST,
    async prepare(page) {
      await open(page, "/reset-password");
      await fill(page, { Email: EMAIL });
      return () => page.getByRole("main").getByRole("button").first().click();
    },
    typed: { Email: EMAIL },
  },
  {
    name: "writing to the support",
    path: /\/support\.data/,
    message: "We couldn’t send your message. Your text is still here. Please try again.",
    async prepare(page) {
      await open(page, "/support");
      await fill(page, { Name: "Ada", Email: EMAIL, Message: "Does it fit a melon?" });
      return press(page, "Send Message");
    },
    typed: { Message: "Does it fit a melon?" },
  },
  {
    name: "putting into the cart",
    path: /\/cart\/add\.data$/,
    message: "Failed to add item to cart",
    async prepare(page) {
      await open(page, "/product/travel-sleeve");
      return press(page, "Add to Cart");
    },
  },
  {
    name: "changing a quantity",
    path: /\/cart\/update\.data$/,
    message: "Failed to update quantity",
    async prepare(page, database) {
      await fillCart(page, database, "travel-sleeve");
      await open(page, "/cart");
      return press(page, "Increase quantity");
    },
  },
  {
    name: "placing an order",
    path: /\/checkout\.data$/,
    message: "Nothing was charged",
    async prepare(page, database) {
      await fillCart(page, database, "travel-sleeve");
      await open(page, "/checkout");
      await fillAddress(page, { Email: EMAIL });
      return press(page, "Place Order");
    },
    typed: { Email: EMAIL, City: "New York" },
  },
  {
    name: "changing the address of an order",
    path: /\/orders\/[^/]+\.data/,
    message: "Something went wrong. Your order hasn’t changed. Please try again.",
    async prepare(page, database) {
      await fillCart(page, database, "travel-sleeve");
      await open(page, `/orders/${await placeOrder(page, someEmail())}?intent=address`);
      await fill(page, { "Address line 1": "1 Other Street" });
      return press(page, "Change address");
    },
    typed: { "Address line 1": "1 Other Street" },
  },
  // Last, because the browser remembers that somebody was signed in.
  {
    name: "resending the verification",
    path: /\/auth\/resend\.data/,
    message: "Failed to resend verification email",
    async prepare(page) {
      await signUpShortly(page.request, process.env.E2E_URL ?? "", someEmail(), PASSWORD);
      await open(page, "/account");
      return press(page, "Resend verification email");
    },
  },
];

test(
  "every write shows the shop's message for foreign answers",
  { tag: "@nightly" },
  async ({ context, database, expectErrors }) => {
    expectErrors(/status of 50/, /ERR_FAILED/, /turbo-stream/, /decode/);
    for (const [place, { name, path, prepare, message, typed = {} }] of writes.entries()) {
      await context.clearCookies();
      const page = await context.newPage();
      const send = await prepare(page, database);
      // One component answers all forms, so only the first gets every answer.
      for (const [from, answer] of place === 0 ? FOREIGN : [FOREIGN[0]!, FOREIGN.at(-1)!]) {
        await test.step(`${name}, and ${from}`, async () => {
          let posts = 0;
          const answerInstead = (route: Route) => {
            if (route.request().method() !== "POST") return route.fallback();
            posts++;
            return answer ? route.fulfill(answer) : route.abort();
          };
          await page.route(path, answerInstead);
          await send();
          // An earlier message may still show.
          await expect.poll(() => posts).toBe(1);
          await expect(page.getByText(message).filter({ visible: true }).first()).toBeVisible();
          for (const [label, value] of Object.entries(typed)) {
            await expect(page.getByLabel(label, { exact: true }).last()).toHaveValue(value);
          }
          await page.unroute(path, answerInstead);
        });
      }
      await page.close();
    }
  },
);

test("a failure shows even if the toasts cannot load", async ({ page, expectErrors }) => {
  expectErrors(/ERR_FAILED/, /toaster/);
  await open(page, "/product/travel-sleeve");
  await page.route(/toaster|\/cart\/add\.data$/, (route) => route.abort());
  await press(page, "Add to Cart")();
  await expect(page.getByRole("alert").getByText("Failed to add item to cart")).toBeVisible();
});

test("adding to the cart offline shows a message, and the page stays", async ({ page, context, expectErrors }) => {
  expectErrors(/ERR_INTERNET_DISCONNECTED/);
  const addToCart = page.waitForResponse(/\/assets\/change-/);
  await open(page, "/product/travel-sleeve");
  await (await addToCart).finished();
  await context.setOffline(true);
  await press(page, "Add to Cart")();
  await expect(page.getByText("Failed to add item to cart")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Travel Sleeve");
});
