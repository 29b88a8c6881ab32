import { expect, it } from "vitest";
import { optionsOf, type EligibleLine } from "#shop/returns/eligibility.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { whyNot } from "./request-form.ts";

const line: EligibleLine = {
  lineId: "line",
  productId: "bowl",
  name: "Polara Pro",
  unitsSent: 1,
  unitsAstray: 0,
  unitsReturned: 0,
  unitsRepaid: 0,
  unitsLeft: [{ number: 1, renewedOn: null }],
  deliveredOn: "2026-05-01",
  purchasedOn: "2026-04-20",
  warrantyYears: 2,
  windows: FIRST_SETTINGS.returns,
  isFree: false,
};
const optionsFor = (lines: Partial<EligibleLine>[]) =>
  lines.map((changes) => optionsOf({ ...line, ...changes }, "2026-06-15"));

it.each([
  ["of a repair leads to its first order", [], "You can return it, or make a claim, on its first order."],
  ["of what has not shipped", [{ unitsSent: 0 }], "It hasn’t shipped, so you can still cancel."],
  [
    "too late names the last day, also beside what is in a return",
    [{}, { unitsReturned: 1, unitsLeft: [] }],
    "The window for this closed on May 31, 2026.",
  ],
  ["of one line in time is possible", [{ unitsSent: 0 }, { deliveredOn: "2026-06-01" }], null],
])("a return %s", (_name, lines, why) => {
  expect(whyNot(optionsFor(lines), "return")).toBe(why);
});
