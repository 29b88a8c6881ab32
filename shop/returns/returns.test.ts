/** Decisions about returns, in memory: money, days, and the ways on. */
import { expect, it } from "vitest";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { page } from "#tests/support/order-world.ts";
import { arrived, bought, deliver, requested } from "#tests/support/return-in-memory.ts";
import { cancelRest, cancelUnits } from "#shop/orders/actions/cancel.ts";
import { confirmOrder } from "#shop/orders/actions/confirm.ts";
import { parcelNews, receiveBack, sendAgain } from "#shop/orders/actions/parcels.ts";
import { recordPayment, takeLinked } from "#shop/orders/actions/pay.ts";
import { disputeLost, recordSent, refund, refundSeen } from "#shop/orders/actions/refund.ts";
import { linesOf } from "#shop/orders/lines.ts";
import { centsOf } from "#shop/orders/order-money.ts";
import { refundItems } from "#shop/orders/refund-items.ts";
import { orderState, owesCustomer } from "#shop/orders/state.ts";
import { situationOf } from "#shop/orders/situation.ts";
import { summaryOf } from "#shop/orders/summary.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { recordPaid, waive } from "./actions/charge.ts";
import { answerQuote, askFee, dueDay, quote } from "./actions/inspect.ts";
import { addLabel, authorize, endAstray, endReturn, remind } from "./actions/request.ts";
import { close, endUnpaid, isSettled, itemsToRefund, remindToPay, resolve } from "./actions/resolve.ts";
import { optionOf } from "./eligibility.ts";
import { eligibleLines } from "./eligible-lines.ts";
import type { Outcome, ReturnKind } from "./lifecycle.ts";
import { refundOf, standingOf } from "./return-standing.ts";

type Order = ReturnType<typeof bought>;
type Return = ReturnType<typeof requested>;

/** Unit 1 goes back to its customer. */
function goesBack(order: Order, made: Return, outcome: "repair" | "sent-back" = "repair") {
  made.step((given, act) => resolve(given, { outcome }, act));
  order.shipUnits(1);
  deliver(order);
  made.step((given, act) => close(given, {}, act));
}

const giveBack = (order: Order, goodwillCents: number) => {
  order.decide((state, act) => refund(state, { reason: "goodwill", goodwillCents }, act));
  order.settle();
};

it("a fee that was given back comes off no price, and can be asked for again", () => {
  const order = bought();
  const repair = requested(order, "repair", [1]);
  repair.step((given, act) => authorize(given, { wanted: null, labelUrl: null, as: "authorized" }, act));
  repair.step((given, act) => askFee(given, {}, act));
  repair.pay();
  const fee = () => [standingOf(repair.given()).fee, order.state().money.leftCents];
  expect(fee()).toEqual([{ cents: 35_00, isPaid: true }, 124_00]);
  const expireAndReopen = () => {
    repair.step((given, act) => endReturn(given, { as: "expired" }, act));
    order.settle();
    repair.step((given, act) => authorize(given, { wanted: null, labelUrl: null, as: "reopened" }, act));
    return fee();
  };
  expect(expireAndReopen()).toEqual([null, 89_00]);
  expect(repair.step((given, act) => askFee(given, {}, act)).ok).toBe(true);
  repair.pay();
  expect(expireAndReopen()).toEqual([null, 89_00]);
  repair.arrive();
  repair.step((given, act) => quote(given, { cents: 60_00 }, act));
  repair.step((given, act) => answerQuote(given, { isYes: true }, act));
  repair.step((given, act) => resolve(given, { outcome: "repair" }, act));
  expect(standingOf(repair.given()).toPay?.cents).toBe(60_00);
});

const withFee = (prices = [89_00]) => {
  const order = bought(prices);
  const repair = requested(order, "repair", [1]);
  repair.step((given, act) => authorize(given, { wanted: null, labelUrl: null, as: "authorized" }, act));
  repair.step((given, act) => askFee(given, {}, act));
  repair.pay();
  return { order, repair };
};
const FEE = { services: [{ returnId: "return", kind: "fee" }] } as const;

/** What the bank took of a payment with a dispute. */
function losesDispute(order: Order, paymentId: string, cents: number) {
  order.set((facts) => ({
    ...facts,
    payments: facts.payments.map((each) => (each.id === paymentId ? { ...each, dispute: "lost" as const } : each)),
  }));
  order.decide((state, act) => disputeLost(state, { paymentId, cents }, { ...act, by: "provider" }));
}
const isRefundedElsewhere = (order: Order, paymentId: string, cents: number) => {
  order.decide((state, act) => refundSeen(state, { paymentId, cents }, { ...act, by: "provider" }));
  order.settle();
};
const linkOf = (order: Order) => order.state().facts.payments.find(({ chargeId }) => chargeId !== null)!.id;

const FEE_BACK: [string, (order: Order) => void][] = [
  [
    "by staff",
    ({ decide, settle }) => {
      expect(decide((now, act) => refund(now, { reason: "late", ...FEE, seenCents: 35_00 }, act)).ok).toBe(true);
      settle();
    },
  ],
  [
    "by staff, with its product",
    ({ decide, settle }) => {
      decide((now, act) => refund(now, { reason: "late", units: [2], ...FEE, seenCents: 75_00 }, act));
      settle();
    },
  ],
  ["in the provider’s dashboard", (order) => isRefundedElsewhere(order, linkOf(order), 35_00)],
  ["by a lost dispute", (order) => losesDispute(order, linkOf(order), 35_00)],
];
const productsLeft = (order: Order) => order.state().units.filter(({ refunded }) => !refunded).length;

it.each(FEE_BACK)("a fee that was given back %s is not given back again when its return ends", (_how, give) => {
  for (const as of ["withdrawn", "expired"] as const) {
    const { order, repair } = withFee([89_00, 40_00]);
    give(order);
    const leftCents = productsLeft(order) === 2 ? 129_00 : 89_00;
    expect(order.state().money).toMatchObject({ leftCents, services: [] });
    repair.step((given, act) => endReturn(given, { as }, act));
    order.settle();
    expect(order.state().money.leftCents).toBe(leftCents);
  }
});

it.each(FEE_BACK)("a fee that was given back %s comes off no price of its repair", (_how, give) => {
  const { order, repair } = withFee([89_00, 40_00]);
  give(order);
  repair.arrive();
  expect(standingOf(repair.given())).toMatchObject({ fee: null, money: { refundCents: 89_00 } });
  repair.step((given, act) => quote(given, { cents: 100_00 }, act));
  repair.step((given, act) => answerQuote(given, { isYes: true }, act));
  repair.step((given, act) => resolve(given, { outcome: "repair" }, act));
  expect(standingOf(repair.given())).toMatchObject({ toPay: { cents: 100_00 }, money: { refundCents: 0 } });
  expect(order.decide((now, act) => refund(now, { reason: "late", ...FEE }, act))).toMatchObject({
    reason: "refunded-service",
  });
});

it("a fee that was given back does not make an order that cost nothing refunded", () => {
  const { order } = withFee([0]);
  FEE_BACK[0]![1](order);
  expect(situationOf(order.state(), new Date())).toBe("delivered");
});

it("a part of a fee that was given back in the dashboard comes off what its return gives back", () => {
  const { order, repair } = withFee();
  isRefundedElsewhere(order, linkOf(order), 20_00);
  repair.step((given, act) => endReturn(given, { as: "withdrawn" }, act));
  order.settle();
  expect(order.state().money.leftCents).toBe(89_00);
});

it("an amount is given back of the money for goods alone, and a refund beside a fee is the sum that its panel shows", () => {
  const { order } = withFee([100_00]);
  giveBack(order, 20_00);
  const gives = (request: object) => order.decide((now, act) => refund(now, { reason: "late", ...request }, act));
  expect(gives({ goodwillCents: 80_01 })).toMatchObject({ reason: "too-much", left: 80_00 });
  const { money } = order.state();
  const [line] = linesOf(order.state());
  const seenCents = centsOf(refundItems(line!.refundable, {}, money));
  expect([seenCents, gives({ units: [1], seenCents }).ok]).toEqual([80_00, true]);
  expect(order.state().money).toMatchObject({ leftCents: 35_00, leftForGoodsCents: 0 });
});

const replaced = () => {
  const order = orderOf("page", [89_00, 24_00]);
  order.shipUnits(1);
  deliver(order);
  const claim = requested(order, "defect", [1]);
  claim.step((given, act) => resolve(given, { outcome: "replacement" }, act));
  order.shipUnits(3);
  deliver(order);
  return order;
};

it("an amount for a replacement gives back no other unit, which ships, and whose lost parcel staff see", () => {
  const order = replaced();
  giveBack(order, 25_00);
  expect([order.state().money.leftCents, summaryOf(order.state().facts).attention]).toEqual([88_00, []]);
  expect(order.shipUnits(2)).toMatchObject({ ok: true });
  const parcelId = order.state().parcels.at(-1)!.id;
  order.decide((now, act) => parcelNews(now, { parcelId, state: "lost" }, act));
  expect(summaryOf(order.state().facts).attention).toEqual(["parcel-lost"]);
});

it.each([
  ["bank", losesDispute],
  ["dashboard", isRefundedElsewhere],
])("what the %s gave back of the payment of a unit is that unit’s, also after an amount and a swap", (_who, takes) => {
  for (const how of ["lost", "returned", "after an amount", "swapped"] as const) {
    const order = orderOf("card", [100_00, 50_00], { shippingCents: 9_99 });
    order.shipUnits(1);
    order.shipUnits(2);
    const { charged } = order.state().units[0]!;
    const { paymentId } = order.state().facts.attempts.find(({ chargeId }) => chargeId === charged!.chargeId)!;
    if (how === "after an amount") giveBack(order, 20_00);
    if (how === "lost")
      order.decide((now, act) => parcelNews(now, { parcelId: now.facts.parcels[0]!.id, state: "lost" }, act));
    deliver(order);
    if (how === "swapped") {
      const claim = requested(order, "defect", [1], { id: "claim" });
      claim.step((given, act) => resolve(given, { outcome: "replacement" }, act));
      order.shipUnits(3);
      deliver(order);
    }
    takes(order, paymentId, how === "after an amount" ? 80_00 : 100_00);
    const unit = how === "swapped" ? 3 : 1;
    expect([how, order.state().units[unit - 1]!.refunded]).toMatchObject([how, { unit }]);
    expect(summaryOf(order.state().facts).attention).toEqual([]);
    if (how === "returned") {
      const made = requested(order, "return", [unit]);
      expect(made.given().order.units[unit - 1]!.inReturn).toBe(null);
    }
    order.decide((now, act) => refund(now, { reason: "lost", units: [unit] }, act));
    order.settle();
    expect([how, order.state().money.leftCents]).toEqual([how, 59_99]);
  }
});

it("a replacement keeps the tax that the shop bears", () => {
  const order = bought([89_00], { taxCents: 6_00, waivedCents: 2_00 });
  const tax = () => order.state().money.leftTaxCents;
  expect(tax()).toBe(8_00);
  const claim = arrived(order, "warranty", [1]);
  claim.step((given, act) => resolve(given, { outcome: "replacement" }, act));
  expect(tax()).toBe(8_00);
});

it.each([
  ["none of it", 89_00, "sent-back", 0],
  ["the rest of it", 50_00, "repair", 39_00],
] as const)(
  "goods whose money was given back take %s beside a service that was paid",
  (_name, given, outcome, cents) => {
    const order = bought();
    const repair = requested(order, "repair", [1], { id: "r1" });
    repair.step((now, act) => askFee(now, {}, act));
    repair.pay();
    giveBack(order, given);
    repair.arrive();
    repair.step((now, act) => quote(now, { cents: 60_00 }, act));
    if (outcome === "sent-back") repair.step((now, act) => answerQuote(now, { isYes: false }, act));
    else {
      repair.step((now, act) => answerQuote(now, { isYes: true }, act));
      repair.step((now, act) => resolve(now, { outcome }, act));
      repair.pay();
    }
    order.shipUnits(1);
    deliver(order);
    repair.step((now, act) => close(now, {}, act));
    const back = arrived(order, "return", [1], { id: "r2" });
    expect(centsOf(itemsToRefund(back.given()))).toBe(cents);
  },
);

const TERMS = { shipping: FIRST_SETTINGS.shipping, returns: FIRST_SETTINGS.returns };
const whyNot = (order: Order, kind: ReturnKind, today: string) =>
  optionOf(eligibleLines(order.state(), [], TERMS)[0]!, kind, today).why;

it.each([
  ["return", "sent-back", "2027-02-03", "2027-02-04"],
  ["warranty", "repair", "2027-02-03", "2027-02-04"],
] as const)(
  "days to return count from the first arrival, also after a %s that ends %s",
  (kind, outcome, last, late) => {
    const order = bought([89_00, 40_00]);
    const arrival = order.state().deliveredAt;
    order.setTime("2027-01-20T17:00:00Z");
    goesBack(order, arrived(order, kind, [1]), outcome);
    expect([whyNot(order, "return", last), whyNot(order, "return", late)]).toEqual([null, "late"]);
    expect(order.state().deliveredAt).toEqual(arrival);
  },
);

it("what was bought has arrived while a repaired unit of it is on its way back", () => {
  const order = bought([89_00, 40_00]);
  const arrival = order.state().deliveredAt;
  const claim = arrived(order, "warranty", [1]);
  claim.step((given, act) => resolve(given, { outcome: "repair" }, act));
  expect([order.state().stage, order.state().deliveredAt]).toEqual(["partly-shipped", arrival]);
  expect(whyNot(order, "return", "2027-01-05")).toBe("in-return");
});

it("the last return of a unit is the last one, whatever the ids of its returns are", () => {
  const asRead = () => {
    const { facts } = order.state();
    const returned = facts.returned.toSorted((one, other) => one.returnId.localeCompare(other.returnId));
    return orderState({ ...facts, returned });
  };
  const order = bought();
  goesBack(order, arrived(order, "warranty", [1], { id: "b" }));
  const second = arrived(order, "warranty", [1], { id: "a" });
  expect(asRead().units[0]!.place).toBe("returned");
  second.step((given, act) => resolve(given, { outcome: "repair" }, act));
  expect(asRead().units[0]).toMatchObject({ place: "waiting", sentFor: "a" });
  expect(isSettled({ order: asRead(), row: second.row() })).toBe(false);
});

it("a replacement that is repaired goes back for its own return, and is not for the shelf", () => {
  const order = bought();
  const first = arrived(order, "warranty", [1], { id: "first" });
  first.step((given, act) => resolve(given, { outcome: "replacement" }, act));
  order.shipUnits(2);
  deliver(order);
  first.step((given, act) => close(given, {}, act));
  const second = arrived(order, "repair", [2], { id: "second" });
  const sent = () => [first, second].map((made) => standingOf(made.given()).sent);
  expect(sent()).toEqual(["arrived", null]);
  second.step((given, act) => quote(given, { cents: 60_00 }, act));
  second.step((given, act) => answerQuote(given, { isYes: true }, act));
  second.step((given, act) => resolve(given, { outcome: "repair" }, act));
  expect(sent()).toEqual(["arrived", "unpaid"]);
  second.pay();
  expect([sent(), isSettled(second.given())]).toEqual([["arrived", "waiting"], false]);
  const cancel = { units: [2], reason: "asked", restocks: true, refundsReplacements: true } as const;
  expect(order.decide((state, act) => cancelUnits(state, cancel, act))).toMatchObject({ ok: false, reason: "own" });
  order.shipUnits(2);
  deliver(order);
  expect([sent(), isSettled(second.given())]).toEqual([["arrived", "arrived"], true]);
});

it("what a return sent has arrived for it, also while it is in another one", () => {
  const order = bought();
  const first = arrived(order, "warranty", [1], { id: "first" });
  goesBack(order, first);
  arrived(order, "warranty", [1], { id: "second" });
  expect(standingOf(first.given()).sent).toBe("arrived");
});

it("the rest of an order is canceled beside the customer's own unit, which is canceled only once it is refunded", () => {
  const order = orderOf("page", [89_00, 40_00]);
  order.shipUnits(1);
  deliver(order);
  arrived(order, "warranty", [1]).step((given, act) => resolve(given, { outcome: "repair" }, act));
  const canceled = (units: number[]) =>
    order.decide((state, act) =>
      cancelUnits(state, { units, reason: "asked", restocks: true, refundsReplacements: true }, act),
    );
  expect(order.state().units.map(({ place }) => place)).toEqual(["waiting", "waiting"]);
  const offered = () => linesOf(order.state()).map(({ unitsToCancel }) => unitsToCancel);
  expect(offered()).toEqual([0, 1]);
  expect(canceled([1, 2])).toMatchObject({ ok: false, reason: "own" });
  const rest = () => order.decide((state, act) => cancelRest(state, { reason: "asked" }, act));
  expect([rest().ok, order.state().units.map(({ place }) => place)]).toEqual([true, ["waiting", "canceled"]]);
  expect([rest(), canceled([])]).toMatchObject([{ reason: "nothing-left" }, { reason: "nothing-left" }]);
  order.decide((state, act) => refund(state, { reason: "damaged", units: [1] }, act));
  order.settle();
  expect(offered()).toEqual([1, 0]);
  expect([order.state().stage, canceled([1]).ok, order.state().stage]).toEqual(["partly-shipped", true, "canceled"]);
});

it("a label that is replaced begins the days to send it again, with a reminder of their own", () => {
  const order = bought();
  const claim = requested(order, "warranty", [1], { labelBy: "us" });
  const reminded = (day: string) => {
    order.setTime(`${day}T17:00:00Z`);
    claim.step((given, act) => remind(given, {}, act));
    return claim.row().remindedAt !== null;
  };
  claim.step((given, act) => authorize(given, { wanted: null, labelUrl: "https://one", as: "authorized" }, act));
  expect(reminded("2027-01-09")).toBe(true);
  claim.step((given, act) => addLabel(given, { labelUrl: "https://two" }, act));
  expect([reminded("2027-01-13"), reminded("2027-01-14")]).toEqual([false, true]);
});

it("something is owed while a replacement waits or is lost, and not once it is on its way", () => {
  const order = bought();
  const owed = [owesCustomer(order.state())];
  arrived(order, "warranty", [1]).step((given, act) => resolve(given, { outcome: "replacement" }, act));
  owed.push(owesCustomer(order.state()));
  order.shipUnits(2);
  owed.push(owesCustomer(order.state()));
  const parcelId = order.state().facts.parcels.at(-1)!.id;
  order.decide((state, act) => parcelNews(state, { parcelId, state: "lost" }, act));
  expect([...owed, owesCustomer(order.state())]).toEqual([false, true, false, true]);
});

it("an old page that is paid while an exchange sets a unit aside holds no money", () => {
  const order = bought([89_00]);
  requested(order, "exchange", [1], { wantedCents: 149_00 });
  const opened = page({ id: "page-9", kind: "page", createdAt: new Date() });
  const payment = { ...opened, state: "authorized", authorizedCents: 89_00 } as const;
  order.decide((now, act) => confirmOrder(now, { payment }, act));
  expect(order.state().facts.attempts).toContainEqual(expect.objectContaining({ kind: "void", paymentId: "page-9" }));
});

it("an exchange that nobody pays is reminded of once, then refunded, and its product is for sale again", () => {
  const order = bought();
  const made = arrived(order, "exchange", [1], { wantedCents: 149_00 });
  made.step((given, act) => resolve(given, { outcome: "replacement" }, act));
  expect(standingOf(made.given()).toPay?.payBy).toBe("2027-01-11");
  const on = (day: string) => {
    order.setTime(`${day}T17:00:00Z`);
    return [remindToPay, endUnpaid].map((decide) => {
      const decided = made.step((given, act) => decide(given, {}, act));
      const { emails = [], stock = [] } = decided.ok ? decided.change : {};
      return [...emails.map(({ template }) => template), ...stock.map(({ delta }) => delta)];
    });
  };
  expect([on("2027-01-07"), on("2027-01-08"), on("2027-01-11")]).toEqual([
    [[], []],
    [["return-payment"], []],
    [[], []],
  ]);
  expect(on("2027-01-12")).toEqual([[], ["return-resolved", 1]]);
  order.settle();
  expect(order.state().units.map(({ place }) => place)).toEqual(["returned", "canceled"]);
  expect([standingOf(made.given()).toPay, made.row().outcome, order.state().money.leftCents]).toEqual([
    null,
    "refund",
    0,
  ]);
  expect(on("2027-01-13")).toEqual([[], []]);
});

const CHECK = { how: "check", reference: "1042" };

/** A return whose customer does not pay what is asked for. */
const UNPAID = {
  exchange: (order: Order) => {
    const made = arrived(order, "exchange", [1], { wantedCents: 149_00 });
    made.step((given, act) => resolve(given, { outcome: "replacement" }, act));
    return made;
  },
  repair: (order: Order) => {
    const made = arrived(order, "repair", [1]);
    made.step((given, act) => quote(given, { cents: 60_00 }, act));
    made.step((given, act) => answerQuote(given, { isYes: true }, act));
    made.step((given, act) => resolve(given, { outcome: "repair" }, act));
    return made;
  },
  "sent back": (order: Order) => {
    const made = requested(order, "repair", [1]);
    made.step((given, act) => askFee(given, {}, act));
    made.arrive();
    made.step((given, act) => quote(given, { cents: 60_00 }, act));
    made.step((given, act) => answerQuote(given, { isYes: false }, act));
    return made;
  },
};
const paid = (made: Return, cents: number) =>
  made.step((given, act) => recordPaid(given, { cents, arrangement: CHECK }, act));
const waived = (made: Return, cents: number) => made.step((given, act) => waive(given, { cents }, act));
const instead = (made: Return, outcome: "refund" | "sent-back") =>
  made.step((given, act) => resolve(given, { outcome }, act));

it.each([
  ["exchange", "is recorded as paid", 60_00, paid, [2], 149_00],
  ["exchange", "is waived", 60_00, waived, [2], 89_00],
  ["exchange", "ends with a refund", 60_00, (made: Return) => instead(made, "refund"), [], 0],
  ["exchange", "is sent back", 60_00, (made: Return) => instead(made, "sent-back"), [1], 89_00],
  ["repair", "is recorded as paid", 60_00, paid, [1], 149_00],
  ["repair", "is waived", 60_00, waived, [1], 89_00],
  ["repair", "is sent back", 60_00, (made: Return) => instead(made, "sent-back"), [1], 89_00],
  ["sent back", "is recorded as paid", 35_00, paid, [1], 124_00],
  ["sent back", "is waived", 35_00, waived, [1], 89_00],
] as const)("what is not paid of a return, %s, %s", (kind, _what, cents, act, sent, leftCents) => {
  const order = bought();
  const made = UNPAID[kind](order);
  const waiting = () => order.state().units.flatMap(({ number, place }) => (place === "waiting" ? number : []));
  expect([standingOf(made.given()).toPay?.cents, waiting()]).toEqual([cents, []]);
  for (const other of [paid, waived]) expect(other(made, cents + 1)).toMatchObject({ ok: false, reason: "meanwhile" });
  expect(act(made, cents)).toMatchObject({ ok: true });
  order.settle();
  expect([standingOf(made.given()).toPay, waiting(), order.state().money.leftCents]).toEqual([null, sent, leftCents]);
  for (const again of [paid, waived]) expect(again(made, cents)).toMatchObject({ ok: false, reason: "nothing-due" });
  expect(instead(made, "sent-back")).toMatchObject({ ok: false, reason: "state" });
});

it.each([
  [1, 0],
  [49, 0],
  [50, 50],
])("what a provider does not take is not asked for: %i cents of an exchange and of a repair", (cents, asked) => {
  const exchanged = bought([89_00], { taxCents: 7_00 });
  const exchange = arrived(exchanged, "exchange", [1], { wantedCents: 96_00 + cents });
  expect(standingOf(exchange.given()).money?.moreCents).toBe(asked);
  exchange.step((given, act) => resolve(given, { outcome: "replacement" }, act));
  const repaired = bought();
  const repair = requested(repaired, "repair", [1]);
  repair.step((given, act) => askFee(given, {}, act));
  repair.pay();
  repair.arrive();
  repair.step((given, act) => quote(given, { cents: 35_00 + cents }, act));
  repair.step((given, act) => answerQuote(given, { isYes: true }, act));
  repair.step((given, act) => resolve(given, { outcome: "repair" }, act));
  for (const [order, { given }] of [[exchanged, exchange] as const, [repaired, repair] as const]) {
    expect(standingOf(given()).toPay?.cents ?? 0).toBe(asked);
    expect(order.state().units.some(({ place }) => place === "waiting")).toBe(asked === 0);
  }
  expect(exchanged.state().money.leftCents).toBe(96_00);
});

it("a page of what was recorded as paid gives its money back", () => {
  const order = bought();
  const made = UNPAID.repair(order);
  const [charge] = order.state().charges.filter(({ by }) => by === "link");
  const late = page({ id: "late", kind: "page", chargeId: charge!.id, createdAt: new Date(), authorizedCents: 60_00 });
  paid(made, 60_00);
  order.decide((state, act) => takeLinked(state, { payment: { ...late, state: "authorized" } }, act));
  expect(order.state().facts.attempts.filter(({ paymentId }) => paymentId === "late")).toMatchObject([
    { kind: "void" },
  ]);
});

it.each<[string, (made: Return) => void]>([
  ["is withdrawn", (made) => made.step((given, act) => endReturn(given, { as: "withdrawn" }, act))],
  ["is not sent in time", (made) => made.step((given, act) => endReturn(given, { as: "expired" }, act))],
  [
    "has a price that its customer agrees to",
    (made) => {
      made.arrive();
      made.step((given, act) => quote(given, { cents: 60_00 }, act));
      made.step((given, act) => answerQuote(given, { isYes: true }, act));
    },
  ],
  [
    "is sent back",
    (made) => {
      made.arrive();
      made.step((given, act) => resolve(given, { outcome: "sent-back" }, act));
    },
  ],
])("the page to pay a fee is closed if its return %s", (_name, end) => {
  const order = bought();
  const made = requested(order, "repair", [1]);
  made.step((given, act) => authorize(given, { wanted: null, labelUrl: null, as: "authorized" }, act));
  made.step((given, act) => askFee(given, {}, act));
  const chargeId = order.state().charges.at(-1)!.id;
  const open = page({ id: "open", kind: "page", chargeId, createdAt: new Date() });
  order.set((facts) => ({ ...facts, payments: [...facts.payments, { ...open, state: "open" }] }));
  end(made);
  expect(order.state().facts.attempts.filter(({ paymentId }) => paymentId === "open")).toMatchObject([
    { kind: "void" },
  ]);
});

it("the days of a repair count from the answer to its price", () => {
  const order = bought();
  const repair = arrived(order, "repair", [1]);
  const first = repair.row().dueOn;
  repair.step((given, act) => quote(given, { cents: 60_00 }, act));
  order.setTime("2027-03-01T17:00:00Z");
  repair.step((given, act) => answerQuote(given, { isYes: true }, act));
  expect([first, repair.row().dueOn]).toEqual([dueDay("repair", "2027-01-04"), dueDay("repair", "2027-03-01")]);
});

it("the preview of a refund with something free is what is refunded", () => {
  const order = bought([89_00, 0]);
  const preview = refundOf(order.state(), [1, 2], "damaged");
  const claim = arrived(order, "defect", [1, 2]);
  expect([preview, centsOf(itemsToRefund(claim.given()))]).toEqual([89_00, 89_00]);
});

it.each([
  ["an exchange for the same price", "exchange", 100_00, "replacement", 0, 90_00],
  ["an exchange for a dearer one", "exchange", 149_00, "replacement", 49_00, 90_00],
  ["a replacement", "defect", 0, "replacement", 0, 90_00],
  ["a refund", "return", 0, "refund", 0, 0],
] as const)("%s of a unit bought with a code keeps to what it cost", (_name, kind, wantedCents, outcome, due, kept) => {
  const order = bought([100_00], { percentOff: 10 });
  const made = arrived(order, kind, [1], { wantedCents });
  expect(standingOf(made.given()).money?.moreCents).toBe(due);
  made.step((given, act) => resolve(given, { outcome }, act));
  order.settle();
  const asked = order.state().charges.filter(({ state }) => state === "asked");
  expect(asked.reduce((sum, { dueCents }) => sum + dueCents, 0)).toBe(due);
  expect(order.state().money.leftCents).toBe(kept);
});

it("an exchange that waits for its answer is said to cost what its customer agreed to", () => {
  const exchange = requested(bought(), "exchange", [1], { wantedCents: 149_00, labelBy: "us", reason: "wrong-item" });
  expect(exchange.row().state).toBe("requested");
  expect(standingOf(exchange.given()).money).toMatchObject({ refundCents: 0, moreCents: 60_00 });
});

const PART = { productId: null, name: "Lid", warrantyYears: null };

it.each<[ReturnKind, Outcome, Outcome[]]>([
  ["exchange", "replacement", ["refund", "sent-back"]],
  ["defect", "replacement", ["refund", "sent-back"]],
  ["warranty", "replacement", ["refund", "sent-back"]],
  ["warranty", "repair", ["refund", "sent-back"]],
  ["warranty", "part", []],
])("a %s whose price is given back meanwhile ends with no %s, free or paid, but with %j", (kind, outcome, others) => {
  for (const request of [{ units: [1] }, { goodwillCents: 89_00 }]) {
    for (const instead of [null, ...others]) {
      const order = bought();
      const made = requested(order, kind, [1], { wantedCents: 149_00 });
      if (kind === "exchange") expect(standingOf(made.given()).money.moreCents).toBe(60_00);
      order.decide((state, act) => refund(state, { reason: "damaged", ...request }, act));
      order.settle();
      expect(standingOf(made.given()).money).toMatchObject({ refundCents: 0, moreCents: 0 });
      if (outcome !== "part") made.arrive();
      const end = (as: Outcome) => made.step((given, act) => resolve(given, { outcome: as, part: PART }, act));
      expect(end(outcome)).toMatchObject({ ok: false, reason: "given-back" });
      if (!instead) continue;
      expect(end(instead)).toMatchObject({ ok: true });
      expect([standingOf(made.given()).toPay, order.state().money.leftCents]).toEqual([null, 0]);
      expect(order.state().units.filter(({ place }) => place === "waiting")).toHaveLength(instead === "refund" ? 0 : 1);
    }
  }
});

it.each<[string, (first: Return) => void, number]>([
  ["it waits", () => {}, 40_00],
  ["it is withdrawn", (first) => first.step((given, act) => endReturn(given, { as: "withdrawn" }, act)), 49_99],
  ["it is replaced", (first) => first.step((given, act) => resolve(given, { outcome: "replacement" }, act)), 49_99],
  ["it is refunded", (first) => first.step((given, act) => resolve(given, { outcome: "refund" }, act)), 40_00],
])(
  "of two returns that are the shop's fault the first gives the shipping back; the other, once %s",
  (_w, act, cents) => {
    const order = bought([89_00, 40_00], { shippingCents: 9_99 });
    const first = requested(order, "defect", [1], { id: "r1" });
    expect(refundOf(order.state(), [2], "damaged")).toBe(40_00);
    const second = requested(order, "defect", [2], { id: "r2" });
    const promised = ({ given }: Return) => standingOf(given()).money.refundCents;
    expect([promised(first), promised(second)]).toEqual([98_99, 40_00]);
    act(first);
    expect(promised(second)).toBe(cents);
    second.step((given, by) => resolve(given, { outcome: "refund" }, by));
    expect(promised(second)).toBe(cents);
    if (first.row().state === "requested") expect(promised(first)).toBe(98_99);
  },
);

it("a return that is reopened promises no shipping that another one promises meanwhile", () => {
  const order = bought([89_00, 40_00], { shippingCents: 9_99 });
  const first = requested(order, "defect", [1], { id: "r1" });
  first.step((given, act) => authorize(given, { wanted: null, labelUrl: "https://label", as: "authorized" }, act));
  first.step((given, act) => endReturn(given, { as: "expired" }, act));
  const second = requested(order, "defect", [2], { id: "r2" });
  first.step((given, act) => authorize(given, { wanted: null, labelUrl: null, as: "reopened" }, act));
  expect([first, second].map(({ given }) => standingOf(given()).money.refundCents)).toEqual([89_00, 49_99]);
});

it.each(["refused", "lost"] as const)(
  "a return of what is %s before it arrives ends, and its parcel is as any other",
  (state) => {
    const order = orderOf("page", [40_00]);
    order.shipUnits(1);
    const exchange = requested(order, "exchange", [1], { wantedCents: 40_00 });
    const end = () => exchange.step((given, act) => endAstray(given, {}, act));
    expect(end()).toEqual({ ok: true, change: {}, row: {} });
    const parcelId = order.state().facts.parcels[0]!.id;
    order.decide((given, act) => parcelNews(given, { parcelId, state }, act));
    const situation = () => situationOf(order.state(), new Date("2027-01-05T17:00:00Z"));
    expect(situation()).toBe(state === "lost" ? "lost" : "coming-back");
    if (state === "refused") order.decide((given, act) => receiveBack(given, { parcelId, restocks: true }, act));
    const again = order.decide((given, act) => sendAgain(given, { parcelId, shipBy: "2027-01-07" }, act));
    expect([again.ok, situation()]).toEqual([true, "sending-again"]);
    expect(end()).toMatchObject({
      ok: true,
      change: { stock: [{ productId: "other", delta: 1 }], emails: [{ template: "return-not-needed" }] },
    });
    expect([exchange.row().state, order.state().units.map(({ place }) => place)]).toEqual([
      "withdrawn",
      ["waiting", "canceled"],
    ]);
  },
);

it("what arrived after all, came back and goes to its customer again was never in the parcel sent in its place", () => {
  const order = orderOf("page", [40_00, 60_00]);
  const news = (place: number, state: "lost" | "delivered" | "refused") => {
    const parcelId = order.state().facts.parcels[place]!.id;
    order.decide((given, act) => parcelNews(given, { parcelId, state }, act));
    return parcelId;
  };
  order.shipUnits(1);
  const parcelId = news(0, "lost");
  order.decide((given, act) => sendAgain(given, { parcelId, shipBy: "2027-01-07" }, act));
  order.shipUnits(1, 2);
  news(0, "delivered");
  news(1, "refused");
  order.setTime("2027-01-12T17:00:00Z");
  const made = arrived(order, "warranty", [1]);
  made.step((given, act) => resolve(given, { outcome: "sent-back" }, act));
  expect(order.state().units[0]).toMatchObject({ place: "waiting", isOwn: true });
});

it("what a return sends is on its way, then arrived or astray, also once it came back by another one", () => {
  const order = bought();
  const repair = arrived(order, "warranty", [1]);
  repair.step((given, act) => resolve(given, { outcome: "replacement" }, act));
  const sent = () => standingOf(repair.given()).sent;
  const seen = [sent()];
  order.shipUnits(2);
  seen.push(sent());
  repair.step((given, act) => close(given, {}, act));
  for (const state of ["lost", "delivered"] as const) {
    const parcelId = order.state().facts.parcels.at(-1)!.id;
    order.decide((given, act) => parcelNews(given, { parcelId, state }, act));
    seen.push(sent());
  }
  arrived(order, "return", [2], { id: "another" });
  expect([...seen, sent()]).toEqual(["waiting", "sent", "astray", "arrived", "arrived"]);
});

it("a return of what was paid by check stays open until staff have recorded that they sent its refund", () => {
  const order = orderOf("arranged", [89_00]);
  const arrangement = { how: "check", reference: "1042" } as const;
  order.decide((state, act) => recordPayment(state, { cents: 89_00, arrangement }, act));
  order.shipUnits(1);
  deliver(order);
  const made = arrived(order, "return", [1]);
  expect(made.step((given, act) => resolve(given, { outcome: "refund" }, act))).not.toMatchObject({
    change: { emails: expect.arrayContaining([expect.objectContaining({ template: "refund-issued" })]) },
  });
  const isClosed = () => made.step((given, act) => close(given, {}, act)).ok;
  const standing = () => [standingOf(made.given()).byHandCents, summaryOf(order.state().facts).attention];
  expect([...standing(), isClosed()]).toEqual([89_00, ["refund-owed"], false]);
  const { id: refundId } = order.state().refunds[0]!;
  order.decide((state, act) => recordSent(state, { refundId, cents: 89_00 }, act));
  expect([...standing(), isClosed()]).toEqual([0, [], true]);
});
