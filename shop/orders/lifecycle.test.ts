import { expect, it } from "vitest";
import { isAllowed, ORDER_NOTES, ORDER_STATUSES, ORDER_TRANSITIONS, statusAfter, statusesBefore } from "./lifecycle.ts";

it("has these transitions, one status after each event", () => {
  expect(ORDER_TRANSITIONS.map(({ event, from, to }) => `${event}: ${from ?? "new"} → ${to}`)).toEqual([
    "placed: new → processing",
    "held: new → unpaid",
    "authorized: unpaid → processing",
    "card-saved: unpaid → processing",
    "expired: unpaid → expired",
    "authorized-late: expired → processing",
    "card-saved-late: expired → processing",
    "canceled: unpaid → canceled",
    "canceled: processing → canceled",
    "declined: processing → declined",
    "shipped: processing → shipped",
    "shipment-undone: shipped → processing",
    "delivered: shipped → delivered",
    "undelivered: shipped → canceled",
    "delivered-late: canceled → delivered",
    "reopened: canceled → shipped",
    "reopened: delivered → shipped",
  ]);
  for (const { event, to } of ORDER_TRANSITIONS) expect(statusAfter(event)).toBe(to);
  expect(statusesBefore("canceled")).toEqual(["unpaid", "processing"]);
});

it("allows an event in exactly the statuses of its rows", () => {
  for (const status of [null, ...ORDER_STATUSES]) {
    for (const { event } of ORDER_TRANSITIONS) {
      const isListed = ORDER_TRANSITIONS.some((row) => row.event === event && row.from === status);
      expect(isAllowed(event, status), `${event} ${status}`).toBe(isListed);
    }
    for (const { event, in: statuses } of ORDER_NOTES) {
      const isListed = status !== null && (statuses as readonly string[]).includes(status);
      expect(isAllowed(event, status), `${event} ${status}`).toBe(isListed);
    }
  }
});

it("allows refunds and disputes in every status", () => {
  for (const status of ORDER_STATUSES) {
    expect(isAllowed("refunded", status)).toBe(true);
    expect(isAllowed("disputed", status)).toBe(true);
  }
});
