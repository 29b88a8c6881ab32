import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { orderKey } from "../../orders/order-link.server.ts";
import { orderOfToken, returnToken } from "./return-link.server.ts";

const [secret, former] = ["s".repeat(32), "f".repeat(32)] as const;
const orderId = randomUUID();
const token = returnToken(orderId, secret);

it("leads to its order, also once the secret is a former one", () => {
  expect(orderOfToken(token, [secret])).toBe(orderId);
  expect(orderOfToken(returnToken(orderId, former), [secret, former])).toBe(orderId);
});

it.each([
  ["of another secret", returnToken(orderId, former)],
  ["of another order in its place", returnToken(randomUUID(), secret).slice(0, 20) + token.slice(20)],
  ["that is an order's own key", orderKey({ id: orderId, linkVersion: 1 }, secret)],
  ["with more behind it", `${token}A`],
  ["that is nothing", ""],
])("one %s leads nowhere", (_what, given) => {
  expect(orderOfToken(given, [secret])).toBeNull();
});
