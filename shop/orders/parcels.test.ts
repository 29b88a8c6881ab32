/** Parcels that did not arrive: what staff can do with them, and what becomes of the order. */
import { expect, it } from "vitest";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { arrived, bought, returnRow } from "#tests/support/return-in-memory.ts";
import { receive } from "#shop/returns/actions/inspect.ts";
import { close, resolve } from "#shop/returns/actions/resolve.ts";
import { requestReturn } from "#shop/returns/actions/request.ts";
import { cancelUnits, writeOff } from "./actions/cancel.ts";
import {
  correctTracking,
  parcelNews,
  parcelProgress,
  receiveBack,
  sendAgain,
  undoShipment,
  type News,
} from "./actions/parcels.ts";
import { refund } from "./actions/refund.ts";
import type { Decision } from "./change.ts";
import { summaryOf } from "./summary.ts";

type Order = ReturnType<typeof orderOf>;

const parcelOf = ({ state }: Order, place = -1) => state().facts.parcels.at(place)!.id;
const news = (order: Order, state: News["state"], place = -1) =>
  order.decide((now, act) => parcelNews(now, { parcelId: parcelOf(order, place), state }, act));
const back = (order: Order, place = -1) =>
  order.decide((now, act) => receiveBack(now, { parcelId: parcelOf(order, place), restocks: true }, act));
const again = (order: Order) =>
  order.decide((now, act) => sendAgain(now, { parcelId: parcelOf(order), shipBy: "2027-01-13" }, act));
const writesOff = (order: Order, place = -1) =>
  order.decide((now, act) => writeOff(now, { parcelId: parcelOf(order, place), reason: "sold-out" }, act));
const undo = (order: Order) => order.decide((now, act) => undoShipment(now, { parcelId: parcelOf(order) }, act));
const gives = (order: Order, request: object) => {
  const decided = order.decide((now, act) => refund(now, { reason: "lost", ...request }, act));
  order.settle();
  return decided;
};
const refundUnits = (order: Order, ...units: number[]) => gives(order, { units });
const refundAmount = (order: Order, goodwillCents: number) => gives(order, { goodwillCents });
const [LOST, DONE] = [
  { stage: "shipped", attention: ["parcel-lost"] },
  { stage: "delivered", attention: [] },
];
const changeOf = (decision: Decision) => (decision.ok ? decision.change : {});
const emailsOf = (decision: Decision) => (changeOf(decision).emails ?? []).map(({ template }) => template);
const eventsOf = (decision: Decision) => (changeOf(decision).events ?? []).map(({ type }) => type);
const standing = ({ state }: Order) => {
  const { stage, attention } = summaryOf(state().facts);
  return { stage, attention, places: state().units.map(({ place }) => place) };
};

/** An order at no charge whose parcel is lost. */
function lostGift(prices = [0]): Order {
  const order = orderOf(prices.some((price) => price > 0) ? "page" : "arranged", prices);
  order.shipUnits(...prices.map((_, place) => place + 1));
  news(order, "lost");
  return order;
}

it("what was lost at no charge is sent again, or written off, which ends the order", () => {
  expect(standing(lostGift())).toEqual({ stage: "shipped", attention: ["parcel-lost"], places: ["lost"] });
  expect(again(lostGift())).toMatchObject({ ok: true });
  const order = lostGift();
  const written = writesOff(order);
  expect([emailsOf(written), eventsOf(written)]).toEqual([["order-changed"], ["line-canceled", "undelivered"]]);
  expect(standing(order)).toEqual({ stage: "canceled", attention: [], places: ["canceled"] });
  expect(writesOff(order)).toEqual({ ok: true, change: {} });
  expect(again(order)).toMatchObject({ reason: "refunded" });
});

it("what comes back and cost nothing is written off, too", () => {
  const order = orderOf("arranged", [0]);
  order.shipUnits(1);
  news(order, "refused");
  expect(writesOff(order)).toMatchObject({ reason: "not-lost" });
  back(order);
  expect(standing(order).attention).toEqual(["parcel-returned"]);
  expect(changeOf(writesOff(order)).stock).toEqual([]);
  expect(standing(order)).toEqual({ stage: "canceled", attention: [], places: ["canceled"] });
});

it("beside what was paid, only what cost nothing is written off", () => {
  const order = lostGift([40_00, 0]);
  writesOff(order);
  expect(standing(order)).toEqual({ stage: "shipped", attention: ["parcel-lost"], places: ["lost", "canceled"] });
  refundUnits(order, 1);
  expect(standing(order)).toMatchObject({ stage: "canceled", attention: [] });
  const paid = lostGift([40_00]);
  expect(writesOff(paid)).toMatchObject({ reason: "paid-for" });
});

it("its order that had arrived otherwise is delivered, and its buyer reads of what is written off alone", () => {
  const order = orderOf("page", [40_00, 0]);
  order.shipUnits(1);
  news(order, "delivered");
  order.set((facts) => ({
    ...facts,
    units: facts.units.map((unit) => (unit.number === 2 ? { ...unit, returnId: "a return" } : unit)),
  }));
  order.shipUnits(2);
  news(order, "lost");
  expect(emailsOf(writesOff(order))).toEqual(["order-changed"]);
  expect(standing(order)).toEqual({ stage: "delivered", attention: [], places: ["delivered", "canceled"] });
});

/** Its parcel is lost and refunded. */
function refundedLoss(): Order {
  const order = orderOf("page", [40_00]);
  order.shipUnits(1);
  news(order, "lost");
  refundUnits(order, 1);
  expect(standing(order)).toEqual({ stage: "canceled", attention: [], places: ["lost"] });
  return order;
}

it("a lost parcel that arrives after its refund is delivered, and nothing more is offered", () => {
  const order = refundedLoss();
  const arrived = news(order, "delivered");
  expect([eventsOf(arrived), emailsOf(arrived)]).toEqual([["delivered-late"], ["order-delivered"]]);
  expect(standing(order)).toEqual({ stage: "delivered", attention: [], places: ["delivered"] });
  expect(order.state().money.leftCents).toBe(0);
  expect(again(order)).toMatchObject({ ok: false });
  expect(news(order, "delivered")).toEqual({ ok: true, change: {} });
});

it("a lost parcel that comes back after its refund is received into stock, once", () => {
  const order = refundedLoss();
  expect(changeOf(back(order)).stock).toEqual([{ productId: "product-0", delta: 1, reason: "returned" }]);
  expect(standing(order)).toEqual({ stage: "canceled", attention: [], places: ["back"] });
  expect([back(order), again(order)]).toMatchObject([{ change: {} }, { reason: "refunded" }]);
  expect(order.state().money.leftCents).toBe(0);
});

it.each(["lost", "refused"] as const)(
  "a %s parcel on its way back after its refund needs a hand until it is there",
  (was) => {
    const order = was === "lost" ? refundedLoss() : orderOf("page", [40_00]);
    if (was === "refused") order.shipUnits(1);
    const refused = news(order, "refused");
    if (was === "refused") refundUnits(order, 1);
    else expect([eventsOf(refused), emailsOf(refused)]).toEqual([["parcel-refused", "reopened"], []]);
    expect(standing(order)).toEqual({ stage: "shipped", attention: ["parcel-refused"], places: ["refused"] });
    expect(changeOf(back(order)).stock).toHaveLength(1);
    expect(standing(order)).toEqual({ stage: "canceled", attention: [], places: ["back"] });
  },
);

it.each(["refunded, then arrives", "arrives, then refunded"])(
  "an order with a parcel that arrives is delivered, once the other one, which was lost, is given back: %s",
  (steps) => {
    const order = orderOf("page", [40_00, 40_00], { shippingCents: 9_99 });
    order.shipUnits(1);
    order.shipUnits(2);
    news(order, "lost", 0);
    const arrives = () => news(order, "delivered", 1);
    const isFirst = steps.startsWith("refunded");
    const before = isFirst ? refundUnits(order, 1) : arrives();
    expect([standing(order).stage, emailsOf(before)]).toEqual(["shipped", []]);
    const last = isFirst ? arrives() : refundUnits(order, 1);
    expect(standing(order)).toMatchObject({ stage: "delivered", attention: [] });
    expect(emailsOf(last)).toContain("order-delivered");
  },
);

/** A parcel that arrives, charged with the shipping, and then one that is lost, each charged by itself. */
const lostBeside: [string, (order: Order) => void, object][] = [
  ["needs a hand, beside the refund of what arrived", (order) => refundUnits(order, 1), LOST],
  ["needs a hand, beside an amount that was refunded", (order) => refundAmount(order, 10_00), LOST],
  ["needs nobody if it was refunded", (order) => refundUnits(order, 2), DONE],
  ["needs nobody if everything was refunded", (order) => refundAmount(order, 84_99), DONE],
];
it.each(lostBeside)("a lost parcel %s", (_what, refunds, is) => {
  const order = orderOf("card", [40_00, 40_00], { shippingCents: 9_99 });
  order.shipUnits(1);
  news(order, "delivered");
  refundAmount(order, 5_00);
  order.shipUnits(2);
  refunds(order);
  news(order, "lost");
  expect(standing(order)).toMatchObject(is);
});

it("an arrival of the order stays, though a refunded parcel turns up on its way back", () => {
  const order = orderOf("page", [40_00, 40_00]);
  order.shipUnits(1);
  news(order, "delivered");
  order.shipUnits(2);
  news(order, "lost");
  refundUnits(order, 2);
  const { deliveredAt } = order.state();
  news(order, "refused");
  expect([deliveredAt, order.state().deliveredAt]).toEqual([expect.any(Date), deliveredAt]);
});

it.each([
  ["arrives", "delivered" as const, [], "delivered"],
  ["is on its way back", "refused" as const, ["parcel-refused" as const], "refused"],
])("a lost parcel that was sent again and %s says so, and moves nothing else", (_what, state, attention, is) => {
  const order = orderOf("page", [40_00]);
  order.shipUnits(1);
  news(order, "lost");
  again(order);
  order.shipUnits(1);
  const told = news(order, state, 0);
  expect([eventsOf(told), emailsOf(told), changeOf(told).stock]).toEqual([[`parcel-${state}`], [], undefined]);
  expect(order.state().parcels[0]).toMatchObject({ state: is, isSentAgain: true });
  expect(standing(order)).toEqual({ stage: "shipped", attention, places: ["shipped"] });
  if (state === "delivered") return;
  expect(changeOf(back(order, 0)).stock).toEqual([{ productId: "product-0", delta: 1, reason: "returned" }]);
  expect(standing(order)).toEqual({ stage: "shipped", attention: [], places: ["shipped"] });
});

const arrives = (order: Order) => news(order, "delivered", 0);
/** What becomes of what is sent in place of a lost parcel; the emails and units for the shelf of the last of it. */
const lateArrivals: [string, ((order: Order) => Decision)[], [string[], number[]]][] = [
  ["before it has left", [arrives], [["order-delivered"], [1]]],
  ["and it is undone", [(order) => order.shipUnits(1), arrives, undo], [[], [1]]],
  ["and it is refused", [(order) => order.shipUnits(1), arrives, (order) => news(order, "refused")], [[], []]],
  ["and it is lost", [(order) => order.shipUnits(1), arrives, (order) => news(order, "lost")], [[], []]],
  [
    "after it was refused",
    [(order) => order.shipUnits(1), (order) => news(order, "refused"), arrives],
    [["order-delivered"], []],
  ],
  [
    "after it was lost",
    [(order) => order.shipUnits(1), (order) => news(order, "lost"), arrives],
    [["order-delivered"], []],
  ],
];
it.each(lateArrivals)("what is sent again is owed no more once the lost parcel arrives %s", (_when, acts, told) => {
  const order = orderOf("page", [40_00]);
  order.shipUnits(1);
  news(order, "lost");
  again(order);
  const last = acts.map((act) => act(order)).at(-1)!;
  expect([emailsOf(last), (changeOf(last).stock ?? []).map(({ delta }) => delta)]).toEqual(told);
  expect(standing(order)).toMatchObject({ stage: "delivered", places: ["delivered"] });
  expect(order.state().money.leftCents).toBe(40_00);
});

it("a second parcel that comes back after the lost one arrived is received into stock, and nothing is promised", () => {
  const order = orderOf("page", [40_00]);
  order.shipUnits(1);
  news(order, "lost");
  again(order);
  order.shipUnits(1);
  arrives(order);
  news(order, "refused");
  expect(standing(order)).toEqual({ stage: "delivered", attention: ["parcel-refused"], places: ["delivered"] });
  expect(changeOf(back(order, 1)).stock).toEqual([{ productId: "product-0", delta: 1, reason: "returned" }]);
  expect(standing(order)).toEqual({ stage: "delivered", attention: [], places: ["delivered"] });
});

it("the customer's own product comes back from a refused parcel for another one, not for the shelf", () => {
  const order = bought([40_00, 60_00]);
  const made = arrived(order, "warranty", [1]);
  made.step((given, act) => resolve(given, { outcome: "repair" }, act));
  order.setTime("2027-01-06T17:00:00Z");
  order.shipUnits(1);
  made.step((given, act) => close(given, {}, act));
  news(order, "refused", 1);
  expect(back(order, 1)).toMatchObject({ ok: false, reason: "no-stock" });
  const received = order.decide((now, act) => receiveBack(now, { parcelId: parcelOf(order, 1), restocks: false }, act));
  expect(changeOf(received)).toMatchObject({ stock: [], events: [{ data: { returnsStock: null } }] });
  const resent = again(order);
  expect(changeOf(resent).stock).toEqual([]);
  expect(standing(order).places).toEqual(["waiting", "delivered"]);
});

/** The customer's own product is lost on its way back to them, and another one is to be sent in its place. */
function ownLost(): Order {
  const order = bought([40_00, 60_00]);
  const made = arrived(order, "warranty", [1]);
  made.step((given, act) => resolve(given, { outcome: "repair" }, act));
  order.setTime("2027-01-06T17:00:00Z");
  order.shipUnits(1);
  made.step((given, act) => close(given, {}, act));
  news(order, "lost", 1);
  order.setTime("2027-01-07T17:00:00Z");
  expect(changeOf(again(order)).stock).toMatchObject([{ delta: -1 }]);
  return order;
}
const shelved = [{ productId: "product-0", delta: 1, reason: "returned" }];

it.each([true, false])(
  "another one in place of the customer's own is for the shelf, canceled, refunded before: %s",
  (isRefunded) => {
    const order = ownLost();
    if (isRefunded) refundUnits(order, 1);
    const how = { units: [1], reason: "sold-out", restocks: true, refundsReplacements: true } as const;
    const canceled = order.decide((now, act) => cancelUnits(now, how, act));
    expect(changeOf(canceled).stock).toMatchObject([{ delta: 1, reason: "canceled" }]);
    expect(standing(order)).toEqual({ stage: "delivered", attention: [], places: ["canceled", "delivered"] });
  },
);

it("another one in place of the customer's own is for the shelf once it comes back, as is the own that was given up", () => {
  const order = ownLost();
  order.shipUnits(1);
  news(order, "refused");
  expect(changeOf(back(order)).stock).toEqual(shelved);
  expect(changeOf(back(order, 1)).stock).toEqual(shelved);
});

it("the customer's own product that arrives after all is not replaced", () => {
  const order = ownLost();
  expect(changeOf(news(order, "delivered", 1)).stock).toEqual(shelved);
  expect(standing(order)).toEqual({ stage: "delivered", attention: [], places: ["delivered", "delivered"] });
});

it("a return that is received before its parcel arrived ends the order without an email of its arrival", () => {
  const order = orderOf("page", [40_00]);
  order.shipUnits(1);
  let row = returnRow();
  order.decide((now, act) => {
    const asked = requestReturn(now, { row, units: [1], wanted: null }, act);
    row = { ...row, ...(asked.ok && asked.row), state: "authorized" };
    return asked;
  });
  const received = order.decide((now, act) => receive({ order: now, row }, {}, act));
  expect([eventsOf(received), emailsOf(received)]).toEqual([["return-changed", "delivered"], ["return-received"]]);
});

it("a parcel that its carrier has scanned is not undone; one that staff sent by hand is", () => {
  const order = orderOf("page", [40_00]);
  order.shipUnits(1);
  const [parcelId, at] = [parcelOf(order), new Date("2027-01-05T17:00:00Z")];
  order.decide((now) => parcelProgress(now, { parcelId, progress: "in-transit", at }));
  expect(undo(order)).toMatchObject({ reason: "scanned" });
  // The scan was another parcel's.
  order.decide((now) => correctTracking(now, { parcelId, carrier: "ups", trackingNumber: "right" }));
  expect(undo(order)).toMatchObject({ ok: true });
});
