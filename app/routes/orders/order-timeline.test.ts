import { expect, it } from "vitest";
import { orderOf } from "#tests/support/order-in-memory.ts";
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

it.each([
  [null, "Your bank may take 3-5 days to show it."],
  [{ how: "check", reference: "1042" } as const, ""],
])("a bank takes days to show a refund, unless staff sent it themselves: %j", (arrangement, text) => {
  const moved = [{ kind: "refund", amountCents: 99_00, isDone: true, at: shippedAt } as const];
  const payments = [{ ...payment("first", "4242"), arrangement, moved }];
  expect(stepsOf({ ...PLACED, payments })).toContainEqual({ title: "$99.00 refunded", text, at: shippedAt });
});
