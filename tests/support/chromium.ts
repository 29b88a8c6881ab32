/** The system's Chromium, as journeys and measurements start it. */
import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

export const CHROMIUM = {
  executablePath: ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
    existsSync(path),
  ),
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
} satisfies LaunchOptions;
