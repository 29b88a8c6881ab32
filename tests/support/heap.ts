/** The memory that a shop holds on to: unlike its resident memory, it does not depend on when garbage was collected. */
import { vi } from "vitest";
import type { Shop } from "./shop.ts";

/** Node option of a shop that is asked. */
export const HEAP_ON_SIGNAL = `--import=${new URL("heap-on-signal.ts", import.meta.url).href}`;

/** Megabytes that are left after a collection. */
export async function heapOf({ child, output }: Shop): Promise<number> {
  const said = () => [...output().matchAll(/"heldBytes":(\d+)/g)].map(([, bytes]) => Number(bytes));
  const before = said().length;
  child.kill("SIGUSR2");
  await vi.waitUntil(() => said().length > before, { timeout: 30_000, interval: 50 });
  return said().at(-1)! / 1024 / 1024;
}
