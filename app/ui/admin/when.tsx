/** A moment as the team reads it: 'today 14:05', 'Tue', 'Mar 3', in the shop's own time. The exact one shows on hover. */
import { createContext, useContext } from "react";
import { useClock } from "../time/clock.ts";

const ZONE = "America/New_York";
const DAY_MS = 86_400_000;

const dayOf = (date: Date) => date.toLocaleDateString("en-CA", { timeZone: ZONE });
const format = (date: Date, options: Intl.DateTimeFormatOptions, timeZone = ZONE) =>
  date.toLocaleString("en-US", { ...options, timeZone, hourCycle: "h23" });

/** The words for a moment, seen from `now`. */
export function whenWords(at: Date, now: Date): string {
  const time = format(at, { hour: "2-digit", minute: "2-digit" });
  if (dayOf(at) === dayOf(now)) return `today ${time}`;
  if (dayOf(at) === dayOf(new Date(now.getTime() - DAY_MS))) return `yesterday ${time}`;
  if (dayOf(at) === dayOf(new Date(now.getTime() + DAY_MS))) return `tomorrow ${time}`;
  if (Math.abs(now.getTime() - at.getTime()) < 6 * DAY_MS) return `${format(at, { weekday: "short" })} ${time}`;
  const isThisYear = dayOf(at).slice(0, 4) === dayOf(now).slice(0, 4);
  return format(at, { month: "short", day: "numeric", ...(isThisYear ? {} : { year: "numeric" }) });
}

const exact = (at: Date, zone: string) =>
  format(
    at,
    { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" },
    zone,
  );

/** When the page was made: what the server and the browser's first rendering both go by. */
export const NowContext = createContext(new Date(0));

export function When({ at, className }: { at: Date; className?: string }) {
  const made = useContext(NowContext);
  const words = useClock((now) => whenWords(at, new Date(now)), whenWords(at, made));
  return (
    <time
      dateTime={at.toISOString()}
      title={`${exact(at, ZONE)} New York, ${exact(at, "UTC")} UTC`}
      className={className}
    >
      {words}
    </time>
  );
}
