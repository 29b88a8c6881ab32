/** Days as the shop counts them: in New York. */
import { returnPolicy } from "../policies.ts";

const DAY_MS = 24 * 3600_000;

/** The day of a moment, YYYY-MM-DD. */
export const shopDay = (moment: Date): string => moment.toLocaleDateString("en-CA", { timeZone: "America/New_York" });

/** Whether a text is a day that there is, as YYYY-MM-DD. */
export function isShopDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The last day on which what was delivered then may be sent back. */
export const lastReturnDay = (deliveredAt: Date): string =>
  new Date(Date.parse(`${shopDay(deliveredAt)}T00:00:00Z`) + returnPolicy.returnDays * DAY_MS)
    .toISOString()
    .slice(0, 10);
