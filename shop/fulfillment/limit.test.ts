/** Limit of the member who decides, and the cents that a decision gives away. */
import { expect, it } from "vitest";
import * as actions from "#tests/support/order-actions.ts";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { HOME } from "#tests/support/order-world.ts";
import { arrived, bought, requested } from "#tests/support/return-in-memory.ts";
import { cancelRest, cancelUnits, endOrder } from "#shop/orders/actions/cancel.ts";
import { changeAddress } from "#shop/orders/actions/change-address.ts";
import { recordSent, refund, refundSeen, resolveRefund, retryRefund } from "#shop/orders/actions/refund.ts";
import type { DecidedBy, Decision } from "#shop/orders/change.ts";
import { addressLine } from "#shop/orders/order.ts";
import type { OrderState } from "#shop/orders/state.ts";
import { waive } from "#shop/returns/actions/charge.ts";
import { authorize, endReturn } from "#shop/returns/actions/request.ts";
import { resolve } from "#shop/returns/actions/resolve.ts";
import type { ReturnCase } from "#shop/returns/facts.ts";
import type { Outcome } from "#shop/returns/lifecycle.ts";
import { givenAway, limitOf } from "./limit.ts";

const { after, sent } = actions;
type Order = actions.Order;
type Act = (state: OrderState, act: DecidedBy) => Decision;

const SUPPORT = { staffId: "ada", role: "support", address: "203.0.113.9", requestId: null } as const;
const goodwill =
  (goodwillCents: number): Act =>
  (state, act) =>
    refund(state, { reason: "goodwill", goodwillCents }, act);
const owed = ({ refunds }: OrderState) => ({ refundId: refunds.find(({ owedCents }) => owedCents > 0)!.id });
const sentOtherwise: Act = (state, act) => resolveRefund(state, owed(state), act);
const again: Act = (state, act) => retryRefund(state, owed(state), act);
const byHand: Act = (state, act) =>
  recordSent(state, { ...owed(state), cents: state.refunds.at(-1)!.byHandCents }, act);

/** A decision of Ada, within her limit. */
const byAda = (order: Order, decide: Act): Decision =>
  order.decide((state, given) => {
    const act = { ...given, staffId: SUPPORT.staffId };
    const decided = decide(state, act);
    return (decided.ok && limitOf(SUPPORT)(state, decided.change, act)) || decided;
  });

it("a refund that failed takes of the limit of its member, and is tried again within it", () => {
  const order = bought([200_00]);
  expect(byAda(order, goodwill(60_00)).ok).toBe(true);
  order.settle("failed");
  expect(byAda(order, goodwill(60_00))).toEqual({ ok: false, reason: "limit", cents: 60_00, refundedCents: 60_00 });
  expect(byAda(order, goodwill(40_00)).ok).toBe(true);
  expect(byAda(order, again).ok).toBe(true);
  order.setTime("2027-01-05T17:00:00Z");
  expect(byAda(order, goodwill(100_00)).ok).toBe(true);
});

/** An order whose buyer canceled a replacement: nobody has approved the refund, which is left to staff. */
function leftToStaff(cents: number): Order {
  const order = bought([cents, 300_00]);
  const claim = requested(order, "defect", [1]);
  claim.resolve("replacement");
  order.decide((state, act) => cancelRest(state, { reason: "asked" }, { ...act, by: "customer" }));
  expect(order.state().refunds.at(-1)).toMatchObject({ cents, owedCents: cents, staffId: null });
  return order;
}

/** The provider's dashboard refunds a part. */
const seen = (order: Order, cents: number) => {
  order.decide((state, act) => refundSeen(state, { paymentId: "page-0", cents }, { ...act, by: "provider" }));
  order.settle();
};

it.each<[string, Act]>([
  ["moved", again],
  ["resolved", sentOtherwise],
])(
  "a refund that was left to staff takes of the limit of the member by whom it is %s, once, on that day",
  (_is, give) => {
    const order = leftToStaff(60_00);
    order.setTime("2027-01-06T17:00:00Z");
    expect(byAda(order, goodwill(100_00)).ok).toBe(true);
    expect(byAda(order, give)).toMatchObject({ reason: "limit", cents: 60_00, refundedCents: 100_00 });
    order.setTime("2027-01-07T17:00:00Z");
    expect(byAda(order, give).ok).toBe(true);
    order.settle("failed");
    expect(byAda(order, goodwill(40_01))).toMatchObject({ reason: "limit", refundedCents: 60_00 });
    if (give === again) expect(byAda(order, again).ok).toBe(true);
  },
);

it("a refund that was left to staff needs the limit for its rest, also if a part of it has moved elsewhere", () => {
  const order = leftToStaff(200_00);
  order.setTime("2027-01-06T17:00:00Z");
  seen(order, 50_00);
  expect(byAda(order, again)).toMatchObject({ reason: "limit", cents: 150_00 });
});

/** A decision of somebody else, and what it asks of the bank fails. */
const decidedBy =
  (by: Partial<DecidedBy>, decide: Act) =>
  (order: Order): void => {
    order.decide((state, act) => decide(state, { ...act, ...by }));
    order.settle("failed");
  };
const ended: Act = (state, act) => endOrder(state, { as: "canceled" }, act);

it.each<[string, readonly Act[], () => Order]>([
  [
    "that its customer decided",
    [again, sentOtherwise],
    () => after(orderOf("page", [89_00, 200_00]), sent(1, 2), decidedBy({ by: "customer" }, goodwill(200_00))),
  ],
  [
    "of an arranged payment, whose order its customer canceled",
    [byHand],
    () => after(orderOf("arranged", [200_00]), actions.paidByCheck(200_00), decidedBy({ by: "customer" }, ended)),
  ],
  [
    "that another member decided",
    [again, sentOtherwise],
    () => after(bought([200_00]), decidedBy({ staffId: "ben" }, goodwill(200_00))),
  ],
])("a refund %s is given back by anyone, and takes nothing of their limit", (_which, ways, begin) => {
  for (const give of ways) {
    const order = begin();
    expect(byAda(order, give).ok).toBe(true);
    expect(order.state().refunds).toMatchObject([{ owedCents: 0 }]);
  }
});

it("the fee of a repair that staff decline takes nothing of their limit", () => {
  const order = bought([200_00]);
  expect(byAda(order, withdrawn(withFee(order, true))).ok).toBe(true);
  order.settle();
  expect(byAda(order, goodwill(100_00)).ok).toBe(true);
});

/** An exchange whose customer has to pay $11.00. */
function unpaidExchange(order: Order) {
  const exchange = arrived(order, "exchange", [1], { wantedCents: 100_00 });
  exchange.resolve("replacement");
  return exchange;
}

/** A repair whose fee is asked for, or paid. */
function withFee(order: Order, isPaid: boolean) {
  const repair = requested(order, "repair", [1]);
  repair.askFee();
  if (isPaid) repair.pay();
  else repair.arrive();
  return repair;
}

function repaired(order: Order) {
  const repair = arrived(order, "repair", [1]);
  repair.quote(60_00, true);
  repair.resolve("repair");
  return repair;
}

const tax = { reference: "quote", lineTaxCents: { "product-0": 6_00 }, shippingTaxCents: 0 };
const austin = { ...HOME, shippingCity: "Austin", shippingState: "TX", shippingPostalCode: "78701" };

/** The tax of a move that the shop bears. */
const moveAway: Act = (state, act) => {
  const move = { address: austin, tax, seenTaxCents: 6_00, bears: "shop" } as const;
  return changeAddress(state, { ...move, from: addressLine(state.facts.order) }, act);
};

type Made = { given(): ReturnCase };
const ofReturn =
  ({ given }: Made, decide: (given: ReturnCase, act: DecidedBy) => Decision): Act =>
  (_state, act) =>
    decide(given(), act);
const ends = (made: Made, outcome: Outcome) => ofReturn(made, (given, act) => resolve(given, { outcome }, act));
const waived = (made: Made) => ofReturn(made, (given, act) => waive(given, { cents: 11_00 }, act));
const withdrawn = (made: Made) => ofReturn(made, (given, act) => endReturn(given, { as: "withdrawn" }, act));
const authorized = (made: Made) =>
  ofReturn(made, (given, act) => authorize(given, { wanted: null, labelUrl: null, as: "authorized" }, act));
const canceled: Act = (state, act) =>
  cancelUnits(state, { units: [2], reason: "asked", restocks: true, refundsReplacements: true }, act);

it.each<[string, number, Order, (order: Order) => Act]>([
  ["what an exchange costs more", 11_00, bought([89_00, 200_00]), (order) => waived(unpaidExchange(order))],
  ["the tax of a move", 6_00, orderOf("page", [289_00]), () => moveAway],
])("%s takes of the limit of the member who waives it, on that day", (_name, cents, order, act) => {
  expect(byAda(order, act(order)).ok).toBe(true);
  order.shipUnits(1);
  expect(byAda(order, goodwill(100_00 - cents + 1))).toMatchObject({ reason: "limit", refundedCents: cents });
  order.setTime("2027-01-06T17:00:00Z");
  expect(byAda(order, goodwill(100_00)).ok).toBe(true);
});

const cheaper = { wantedCents: 80_00 };
it.each<[string, number, Order, (order: Order) => Act]>([
  ["an amount", 24_00, bought(), () => goodwill(24_00)],
  ["units that are canceled", 40_00, after(orderOf("page", [89_00, 40_00]), sent(1)), () => canceled],
  ["the tax of a move that the shop bears", 6_00, orderOf("page", [89_00]), () => moveAway],
  ["what an exchange costs more, if waived", 11_00, bought(), (order) => waived(unpaidExchange(order))],
  [
    "what an exchange costs less, but not what pays for it",
    9_00,
    bought(),
    (order) => ends(arrived(order, "exchange", [1], cheaper), "replacement"),
  ],
  ["a return", 89_00, bought(), (order) => ends(arrived(order, "return", [1]), "refund")],
  ["the fee of what goes back unpaid", 35_00, bought(), (order) => ends(withFee(order, false), "sent-back")],
  ["a repair that goes back unpaid", 60_00, bought(), (order) => ends(repaired(order), "sent-back")],
  ["nothing, if an unpaid exchange goes back", 0, bought(), (order) => ends(unpaidExchange(order), "sent-back")],
  ["nothing with a fee that is owed", 0, bought(), (order) => withdrawn(withFee(order, true))],
  ["nothing that staff sent themselves", 0, after(bought(), decidedBy({}, goodwill(24_00))), () => sentOtherwise],
  ["nothing, if a return is authorized", 0, bought(), (order) => authorized(requested(order, "defect", [1]))],
])("gives away %s: %i", (_name, cents, order, make) => {
  const act = make(order);
  order.decide((state, by) => {
    const decided = act(state, by);
    expect(decided.ok && givenAway(state, decided.change)).toBe(cents);
    return decided;
  });
});
