/** Limit of the member who decides, and the cents that a decision gives away. */
import { expect, it } from "vitest";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { HOME } from "#tests/support/order-world.ts";
import { arrived, bought, requested } from "#tests/support/return-in-memory.ts";
import { cancelRest, cancelUnits, endOrder } from "#shop/orders/actions/cancel.ts";
import { changeAddress } from "#shop/orders/actions/change-address.ts";
import { recordPayment } from "#shop/orders/actions/pay.ts";
import { recordSent, refund, refundSeen, resolveRefund, retryRefund } from "#shop/orders/actions/refund.ts";
import type { DecidedBy, Decision } from "#shop/orders/change.ts";
import { addressLine } from "#shop/orders/order.ts";
import type { OrderState } from "#shop/orders/state.ts";
import { waive } from "#shop/returns/actions/charge.ts";
import { answerQuote, askFee, quote } from "#shop/returns/actions/inspect.ts";
import { authorize, endReturn } from "#shop/returns/actions/request.ts";
import { resolve } from "#shop/returns/actions/resolve.ts";
import { givenAway, limitOf } from "./limit.ts";

type Order = ReturnType<typeof orderOf>;
type Act = (state: OrderState, act: DecidedBy) => Decision;

const SUPPORT = { staffId: "ada", role: "support", address: "203.0.113.9", requestId: null } as const;
const goodwill =
  (goodwillCents: number): Act =>
  (state, act) =>
    refund(state, { reason: "goodwill", goodwillCents }, act);
const owed = ({ refunds }: OrderState) => ({ refundId: refunds.find(({ owedCents }) => owedCents > 0)!.id });
const sentOtherwise: Act = (state, act) => resolveRefund(state, owed(state), act);
const again: Act = (state, act) => retryRefund(state, owed(state), act);
const sent: Act = (state, act) => recordSent(state, { ...owed(state), cents: state.refunds.at(-1)!.byHandCents }, act);

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
  claim.step((given, act) => resolve(given, { outcome: "replacement" }, act));
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

it.each<[string, readonly Act[], () => Order]>([
  [
    "that its customer decided",
    [again, sentOtherwise],
    () => {
      const order = orderOf("page", [89_00, 200_00]);
      order.shipUnits(1, 2);
      order.decide((state, act) => goodwill(200_00)(state, { ...act, by: "customer" }));
      order.settle("failed");
      return order;
    },
  ],
  [
    "of an arranged payment, whose order its customer canceled",
    [sent],
    () => {
      const order = orderOf("arranged", [200_00]);
      const payment = { cents: 200_00, arrangement: { how: "check", reference: "" }, shipBy: "2027-01-07" };
      order.decide((state, act) => recordPayment(state, payment, act));
      order.decide((state, act) => endOrder(state, { as: "canceled" }, { ...act, by: "customer" }));
      return order;
    },
  ],
  [
    "that another member decided",
    [again, sentOtherwise],
    () => {
      const order = bought([200_00]);
      order.decide((state, act) => goodwill(200_00)(state, { ...act, staffId: "ben" }));
      order.settle("failed");
      return order;
    },
  ],
])("a refund %s is given back by anyone, and takes nothing of their limit", (_which, ways, begin) => {
  for (const give of ways) {
    const order = begin();
    expect(byAda(order, give).ok).toBe(true);
    expect(order.state().refunds).toMatchObject([{ owedCents: 0 }]);
  }
});

/** An exchange whose customer has to pay $11.00. */
function unpaidExchange(order = bought()) {
  const exchange = arrived(order, "exchange", [1], { wantedCents: 100_00 });
  exchange.step((given, act) => resolve(given, { outcome: "replacement" }, act));
  return [order, exchange] as const;
}

/** A repair whose fee is paid. */
function paidRepair(order = bought()) {
  const repair = requested(order, "repair", [1]);
  repair.step((given, act) => askFee(given, {}, act));
  repair.pay();
  return [order, repair] as const;
}

const tax = { reference: "quote", lineTaxCents: { "product-0": 6_00 }, shippingTaxCents: 0 };
const austin = { ...HOME, shippingCity: "Austin", shippingState: "TX", shippingPostalCode: "78701" };

/** The tax of a move that the shop bears. */
const moveAway: Act = (state, act) => {
  const move = { address: austin, tax, seenTaxCents: 6_00, bears: "shop" } as const;
  return changeAddress(state, { ...move, from: addressLine(state.facts.order) }, act);
};

it.each<[string, number, () => [Order, Act]]>([
  [
    "what an exchange costs more",
    11_00,
    () => {
      const [order, exchange] = unpaidExchange(bought([89_00, 200_00]));
      return [order, (_state, act) => waive(exchange.given(), { cents: 11_00 }, act)];
    },
  ],
  ["the tax of a move", 6_00, () => [orderOf("page", [289_00]), moveAway]],
])("%s takes of the limit of the member who waives it, on that day", (_name, cents, begin) => {
  const [order, act] = begin();
  expect(byAda(order, act).ok).toBe(true);
  order.shipUnits(1);
  expect(byAda(order, goodwill(100_00 - cents + 1))).toMatchObject({ reason: "limit", refundedCents: cents });
  order.setTime("2027-01-06T17:00:00Z");
  expect(byAda(order, goodwill(100_00)).ok).toBe(true);
});

it.each<[string, number, () => [Order, Act]]>([
  ["an amount", 24_00, () => [bought(), goodwill(24_00)]],
  [
    "units that are canceled",
    40_00,
    () => {
      const order = orderOf("page", [89_00, 40_00]);
      order.shipUnits(1);
      const canceled = { units: [2], reason: "asked", restocks: true, refundsReplacements: true } as const;
      return [order, (state, act) => cancelUnits(state, canceled, act)];
    },
  ],
  ["the tax of a move that the shop bears", 6_00, () => [orderOf("page", [89_00]), moveAway]],
  [
    "what an exchange costs more, if it is waived",
    11_00,
    () => {
      const [order, exchange] = unpaidExchange();
      return [order, (_state, act) => waive(exchange.given(), { cents: 11_00 }, act)];
    },
  ],
  [
    "what an exchange costs less, but not what pays for it",
    9_00,
    () => {
      const order = bought();
      const exchange = arrived(order, "exchange", [1], { wantedCents: 80_00 });
      return [order, (_state, act) => resolve(exchange.given(), { outcome: "replacement" }, act)];
    },
  ],
  [
    "a return",
    89_00,
    () => {
      const order = bought();
      const made = arrived(order, "return", [1]);
      return [order, (_state, act) => resolve(made.given(), { outcome: "refund" }, act)];
    },
  ],
  [
    "the fee of a product that goes back unpaid",
    35_00,
    () => {
      const order = bought();
      const repair = requested(order, "repair", [1]);
      repair.step((given, act) => askFee(given, {}, act));
      repair.arrive();
      return [order, (_state, act) => resolve(repair.given(), { outcome: "sent-back" }, act)];
    },
  ],
  [
    "a repair that is done, and goes back unpaid",
    60_00,
    () => {
      const order = bought();
      const repair = arrived(order, "repair", [1]);
      repair.step((given, act) => quote(given, { cents: 60_00 }, act));
      repair.step((given, act) => answerQuote(given, { isYes: true }, act));
      repair.step((given, act) => resolve(given, { outcome: "repair" }, act));
      return [order, (_state, act) => resolve(repair.given(), { outcome: "sent-back" }, act)];
    },
  ],
  [
    "nothing, if the customer does not pay an exchange and has the product back",
    0,
    () => {
      const [order, exchange] = unpaidExchange();
      return [order, (_state, act) => resolve(exchange.given(), { outcome: "sent-back" }, act)];
    },
  ],
  [
    "nothing with a fee that is owed",
    0,
    () => {
      const [order, repair] = paidRepair();
      return [order, (_state, act) => endReturn(repair.given(), { as: "withdrawn" }, act)];
    },
  ],
  [
    "nothing that staff have sent themselves",
    0,
    () => {
      const order = bought();
      order.decide(goodwill(24_00));
      order.settle("failed");
      return [order, sentOtherwise];
    },
  ],
  [
    "nothing, if a return is authorized",
    0,
    () => {
      const order = bought();
      const made = requested(order, "defect", [1]);
      return [order, (_state, act) => authorize(made.given(), { wanted: null, labelUrl: null, as: "authorized" }, act)];
    },
  ],
])("gives away %s: %i", (_name, cents, begin) => {
  const [order, act] = begin();
  order.decide((state, by) => {
    const decided = act(state, by);
    expect(decided.ok && givenAway(state, decided.change)).toBe(cents);
    return decided;
  });
});
