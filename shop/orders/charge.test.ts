import { expect, it } from "vitest";
import { amountsCharged } from "./charge.ts";

const ordered = (subtotalCents: number, shippingCents: number, taxCents = 0) => ({
  subtotalCents,
  shippingCents,
  taxCents,
  totalCents: subtotalCents + shippingCents + taxCents,
});
/** A line: cents, units, of which canceled. */
const line = (priceCents: number, quantity: number, canceledQuantity = 0) => ({
  priceCents,
  quantity,
  canceledQuantity,
});

it.each([
  ["nothing canceled: as it was ordered", ordered(147_00, 0), [line(99_00, 1), line(24_00, 2)], ordered(147_00, 0)],
  ["one unit of a line", ordered(147_00, 0), [line(99_00, 1), line(24_00, 2, 1)], ordered(123_00, 0)],
  [
    "below the threshold of free shipping it stays free",
    ordered(147_00, 0),
    [line(99_00, 1, 1), line(24_00, 2)],
    ordered(48_00, 0),
  ],
  [
    "paid shipping is charged once, as promised",
    ordered(67_00, 19_99),
    [line(24_00, 2, 1), line(19_00, 1)],
    ordered(43_00, 19_99),
  ],
  ["nothing left: nothing is charged", ordered(24_00, 9_99), [line(24_00, 1, 1)], ordered(0, 0)],
  ["what is free of charge still ships", ordered(0, 9_99), [line(0, 1)], ordered(0, 9_99)],
  ["tax follows the subtotal", ordered(100_00, 0, 8_25), [line(50_00, 2, 1)], ordered(50_00, 0, 4_12)],
  ["tax is never rounded up", ordered(99, 0, 10), [line(33, 3, 1)], ordered(66, 0, 6)],
])("%s", (_name, frozen, lines, charged) => {
  expect(amountsCharged(frozen, lines)).toEqual(charged);
  expect(amountsCharged(frozen, lines).totalCents).toBeLessThanOrEqual(frozen.totalCents);
});
