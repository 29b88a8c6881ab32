/** A shop for journeys of the back office, with sandboxes and without an owner. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fixtures, Page } from "@playwright/test";
import type { Pool } from "pg";
import { openDatabase, type Database } from "#db/connection.server.ts";
import type { Role } from "#shop/roles.ts";
import { firstOwnerToken } from "#shop/staff/invitations.server.ts";
import { createDatabase } from "./database.setup.ts";
import "./quick-passwords.ts";
import { changeSettings, type ChangedSettings } from "./settings.ts";
import { freePort, startShop } from "./shop.ts";
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

export type OfficeFixtures = {
  office: Office;
  hasDemo: boolean;
  changed: ChangedSettings;
  env: Record<string, string>;
};

export const officeFixtures: Fixtures<object, OfficeFixtures> = {
  /** A year of demo orders. */
  hasDemo: [false, { option: true, scope: "worker" }],
  /** Settings that the shop begins with. */
  changed: [{}, { option: true, scope: "worker" }],
  /** The providers of the shop. */
  env: [{ PAYMENTS: "sandbox" }, { option: true, scope: "worker" }],
  office: [
    async ({ hasDemo, changed, env }, use) => {
      const database = await createDatabase(process.env.E2E_SERVER ?? "", process.env.E2E_TEMPLATE ?? "");
      const { db, pool } = openDatabase(database.url, 2, null);
      const port = String(await freePort());
      const demo = { db, pool, databaseUrl: database.url, baseUrl: `http://localhost:${port}`, secret: AUTH_SECRET };
      // The whole shop, which no other worker needs to load.
      if (hasDemo) await (await import("#scripts/demo/fill.ts")).fillDemo(demo, { orders: 60 });
      await changeSettings(db, changed);
      const folder = mkdtempSync(join(tmpdir(), "polara-office-"));
      const shop = await startShop({ PORT: port, DATABASE_URL: database.url, DATA_DIR: folder, AUTH_SECRET, ...env });
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
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
};
