/** Decisions about returns, in memory: money, days, and the ways on. */
import { expect, it } from "vitest";
import * as actions from "#tests/support/order-actions.ts";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { page } from "#tests/support/order-world.ts";
import { arrived, bought, deliver, requested } from "#tests/support/return-in-memory.ts";
import { cancelRest } from "#shop/orders/actions/cancel.ts";
import { confirmOrder } from "#shop/orders/actions/confirm.ts";
import { takeLinked } from "#shop/orders/actions/pay.ts";
import { disputeLost, refundSeen, type RefundRequest } from "#shop/orders/actions/refund.ts";
import { linesOf } from "#shop/orders/lines.ts";
import { centsOf } from "#shop/orders/order-money.ts";
import { refundItems } from "#shop/orders/refund-items.ts";
import { orderState, owesCustomer } from "#shop/orders/state.ts";
import { situationOf } from "#shop/orders/situation.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { recordPaid, waive } from "./actions/charge.ts";
import { dueDay } from "./actions/inspect.ts";
import { addLabel, endAstray, remind } from "./actions/request.ts";
import { endUnpaid, isSettled, itemsToRefund, remindToPay } from "./actions/resolve.ts";
import { optionOf } from "./eligibility.ts";
import { eligibleLines } from "./eligible-lines.ts";
import type { Outcome, ReturnKind } from "./lifecycle.ts";
import { refundOf, standingOf } from "./return-standing.ts";

const { after, amount, attentionOf, gives, lost, news, promised, refunded, sent, sentByHand } = actions;
type Order = actions.Order;
type Return = ReturnType<typeof requested>;

const leftOf = ({ state }: Order) => state().money.leftCents;
const placesOf = ({ state }: Order) => state().units.map(({ place }) => place);
const sentOf = ({ given }: Return) => standingOf(given()).sent;
const toPayOf = ({ given }: Return) => standingOf(given()).toPay;
const moneyOf = ({ given }: Return) => standingOf(given()).money;

/** Unit 1 goes back to its customer. */
function goesBack(order: Order, made: Return, outcome: "repair" | "sent-back" = "repair") {
  made.resolve(outcome);
  after(order, sent(1), deliver);
  made.close();
}

/** A repair whose fee is asked for, and paid. */
const asksFee = (prices = [89_00], id = "return") => {
  const order = bought(prices);
  const repair = requested(order, "repair", [1], { id });
  repair.authorize();
  repair.askFee();
  return { order, repair };
};
const withFee = (prices?: number[], id?: string) => {
  const made = asksFee(prices, id);
  made.repair.pay();
  return made;
};
const FEE = { services: [{ returnId: "return", kind: "fee" }] } as const;

it("a fee that was given back comes off no price, and can be asked for again", () => {
  const { order, repair } = withFee();
  const fee = () => [standingOf(repair.given()).fee, leftOf(order)];
  expect(fee()).toEqual([{ cents: 35_00, isPaid: true }, 124_00]);
  const expireAndReopen = () => {
    repair.end("expired");
    order.settle();
    repair.authorize("reopened");
    return fee();
  };
  expect(expireAndReopen()).toEqual([null, 89_00]);
  expect(repair.askFee().ok).toBe(true);
  repair.pay();
  expect(expireAndReopen()).toEqual([null, 89_00]);
  repair.arrive();
  repair.quote(60_00, true);
  repair.resolve("repair");
  expect(toPayOf(repair)?.cents).toBe(60_00);
});

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

const FEE_BACK: [string, (order: Order) => unknown][] = [
  ["by staff", gives({ ...FEE, seenCents: 35_00 })],
  ["by staff, with its product", gives({ units: [2], ...FEE, seenCents: 75_00 })],
  ["in the provider’s dashboard", (order) => isRefundedElsewhere(order, linkOf(order), 35_00)],
  ["by a lost dispute", (order) => losesDispute(order, linkOf(order), 35_00)],
];
const productsLeft = (order: Order) => order.state().units.filter((unit) => !unit.refunded).length;

it.each(FEE_BACK)("a fee that was given back %s is not given back again when its return ends", (_how, give) => {
  for (const as of ["withdrawn", "expired"] as const) {
    const { order, repair } = withFee([89_00, 40_00]);
    give(order);
    const leftCents = productsLeft(order) === 2 ? 129_00 : 89_00;
    expect(order.state().money).toMatchObject({ leftCents, services: [] });
    repair.end(as);
    expect(leftOf(after(order, actions.settled))).toBe(leftCents);
  }
});

it.each(FEE_BACK)("a fee that was given back %s comes off no price of its repair", (_how, give) => {
  const { order, repair } = withFee([89_00, 40_00]);
  give(order);
  repair.arrive();
  expect(standingOf(repair.given())).toMatchObject({ fee: null, money: { refundCents: 89_00 } });
  repair.quote(100_00, true);
  repair.resolve("repair");
  expect(standingOf(repair.given())).toMatchObject({ toPay: { cents: 100_00 }, money: { refundCents: 0 } });
  expect(promised(FEE)(order)).toMatchObject({ reason: "refunded-service" });
});

it("a fee that was given back does not make an order that cost nothing refunded", () => {
  const { order } = withFee([0]);
  FEE_BACK[0]![1](order);
  expect(situationOf(order.state(), new Date())).toBe("delivered");
});

it("a part of a fee that was given back in the dashboard comes off what its return gives back", () => {
  const { order, repair } = withFee();
  isRefundedElsewhere(order, linkOf(order), 20_00);
  repair.end("withdrawn");
  expect(leftOf(after(order, actions.settled))).toBe(89_00);
});

it("an amount is given back of the money for goods alone, and a refund beside a fee is the sum that its panel shows", () => {
  const order = after(withFee([100_00]).order, amount(20_00));
  expect(promised({ goodwillCents: 80_01 })(order)).toMatchObject({ reason: "too-much", left: 80_00 });
  const { money } = order.state();
  const [line] = linesOf(order.state());
  const seenCents = centsOf(refundItems(line!.refundable, {}, money));
  expect([seenCents, promised({ units: [1], seenCents })(order).ok]).toEqual([80_00, true]);
  expect(order.state().money).toMatchObject({ leftCents: 35_00, leftForGoodsCents: 0 });
});

it("an amount for a replacement gives back no other unit, which ships, and whose lost parcel staff see", () => {
  const order = after(orderOf("page", [89_00, 24_00]), sent(1), deliver);
  requested(order, "defect", [1]).resolve("replacement");
  after(order, sent(3), deliver, amount(25_00));
  expect([leftOf(order), attentionOf(order)]).toEqual([88_00, []]);
  expect(sent(2)(order)).toMatchObject({ ok: true });
  expect(attentionOf(after(order, lost))).toEqual(["parcel-lost"]);
});

it.each([
  ["bank", losesDispute],
  ["dashboard", isRefundedElsewhere],
])("what the %s gave back of the payment of a unit is that unit’s, also after an amount and a swap", (_who, takes) => {
  for (const how of ["lost", "returned", "after an amount", "swapped"] as const) {
    const order = after(orderOf("card", [100_00, 50_00], { shippingCents: 9_99 }), sent(1), sent(2));
    const { charged } = order.state().units[0]!;
    const { paymentId } = order.state().facts.attempts.find(({ chargeId }) => chargeId === charged!.chargeId)!;
    if (how === "after an amount") amount(20_00)(order);
    if (how === "lost") news("lost", 0)(order);
    deliver(order);
    if (how === "swapped") {
      requested(order, "defect", [1], { id: "claim" }).resolve("replacement");
      after(order, sent(3), deliver);
    }
    takes(order, paymentId, how === "after an amount" ? 80_00 : 100_00);
    const unit = how === "swapped" ? 3 : 1;
    expect([how, order.state().units[unit - 1]!.refunded]).toMatchObject([how, { unit }]);
    expect(attentionOf(order)).toEqual([]);
    if (how === "returned") {
      const made = requested(order, "return", [unit]);
      expect(made.given().order.units[unit - 1]!.inReturn).toBe(null);
    }
    expect([how, leftOf(after(order, refunded(unit)))]).toEqual([how, 59_99]);
  }
});

it("a replacement keeps the tax that the shop bears", () => {
  const order = bought([89_00], { taxCents: 6_00, waivedCents: 2_00 });
  const tax = () => order.state().money.leftTaxCents;
  expect(tax()).toBe(8_00);
  arrived(order, "warranty", [1]).resolve("replacement");
  expect(tax()).toBe(8_00);
});

it.each([
  ["none of it", 89_00, "sent-back", 0],
  ["the rest of it", 50_00, "repair", 39_00],
] as const)(
  "goods whose money was given back take %s beside a service that was paid",
  (_name, given, outcome, cents) => {
    const { order, repair } = withFee([89_00], "r1");
    amount(given)(order);
    repair.arrive();
    repair.quote(60_00, outcome === "repair");
    if (outcome === "repair") {
      repair.resolve(outcome);
      repair.pay();
    }
    after(order, sent(1), deliver);
    repair.close();
    expect(centsOf(itemsToRefund(arrived(order, "return", [1], { id: "r2" }).given()))).toBe(cents);
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

it("a repair renews the warranty of its unit alone", () => {
  const order = bought([89_00, 40_00]);
  goesBack(order, arrived(order, "warranty", [1]));
  const renewals = [{ returnId: "return", resolvedAt: new Date("2027-01-20T17:00:00Z") }];
  const left = eligibleLines(order.state(), renewals, TERMS).flatMap(({ unitsLeft }) => unitsLeft);
  expect(left).toEqual([
    { number: 1, renewedOn: "2027-01-20" },
    { number: 2, renewedOn: null },
  ]);
});

it("what was bought has arrived while a repaired unit of it is on its way back", () => {
  const order = bought([89_00, 40_00]);
  const { deliveredAt } = order.state();
  arrived(order, "warranty", [1]).resolve("repair");
  expect(order.state()).toMatchObject({ stage: "partly-shipped", deliveredAt });
  expect(whyNot(order, "return", "2027-01-05")).toBe("in-return");
});

it("the last return of a unit is the last one, whatever the ids of its returns are", () => {
  const order = bought();
  const asRead = () => {
    const { facts } = order.state();
    const returned = facts.returned.toSorted((one, other) => one.returnId.localeCompare(other.returnId));
    return orderState({ ...facts, returned });
  };
  goesBack(order, arrived(order, "warranty", [1], { id: "b" }));
  const second = arrived(order, "warranty", [1], { id: "a" });
  expect(asRead().units[0]!.place).toBe("returned");
  second.resolve("repair");
  expect(asRead().units[0]).toMatchObject({ place: "waiting", sentFor: "a" });
  expect(isSettled({ order: asRead(), row: second.row() })).toBe(false);
});

it("a replacement that is repaired goes back for its own return, and is not for the shelf", () => {
  const order = bought();
  const first = arrived(order, "warranty", [1], { id: "first" });
  first.resolve("replacement");
  after(order, sent(2), deliver);
  first.close();
  const second = arrived(order, "repair", [2], { id: "second" });
  const both = () => [first, second].map(sentOf);
  expect(both()).toEqual(["arrived", null]);
  second.quote(60_00, true);
  second.resolve("repair");
  expect(both()).toEqual(["arrived", "unpaid"]);
  second.pay();
  expect([both(), isSettled(second.given())]).toEqual([["arrived", "waiting"], false]);
  expect(actions.canceled([2])(order)).toMatchObject({ ok: false, reason: "own" });
  after(order, sent(2), deliver);
  expect([both(), isSettled(second.given())]).toEqual([["arrived", "arrived"], true]);
});

it("what a return sent has arrived for it, also while it is in another one", () => {
  const order = bought();
  const first = arrived(order, "warranty", [1], { id: "first" });
  goesBack(order, first);
  arrived(order, "warranty", [1], { id: "second" });
  expect(sentOf(first)).toBe("arrived");
});

it("the rest of an order is canceled beside the customer's own unit, which is canceled only once it is refunded", () => {
  const order = after(orderOf("page", [89_00, 40_00]), sent(1), deliver);
  arrived(order, "warranty", [1]).resolve("repair");
  expect(placesOf(order)).toEqual(["waiting", "waiting"]);
  const offered = () => linesOf(order.state()).map(({ unitsToCancel }) => unitsToCancel);
  expect(offered()).toEqual([0, 1]);
  expect(actions.canceled([1, 2])(order)).toMatchObject({ ok: false, reason: "own" });
  const rest = () => order.decide((state, act) => cancelRest(state, { reason: "asked" }, act));
  expect([rest().ok, placesOf(order)]).toEqual([true, ["waiting", "canceled"]]);
  expect([rest(), actions.canceled([])(order)]).toMatchObject([{ reason: "nothing-left" }, { reason: "nothing-left" }]);
  expect((refunded(1)(order), offered())).toEqual([1, 0]);
  const { stage } = order.state();
  expect([stage, actions.canceled([1])(order).ok, order.state().stage]).toEqual(["partly-shipped", true, "canceled"]);
});

it("a label that is replaced begins the days to send it again, with a reminder of their own", () => {
  const order = bought();
  const claim = requested(order, "warranty", [1], { labelBy: "us" });
  const reminded = (day: string) => {
    order.setTime(`${day}T17:00:00Z`);
    claim.step((given, act) => remind(given, {}, act));
    return claim.row().remindedAt !== null;
  };
  claim.authorize("authorized", "https://one");
  expect(reminded("2027-01-09")).toBe(true);
  claim.step((given, act) => addLabel(given, { labelUrl: "https://two" }, act));
  expect([reminded("2027-01-13"), reminded("2027-01-14")]).toEqual([false, true]);
});

it("something is owed while a replacement waits or is lost, and not once it is on its way", () => {
  const order = bought();
  const owed = () => owesCustomer(order.state());
  const seen = [owed()];
  arrived(order, "warranty", [1]).resolve("replacement");
  seen.push(owed());
  for (const act of [sent(2), lost]) {
    act(order);
    seen.push(owed());
  }
  expect(seen).toEqual([false, true, false, true]);
});

it("an old page that is paid while an exchange sets a unit aside holds no money", () => {
  const order = bought([89_00]);
  requested(order, "exchange", [1], { wantedCents: 149_00 });
  const opened = page({ id: "page-9", kind: "page", createdAt: new Date() });
  const payment = { ...opened, state: "authorized", authorizedCents: 89_00 } as const;
  order.decide((now, act) => confirmOrder(now, { payment }, act));
  expect(order.state().facts.attempts).toContainEqual(expect.objectContaining({ kind: "void", paymentId: "page-9" }));
});

it.each([
  ["exchange", "2027-01-11", "return-resolved 1", ["returned", "canceled"], null, "refund", 0],
  ["repair", null, "", ["returned"], 60_00, "repair", 89_00],
  ["sent back", null, "", ["returned"], 35_00, "sent-back", 89_00],
] as const)("what nobody pays is reminded of once; only an exchange ends: %s", (kind, payBy, ends, ...is) => {
  const order = bought();
  const made = UNPAID[kind](order);
  expect(toPayOf(made)?.payBy).toBe(payBy);
  const on = (day: string) => {
    order.setTime(`${day}T17:00:00Z`);
    return [remindToPay, endUnpaid].map((decide) => {
      const { emails = [], stock = [] } = actions.changeOf(made.step((given, act) => decide(given, {}, act)));
      return [...emails.map(({ template }) => template), ...stock.map(({ delta }) => delta)].join(" ");
    });
  };
  const days = ["07", "08", "11", "12"].map((day) => on(`2027-01-${day}`));
  expect(days).toEqual([
    ["", ""],
    ["return-payment", ""],
    ["", ""],
    ["", ends],
  ]);
  order.settle();
  expect([placesOf(order), toPayOf(made)?.cents ?? null, made.row().outcome, leftOf(order)]).toEqual(is);
  expect(on("2027-01-13")).toEqual(["", ""]);
});

/** The bank or the dashboard gives back a part of what was paid. */
const givenBack = (order: Order, cents: number) =>
  order.decide((now, act) => refundSeen(now, { paymentId: now.facts.payments[0]!.id, cents, named: [] }, act));

it("what is given back before an exchange is paid pays for nothing of it", () => {
  const order = bought();
  const made = UNPAID.exchange(order);
  expect(toPayOf(made)?.cents).toBe(60_00);
  givenBack(order, 89_00);
  expect(toPayOf(made)?.cents).toBe(149_00);
  const { id: chargeId } = order.state().charges.at(-1)!;
  const old = { kind: "page", state: "authorized", chargeId, authorizedCents: 60_00, createdAt: new Date() } as const;
  order.decide((now, act) => takeLinked(now, { payment: page({ id: "old", ...old }) }, act));
  expect(order.state().facts.attempts.at(-1)).toMatchObject({ kind: "void", paymentId: "old" });
  expect(waived(made, 60_00)).toMatchObject({ reason: "meanwhile" });
  made.pay();
  expect([placesOf(order), leftOf(order)]).toEqual([["returned", "waiting"], 149_00]);
});

it("a unit of which the bank took a part is worth the rest in an exchange", () => {
  const order = bought();
  givenBack(order, 80_00);
  const made = arrived(order, "exchange", [1], { wantedCents: 149_00 });
  expect(moneyOf(made).moreCents).toBe(140_00);
  made.resolve("replacement");
  expect(toPayOf(made)?.cents).toBe(140_00);
});

const CHECK = { how: "check", reference: "1042" };

/** A return whose customer does not pay what is asked for. */
const UNPAID = {
  exchange: (order: Order) => {
    const made = arrived(order, "exchange", [1], { wantedCents: 149_00 });
    made.resolve("replacement");
    return made;
  },
  repair: (order: Order) => {
    const made = arrived(order, "repair", [1]);
    made.quote(60_00, true);
    made.resolve("repair");
    return made;
  },
  "sent back": (order: Order) => {
    const made = requested(order, "repair", [1]);
    made.askFee();
    made.arrive();
    made.quote(60_00, false);
    return made;
  },
};
const paid = (made: Return, cents: number) =>
  made.step((given, act) => recordPaid(given, { cents, arrangement: CHECK }, act));
const waived = (made: Return, cents: number) => made.step((given, act) => waive(given, { cents }, act));
const [isRefunded, isSentBack] = [
  (made: Return) => made.resolve("refund"),
  (made: Return) => made.resolve("sent-back"),
];

it.each([
  ["exchange", "is recorded as paid", 60_00, paid, [2], 149_00],
  ["exchange", "is waived", 60_00, waived, [2], 89_00],
  ["exchange", "ends with a refund", 60_00, isRefunded, [], 0],
  ["exchange", "is sent back", 60_00, isSentBack, [1], 89_00],
  ["repair", "is recorded as paid", 60_00, paid, [1], 149_00],
  ["repair", "is waived", 60_00, waived, [1], 89_00],
  ["repair", "is sent back", 60_00, isSentBack, [1], 89_00],
  ["sent back", "is recorded as paid", 35_00, paid, [1], 124_00],
  ["sent back", "is waived", 35_00, waived, [1], 89_00],
] as const)("what is not paid of a return, %s, %s", (kind, _what, cents, act, ships, leftCents) => {
  const order = bought();
  const made = UNPAID[kind](order);
  const waiting = () => order.state().units.flatMap(({ number, place }) => (place === "waiting" ? number : []));
  expect([toPayOf(made)?.cents, waiting()]).toEqual([cents, []]);
  for (const other of [paid, waived]) expect(other(made, cents + 1)).toMatchObject({ ok: false, reason: "meanwhile" });
  expect(act(made, cents)).toMatchObject({ ok: true });
  order.settle();
  expect([toPayOf(made), waiting(), leftOf(order)]).toEqual([null, ships, leftCents]);
  for (const again of [paid, waived]) expect(again(made, cents)).toMatchObject({ ok: false, reason: "nothing-due" });
  expect(isSentBack(made)).toMatchObject({ ok: false, reason: "state" });
});

it.each([
  [1, 0],
  [49, 0],
  [50, 50],
])("what a provider does not take is not asked for: %i cents of an exchange and of a repair", (cents, asked) => {
  const exchanged = bought([89_00], { taxCents: 7_00 });
  const exchange = arrived(exchanged, "exchange", [1], { wantedCents: 96_00 + cents });
  expect(moneyOf(exchange).moreCents).toBe(asked);
  exchange.resolve("replacement");
  const { order: repaired, repair } = withFee();
  repair.arrive();
  repair.quote(35_00 + cents, true);
  repair.resolve("repair");
  for (const [order, made] of [[exchanged, exchange] as const, [repaired, repair] as const]) {
    expect(toPayOf(made)?.cents ?? 0).toBe(asked);
    expect(placesOf(order).includes("waiting")).toBe(asked === 0);
  }
  expect(leftOf(exchanged)).toBe(96_00);
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

it.each<[string, (made: Return) => unknown]>([
  ["is withdrawn", (made) => made.end("withdrawn")],
  ["is not sent in time", (made) => made.end("expired")],
  ["has a price that its customer agrees to", (made) => [made.arrive(), made.quote(60_00, true)]],
  ["is sent back", (made) => [made.arrive(), made.resolve("sent-back")]],
])("the page to pay a fee is closed if its return %s", (_name, end) => {
  const { order, repair } = asksFee();
  const chargeId = order.state().charges.at(-1)!.id;
  const open = page({ id: "open", kind: "page", chargeId, createdAt: new Date() });
  order.set((facts) => ({ ...facts, payments: [...facts.payments, { ...open, state: "open" }] }));
  end(repair);
  expect(order.state().facts.attempts.filter(({ paymentId }) => paymentId === "open")).toMatchObject([
    { kind: "void" },
  ]);
});

it("the days of a repair count from the answer to its price", () => {
  const order = bought();
  const repair = arrived(order, "repair", [1]);
  const first = repair.row().dueOn;
  order.setTime("2027-03-01T17:00:00Z");
  repair.quote(60_00, true);
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
  ["an exchange for something free", "exchange", 0, "replacement", 0, 0],
  ["a replacement", "defect", 0, "replacement", 0, 90_00],
  ["a refund", "return", 0, "refund", 0, 0],
] as const)("%s of a unit bought with a code keeps to what it cost", (_name, kind, wantedCents, outcome, due, kept) => {
  const order = bought([100_00], { percentOff: 10 });
  const made = arrived(order, kind, [1], { wantedCents });
  expect(moneyOf(made).moreCents).toBe(due);
  made.resolve(outcome);
  order.settle();
  expect([toPayOf(made)?.cents ?? 0, leftOf(order)]).toEqual([due, kept]);
});

it("an exchange that waits for its answer is said to cost what its customer agreed to", () => {
  const exchange = requested(bought(), "exchange", [1], { wantedCents: 149_00, labelBy: "us", reason: "wrong-item" });
  expect(exchange.row().state).toBe("requested");
  expect(moneyOf(exchange)).toMatchObject({ refundCents: 0, moreCents: 60_00 });
});

it.each<[ReturnKind, Outcome, Outcome[]]>([
  ["exchange", "replacement", ["refund", "sent-back"]],
  ["defect", "replacement", ["refund", "sent-back"]],
  ["warranty", "replacement", ["refund", "sent-back"]],
  ["warranty", "repair", ["refund", "sent-back"]],
  ["warranty", "part", []],
])("a %s whose price is given back meanwhile ends with no %s, free or paid, but with %j", (kind, outcome, others) => {
  for (const request of [{ units: [1] }, { goodwillCents: 89_00 }] satisfies Partial<RefundRequest>[]) {
    for (const instead of [null, ...others]) {
      const order = bought();
      const made = requested(order, kind, [1], { wantedCents: 149_00 });
      if (kind === "exchange") expect(moneyOf(made).moreCents).toBe(60_00);
      gives(request)(order);
      expect(moneyOf(made)).toMatchObject({ refundCents: 0, moreCents: 0 });
      if (outcome !== "part") made.arrive();
      expect(made.resolve(outcome)).toMatchObject({ ok: false, reason: "given-back" });
      if (!instead) continue;
      expect(made.resolve(instead)).toMatchObject({ ok: true });
      expect([toPayOf(made), leftOf(order)]).toEqual([null, 0]);
      expect(placesOf(order).filter((place) => place === "waiting")).toHaveLength(instead === "refund" ? 0 : 1);
    }
  }
});

it.each<[string, (first: Return) => unknown, number]>([
  ["it waits", () => {}, 40_00],
  ["it is withdrawn", (first) => first.end("withdrawn"), 49_99],
  ["it is replaced", (first) => first.resolve("replacement"), 49_99],
  ["it is refunded", (first) => first.resolve("refund"), 40_00],
])(
  "of two returns that are the shop's fault the first gives the shipping back; the other, once %s",
  (_w, act, cents) => {
    const order = bought([89_00, 40_00], { shippingCents: 9_99 });
    const first = requested(order, "defect", [1], { id: "r1" });
    expect(refundOf(order.state(), [2], "damaged")).toBe(40_00);
    const second = requested(order, "defect", [2], { id: "r2" });
    expect([first, second].map((made) => moneyOf(made).refundCents)).toEqual([98_99, 40_00]);
    act(first);
    expect(moneyOf(second).refundCents).toBe(cents);
    second.resolve("refund");
    expect(moneyOf(second).refundCents).toBe(cents);
    if (first.row().state === "requested") expect(moneyOf(first).refundCents).toBe(98_99);
  },
);

it("a return that is reopened promises no shipping that another one promises meanwhile", () => {
  const order = bought([89_00, 40_00], { shippingCents: 9_99 });
  const first = requested(order, "defect", [1], { id: "r1" });
  first.authorize("authorized", "https://label");
  first.end("expired");
  const second = requested(order, "defect", [2], { id: "r2" });
  first.authorize("reopened");
  expect([first, second].map((made) => moneyOf(made).refundCents)).toEqual([89_00, 49_99]);
});

it.each(["refused", "lost"] as const)(
  "a return of what is %s before it arrives ends, and its parcel is as any other",
  (state) => {
    const order = after(orderOf("page", [40_00]), sent(1));
    const exchange = requested(order, "exchange", [1], { wantedCents: 40_00 });
    const end = () => exchange.step((given, act) => endAstray(given, {}, act));
    expect(end()).toEqual({ ok: true, change: {}, row: {} });
    news(state)(order);
    const situation = () => situationOf(order.state(), new Date("2027-01-05T17:00:00Z"));
    expect(situation()).toBe(state === "lost" ? "lost" : "coming-back");
    if (state === "refused") actions.back()(order);
    expect([actions.again(order).ok, situation()]).toEqual([true, "sending-again"]);
    expect(end()).toMatchObject({
      ok: true,
      change: { stock: [{ productId: "other", delta: 1 }], emails: [{ template: "return-not-needed" }] },
    });
    expect([exchange.row().state, placesOf(order)]).toEqual(["withdrawn", ["waiting", "canceled"]]);
  },
);

it("what arrived after all, came back and goes to its customer again was never in the parcel sent in its place", () => {
  const order = after(orderOf("page", [40_00, 60_00]), sent(1), lost, actions.again, sent(1, 2));
  after(order, news("delivered", 0), news("refused", 1));
  order.setTime("2027-01-12T17:00:00Z");
  arrived(order, "warranty", [1]).resolve("sent-back");
  expect(order.state().units[0]).toMatchObject({ place: "waiting", isOwn: true });
});

it("what a return sends is on its way, then arrived or astray, also once it came back by another one", () => {
  const order = bought();
  const made = arrived(order, "warranty", [1]);
  made.resolve("replacement");
  const seen = [sentOf(made)];
  for (const act of [
    sent(2),
    made.close,
    lost,
    news("delivered"),
    () => arrived(order, "return", [2], { id: "another" }),
  ]) {
    act(order);
    seen.push(sentOf(made));
  }
  expect(seen).toEqual(["waiting", "sent", "sent", "astray", "arrived", "arrived"]);
});

it("its refund is done once it has moved, and failed while its bank refuses it", () => {
  const order = bought([89_00]);
  const made = arrived(order, "return", [1]);
  made.resolve("refund");
  const states = [moneyOf(made).refundState];
  for (const act of [actions.failed, actions.retried(), actions.settled]) {
    act(order);
    states.push(moneyOf(made).refundState);
  }
  expect(states).toEqual(["promised", "failed", "promised", "done"]);
});

it("a return of what was paid by check stays open until staff have recorded that they sent its refund", () => {
  const order = after(orderOf("arranged", [89_00]), actions.paidByCheck(89_00), sent(1), deliver);
  const made = arrived(order, "return", [1]);
  expect(actions.emailsOf(made.resolve("refund"))).not.toContain("refund-issued");
  const standing = () => [standingOf(made.given()).byHandCents, attentionOf(order), made.close().ok];
  expect(standing()).toEqual([89_00, ["refund-owed"], false]);
  sentByHand()(order);
  expect(standing()).toEqual([0, [], true]);
});
