/** The shop's clock, in the server and in the browser. CLOCK_OFFSET moves it forward in a trial. */
import { singleton } from "./singleton.ts";

const provided = singleton("clock", () => ({
  offsetMs: typeof document === "undefined" ? 0 : Number(document.documentElement.dataset.clockOffset ?? 0),
}));

export function setClockOffset(offsetMs: number): void {
  provided.offsetMs = offsetMs;
}

const HALF_DAY_MS = 12 * 3_600_000;

/** In the browser: a device whose date is wrong goes by the server's. A smaller error harms nobody. */
export function followServer(now: number): void {
  const offsetMs = now - Date.now();
  if (Math.abs(offsetMs - provided.offsetMs) > HALF_DAY_MS) provided.offsetMs = offsetMs;
}

export const clock = {
  now: (): Date => new Date(Date.now() + provided.offsetMs),
  /** Milliseconds ahead of the machine; 0 unless CLOCK_OFFSET is set. */
  offsetMs: (): number => provided.offsetMs,
};
