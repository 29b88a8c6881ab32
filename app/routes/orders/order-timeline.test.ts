import { expect, it } from "vitest";
import { after, allRefunded, sent, undone, type Order } from "#tests/support/order-actions.ts";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { refundSeen } from "#shop/orders/actions/refund.ts";
import { statusOf } from "#shop/orders/lifecycle.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { stepsOf, type ShownOrder } from "./order-timeline.ts";

const createdAt = new Date("2026-05-01T15:00:00Z");
const shippedAt = new Date("2026-05-04T15:00:00Z");

const PLACED: ShownOrder = {
  order: { status: "processing", createdAt, shippingMethod: "standard" } as ShownOrder["order"],
  state: orderOf("page", [99_00]).state(),
  days: { ships: "By May 5", arrives: null },
  terms: FIRST_SETTINGS,
  items: [],
  events: [],
  payments: [],
  hasPayments: true,
};

const payment = (id: string, lastFour: string): ShownOrder["payments"][number] => ({
  id,
  kind: "page",
  state: "authorized",
  amountCents: 99_00,
  authorizedCents: 99_00,
  capturedCents: 0,
  refundedCents: 0,
  method: { brand: "visa", lastFour, wallet: null },
  arrangement: null,
  problem: null,
  expiresAt: null,
  refusedAt: null,
  hasCard: false,
  moved: [],
});

it("each authorization names the card that paid it", () => {
  const payments = [payment("first", "0002"), payment("second", "4242")];
  const events: ShownOrder["events"] = [
    { type: "authorized", actor: "provider", at: createdAt, data: null },
    { type: "payment-authorized", actor: "provider", at: shippedAt, data: { paymentId: "second" } },
  ];
  const steps = stepsOf({ ...PLACED, payments, events });
  expect(steps.filter(({ title }) => title === "Payment authorized").map(({ text }) => text)).toEqual([
    "Visa ending in 0002",
    "Visa ending in 4242",
  ]);
});

/** The latest payment is given back in the dashboard. */
const refundedElsewhere = ({ decide }: Order) =>
  decide((now, act) => {
    const { id: paymentId, capturedCents: cents } = now.facts.payments.at(-1)!;
    return refundSeen(now, { paymentId, cents, named: [] }, act);
  });

it.each<[string, ...actions: ((order: Order) => unknown)[]]>([
  ["all of it", sent(1, 2), undone, allRefunded],
  ["the rest", sent(1), sent(2), undone, refundedElsewhere],
])("what was refunded before it left has no step to come: %s", (_what, ...steps) => {
  const state = after(orderOf("card", [40_00, 60_00]), ...steps).state();
  const order = { ...PLACED.order, status: statusOf(state.stage) };
  const titles = stepsOf({ ...PLACED, order, state }).flatMap(({ title, at }) => (at === null ? [title] : []));
  expect(titles.filter((title) => title.includes("hips"))).toEqual([]);
});

it.each([
  [null, "Your bank may take 3-5 days to show it."],
  [{ how: "check", reference: "1042" } as const, ""],
])("a bank takes days to show a refund, unless staff sent it themselves: %j", (arrangement, text) => {
  const moved = [{ kind: "refund", amountCents: 99_00, isDone: true, at: shippedAt } as const];
  const payments = [{ ...payment("first", "4242"), arrangement, moved }];
  expect(stepsOf({ ...PLACED, payments })).toContainEqual({ title: "$99.00 refunded", text, at: shippedAt });
});
