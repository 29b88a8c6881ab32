/** A shop of its own for journeys of the back office: it takes test cards, and nobody runs it yet. */
import type { Page } from "@playwright/test";
import { base32 } from "@better-auth/utils/base32";
import { fillDemo } from "../../scripts/demo/fill.ts";
import { openDatabase, type Database } from "../../db/connection.server.ts";
import type { Pool } from "pg";
import { firstOwnerToken } from "../../shop/staff/invitations.server.ts";
import type { Role } from "../../shop/staff/roles.ts";
import { codeOf, forgetUsedCodes } from "./authenticator.ts";
import { createDatabase } from "./database.setup.ts";
import { expect, expectAccessible, open, test as journey } from "./journey.ts";
import { emailTo, linkIn } from "./mailbox.ts";
import { startShop } from "./shop.ts";
import { makeStaff, STAFF_COOKIE, type StaffMember } from "./staff-member.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";

export type Office = {
  url: string;
  pool: Pool;
  db: Database;
  /** The path of the first owner's link. */
  firstOwnerPath(): Promise<string>;
  /** Signs a browser in as somebody of a role. */
  signIn(page: Page, role: Role, name?: string): Promise<StaffMember>;
};

export const test = journey.extend<object, { office: Office; hasDemo: boolean }>({
  /** A year of the demo in it: `test.use({ hasDemo: true })` at the top of a file, which then has a shop to itself. */
  hasDemo: [false, { option: true, scope: "worker" }],
  office: [
    async ({ hasDemo }, use) => {
      const database = await createDatabase(process.env.E2E_SERVER ?? "", process.env.E2E_TEMPLATE ?? "");
      const shop = await startShop({ DATABASE_URL: database.url, AUTH_SECRET, PAYMENTS: "sandbox" });
      const { db, pool } = openDatabase(database.url, 2, null);
      if (hasDemo) await fillDemo(pool, shop.url);
      await use({
        url: shop.url,
        pool,
        db,
        firstOwnerPath: async () => `/admin/join?token=${await firstOwnerToken(db, AUTH_SECRET)}`,
        async signIn(page, role, name) {
          const member = await makeStaff(
            { db, pool },
            { url: shop.url, secret: AUTH_SECRET },
            role,
            name ? { name } : {},
          );
          await page.context().addCookies([{ name: STAFF_COOKIE, value: member.token, url: shop.url }]);
          return member;
        },
      });
      await pool.end();
      await shop.stop();
      await database.drop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ office }, use) => use(office.url),
});

export { expect };

export const PASSWORD = "correct horse battery";

/** Turns on two-step sign-in in the settings of who is signed in. Answers with the secret that the app would keep. */
export async function enrollFactor(page: Page): Promise<string> {
  const section = page.getByRole("region", { name: "Two-step sign-in" });
  await section.getByLabel("Your password").fill(PASSWORD);
  await section.getByRole("button", { name: "Set up an authenticator app" }).click();
  const key = (await section.getByText(/^([A-Z2-7]{1,4} ?)+$/).innerText()).replaceAll(" ", "");
  const secret = new TextDecoder().decode(base32.decode(key));
  await section.getByLabel("Code from the app").fill(await codeOf(secret));
  await section.getByRole("button", { name: "Turn on" }).click();
  await expect(section.getByRole("heading", { name: "Your backup codes" })).toBeVisible();
  return secret;
}

/** Signs in to the back office by its own page. */
export async function signInToOffice(page: Page, { pool }: Office, email: string, secret: string): Promise<void> {
  await forgetUsedCodes(pool, email);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByLabel("Code").fill(await codeOf(secret));
  await page.getByRole("button", { name: "Sign in" }).click();
}

type Joining = { email: string; firstName: string; role: Role };

/** From the link of an invitation to the first screen: a new account, its second factor, the role, and the sign-in. */
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
  await open(page, `${office.url}/account?tab=settings`);
  const secret = await enrollFactor(page);
  await page.goto(office.url + path);
  await page.getByRole("button", { name: `Join as ${role}` }).click();
  await expect(page.getByLabel("Code")).toBeVisible();
  await expectAccessible(page);
  await signInToOffice(page, office, email, secret);
  await expect(heading).toHaveText("Today");
  await expectAccessible(page);
}
