/** Notices of delays, their answers, and what silence does: the order's one promised day is 2027-01-07. */
import { expect, it } from "vitest";
import * as actions from "#tests/support/order-actions.ts";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { page } from "#tests/support/order-world.ts";
import { arrived } from "#tests/support/return-in-memory.ts";
import { announceCharge, approveCharges } from "./actions/announce.ts";
import { acceptDelay, endUnanswered } from "./actions/answer-delay.ts";
import { cancelRest, mayBuyerCancel } from "./actions/cancel.ts";
import { confirmOrder } from "./actions/confirm.ts";
import { delayLate, lastDayLeft } from "./actions/delay.ts";
import { termsOf } from "./actions/notice.ts";
import { undoShipment } from "./actions/parcels.ts";
import { statusEvents } from "./follow.ts";
import { statusOf } from "./lifecycle.ts";
import { summaryOf } from "./summary.ts";

const { accepted, after, again, amount, announced, approved, delayed, lost, sent, undone, withPayments } = actions;
type Order = actions.Order;
const DAY = "2027-01-07";
/** From 6 PM in New York. */
const EVENING = `${DAY}T23:00:00Z`;

const late: actions.Action = ({ decide }) => decide((state, act) => delayLate(state, {}, act));
const unanswered: actions.Action = ({ decide }) => decide((state, act) => endUnanswered(state, {}, act));
const mailsOf = (decision: ReturnType<Order["decide"]>) => actions.changeOf(decision).emails ?? [];
const at =
  (time: string) =>
  ({ setTime }: Order) =>
    setTime(time);
/** A unit that a return sends in place of another one. */
const ofReturn = (number: number) => actions.withUnit(number, { returnId: "a return" });
const promiseOf = ({ state }: Order) => state().promise;
const attentionOf = actions.attentionOf;

it.each([
  ["a first delay", ["2027-02-06"], null],
  ["a long one", ["2027-02-07"], "2027-02-06"],
  ["an unknown day", [null], "2027-02-06"],
  ["a second delay", ["2027-01-20", "2027-01-25"], "2027-01-20"],
])("%s moves the promised day, and says what silence does", (_name, days, answerBy) => {
  const order = orderOf("page", [40_00]);
  let told;
  for (const until of days) told = mailsOf(delayed(until)(order));
  const until = days.at(-1)!;
  expect(promiseOf(order)).toEqual({ shipBy: until, answerBy, isAsked: true, isMoved: true });
  expect(told).toMatchObject([{ from: days.at(-2) ?? DAY, until, answerBy, isRest: false, isCharged: false }]);
  expect(delayed(until)(order)).toEqual({ ok: true, change: {} });
  expect(accepted(order)).toMatchObject({ ok: true });
  expect(promiseOf(order)).toMatchObject({ shipBy: until, answerBy: null, isAsked: false });
  expect(accepted(order)).toMatchObject({ reason: "no-delay" });
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
  withPayments({ captureBefore })(order);
  expect(delayed(until)(order)).toMatchObject({ ok: false, reason });
  if (reason === "hold-ends")
    expect(mailsOf(delayed(until, { paysAgain: true })(order))).toMatchObject([{ holdEndsOn: "2027-01-11" }]);
});

it.each([
  ["winter, before 6 PM", "2027-01-07T22:59:00Z", "2027-01-06"],
  ["winter, at 6 PM", "2027-01-07T23:00:00Z", "2027-01-07"],
  ["summer, before 6 PM", "2027-07-07T21:59:00Z", "2027-07-06"],
  ["summer, at 6 PM", "2027-07-07T22:00:00Z", "2027-07-07"],
])("the parcels of a day have left from 6 PM: %s", (_name, time, day) => {
  expect(lastDayLeft(new Date(time))).toBe(day);
});

const anOrder = (...steps: ((order: Order) => unknown)[]) => after(orderOf("page", [40_00, 40_00]), ...steps);
const onCard = (...steps: ((order: Order) => unknown)[]) => after(orderOf("card", [40_00]), ...steps);
/** A claim sends a replacement, or the customer's own product back to them. */
function claimed(outcome: "repair" | "replacement") {
  const order = anOrder(sent(1, 2), actions.delivered);
  arrived(order, "warranty", [1]).resolve(outcome);
  return order;
}
it.each<[name: string, order: Order, told: object | null, at?: string]>([
  ["an order that has not shipped is asked", anOrder(), { until: null, reason: "not-ready" }],
  ["one that is past it too", anOrder(), { answerBy: "2027-02-06" }, "2027-01-20T12:00:00Z"],
  ["one before 6 PM is not", anOrder(), null, `${DAY}T22:59:00Z`],
  ["one whose buyer knows is not", anOrder(delayed(null)), null],
  ["one of a later day is not", anOrder(delayed("2027-01-08")), null],
  ["a disputed one waits for staff", anOrder(withPayments({ dispute: "open" })), null],
  ["one to be paid again is asked", anOrder(withPayments({ state: "failed" })), { reason: "unpaid", from: DAY }],
  [
    "one whose charge was refused ends with that",
    onCard(announced(1), approved, actions.packed(), actions.failed),
    null,
  ],
  ["one that was never paid has no promised day yet", orderOf("arranged", [40_00]), null],
  ["one at no charge is told, and keeps it", orderOf("arranged", [0]), { answerBy: null, isFree: true }],
  ["a shipped one is not", anOrder(sent(1, 2)), null],
  ["the rest of a partial one is", anOrder(sent(1)), { isRest: true, isCharged: true, mayCancel: true }],
  [
    "a customer’s own goes back, and is not canceled",
    claimed("repair"),
    { isRest: true, isCharged: false, mayCancel: false },
  ],
])("on the promised day, by itself: %s", (_name, order, told, time = EVENING) => {
  order.setTime(time);
  expect(mailsOf(late(order))).toMatchObject(told ? [{ template: "order-delayed", ...told }] : []);
  expect(mailsOf(late(order))).toEqual([]);
});

it("what was agreed to until any day is asked nothing more", () => {
  const order = anOrder(delayed(null), accepted, delayed("2027-01-20"), at("2027-01-20T23:00:00Z"));
  expect(mailsOf(late(order))).toMatchObject([{ until: null, answerBy: null }]);
});

it("the rest on a saved card is charged already if it is sent again", () => {
  const order = after(orderOf("card", [40_00, 40_00]), sent(1));
  expect(mailsOf(delayed("2027-01-20")(order))).toMatchObject([{ isRest: true, isCharged: false }]);
  expect(mailsOf(delayed(null)(after(order, lost, again)))).toMatchObject([{ isCharged: true }]);
});

/** Nobody answered until midnight after the last day to do so. */
const endsLate = (order: Order) => {
  after(order, delayed(null), at("2027-02-06T23:59:00-05:00"));
  expect(unanswered(order)).toEqual({ ok: true, change: {} });
  order.setTime("2027-02-07T00:00:00-05:00");
};

it.each<[string, Order, object, string]>([
  ["an order is canceled, and refunded", anOrder(sent(1, 2), undone), { template: "order-canceled" }, "canceled"],
  [
    "the rest is, less what staff refunded",
    anOrder(sent(1), amount(60_00)),
    { template: "order-changed", refundCents: 20_00 },
    "shipped",
  ],
])("without a yes %s", (_what, order, mail, stage) => {
  endsLate(order);
  expect(mailsOf(unanswered(order))).toMatchObject([mail]);
  expect(order.state()).toMatchObject({ stage, money: { leftCents: 0 } });
  expect(unanswered(order)).toEqual({ ok: true, change: {} });
});

it("the rest is canceled with what was to be sent again, which the open question covers", () => {
  const order = anOrder(sent(1), delayed(null));
  const asked = promiseOf(order);
  expect(promiseOf(after(order, lost, again))).toEqual(asked);
  after(order, at("2027-02-07T12:00:00Z"), unanswered);
  expect(order.state()).toMatchObject({ stage: "canceled", money: { leftCents: 0 } });
});

it.each<[string, Order, reason: string | null]>([
  ["an order", anOrder(), null],
  ["the rest", anOrder(sent(1)), null],
  ["a replacement", claimed("replacement"), null],
  ["a customer’s own", claimed("repair"), "nothing-left"],
  ["what waits for its charge", onCard(delayed(null), announced(1), approved, actions.packed()), "under-way"],
])("a buyer is offered to cancel %s that is delayed, or is told why not", (_what, order, reason) => {
  delayed(null)(order);
  expect(mayBuyerCancel(order.state())).toBe(reason === null);
  const canceled = order.decide((state, act) => cancelRest(state, { reason: "asked" }, act));
  expect(canceled).toMatchObject(reason === null ? { ok: true } : { reason });
});

it("silence never cancels what a return sends, nor what costs nothing", () => {
  for (const prices of [[0], [40_00]]) {
    const order = after(orderOf("arranged", prices), ofReturn(1));
    expect(termsOf(order.state(), "2027-01-04")).toEqual({ silentUntil: null, answerBy: null });
    delayed(null)(order);
    expect([promiseOf(order).answerBy, summaryOf(order.state().facts).answerBy]).toEqual([null, null]);
    expect(unanswered(after(order, at("2028-01-01T12:00:00Z")))).toEqual({ ok: true, change: {} });
  }
  const mixed = anOrder(ofReturn(2), endsLate, unanswered);
  expect(mixed.state().units.map(({ place }) => place)).toEqual(["canceled", "waiting"]);
  expect(promiseOf(mixed).answerBy).toBeNull();
});

it("an order whose parcel is undone after the deadline can be answered until the end of the next day", () => {
  const order = anOrder(delayed(null), sent(1, 2), at("2027-02-10T12:00:00Z"));
  expect(unanswered(order)).toEqual({ ok: true, change: {} });
  expect(promiseOf(after(order, undone)).answerBy).toBe("2027-02-11");
  expect([unanswered(order), accepted(order)]).toMatchObject([{ change: {} }, { ok: true }]);
});

it("a parcel that is sent again has a promise of its own, which a first delay on silence may follow", () => {
  const order = anOrder(delayed("2027-01-20"), sent(1, 2), at("2027-01-11T12:00:00Z"), lost, again);
  expect(promiseOf(order)).toEqual({ shipBy: "2027-01-13", answerBy: null, isAsked: false, isMoved: false });
  expect(accepted(order)).toMatchObject({ reason: "no-delay" });
  expect(promiseOf(after(order, delayed("2027-02-12"))).answerBy).toBeNull();
});

/** A page of an order that was placed without a payment. */
const opened = page({ id: "page", kind: "page", createdAt: new Date("2027-01-12T12:00:00Z"), amountCents: 40_00 });
const open =
  (is: Partial<typeof opened> = {}) =>
  ({ set }: Order) =>
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
  const expired = [actions.withOrderRow({ confirmedAt: null }), actions.ended("expired")];
  for (const payment of [
    actions.paidByCheck(40_00),
    (order: Order) => pays(after(order, open())),
    (order: Order) => pays(after(order, open(), ...expired)),
  ]) {
    const order = orderOf("arranged", [40_00]);
    for (const until of days) expect(mailsOf(delayed(until)(order))).toMatchObject([{ from: null }]);
    order.setTime("2027-01-12T12:00:00Z", shipBy);
    expect(payment(order)).toMatchObject({ ok: true });
    expect(promiseOf(order)).toMatchObject(promise);
  }
});

it.each([
  ["open", {}],
  ["that nobody paid", { state: "closed" as const }],
])("a page %s is no payment: no day is promised before the first one", (_what, is) => {
  const order = after(orderOf("arranged", [40_00]), open(is));
  order.setTime("2027-01-12T12:00:00Z", "2027-01-14");
  expect(attentionOf(order)).toEqual(["arrange"]);
  expect(late(order)).toMatchObject({ ok: false, reason: "not-paid" });
  pays(order);
  expect([mailsOf(late(order)), promiseOf(order).shipBy]).toEqual([[], "2027-01-14"]);
});

it("an order whose authorization ended keeps its day, also with another payment", () => {
  const order = after(orderOf("arranged", [40_00]), open({ state: "failed" }));
  order.setTime("2027-01-12T12:00:00Z", "2027-01-14");
  expect(attentionOf(order)).toEqual(["pay-again"]);
  expect(promiseOf(after(order, open({ id: "first", state: "failed" }), pays)).shipBy).toBe(DAY);
});

it("what ships early leaves on a day on which carriers work", () => {
  const order = after(orderOf("card", [40_00]), at("2027-01-06T17:00:00Z"), delayed("2027-01-20"), announced(1));
  expect(promiseOf(order).shipBy).toBe("2027-01-11");
});

it("an early announcement leaves the question of a delay open, and the day to answer it", () => {
  const order = onCard(delayed(null), at("2027-02-05T17:00:00Z"));
  const promise = promiseOf(order);
  expect(announced(1)(order)).toMatchObject({ ok: true });
  expect(promiseOf(order)).toEqual(promise);
  after(order, at("2027-02-07T17:00:00Z"), unanswered);
  expect(order.state().stage).toBe("canceled");
});

const announcedInTime: actions.Action = ({ decide }) => decide((state, act) => announceCharge(state, {}, act));

const hadCardRefused = withPayments({ refusedAt: new Date("2027-01-05T12:00:00Z") });
it.each([
  ["by itself", onCard(), announcedInTime, "not-ready"],
  ["by staff", onCard(), announced(1), "not-ready"],
  ["of a new card", onCard(hadCardRefused, actions.newCard), announcedInTime, "unpaid"],
])("a charge that is announced %s for a day after the promised one is told as a delay", (_how, order, act, reason) => {
  order.setTime("2027-01-06T17:00:00Z");
  expect(mailsOf(act(order))).toMatchObject([
    { template: "order-delayed", from: DAY, until: "2027-01-11", answerBy: null, reason },
    { template: "charge-announced", day: "2027-01-11", isEarly: false },
  ]);
  expect(promiseOf(order)).toEqual({ shipBy: "2027-01-11", answerBy: null, isAsked: true, isMoved: true });
  expect(late(after(order, at("2027-01-07T23:30:00Z")))).toEqual({ ok: true, change: {} });
});

it("one after the day of a notice needs a yes, without which the order is canceled", () => {
  const order = onCard(delayed("2027-01-20"), at("2027-01-19T17:00:00Z"));
  expect(mailsOf(announcedInTime(order))).toMatchObject([{ until: "2027-01-22", answerBy: "2027-01-20" }, {}]);
  after(order, at("2027-01-21T17:00:00Z"), unanswered);
  expect(order.state().stage).toBe("canceled");
});

it.each([
  ["an earlier announcement", [announced(1)]],
  ["the wish to have it now", [at("2027-01-17T17:00:00Z"), announcedInTime, announced(1), approved]],
])("%s does not begin the delays anew", (_name, soon) => {
  const order = onCard(delayed("2027-01-20"), ...soon);
  expect(mailsOf(delayed("2027-01-25")(order))).toMatchObject([{ answerBy: "2027-01-20" }]);
});

it("who wants it now has agreed to wait for it", () => {
  const order = onCard(delayed(null), announced(1));
  expect(promiseOf(order)).toMatchObject({ shipBy: null, answerBy: "2027-02-06" });
  expect(promiseOf(after(order, approved))).toMatchObject({ shipBy: DAY, answerBy: null, isAsked: false });
});

it("no charge is due to be announced of an order on hold", () => {
  const order = onCard(actions.held);
  expect(summaryOf(order.state().facts).announceOn).toBeNull();
  expect(announcedInTime(order)).toMatchObject({ reason: "not-due" });
});

it("a yes counts only for what was read: another day, or another sum, is asked again", () => {
  const notice = after(orderOf("page", [40_00]), delayed("2027-03-20"), delayed(null));
  expect(notice.decide((state, act) => acceptDelay(state, { until: "2027-03-20" }, act))).toEqual({
    ok: false,
    reason: "meanwhile",
  });
  const sum = after(orderOf("card", [40_00, 24_00]), announced(2), announced(1));
  expect(sum.decide((state, act) => approveCharges(state, { cents: 24_00 }, act))).toEqual({
    ok: false,
    reason: "meanwhile",
  });
});

it("the question of a delay stays for what is packed, though a return sends something meanwhile", () => {
  const order = orderOf("card", [89_00, 24_00]);
  after(order, sent(1), actions.delivered);
  const claim = arrived(order, "warranty", [1]);
  after(order, at("2027-01-06T17:00:00Z"), delayed(null));
  const { answerBy } = promiseOf(order);
  after(order, announced(2), at("2027-01-12T17:00:00Z"), actions.packed(2));
  claim.resolve("replacement");
  after(order, actions.failed);
  expect(promiseOf(order).answerBy).toBe(answerBy);
});

it("undoing the only parcel that left, while another one waits for its charge, is told once", () => {
  const order = after(orderOf("card", [40_00, 60_00]), sent(1), announced(2), approved, actions.packed(2));
  const was = statusOf(order.state().stage);
  const parcelId = actions.parcelOf(order, 0);
  const undoing = order.decide((state, act) => undoShipment(state, { parcelId }, act));
  const events = statusEvents(actions.changeOf(undoing), was, statusOf(order.state().stage));
  expect(events.map(({ type }) => type)).toEqual(["shipment-undone"]);
});
