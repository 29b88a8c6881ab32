import { describe, expect, it } from "vitest";
import { isUnpaidLimit, MAX_UNITS_A_DAY, orderLimits } from "./order-limits.ts";

const lines = [
  { productId: "b", quantity: 3 },
  { productId: "a", quantity: 1 },
];
const ordering = { lines, maxUnpaidOrders: 100 };
const customer = { id: "customer-id", email: "Ada@example.com" };
const limits = (email: string, who: typeof customer | null) =>
  orderLimits({ ...ordering, network: "192.0.2.1", email, customer: who, unitsLeft: null }).map(
    ({ by, subject, points, seconds, cost }) => [by, subject, points, seconds / 3600, cost ?? 1],
  );
const units = (whose: string) => [
  ["units", `${whose}|a`, MAX_UNITS_A_DAY, 24, 1],
  ["units", `${whose}|b`, MAX_UNITS_A_DAY, 24, 3],
];

describe("order limits count", () => {
  it("guests by network, inbox, and units of each product in id order", () => {
    expect(limits("Ada+tag@example.com", null)).toEqual([
      ["network", "192.0.2.1", 5, 1, 1],
      ["network", "192.0.2.1", 20, 24, 1],
      ["inbox", "ada@example.com", 5, 1, 1],
      ["inbox", "ada@example.com", 20, 24, 1],
      ...units("ada@example.com"),
    ]);
  });

  it("unpaid orders, and half of the units left, by network instead of all orders", () => {
    const unpaid = (network: string, left: [string, number][]) =>
      orderLimits({ ...ordering, network, email: "ada@example.com", customer: null, unitsLeft: new Map(left) })
        .filter(isUnpaidLimit)
        .map(({ by, subject, points, seconds, cost }) => [by, subject, points, seconds / 3600, cost ?? 1]);
    expect(
      unpaid("192.0.2.1", [
        ["a", 41],
        ["b", 3],
      ]),
    ).toEqual([
      ["unpaid", "192.0.2.1", 100, 0.5, 1],
      ["unpaid-units", "192.0.2.1|b", 2, 24, 3],
      ["unpaid-units", "192.0.2.1|a", 20, 24, 1],
    ]);
    expect(
      unpaid("2001:db8:1:23::/64", [
        ["a", 41],
        ["b", 2],
      ]),
    ).toEqual([
      ["unpaid", "2001:db8:1:23::/64", 100, 0.5, 1],
      ["unpaid", "2001:db8:1:0::/56", 400, 0.5, 1],
      ["unpaid", "2001:db8:1::/48", 1600, 0.5, 1],
      ["unpaid-units", "2001:db8:1:23::/64|a", 20, 24, 1],
      ["unpaid-units", "2001:db8:1:0::/56|a", 20, 24, 1],
      ["unpaid-units", "2001:db8:1::/48|a", 20, 24, 1],
    ]);
  });

  it("customers by account, and more generously by network", () => {
    expect(limits("ada@example.com", customer)).toEqual([
      ["network", "192.0.2.1", 60, 1, 1],
      ["account", "customer-id", 10, 1, 1],
      ...units("customer-id"),
    ]);
  });

  it("the inbox of a customer's order to another email", () => {
    expect(limits("ben@example.com", customer).slice(2, 4)).toEqual([
      ["inbox", "ben@example.com", 5, 1, 1],
      ["inbox", "ben@example.com", 20, 24, 1],
    ]);
  });
});
