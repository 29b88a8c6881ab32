import { useSyncExternalStore } from "react";

const format = (date: Date, timeZone?: string) =>
  date.toLocaleDateString("en-US", { year: "numeric", month: "long", day: "numeric", timeZone });
const never = () => () => {};

/** A day as 'MMMM d, yyyy': the reader's own, once the browser is asked; UTC until then. */
export function LocalDate({ date }: { date: Date }) {
  const text = useSyncExternalStore(
    never,
    () => format(date),
    () => format(date, "UTC"),
  );
  return <time dateTime={date.toISOString()}>{text}</time>;
}
