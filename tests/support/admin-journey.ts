/** Journeys of the back office, and how its people join it. */
import type { Page } from "@playwright/test";
import { base32 } from "@better-auth/utils/base32";
import type { Role } from "#shop/roles.ts";
import { codeOf, forgetUsedCodes } from "./second-factor.ts";
import { expect, expectAccessible, open, test as journey } from "./journey.ts";
import { emailTo, linkIn } from "./mailbox.ts";
import type { Office } from "./office.ts";

export const test = journey.extend({ baseURL: async ({ office }, use) => use(office.url) });

export { expect };

const PASSWORD = "correct horse battery";

/** Turns on two-step sign-in in the settings. Returns the secret of the authenticator. */
async function enrollFactor(page: Page, password: string): Promise<string> {
  const section = page.getByRole("region", { name: "Two-step sign-in" });
  await section.getByLabel("Your password").fill(password);
  await section.getByRole("button", { name: "Set up an authenticator app" }).click();
  const key = (await section.getByText(/^([A-Z2-7]{1,4} ?)+$/).innerText()).replaceAll(" ", "");
  const secret = new TextDecoder().decode(base32.decode(key));
  await section.getByLabel("Code from the app").fill(await codeOf(secret));
  await section.getByRole("button", { name: "Turn on" }).click();
  await expect(section.getByRole("heading", { name: "Your backup codes" })).toBeVisible();
  return secret;
}

type Member = { email: string; password: string; role: Role };

/** Sets up a second factor, joins by the link at `path`, and signs in. */
async function joinWithFactor(page: Page, office: Office, path: string, { email, password, role }: Member) {
  await open(page, `${office.url}/account?tab=settings`);
  const secret = await enrollFactor(page, password);
  await page.goto(office.url + path);
  await page.getByRole("button", { name: `Join as ${role}` }).click();
  await expect(page.getByLabel("Code")).toBeVisible();
  await expectAccessible(page);
  await forgetUsedCodes(office.pool, email);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByLabel("Code").fill(await codeOf(secret));
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Today");
}

type Joining = { email: string; firstName: string; role: Role };

/** Accepts an invitation: account, second factor, role, then sign-in. */
export async function joinOffice(page: Page, office: Office, path: string, { email, firstName, role }: Joining) {
  const heading = page.getByRole("heading", { level: 1 });
  await page.goto(office.url + path);
  await expect(heading).toHaveText(`Join the back office as ${role}`);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("First name").fill(firstName);
  await page.getByLabel("Last name").fill("Lovelace");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(heading).toHaveText(`Join the back office as ${role}`);
  await page.goto(office.url + linkIn(await emailTo(office.url, email, "Verify your email"), "/auth/verify"));
  await joinWithFactor(page, office, path, { email, password: PASSWORD, role });
}
