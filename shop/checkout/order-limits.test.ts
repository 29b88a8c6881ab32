import { describe, expect, it } from "vitest";
import { MAX_UNITS_A_DAY, orderLimits } from "./order-limits.ts";

const lines = [
  { productId: "b", quantity: 3 },
  { productId: "a", quantity: 1 },
];
const customer = { id: "customer-id", email: "Ada@example.com" };
const limits = (email: string, who: typeof customer | null) =>
  orderLimits({ network: "192.0.2.1", email, customer: who, lines }).map(({ by, subject, points, seconds, cost }) => [
    by,
    subject,
    points,
    seconds / 3600,
    cost ?? 1,
  ]);
const units = (whose: string) => [
  ["units", `${whose}|a`, MAX_UNITS_A_DAY, 24, 1],
  ["units", `${whose}|b`, MAX_UNITS_A_DAY, 24, 3],
];

describe("an order counts", () => {
  it("for a guest by network, inbox, and units of each product in id order", () => {
    expect(limits("Ada+tag@example.com", null)).toEqual([
      ["network", "192.0.2.1", 5, 1, 1],
      ["network", "192.0.2.1", 20, 24, 1],
      ["inbox", "ada@example.com", 5, 1, 1],
      ["inbox", "ada@example.com", 20, 24, 1],
      ...units("ada@example.com"),
    ]);
  });

  it("where it is to be paid, also for the orders of its network that wait to be, first of all", () => {
    const held = orderLimits({ network: "192.0.2.1", email: "ada@example.com", customer, lines, isHeld: true });
    expect(held[0]).toMatchObject({ by: "holds", subject: "192.0.2.1", points: 5, seconds: 1800 });
    expect(held.slice(1)).toEqual(orderLimits({ network: "192.0.2.1", email: "ada@example.com", customer, lines }));
  });

  it("for a customer by account, and more generously by network", () => {
    expect(limits("ada@example.com", customer)).toEqual([
      ["network", "192.0.2.1", 60, 1, 1],
      ["account", "customer-id", 10, 1, 1],
      ...units("customer-id"),
    ]);
  });

  it("also for the inbox, where a customer has it confirmed to somebody else", () => {
    expect(limits("ben@example.com", customer).slice(2, 4)).toEqual([
      ["inbox", "ben@example.com", 5, 1, 1],
      ["inbox", "ben@example.com", 20, 24, 1],
    ]);
  });
});
