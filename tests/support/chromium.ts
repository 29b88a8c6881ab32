/**
 * The system's Chromium, as journeys and measurements start it: where there is one, the build without a window, which
 * Playwright itself would take and which does a journey in half the time.
 */
import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

export const CHROMIUM = {
  executablePath: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
    .map((name) => `/usr/bin/${name}`)
    .find((path) => existsSync(path)),
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // As a browser with a window draws type.
    "--font-render-hinting=slight",
  ],
} satisfies LaunchOptions;
