import { expect, it } from "vitest";
import type { OrderStatus } from "#shop/orders/lifecycle.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { timelineOf, type OrderState } from "./order-timeline.ts";

const createdAt = new Date("2026-05-01T15:00:00Z");

const stateOf = (status: OrderStatus, order: Partial<OrderState["order"]> = {}): OrderState => ({
  order: {
    status,
    createdAt,
    shippingMethod: "standard",
    promisedOn: "2026-05-31",
    isDayUnknown: false,
    delayAnswerBy: null,
    restToShip: false,
    holdUntil: null,
    deliveredAt: null,
    replacesReturnId: null,
    totalCents: 99_00,
    ...order,
  },
  terms: FIRST_SETTINGS,
  items: [],
  events: [],
  payments: [],
  shipments: [],
  hasPayments: true,
});

it.each([
  ["an order", {}, "We hope you love it. If not, you can return it until June 10."],
  ["a replacement", { replacesReturnId: "a return" }, "We hope you love it."],
  ["a gift", { totalCents: 0 }, "We hope you love it."],
])("%s that was delivered names the last day to return it only if it can be returned", (_name, order, lead) => {
  const state = stateOf("delivered", { deliveredAt: new Date("2026-05-11T15:00:00Z"), ...order });
  expect(timelineOf(state)).toMatchObject({ title: "Delivered", lead });
});
