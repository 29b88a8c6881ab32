import { expect, it } from "vitest";
import * as actions from "#tests/support/order-actions.ts";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { arrived, bought } from "#tests/support/return-in-memory.ts";
import { attemptRead } from "#shop/orders/actions/capture-seen.ts";
import { resolve } from "#shop/returns/actions/resolve.ts";
import { isAllowed, STAGES, statusOf, type OrderEvent } from "#shop/orders/lifecycle.ts";
import { type Guarded, nextAction, ORDER_ACTIONS, type OrderAction, whyNot } from "./order-actions.ts";

const { after, back, delivered, held, lost, refused, refunded, scanned, sent, undone, withPayments } = actions;
type Order = actions.Order;
const TWO = [40_00, 60_00];
const guarded = (order: Order, more: Partial<Guarded> = {}): Guarded => ({
  state: order.state(),
  isAnonymous: false,
  hasProvider: true,
  today: "2027-01-04",
  ...more,
});

const packing = actions.packed();
const recorded = actions.paidByCheck(100_00);
const failed = withPayments({ state: "failed", authorizedCents: 0 });
/** Captured for less in the provider's dashboard, all of which goes back. */
const short = (order: Order) => {
  packing(order);
  const { id: attemptId } = order.state().facts.attempts.at(-1)!;
  const payment = { ...order.state().facts.payments[0]!, state: "captured", capturedCents: 50_00 } as const;
  order.decide((now, act) => attemptRead(now, { attemptId, outcome: "done", payment }, act));
  order.settle();
};
const paid = () => orderOf("page", TWO);
/** Unit 1 is repaired, and goes back to its customer. */
const ownWaits = () => {
  const order = bought(TWO);
  const made = arrived(order, "warranty", [1]);
  made.step((given, act) => resolve(given, { outcome: "repair" }, act));
  return order;
};
const kept = () => orderOf("card", TWO);
const unpaid = () => orderOf("arranged", TWO);

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

it.each(Object.entries(EVENTS))("%s follows the lifecycle, and names the status that forbids it", (act, events) => {
  const state = (act === "deliver" ? after(paid(), sent(1, 2)) : paid()).state();
  for (const stage of STAGES) {
    const status = statusOf(stage);
    const why = whyNot(act as OrderAction, { ...guarded(paid()), state: { ...state, stage } });
    if (events.some((event) => isAllowed(event, status))) expect(why, stage).toBeNull();
    else expect(why, stage).toContain(status);
  }
});

it.each<[string, Order, OrderAction[], Partial<Guarded>?]>([
  [
    "a parcel waits for its capture",
    after(paid(), packing),
    ["ship", "cancel", "decline", "delay", "hold", "tracking", "undo-shipment"],
  ],
  ["it is on hold", after(paid(), held), ["ship", "hold"]],
  ["the payment failed", after(paid(), failed), ["ship"]],
  [
    "the card was refused",
    after(kept(), withPayments({ refusedAt: new Date(0) })),
    ["ship", "ask-payment", "announce"],
  ],
  ["the card is kept, and its charge was not announced", kept(), ["ship", "ask-payment"]],
  ["nothing was charged", paid(), ["refund", "ask-payment", "record-payment", "unhold", "announce"]],
  ["its payment is not arranged", unpaid(), ["ship", "refund", "reconcile"]],
  ["staff recorded its payment", after(unpaid(), recorded), ["ask-payment", "record-payment", "reconcile"]],
  ["it charges nothing", orderOf("arranged", [0]), ["record-payment"]],
  ["everything is lost", after(paid(), sent(1, 2), lost), ["deliver", "lost", "undo-shipment"]],
  ["a refused parcel is not back", after(paid(), sent(1, 2), refused), ["send-again", "refused"]],
  ["a refused parcel is back", after(paid(), sent(1, 2), refused, back()), ["returned"]],
  ["it was sent again", after(paid(), sent(1, 2), lost, actions.again), ["send-again"]],
  ["a lost parcel was refunded", after(paid(), sent(1), lost, refunded(1)), ["send-again", "write-off"]],
  ["a lost parcel was paid for", after(paid(), sent(1), lost), ["write-off"]],
  ["the carrier has scanned it", after(paid(), sent(1), scanned), ["undo-shipment"]],
  ["nothing has shipped", paid(), ["tracking", "undo-shipment"]],
  ["the shipment arrived", after(paid(), sent(1, 2), delivered), ["tracking", "undo-shipment"]],
  ["money was refunded since", after(paid(), sent(1, 2), refunded(1)), ["undo-shipment"]],
  ["its shipment was undone", after(paid(), sent(1, 2), undone), ["decline"]],
  ["a rest is left", after(paid(), sent(1)), ["deliver"]],
  ["everything has shipped", after(paid(), sent(1, 2)), ["ship", "hold", "delay", "cancel-line", "address"]],
  ["only the customer's own product is left to ship", ownWaits(), ["cancel-line"]],
  ["there is one unit", orderOf("page", [40_00]), ["cancel-line"]],
  ["the customer deleted the account", paid(), ["email", "address"], { isAnonymous: true }],
  ["there is no provider", paid(), ["reconcile", "ask-payment"], { hasProvider: false }],
  ["it is disputed", after(paid(), sent(1), withPayments({ dispute: "open" })), ["refund", "ship"]],
  ["its payment is for another amount", after(paid(), withPayments({ state: "mismatch" })), ["ship"]],
  ["all of it was refunded", after(paid(), sent(1), actions.allRefunded), ["refund", "ship", "delay", "deliver"]],
])("forbidden if %s", (_what, order, off, more) => {
  for (const act of off) expect(whyNot(act, guarded(order, more)), act).toMatch(/[\w”]\.$/);
});

it.each<[string, Order, OrderAction[]]>([
  ["a shipment is in transit", after(paid(), sent(1)), ["tracking", "undo-shipment"]],
  [
    "what cost nothing shipped, and the payment for the rest failed",
    after(orderOf("page", [0, 40_00]), sent(1), failed),
    ["ask-payment", "record-payment"],
  ],
  ["another one arrived", after(paid(), sent(1), delivered, sent(2)), ["tracking", "undo-shipment"]],
  ["another one was refunded", after(paid(), sent(1), refunded(1), sent(2)), ["tracking", "undo-shipment"]],
  ["a parcel is lost", after(paid(), sent(1), lost), ["send-again", "arrived", "returned"]],
  ["a lost parcel was refunded", after(paid(), sent(1), lost, refunded(1)), ["arrived", "returned"]],
  ["a lost parcel cost nothing", after(orderOf("arranged", [0]), sent(1), lost), ["send-again", "write-off"]],
  ["a refused parcel is not back", after(paid(), sent(1), refused), ["returned"]],
  ["a refused parcel is back", after(paid(), sent(1), refused, back()), ["send-again"]],
  ["anything is left to ship", after(paid(), sent(1)), ["ship", "hold", "delay", "cancel-line", "address"]],
  ["a card is kept", kept(), ["announce"]],
])("possible if %s", (_what, order, on) => {
  for (const act of on) expect(whyNot(act, guarded(order)), act).toBeNull();
});

it.each<[string, Order, OrderAction | null, Partial<Guarded>?]>([
  ["it is paid", paid(), "ship"],
  ["it is on hold", after(paid(), held), "unhold"],
  ["its payment failed", after(paid(), failed), "ask-payment"],
  ["it is not paid", unpaid(), "ask-payment"],
  ["what was captured of it went back", after(paid(), short), "ask-payment"],
  ["it is not paid, without a provider", unpaid(), "record-payment", { hasProvider: false }],
  ["its payment is recorded", after(unpaid(), recorded), "ship"],
  ["it charges nothing", orderOf("arranged", [0]), "ship"],
  ["a rest is left", after(paid(), sent(1)), "ship"],
  ["a rest is on hold", after(paid(), sent(1), held), "unhold"],
  ["everything is on its way", after(paid(), sent(1, 2)), "deliver"],
  ["everything arrived", after(paid(), sent(1, 2), delivered), null],
])("suggests the next action if %s", (_what, order, next, more) => {
  expect(nextAction(guarded(order, more))).toBe(next);
});

it("allows nothing but emails once it has expired", () => {
  const state = { ...unpaid().state(), stage: "expired" as const };
  expect(ORDER_ACTIONS.filter((act) => whyNot(act, { ...guarded(unpaid()), state }) === null)).toEqual(["email"]);
});
