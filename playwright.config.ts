import { defineConfig, devices } from "@playwright/test";
import { CHROMIUM } from "./tests/support/chromium.ts";

const isBothWidths = process.env.LOOKS === "both";
const isNightly = !!process.env.NIGHTLY;

export default defineConfig({
  testDir: "tests/e2e",
  snapshotPathTemplate: "tests/looks/{projectName}/{arg}{ext}",
  globalSetup: "./tests/support/e2e.setup.ts",
  workers: 2,
  forbidOnly: !!process.env.CI,
  retries: 0,
  // Long enough for a busy machine.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: "dot",
  use: {
    baseURL: process.env.E2E_URL,
    contextOptions: { reducedMotion: "reduce" },
    // Order pages show local times, and screenshots need a fixed one.
    timezoneId: "UTC",
    launchOptions: CHROMIUM,
  },
  projects: [
    // Journeys run on the wide screen, those tagged @both on both, those tagged @phone on the small one, @nightly at night.
    {
      name: "desktop",
      grepInvert: isNightly ? /@phone/ : /@phone|@nightly/,
      use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } },
    },
    {
      name: "phone",
      grep: isBothWidths ? undefined : /@phone|@both/,
      grepInvert: isNightly ? undefined : /@nightly/,
      // Screenshots of both widths are compared by `npm run looks` only.
      testIgnore: isBothWidths ? undefined : /every-page\.test\.ts/,
      use: { ...devices["Desktop Chrome"], viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
});
