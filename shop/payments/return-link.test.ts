import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { orderKey } from "#shop/orders/order-link.server.ts";
import { orderOfToken, returnUrl } from "./return-link.server.ts";

const [secret, former] = ["s".repeat(32), "f".repeat(32)] as const;
const returnToken = (id: string, by: string) => returnUrl(id, { baseUrl: "", secret: by }).split("token=")[1] ?? "";
const orderId = randomUUID();
const token = returnToken(orderId, secret);

it("leads to its order, also with a former secret", () => {
  expect(orderOfToken(token, [secret])).toBe(orderId);
  expect(orderOfToken(returnToken(orderId, former), [secret, former])).toBe(orderId);
});

it.each([
  ["of another secret", returnToken(orderId, former)],
  ["of another order in its place", returnToken(randomUUID(), secret).slice(0, 20) + token.slice(20)],
  ["that is an order's own key", orderKey({ id: orderId, linkVersion: 1 }, secret)],
  ["with more behind it", `${token}A`],
  ["that is nothing", ""],
])("a link %s is refused", (_what, given) => {
  expect(orderOfToken(given, [secret])).toBeNull();
});
