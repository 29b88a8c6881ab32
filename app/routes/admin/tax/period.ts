import { clock } from "#shop/clock.ts";
import { newYorkDay, newYorkMoment } from "#shop/new-york-time.ts";
import type { Period } from "#shop/tax/sales-by-state.server.ts";

/** The period of a query; this year where it names none. */
export function readPeriod(query: URLSearchParams): Period {
  const today = newYorkDay(clock.now());
  const day = (name: string) => {
    const typed = query.get(name) ?? "";
    return newYorkMoment(`${typed}T12:00`) === null ? null : typed;
  };
  return { from: day("from") ?? `${today.slice(0, 4)}-01-01`, to: day("to") ?? today };
}
