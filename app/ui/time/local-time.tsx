import { use } from "react";
import { Nonce } from "../../http/nonce.ts";

export const FORMATS = {
  /** "March 3, 2026" */
  day: { dateStyle: "long" },
  /** "Mar 3, 2:05 PM" */
  moment: { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" },
  /** "2:05 PM" */
  time: { timeStyle: "short" },
} as const;

type LocalTimeProps = { date: Date; as: keyof typeof FORMATS };

/**
 * As `toLocaleString` says it in English. That one takes 30 ms for the first date, and four times as long on a slow phone,
 * before anything is seen. This goes into the document as it stands, so it uses nothing but what it is given.
 */
function say(date: Date, as: keyof typeof FORMATS): string {
  const months = "January February March April May June July August September October November December";
  const month = months.split(" ")[date.getMonth()] ?? "";
  const hours = date.getHours();
  const time = `${hours % 12 || 12}:${String(date.getMinutes()).padStart(2, "0")} ${hours < 12 ? "AM" : "PM"}`;
  if (as === "time") return time;
  return as === "day"
    ? `${month} ${date.getDate()}, ${date.getFullYear()}`
    : `${month.slice(0, 3)} ${date.getDate()}, ${time}`;
}

/** Said in UTC, with a script that says it in the reader's own time before anything after it is laid out: nothing jumps. */
function fromServer({ date, as }: LocalTimeProps, nonce = ""): string {
  const utc = date.toLocaleString("en-US", { ...FORMATS[as], timeZone: "UTC" }) + (as === "day" ? "" : " UTC");
  const script = `{const t=document.currentScript.parentNode;t.textContent=(${String(say)})(new Date(t.dateTime),"${as}")}`;
  return `${utc}<script nonce="${nonce}">${script}</script>`;
}

/** A moment in the reader's own time. Without a script in UTC, which a time of day says. */
export function LocalTime({ date, as }: LocalTimeProps) {
  const __html = import.meta.env.SSR ? fromServer({ date, as }, use(Nonce)) : say(date, as);
  return <time dateTime={date.toISOString()} suppressHydrationWarning dangerouslySetInnerHTML={{ __html }} />;
}
