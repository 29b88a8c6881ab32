/** Faults that lose money where it is derived from sums: each is refused, or adds up. */
import { expect, it } from "vitest";
import { daysAfter } from "#shop/new-york-time.ts";
import * as actions from "#tests/support/order-actions.ts";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { begin, page } from "#tests/support/order-world.ts";
import { arrived } from "#tests/support/return-in-memory.ts";
import { announceCharge, refusedCents } from "./actions/announce.ts";
import { endUnpaid } from "./actions/cancel.ts";
import { attemptRead, captureSeen } from "./actions/capture-seen.ts";
import { confirmOrder } from "./actions/confirm.ts";
import { delayLate } from "./actions/delay.ts";
import { moneyMoved } from "./actions/money-moved.ts";
import { askToPay, recordLinked, takeLinked } from "./actions/pay.ts";
import { disputeLost, recordSent, refundSeen, type RefundRequest } from "./actions/refund.ts";
import { decided } from "./change.ts";
import type { Attempt, Payment } from "./facts.ts";
import { linesOf } from "./lines.ts";
import { situationOf } from "./situation.ts";
import { centsOf, taxOf, waysOf } from "./order-money.ts";
import { payBy } from "./order-days.ts";
import type { OrderState } from "./state.ts";
import { summaryOf } from "./summary.ts";

const { after, amount, announced, approved, attentionOf, canceled, delayed, failed, gives, lost, packed } = actions;
const { newCard, paidByCheck, promised, refunded, retried, sent, sentByHand, settled, undone, withPayments } = actions;
type Order = actions.Order;
const AT = new Date("2027-01-04T12:00:00Z");
const NEXT_DAY = "2027-01-07T17:00:00Z";
const at =
  (time: string) =>
  ({ setTime }: Order) =>
    setTime(time);
const refundsOf = ({ state }: Order) => state().refunds;
const moneyOf = ({ state }: Order) => state().money;
/** Refunded in the provider's dashboard. */
const seen =
  (cents: number, more: { paymentId?: string; named?: string[] } = {}): actions.Action =>
  ({ decide }) =>
    decide((now, act) => refundSeen(now, { paymentId: "page-0", cents, ...more }, act));
const announcedInTime: actions.Action = ({ decide }) => decide((now, act) => announceCharge(now, {}, act));

it("a parcel is charged although another one was charged, undone, refunded and canceled before", () => {
  const order = after(orderOf("card", [40_00, 60_00]), sent(1), undone, refunded(1), canceled([1]), sent(2));
  expect(moneyOf(order)).toMatchObject({ paidCents: 100_00, leftCents: 60_00 });
});

it("a refund that failed stays owed, whatever else is refunded, until it is tried again", () => {
  const order = after(orderOf("page", [89_00]), sent(1), promised({ goodwillCents: 24_00 }), failed, amount(24_00));
  expect(refundsOf(order)).toMatchObject([
    { owedCents: 24_00, hasFailed: true },
    { owedCents: 0, hasFailed: false },
  ]);
  expect(summaryOf(order.state().facts).paymentStatus).toBe("refund-failed");
  expect(refundsOf(after(order, retried(), settled))).toMatchObject([{ owedCents: 0 }, { owedCents: 0 }]);
});

it.each<[string, number, object[]]>([
  ["all that is owed", 40_00, [{ owedCents: 0, otherwiseCents: 0 }]],
  ["a part of it", 30_00, [{ owedCents: 10_00 }]],
  ["more than it", 50_00, [{ owedCents: 0 }, { reason: "provider", cents: 10_00 }]],
])("a refund that failed and is made in the dashboard counts once: %s", (_name, cents, refunds) => {
  const order = after(orderOf("page", [40_00, 60_00]), sent(1, 2), promised({ units: [1] }), failed);
  expect(refundsOf(after(order, seen(cents), settled))).toMatchObject(refunds);
});

it.each<[string, number, object[], number]>([
  ["all of it", 100_00, [{ doneCents: 100_00, owedCents: 0 }], 100_00],
  ["a part of it", 30_00, [{ doneCents: 100_00, owedCents: 0 }], 100_00],
  ["more than it", 120_00, [{ doneCents: 100_00 }, { reason: "provider", cents: 20_00 }], 120_00],
  ["more than is left", 170_00, [{ doneCents: 100_00 }, { reason: "provider", cents: 50_00 }], 150_00],
])("a refund under way that the dashboard overtakes counts once: %s", (_name, cents, refunds, refundedCents) => {
  const order = after(orderOf("page", [40_00, 60_00, 50_00]), sent(1, 2, 3), promised({ units: [1, 2] }));
  expect(seen(cents)(order)).not.toMatchObject({ change: { emails: expect.anything() } });
  order.settle();
  expect(order.state()).toMatchObject({ refunds, facts: { payments: [{ refundedCents }] } });
  expect(attentionOf(order)).toEqual([]);
});

it("a refund that its provider names is not overtaken by another one", () => {
  const order = after(orderOf("page", [40_00, 60_00]), sent(1, 2), promised({ units: [1] }));
  const named = order.state().facts.attempts.flatMap(({ id, kind }) => (kind === "refund" ? id : []));
  after(order, seen(40_00, { named }), settled);
  expect(refundsOf(order)).toMatchObject([{ doneCents: 40_00 }, { reason: "provider", doneCents: 40_00 }]);
});

it("what a bank refuses late is owed, although the rest was sent another way, which the dashboard may do", () => {
  const order = after(orderOf("card", [40_00, 60_00]), sent(1), sent(2), promised({ units: [1, 2] }));
  const [one, two] = order.state().facts.attempts.filter(({ kind }) => kind === "refund");
  const moved = (attempt: Attempt, outcome: "done" | "failed", refundedCents: number) =>
    order.decide((now, act) => {
      const payment = { ...now.facts.payments.find(({ id }) => id === attempt.paymentId)!, refundedCents };
      return moneyMoved(now, { attemptId: attempt.id, outcome, payment }, act);
    });
  moved(one!, "done", 40_00);
  moved(two!, "failed", 0);
  actions.sentOtherwise(order);
  moved(one!, "failed", 0);
  expect(refundsOf(order)).toMatchObject([{ owedCents: 40_00, otherwiseCents: 60_00, hasFailed: true }]);
  expect(attentionOf(order)).toContain("refund-failed");
  after(order, seen(60_00, { paymentId: two!.paymentId }), settled);
  expect(refundsOf(order)).toMatchObject([{ owedCents: 0, otherwiseCents: 40_00 }]);
});

it("units of a refund over several payments are known, also while the first of them refuses it", () => {
  const order = after(orderOf("card", [40_00, 60_00]), sent(1), sent(2), promised({ units: [1, 2] }), failed);
  expect(promised({ units: [1] })(order)).toMatchObject({ reason: "refunded-units" });
  expect(refundsOf(order)).toMatchObject([{ owedCents: 100_00 }]);
});

it("the tax of a refund is that of its units, and none of another line's", () => {
  const order = after(orderOf("page", [89_00, 24_00], { taxCents: 6_45, shippingCents: 9_99 }), sent(1, 2));
  const [{ items }] = refundsOf(after(order, promised({ units: [1] }))) as [OrderState["refunds"][number]];
  expect([centsOf(items), taxOf(items)]).toEqual([89_00 + 6_45, 6_45]);
});

it.each<[string, ((order: Order) => unknown)[], object]>([
  ["not before it was announced", [], { reason: "not-announced" }],
  ["not before the announced day", [announced(1, 2)], { reason: "announced", day: "2027-01-07" }],
  ["on the announced day", [announced(1, 2), at(NEXT_DAY)], { ok: true }],
  ["before that day, once the buyer asks for it", [announced(1, 2), approved], { ok: true }],
  [
    "not on the announced day of an order that was delayed since",
    [announcedInTime, delayed("2027-02-01"), at(NEXT_DAY)],
    { reason: "not-announced" },
  ],
  ["not for a unit that was not announced", [announced(1), at(NEXT_DAY)], { reason: "not-announced" }],
])("a kept card is charged only as it was announced: %s", (_name, before, result) => {
  const order = after(orderOf("card", [40_00, 60_00], { shippingCents: 9_99 }), ...before);
  expect(packed()(order)).toMatchObject(result);
});

it("a mixed order is announced whole, some days before it was promised, and a refused charge stays announced", () => {
  const order = orderOf("card", [40_00, 60_00], { shippingCents: 9_99 });
  expect(announcedInTime(order)).toMatchObject({
    change: { emails: [{ template: "charge-announced", day: "2027-01-07", cents: 109_99, units: [1, 2] }] },
  });
  expect(announcedInTime(order)).toMatchObject({ reason: "not-due" });
  after(order, at(NEXT_DAY), packed(), failed);
  expect([attentionOf(order), packed()(order)]).toMatchObject([["card-refused"], { reason: "not-paid" }]);
  newCard(order);
  expect(packed()(order)).toMatchObject({ ok: true });
  expect(moneyOf(after(order, settled)).paidCents).toBe(109_99);
});

const unpaid: actions.Action = ({ decide }) => decide((now, act) => endUnpaid(now, {}, act));

it.each<[string, string | null, string | null]>([
  ["an unknown day", null, null],
  ["a day on silence", "2027-01-20", "2027-01-20"],
  ["a day that was agreed to", "2027-02-20", "2027-02-20"],
])(
  "a refused charge can be paid while its order is delayed to %s, but by the next card on that day",
  (_name, until, day) => {
    const order = orderOf("card", [40_00, 60_00], { shippingCents: 9_99 });
    after(order, announcedInTime, at(NEXT_DAY), packed(), failed, delayed(until), actions.accepted);
    expect(refusedCents(order.state())).toBe(109_99);
    after(order, at("2027-01-12T17:00:00Z"), newCard);
    expect(packed()(order)).toMatchObject({ reason: "not-announced" });
    expect(summaryOf(order.state().facts).announceOn).toBe(day && daysAfter(day, -3));
    after(order, announced(1, 2), at("2027-01-15T17:00:00Z"), packed(), settled);
    expect(moneyOf(order).paidCents).toBe(109_99);
  },
);

it.each<[name: string, until: string | null | undefined, isAgreed: boolean, day: string]>([
  ["the days of a refused charge", undefined, false, "2027-01-14"],
  ["the day to answer a notice", null, false, "2027-02-06"],
  ["that day also with a yes to an unknown one", null, true, "2027-02-06"],
  ["the day to which a notice was agreed", "2027-01-20", false, "2027-01-20"],
  ["a day that got a yes", "2027-02-20", true, "2027-02-20"],
  ["the day to say yes to it", "2027-02-20", false, "2027-02-06"],
])("what is not paid is canceled after %s", (_name, until, isAgreed, day) => {
  const order = after(orderOf("card", [40_00]), announced(1), at(NEXT_DAY), packed(1), failed);
  if (until !== undefined) delayed(until)(order);
  if (isAgreed) actions.accepted(order);
  expect(payBy(order.state())).toBe(day);
  expect(unpaid(after(order, at(`${day}T17:00:00Z`)))).toEqual({ ok: true, change: {} });
  expect(after(order, at(`${daysAfter(day, 1)}T17:00:00Z`), unpaid).state().stage).toBe("canceled");
});

/** The charge of the first of two units was refused, and its buyer pays it on a page, with a new card. */
function paidRefusal(hasCard = true) {
  const order = after(orderOf("card", [40_00, 35_00]), announced(1), at(NEXT_DAY), packed(1), failed);
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
    const refusedAt = new Date("2027-01-12T17:00:00Z");
    after(order, at("2027-01-12T17:00:00Z"), packed(1), failed);
    expect(moneyOf(order)).toMatchObject({ isRefused: true, card: { refusedAt } });
    expect([refusedCents(order.state()), packed(1)(order)]).toMatchObject([40_00, { reason: "not-paid" }]);
    expect(packed(1)(after(order, newCard))).toMatchObject({ ok: true });
  },
);

it("what the buyer paid for a refused parcel pays no other one", () => {
  const order = paidRefusal();
  order.pay();
  expect(packed(2)(order)).toMatchObject({ reason: "not-announced" });
  after(order, announced(2), approved, packed(2), settled);
  expect(moneyOf(order)).toMatchObject({ paidCents: 35_00, authorized: { id: "page-9" } });
  after(order, packed(1), settled);
  expect(moneyOf(order)).toMatchObject({ paidCents: 75_00, authorized: null });
});

it.each(["before", "after"])("a payment of a refused parcel is released, made %s that is canceled", (when) => {
  const order = paidRefusal();
  if (when === "before") order.pay();
  canceled([1])(order);
  if (when === "after") order.pay();
  expect(order.state().facts.attempts).toContainEqual(
    expect.objectContaining({ kind: "void", paymentId: "page-9", state: "asked" }),
  );
});

const link = ({ decide, state }: Order): Partial<Payment> => {
  const fee = { kind: "fee", unit: null, cents: 35_00, taxCents: 0 } as const;
  decide((_now, act) => ({ ok: true, change: askToPay([fee], { returnId: "return" }, act) }));
  return { id: "link", chargeId: state().charges.at(-1)!.id, amountCents: 35_00 };
};

it.each<[string, (order: Order) => Partial<Payment>, number, object]>([
  ["all that is due", () => ({}), 109_99, { paidCents: 109_99, leftCents: 109_99 }],
  ["more than is due", () => ({}), 120_00, { paidCents: 120_00, leftCents: 109_99 }],
  ["less than is due", () => ({}), 50_00, { paidCents: 50_00, leftCents: 0 }],
  ["what a link asks for", link, 35_00, { paidCents: 35_00, leftCents: 35_00 }],
  ["less than a link asks for", link, 30_00, { paidCents: 30_00, leftCents: 0 }],
  [
    "what the first payment has paid",
    (order) => {
      sent(1, 2)(order);
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
  const order = after(orderOf("page", [40_00, 60_00], { shippingCents: 9_99 }), packed());
  const { decide, state } = order;
  const { id: attemptId } = state().facts.attempts.find(({ kind }) => kind === "capture")!;
  const payment = { ...state().facts.payments[0]!, state: "captured", capturedCents: 50_00 } as const;
  const read = decide((now, act) => attemptRead(now, { attemptId, outcome: "done", payment }, act));
  expect(read).toMatchObject({ change: { emails: [{ template: "payment-request", why: "capture-failed" }] } });
  expect(state()).toMatchObject({
    stage: "to-ship",
    parcels: [{ state: "failed" }],
    money: { paidCents: 50_00, leftCents: 0 },
    refunds: [{ reason: "surplus", underWayCents: 50_00 }],
  });
  order.settle();
  expect(refundsOf(order)).toMatchObject([{ owedCents: 0, doneCents: 50_00 }]);
  expect([situationOf(state(), AT), attentionOf(order)]).toEqual(["pay", ["pay-again"]]);
  const again = page({ id: "page-1", kind: "page", state: "authorized", authorizedCents: 109_99, createdAt: AT });
  decide(() => decided({ payments: [again] }));
  expect(summaryOf(state().facts)).toMatchObject({ paymentStatus: "authorized", attention: [] });
  after(order, packed(), settled);
  expect(state()).toMatchObject({ stage: "shipped", money: { paidCents: 159_99, leftCents: 109_99 } });
});

it.each<[string, "page" | "arranged", ...actions: ((order: Order) => unknown)[]]>([
  ["whose payment failed", "page", packed(), failed],
  ["that was placed without a payment", "arranged"],
])("the rest of an order %s is paid after what cost nothing has shipped", (_name, mode, ...steps) => {
  const order = after(orderOf(mode, [0, 40_00], { shippingCents: 9_99 }), sent(1), ...steps);
  expect(order.state()).toMatchObject({ stage: "partly-shipped", money: { paidCents: 0 } });
  const results = [40_00, 49_99, 49_99].map((cents) => paidByCheck(cents)(order));
  expect(results).toMatchObject([{ reason: "meanwhile" }, { ok: true }, { reason: "paid" }]);
  expect(after(order, sent(2)).state()).toMatchObject({ stage: "shipped", money: { paidCents: 49_99 } });
});

it.each<[string, ...actions: actions.Action[]]>([
  ["announced after the unit with which it was announced was canceled", announced(1), canceled([1]), announced(2)],
  ["announced before that", announced(1), announced(2), canceled([1])],
  ["announced with a unit that ships later", announced(1), announced(2)],
])("the shipping is charged with the first parcel, %s", (_name, ...before) => {
  const order = after(orderOf("card", [40_00, 60_00], { shippingCents: 9_99 }), ...before);
  after(order, at("2027-01-21T17:00:00Z"), packed(2), settled);
  expect(moneyOf(order).paidCents).toBe(69_99);
});

it("each unit is charged once to a kept card, also if its parcel was undone, and none that was canceled", () => {
  const order = after(orderOf("card", [50_00, 40_00, 30_00]), sent(1), undone, sent(2), sent(1), canceled([3]));
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
  const order = after(orderOf("page", [40_00, 40_00, 40_00]), sent(1), gives(request));
  expect(canceled([2, 3], { isRefunded })(order)).toMatchObject(
    refundCents === "too-little"
      ? { ok: false, reason: refundCents }
      : { ok: true, change: { emails: [{ template: "order-changed", refundCents }] } },
  );
  order.settle();
  // The one that was kept has its name, too, once nothing is left of its money.
  expect([moneyOf(order).leftCents, order.state().units[0]!.refunded !== null]).toEqual([leftCents, leftCents === 0]);
});

it("a canceled unit leaves the payment of a return alone, which is being taken", () => {
  const order = after(orderOf("page", [40_00, 60_00]), sent(1));
  const payment = page({
    kind: "page",
    state: "authorized",
    authorizedCents: 35_00,
    createdAt: AT,
    id: "",
    ...link(order),
  });
  order.decide((now, act) => takeLinked(now, { payment }, act));
  expect(canceled([2])(order)).toMatchObject({ ok: true });
  const ofLink = order.state().facts.attempts.filter(({ paymentId }) => paymentId === "link");
  expect(ofLink.map(({ kind }) => kind)).toEqual(["capture"]);
});

it.each<[string, number[], ...actions: actions.Action[]]>([
  ["if the others were lost and refunded", [40_00, 60_00], sent(1), lost, refunded(1), canceled([2])],
  ["though something free is kept", [40_00, 0], sent(1), actions.undone, canceled([1])],
])("the shipping is refunded with the last unit that cost something, %s", (_which, prices, ...steps) => {
  const order = after(orderOf("card", prices, { shippingCents: 9_99 }), ...steps);
  expect(order.state()).toMatchObject({ totalCents: prices.includes(0) ? 0 : 40_00 + 9_99, money: { leftCents: 0 } });
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
  const order = after(orderOf("page", [24_00, 24_00]), sent(1, 2), lost, seen(48_00));
  const given = { number: 3, returnId: "return" };
  const charge = { id: "difference", state: "paid", returnId: "return" } as const;
  const item = { kind: "unit", unit: 3, cents: 30_00, taxCents: 0, chargeId: charge.id, releasedAt: null } as const;
  order.set((facts) => ({
    ...facts,
    units: [...facts.units, { ...facts.units[1]!, ...given }],
    charges: [...facts.charges, { ...facts.charges[0]!, ...charge }],
    chargeItems: [...facts.chargeItems, item],
  }));
  expect(order.state().units.map(({ refunded: is }) => is !== null)).toEqual([true, true, false]);
});

const takenByBank =
  (cents: number): actions.Action =>
  (order) => {
    withPayments({ dispute: "lost" })(order);
    return order.decide((now, act) => disputeLost(now, { paymentId: "page-0", cents }, act));
  };

it("a lost dispute is a refund of the bank's: nothing of it is given back again, and the tax of its sale stays due", () => {
  const order = after(orderOf("page", [89_00], { taxCents: 6_45 }), sent(1), withPayments({ dispute: "open" }));
  expect(summaryOf(order.state().facts).paymentStatus).toBe("disputed");
  takenByBank(95_45)(order);
  expect(summaryOf(order.state().facts)).toMatchObject({ paymentStatus: "dispute-lost", attention: [] });
  expect([moneyOf(order).leftCents, promised({ units: [1] })(order)]).toMatchObject([0, { ok: false }]);
  expect(order.state().facts.taxRecords).toMatchObject([{ refundId: null, parts: [{ taxCents: 6_45 }] }]);
  expect(takenByBank(95_45)(order)).toEqual({ ok: true, change: {} });
});

const ALL = [{ otherwiseCents: 40_00 }, { reason: "dispute", cents: 60_00 }];
const PART = [{ owedCents: 10_00, otherwiseCents: 30_00, hasFailed: true }];

it.each<[string, number, object[], ...actions: ((order: Order) => unknown)[]]>([
  ["all of a failed one, and the rest", 100_00, ALL, failed],
  ["a part of a failed one", 30_00, PART, failed],
  ["one under way", 100_00, ALL],
  ["a part of one under way", 30_00, PART],
])(
  "what the bank took with a dispute pays what was promised, which is not sent again: %s",
  (_n, cents, refunds, ...is) => {
    const order = after(orderOf("page", [40_00, 60_00], { taxCents: 2_00 }), sent(1, 2));
    after(order, promised({ goodwillCents: 40_00 }), ...is, takenByBank(cents), settled);
    expect(refundsOf(order)).toMatchObject(refunds);
    expect(refundsOf(order)).toHaveLength(refunds.length);
  },
);

it("a unit that waits, or is being packed, is not refunded by its name: canceling refunds it", () => {
  const order = after(orderOf("page", [40_00, 60_00]), sent(1));
  const offered = () => linesOf(order.state()).map(({ refundable }) => refundable.length);
  const refunds = (unit: number) => promised({ units: [unit] })(order);
  expect([refunds(2), offered()]).toMatchObject([{ reason: "not-shipped", name: "Product 1" }, [1, 0]]);
  expect([refunds(1), packed()(order)]).toMatchObject([{ ok: true }, { ok: true }]);
  order.settle();
  expect([refunds(2), offered()]).toMatchObject([{ ok: true }, [0, 0]]);
});

it.each<[string, ...actions: ((order: Order) => unknown)[]]>([
  ["by a lost dispute", takenByBank(100_00)],
  ["in the provider’s dashboard", seen(100_00), settled],
  ["as an amount", amount(100_00)],
  ["as an amount that the bank refused", promised({ goodwillCents: 100_00 }), failed],
])("what waits does not ship once all was given back %s, and staff cancel it", (_name, ...give) => {
  const order = after(orderOf("page", [40_00, 60_00]), sent(1), ...give);
  expect([packed()(order), packed(2)(order)]).toMatchObject([{ reason: "to-cancel" }, { reason: "to-cancel" }]);
  expect(attentionOf(order)).toContain("to-cancel");
  // Nobody waits for it.
  order.setTime("2027-01-09T17:00:00Z");
  expect(order.decide((now, act) => delayLate(now, {}, act))).toMatchObject({ ok: false });
  expect(["refunded", "on-its-way"]).toContain(situationOf(order.state(), AT));
  expect(canceled([2], { isRefunded: true })(order)).toMatchObject({ ok: true });
  expect(attentionOf(order)).not.toContain("to-cancel");
  expect(order.state()).toMatchObject({ stage: "shipped", money: { leftCents: 0 } });
});

it("an order that was given back before anything shipped is not prepared", () => {
  const order = after(orderOf("page", [40_00]), sent(1), undone, promised({ goodwillCents: 40_00 }));
  expect([situationOf(order.state(), AT), packed()(order)]).toMatchObject(["refunding", { reason: "to-cancel" }]);
  expect(situationOf(after(order, settled).state(), AT)).toBe("refunded");
  expect(after(order, actions.ended("canceled")).state()).toMatchObject({ stage: "canceled", money: { leftCents: 0 } });
});

it("what is not paid ships although all that was paid is given back, and a customer’s own goes back", () => {
  const order = after(orderOf("card", [40_00, 60_00]), sent(1), actions.delivered);
  arrived(order, "return", [1]).resolve("sent-back");
  amount(40_00)(order);
  expect(attentionOf(order)).toEqual([]);
  expect([sent(2)(order), packed()(order)]).toMatchObject([{ ok: true }, { ok: true }]);
  expect(order.state().units.map(({ place }) => place)).toEqual(["shipped", "shipped"]);
});

it.each<[string, Partial<Payment>]>([
  ["disputed", { dispute: "open" }],
  ["mismatch", { state: "mismatch" }],
])("nothing ships while a payment is in question: %s", (reason, payment) => {
  const order = after(orderOf("page", [0, 60_00]), withPayments(payment));
  expect([packed()(order), packed(1)(order)]).toMatchObject([{ reason }, { reason }]);
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
  expect(state()).toMatchObject({
    money: { paidCents: 30_00, leftCents: 0 },
    charges: [
      { by: "link", state: "asked", dueCents: 35_00 },
      { state: "paid", cents: 30_00 },
    ],
  });
  decide((now, act) => takeLinked(now, { payment: { ...payment, id: "again" } }, act));
  settle();
  expect(state().money).toMatchObject({ paidCents: 65_00, leftCents: 35_00 });
});

it("an authorization is released once nothing that waits costs anything, and that ships free", () => {
  const order = after(orderOf("page", [0, 40_00], { shippingCents: 9_99 }), canceled([2]));
  expect(order.state().totalCents).toBe(0);
  expect(order.state().facts.attempts).toMatchObject([{ kind: "void", paymentId: "page-0" }]);
  expect(attentionOf(after(order, settled))).toEqual([]);
});

/** Paid by card, and then $35.00 by check for a charge of a return. */
function paidByBoth(): Order {
  const order = after(orderOf("page", [89_00]), sent(1));
  link(order);
  const charge = order.state().charges.at(-1)!;
  order.decide((now, act) => decided(recordLinked(now, charge, { how: "check", reference: "1042" }, act)));
  return order;
}
const asked = ({ state }: Order) =>
  state().facts.attempts.flatMap(({ kind, state: is, paymentId, cents }) =>
    kind === "refund" && is === "asked" ? [[paymentId, cents]] : [],
  );
const owedOf = (order: Order) =>
  refundsOf(order).map(({ atProviderCents, byHandCents, hasFailed }) => [atProviderCents, byHandCents, hasFailed]);

it("what was paid to staff is owed until they record that they have sent it, once", () => {
  const order = after(orderOf("arranged", [89_00]), paidByCheck(89_00), sent(1));
  expect(promised({ goodwillCents: 50_00 })(order)).not.toMatchObject({ change: { emails: expect.anything() } });
  expect([asked(order), owedOf(order)]).toEqual([[], [[0, 50_00, false]]]);
  expect(summaryOf(order.state().facts)).toMatchObject({ paymentStatus: "captured", attention: ["refund-owed"] });
  const { id: refundId } = refundsOf(order)[0]!;
  const recorded = (cents: number) => order.decide((now, act) => recordSent(now, { refundId, cents }, act));
  expect([retried()(order), actions.sentOtherwise(order)]).toMatchObject([
    { reason: "not-at-provider" },
    { change: {} },
  ]);
  expect(recorded(40_00)).toMatchObject({ reason: "meanwhile" });
  expect(recorded(50_00)).toMatchObject({
    change: { emails: [{ template: "refund-issued", cents: 50_00, sent: "by-hand" }] },
  });
  expect(recorded(50_00)).toEqual({ ok: true, change: {} });
  expect(summaryOf(order.state().facts)).toMatchObject({ paymentStatus: "partly-refunded", attention: [] });
});

it("a page of the provider is closed once staff record the payment", () => {
  const order = after(orderOf("arranged", [89_00]), actions.withOrderRow({ isPaymentAsked: true }));
  order.set((facts) => ({ ...facts, payments: [page({ id: "open", kind: "page", createdAt: new Date() })] }));
  paidByCheck(89_00)(order);
  expect(order.state().facts.attempts).toContainEqual(expect.objectContaining({ kind: "void", paymentId: "open" }));
});

it("nothing is owed of a canceled order once staff have recorded that they sent its money", () => {
  const order = after(orderOf("arranged", [89_00]), paidByCheck(89_00), actions.ended("canceled"));
  expect(attentionOf(order)).toEqual(["refund-owed"]);
  expect(owedOf(after(order, sentByHand()))).toEqual([[0, 0, false]]);
  expect(summaryOf(order.state().facts)).toMatchObject({ paymentStatus: "refunded", attention: [] });
});

it("a refund says what moves at the provider, and what staff send: each cent once", () => {
  const order = paidByBoth();
  const said = (cents: number) => {
    const { atProviderCents, byHandCents } = waysOf(moneyOf(order).refundable, cents);
    return [atProviderCents, byHandCents];
  };
  expect([said(89_00), said(100_00)]).toEqual([
    [89_00, 0],
    [89_00, 11_00],
  ]);
  after(order, promised({ services: [{ returnId: "return", kind: "fee" }] }), promised({ units: [1] }));
  expect(asked(order)).toEqual([
    ["page-0", 35_00],
    ["page-0", 54_00],
  ]);
  // What is owed by hand is not promised again.
  expect(said(35_00)).toEqual([0, 0]);
  expect(owedOf(after(order, failed))).toEqual([
    [35_00, 0, true],
    [54_00, 35_00, true],
  ]);
  expect(attentionOf(order)).toEqual(["refund-failed", "refund-owed"]);
  expect(owedOf(after(order, sentByHand(1)))[1]).toEqual([54_00, 0, true]);
  after(order, retried(), retried(1), settled);
  expect(order.state().facts.payments).toMatchObject([{ refundedCents: 89_00 }, { refundedCents: 35_00 }]);
  expect(summaryOf(order.state().facts)).toMatchObject({ paymentStatus: "refunded", attention: [] });
});

it.each<[string, string, (order: Order) => void]>([
  ["a bank refused it", "refused", failed],
  [
    "no provider was asked for it",
    "otherwise",
    ({ set }) => set((facts) => ({ ...facts, attempts: facts.attempts.filter(({ refundId }) => refundId === null) })),
  ],
])("the email of a refund that was sent another way names the bank only if it refused: %s", (_name, how, fails) => {
  const order = after(orderOf("page", [40_00]), sent(1), promised({ goodwillCents: 10_00 }), fails);
  const email = { template: "refund-issued", cents: 10_00, sent: how };
  expect(actions.sentOtherwise(order)).toMatchObject({ change: { emails: [email] } });
});

it("what an amount left is the price of the units that are refunded then, and the shipping is refunded once", () => {
  const order = after(
    orderOf("page", [40_00, 40_00], { shippingCents: 9_99 }),
    sent(1, 2),
    gives({ hasShipping: true }),
  );
  expect(promised({ hasShipping: true })(order)).toMatchObject({ reason: "refunded-shipping" });
  amount(55_00)(order);
  expect(promised({ units: [1], seenCents: 40_00 })(order)).toEqual({ ok: false, reason: "sum", cents: 25_00 });
  expect(refunded(1)(order)).toMatchObject({ ok: true });
  expect(moneyOf(order).leftCents).toBe(0);
  expect(promised({ units: [2] })(order)).toMatchObject({ reason: "refunded-units" });
});

it("a refund that a dispute has stopped needs a hand once that is over", () => {
  const order = after(orderOf("page", [40_00]), sent(1), promised({ goodwillCents: 5_00 }));
  order.set((facts) => ({ ...facts, attempts: facts.attempts.filter(({ kind }) => kind !== "refund") }));
  const hands = (["open", "won"] as const).map((dispute) => attentionOf(after(order, withPayments({ dispute }))));
  expect(hands).toEqual([["disputed", "refund-owed"], ["refund-owed"]]);
});

it("a refund of a canceled order that the bank refuses late is left to staff", () => {
  const order = after(orderOf("page", [40_00]), sent(1), undone, actions.ended("canceled"), settled);
  const attempt = order.state().facts.attempts.at(-1)!;
  const payment = { ...order.state().facts.payments[0]!, refundedCents: 0 };
  const late = { attemptId: attempt.id, outcome: "failed", payment } as const;
  const told = order.decide((now, act) => moneyMoved(now, late, act));
  expect(actions.emailsOf(told)).toContain("refund-failed");
  expect(order.state().facts.attempts.at(-1)).toMatchObject({ id: attempt.id, state: "failed" });
  expect(attentionOf(order)).toEqual(["refund-failed"]);
});

it("a refused charge beside a refund that failed ends like every other", () => {
  const order = after(orderOf("card", [40_00, 35_00]), sent(1), promised({ goodwillCents: 5_00 }), failed);
  after(order, announced(2), at(NEXT_DAY), packed(2), failed);
  expect(summaryOf(order.state().facts)).toMatchObject({
    paymentStatus: "refund-failed",
    attention: ["refund-failed", "card-refused"],
    announceOn: null,
  });
  expect(after(order, at("2027-01-15T17:00:00Z"), unpaid).state().stage).toBe("shipped");
});

it("the charge of the rest is announced once the first parcel is refunded, too, without what is canceled", () => {
  const order = after(orderOf("card", [40_00, 35_00, 20_00]), sent(1), amount(40_00), canceled([3]));
  expect(announcedInTime(order)).toMatchObject({
    change: { emails: [{ template: "charge-announced", cents: 35_00 }] },
  });
});

it("an early charge moves the later day of its lines along, and of no other", () => {
  const order = orderOf("card", [40_00, 35_00, 20_00]);
  const days = ["2027-02-20", "2027-02-20", null];
  order.set((facts) => ({ ...facts, lines: facts.lines.map((line, place) => ({ ...line, shipsFrom: days[place]! })) }));
  const seen = [announced(1, 3), approved].map((act) => {
    act(order);
    return order.state().facts.lines.map(({ shipsFrom }) => shipsFrom);
  });
  expect(seen).toEqual([
    ["2027-01-07", "2027-02-20", null],
    [null, "2027-02-20", null],
  ]);
});
