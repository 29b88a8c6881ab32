/** The system's Chromium, as the measurements use it. */
import { existsSync } from "node:fs";
import { chromium, type Browser } from "@playwright/test";

export function openBrowser(args: string[] = []): Promise<Browser> {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
    existsSync(path),
  );
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      ...args,
    ],
  });
}
