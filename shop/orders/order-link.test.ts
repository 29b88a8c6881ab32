import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { opensOrder, orderKey, orderUrl } from "./order-link.server.ts";

const [secret, former] = ["s".repeat(32), "f".repeat(32)] as const;
const order = { id: randomUUID(), linkVersion: 1 };
const key = orderKey(order, secret);

it("opens its order, also with a rotated secret", () => {
  expect(opensOrder(order, key, [secret])).toBe(true);
  expect(opensOrder(order, orderKey(order, former), [secret, former])).toBe(true);
  const url = new URL(orderUrl(order, { baseUrl: "https://shop.example", secret }));
  expect(url.pathname).toBe(`/orders/${order.id}`);
  expect(opensOrder(order, url.searchParams.get("k") ?? "", [secret])).toBe(true);
});

it.each([
  ["another order", { id: randomUUID(), linkVersion: 1 }, key],
  ["a later version", { ...order, linkVersion: 2 }, key],
  ["another secret", order, orderKey(order, former)],
  ["nothing", order, ""],
  ["a key with a suffix", order, `${key}A`],
  ["a key in upper case", order, key.toUpperCase()],
])("does not open %s", (_what, other, given) => {
  expect(opensOrder(other, given, [secret])).toBe(false);
});
