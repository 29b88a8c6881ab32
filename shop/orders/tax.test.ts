/** What of the sales of an order is recorded and not taken back: their price and tax, by product and shipping. */
import { expect, it } from "vitest";
import * as actions from "#tests/support/order-actions.ts";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { moneyMoved } from "./actions/money-moved.ts";
import { sumOf } from "./tax.ts";

const { after, amount, canceled, failed, promised, refunded, sent } = actions;

/** The bank refuses the last refund after it was done. */
const refusedLate: actions.Action = ({ decide, state }) => {
  const { id: attemptId, paymentId, cents } = state().facts.attempts.at(-1)!;
  const was = state().facts.payments.find(({ id }) => id === paymentId)!;
  const payment = { ...was, refundedCents: was.refundedCents - cents };
  return decide((now, act) => moneyMoved(now, { attemptId, outcome: "failed", payment }, act));
};

function kept({ state }: actions.Order) {
  const { taxRecords } = state().facts;
  const parts = taxRecords.flatMap(({ refundId, parts: of }) =>
    of.map((part) => ({ ...part, isTaken: refundId !== null })),
  );
  const sums = [...Map.groupBy(parts, ({ productId }) => productId ?? "shipping")].map(([name, of]) => {
    const [sold, taken] = [false, true].map((is) => sumOf(of.filter(({ isTaken }) => isTaken === is)));
    return [name, [sold!.amountCents - taken!.amountCents, sold!.taxCents - taken!.taxCents]] as const;
  });
  return Object.fromEntries(sums.filter(([, cents]) => cents.some((each) => each !== 0)));
}

const [DOCK, SLEEVE, SHIPPING] = [
  { "product-0": [40_00, 3_30] },
  { "product-1": [13_37, 3_30] },
  { shipping: [9_99, 0] },
];

it.each<["page" | "card", string, object, ...actions: ((order: actions.Order) => unknown)[]]>([
  ["page", "nothing before it is charged", {}],
  ["page", "nothing of what was canceled by then", { ...DOCK, ...SHIPPING }, canceled([2]), sent(1)],
  ["page", "nothing of a unit that was refunded", { ...SLEEVE, ...SHIPPING }, sent(1, 2), refunded(1)],
  ["page", "nothing once amounts gave all back", {}, sent(1, 2), amount(10_00), amount(33_33), amount(26_63)],
  [
    "page",
    "what a refund that failed at once did not take",
    { ...DOCK, ...SLEEVE, ...SHIPPING },
    sent(1, 2),
    promised({ units: [1] }),
    failed,
  ],
  ["page", "nothing of what the bank refused later", { ...SLEEVE, ...SHIPPING }, sent(1, 2), refunded(1), refusedLate],
  ["card", "a charge by itself, with the shipping", { ...DOCK, ...SHIPPING }, sent(1)],
  ["card", "the charge that is not refunded", { ...DOCK, ...SHIPPING }, sent(1), sent(2), refunded(2)],
])("of an order by %s is kept %s", (mode, _what, is, ...steps) => {
  const order = after(orderOf(mode, [40_00, 13_37], { taxCents: 3_30, shippingCents: 9_99 }), ...steps);
  expect(kept(order)).toEqual(is);
});

it("a unit of which an amount was refunded before takes the rest from what is kept beside it", () => {
  const order = after(orderOf("page", [40_00, 13_37], { taxCents: 3_30 }), sent(1, 2), amount(20_00), refunded(1));
  const left = Object.values(kept(order))
    .flat()
    .reduce((sum, cents) => sum + cents, 0);
  expect(left).toBe(order.state().money.leftCents);
});
