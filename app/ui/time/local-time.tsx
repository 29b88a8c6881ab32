import { use } from "react";
import { Nonce } from "../../http/nonce.ts";

const FORMATS = {
  /** "March 3, 2026" */
  day: { dateStyle: "long" },
  /** "Mar 3, 2:05 PM" */
  moment: { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" },
  /** "2:05 PM" */
  time: { timeStyle: "short" },
} as const;

type LocalTimeProps = { date: Date; as: keyof typeof FORMATS };

/** Said in UTC, with a script that says it in the reader's own time before anything after it is laid out: nothing jumps. */
function fromServer({ date, as }: LocalTimeProps, nonce = ""): string {
  const utc = date.toLocaleString("en-US", { ...FORMATS[as], timeZone: "UTC" }) + (as === "day" ? "" : " UTC");
  const script = `{const t=document.currentScript.parentNode;t.textContent=new Date(t.dateTime).toLocaleString("en-US",${JSON.stringify(FORMATS[as])})}`;
  return `${utc}<script nonce="${nonce}">${script}</script>`;
}

/** A moment in the reader's own time. Without a script in UTC, which a time of day says. */
export function LocalTime({ date, as }: LocalTimeProps) {
  const __html = import.meta.env.SSR ? fromServer({ date, as }, use(Nonce)) : date.toLocaleString("en-US", FORMATS[as]);
  return <time dateTime={date.toISOString()} suppressHydrationWarning dangerouslySetInnerHTML={{ __html }} />;
}
