import type { Page } from "@playwright/test";
import {
  becomeCustomer,
  expect,
  expectAccessible,
  expectToast,
  open,
  PASSWORD,
  sendSignUp,
  signIn,
  signUp,
  someEmail,
  test,
} from "../support/journey.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { signUpShortly } from "../support/screens.ts";

const shopUrl = process.env.E2E_URL ?? "";

test("sign-up shows each field's error, then signs in and emails a link that verifies", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/status of 400/);
  const email = someEmail();
  await open(page, "/auth");
  await page.getByRole("tab", { name: "Sign Up" }).click();
  await expect(page.getByRole("heading", { name: "Create your account" })).toBeVisible();
  await page.getByRole("button", { name: "Create Account" }).click();
  for (const message of [
    "First name is required",
    "Last name is required",
    "Invalid email address",
    "Password must be at least 8 characters",
    "You must accept the terms",
  ]) {
    await expect(page.getByText(message, { exact: true })).toBeVisible();
  }
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill("something else");
  await page.getByLabel("Confirm password").blur();
  await expect(page.getByText("Passwords don't match", { exact: true })).toBeVisible();
  await sendSignUp(page, email);
  await page.waitForURL("/");
  await expectToast(page, "Check your inbox", "We sent you a verification link. Open it to verify your email address.");
  const link = linkIn(await emailTo(shopUrl, email, "Verify"), "/auth/verify");
  await page.goto(link);
  await expect(page).toHaveURL(/\/(#type=signup)?$/);
  await open(page, "/auth?redirect=%2Fshop");
  await expect(page).toHaveURL(/\/shop$/);
});

test("signing up on a phone opens home at its top", { tag: "@phone" }, async ({ page }) => {
  await signUp(page, someEmail());
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Fresh food/);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
});

test("Google signs a new customer in, after a sign-in that was canceled", async ({ page }) => {
  await open(page, "/auth?redirect=%2Fcart");
  const google = page.getByRole("button", { name: "Continue with Google" });
  await google.hover();
  await expect(google).toHaveCSS("color", "rgb(246, 244, 239)");
  await expect(google).toHaveCSS("background-color", "rgb(22, 25, 28)");
  await google.click();
  await expect(page.getByRole("heading", { name: "Choose an account" })).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expectToast(page, "Error", "Google sign-in was canceled.");
  await google.click();
  await page.getByText("Use another account").click();
  await expectAccessible(page);
  await page.getByLabel("Email", { exact: true }).fill(someEmail());
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(`${shopUrl}/cart`);
  await open(page, "/auth");
  await expect(page).toHaveURL(`${shopUrl}/`);
});

test("/auth shows a spinner until the visitor state has loaded", async ({ page }) => {
  await open(page, "/shop");
  let release = () => {};
  const gate = new Promise<void>((done) => (release = done));
  await page.route(/\/auth\.data/, async (route) => {
    await gate;
    await route.continue();
  });
  await page.getByRole("link", { name: "Sign In" }).first().click();
  await expect(page.getByRole("status").filter({ hasText: "Loading..." })).toBeVisible();
  release();
  await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
});

test("other tabs follow sign-in and sign-out", async ({ page, context }) => {
  const email = await becomeCustomer(page);
  const other = await context.newPage();
  await open(other, "/about");
  const menu = (tab: Page) => tab.getByRole("banner").getByRole("button", { name: /^Account/ });
  await expect(menu(other)).toBeVisible();
  await page.bringToFront();
  await menu(page).click();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(menu(page)).toBeHidden();
  await expect(menu(other)).toBeHidden();
  await signIn(page, email);
  await expect(menu(other)).toBeVisible();
});

test("the next page notices a session that has ended elsewhere", async ({ page, database }) => {
  const email = someEmail();
  await signUpShortly(page.request, shopUrl, email, PASSWORD);
  await page.clock.install();
  await open(page, "/");
  const menu = page.getByRole("banner").getByRole("button", { name: /^Account/ });
  await expect(menu).toBeVisible();
  await database.query("DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = $1)", [email]);
  await page.clock.runFor(11_000);
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
  await expect(menu).toBeHidden();
});
