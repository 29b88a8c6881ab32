import { expect, it } from "vitest";
import { periodBefore, readPeriod } from "./period.ts";

const TODAY = "2026-11-26";

it.each([
  ["", { days: 28, until: TODAY, span: 28 }],
  ["days=7", { days: 7, until: TODAY, span: 7 }],
  ["days=8", { days: 28, until: TODAY, span: 28 }],
  ["days=7&from=2026-11-01&to=2026-11-01", { days: 7, until: TODAY, span: 7 }],
  ["days=custom", { days: 28, until: TODAY, span: null }],
  ["days=custom&from=2026-11-01&to=2026-11-10", { days: 10, until: "2026-11-10", span: null }],
])("?%s is the period %o", (query, period) => {
  expect(readPeriod(new URLSearchParams(query), TODAY)).toEqual(period);
});

it.each([
  ["from=2026-11-10&to=2026-11-01", "“To” is before “From”"],
  ["from=2026-11-01&to=2026-11-27", "“To” is in the future"],
  ["from=2024-11-01&to=2026-11-01", "Choose 366 days or less"],
  ["from=2026-02-30&to=2026-03-01", "Enter both dates"],
  ["from=&to=2026-03-01", "Enter both dates"],
])("?%s is refused", (query, problem) => {
  expect(readPeriod(new URLSearchParams(`days=custom&${query}`), TODAY)).toEqual({
    days: 28,
    until: TODAY,
    span: 28,
    problem: `${problem}. The last 28 days are shown.`,
  });
});

it("compares with as many days before", () => {
  expect(periodBefore({ days: 10, until: "2026-11-10" })).toEqual({ days: 10, until: "2026-10-31" });
});
