import { expect, it } from "vitest";
import { returnPolicy } from "../policies.ts";
import { isShopDay, lastReturnDay, shopDay } from "./days.ts";

it.each([
  ["2026-11-22T04:59:59Z", "2026-11-21"],
  ["2026-11-22T05:00:00Z", "2026-11-22"],
  ["2026-07-01T03:59:59Z", "2026-06-30"],
  ["2026-07-01T04:00:00Z", "2026-07-01"],
])("%s is %s in New York", (moment, day) => {
  expect(shopDay(new Date(moment))).toBe(day);
});

it.each([
  ["2026-02-28", true],
  ["2026-02-29", false],
  ["2028-02-29", true],
  ["2026-13-01", false],
  ["2026-1-1", false],
  ["tomorrow", false],
  ["", false],
])("%s is a day: %s", (text, is) => {
  expect(isShopDay(text)).toBe(is);
});

it("the time for returns is counted in days of New York, over the change of the clock too", () => {
  for (const delivered of ["2026-10-20T12:00:00Z", "2026-11-01T04:30:00Z", "2026-02-20T23:59:59Z"]) {
    const last = Date.parse(lastReturnDay(new Date(delivered)));
    expect((last - Date.parse(shopDay(new Date(delivered)))) / 86_400_000).toBe(returnPolicy.returnDays);
  }
});
