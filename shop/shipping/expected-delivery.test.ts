import { expect, it } from "vitest";
import { expectedDelivery } from "./expected-delivery.ts";

const day = (date: Date) => date.toISOString().slice(0, 10);

it.each([
  ["standard", "2026-11-23T15:00:00Z", "2026-11-30", "2026-12-02"],
  ["express", "2026-11-26T15:00:00Z", "2026-11-30", "2026-12-01"],
  ["overnight", "2026-11-27T15:00:00Z", "2026-11-30", "2026-11-30"],
  ["overnight", "2026-11-28T15:00:00Z", "2026-11-30", "2026-11-30"],
  // Still Friday evening in New York.
  ["overnight", "2026-11-28T02:00:00Z", "2026-11-30", "2026-11-30"],
  ["express", "2026-11-24T03:00:00Z", "2026-11-25", "2026-11-26"],
] as const)("%s, shipped %s, arrives from %s to %s: no weekend is counted", (method, shipped, from, to) => {
  const expected = expectedDelivery(method, new Date(shipped));
  expect([day(expected.from), day(expected.to)]).toEqual([from, to]);
});
