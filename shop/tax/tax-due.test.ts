import { describe, expect, it } from "vitest";
import { amountsCharged, unitsKept } from "#shop/orders/order.ts";
import { orderedParts, partsToReverse, salesOf, taxOf, withoutParts, type TaxedOrder } from "./tax-due.ts";
import type { TaxPart } from "./tax-provider.ts";

/** Two bowls and a sleeve in Texas, with shipping. */
const ordered: TaxedOrder = {
  lines: [
    { productId: "bowl", priceCents: 33_33, quantity: 2, canceledQuantity: 0, taxCents: 5_50 },
    { productId: "sleeve", priceCents: 19_00, quantity: 1, canceledQuantity: 0, taxCents: 1_57 },
  ],
  shippingCents: 9_99,
  shippingTaxCents: 82,
  isEnded: false,
  capturedCents: 0,
  refundedCents: 0,
};
const TOTAL_CENTS = 103_54;
const canceled = (bowls: number, sleeves: number) => ({
  lines: ordered.lines.map((line, place) => ({ ...line, canceledQuantity: [bowls, sleeves][place]! })),
});
const shortly = (parts: TaxPart[] | null) =>
  parts && Object.fromEntries(parts.map((part) => [part.productId ?? "shipping", [part.amountCents, part.taxCents]]));

describe("what is to be reversed of a new record", () => {
  it.each<[string, Partial<TaxedOrder>, ReturnType<typeof shortly>]>([
    ["nothing, once all is captured", { capturedCents: TOTAL_CENTS }, null],
    ["nothing, while a second parcel is not charged", { capturedCents: 46_82 }, null],
    ["a unit canceled before", { ...canceled(1, 0), capturedCents: 67_46 }, { bowl: [33_33, 2_75] }],
    ["a line canceled before", { ...canceled(0, 1), capturedCents: 82_97 }, { sleeve: [19_00, 1_57] }],
    [
      "a unit canceled after, before its refund",
      { ...canceled(1, 0), capturedCents: TOTAL_CENTS },
      { bowl: [33_33, 2_75] },
    ],
    ["and after it", { ...canceled(1, 0), capturedCents: TOTAL_CENTS, refundedCents: 36_08 }, { bowl: [33_33, 2_75] }],
    [
      "another refund, from all parts and their tax",
      { capturedCents: TOTAL_CENTS, refundedCents: 10_00 },
      { bowl: [6_44, 53], sleeve: [1_84, 15], shipping: [96, 8] },
    ],
    [
      "all of a canceled order",
      { isEnded: true, capturedCents: TOTAL_CENTS, refundedCents: TOTAL_CENTS },
      { bowl: [66_66, 5_50], sleeve: [19_00, 1_57], shipping: [9_99, 82] },
    ],
    [
      "all, where every unit is canceled",
      { ...canceled(2, 1), capturedCents: TOTAL_CENTS },
      { bowl: [66_66, 5_50], sleeve: [19_00, 1_57], shipping: [9_99, 82] },
    ],
  ])("%s", (_, change, parts) => {
    const order = { ...ordered, ...change };
    expect(shortly(partsToReverse(order, orderedParts(order)))).toEqual(parts);
  });
});

/** Money as shop and payment provider move it, and tax as its provider does, which refuses to reverse what is gone. */
function randomOrder() {
  const random = (below: number) => Math.floor(Math.random() * below);
  const lines = Array.from({ length: 1 + random(4) }, (_, place) => {
    const [priceCents, quantity] = [random(30_000), 1 + random(10)];
    const taxCents = random(2) * Math.round((priceCents * quantity * random(1_100)) / 10_000);
    return { productId: `${place}`, priceCents, quantity, canceledQuantity: 0, taxCents };
  });
  const shippingCents = random(2) * random(3_500);
  const shippingTaxCents = Math.round((shippingCents * random(2) * 825) / 10_000);
  const order: TaxedOrder = {
    lines,
    shippingCents,
    shippingTaxCents,
    isEnded: false,
    capturedCents: 0,
    refundedCents: 0,
  };
  const chargedCents = () => {
    const amounts = { subtotalCents: 0, shippingCents, shippingTaxCents, taxCents: 0, totalCents: 0 };
    return order.isEnded ? 0 : amountsCharged(amounts, order.lines).totalCents;
  };
  const leftCents = () => order.capturedCents - order.refundedCents;
  const cancel = () => {
    const before = chargedCents();
    const line = lines[random(lines.length)]!;
    line.canceledQuantity += random(unitsKept(line) + 1);
    if (order.capturedCents > 0) order.refundedCents += Math.min(leftCents(), before - chargedCents());
  };
  const actions = [
    cancel,
    () => {
      if (order.capturedCents === 0) order.capturedCents = chargedCents();
    },
    () => (order.refundedCents += random(leftCents() + 1)),
    () => {
      order.isEnded = random(8) === 0;
      if (order.isEnded) order.refundedCents = order.capturedCents;
    },
  ];
  let recorded: TaxPart[] | null = null;
  const books = { charged: 0, reversed: 0 };
  return {
    order,
    books,
    recorded: () => recorded,
    act() {
      if (!order.isEnded) actions[random(actions.length)]!();
      if (recorded === null && order.capturedCents === 0) return;
      if (recorded === null) {
        recorded = orderedParts(order);
        books.charged = taxOf(recorded);
      }
      const parts = partsToReverse(order, recorded);
      if (parts === null) return;
      recorded = withoutParts(recorded, parts);
      books.reversed += taxOf(parts);
      expect(
        recorded.flatMap(({ amountCents, taxCents }) => [amountCents, taxCents]).every((cents) => cents >= 0),
      ).toBe(true);
      expect(partsToReverse(order, recorded)).toBeNull();
    },
  };
}

it("10,000 random actions leave the provider with exactly what the buyer was charged", () => {
  for (let round = 0; round < 1_000; round++) {
    const { order, books, act, recorded } = randomOrder();
    for (let action = 0; action < 10; action++) act();
    const left = recorded() ?? [];
    expect(books.charged - books.reversed).toBe(taxOf(left));
    expect(salesOf(left) + taxOf(left)).toBe(order.capturedCents - order.refundedCents);
  }
});
