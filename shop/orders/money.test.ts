/** Faults that lose money where it is derived from sums: each is refused, or adds up. */
import { expect, it } from "vitest";
import { daysAfter } from "#shop/new-york-time.ts";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { begin, page } from "#tests/support/order-world.ts";
import { announceCharge, announceEarly, approveCharges, refusedCents } from "./actions/announce.ts";
import { acceptDelay } from "./actions/answer-delay.ts";
import { cancelUnits, endOrder, endUnpaid } from "./actions/cancel.ts";
import { attemptRead, captureSeen } from "./actions/capture-seen.ts";
import { confirmOrder } from "./actions/confirm.ts";
import { delay, delayLate } from "./actions/delay.ts";
import { moneyMoved } from "./actions/money-moved.ts";
import { parcelNews, undoShipment } from "./actions/parcels.ts";
import { askToPay, recordLinked, recordPayment, takeLinked } from "./actions/pay.ts";
import {
  disputeLost,
  recordSent,
  refund,
  refundSeen,
  resolveRefund,
  retryRefund,
  type RefundRequest,
} from "./actions/refund.ts";
import { ship } from "./actions/ship.ts";
import { decided } from "./change.ts";
import type { Attempt, Payment } from "./facts.ts";
import { linesOf } from "./lines.ts";
import { situationOf } from "./situation.ts";
import { centsOf, taxOf, waysOf } from "./order-money.ts";
import type { OrderState } from "./state.ts";
import { summaryOf } from "./summary.ts";

type Order = ReturnType<typeof orderOf>;
const AT = new Date("2027-01-04T12:00:00Z");

it("a parcel is charged although another one was charged, undone, refunded and canceled before", () => {
  const { decide, settle, shipUnits, state } = orderOf("card", [40_00, 60_00]);
  shipUnits(1);
  const [parcel] = state().facts.parcels;
  decide((now, act) => undoShipment(now, { parcelId: parcel!.id }, act));
  decide((now, act) => refund(now, { reason: "damaged", units: [1] }, act));
  settle();
  const canceled = { units: [1], reason: "damaged", restocks: true, refundsReplacements: true } as const;
  decide((now, act) => cancelUnits(now, canceled, act));
  shipUnits(2);
  expect([state().money.paidCents, state().money.leftCents]).toEqual([100_00, 60_00]);
});

it("a refund that failed stays owed, whatever else is refunded, until it is tried again", () => {
  const { decide, settle, shipUnits, state } = orderOf("page", [89_00]);
  shipUnits(1);
  decide((now, act) => refund(now, { reason: "late", goodwillCents: 24_00 }, act));
  settle("failed");
  decide((now, act) => refund(now, { reason: "late", goodwillCents: 24_00 }, act));
  settle();
  expect(state().refunds.map(({ owedCents, hasFailed }) => [owedCents, hasFailed])).toEqual([
    [24_00, true],
    [0, false],
  ]);
  expect(summaryOf(state().facts).paymentStatus).toBe("refund-failed");
  decide((now, act) => retryRefund(now, { refundId: now.refunds[0]!.id }, act));
  settle();
  expect(state().refunds.map(({ owedCents }) => owedCents)).toEqual([0, 0]);
});

it.each<[string, number, object[]]>([
  ["all that is owed", 40_00, [{ owedCents: 0, otherwiseCents: 0 }]],
  ["a part of it", 30_00, [{ owedCents: 10_00 }]],
  ["more than it", 50_00, [{ owedCents: 0 }, { reason: "provider", cents: 10_00 }]],
])("a refund that failed and is made in the dashboard counts once: %s", (_name, cents, refunds) => {
  const { decide, settle, shipUnits, state } = orderOf("page", [40_00, 60_00]);
  shipUnits(1, 2);
  decide((now, act) => refund(now, { reason: "damaged", units: [1] }, act));
  settle("failed");
  decide((now, act) => refundSeen(now, { paymentId: "page-0", cents }, act));
  settle();
  expect(state().refunds).toMatchObject(refunds);
});

it.each<[string, number, object[], number]>([
  ["all of it", 100_00, [{ doneCents: 100_00, owedCents: 0 }], 100_00],
  ["a part of it", 30_00, [{ doneCents: 100_00, owedCents: 0 }], 100_00],
  ["more than it", 120_00, [{ doneCents: 100_00 }, { reason: "provider", cents: 20_00 }], 120_00],
  ["more than is left", 170_00, [{ doneCents: 100_00 }, { reason: "provider", cents: 50_00 }], 150_00],
])("a refund under way that the dashboard overtakes counts once: %s", (_name, cents, refunds, refundedCents) => {
  const { decide, settle, shipUnits, state } = orderOf("page", [40_00, 60_00, 50_00]);
  shipUnits(1, 2, 3);
  decide((now, act) => refund(now, { reason: "damaged", units: [1, 2] }, act));
  const seen = decide((now, act) => refundSeen(now, { paymentId: "page-0", cents }, act));
  settle();
  expect(state().refunds).toMatchObject(refunds);
  expect(state().facts.payments).toMatchObject([{ refundedCents }]);
  expect(seen).not.toMatchObject({ change: { emails: expect.anything() } });
  expect(summaryOf(state().facts).attention).toEqual([]);
});

it("a refund that its provider names is not overtaken by another one", () => {
  const { decide, settle, shipUnits, state } = orderOf("page", [40_00, 60_00]);
  shipUnits(1, 2);
  decide((now, act) => refund(now, { reason: "damaged", units: [1] }, act));
  const named = state().facts.attempts.flatMap(({ id, kind }) => (kind === "refund" ? id : []));
  decide((now, act) => refundSeen(now, { paymentId: "page-0", cents: 40_00, named }, act));
  settle();
  expect(state().refunds).toMatchObject([{ doneCents: 40_00 }, { reason: "provider", doneCents: 40_00 }]);
});

it("what a bank refuses late is owed, although the rest was sent another way, which the dashboard may do", () => {
  const { decide, settle, shipUnits, state } = orderOf("card", [40_00, 60_00]);
  shipUnits(1);
  shipUnits(2);
  decide((now, act) => refund(now, { reason: "damaged", units: [1, 2] }, act));
  const [one, two] = state().facts.attempts.filter(({ kind }) => kind === "refund");
  const moved = (attempt: Attempt, outcome: "done" | "failed", refundedCents: number) =>
    decide((now, act) => {
      const payment = { ...now.facts.payments.find(({ id }) => id === attempt.paymentId)!, refundedCents };
      return moneyMoved(now, { attemptId: attempt.id, outcome, payment }, act);
    });
  moved(one!, "done", 40_00);
  moved(two!, "failed", 0);
  const refundId = one!.refundId!;
  decide((now, act) => resolveRefund(now, { refundId }, act));
  moved(one!, "failed", 0);
  expect(state().refunds).toMatchObject([{ owedCents: 40_00, otherwiseCents: 60_00, hasFailed: true }]);
  expect(summaryOf(state().facts).attention).toContain("refund-failed");
  decide((now, act) => refundSeen(now, { paymentId: two!.paymentId, cents: 60_00 }, act));
  settle();
  expect(state().refunds).toMatchObject([{ owedCents: 0, otherwiseCents: 40_00 }]);
});

it("units of a refund over several payments are known, also while the first of them refuses it", () => {
  const { decide, settle, shipUnits, state } = orderOf("card", [40_00, 60_00]);
  shipUnits(1);
  shipUnits(2);
  decide((now, act) => refund(now, { reason: "damaged", units: [1, 2] }, act));
  settle("failed");
  expect(decide((now, act) => refund(now, { reason: "damaged", units: [1] }, act))).toMatchObject({
    reason: "refunded-units",
  });
  expect(state().refunds.map(({ owedCents }) => owedCents)).toEqual([100_00]);
});

it("the tax of a refund is that of its units, and none of another line's", () => {
  const { decide, shipUnits, state } = orderOf("page", [89_00, 24_00], { taxCents: 6_45, shippingCents: 9_99 });
  shipUnits(1, 2);
  decide((now, act) => refund(now, { reason: "damaged", units: [1] }, act));
  const [{ items }] = state().refunds as [OrderState["refunds"][number]];
  expect([centsOf(items), taxOf(items)]).toEqual([89_00 + 6_45, 6_45]);
});

it.each<[string, (order: ReturnType<typeof orderOf>) => void, object]>([
  ["not before it was announced", () => undefined, { ok: false, reason: "not-announced" }],
  [
    "not before the announced day",
    ({ decide }) => decide((now, act) => announceEarly(now, { units: [1, 2] }, act)),
    { ok: false, reason: "announced", day: "2027-01-07" },
  ],
  [
    "on the announced day",
    ({ decide, setTime }) => {
      decide((now, act) => announceEarly(now, { units: [1, 2] }, act));
      setTime("2027-01-07T17:00:00Z");
    },
    { ok: true },
  ],
  [
    "before that day, once the buyer asks for it",
    ({ decide }) => {
      decide((now, act) => announceEarly(now, { units: [1, 2] }, act));
      decide((now, act) => approveCharges(now, {}, act));
    },
    { ok: true },
  ],
  [
    "not on the announced day of an order that was delayed since",
    ({ decide, setTime }) => {
      decide((now, act) => announceCharge(now, {}, act));
      decide((now, act) => delay(now, { until: "2027-02-01", reason: "supplier" }, act));
      setTime("2027-01-07T17:00:00Z");
    },
    { ok: false, reason: "not-announced" },
  ],
  [
    "not for a unit that the announcement did not name",
    ({ decide, setTime }) => {
      decide((now, act) => announceEarly(now, { units: [1] }, act));
      setTime("2027-01-07T17:00:00Z");
    },
    { ok: false, reason: "not-announced" },
  ],
])("a kept card is charged only as it was announced: %s", (_name, before, result) => {
  const order = orderOf("card", [40_00, 60_00], { shippingCents: 9_99 });
  before(order);
  expect(order.decide((now, act) => ship(now, { carrier: "ups", trackingNumber: "1" }, act))).toMatchObject(result);
});

it("a mixed order is announced whole, some days before it was promised, and a refused charge stays announced", () => {
  const order = orderOf("card", [40_00, 60_00], { shippingCents: 9_99 });
  const { decide, settle, setTime, state } = order;
  expect(decide((now, act) => announceCharge(now, {}, act))).toMatchObject({
    change: { emails: [{ template: "charge-announced", day: "2027-01-07", cents: 109_99, units: [1, 2] }] },
  });
  expect(decide((now, act) => announceCharge(now, {}, act))).toMatchObject({ reason: "not-due" });
  setTime("2027-01-07T17:00:00Z");
  const ships = () => decide((now, act) => ship(now, { carrier: "ups", trackingNumber: `${act.newId()}` }, act));
  expect(ships()).toMatchObject({ ok: true });
  settle("failed");
  expect([summaryOf(state().facts).attention, ships()]).toMatchObject([["card-refused"], { reason: "not-paid" }]);
  saveCard(order);
  expect(ships()).toMatchObject({ ok: true });
  settle();
  expect(state().money.paidCents).toBe(109_99);
});

/** A new card replaces the one whose bank refused the charge. */
const saveCard = (order: Order) =>
  order.set((facts) => ({
    ...facts,
    payments: [...facts.payments, { ...facts.payments[0]!, id: "page-1", refusedAt: null }],
  }));
const unpaid = ({ decide }: Order) => decide((now, act) => endUnpaid(now, {}, act));

it.each<[string, string | null, string | null]>([
  ["an unknown day", null, null],
  ["a day on silence", "2027-01-20", "2027-01-20"],
  ["a day that was agreed to", "2027-02-20", "2027-02-20"],
])(
  "a refused charge can be paid while its order is delayed to %s, but by the next card on that day",
  (_name, until, day) => {
    const order = orderOf("card", [40_00, 60_00], { shippingCents: 9_99 });
    const { decide, settle, setTime, state } = order;
    decide((now, act) => announceCharge(now, {}, act));
    setTime("2027-01-07T17:00:00Z");
    const ships = () => decide((now, act) => ship(now, { carrier: "ups", trackingNumber: `${act.newId()}` }, act));
    ships();
    settle("failed");
    decide((now, act) => delay(now, { until, reason: "unpaid" }, act));
    decide((now, act) => acceptDelay(now, {}, act));
    expect(refusedCents(state())).toBe(109_99);
    setTime("2027-01-12T17:00:00Z");
    saveCard(order);
    expect(ships()).toMatchObject({ reason: "not-announced" });
    expect(summaryOf(state().facts).announceOn).toBe(day && daysAfter(day, -3));
    decide((now, act) => announceEarly(now, { units: [1, 2] }, act));
    setTime("2027-01-15T17:00:00Z");
    expect(ships()).toMatchObject({ ok: true });
    settle();
    expect(state().money.paidCents).toBe(109_99);
  },
);

it.each<[name: string, until: string | null | undefined, isAgreed: boolean, time: string]>([
  ["no notice", undefined, false, "2027-01-15T17:00:00Z"],
  ["a notice that nobody answered", null, false, "2027-01-15T17:00:00Z"],
  ["a yes to an unknown day", null, true, "2027-01-15T17:00:00Z"],
  ["the day to which a notice was agreed", "2027-01-20", false, "2027-01-21T17:00:00Z"],
  ["a day that got a yes", "2027-02-20", true, "2027-02-21T17:00:00Z"],
])("what is not paid is canceled after %s", (_name, until, isAgreed, time) => {
  const order = orderOf("card", [40_00]);
  announce(order, 1);
  order.setTime("2027-01-07T17:00:00Z");
  order.decide((now, act) => ship(now, { units: [1], carrier: "ups", trackingNumber: "1" }, act));
  order.settle("failed");
  if (until !== undefined) order.decide((now, act) => delay(now, { until, reason: "unpaid" }, act));
  if (isAgreed) order.decide((now, act) => acceptDelay(now, {}, act));
  if (until) {
    order.setTime(`${until}T17:00:00Z`);
    expect(unpaid(order)).toEqual({ ok: true, change: {} });
  }
  order.setTime(time);
  unpaid(order);
  expect(order.state().stage).toBe("canceled");
});

/** The charge of the first of two units was refused, and its buyer pays it on a page, with a new card. */
function paidRefusal(hasCard = true) {
  const order = orderOf("card", [40_00, 35_00]);
  announce(order, 1);
  order.setTime("2027-01-07T17:00:00Z");
  order.decide((now, act) => ship(now, { units: [1], carrier: "ups", trackingNumber: "1" }, act));
  order.settle("failed");
  const opened = page({ id: "page-9", kind: "page", createdAt: new Date("2027-01-07T18:00:00Z") });
  const payment = { ...opened, state: "authorized", authorizedCents: 40_00, hasCard } as const;
  return { ...order, pay: () => order.decide((now, act) => confirmOrder(now, { payment }, act)) };
}

it.each<[string, boolean]>([
  ["which kept a card", true],
  ["which kept none", false],
])(
  "what the buyer paid on a page %s can be paid again, on a page or as announced, if its capture fails",
  (_name, hasCard) => {
    const order = paidRefusal(hasCard);
    order.pay();
    order.setTime("2027-01-12T17:00:00Z");
    const ships = () =>
      order.decide((now, act) => ship(now, { units: [1], carrier: "ups", trackingNumber: act.newId() }, act));
    ships();
    order.settle("failed");
    const { card, isRefused } = order.state().money;
    expect([isRefused, card?.refusedAt, refusedCents(order.state())]).toEqual([
      true,
      new Date("2027-01-12T17:00:00Z"),
      40_00,
    ]);
    expect(ships()).toMatchObject({ reason: "not-paid" });
    saveCard(order);
    expect(ships()).toMatchObject({ ok: true });
  },
);

it("what the buyer paid for a refused parcel pays no other one", () => {
  const order = paidRefusal();
  order.pay();
  const shipUnit = (unit: number) =>
    order.decide((now, act) => ship(now, { units: [unit], carrier: "ups", trackingNumber: `unit ${unit}` }, act));
  expect(shipUnit(2)).toMatchObject({ reason: "not-announced" });
  announce(order, 2);
  order.decide((now, act) => approveCharges(now, {}, act));
  expect(shipUnit(2)).toMatchObject({ ok: true });
  order.settle();
  expect(order.state().money).toMatchObject({ paidCents: 35_00, authorized: { id: "page-9" } });
  expect(shipUnit(1)).toMatchObject({ ok: true });
  order.settle();
  expect(order.state().money).toMatchObject({ paidCents: 75_00, authorized: null });
});

it.each(["before", "after"])("a payment of a refused parcel is released, made %s that is canceled", (when) => {
  const order = paidRefusal();
  if (when === "before") order.pay();
  cancel(order, 1);
  if (when === "after") order.pay();
  expect(order.state().facts.attempts).toContainEqual(
    expect.objectContaining({ kind: "void", paymentId: "page-9", state: "asked" }),
  );
});

const link = ({ decide, state }: ReturnType<typeof orderOf>): Partial<Payment> => {
  const fee = { kind: "fee", unit: null, cents: 35_00, taxCents: 0 } as const;
  decide((_now, act) => ({ ok: true, change: askToPay([fee], { returnId: "return" }, act) }));
  return { id: "link", chargeId: state().charges.at(-1)!.id, amountCents: 35_00 };
};

it.each<[string, (order: ReturnType<typeof orderOf>) => Partial<Payment>, number, object]>([
  ["all that is due", () => ({}), 109_99, { paidCents: 109_99, leftCents: 109_99 }],
  ["more than is due", () => ({}), 120_00, { paidCents: 120_00, leftCents: 109_99 }],
  ["less than is due", () => ({}), 50_00, { paidCents: 50_00, leftCents: 0 }],
  ["what a link asks for", link, 35_00, { paidCents: 35_00, leftCents: 35_00 }],
  ["less than a link asks for", link, 30_00, { paidCents: 30_00, leftCents: 0 }],
  [
    "what the first payment has paid",
    (order) => {
      order.shipUnits(1, 2);
      return { id: "page-1" };
    },
    109_99,
    { paidCents: 219_98, leftCents: 109_99 },
  ],
])(
  "a capture that the shop did not ask for pays what it suffices for, and no more: %s",
  (_name, known, cents, money) => {
    const order = orderOf("page", [40_00, 60_00], { shippingCents: 9_99 });
    const { decide, settle, state } = order;
    const captured = { kind: "page", state: "captured", capturedCents: cents, createdAt: AT } as const;
    const payment = page({ id: "page-0", ...captured, ...known(order) });
    const seen = (read: Payment) => {
      decide((now, act) => {
        const decision = captureSeen(now, { payment: read }, act);
        return decision.ok ? decided({ payments: [read] }, decision.change) : decision;
      });
      settle();
    };
    seen(payment);
    expect(state().money).toMatchObject(money);
    const { charges } = state();
    seen(state().facts.payments.find(({ id }) => id === payment.id)!);
    expect([state().money, state().charges]).toMatchObject([money, charges]);
  },
);

it("a parcel whose charge was captured for less in the dashboard does not leave, and the money is given back", () => {
  const { decide, settle, state } = orderOf("page", [40_00, 60_00], { shippingCents: 9_99 });
  decide((now, act) => ship(now, { carrier: "ups", trackingNumber: "1" }, act));
  const { id: attemptId, paymentId } = state().facts.attempts.find(({ kind }) => kind === "capture")!;
  const was = state().facts.payments.find(({ id }) => id === paymentId)!;
  const payment = { ...was, state: "captured", capturedCents: 50_00 } as const;
  const read = decide((now, act) => attemptRead(now, { attemptId, outcome: "done", payment }, act));
  expect(read).toMatchObject({ change: { emails: [{ template: "payment-request", why: "capture-failed" }] } });
  expect(state()).toMatchObject({
    stage: "to-ship",
    parcels: [{ state: "failed" }],
    money: { paidCents: 50_00, leftCents: 0 },
    refunds: [{ reason: "surplus", underWayCents: 50_00 }],
  });
  settle();
  expect(state().refunds).toMatchObject([{ owedCents: 0, doneCents: 50_00 }]);
  expect([situationOf(state(), AT), summaryOf(state().facts).attention]).toEqual(["pay", ["pay-again"]]);
  const again = page({ id: "page-1", kind: "page", state: "authorized", authorizedCents: 109_99, createdAt: AT });
  decide(() => decided({ payments: [again] }));
  expect(summaryOf(state().facts)).toMatchObject({ paymentStatus: "authorized", attention: [] });
  decide((now, act) => ship(now, { carrier: "ups", trackingNumber: "2" }, act));
  settle();
  expect(state()).toMatchObject({ stage: "shipped", money: { paidCents: 159_99, leftCents: 109_99 } });
});

it.each<[string, "page" | "arranged"]>([
  ["whose payment failed", "page"],
  ["that was placed without a payment", "arranged"],
])("the rest of an order %s is paid after what cost nothing has shipped", (_name, mode) => {
  const { decide, settle, shipUnits, state } = orderOf(mode, [0, 40_00], { shippingCents: 9_99 });
  shipUnits(1);
  if (mode === "page") {
    decide((now, act) => ship(now, { carrier: "ups", trackingNumber: "1" }, act));
    settle("failed");
  }
  expect(state()).toMatchObject({ stage: "partly-shipped", money: { paidCents: 0 } });
  const arrangement = { how: "check", reference: "1042" };
  const record = (cents: number) => decide((now, act) => recordPayment(now, { cents, arrangement }, act));
  expect(record(40_00)).toMatchObject({ reason: "meanwhile" });
  expect(record(49_99)).toMatchObject({ ok: true });
  expect(record(49_99)).toMatchObject({ reason: "paid" });
  shipUnits(2);
  expect(state()).toMatchObject({ stage: "shipped", money: { paidCents: 49_99 } });
});

const announce = (order: Order, unit: number) => order.decide((now, act) => announceEarly(now, { units: [unit] }, act));
const cancel = (order: Order, unit: number) =>
  order.decide((now, act) =>
    cancelUnits(now, { units: [unit], reason: "damaged", restocks: true, refundsReplacements: true }, act),
  );

it.each<[string, (order: Order) => void]>([
  [
    "announced after the unit with which it was announced was canceled",
    (order) => {
      announce(order, 1);
      cancel(order, 1);
      announce(order, 2);
    },
  ],
  [
    "announced before that",
    (order) => {
      announce(order, 1);
      announce(order, 2);
      cancel(order, 1);
    },
  ],
  [
    "announced with a unit that ships later",
    (order) => {
      announce(order, 1);
      announce(order, 2);
    },
  ],
])("the shipping is charged with the first parcel, %s", (_name, before) => {
  const order = orderOf("card", [40_00, 60_00], { shippingCents: 9_99 });
  before(order);
  order.setTime("2027-01-21T17:00:00Z");
  order.decide((now, act) => ship(now, { units: [2], carrier: "ups", trackingNumber: "1" }, act));
  order.settle();
  expect(order.state().money.paidCents).toBe(69_99);
});

it("each unit is charged once to a kept card, also if its parcel was undone, and none that was canceled", () => {
  const order = orderOf("card", [50_00, 40_00, 30_00]);
  order.shipUnits(1);
  const parcelId = order.state().parcels[0]!.id;
  order.decide((now, act) => undoShipment(now, { parcelId }, act));
  order.shipUnits(2);
  order.shipUnits(1);
  cancel(order, 3);
  expect(order.state()).toMatchObject({ stage: "shipped", refunds: [], money: { paidCents: 90_00 } });
  const captured = order.state().facts.attempts.filter(({ state }) => state === "done");
  expect(captured.map(({ cents }) => cents)).toEqual([50_00, 40_00]);
});

it.each<[string, Partial<RefundRequest>, boolean, number | "too-little", number]>([
  ["was refunded by an amount", { goodwillCents: 80_00 }, true, 0, 40_00],
  ["is refunded with what an amount left", { goodwillCents: 100_00 }, false, 20_00, 0],
  ["was refunded with the whole order", { goodwillCents: 120_00 }, false, 0, 0],
  ["is no part of an amount that is less", { goodwillCents: 79_99 }, true, "too-little", 40_01],
])("the rest that is canceled %s", (_what, request, isRefunded, refundCents, leftCents) => {
  const { decide, settle, shipUnits, state } = orderOf("page", [40_00, 40_00, 40_00]);
  shipUnits(1);
  decide((now, act) => refund(now, { reason: "missing", ...request }, act));
  settle();
  const rest = { units: [2, 3], reason: "sold-out", restocks: true, refundsReplacements: true, isRefunded } as const;
  const canceled = decide((now, act) => cancelUnits(now, rest, act));
  settle();
  expect(canceled).toMatchObject(
    refundCents === "too-little"
      ? { ok: false, reason: refundCents }
      : { ok: true, change: { emails: [{ template: "order-changed", refundCents }] } },
  );
  // The one that was kept has its name, too, once nothing is left of its money.
  expect([state().money.leftCents, state().units[0]!.refunded !== null]).toEqual([leftCents, leftCents === 0]);
});

it("a canceled unit leaves the payment of a return alone, which is being taken", () => {
  const { decide, shipUnits, state } = orderOf("page", [40_00, 60_00]);
  shipUnits(1);
  const fee = { kind: "fee" as const, unit: null, cents: 35_00, taxCents: 0 };
  decide((_now, act) => ({ ok: true, change: askToPay([fee], { returnId: "return" }, act) }));
  const chargeId = state().charges.at(-1)!.id;
  const link = page({ id: "link", kind: "page", state: "authorized", chargeId, authorizedCents: 35_00, createdAt: AT });
  decide((now, act) => takeLinked(now, { payment: link }, act));
  const canceled = { units: [2], reason: "damaged", restocks: true, refundsReplacements: true } as const;
  expect(decide((now, act) => cancelUnits(now, canceled, act))).toMatchObject({ ok: true });
  expect(state().facts.attempts.flatMap(({ paymentId, kind }) => (paymentId === "link" ? kind : []))).toEqual([
    "capture",
  ]);
});

it("the shipping is refunded with the last unit, if the others were lost and refunded", () => {
  const { decide, settle, shipUnits, state } = orderOf("card", [40_00, 60_00], { shippingCents: 9_99 });
  shipUnits(1);
  const parcelId = state().facts.parcels[0]!.id;
  decide((now, act) => parcelNews(now, { parcelId, state: "lost" }, act));
  decide((now, act) => refund(now, { reason: "lost", units: [1] }, act));
  settle();
  decide((now, act) =>
    cancelUnits(now, { units: [2], reason: "damaged", restocks: true, refundsReplacements: true }, act),
  );
  expect([state().stage, state().money.leftCents]).toEqual(["canceled", 0]);
});

it.each<[string, ...Partial<Payment>[]]>([
  ["none"],
  ["unpaid", { state: "closed" }],
  ["card-saved", { state: "saved", hasCard: true }],
  ["failed", { state: "saved", hasCard: true, refusedAt: AT }],
  ["authorized", { state: "saved", hasCard: true, refusedAt: AT }, { state: "authorized" }],
  ["failed", { state: "failed" }],
  ["authorized", { state: "failed" }, { state: "authorized" }],
  ["captured", { state: "captured", capturedCents: 40_00 }],
  ["partly-charged", { state: "saved", hasCard: true }, { state: "captured", capturedCents: 40_00 }],
  ["partly-refunded", { state: "captured", capturedCents: 40_00, refundedCents: 1 }],
  ["refunded", { state: "captured", capturedCents: 40_00, refundedCents: 40_00 }],
  ["mismatch", { state: "mismatch" }, { state: "authorized" }],
  ["disputed", { state: "captured", capturedCents: 40_00, dispute: "open" }, { state: "mismatch" }],
])("is %s by its payments", (status, ...payments) => {
  const { facts } = begin({ mode: "arranged", lines: [], shippingCents: 0, shippingTaxCents: 0 });
  const known = payments.map((payment, place) =>
    page({ id: `page-${place}`, kind: "page", createdAt: AT, ...payment }),
  );
  expect(summaryOf({ ...facts, payments: known }).paymentStatus).toBe(status);
});

it("what is charged for a return's unit is no price of a lost one that was given back with all the rest", () => {
  const { decide, shipUnits, state, set } = orderOf("page", [24_00, 24_00]);
  shipUnits(1, 2);
  decide((now, act) => parcelNews(now, { parcelId: now.parcels[0]!.id, state: "lost" }, act));
  decide((now, act) => refundSeen(now, { paymentId: "page-0", cents: 48_00 }, act));
  const sent = { number: 3, returnId: "return" };
  const charge = { id: "difference", state: "paid", returnId: "return" } as const;
  const item = { kind: "unit", unit: 3, cents: 30_00, taxCents: 0, chargeId: charge.id, releasedAt: null } as const;
  set((facts) => ({
    ...facts,
    units: [...facts.units, { ...facts.units[1]!, ...sent }],
    charges: [...facts.charges, { ...facts.charges[0]!, ...charge }],
    chargeItems: [...facts.chargeItems, item],
  }));
  expect(state().units.map(({ refunded }) => refunded !== null)).toEqual([true, true, false]);
});

it("a lost dispute is a refund of the bank's: nothing of it is given back again, and the tax of its sale stays due", () => {
  const { decide, set, shipUnits, state } = orderOf("page", [89_00], { taxCents: 6_45 });
  shipUnits(1);
  const dispute = (is: Payment["dispute"]) =>
    set((facts) => ({ ...facts, payments: facts.payments.map((each) => ({ ...each, dispute: is })) }));
  dispute("open");
  expect(summaryOf(state().facts).paymentStatus).toBe("disputed");
  dispute("lost");
  decide((now, act) => disputeLost(now, { paymentId: "page-0", cents: 95_45 }, act));
  expect([summaryOf(state().facts), state().money.leftCents]).toMatchObject([
    { paymentStatus: "dispute-lost", attention: [] },
    0,
  ]);
  expect(decide((now, act) => refund(now, { reason: "damaged", units: [1] }, act))).toMatchObject({ ok: false });
  expect(state().facts.taxRecords).toMatchObject([{ refundId: null, parts: [{ taxCents: 6_45 }] }]);
  expect(decide((now, act) => disputeLost(now, { paymentId: "page-0", cents: 95_45 }, act))).toEqual({
    ok: true,
    change: {},
  });
});

it.each<[string, "failed" | "under way", number, object[]]>([
  [
    "all of a failed one, and the rest",
    "failed",
    100_00,
    [{ otherwiseCents: 40_00 }, { reason: "dispute", cents: 60_00 }],
  ],
  ["a part of a failed one", "failed", 30_00, [{ owedCents: 10_00, otherwiseCents: 30_00, hasFailed: true }]],
  ["one under way", "under way", 100_00, [{ otherwiseCents: 40_00 }, { reason: "dispute", cents: 60_00 }]],
  ["a part of one under way", "under way", 30_00, [{ owedCents: 10_00, otherwiseCents: 30_00, hasFailed: true }]],
])(
  "what the bank took with a dispute pays what was promised, which is not sent again: %s",
  (_name, is, cents, refunds) => {
    const { decide, settle, set, shipUnits, state } = orderOf("page", [40_00, 60_00], { taxCents: 2_00 });
    shipUnits(1, 2);
    decide((now, act) => refund(now, { reason: "damaged", goodwillCents: 40_00 }, act));
    if (is === "failed") settle("failed");
    set((facts) => ({ ...facts, payments: facts.payments.map((each) => ({ ...each, dispute: "lost" })) }));
    decide((now, act) => disputeLost(now, { paymentId: "page-0", cents }, act));
    settle();
    expect(state().refunds).toMatchObject(refunds);
    expect(state().refunds).toHaveLength(refunds.length);
  },
);

const ships = ({ decide }: Order, ...units: number[]) =>
  decide((now, act) => ship(now, { ...(units.length > 0 && { units }), carrier: "ups", trackingNumber: "next" }, act));
const dispute = ({ set }: Order, is: Payment["dispute"]) =>
  set((facts) => ({ ...facts, payments: facts.payments.map((each) => ({ ...each, dispute: is })) }));

it("a unit that waits, or is being packed, is not refunded by its name: canceling refunds it", () => {
  const order = orderOf("page", [40_00, 60_00]);
  const refunds = (unit: number) => order.decide((now, act) => refund(now, { reason: "damaged", units: [unit] }, act));
  const offered = () => linesOf(order.state()).map(({ refundable }) => refundable.length);
  order.shipUnits(1);
  expect([refunds(2), offered()]).toMatchObject([{ reason: "not-shipped", name: "Product 1" }, [1, 0]]);
  expect(refunds(1)).toMatchObject({ ok: true });
  expect(ships(order)).toMatchObject({ ok: true });
  order.settle();
  expect([refunds(2), offered()]).toMatchObject([{ ok: true }, [0, 0]]);
});

const OVER_EVERYTHING: [string, (order: Order) => void][] = [
  [
    "by a lost dispute",
    (order) => {
      dispute(order, "lost");
      order.decide((now, act) => disputeLost(now, { paymentId: "page-0", cents: 100_00 }, act));
    },
  ],
  [
    "in the provider’s dashboard",
    ({ decide, settle }) => {
      decide((now, act) => refundSeen(now, { paymentId: "page-0", cents: 100_00 }, act));
      settle();
    },
  ],
  [
    "as an amount",
    ({ decide, settle }) => {
      decide((now, act) => refund(now, { reason: "goodwill", goodwillCents: 100_00 }, act));
      settle();
    },
  ],
  [
    "as an amount that the bank refused",
    ({ decide, settle }) => {
      decide((now, act) => refund(now, { reason: "goodwill", goodwillCents: 100_00 }, act));
      settle("failed");
    },
  ],
];

it.each(OVER_EVERYTHING)("what waits does not ship once all was given back %s, and staff cancel it", (_name, give) => {
  const order = orderOf("page", [40_00, 60_00]);
  const { decide, setTime, shipUnits, state } = order;
  shipUnits(1);
  give(order);
  expect([ships(order), ships(order, 2)]).toMatchObject([{ reason: "to-cancel" }, { reason: "to-cancel" }]);
  expect(summaryOf(state().facts).attention).toContain("to-cancel");
  // Nobody waits for it.
  setTime("2027-01-09T17:00:00Z");
  const late = decide((now, act) => delayLate(now, {}, act));
  expect(late).toMatchObject({ ok: false });
  expect(["refunded", "on-its-way"]).toContain(situationOf(state(), AT));
  const canceled = { units: [2], reason: "asked", restocks: true, refundsReplacements: true } as const;
  expect(decide((now, act) => cancelUnits(now, { ...canceled, isRefunded: true }, act))).toMatchObject({ ok: true });
  expect(summaryOf(state().facts).attention).not.toContain("to-cancel");
  expect(state()).toMatchObject({ stage: "shipped", money: { leftCents: 0 } });
});

it("an order that was given back before anything shipped is not prepared", () => {
  const order = orderOf("page", [40_00]);
  order.shipUnits(1);
  order.decide((now, act) => undoShipment(now, { parcelId: now.parcels[0]!.id }, act));
  order.decide((now, act) => refund(now, { reason: "goodwill", goodwillCents: 40_00 }, act));
  expect([situationOf(order.state(), AT), ships(order)]).toMatchObject(["refunding", { reason: "to-cancel" }]);
  order.settle();
  expect(situationOf(order.state(), AT)).toBe("refunded");
  order.decide((now, act) => endOrder(now, { as: "canceled" }, act));
  expect(order.state()).toMatchObject({ stage: "canceled", money: { leftCents: 0 } });
});

it("what is not paid ships although all that was paid is given back, and a customer’s own goes back", () => {
  const order = orderOf("card", [40_00, 60_00]);
  order.shipUnits(1);
  order.decide((now, act) => parcelNews(now, { parcelId: now.parcels[0]!.id, state: "delivered" }, act));
  order.decide((now, act) => refund(now, { reason: "goodwill", goodwillCents: 40_00 }, act));
  order.settle();
  order.set((facts) => ({
    ...facts,
    returned: [
      {
        returnId: "return",
        unit: 1,
        condition: null,
        isRestocked: false,
        promisesShipping: false,
        receivedAt: AT,
        goesBackAt: AT,
        endedAt: null,
      },
    ],
    packed: facts.packed.map((each) => ({ ...each, releasedAt: AT })),
    units: facts.units.map((unit) => ({ ...unit, isOwn: unit.number === 1 })),
  }));
  expect(summaryOf(order.state().facts).attention).toEqual([]);
  expect(order.shipUnits(2)).toMatchObject({ ok: true });
  expect(ships(order)).toMatchObject({ ok: true });
  expect(order.state().units.map(({ place }) => place)).toEqual(["shipped", "shipped"]);
});

it.each<[string, Partial<Payment>]>([
  ["disputed", { dispute: "open" }],
  ["mismatch", { state: "mismatch" }],
])("nothing ships while a payment is in question: %s", (reason, payment) => {
  const order = orderOf("page", [0, 60_00]);
  order.set((facts) => ({ ...facts, payments: [{ ...facts.payments[0]!, ...payment }] }));
  expect([ships(order), ships(order, 1)]).toMatchObject([{ reason }, { reason }]);
});

it("a link whose charge was captured for less is asked for again, and the money is given back", () => {
  const order = orderOf("page", [40_00]);
  const { decide, settle, state } = order;
  const opened = page({ kind: "page", id: "link", createdAt: AT, ...link(order) });
  const payment = { ...opened, state: "authorized", authorizedCents: 35_00 } as const;
  decide((now, act) => takeLinked(now, { payment }, act));
  const { id: attemptId } = state().facts.attempts.find(({ paymentId }) => paymentId === "link")!;
  const read = { ...payment, state: "captured", capturedCents: 30_00 } as const;
  const short = decide((now, act) => attemptRead(now, { attemptId, outcome: "done", payment: read }, act));
  expect(short).toMatchObject({ change: { emails: [{ template: "return-payment", cents: 35_00 }] } });
  settle();
  expect(state().money).toMatchObject({ paidCents: 30_00, leftCents: 0 });
  expect(state().charges).toMatchObject([
    { by: "link", state: "asked", dueCents: 35_00 },
    { state: "paid", cents: 30_00 },
  ]);
  decide((now, act) => takeLinked(now, { payment: { ...payment, id: "again" } }, act));
  settle();
  expect(state().money).toMatchObject({ paidCents: 65_00, leftCents: 35_00 });
});

it("an authorization is released once nothing that waits costs anything", () => {
  const { decide, settle, state } = orderOf("page", [0, 40_00], { shippingCents: 9_99 });
  const canceled = { units: [2], reason: "sold-out", restocks: true, refundsReplacements: true } as const;
  decide((now, act) => cancelUnits(now, canceled, act));
  expect(state().facts.attempts).toMatchObject([{ kind: "void", paymentId: "page-0" }]);
  settle();
  expect(summaryOf(state().facts).attention).toEqual([]);
});

const byCheck = { how: "check", reference: "1042" } as const;
/** Paid by check, and shipped. */
function paidByCheck(): Order {
  const order = orderOf("arranged", [89_00]);
  order.decide((now, act) => recordPayment(now, { cents: 89_00, arrangement: byCheck }, act));
  return order;
}
/** Paid by card, and then $35.00 by check for a charge of a return. */
function paidByBoth(): Order {
  const order = orderOf("page", [89_00]);
  order.shipUnits(1);
  const item = { kind: "fee", unit: null, cents: 35_00, taxCents: 0 } as const;
  order.decide((_state, act) => decided(askToPay([item], { returnId: "return" }, act)));
  order.decide((now, act) =>
    decided(
      recordLinked(
        now,
        now.charges.find(({ by }) => by === "link")!,
        byCheck,
        act,
      ),
    ),
  );
  return order;
}
const gives = ({ decide }: Order, goodwillCents: number) =>
  decide((now, act) => refund(now, { reason: "goodwill", goodwillCents }, act));
const asked = ({ state }: Order) =>
  state().facts.attempts.flatMap(({ kind, state: is, paymentId, cents }) =>
    kind === "refund" && is === "asked" ? [[paymentId, cents]] : [],
  );
const owedOf = ({ state }: Order) =>
  state().refunds.map(({ atProviderCents, byHandCents, hasFailed }) => ({ atProviderCents, byHandCents, hasFailed }));
const records = (order: Order, place = 0) =>
  order.decide((now, act) => {
    const { id: refundId, byHandCents: cents } = now.refunds[place]!;
    return recordSent(now, { refundId, cents }, act);
  });

it("what was paid to staff is owed until they record that they have sent it, once", () => {
  const order = paidByCheck();
  order.shipUnits(1);
  expect(gives(order, 50_00)).not.toMatchObject({ change: { emails: expect.anything() } });
  expect([asked(order), owedOf(order)]).toEqual([[], [{ atProviderCents: 0, byHandCents: 50_00, hasFailed: false }]]);
  expect(summaryOf(order.state().facts)).toMatchObject({ paymentStatus: "captured", attention: ["refund-owed"] });
  const { id: refundId } = order.state().refunds[0]!;
  const recorded = (cents: number) => order.decide((now, act) => recordSent(now, { refundId, cents }, act));
  expect(order.decide((now, act) => retryRefund(now, { refundId }, act))).toMatchObject({ reason: "not-at-provider" });
  expect(order.decide((now, act) => resolveRefund(now, { refundId }, act))).toEqual({ ok: true, change: {} });
  expect(recorded(40_00)).toMatchObject({ reason: "meanwhile" });
  expect(recorded(50_00)).toMatchObject({
    change: { emails: [{ template: "refund-issued", cents: 50_00, sent: "by-hand" }] },
  });
  expect(recorded(50_00)).toEqual({ ok: true, change: {} });
  expect(summaryOf(order.state().facts)).toMatchObject({ paymentStatus: "partly-refunded", attention: [] });
});

it("nothing is owed of a canceled order once staff have recorded that they sent its money", () => {
  const order = paidByCheck();
  order.decide((now, act) => endOrder(now, { as: "canceled" }, { ...act, by: "customer" }));
  expect(summaryOf(order.state().facts).attention).toEqual(["refund-owed"]);
  records(order);
  expect([owedOf(order), summaryOf(order.state().facts)]).toMatchObject([
    [{ byHandCents: 0 }],
    { paymentStatus: "refunded", attention: [] },
  ]);
});

it("a refund says what moves at the provider, and what staff send: each cent once", () => {
  const order = paidByBoth();
  const said = (cents: number) => waysOf(order.state().money.refundable, cents);
  const fee = { services: [{ returnId: "return", kind: "fee" }] } as const;
  const promises = (request: object) => order.decide((now, act) => refund(now, { reason: "late", ...request }, act));
  expect([said(89_00), said(100_00)]).toMatchObject([
    { atProviderCents: 89_00, byHandCents: 0 },
    { atProviderCents: 89_00, byHandCents: 11_00 },
  ]);
  promises(fee);
  promises({ units: [1] });
  expect(asked(order)).toEqual([
    ["page-0", 35_00],
    ["page-0", 54_00],
  ]);
  // What is owed by hand is not promised again.
  expect(said(35_00)).toMatchObject({ atProviderCents: 0, byHandCents: 0 });
  order.settle("failed");
  expect(owedOf(order)).toEqual([
    { atProviderCents: 35_00, byHandCents: 0, hasFailed: true },
    { atProviderCents: 54_00, byHandCents: 35_00, hasFailed: true },
  ]);
  expect(summaryOf(order.state().facts).attention).toEqual(["refund-failed", "refund-owed"]);
  records(order, 1);
  expect(owedOf(order)[1]).toEqual({ atProviderCents: 54_00, byHandCents: 0, hasFailed: true });
  for (const { id: refundId } of order.state().refunds) order.decide((now, act) => retryRefund(now, { refundId }, act));
  order.settle();
  expect(order.state().facts.payments).toMatchObject([{ refundedCents: 89_00 }, { refundedCents: 35_00 }]);
  expect(summaryOf(order.state().facts)).toMatchObject({ paymentStatus: "refunded", attention: [] });
});

it.each<[string, string, (order: Order) => void]>([
  ["a bank refused it", "refused", ({ settle }) => settle("failed")],
  [
    "no provider was asked for it",
    "otherwise",
    ({ set }) => set((facts) => ({ ...facts, attempts: facts.attempts.filter(({ refundId }) => refundId === null) })),
  ],
])("the email of a refund that was sent another way names the bank only if it refused: %s", (_name, sent, fails) => {
  const order = orderOf("page", [40_00]);
  order.shipUnits(1);
  gives(order, 10_00);
  fails(order);
  const resolved = order.decide((now, act) => resolveRefund(now, { refundId: now.refunds[0]!.id }, act));
  expect(resolved).toMatchObject({ change: { emails: [{ template: "refund-issued", cents: 10_00, sent }] } });
});
