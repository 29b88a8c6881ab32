import { describe, expect, it } from "vitest";
import { isAllowed, ORDER_STATUSES, ORDER_TRANSITIONS, statusAfter, statusesBefore } from "./lifecycle.ts";

describe("an order", () => {
  it.each([
    ["placed", null, "processing"],
    ["held", null, "unpaid"],
    ["authorized", "unpaid", "processing"],
    ["lapsed", "unpaid", "lapsed"],
    ["authorized-late", "lapsed", "processing"],
    ["canceled", "unpaid", "canceled"],
    ["canceled", "processing", "canceled"],
    ["declined", "processing", "declined"],
    ["shipped", "processing", "shipped"],
    ["delivered", "shipped", "delivered"],
  ] as const)("that is %s was %s and is %s", (event, from, to) => {
    expect(isAllowed(event, from)).toBe(true);
    expect(statusAfter(event)).toBe(to);
  });

  it.each([
    ["placed", "processing"],
    ["placed", "canceled"],
    ["authorized", "processing"],
    ["authorized", "canceled"],
    ["authorized-late", "unpaid"],
    ["lapsed", "processing"],
    ["canceled", null],
    ["canceled", "lapsed"],
    ["canceled", "shipped"],
    ["canceled", "delivered"],
    ["canceled", "canceled"],
    ["declined", "unpaid"],
    ["declined", "shipped"],
    ["shipped", null],
    ["shipped", "unpaid"],
    ["shipped", "shipped"],
    ["shipped", "delivered"],
    ["shipped", "canceled"],
    ["delivered", null],
    ["delivered", "processing"],
    ["delivered", "delivered"],
    ["delivered", "canceled"],
    ["delayed", "shipped"],
    ["line-canceled", "shipped"],
    ["parcel-shipped", "processing"],
    ["refunded", null],
  ] as const)("cannot be %s where it is %s", (event, from) => {
    expect(isAllowed(event, from)).toBe(false);
  });

  it("may be refunded and disputed whatever became of it", () => {
    for (const status of ORDER_STATUSES) {
      expect(isAllowed("refunded", status)).toBe(true);
      expect(isAllowed("disputed", status)).toBe(true);
    }
  });

  it("can be canceled only before it ships", () => {
    expect(statusesBefore("canceled")).toEqual(["unpaid", "processing"]);
  });

  it("can come to every status, and one event leads to one status", () => {
    expect(new Set(ORDER_TRANSITIONS.map(({ to }) => to))).toEqual(new Set(ORDER_STATUSES));
    for (const { event, to } of ORDER_TRANSITIONS) expect(statusAfter(event)).toBe(to);
  });
});
