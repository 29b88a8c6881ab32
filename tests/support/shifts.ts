/** How much of a page jumps by itself while it loads, as the browser counts it: cumulative layout shift. */
import type { Page } from "@playwright/test";

/** From the next document on. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const kept = globalThis as unknown as { shift: number };
    kept.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) kept.shift += entry.value;
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

export const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { shift: number }).shift);
