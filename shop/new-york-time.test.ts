import { expect, it } from "vitest";
import { newYorkField, newYorkMoment, newYorkWords } from "./new-york-time.ts";

it.each([
  ["2026-12-24T23:59", "2026-12-25T04:59:00.000Z"],
  ["2026-07-04T00:00", "2026-07-04T04:00:00.000Z"],
  ["2026-03-08T01:59", "2026-03-08T06:59:00.000Z"],
  ["2026-03-08T02:30", null],
  ["2026-03-08T03:00", "2026-03-08T07:00:00.000Z"],
  ["2026-11-01T01:30", "2026-11-01T05:30:00.000Z"],
  ["2026-11-01T02:30", "2026-11-01T07:30:00.000Z"],
  ["2026-02-30T10:00", null],
  ["tomorrow", null],
  ["", null],
])("%s in New York is %s", (text, moment) => {
  const read = newYorkMoment(text);
  expect(read?.toISOString() ?? null).toBe(moment);
  if (read) expect(newYorkField(read)).toBe(text);
});

it("formats a time in words", () => {
  expect(newYorkWords(new Date("2026-12-25T04:59:00Z"))).toBe("December 24, 2026 at 11:59 PM");
});
