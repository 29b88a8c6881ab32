/**
 * Times for staff: "today at 2:05 PM" or "Mar 3", in the shop's time zone. Hover shows the exact time. A day, such as a
 * deadline, has no time. A weekday alone is one of the last days; one of the next has its date, too.
 */
import { createContext, useContext } from "react";
import { useClock } from "#app/ui/time/countdown.tsx";
import { formatDate } from "#app/ui/time/format-date.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";

const ZONE = "America/New_York";
const DAY_MS = 86_400_000;

const format = (date: Date, options: Intl.DateTimeFormatOptions, timeZone = ZONE) =>
  formatDate(date, { ...options, timeZone });

export function whenWords(at: Date, now: Date, isDay = false): string {
  const time = isDay ? "" : ` at ${format(at, { hour: "numeric", minute: "2-digit" })}`;
  if (newYorkDay(at) === newYorkDay(now)) return `today${time}`;
  if (newYorkDay(at) === newYorkDay(new Date(now.getTime() - DAY_MS))) return `yesterday${time}`;
  if (newYorkDay(at) === newYorkDay(new Date(now.getTime() + DAY_MS))) return `tomorrow${time}`;
  if (!isDay && Math.abs(now.getTime() - at.getTime()) < 6 * DAY_MS) {
    const date = at > now ? ({ month: "short", day: "numeric" } as const) : {};
    return `${format(at, { weekday: "short", ...date })}${time}`;
  }
  return dayWords(newYorkDay(at), shortDate(newYorkDay(at), now));
}

/** "Mar 3", with the year unless it is this one. */
function shortDate(day: string, now: Date): Intl.DateTimeFormatOptions {
  const isThisYear = day.slice(0, 4) === newYorkDay(now).slice(0, 4);
  return { month: "short", day: "numeric", ...(isThisYear ? {} : { year: "numeric" }) };
}

/** Formats "at 2:05 PM" today, else "on Mar 3 at 2:05 PM". */
export function momentWords(at: Date, now: Date): string {
  const time = `at ${format(at, { hour: "numeric", minute: "2-digit" })}`;
  return newYorkDay(at) === newYorkDay(now) ? time : `on ${format(at, { month: "short", day: "numeric" })} ${time}`;
}

/** Formats 2027-03-03, by default as "Mar 3". */
export const dayWords = (day: string, options = shortDate(day, clock.now())): string =>
  format(new Date(`${day}T00:00:00Z`), options, "UTC");

const exact = (at: Date, zone: string) => format(at, { dateStyle: "medium", timeStyle: "medium" }, zone);

/** Render time of the server, repeated by hydration. */
export const NowContext = createContext(new Date(0));

export function When({ at, isDay = false }: { at: Date; isDay?: boolean }) {
  const renderedAt = useContext(NowContext);
  const words = useClock((now) => whenWords(at, new Date(now), isDay), whenWords(at, renderedAt, isDay));
  const title = isDay ? format(at, { dateStyle: "full" }) : `${exact(at, ZONE)} New York, ${exact(at, "UTC")} UTC`;
  return (
    <time dateTime={isDay ? newYorkDay(at) : at.toISOString()} title={title} className="whitespace-nowrap">
      {words}
    </time>
  );
}
