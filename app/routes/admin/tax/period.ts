import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { readDates } from "../dates.ts";

/** The period of a query; this year where it names none. */
export function readPeriod(query: URLSearchParams) {
  const today = newYorkDay(clock.now());
  const { problem, ...period } = readDates(query, { from: `${today.slice(0, 4)}-01-01`, to: today });
  return { ...period, problem: problem && `${problem}. This year is shown.` };
}
