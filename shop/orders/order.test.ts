import { expect, it } from "vitest";
import { amountsCharged, maskAddress, maskEmail } from "./order.ts";

/** Tax of the shipping is part of the tax. */
const ordered = (
  subtotalCents: number,
  shippingCents: number,
  taxCents = 0,
  shippingTaxCents = 0,
  discountCents = 0,
) => ({
  subtotalCents,
  discountCents,
  discountName: discountCents > 0 ? "SPRING10" : null,
  shippingCents,
  taxCents,
  shippingTaxCents,
  totalCents: subtotalCents - discountCents + shippingCents + taxCents,
});
/** Line: cents, units, canceled units, tax and discount of the others. */
const line = (priceCents: number, quantity: number, canceledQuantity = 0, taxKeptCents = 0, discountKeptCents = 0) => ({
  priceCents,
  quantity,
  canceledQuantity,
  taxKeptCents,
  discountKeptCents,
  returnId: null,
});

it.each([
  ["nothing canceled", ordered(147_00, 0), [line(99_00, 1), line(24_00, 2)], ordered(147_00, 0)],
  ["one canceled unit", ordered(147_00, 0), [line(99_00, 1), line(24_00, 2, 1)], ordered(123_00, 0)],
  [
    "free shipping stays free below its threshold",
    ordered(147_00, 0),
    [line(99_00, 1, 1), line(24_00, 2)],
    ordered(48_00, 0),
  ],
  ["paid shipping is charged once", ordered(67_00, 19_99), [line(24_00, 2, 1), line(19_00, 1)], ordered(43_00, 19_99)],
  ["everything canceled charges nothing", ordered(24_00, 9_99), [line(24_00, 1, 1)], ordered(0, 0)],
  ["what costs nothing ships free", ordered(24_00, 9_99), [line(0, 1), line(24_00, 1, 1)], ordered(0, 0)],
  [
    "tax is each line's own",
    ordered(147_00, 0, 8_17),
    [line(99_00, 1, 0, 8_17), line(24_00, 2, 1)],
    ordered(123_00, 0, 8_17),
  ],
  ["shipping keeps its tax", ordered(50_00, 9_99, 4_95, 82), [line(25_00, 2, 1, 2_07)], ordered(25_00, 9_99, 2_89, 82)],
  [
    "what is sent for a return is no part of it",
    ordered(24_00, 9_99),
    [line(24_00, 1), { ...line(99_00, 1), returnId: "a return" }],
    ordered(24_00, 9_99),
  ],
  [
    "the discount is that of the units kept",
    ordered(147_00, 0, 0, 0, 14_70),
    [line(99_00, 1, 0, 0, 9_90), line(24_00, 2, 1, 0, 2_40)],
    ordered(123_00, 0, 0, 0, 12_30),
  ],
  ["nothing left has no tax", ordered(24_00, 9_99, 2_80, 82), [line(24_00, 1, 1)], ordered(0, 0)],
])("%s", (_name, frozen, lines, charged) => {
  expect({ ...charged, ...amountsCharged(frozen, lines) }).toEqual(charged);
  expect(amountsCharged(frozen, lines).totalCents).toBeLessThanOrEqual(frozen.totalCents);
});

it.each([
  ["ada@example.com", "a•••@example.com"],
  ["a@b.co", "a•••@b.co"],
  ["", "•••"],
  ["@example.com", "•••"],
])("masks the email %s as %s", (email, shown) => {
  expect(maskEmail(email)).toBe(shown);
});

it("masks an address to initials, state and region", () => {
  const address = { shippingFirstName: "Ada", shippingLastName: "Lovelace", shippingState: "NY" };
  expect(maskAddress({ ...address, shippingPostalCode: "10001-1234" })).toEqual(["A••• L•••", "NY 100••"]);
  expect(maskAddress({ ...address, shippingPostalCode: "call me" })).toEqual(["A••• L•••", "NY"]);
});

it("masks an anonymous address to its state", () => {
  const gone = { shippingFirstName: "", shippingLastName: "", shippingState: "NY", shippingPostalCode: "" };
  expect(maskAddress(gone)).toEqual(["NY"]);
});
