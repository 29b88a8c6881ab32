/** A shop for journeys of the back office, with the payment sandbox and without an owner. */
import { execFileSync } from "node:child_process";
import type { Page } from "@playwright/test";
import { base32 } from "@better-auth/utils/base32";
import { fillDemo } from "#scripts/demo/fill.ts";
import { openDatabase, type Database } from "#db/connection.server.ts";
import type { Pool } from "pg";
import { firstOwnerToken } from "#shop/staff/invitations.server.ts";
import type { Role } from "#shop/roles.ts";
import { codeOf, forgetUsedCodes } from "./second-factor.ts";
import { createDatabase } from "./database.setup.ts";
import "./quick-passwords.ts";
import { expect, expectAccessible, open, test as journey } from "./journey.ts";
import { emailTo, linkIn } from "./mailbox.ts";
import { changeSettings, type ChangedSettings } from "./settings.ts";
import { freePort, startShop } from "./shop.ts";
import { aParcel } from "./staff.ts";
import { makeStaff, STAFF_COOKIE, type StaffMember } from "./staff-member.ts";

export const AUTH_SECRET = "a secret that only tests know, and long enough";

export type Office = {
  url: string;
  pool: Pool;
  db: Database;
  firstOwnerPath(): Promise<string>;
  /** Runs a command of the operator. Returns its output. */
  run(script: string, ...args: string[]): string;
  signIn(page: Page, role: Role, name?: string): Promise<StaffMember>;
};

type Options = { hasDemo: boolean; changed: ChangedSettings; changes: string };

export const test = journey.extend<object, { office: Office } & Options>({
  /** A year of demo orders. */
  hasDemo: [false, { option: true, scope: "worker" }],
  /** Settings that the shop begins with. */
  changed: [{}, { option: true, scope: "worker" }],
  /** Names what a file changes for the whole shop, which is then its own. */
  changes: ["", { option: true, scope: "worker" }],
  office: [
    async ({ hasDemo, changed }, use) => {
      const database = await createDatabase(process.env.E2E_SERVER ?? "", process.env.E2E_TEMPLATE ?? "");
      const { db, pool } = openDatabase(database.url, 2, null);
      const port = String(await freePort());
      const demo = { db, pool, databaseUrl: database.url, baseUrl: `http://localhost:${port}`, secret: AUTH_SECRET };
      if (hasDemo) await fillDemo(demo, { orders: 300 });
      await changeSettings(db, changed);
      const shop = await startShop({ PORT: port, DATABASE_URL: database.url, AUTH_SECRET, PAYMENTS: "sandbox" });
      await use({
        url: shop.url,
        pool,
        db,
        firstOwnerPath: async () => `/admin/join?token=${await firstOwnerToken(db, AUTH_SECRET)}`,
        run: (script, ...args) =>
          execFileSync(process.execPath, [script, ...args], {
            encoding: "utf8",
            env: { PATH: process.env.PATH, DATABASE_URL: database.url, AUTH_SECRET, BASE_URL: shop.url },
          }),
        async signIn(page, role, name) {
          const at = { url: shop.url, secret: AUTH_SECRET };
          const member = await makeStaff({ db, pool }, at, role, name ? { name } : {});
          await page.context().addCookies([{ name: STAFF_COOKIE, value: member.cookie, url: shop.url }]);
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

/** After the reset of a lost second factor: sign-in by password alone, a new factor, and back. */
export async function rejoinOffice(page: Page, office: Office, path: string, member: Member) {
  await page.goto(office.url + path);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("link", { name: "Open settings" })).toBeVisible();
  await joinWithFactor(page, office, path, member);
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

/** Ships the order of the page with the parcel of a number, and refunds $4.50 of it. */
export async function shipAndRefund(staff: Page, number: number): Promise<void> {
  await staff.getByLabel("Tracking number").fill(aParcel(number).trackingNumber);
  await staff.getByRole("button", { name: "Ship", exact: true }).click();
  await expect(staff.getByText("Shipped. The customer was emailed the tracking number.")).toBeVisible();
  await staff.locator("summary", { hasText: "Refund" }).click();
  await staff.getByLabel("Or an amount ($)").fill("4.50");
  await staff.getByLabel("Reason, shown to the customer").selectOption({ index: 1 });
  await staff.getByRole("button", { name: "Refund", exact: true }).click();
  await expect(staff.getByText("Refunded $4.50. The customer was notified.")).toBeVisible();
}
