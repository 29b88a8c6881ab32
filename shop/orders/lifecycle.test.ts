import { describe, expect, it } from "vitest";
import { isAllowed, ORDER_STATUSES, ORDER_TRANSITIONS, statusAfter, statusesBefore } from "./lifecycle.ts";

describe("an order", () => {
  it.each([
    ["placed", null, "processing"],
    ["canceled", "processing", "canceled"],
    ["shipped", "processing", "shipped"],
    ["delivered", "shipped", "delivered"],
  ] as const)("that is %s was %s and is %s", (event, from, to) => {
    expect(isAllowed(event, from)).toBe(true);
    expect(statusAfter(event)).toBe(to);
  });

  it.each([
    ["placed", "processing"],
    ["placed", "canceled"],
    ["canceled", null],
    ["canceled", "shipped"],
    ["canceled", "delivered"],
    ["canceled", "canceled"],
    ["shipped", null],
    ["shipped", "shipped"],
    ["shipped", "delivered"],
    ["shipped", "canceled"],
    ["delivered", null],
    ["delivered", "processing"],
    ["delivered", "delivered"],
    ["delivered", "canceled"],
  ] as const)("cannot be %s where it is %s", (event, from) => {
    expect(isAllowed(event, from)).toBe(false);
  });

  it("can be canceled only before it ships", () => {
    expect(statusesBefore("canceled")).toEqual(["processing"]);
  });

  it("can come to every status, and one event leads to one status", () => {
    expect(new Set(ORDER_TRANSITIONS.map(({ to }) => to))).toEqual(new Set(ORDER_STATUSES));
    for (const { event, to } of ORDER_TRANSITIONS) expect(statusAfter(event)).toBe(to);
  });
});
