import { runInNewContext } from "node:vm";
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { FORMATS, LocalTime } from "./local-time.tsx";

const MOMENTS = Array.from(
  { length: 400 },
  (_, i) => new Date(Date.UTC(2025, 11, 31, 22, 59) + i * 99 * 3_600_000 + i * 60_000),
);

/** What the script of the server's document says in the browser. */
function saidByScript(html: string, dateTime: string): string {
  const time = { dateTime, textContent: "" };
  const script = /<script[^>]*>([\s\S]*)<\/script>/.exec(html)?.[1] ?? "";
  runInNewContext(script, { document: { currentScript: { parentNode: time } } });
  return time.textContent;
}

it.each(["day", "moment", "time"] as const)("a %s in the reader's own time is as English has it", (as) => {
  for (const date of MOMENTS) {
    const html = renderToString(<LocalTime date={date} as={as} />);
    expect(saidByScript(html, date.toISOString())).toBe(date.toLocaleString("en-US", FORMATS[as]));
  }
});
