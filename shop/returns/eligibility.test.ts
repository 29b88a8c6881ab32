import { expect, it } from "vitest";
import { newYorkDay } from "#shop/new-york-time.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { inTime, optionOf, type EligibleLine } from "./eligibility.ts";
import { dueDay } from "./actions/inspect.ts";
import { RETURN_KINDS, type ReturnKind } from "./lifecycle.ts";

const bowl: EligibleLine = {
  lineId: "line",
  productId: "product",
  name: "Polara Pro",
  unitsSent: 2,
  unitsAstray: 0,
  unitsReturned: 0,
  unitsRepaid: 0,
  unitsLeft: [1, 2].map((number) => ({ number, renewedOn: null })),
  deliveredOn: "2026-12-01",
  purchasedOn: "2026-11-26",
  warrantyYears: 2,
  isFree: false,
  windows: FIRST_SETTINGS.returns,
};
const why = (kind: ReturnKind, on: string, line: Partial<EligibleLine> = {}, isWearPart = false) =>
  optionOf({ ...bowl, ...line }, kind, on, isWearPart).why;

it.each([
  ["return", "2026-12-31", "2027-01-01"],
  ["exchange", "2026-12-31", "2027-01-01"],
  ["defect", "2026-12-08", "2026-12-09"],
  ["warranty", "2028-11-26", "2028-11-27"],
] as const)("a %s may be asked for through %s, and not on %s", (kind, last, after) => {
  expect([why(kind, last), why(kind, after)]).toEqual([null, "late"]);
  expect(optionOf(bowl, kind, after).until).toBe(last);
});

it("the days are those under which the order was placed", () => {
  const windows = { returnDays: 45, exchangeDays: 14, defectReportDays: 7 };
  expect(optionOf({ ...bowl, windows }, "return", "2026-12-02").until).toBe("2027-01-15");
  expect(optionOf({ ...bowl, windows }, "exchange", "2026-12-02").until).toBe("2026-12-15");
});

it("the 30th day ends at midnight in New York", () => {
  expect(why("return", newYorkDay(new Date("2027-01-01T04:59:59Z")))).toBeNull();
  expect(why("return", newYorkDay(new Date("2027-01-01T05:00:00Z")))).toBe("late");
});

it("battery and gaskets have one year, and a repair has no end", () => {
  expect(why("warranty", "2027-11-26", {}, true)).toBeNull();
  expect(why("warranty", "2027-11-27", {}, true)).toBe("late");
  expect(why("repair", "2036-01-01")).toBeNull();
});

it("a unit that was repaired or replaced is covered for the rest of the warranty or for 90 days, whichever is longer", () => {
  const renewed = (renewedOn: string) => ({ ...bowl, unitsLeft: [bowl.unitsLeft[0]!, { number: 2, renewedOn }] });
  expect(inTime(renewed("2028-11-01"), "warranty", "2028-11-27")).toMatchObject([{ number: 2 }]);
  expect(optionOf(renewed("2028-11-01"), "warranty", "2028-11-27").until).toBe("2029-01-30");
  expect(optionOf(renewed("2028-11-01"), "warranty", "2028-11-26").units).toBe(2);
  expect(optionOf(renewed("2027-01-01"), "warranty", "2028-11-27").until).toBe("2028-11-26");
});

it("says why not", () => {
  for (const kind of RETURN_KINDS) {
    const unitsLeft: EligibleLine["unitsLeft"] = [];
    expect(why(kind, "2026-12-02", { unitsSent: 0, unitsLeft, deliveredOn: null })).toBe("not-shipped");
    expect(why(kind, "2026-12-02", { unitsReturned: 2, unitsLeft })).toBe("in-return");
    expect(why(kind, "2026-12-02", { unitsRepaid: 2, unitsLeft })).toBe("refunded");
    expect(why(kind, "2026-12-02", { unitsAstray: 2, unitsLeft })).toBe("astray");
    const isOwn = kind === "return" || kind === "exchange";
    expect(why(kind, "2026-12-02", { isFree: true })).toBe(isOwn ? "free" : null);
    const hasWarranty = kind === "warranty" || kind === "repair";
    expect(why(kind, "2026-12-02", { warrantyYears: null })).toBe(hasWarranty ? "no-warranty" : null);
  }
});

it.each([
  ["return", "2026-12-04", "2026-12-15"],
  ["exchange", "2026-12-31", "2027-01-11"],
  ["defect", "2026-12-05", "2026-12-15"],
  ["warranty", "2026-12-31", "2027-01-21"],
  ["repair", "2026-11-27", "2026-12-18"],
] as const)("a %s that arrives on %s is due on %s", (kind, on, due) => {
  expect(dueDay(kind, on)).toBe(due);
});
