import { expect, it } from "vitest";
import { periodBefore, readPeriod } from "./period.ts";

const TODAY = "2026-11-26";

it.each([
  ["", { days: 28, until: TODAY, span: 28 }],
  ["days=7", { days: 7, until: TODAY, span: 7 }],
  ["days=8", { days: 28, until: TODAY, span: 28 }],
  ["since=2026-11-01&until=2026-11-10", { days: 10, until: "2026-11-10", span: null }],
  ["since=2026-11-01&until=2026-11-01&days=7", { days: 1, until: "2026-11-01", span: null }],
  ["since=2026-11-10&until=2026-11-01&days=7", { days: 7, until: TODAY, span: 7 }],
  ["since=2026-11-01&until=2026-11-27", { days: 28, until: TODAY, span: 28 }],
  ["since=2024-11-01&until=2026-11-01", { days: 28, until: TODAY, span: 28 }],
  ["since=2026-02-30&until=2026-03-01", { days: 28, until: TODAY, span: 28 }],
])("?%s is the period %o", (query, period) => {
  expect(readPeriod(new URLSearchParams(query), TODAY)).toEqual(period);
});

it("compares with as many days before", () => {
  expect(periodBefore({ days: 10, until: "2026-11-10" })).toEqual({ days: 10, until: "2026-10-31" });
});
