import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { orderKey } from "#shop/orders/order-link.server.ts";
import { opensReturn, orderIdIn, returnUrl } from "./return-link.server.ts";

const [secret, former] = ["s".repeat(32), "f".repeat(32)] as const;
const order = { id: randomUUID(), linkVersion: 1 };
const tokenOf = (of: typeof order, by: string = secret, from = new Date()) =>
  returnUrl(of, { baseUrl: "", secret: by }, from).split("order=")[1] ?? "";
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
const token = tokenOf(order);

/** As the return page does it: the order named by the token is read, then the token is checked. */
const opens = (given: string, secrets: string[] = [secret]) =>
  orderIdIn(given) === order.id && opensReturn(order, given, secrets);

it("leads to its order for three days, also with a former secret", () => {
  expect(opens(token)).toBe(true);
  expect(opens(tokenOf(order, former), [secret, former])).toBe(true);
  expect(opens(tokenOf(order, secret, daysAgo(2.9)))).toBe(true);
});

it("is the same for the same time, as one payment needs", () => {
  const from = daysAgo(1);
  expect(tokenOf(order, secret, from)).toBe(tokenOf(order, secret, from));
});

it.each([
  ["of another secret", tokenOf(order, former)],
  ["of a revoked link version", tokenOf({ ...order, linkVersion: 0 })],
  ["that has ended", tokenOf(order, secret, daysAgo(3.1))],
  ["with a later end", tokenOf(order, secret, daysAgo(-1)).slice(0, 27) + token.slice(27)],
  ["of another order in its place", tokenOf({ ...order, id: randomUUID() }).slice(0, 20) + token.slice(20)],
  ["that is an order's own key", orderKey(order, secret)],
  ["with more behind it", `${token}A`],
  ["that is nothing", ""],
])("a link %s is refused", (_what, given) => {
  expect(opens(given)).toBe(false);
});
