import { describe, expect, it } from "vitest";
import type { OrderStatus } from "#shop/orders/lifecycle.ts";
import type { OrderPayment } from "#shop/payments/payments.server.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { timelineOf, type OrderState } from "./order-timeline.ts";

const createdAt = new Date("2026-05-01T15:00:00Z");
const shippedAt = new Date("2026-05-04T15:00:00Z");

const promise = { shipBy: "2026-05-05", answerBy: null, isAsked: false, isMoved: false };
const stateOf = (status: OrderStatus, order: Partial<OrderState["order"]> = {}): OrderState => ({
  promise,
  order: {
    status,
    createdAt,
    shippingMethod: "standard",
    paymentStatus: "authorized",
    stage: status === "processing" ? "to-ship" : status,
    holdUntil: null,
    deliveredAt: null,
    totalCents: 99_00,
    ...order,
  } as OrderState["order"],
  terms: FIRST_SETTINGS,
  items: [],
  events: [],
  payments: [],
  shipments: [],
  hasPayments: true,
  now: shippedAt,
});

const paid = { state: "captured", capturedCents: 35_00, refundedCents: 0, moved: [] } as unknown as OrderPayment;

it.each([
  ["an order", {}, "We hope you love it. If not, you can return it until June 10."],
  ["a gift", { totalCents: 0 }, "We hope you love it."],
  ["a gift", { totalCents: 0 }, "We hope you love it."],
])("%s that was delivered names the last day to return it only if it can be returned", (_name, order, lead) => {
  const state = stateOf("delivered", { deliveredAt: new Date("2026-05-11T15:00:00Z"), ...order });
  expect(timelineOf(state)).toMatchObject({ title: "Delivered", lead });
});

it.each([
  ["2026-06-11T03:59:00Z", "We hope you love it. If not, you can return it until June 10."],
  ["2026-06-11T04:00:00Z", "We hope you love it."],
  ["2027-06-01T15:00:00Z", "We hope you love it."],
])("the last day to return is named until it is over: at %s", (now, lead) => {
  const state = stateOf("delivered", { deliveredAt: new Date("2026-05-11T15:00:00Z") });
  expect(timelineOf({ ...state, now: new Date(now) }).lead).toBe(lead);
});

it.each([
  [[], "Your bank didn’t accept the refund. We’re working on it and will email you.", ["Refund of $35.00 failed"]],
  [
    ["refunded"],
    "Your money is on its way back, within 3-5 business days.",
    ["Refund of $35.00 failed", "$35.00 refunded"],
  ],
] as const)("a refund that failed is under way again once staff have paid it back: %j", (resolved, lead, steps) => {
  const events = (["refund-failed", ...resolved] as const).map((type) => ({
    type,
    actor: "staff" as const,
    at: shippedAt,
    data: { cents: 35_00, isByHand: true },
  }));
  const shown = timelineOf({ ...stateOf("canceled"), payments: [paid], events });
  expect(shown).toMatchObject({ title: "Canceled", lead });
  expect(shown.steps.slice(1).map(({ title }) => title)).toEqual(steps);
});

const payment = (id: string, lastFour: string): OrderState["payments"][number] => ({
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
  const events: OrderState["events"] = [
    { type: "authorized", actor: "provider", at: createdAt, data: null },
    { type: "payment-authorized", actor: "provider", at: shippedAt, data: { paymentId: "second" } },
  ];
  const { steps } = timelineOf({ ...stateOf("processing"), payments, events });
  expect(steps.filter(({ title }) => title === "Payment authorized").map(({ text }) => text)).toEqual([
    "Visa ending in 0002",
    "Visa ending in 4242",
  ]);
});

it.each([
  [null, "We’ve refunded the full $99.00. Your bank may take 3-5 days to show it."],
  [{ how: "check", reference: "1042" } as const, "We’ve refunded the full $99.00."],
])("a bank takes days to show a refund, unless staff sent it themselves: %j", (arrangement, lead) => {
  const moved = [{ kind: "refund", amountCents: 99_00, isDone: true, at: shippedAt } as const];
  const refunded = { ...payment("first", "4242"), capturedCents: 99_00, refundedCents: 99_00, arrangement, moved };
  const shown = timelineOf({ ...stateOf("delivered"), payments: [refunded] });
  expect(shown).toMatchObject({ title: "Refunded", lead });
  expect(lead).toBe(`We’ve refunded the full $99.00. ${shown.steps.at(-1)?.text}`.trim());
});

const parcel = (state: OrderState["shipments"][number]["state"]) => ({
  id: state,
  carrier: "ups" as const,
  trackingNumber: "1Z999AA10123456784",
  state,
  shippedAt,
  progress: null,
  progressAt: null,
  returnedAt: null,
  isSentAgain: false,
  wasRefunded: false,
  items: [{ orderItemId: "bowl", quantity: 1 }],
});
const bowl: OrderState["items"][number] = {
  id: "bowl",
  orderId: "order",
  name: "Polara Pro",
  priceCents: 99_00,
  quantity: 3,
  taxCents: 0,
  canceledQuantity: 0,
  shipsFrom: null,
  returnId: null,
  slug: null,
  thumbnail: null,
};

describe("a parcel that was lost or refused, and refunded,", () => {
  const gone = (state: "lost" | "refused") => ({ ...parcel(state), wasRefunded: true });
  const BANK = "You can see your refund below. Your bank may take 3-5 days to show it.";

  it.each([
    [
      3,
      [gone("lost"), parcel("shipped")],
      "Partly on its way",
      "The first package should arrive May 11–13. The rest ships by May 5.",
    ],
    [3, [gone("refused"), parcel("delivered")], "Partly delivered", "The rest ships by May 5."],
    [3, [gone("lost")], "Partly refunded", "The rest ships by May 5."],
    [2, [gone("lost"), parcel("shipped")], "On its way", "The last package should arrive May 11–13."],
    [2, [gone("refused"), parcel("delivered")], "Partly delivered", BANK],
    [1, [gone("refused")], "Partly refunded", BANK],
    [1, [{ ...gone("refused"), returnedAt: shippedAt }], "Partly refunded", BANK],
    [
      2,
      [gone("lost"), parcel("lost")],
      "A package is lost",
      "We’re sorry. We’ll send it again, or write to you if we don’t have it anymore.",
    ],
  ])("of %i units, is not the headline any more", (quantity, shipments, title, lead) => {
    const state = stateOf("shipped", { stage: quantity > shipments.length ? "partly-shipped" : "shipped" });
    expect(timelineOf({ ...state, items: [{ ...bowl, quantity }], shipments })).toMatchObject({ title, lead });
  });
});

const BACK = { ...parcel("refused"), returnedAt: shippedAt };
const AGAIN = "Just write to us if you’d like it sent again.";

it.each([
  [parcel("lost"), [paid], "We’re sorry. We’ll send it again, or refund you if we don’t have it anymore."],
  [parcel("lost"), [], "We’re sorry. We’ll send it again, or write to you if we don’t have it anymore."],
  [BACK, [paid], "We’ll refund it within 5-7 business days, unless you’d like it sent again."],
  [BACK, [], AGAIN],
  [parcel("refused"), [], `The package was refused or couldn’t be delivered. ${AGAIN}`],
])("a parcel in trouble is refunded only where something was paid: %j", (astray, payments, lead) => {
  expect(timelineOf({ ...stateOf("shipped"), items: [bowl], shipments: [astray], payments }).lead).toBe(lead);
});

describe("with a rest to ship", () => {
  it.each([
    [["shipped"], "Partly on its way", "The first package should arrive May 11–13. The rest ships by May 5."],
    [["delivered"], "Partly delivered", "The rest ships by May 5."],
    [
      ["shipped", "shipped"],
      "Partly on its way",
      "The first package should arrive May 11–13. The rest ships by May 5.",
    ],
    [
      ["delivered", "shipped"],
      "Partly on its way",
      "The next package should arrive May 11–13. The rest ships by May 5.",
    ],
  ] as const)("%j: %s", (states, title, lead) => {
    const state = { ...stateOf("shipped", { stage: "partly-shipped" }), items: [bowl], shipments: states.map(parcel) };
    expect(timelineOf(state)).toMatchObject({ title, lead });
  });

  it("of a pre-order, its day is named", () => {
    const preOrder = { ...bowl, id: "other", shipsFrom: "2026-05-31" };
    const state = {
      ...stateOf("shipped", { stage: "partly-shipped" }),
      promise: { ...promise, shipBy: "2026-05-31" },
      items: [bowl, preOrder],
      shipments: [parcel("delivered")],
    };
    expect(timelineOf(state).lead).toBe("The rest ships from May 31.");
  });

  it("of a day that is over, no day is named", () => {
    const late = { ...stateOf("shipped", { stage: "partly-shipped" }), items: [bowl] };
    const over = { ...promise, shipBy: "2026-05-03" };
    expect(timelineOf({ ...late, promise: over, shipments: [parcel("delivered")] }).lead).toBe("The rest will follow.");
  });

  it.each([
    [
      { shipBy: null, answerBy: "2026-06-14", isAsked: true },
      "We can’t say yet when the rest will ship. Please tell us by June 14 if you’ll wait. Otherwise we’ll cancel the rest and you won’t pay for it.",
    ],
    [
      { shipBy: "2026-08-31", answerBy: "2026-06-14", isAsked: true },
      "We expect to ship the rest by August 31. Please tell us by June 14 if you’ll wait. Otherwise we’ll cancel the rest and you won’t pay for it.",
    ],
    [
      { shipBy: null, isAsked: true },
      "We can’t say yet when the rest will ship. You needn’t do anything to keep the rest.",
    ],
    [{ shipBy: null }, "We can’t say yet when the rest will ship. Thanks for waiting."],
    [{ shipBy: "2026-08-31" }, "The rest ships by Aug 31."],
  ])("that is delayed says so: %j", (moved, lead) => {
    const state = {
      ...stateOf("shipped", { stage: "partly-shipped" }),
      promise: { ...promise, isMoved: true, ...moved },
    };
    expect(timelineOf({ ...state, items: [bowl], shipments: [parcel("delivered")] }).lead).toBe(lead);
  });
});
