import { expect, it } from "vitest";
import { isAllowed, ORDER_STATUSES, type OrderEvent } from "../orders/lifecycle.ts";
import { DESK_ACTS, nextAct, whyNot, type DeskAct, type Guarded } from "./guards.ts";

const paid = { state: "authorized", capturedCents: 0, refundedCents: 0, disputedUntil: null } as const;
const order: Guarded = {
  status: "processing",
  isOnHold: false,
  isAnonymous: false,
  hasProvider: true,
  lines: [{ unitsLeft: 2 }],
  shipments: [],
  payments: [paid],
};

/** What each act writes into the story, of which the table says when it may be. */
const EVENTS: Partial<Record<DeskAct, OrderEvent[]>> = {
  ship: ["shipped", "parcel-shipped"],
  deliver: ["delivered"],
  hold: ["shipped"],
  delay: ["delayed"],
  "cancel-line": ["line-canceled"],
  cancel: ["canceled"],
  decline: ["declined"],
};

it("an act that the table allows is on, and every other says which status it is that does not let it", () => {
  for (const [act, events] of Object.entries(EVENTS)) {
    for (const status of ORDER_STATUSES) {
      const why = whyNot(act as DeskAct, { ...order, status });
      if (events.some((event) => isAllowed(event, status))) expect(why, `${act} ${status}`).toBeNull();
      else expect(why, `${act} ${status}`).toContain(status);
    }
  }
});

it.each<[string, Partial<Guarded>, DeskAct[]]>([
  [
    "a parcel waits for its money",
    { shipments: [{ state: "capturing" }] },
    ["ship", "cancel", "decline", "delay", "hold"],
  ],
  ["it is on hold", { isOnHold: true }, ["ship", "hold"]],
  ["its money cannot be had", { payments: [{ ...paid, state: "failed" }] }, ["ship"]],
  ["nothing was charged", {}, ["refund", "ask-payment", "unhold"]],
  ["there is one unit", { lines: [{ unitsLeft: 1 }] }, ["cancel-line"]],
  ["its customer is gone", { isAnonymous: true }, ["email", "address"]],
  ["there is no provider", { hasProvider: false }, ["settle", "ask-payment"]],
  [
    "it is disputed",
    { payments: [{ ...paid, state: "captured", capturedCents: 9, disputedUntil: new Date() }] },
    ["refund"],
  ],
])("where %s, what that forbids is off", (_what, more, off) => {
  for (const act of off) expect(whyNot(act, { ...order, ...more }), act).toMatch(/\w\.$/);
});

it("the next act is the one that the order waits for", () => {
  expect(nextAct(order)).toBe("ship");
  expect(nextAct({ ...order, isOnHold: true })).toBe("unhold");
  expect(nextAct({ ...order, payments: [{ ...paid, state: "failed" }] })).toBe("ask-payment");
  expect(nextAct({ ...order, status: "shipped" })).toBe("ship");
  expect(nextAct({ ...order, status: "shipped", lines: [{ unitsLeft: 0 }] })).toBe("deliver");
  expect(nextAct({ ...order, status: "canceled" })).toBeNull();
  expect(DESK_ACTS.filter((act) => whyNot(act, { ...order, status: "lapsed", payments: [] }) === null)).toEqual([
    "email",
  ]);
});
