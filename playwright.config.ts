import { defineConfig, devices } from "@playwright/test";
import { CHROMIUM } from "./tests/support/chromium.ts";

const isBothWidths = process.env.LOOKS === "both";

export default defineConfig({
  testDir: "tests/e2e",
  snapshotPathTemplate: "tests/looks/{projectName}/{arg}{ext}",
  globalSetup: "./tests/support/e2e.setup.ts",
  workers: 2,
  forbidOnly: !!process.env.CI,
  retries: 0,
  // Long enough for a machine that is busy with other things.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: "dot",
  use: {
    baseURL: process.env.E2E_URL,
    contextOptions: { reducedMotion: "reduce" },
    // Orders say at what time things happened, in the reader's own; pictures of them have one.
    timezoneId: "UTC",
    launchOptions: CHROMIUM,
  },
  projects: [
    // A journey runs on the wide screen. What differs on a small one says so by its tag: @both, or @phone alone.
    {
      name: "desktop",
      grepInvert: /@phone/,
      use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } },
    },
    {
      name: "phone",
      grep: isBothWidths ? undefined : /@phone|@both/,
      // Both widths are compared by `npm run looks`; every test run compares the wide one.
      testIgnore: isBothWidths ? [] : /looks\.test\.ts/,
      use: { ...devices["Desktop Chrome"], viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
});
