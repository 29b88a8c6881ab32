import { expect, it } from "vitest";
import { isAllowed, ORDER_STATUSES, type OrderEvent } from "#shop/orders/lifecycle.ts";
import { type Guarded, nextAction, ORDER_ACTIONS, type OrderAction, whyNot } from "./order-actions.ts";

const paid = {
  provider: "stripe",
  state: "authorized",
  capturedCents: 0,
  refundedCents: 0,
  disputedUntil: null,
} as const;
const recorded = { ...paid, provider: "manual", state: "captured", capturedCents: 40_00 } as const;
const sent = { state: "shipped", wasRefunded: false, returnedAt: null, resentAt: null } as const;
const [lost, refused] = [{ ...sent, state: "lost" } as const, { ...sent, state: "refused" } as const];
const at = new Date();
const order: Guarded = {
  status: "processing",
  isOnHold: false,
  isAnonymous: false,
  isAccepted: false,
  hasProvider: true,
  card: null,
  whyNotByCard: null,
  mayAnnounce: false,
  lines: [{ unitsLeft: 2 }],
  shipments: [],
  chargedCents: 40_00,
  payments: [paid],
};

/** Event of each action, from which the lifecycle derives its statuses. */
const EVENTS: Partial<Record<OrderAction, OrderEvent[]>> = {
  ship: ["shipped", "parcel-shipped"],
  deliver: ["delivered"],
  hold: ["shipped", "parcel-shipped"],
  delay: ["delayed"],
  "cancel-line": ["line-canceled"],
  cancel: ["canceled"],
  decline: ["declined"],
};

it("actions follow the lifecycle, and name the status that forbids them", () => {
  for (const [act, events] of Object.entries(EVENTS)) {
    for (const status of ORDER_STATUSES) {
      const lines = act === "deliver" ? [{ unitsLeft: 0 }] : order.lines;
      const why = whyNot(act as OrderAction, { ...order, status, lines });
      if (events.some((event) => isAllowed(event, status))) expect(why, `${act} ${status}`).toBeNull();
      else expect(why, `${act} ${status}`).toContain(status);
    }
  }
});

it.each<[string, Partial<Guarded>, OrderAction[]]>([
  [
    "a parcel waits for its capture",
    { shipments: [{ ...sent, state: "packing" }] },
    ["ship", "cancel", "decline", "delay", "hold", "tracking", "undo-shipment"],
  ],
  ["it is on hold", { isOnHold: true }, ["ship", "hold"]],
  ["the payment failed", { payments: [{ ...paid, state: "failed" }] }, ["ship"]],
  ["the card was refused", { payments: [], card: "refused" }, ["ship", "ask-payment"]],
  ["the card is kept", { payments: [], card: "kept" }, ["ask-payment"]],
  ["nothing was charged", {}, ["refund", "ask-payment", "record-payment", "unhold"]],
  ["its payment is not arranged", { payments: [] }, ["ship", "refund", "reconcile"]],
  ["staff recorded its payment", { payments: [recorded] }, ["ask-payment", "record-payment", "reconcile"]],
  ["it charges nothing", { payments: [], chargedCents: 0 }, ["record-payment"]],
  [
    "everything is lost",
    { status: "shipped", lines: [{ unitsLeft: 0 }], shipments: [lost] },
    ["deliver", "lost", "undo-shipment"],
  ],
  ["a refused parcel is not back", { status: "shipped", shipments: [refused] }, ["send-again", "refused"]],
  ["a refused parcel is back", { status: "shipped", shipments: [{ ...refused, returnedAt: at }] }, ["returned"]],
  ["it was sent again", { status: "shipped", shipments: [{ ...lost, resentAt: at }] }, ["send-again"]],
  ["a lost parcel was refunded", { status: "shipped", shipments: [{ ...lost, wasRefunded: true }] }, ["send-again"]],
  ["nothing has shipped", { shipments: [{ ...sent, state: "failed" }] }, ["tracking", "undo-shipment"]],
  [
    "the shipment arrived",
    { status: "delivered", shipments: [{ ...sent, state: "delivered" }] },
    ["tracking", "undo-shipment"],
  ],
  ["money was refunded since", { status: "shipped", shipments: [{ ...sent, wasRefunded: true }] }, ["undo-shipment"]],
  ["its shipment was undone", { isAccepted: true }, ["decline"]],
  ["a rest is left", { status: "shipped", shipments: [sent] }, ["deliver"]],
  ["there is one unit", { lines: [{ unitsLeft: 1 }] }, ["cancel-line"]],
  ["the customer deleted the account", { isAnonymous: true }, ["email", "address"]],
  ["there is no provider", { hasProvider: false }, ["reconcile", "ask-payment"]],
  [
    "it is disputed",
    { payments: [{ ...paid, state: "captured", capturedCents: 9, disputedUntil: new Date() }] },
    ["refund"],
  ],
])("forbidden if %s", (_what, more, off) => {
  for (const act of off) expect(whyNot(act, { ...order, ...more }), act).toMatch(/\w\.$/);
});

it("a shipment in transit can be corrected and undone, also beside one that waits, arrived or was refunded", () => {
  for (const other of [{ state: "packing" }, { state: "delivered" }, { wasRefunded: true }] as const) {
    const shipments = [{ ...sent, ...other }, sent];
    for (const act of ["tracking", "undo-shipment"] as const)
      expect(whyNot(act, { ...order, status: "shipped", shipments }), act).toBeNull();
  }
});

it("a lost parcel, and a refused one that is back, can be sent again", () => {
  for (const parcel of [lost, { ...refused, returnedAt: at }])
    expect(whyNot("send-again", { ...order, status: "shipped", shipments: [parcel] })).toBeNull();
  expect(whyNot("returned", { ...order, status: "shipped", shipments: [refused] })).toBeNull();
});

it.each(["ship", "hold", "delay", "cancel-line", "address"] as const)(
  "%s is possible while anything is left to ship",
  (act) => {
    const lines = [{ unitsLeft: 0 }, { unitsLeft: 1 }];
    const partial: Guarded = { ...order, status: "shipped", shipments: [sent], lines };
    expect(whyNot(act, partial)).toBeNull();
    expect(whyNot(act, { ...partial, lines: [{ unitsLeft: 0 }] })).toBe("Everything in this order has shipped.");
  },
);

it("a saved card ships without an authorization", () => {
  const kept: Guarded = { ...order, payments: [{ ...paid, state: "closed" }], card: "kept" };
  expect(whyNot("ship", kept)).toBeNull();
  expect(whyNot("ship", { ...kept, status: "shipped", shipments: [sent] })).toBeNull();
});

it("suggests the next action", () => {
  expect(nextAction(order)).toBe("ship");
  expect(nextAction({ ...order, isOnHold: true })).toBe("unhold");
  expect(nextAction({ ...order, payments: [{ ...paid, state: "failed" }] })).toBe("ask-payment");
  expect(nextAction({ ...order, payments: [] })).toBe("ask-payment");
  expect(nextAction({ ...order, payments: [], hasProvider: false })).toBe("record-payment");
  expect(nextAction({ ...order, payments: [recorded] })).toBe("ship");
  expect(nextAction({ ...order, payments: [], chargedCents: 0 })).toBe("ship");
  expect(nextAction({ ...order, status: "shipped" })).toBe("ship");
  expect(nextAction({ ...order, status: "shipped", isOnHold: true })).toBe("unhold");
  expect(nextAction({ ...order, status: "shipped", lines: [{ unitsLeft: 0 }] })).toBe("deliver");
  expect(nextAction({ ...order, status: "canceled" })).toBeNull();
  expect(ORDER_ACTIONS.filter((act) => whyNot(act, { ...order, status: "expired", payments: [] }) === null)).toEqual([
    "email",
  ]);
});
