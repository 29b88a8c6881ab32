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

  it("unpaid orders by network first", () => {
    const unpaid = orderLimits({ network: "192.0.2.1", email: "ada@example.com", customer, lines, mustPay: true });
    expect(unpaid[0]).toMatchObject({ by: "unpaid", subject: "192.0.2.1", points: 5, seconds: 1800 });
    expect(unpaid.slice(1)).toEqual(orderLimits({ network: "192.0.2.1", email: "ada@example.com", customer, lines }));
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
