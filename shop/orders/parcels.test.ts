/** Parcels that did not arrive: what staff can do with them, and what becomes of the order. */
import { expect, it } from "vitest";
import * as actions from "#tests/support/order-actions.ts";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { arrived, bought, requested } from "#tests/support/return-in-memory.ts";
import { receive } from "#shop/returns/actions/inspect.ts";
import { close, resolve } from "#shop/returns/actions/resolve.ts";
import { correctTracking } from "./actions/parcels.ts";
import type { Decision } from "./change.ts";
import type { Place } from "./state.ts";
import { summaryOf } from "./summary.ts";

const { after, again, amount, back, delivered, lost, news, refused, refunded, sent, undone, writtenOff } = actions;
type Order = actions.Order;

const stockOf = (decision: Decision) => (actions.changeOf(decision).stock ?? []).map(({ delta }) => delta);
const standing = ({ state }: Order) => {
  const { stage, attention } = summaryOf(state().facts);
  return [stage, attention, state().units.map(({ place }) => place)] as const;
};

type Kind = "page" | "card" | "arranged";
type Bought = [Kind, ...number[]];
/** A unit that a return sends in place of another one. */
const ofReturn = actions.withUnit(2, { returnId: "a return" });

const ONE: Bought = ["page", 40_00];
const TWO: Bought = ["page", 40_00, 40_00];
const CARDS: Bought = ["card", 40_00, 40_00];
const GIFT: Bought = ["arranged", 0];
const GIFT_BESIDE: Bought = ["page", 40_00, 0];
const [REFUNDED, AGAIN] = [
  [sent(1), lost, refunded(1)],
  [sent(1), lost, again, sent(1)],
];
const [turnsUp, comesBack] = [news("delivered", 0), news("refused", 0)];

type Story = [Bought, ...actions: ((order: Order) => unknown)[]];
/** (Emails), events and units for the shelf of the last act; then the stage, what needs a hand, and where the units are. */
const STORIES: Record<string, Story[]> = {
  // Free units are written off: also beside what was paid, and of an order that had arrived otherwise.
  "(order-changed) line-canceled undelivered | canceled | canceled": [
    [GIFT, sent(1), lost, writtenOff],
    [GIFT, sent(1), refused, back(), writtenOff],
  ],
  "(order-changed) line-canceled | shipped parcel-lost | lost canceled": [[GIFT_BESIDE, sent(1, 2), lost, writtenOff]],
  "undelivered | canceled | lost canceled": [[GIFT_BESIDE, sent(1, 2), lost, writtenOff, refunded(1)]],
  "(order-changed) line-canceled delivered | delivered | delivered canceled": [
    [GIFT_BESIDE, sent(1), delivered, ofReturn, sent(2), lost, writtenOff],
  ],
  // The price of arrived units was given back since.
  "(parcel-lost) parcel-lost delivered | delivered | delivered lost": [
    [CARDS, sent(1), delivered, amount(5_00), sent(2), amount(75_00), lost],
  ],
  "(order-changed) line-canceled delivered +1 | delivered | delivered canceled": [
    [TWO, sent(1), delivered, refunded(1), actions.canceled([2])],
  ],
  "(order-changed) (order-delivered) line-canceled delivered +1 | delivered | delivered canceled": [
    [TWO, sent(1), delivered, actions.canceled([2])],
  ],
  // A refunded parcel turns up.
  "parcel-returned +1 | shipped parcel-returned | back": [[ONE, sent(1), lost, refused, back()]],
  "(order-delivered) delivered-late | delivered | delivered": [[ONE, ...REFUNDED, delivered]],
  "parcel-returned +1 | canceled | back": [[ONE, ...REFUNDED, back()]],
  "parcel-refused reopened | shipped parcel-refused | refused": [[ONE, ...REFUNDED, refused]],
  "parcel-returned undelivered +1 | canceled | back": [
    [ONE, ...REFUNDED, refused, back()],
    [ONE, sent(1), refused, refunded(1), back()],
  ],
  " | shipped parcel-refused | refused": [[ONE, sent(1), refused, refunded(1)]],
  // A parcel that was sent again turns up.
  "parcel-delivered | shipped | shipped": [[ONE, ...AGAIN, turnsUp]],
  "parcel-refused | shipped parcel-refused | shipped": [[ONE, ...AGAIN, comesBack]],
  "parcel-returned +1 | shipped | shipped": [[ONE, ...AGAIN, comesBack, back(0)]],
  "(order-delivered) delivered +1 | delivered | delivered": [[ONE, sent(1), lost, again, turnsUp]],
  "parcel-undone delivered +1 | delivered | delivered": [[ONE, ...AGAIN, turnsUp, undone]],
  "parcel-refused delivered | delivered parcel-refused | delivered": [[ONE, ...AGAIN, turnsUp, refused]],
  "parcel-returned +1 | delivered | delivered": [[ONE, ...AGAIN, turnsUp, refused, back(1)]],
  "parcel-lost delivered | delivered | delivered": [[ONE, ...AGAIN, turnsUp, lost]],
  "(order-delivered) delivered | delivered parcel-refused | delivered": [[ONE, ...AGAIN, refused, turnsUp]],
  "(order-delivered) delivered | delivered | delivered": [[ONE, ...AGAIN, lost, turnsUp]],
  // One of two is lost.
  " | shipped | lost shipped": [[TWO, sent(1), sent(2), news("lost", 0), refunded(1)]],
  "parcel-resent +-1 | partly-shipped | lost waiting": [[TWO, sent(1, 2), lost, refunded(1), again]],
  "(order-delivered) delivered | delivered | lost delivered": [
    [TWO, sent(1, 2), lost, refunded(1), again, sent(2), delivered],
    [TWO, sent(1), sent(2), news("lost", 0), refunded(1), delivered],
    [TWO, sent(1), sent(2), news("lost", 0), delivered, refunded(1)],
  ],
  "(parcel-lost) parcel-lost | shipped parcel-lost | delivered lost": [
    [CARDS, sent(1), delivered, amount(5_00), sent(2), refunded(1), lost],
    [CARDS, sent(1), delivered, amount(15_00), sent(2), lost],
  ],
  "(parcel-lost) (order-delivered) parcel-lost delivered | delivered | delivered lost": [
    [CARDS, sent(1), delivered, amount(5_00), sent(2), refunded(2), lost],
  ],
};

const CASES = Object.entries(STORIES).flatMap(([told, stories]) => stories.map((story) => ({ told, story })));
it.each(CASES)("$told %#", ({ told, story: [[mode, ...prices], ...steps] }) => {
  const order = after(orderOf(mode, prices), ...steps.slice(0, -1));
  const last = steps.at(-1)!(order) as Decision;
  const shelved = stockOf(last).map((delta) => `+${delta}`);
  const [stage, attention, places] = standing(order);
  const said = [...actions.emailsOf(last).map((email) => `(${email})`), ...actions.eventsOf(last), ...shelved].join(
    " ",
  );
  expect([said, [stage, ...attention].join(" "), places.join(" ")].join(" | ")).toBe(told);
});

it.each<[string, Bought, actions: actions.Action[], string]>([
  ["what is on its way back is not written off", GIFT, [sent(1), refused, writtenOff], "not-lost"],
  ["nor is what was paid", ONE, [sent(1), lost, writtenOff], "paid-for"],
  ["what is written off is not sent again", GIFT, [sent(1), lost, writtenOff, again], "refunded"],
  ["what was refunded is not, either", ONE, [...REFUNDED, back(), again], "refunded"],
  ["what arrived after its refund is not, either", ONE, [...REFUNDED, delivered, again], "not-lost"],
  ["what a carrier has scanned is not undone", ONE, [sent(1), actions.scanned, undone], "scanned"],
])("%s", (_what, [mode, ...prices], steps, reason) => {
  const order = after(orderOf(mode, prices), ...steps.slice(0, -1));
  expect(steps.at(-1)!(order)).toMatchObject({ ok: false, reason });
});

it("an arrival of the order stays, though a refunded parcel turns up on its way back", () => {
  const order = after(orderOf("page", [40_00, 40_00]), sent(1), delivered, sent(2), lost, refunded(2));
  const { deliveredAt } = order.state();
  refused(order);
  expect([deliveredAt, order.state().deliveredAt]).toEqual([expect.any(Date), deliveredAt]);
});

/** The customer's own product goes back to them, repaired. */
function ownSent(): Order {
  const order = bought([40_00, 60_00]);
  const made = arrived(order, "warranty", [1]);
  made.step((given, act) => resolve(given, { outcome: "repair" }, act));
  order.setTime("2027-01-06T17:00:00Z");
  sent(1)(order);
  made.step((given, act) => close(given, {}, act));
  return order;
}

it("the customer's own product comes back from a refused parcel for another one, not for the shelf", () => {
  const order = after(ownSent(), refused);
  expect(back()(order)).toMatchObject({ ok: false, reason: "no-stock" });
  expect(back(-1, false)(order)).toMatchObject({ change: { stock: [], events: [{ data: { returnsStock: null } }] } });
  expect(stockOf(again(order))).toEqual([]);
  expect(standing(order)[2]).toEqual(["waiting", "delivered"]);
});

/** It is lost, and another one is to be sent in its place. */
function ownLost(): Order {
  const order = after(ownSent(), lost);
  order.setTime("2027-01-07T17:00:00Z");
  expect(stockOf(again(order))).toEqual([-1]);
  return order;
}

it.each<[string, actions: actions.Action[], Place]>([
  ["canceled", [actions.canceled([1])], "canceled"],
  ["canceled after a refund", [refunded(1), actions.canceled([1])], "canceled"],
  ["that comes back", [sent(1), refused, back()], "back"],
  ["that comes back, as is the own that was given up", [sent(1), refused, back(), back(1)], "back"],
  ["that need not be sent, because the own one arrived", [news("delivered", 1)], "delivered"],
])("another one in place of the customer's own is for the shelf, %s", (_what, steps, place) => {
  const order = after(ownLost(), ...steps.slice(0, -1));
  expect(stockOf(steps.at(-1)!(order))).toEqual([1]);
  expect(standing(order)[2]).toEqual([place, "delivered"]);
});

it("a return that is received before its parcel arrived ends the order without an email of its arrival", () => {
  const order = after(orderOf("page", [40_00]), sent(1));
  const made = requested(order, "return", [1], { state: "authorized" });
  const received = made.step((given, act) => receive(given, {}, act));
  expect([actions.eventsOf(received), actions.emailsOf(received)]).toEqual([
    ["return-changed", "delivered"],
    ["return-received"],
  ]);
});

it("a parcel whose number is corrected is undone: its scan was another one's", () => {
  const order = after(orderOf("page", [40_00]), sent(1), actions.scanned);
  const right = { parcelId: actions.parcelOf(order), carrier: "ups", trackingNumber: "right" } as const;
  order.decide((now) => correctTracking(now, right));
  expect(undone(order)).toMatchObject({ ok: true });
});

it.each<[string, actions: actions.Action[], string]>([
  ["which never left", [sent(1), undone], "not-in-transit"],
  ["which waits for its charge", [actions.packed()], "under-way"],
  ["which arrived", [sent(1), delivered], "not-in-transit"],
])("a number is not corrected of a parcel %s", (_what, steps, reason) => {
  const order = after(orderOf("page", [40_00]), ...steps);
  const right = { parcelId: actions.parcelOf(order), carrier: "ups", trackingNumber: "right" } as const;
  const corrects = (parcelId: string) => order.decide((now) => correctTracking(now, { ...right, parcelId }));
  expect([corrects(right.parcelId), corrects("another")]).toMatchObject([{ reason }, { reason: "unknown-shipment" }]);
});
