import { expect, it } from "vitest";
import { dayText } from "./policy-text.ts";

it("a day is formatted for a sentence, in any time zone", () => {
  expect(dayText("2026-03-09")).toBe("March 9, 2026");
});
