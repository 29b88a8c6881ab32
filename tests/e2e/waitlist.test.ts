import type { Page } from "@playwright/test";
import { emailTo, linkIn } from "../support/mailbox.ts";
import {
  expect,
  expectAccessible,
  expectToast,
  fillCart,
  holdBack,
  open,
  PASSWORD,
  someEmail,
  tabTo,
  test,
} from "../support/journey.ts";
import { expectNoShift, watchShifts } from "../support/look.ts";
import { postForm, signUpShortly } from "../support/screens.ts";

const URL_OF_SHOP = process.env.E2E_URL ?? "";

const popup = (page: Page) => page.getByRole("dialog");
const email = (page: Page) => popup(page).getByLabel("Email");
const phone = (page: Page) => popup(page).getByLabel("Phone");
const joinButton = (page: Page) => popup(page).getByRole("button", { name: "Join the Waitlist" });

/** Home, with a clock that can be moved on. */
async function openHome(page: Page, path = "/"): Promise<void> {
  await page.clock.install();
  await open(page, path);
}

async function openPopup(page: Page, path = "/"): Promise<void> {
  await openHome(page, path);
  await page.clock.runFor(31_000);
  await expect(popup(page)).toBeVisible();
}

/** However long the visitor stays: its script is not even asked for. */
async function expectNoPopup(page: Page): Promise<void> {
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(request.url()));
  await page.clock.runFor(90_000);
  expect(scripts.filter((url) => url.includes("waitlist-popup"))).toEqual([]);
  await expect(popup(page)).toHaveCount(0);
}

/**
 * Closed, and the page has heard of it: a closed dialog is out of sight before its event has come, and whoever leaves the
 * page between the two has not closed it.
 */
const expectClosed = (page: Page) => expect(page.locator("dialog[aria-labelledby=waitlist-title]")).toHaveCount(0);

test(
  "the popup opens 30 seconds after home has loaded without layout shift, traps the focus, and closes for good",
  { tag: "@both" },
  async ({ page, isMobile }) => {
    await watchShifts(page);
    await openHome(page);
    const preOrder = page.getByRole("main").getByRole("link", { name: "Pre-Order" });
    await preOrder.focus();
    // The clock goes on by itself, too.
    await page.clock.runFor(15_000);
    await expect(popup(page)).toHaveCount(0);
    await page.clock.runFor(16_000);
    await expect(popup(page)).toBeVisible();
    await expect(popup(page).getByRole("heading", { name: "Join the waitlist" })).toBeFocused();
    await expect(phone(page)).not.toHaveAttribute("required");
    await expect(popup(page)).toContainText("We’ll create an account to hold your spot.");
    await expect(popup(page).getByRole("link", { name: /^Privacy Policy/ })).toHaveAttribute("href", "/privacy");
    await expectNoShift(page);
    if (isMobile) return;
    await tabTo(page, email(page), 3);
    // Between its last and its first element the focus belongs to the browser's own frame.
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press("Tab");
      const isInside = await popup(page).evaluate(
        (element) => element.contains(document.activeElement) || document.activeElement === document.body,
      );
      expect(isInside).toBe(true);
    }
    await page.keyboard.press("Escape");
    await expectClosed(page);
    await expect(preOrder).toBeFocused();
    await expectNoPopup(page);
    await open(page, "/");
    await expectNoPopup(page);
  },
);

test("the popup opens neither on other pages, nor over a cart, nor for a customer", async ({ page, database }) => {
  await openHome(page, "/about");
  await expectNoPopup(page);
  await fillCart(page, database, "travel-sleeve");
  await open(page, "/");
  await expectNoPopup(page);
  await signUpShortly(page.request, URL_OF_SHOP, someEmail(), PASSWORD);
  await open(page, "/");
  await expectNoPopup(page);
});

test("the popup waits while someone types", async ({ page }) => {
  await openHome(page);
  await page.evaluate(() => document.body.append(document.createElement("textarea")));
  await page.locator("textarea").focus();
  await page.clock.runFor(40_000);
  await expect(popup(page)).toHaveCount(0);
});

test("the popup waits for another dialog, and a click outside closes it", async ({ page }) => {
  // A typed address is no link of an email.
  await openHome(page, "/?utm_source=mail#type=signup");
  await expect(page).toHaveURL("/?utm_source=mail");
  await page.getByRole("button", { name: "Compare Models" }).click();
  const compare = page.getByRole("dialog", { name: "Compare Models" });
  await expect(compare).toBeVisible();
  await page.clock.runFor(40_000);
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await compare.getByRole("button", { name: "Close" }).click();
  await page.clock.runFor(1_500);
  await expect(page.getByRole("dialog", { name: "Join the waitlist" })).toBeVisible();
  await expect(page.getByText("Email Verified!")).toHaveCount(0);
  await page.mouse.click(8, 8);
  await expectClosed(page);
});

test("joining in the popup creates an unverified place", async ({ page, database }) => {
  const mine = someEmail();
  await openPopup(page, "/?utm_source=letter&utm_campaign=spring");
  await email(page).fill(`  ${mine.toUpperCase()} `);
  await phone(page).fill("+1 212 555 0100");
  const release = await holdBack(page, /\/waitlist\/join/);
  await joinButton(page).click();
  await expect(popup(page).getByRole("button", { name: "Joining..." })).toBeVisible();
  release();
  await expect(popup(page).getByRole("heading", { name: "You're in!" })).toBeFocused();
  await expectAccessible(page);
  await popup(page).getByRole("button", { name: "Got it" }).click();
  await expectClosed(page);

  const place = async () =>
    (await database.query<Record<string, unknown>>("SELECT * FROM waitlist WHERE email = $1", [mine])).rows[0];
  expect(await place()).toMatchObject({
    phone: "+1 212 555 0100",
    utm_source: "letter",
    utm_campaign: "spring",
    verified_at: null,
  });
  await open(page, "/");
  await expectNoPopup(page);
});

/** A refusal of the shop, as its router encodes it. */
const REFUSED = JSON.stringify([
  { _1: 2 },
  "data",
  { _3: 4, _5: 6, _7: 8 },
  "ok",
  false,
  "title",
  "Something went wrong",
  "message",
  "Failed to create user account",
]);

test("the popup counts down, says what is wrong or has failed, and closes for good on a known email", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/, /status of (500|409)/);
  await openPopup(page);

  await test.step("the countdown starts at 4:21:18, ticks, and stops at zero", async () => {
    const timer = popup(page).getByRole("timer");
    await expect(timer).toHaveText(/^4:21:[01]\d$/);
    await expect(timer).toHaveAttribute("aria-live", "off");
    await page.clock.fastForward("01:00:10");
    await expect(timer).toHaveText(/^3:2[01]:\d\d$/);
    await page.clock.fastForward("03:21:30");
    await expect(timer).toHaveText("0:00:00");
    await page.clock.fastForward("01:00");
    await expect(timer).toHaveText("0:00:00");
    await expect(joinButton(page)).toBeEnabled();
  });

  await test.step("errors show under their fields, and the phone accepts no letters", async () => {
    for (const [typed, message] of [
      ["", "Email is required"],
      ["   ", "Email is required"],
      ["ada@example", "Please enter a valid email address"],
      [`${"a".repeat(250)}@example.com`, "Email must be less than 255 characters"],
    ] as const) {
      await email(page).fill(typed);
      await joinButton(page).click();
      await expect(popup(page).getByText(message, { exact: true })).toBeVisible();
      await expect(email(page)).toHaveAccessibleDescription(message);
      await expect(email(page)).toBeFocused();
    }
    await expectAccessible(page);
    await phone(page).pressSequentially("+1 (212)x555-0100 ext.7");
    await expect(phone(page)).toHaveValue("+1 (212)555-0100 7");
    // A letter in the middle does not move the caret.
    await phone(page).press("Home");
    await phone(page).pressSequentially("0z0");
    await expect(phone(page)).toHaveValue("00+1 (212)555-0100 7");
  });

  await test.step("failures show over the popup, and nothing typed is lost", async () => {
    await email(page).fill("ada@example.com");
    await phone(page).fill("555");
    await page.route(/\/waitlist\/join/, (route) => route.abort(), { times: 1 });
    await joinButton(page).click();
    await expectToast(page, "Something went wrong", "Please try again later.");
    await page.route(
      /\/waitlist\/join/,
      (route) => route.fulfill({ status: 500, headers: { "X-Remix-Response": "yes" }, body: REFUSED }),
      { times: 1 },
    );
    await joinButton(page).click();
    await expectToast(page, "Something went wrong", "Failed to create user account");
    await expect(email(page)).toHaveValue("ada@example.com");
    await expect(phone(page)).toHaveValue("555");
  });

  await test.step("a known email gets a message", async () => {
    const known = someEmail();
    await postForm(page.request, URL_OF_SHOP, "/waitlist/join", { email: known });
    await email(page).fill(known);
    await joinButton(page).click();
    await expectToast(
      page,
      "Already registered!",
      "This email is already on our waitlist. Check your inbox for the verification link.",
    );
    await expectClosed(page);
    await open(page, "/");
    await expectNoPopup(page);
  });
});

test("the emailed link shows 'Email Verified!' for six seconds, and clears the address", async ({ page }) => {
  const mine = someEmail();
  await signUpShortly(page.request, URL_OF_SHOP, mine, PASSWORD);
  const link = linkIn(await emailTo(URL_OF_SHOP, mine, "Verify"), "/auth/verify");
  await openHome(page, link);
  await expectToast(page, "Email Verified!");
  await expect(page).toHaveURL("/");
  await page.clock.runFor(2_000);
  await expectToast(page, "Email Verified!");
  await page.clock.runFor(5_000);
  await expect(page.getByText("Email Verified!")).toHaveCount(0);

  // The router still knows where it is.
  await page.getByRole("main").getByRole("link", { name: "Pre-Order" }).click();
  await expect(page).toHaveURL("/shop");
  await page.goBack();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Fresh food/);
  await expect(page.getByText("Email Verified!")).toHaveCount(0);
});
