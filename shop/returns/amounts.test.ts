import { expect, it } from "vitest";
import type { UnitsBack } from "#shop/orders/order.ts";
import { differenceOf, exchangeRefund, paidFor, refundOf } from "./amounts.ts";

const line = (units: number, unitsBefore = 0, more: Partial<UnitsBack> = {}): UnitsBack => ({
  priceCents: 33_33,
  quantity: 3,
  canceledQuantity: 0,
  taxCents: 8_25,
  unitsBefore,
  units,
  ...more,
});

it("the returns of a line add up to what was paid for it, to the cent", () => {
  for (let quantity = 1; quantity <= 10; quantity++) {
    for (const taxCents of [0, 1, 99, 8_25, 10_01]) {
      for (let canceledQuantity = 0; canceledQuantity < quantity; canceledQuantity++) {
        const kept = quantity - canceledQuantity;
        const of = { quantity, canceledQuantity, taxCents };
        const all = paidFor(line(kept, 0, of));
        let sum = 0;
        for (let before = 0; before < kept; before++) sum += paidFor(line(1, before, of));
        expect(sum).toBe(all);
        if (canceledQuantity === 0) expect(all).toBe(33_33 * quantity + taxCents);
      }
    }
  }
});

it("an exchange costs or refunds the difference; what is refunded has its part of the tax", () => {
  expect(differenceOf(line(2), 50_00)).toBe(33_34);
  expect(differenceOf(line(2), 30_00)).toBe(-6_66);
  expect(exchangeRefund(line(2), 50_00)).toBe(0);
  expect(exchangeRefund(line(2), 33_33)).toBe(0);
  // A tenth of the 5.50 tax for two units.
  expect(exchangeRefund(line(2), 30_00)).toBe(6_66 + 55);
  expect(exchangeRefund(line(2), 0)).toBe(paidFor(line(2)));
});

it.each([
  [{ linesCents: 100_00, shippingCents: 9_99, deductionCents: 0, refundedCents: 0, leftCents: 200_00 }, 109_99],
  [{ linesCents: 100_00, shippingCents: 0, deductionCents: 20_00, refundedCents: 0, leftCents: 200_00 }, 80_00],
  [{ linesCents: 100_00, shippingCents: 9_99, deductionCents: 120_00, refundedCents: 0, leftCents: 200_00 }, 9_99],
  [{ linesCents: 100_00, shippingCents: 9_99, deductionCents: 0, refundedCents: 0, leftCents: 90_00 }, 90_00],
  [{ linesCents: 100_00, shippingCents: 0, deductionCents: 0, refundedCents: 0, leftCents: 0 }, 0],
  [{ linesCents: 0, shippingCents: 0, deductionCents: 0, refundedCents: 21_00, leftCents: 90_00 }, 0],
])("%j refunds %d cents", (amounts, cents) => {
  expect(refundOf(amounts)).toBe(cents);
});
