/** Notices of delays, their answers, and what silence does: the order's one promised day is 2027-01-07. */
import { expect, it } from "vitest";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { page } from "#tests/support/order-world.ts";
import { announceCharge, announceEarly, approveCharges } from "./actions/announce.ts";
import { acceptDelay, endUnanswered } from "./actions/answer-delay.ts";
import { confirmOrder } from "./actions/confirm.ts";
import { delay, delayLate, lastDayLeft } from "./actions/delay.ts";
import { termsOf } from "./actions/notice.ts";
import { parcelNews, receiveBack, sendAgain, undoShipment } from "./actions/parcels.ts";
import { recordPayment } from "./actions/pay.ts";
import { refund } from "./actions/refund.ts";
import type { Facts } from "./facts.ts";
import { ship } from "./actions/ship.ts";
import { statusEvents } from "./follow.ts";
import { statusOf } from "./lifecycle.ts";
import { summaryOf } from "./summary.ts";

type Order = ReturnType<typeof orderOf>;
const DAY = "2027-01-07";
/** From 6 PM in New York. */
const EVENING = `${DAY}T23:00:00Z`;

const delayTo = (order: Order, until: string | null, more = {}) =>
  order.decide((state, act) => delay(state, { until, reason: "supplier", ...more }, act));
const accept = ({ decide }: Order) => decide((state, act) => acceptDelay(state, {}, act));
const late = ({ decide }: Order) => decide((state, act) => delayLate(state, {}, act));
const unanswered = ({ decide }: Order) => decide((state, act) => endUnanswered(state, {}, act));
const mailsOf = (decision: ReturnType<Order["decide"]>) => (decision.ok ? (decision.change.emails ?? []) : []);
const lose = ({ decide, state }: Order) => {
  const parcelId = state().facts.parcels.at(-1)!.id;
  decide((now, act) => parcelNews(now, { parcelId, state: "lost" }, act));
  return decide((now, act) => sendAgain(now, { parcelId, shipBy: "2027-01-13" }, act));
};
const undo = ({ decide, state }: Order) => {
  const parcelId = state().facts.parcels.at(-1)!.id;
  return decide((now, act) => undoShipment(now, { parcelId }, act));
};
/** The unit is what a return sends in place of another one. */
const replaces = (facts: Facts, number: number): Facts => ({
  ...facts,
  units: facts.units.map((unit) => (unit.number === number ? { ...unit, returnId: "a return" } : unit)),
});

it.each([
  ["a first delay", ["2027-02-06"], null],
  ["a long one", ["2027-02-07"], "2027-02-06"],
  ["an unknown day", [null], "2027-02-06"],
  ["a second delay", ["2027-01-20", "2027-01-25"], "2027-01-20"],
])("%s moves the promised day, and says what silence does", (_name, days, answerBy) => {
  const order = orderOf("page", [40_00]);
  let told;
  for (const until of days) told = mailsOf(delayTo(order, until));
  const until = days.at(-1)!;
  expect(order.state().promise).toEqual({ shipBy: until, answerBy, isAsked: true, isMoved: true });
  expect(told).toMatchObject([{ from: days.at(-2) ?? DAY, until, answerBy, isRest: false, isCharged: false }]);
  expect(delayTo(order, until)).toEqual({ ok: true, change: {} });
  expect(accept(order)).toMatchObject({ ok: true });
  expect(order.state().promise).toMatchObject({ shipBy: until, answerBy: null, isAsked: false });
  expect(accept(order)).toMatchObject({ reason: "no-delay" });
});

it.each([
  ["today", "2027-01-04", "day"],
  ["before the promised day", "2027-01-06", "day"],
  ["a mistyped year", "2029-06-01", "day"],
  ["a date that does not exist", "2027-02-30", "day"],
  ["no date", "soon", "day"],
  ["after the end of the authorization", "2027-01-11", "hold-ends"],
  ["a day that is not known, past the authorization", null, "hold-ends"],
])("a delay to %s is refused", (_name, until, reason) => {
  const order = orderOf("page", [40_00]);
  const captureBefore = new Date("2027-01-11T17:00:00Z");
  order.set((facts) => ({ ...facts, payments: facts.payments.map((payment) => ({ ...payment, captureBefore })) }));
  expect(delayTo(order, until)).toMatchObject({ ok: false, reason });
  if (reason === "hold-ends")
    expect(mailsOf(delayTo(order, until, { paysAgain: true }))).toMatchObject([{ holdEndsOn: "2027-01-11" }]);
});

it.each([
  ["winter, before 6 PM", "2027-01-07T22:59:00Z", "2027-01-06"],
  ["winter, at 6 PM", "2027-01-07T23:00:00Z", "2027-01-07"],
  ["summer, before 6 PM", "2027-07-07T21:59:00Z", "2027-07-06"],
  ["summer, at 6 PM", "2027-07-07T22:00:00Z", "2027-07-07"],
])("the parcels of a day have left from 6 PM: %s", (_name, at, day) => {
  expect(lastDayLeft(new Date(at))).toBe(day);
});

const anOrder = () => orderOf("page", [40_00, 40_00]);
it.each<[name: string, order: () => Order, at: string, told: object | null]>([
  ["an order that has not shipped is asked", anOrder, EVENING, { until: null, reason: "not-ready" }],
  ["one that is past it too", anOrder, "2027-01-20T12:00:00Z", { answerBy: "2027-02-06" }],
  ["one before 6 PM is not", anOrder, `${DAY}T22:59:00Z`, null],
  [
    "one whose buyer knows is not",
    () => {
      const order = anOrder();
      delayTo(order, null);
      return order;
    },
    EVENING,
    null,
  ],
  [
    "one of a later day is not",
    () => {
      const order = anOrder();
      delayTo(order, "2027-01-08");
      return order;
    },
    EVENING,
    null,
  ],
  [
    "a disputed one waits for staff",
    () => {
      const order = anOrder();
      order.set((facts) => ({ ...facts, payments: facts.payments.map((each) => ({ ...each, dispute: "open" })) }));
      return order;
    },
    EVENING,
    null,
  ],
  [
    "one to be paid again is asked",
    () => {
      const order = anOrder();
      order.set((facts) => ({ ...facts, payments: facts.payments.map((each) => ({ ...each, state: "failed" })) }));
      return order;
    },
    EVENING,
    { reason: "unpaid", from: DAY },
  ],
  ["one that was never paid has no promised day yet", () => orderOf("arranged", [40_00]), EVENING, null],
  ["one at no charge is told, and keeps it", () => orderOf("arranged", [0]), EVENING, { answerBy: null, isFree: true }],
  [
    "a shipped one is not",
    () => {
      const order = anOrder();
      order.shipUnits(1, 2);
      return order;
    },
    EVENING,
    null,
  ],
  [
    "the rest of a partial one is",
    () => {
      const order = anOrder();
      order.shipUnits(1);
      return order;
    },
    EVENING,
    { isRest: true, isCharged: true },
  ],
])("on the promised day, by itself: %s", (_name, begin, at, told) => {
  const order = begin();
  order.setTime(at);
  expect(mailsOf(late(order))).toMatchObject(told ? [{ template: "order-delayed", ...told }] : []);
  expect(mailsOf(late(order))).toEqual([]);
});

it("what was agreed to until any day is asked nothing more", () => {
  const order = anOrder();
  delayTo(order, null);
  accept(order);
  delayTo(order, "2027-01-20");
  order.setTime("2027-01-20T23:00:00Z");
  expect(mailsOf(late(order))).toMatchObject([{ until: null, answerBy: null }]);
});

it("the rest on a saved card is charged already if it is sent again", () => {
  const order = orderOf("card", [40_00, 40_00]);
  order.shipUnits(1);
  expect(mailsOf(delayTo(order, "2027-01-20"))).toMatchObject([{ isRest: true, isCharged: false }]);
  lose(order);
  expect(mailsOf(delayTo(order, null))).toMatchObject([{ isCharged: true }]);
});

/** Nobody answered until midnight after the last day to do so. */
const endsLate = (order: Order) => {
  delayTo(order, null);
  order.setTime("2027-02-06T23:59:00-05:00");
  expect(unanswered(order)).toEqual({ ok: true, change: {} });
  order.setTime("2027-02-07T00:00:00-05:00");
};
const left = (order: Order) => {
  const { stage, money } = order.state();
  return [stage, money.leftCents];
};

it("without a yes an order is canceled, and refunded if it is charged", () => {
  const order = anOrder();
  order.shipUnits(1, 2);
  undo(order);
  endsLate(order);
  expect(mailsOf(unanswered(order))).toMatchObject([{ template: "order-canceled" }]);
  expect(left(order)).toEqual(["canceled", 0]);
  expect(unanswered(order)).toEqual({ ok: true, change: {} });
});

it("the rest is canceled and refunded, less what staff refunded before", () => {
  const order = anOrder();
  order.shipUnits(1);
  order.decide((state, act) => refund(state, { reason: "late", goodwillCents: 60_00 }, act));
  endsLate(order);
  expect(mailsOf(unanswered(order))).toMatchObject([{ template: "order-changed", refundCents: 20_00 }]);
  expect(left(order)).toEqual(["shipped", 0]);
});

it("the rest is canceled with what was to be sent again, which the open question covers", () => {
  const order = anOrder();
  order.shipUnits(1);
  delayTo(order, null);
  const asked = order.state().promise;
  lose(order);
  expect(order.state().promise).toEqual(asked);
  order.setTime("2027-02-07T12:00:00Z");
  unanswered(order);
  expect(left(order)).toEqual(["canceled", 0]);
});

it("silence never cancels what a return sends, nor what costs nothing", () => {
  for (const prices of [[0], [40_00]]) {
    const order = orderOf("arranged", prices);
    order.set((facts) => replaces(facts, 1));
    expect(termsOf(order.state(), "2027-01-04")).toEqual({ silentUntil: null, answerBy: null });
    delayTo(order, null);
    expect([order.state().promise.answerBy, summaryOf(order.state().facts).answerBy]).toEqual([null, null]);
    order.setTime("2028-01-01T12:00:00Z");
    expect(unanswered(order)).toEqual({ ok: true, change: {} });
  }
  const mixed = anOrder();
  mixed.set((facts) => replaces(facts, 2));
  endsLate(mixed);
  expect(unanswered(mixed)).toMatchObject({ ok: true });
  expect(mixed.state().units.map(({ place }) => place)).toEqual(["canceled", "waiting"]);
  expect(mixed.state().promise.answerBy).toBeNull();
});

it("an order whose parcel is undone after the deadline can be answered until the end of the next day", () => {
  const order = anOrder();
  delayTo(order, null);
  order.shipUnits(1, 2);
  order.setTime("2027-02-10T12:00:00Z");
  expect(unanswered(order)).toEqual({ ok: true, change: {} });
  undo(order);
  expect(order.state().promise.answerBy).toBe("2027-02-11");
  expect([unanswered(order), accept(order)]).toMatchObject([{ change: {} }, { ok: true }]);
});

it("a parcel that is sent again has a promise of its own, which a first delay on silence may follow", () => {
  const order = anOrder();
  delayTo(order, "2027-01-20");
  order.shipUnits(1, 2);
  order.setTime("2027-01-11T12:00:00Z");
  lose(order);
  expect(order.state().promise).toEqual({ shipBy: "2027-01-13", answerBy: null, isAsked: false, isMoved: false });
  expect(accept(order)).toMatchObject({ reason: "no-delay" });
  delayTo(order, "2027-02-12");
  expect(order.state().promise.answerBy).toBeNull();
});

/** A page of an order that was placed without a payment. */
const opened = page({ id: "page", kind: "page", createdAt: new Date("2027-01-12T12:00:00Z"), amountCents: 40_00 });
const open = ({ set }: Order, is: Partial<typeof opened> = {}) =>
  set((facts) => ({ ...facts, payments: [{ ...opened, ...is }] }));
const pays = ({ decide }: Order) =>
  decide((state, act) =>
    confirmOrder(state, { payment: { ...opened, state: "authorized", authorizedCents: 40_00 } }, act),
  );

it.each([
  ["begins with the payment", [], "2027-01-14", { shipBy: "2027-01-14", isMoved: false }],
  ["stays a later one", [], "2027-01-06", { shipBy: DAY, isMoved: false }],
  ["stays the day of a delay", ["2027-01-20"], "2027-01-14", { shipBy: "2027-01-20", isMoved: true }],
  ["stays unknown", [null], "2027-01-14", { shipBy: null, isMoved: true }],
])("the promised day of an order that is paid later %s", (_name, days, shipBy, promise) => {
  const recorded = { cents: 40_00, arrangement: { how: "check", reference: "1042" } };
  for (const payment of [
    (order: Order) => order.decide((state, act) => recordPayment(state, recorded, act)),
    (order: Order) => {
      open(order);
      return pays(order);
    },
  ]) {
    const order = orderOf("arranged", [40_00]);
    for (const until of days) expect(mailsOf(delayTo(order, until))).toMatchObject([{ from: null }]);
    order.setTime("2027-01-12T12:00:00Z", shipBy);
    expect(payment(order)).toMatchObject({ ok: true });
    expect(order.state().promise).toMatchObject(promise);
  }
});

it.each([
  ["open", {}],
  ["that nobody paid", { state: "closed" as const }],
])("a page %s is no payment: no day is promised before the first one", (_what, is) => {
  const order = orderOf("arranged", [40_00]);
  open(order, is);
  order.setTime("2027-01-12T12:00:00Z", "2027-01-14");
  expect(summaryOf(order.state().facts).attention).toEqual(["arrange"]);
  expect(late(order)).toMatchObject({ ok: false, reason: "not-paid" });
  pays(order);
  expect([mailsOf(late(order)), order.state().promise.shipBy]).toEqual([[], "2027-01-14"]);
});

it("an order whose authorization ended keeps its day, also with another payment", () => {
  const order = orderOf("arranged", [40_00]);
  open(order, { state: "failed" });
  order.setTime("2027-01-12T12:00:00Z", "2027-01-14");
  expect(summaryOf(order.state().facts).attention).toEqual(["pay-again"]);
  open(order, { id: "first", state: "failed" });
  pays(order);
  expect(order.state().promise.shipBy).toBe(DAY);
});

it("an early announcement leaves the question of a delay open, and the day to answer it", () => {
  const order = orderOf("card", [40_00]);
  delayTo(order, null);
  const { promise } = order.state();
  order.setTime("2027-02-05T17:00:00Z");
  expect(order.decide((state, act) => announceEarly(state, { units: [1] }, act))).toMatchObject({ ok: true });
  expect(order.state().promise).toEqual(promise);
  order.setTime("2027-02-07T17:00:00Z");
  unanswered(order);
  expect(order.state().stage).toBe("canceled");
});

const announce = ({ decide }: Order) => decide((state, act) => announceCharge(state, {}, act));
const announceSoon = ({ decide }: Order) => decide((state, act) => announceEarly(state, { units: [1] }, act));
const approve = ({ decide }: Order) => decide((state, act) => approveCharges(state, {}, act));

it("a charge that is announced for a day after the promised one is told as a delay", () => {
  const order = orderOf("card", [40_00]);
  order.setTime("2027-01-06T17:00:00Z");
  expect(mailsOf(announce(order))).toMatchObject([
    { template: "order-delayed", from: DAY, until: "2027-01-09", answerBy: null },
    { template: "charge-announced", day: "2027-01-09" },
  ]);
  expect(order.state().promise).toEqual({ shipBy: "2027-01-09", answerBy: null, isAsked: true, isMoved: true });
  order.setTime("2027-01-07T23:30:00Z");
  expect(late(order)).toEqual({ ok: true, change: {} });
});

it("one after the day of a notice needs a yes, without which the order is canceled", () => {
  const order = orderOf("card", [40_00]);
  delayTo(order, "2027-01-20");
  order.setTime("2027-01-19T17:00:00Z");
  expect(mailsOf(announce(order))).toMatchObject([{ until: "2027-01-22", answerBy: "2027-01-20" }, {}]);
  order.setTime("2027-01-21T17:00:00Z");
  unanswered(order);
  expect(order.state().stage).toBe("canceled");
});

it.each<[string, (order: Order) => void]>([
  ["an earlier announcement", announceSoon],
  [
    "the wish to have it now",
    (order) => {
      order.setTime("2027-01-17T17:00:00Z");
      announce(order);
      announceSoon(order);
      approve(order);
    },
  ],
])("%s does not begin the delays anew", (_name, soon) => {
  const order = orderOf("card", [40_00]);
  delayTo(order, "2027-01-20");
  soon(order);
  expect(mailsOf(delayTo(order, "2027-01-25"))).toMatchObject([{ answerBy: "2027-01-20" }]);
});

it("who wants it now has agreed to wait for it", () => {
  const order = orderOf("card", [40_00]);
  delayTo(order, null);
  announceSoon(order);
  expect(order.state().promise).toMatchObject({ shipBy: null, answerBy: "2027-02-06" });
  approve(order);
  expect(order.state().promise).toMatchObject({ shipBy: DAY, answerBy: null, isAsked: false });
});

it("no charge is due to be announced of an order on hold", () => {
  const order = orderOf("card", [40_00]);
  order.set((facts) => ({ ...facts, order: { ...facts.order, onHoldSince: new Date("2027-01-04T12:00:00Z") } }));
  expect(summaryOf(order.state().facts).announceOn).toBeNull();
  expect(order.decide((state, act) => announceCharge(state, {}, act))).toMatchObject({ reason: "not-due" });
});

it("a lost parcel may come back, and its units are received", () => {
  const order = orderOf("page", [40_00]);
  order.shipUnits(1);
  const parcelId = order.state().facts.parcels[0]!.id;
  for (const state of ["lost", "refused"] as const)
    expect(order.decide((now, act) => parcelNews(now, { parcelId, state }, act))).toMatchObject({ ok: true });
  order.decide((now, act) => receiveBack(now, { parcelId, restocks: true }, act));
  expect(order.state().units.map(({ place }) => place)).toEqual(["back"]);
});

it("undoing the only parcel that left, while another one waits for its charge, is told once", () => {
  const order = orderOf("card", [40_00, 60_00]);
  order.shipUnits(1);
  order.decide((state, act) => announceEarly(state, { units: [2] }, act));
  order.decide((state, act) => approveCharges(state, {}, act));
  order.decide((state, act) => ship(state, { units: [2], carrier: "ups", trackingNumber: "2" }, act));
  const was = statusOf(order.state().stage);
  const parcelId = order.state().facts.parcels[0]!.id;
  const undone = order.decide((state, act) => undoShipment(state, { parcelId }, act));
  const events = undone.ok ? statusEvents(undone.change, was, statusOf(order.state().stage)) : [];
  expect(events.map(({ type }) => type)).toEqual(["shipment-undone"]);
});
