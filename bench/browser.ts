/** The screens that the measurements have, and a shop to walk through in a browser. */
import { chromium, type Browser, type Locator, type Page } from "@playwright/test";
import type { Pool } from "pg";
import { openDatabase } from "../db/connection.server.ts";
import { CHROMIUM } from "../tests/support/chromium.ts";
import { freshDatabase, type Bench } from "./databases.ts";
import { serveShop } from "./processes.ts";

/** Far from UTC, where a time that the server wrote and one that the browser writes differ the most. */
const far = { timezoneId: "Pacific/Kiritimati" };

export const DESK = { ...far, viewport: { width: 1440, height: 900 } };
export const PHONE = {
  ...far,
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
};

const KBIT = 1000 / 8;
/** As Lighthouse has it. */
export const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600 * KBIT, uploadThroughput: 750 * KBIT };
/** A line that hardly carries anything. */
export const HARDLY = { offline: false, latency: 2_000, downloadThroughput: 400 * KBIT, uploadThroughput: 400 * KBIT };

/** How long a finger stays. */
const FINGER_MS = 90;

export async function touch(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error(`${String(target)} is not to be seen`);
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await page.waitForTimeout(FINGER_MS);
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

type Walk = { browser: Browser; url: string; database: Pool };

/** Measures in a browser, on a shop of its own. */
export async function inBrowser(
  bench: Bench,
  measure: (walk: Walk) => Promise<void>,
  args: string[] = [],
): Promise<void> {
  const { url: databaseUrl, drop } = await freshDatabase(bench);
  const { pool: database } = openDatabase(databaseUrl, 1);
  const { url, stop } = await serveShop({ DATABASE_URL: databaseUrl });
  const browser = await chromium.launch({ ...CHROMIUM, args: [...CHROMIUM.args, ...args] });
  await measure({ browser, url, database });
  await browser.close();
  await stop();
  await database.end();
  await drop();
}
