import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { formatDate } from "./format-date.ts";

const FORMATS = {
  /** "March 3, 2026" */
  day: { dateStyle: "long" },
  /** "Mar 3, 2:05 PM" */
  moment: { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" },
  /** "2:05 PM" */
  time: { timeStyle: "short" },
} as const;

/** A time in the reader's time zone; in UTC on the server and during hydration. */
export function LocalTime({ date, as }: { date: Date; as: keyof typeof FORMATS }) {
  const isLocal = useHydrated();
  const text = formatDate(date, isLocal ? FORMATS[as] : { ...FORMATS[as], timeZone: "UTC" });
  return (
    <time dateTime={date.toISOString()}>
      {text}
      {!isLocal && as !== "day" && <noscript> UTC</noscript>}
    </time>
  );
}
