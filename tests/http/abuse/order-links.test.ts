/** Trying links to orders and asking for them by mail is limited, and never keeps out who has the right one. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { orderKey } from "../../../shop/orders/order-link.server.ts";
import { makeActor } from "../../support/actors.ts";
import { emailTo } from "../../support/mailbox.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET, RATE_LIMIT_SCALE: "0.1" });
const guest = () => makeActor(database.pool, shop.url, AUTH_SECRET, "guest");

it("after some wrong links there is a wait, but not for the right one", async () => {
  const { orderId: id } = await guest();
  const statuses: number[] = [];
  for (let i = 0; i < 8; i++) statuses.push((await fetch(`${shop.url}/orders/${randomUUID()}?k=${i}`)).status);
  expect(statuses).toEqual([404, 404, 404, 404, 404, 404, 429, 429]);
  const right = `/orders/${id}?k=${orderKey({ id, linkVersion: 1 }, AUTH_SECRET)}`;
  expect((await new Visitor(shop.url).fetch(right)).status).toBe(303);
});

it("links by mail are counted with the shop's other emails: by network in words, by inbox without a word", async () => {
  const { orderId, email } = await guest();
  const find = (to: string) => new Visitor(shop.url).post("/orders/find", { number: orderId.slice(0, 8), email: to });
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 60) statuses.push((await find(email)).status);
  expect(statuses[0]).toBe(200);
  expect(statuses.at(-1)).toBe(429);
  expect((await emailTo(shop.url, email, orderId.slice(0, 8))).to).toBe(email);
});
