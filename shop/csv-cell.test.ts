import { expect, it } from "vitest";
import { csvCell, phoneCell } from "./csv-cell.ts";

it.each([
  // Order numbers, ZIP codes, tracking numbers and SKUs that are digits.
  ..."9e004855 794950e7 04383957 02116 02116-1234 9400100000000000000000 1-2 3/4 12:30 1.5 $5 50% (512)".split(" "),
  ..."=1+1 +15125550123 -12 @home |x ＝1+1 TRUE false JAN5 Mar-05 2026/11/28".split(" "),
  "1 1/2",
  "5 May",
  "May 5",
  "Dec 2026",
  "10 a",
  "12 pm",
  " =1+1",
  " 02116 ",
])("%s is guarded", (text) => {
  expect(csvCell(text)).toBe(`'${text}`);
});

it.each([
  ..."#9e004855 1Z999AA10123456784 ada@example.com Maya May O’Brien-Núñez TX C52AEE86 A1".split(" "),
  "(512) 555-0123",
  "2 × Polara Pro, 1 × Charging Dock",
  "12 March St",
  "12 Analytical Ave",
  "4 PM Lane",
  "",
  "TX-2",
])("%s stays as it is", (text) => {
  expect(csvCell(text)).toBe(text);
});

it.each([
  ["5125550123", "(512) 555-0123"],
  ["+1 512-555-0123", "(512) 555-0123"],
  ["(512) 555-0123 ext. 4", "(512) 555-0123 ext. 4"],
  ["+44 20 7946 0958", "'+44 20 7946 0958"],
])("writes the phone number %s as %s", (phone, cell) => {
  expect(csvCell(phoneCell(phone))).toBe(cell);
});

it("writes moments and days as New York has them, and numbers as numbers", () => {
  const moments = ["2026-11-29T04:59:00Z", "2026-07-01T04:00:00Z"].map((at) => csvCell(new Date(at)));
  expect(moments).toEqual(["2026-11-28 23:59", "2026-07-01 00:00"]);
  expect(["2026-11-28", -0.82, 0, null, undefined].map(csvCell)).toEqual(["2026-11-28", -0.82, 0, "", ""]);
});
