import { defineConfig, devices } from "@playwright/test";
import { CHROMIUM } from "./tests/support/chromium.ts";

export default defineConfig({
  testDir: "tests/e2e",
  snapshotPathTemplate: "tests/looks/{projectName}/{arg}{ext}",
  globalSetup: "./tests/support/e2e.setup.ts",
  workers: 2,
  forbidOnly: !!process.env.CI,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ["json"]],
  use: {
    baseURL: process.env.E2E_URL,
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: CHROMIUM,
  },
  projects: [
    // A journey of one screen only says so by its tag.
    {
      name: "desktop",
      grepInvert: /@phone/,
      use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } },
    },
    {
      name: "phone",
      grepInvert: /@desktop/,
      // Both widths are compared by `npm run looks`; every test run compares the wide one.
      testIgnore: process.env.LOOKS === "both" ? [] : /looks\.test\.ts/,
      use: { ...devices["Desktop Chrome"], viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
});
