import { expect, it } from "vitest";
import { whenWords } from "./when.tsx";

const THANKSGIVING = new Date("2026-11-26T17:00:00Z");

it.each([
  ["2026-11-26T19:05:00Z", "today at 2:05 PM"],
  ["2026-11-25T19:05:00Z", "yesterday at 2:05 PM"],
  ["2026-11-27T19:05:00Z", "tomorrow at 2:05 PM"],
  ["2026-11-24T19:05:00Z", "Tue at 2:05 PM"],
  ["2026-12-01T19:05:00Z", "Tue, Dec 1 at 2:05 PM"],
  ["2026-11-17T19:05:00Z", "Nov 17"],
  ["2026-12-08T19:05:00Z", "Dec 8"],
])("%s is %s", (at, words) => {
  expect(whenWords(new Date(at), THANKSGIVING)).toBe(words);
});
