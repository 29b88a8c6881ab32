/** What stands between a browser and the shop answers in its place: every write says so in the shop's words. */
import type { Page } from "@playwright/test";
import { expect, fillCart, open, PASSWORD, sendSignUp, signUp, someEmail, test } from "../support/journey.ts";

/** Whom a write may meet instead of the shop. */
const FOREIGN: [name: string, answer: Parameters<Parameters<Parameters<Page["route"]>[1]>[0]["fulfill"]>[0] | null][] =
  [
    ["a proxy's 502", { status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" }],
    ["an error in JSON of nobody here", { status: 500, json: { error: "internal" } }],
    ["JSON without a result", { status: 200, json: {} }],
    ["an empty answer", { status: 200, body: "" }],
    ["nobody: the line is down", null],
  ];

type Write = {
  name: string;
  path: RegExp;
  /** Brings the page to where the write is one press away, and answers with that press. */
  prepare: (page: Page, database: Parameters<typeof fillCart>[1]) => Promise<() => Promise<void>>;
  said: string;
  /** What was typed, by label, and must still be there. */
  typed?: [label: string, value: string][];
};

const LOST = "The connection to the shop was lost. Please try again.";
const press = (page: Page, name: string) => () => page.getByRole("button", { name, exact: true }).first().click();

const writes: Write[] = [
  {
    name: "joining the waitlist",
    path: /\/waitlist\/join/,
    said: "Something went wrong",
    async prepare(page) {
      await page.clock.install();
      await open(page, "/");
      await page.clock.runFor(31_000);
      await page.getByRole("dialog").getByLabel("Email").fill("ada@example.com");
      return press(page, "Join the Waitlist");
    },
    typed: [["Email", "ada@example.com"]],
  },
  {
    name: "signing up",
    path: /\/auth\.data/,
    said: "Signup failed",
    async prepare(page) {
      await open(page, "/auth?tab=sign-up");
      return () => sendSignUp(page, "ada@example.com");
    },
    typed: [
      ["First name", "Ada"],
      ["Email", "ada@example.com"],
    ],
  },
  {
    name: "signing in",
    path: /\/auth\.data/,
    said: "Login failed",
    async prepare(page) {
      await open(page, "/auth");
      await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      return () => page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
    },
    typed: [["Email", "ada@example.com"]],
  },
  {
    name: "asking for a reset link",
    path: /\/reset-password\.data/,
    said: LOST,
    async prepare(page) {
      await open(page, "/reset-password");
      await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
      return () => page.getByRole("main").getByRole("button").first().click();
    },
    typed: [["Email", "ada@example.com"]],
  },
  {
    name: "resending the verification",
    path: /\/auth\/resend\.data/,
    said: "Failed to resend verification email",
    async prepare(page) {
      await signUp(page, someEmail());
      await open(page, "/account");
      return press(page, "Resend verification email");
    },
  },
  {
    name: "writing to the support",
    path: /\/support\.data/,
    said: "Your message was not sent. Your text is still here. Please try again.",
    async prepare(page) {
      await open(page, "/support");
      await page.getByLabel("Name", { exact: true }).fill("Ada");
      await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
      await page.getByLabel("Message", { exact: true }).fill("Does it fit a melon?");
      return press(page, "Send Message");
    },
    typed: [["Message", "Does it fit a melon?"]],
  },
  {
    name: "putting into the cart",
    path: /\/cart\/add$/,
    said: "Failed to add item to cart",
    async prepare(page) {
      await open(page, "/product/travel-sleeve");
      return () => page.getByRole("main").getByRole("button", { name: "Add to Cart", exact: true }).first().click();
    },
  },
  {
    name: "changing a quantity",
    path: /\/cart\/update$/,
    said: "Failed to update quantity",
    async prepare(page, database) {
      await fillCart(page, database, "travel-sleeve");
      await open(page, "/cart");
      return press(page, "Increase quantity");
    },
  },
  {
    name: "placing an order",
    path: /\/checkout$/,
    said: "Nothing was charged",
    async prepare(page, database) {
      await fillCart(page, database, "travel-sleeve");
      await open(page, "/checkout");
      const fields = {
        Email: "ada@example.com",
        Phone: "+1 212 555 0100",
        "First name": "Ada",
        "Last name": "Lovelace",
        "Address line 1": "12 Analytical Ave",
        City: "New York",
        "ZIP code": "10001",
      };
      for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByLabel("State", { exact: true }).selectOption("New York");
      return press(page, "Place Order");
    },
    typed: [
      ["Email", "ada@example.com"],
      ["City", "New York"],
    ],
  },
];

for (const { name, path, prepare, said, typed = [] } of writes) {
  test(`${name} ends in the shop's own words, whoever answers`, async ({ page, database, expectErrors }) => {
    expectErrors(/status of 50/, /ERR_FAILED/, /turbo-stream/, /decode/);
    const send = await prepare(page, database);
    for (const [who, answer] of FOREIGN) {
      await test.step(who, async () => {
        let asked = 0;
        const stand = (route: Parameters<Parameters<Page["route"]>[1]>[0]) => {
          if (route.request().method() !== "POST") return route.fallback();
          asked++;
          return answer ? route.fulfill(answer) : route.abort();
        };
        await page.route(path, stand);
        await send();
        // What was said of the one before may still stand.
        await expect.poll(() => asked).toBe(1);
        await expect(page.getByText(said).filter({ visible: true }).first()).toBeVisible();
        for (const [label, value] of typed) {
          await expect(page.getByLabel(label, { exact: true }).last()).toHaveValue(value);
        }
        await page.unroute(path, stand);
      });
    }
  });
}

test("a failure is told even where the code that tells it cannot be loaded", async ({ page, expectErrors }) => {
  expectErrors(/ERR_FAILED/, /toaster/);
  await open(page, "/product/travel-sleeve");
  await page.route(/toaster|\/cart\/add$/, (route) => route.abort());
  await page.getByRole("main").getByRole("button", { name: "Add to Cart", exact: true }).first().click();
  await expect(page.getByRole("alert").getByText("Failed to add item to cart")).toBeVisible();
});
