import { expect, it } from "vitest";
import fc from "fast-check";
import { applyDiscount, chooseDiscount, type Discount, type DiscountableLine } from "./discount.ts";

const line = (productId: string, unitPriceCents: number, quantity = 1): DiscountableLine => ({
  productId,
  unitPriceCents,
  quantity,
});
const discount = (set: Partial<Discount>): Discount => ({
  id: "id",
  code: "SPRING10",
  name: "SPRING10",
  kind: "percent",
  value: 10,
  minimumCents: 0,
  productIds: null,
  bundle: [],
  ...set,
});
const bundle = discount({
  id: "bundle",
  code: null,
  name: "A bowl and two filters",
  kind: "amount",
  value: 10_00,
  bundle: [
    { productIds: ["green", "black"], units: 1 },
    { productIds: ["filter"], units: 2 },
  ],
});

it.each<[name: string, Discount, DiscountableLine[], cents: Record<string, number> | string]>([
  [
    "a percentage of all",
    discount({}),
    [line("green", 99_00), line("filter", 24_00, 2)],
    { green: 9_90, filter: 4_80 },
  ],
  ["odd cents add up", discount({ value: 33 }), [line("a", 1_01), line("b", 1_01)], { a: 34, b: 33 }],
  [
    "an amount",
    discount({ kind: "amount", value: 20_00 }),
    [line("a", 60_00), line("b", 40_00)],
    { a: 12_00, b: 8_00 },
  ],
  ["an amount of more than the cart", discount({ kind: "amount", value: 99_00 }), [line("a", 24_00)], { a: 24_00 }],
  [
    "nothing is left that is too small to charge",
    discount({ kind: "amount", value: 23_60 }),
    [line("a", 24_00)],
    { a: 24_00 },
  ],
  ["the whole price", discount({ value: 100 }), [line("a", 24_00)], { a: 24_00 }],
  ["some products", discount({ productIds: ["a"] }), [line("a", 10_00), line("b", 10_00)], { a: 1_00 }],
  ["no product of the cart", discount({ productIds: ["c"] }), [line("a", 10_00)], "products"],
  ["at the minimum", discount({ minimumCents: 10_00 }), [line("a", 10_00)], { a: 1_00 }],
  ["below the minimum", discount({ minimumCents: 10_00 }), [line("a", 9_99)], "minimum"],
  ["free shipping", discount({ kind: "shipping", value: 0 }), [line("a", 10_00)], { a: 0 }],
  ["a bundle", bundle, [line("green", 80_00), line("filter", 10_00, 2)], { green: 8_00, filter: 2_00 }],
  ["half a bundle", bundle, [line("green", 80_00), line("filter", 10_00)], "products"],
  [
    "two sets of a bundle",
    bundle,
    [line("green", 80_00), line("black", 80_00), line("filter", 10_00, 5)],
    {
      green: 7_62,
      black: 7_62,
      filter: 4_76,
    },
  ],
])("%s", (_name, given, lines, lowered) => {
  const result = applyDiscount(given, lines);
  if (typeof lowered === "string") expect(result).toMatchObject({ ok: false, reason: lowered });
  else expect(result).toMatchObject({ ok: true, applied: { lineCents: lowered } });
});

it("a discount is never more than its lines, and its shares add up", () => {
  const lines = fc.array(fc.record({ unitPriceCents: fc.nat(20_000), quantity: fc.integer({ min: 1, max: 10 }) }), {
    minLength: 1,
    maxLength: 6,
  });
  const kind = fc.oneof(
    fc.record({ kind: fc.constant("percent" as const), value: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ kind: fc.constant("amount" as const), value: fc.integer({ min: 1, max: 50_000 }) }),
  );
  fc.assert(
    fc.property(lines, kind, (made, set) => {
      const cart = made.map((each, place) => ({ ...each, productId: String(place) }));
      const result = applyDiscount(discount(set), cart);
      if (!result.ok) throw new Error(result.reason);
      const { cents, lineCents } = result.applied;
      const shares = cart.map(({ productId }) => lineCents[productId]!);
      expect(shares.reduce((sum, each) => sum + each, 0)).toBe(cents);
      for (const [place, { unitPriceCents, quantity }] of cart.entries()) {
        expect(shares[place]).toBeGreaterThanOrEqual(0);
        expect(shares[place]).toBeLessThanOrEqual(unitPriceCents * quantity);
      }
    }),
  );
});

const cart = [line("green", 80_00), line("filter", 10_00, 2)];
const FREE = { code: "SPRING10", discount: discount({ kind: "shipping", value: 0 }), problem: null };
const found = (set: Partial<Discount>) => ({ code: "SPRING10", discount: discount(set), problem: null });

it.each([
  [
    "a code that frees shipping, which a bundle outdoes",
    FREE,
    "A bowl and two filters",
    "A bowl and two filters already saves you $10.00, more than SPRING10 would. Discounts don’t combine.",
  ],
  ["no code: the bundle", null, "A bowl and two filters", null],
  ["a code that saves more", found({ value: 50 }), "SPRING10", null],
  [
    "a code that saves less",
    found({ value: 5 }),
    "A bowl and two filters",
    "A bowl and two filters already saves you $10.00, more than SPRING10 would. Discounts don’t combine.",
  ],
  [
    "a code below its minimum",
    found({ minimumCents: 120_00 }),
    "A bowl and two filters",
    "Add $20.00 more to use SPRING10.",
  ],
  [
    "a code for another product",
    found({ productIds: ["dock"] }),
    "A bowl and two filters",
    "SPRING10 doesn’t apply to anything in your cart.",
  ],
  [
    "a code that has ended",
    { code: "SPRING10", discount: null, problem: "SPRING10 has ended." },
    "A bowl and two filters",
    "SPRING10 has ended.",
  ],
])("%s", (_name, code, name, problem) => {
  expect(chooseDiscount({ lines: cart, shippingCents: 9_99 }, code, [bundle])).toMatchObject({
    applied: { name },
    problem,
  });
});

it.each([
  [9_99, { name: "SPRING10", freesShipping: true }, null],
  [0, null, "Your shipping is free without SPRING10."],
])("a code that frees shipping of %i cents", (shippingCents, applied, problem) => {
  const found = chooseDiscount({ lines: cart, shippingCents }, FREE, []);
  expect(found).toMatchObject({ applied, problem });
});
