import { expect, it } from "vitest";
import {
  businessDaysAfter,
  daysAfter,
  daysBetween,
  isDay,
  newYorkDay,
  newYorkField,
  newYorkMoment,
  newYorkWords,
  yearsAfter,
} from "./new-york-time.ts";

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

it.each([
  ["2026-02-28", true],
  ["2026-02-29", false],
  ["2028-02-29", true],
  ["2026-13-01", false],
  ["2026-1-1", false],
  ["0026-11-27", false],
  ["tomorrow", false],
  ["", false],
])("isDay(%s) is %s", (text, is) => {
  expect(isDay(text)).toBe(is);
});

it("formats a time in words", () => {
  expect(newYorkWords(new Date("2026-12-25T04:59:00Z"))).toBe("December 24, 2026 at 11:59 PM");
});

it.each([
  ["2026-03-07", 1, "2026-03-08"],
  ["2026-03-08", 1, "2026-03-09"],
  ["2026-11-01", 30, "2026-12-01"],
  ["2026-12-31", 1, "2027-01-01"],
  ["2028-02-28", 1, "2028-02-29"],
])("%s and %d days is %s, also where clocks change", (day, days, later) => {
  expect([daysAfter(day, days), daysBetween(day, later), daysBetween(later, day)]).toEqual([later, days, -days]);
});

it.each([
  ["2026-03-08T04:59:59Z", "2026-03-07"],
  ["2026-03-08T05:00:00Z", "2026-03-08"],
  ["2026-03-09T03:59:59Z", "2026-03-08"],
  ["2026-03-09T04:00:00Z", "2026-03-09"],
  ["2026-11-01T03:59:59Z", "2026-10-31"],
  ["2026-11-02T04:59:59Z", "2026-11-01"],
  ["2026-11-02T05:00:00Z", "2026-11-02"],
])("%s is on %s in New York", (at, day) => {
  expect(newYorkDay(new Date(at))).toBe(day);
});

it.each([
  ["2026-11-25", 1, "2026-11-26"],
  ["2026-11-27", 1, "2026-11-30"],
  ["2026-11-28", 1, "2026-11-30"],
  ["2026-11-29", 1, "2026-11-30"],
  ["2026-11-26", 7, "2026-12-07"],
  ["2026-12-24", 7, "2027-01-04"],
  ["2026-12-31", 15, "2027-01-21"],
])("%s and %d business days is %s, Monday to Friday", (day, days, later) => {
  expect(businessDaysAfter(day, days)).toBe(later);
});

it.each([
  ["2026-11-26", 2, "2028-11-26"],
  ["2026-12-31", 1, "2027-12-31"],
  ["2028-02-29", 1, "2029-03-01"],
  ["2028-02-29", 4, "2032-02-29"],
])("%s and %d years is %s", (day, years, later) => {
  expect(yearsAfter(day, years)).toBe(later);
});
