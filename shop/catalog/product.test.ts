import { expect, it } from "vitest";
import { warrantyPolicy } from "#shop/policies.ts";
import { openingCatalog } from "./opening-catalog.ts";
import { priceOf, specGroups, specLabel, specList, specValue, type Specs, warrantyYears } from "./product.ts";

const now = new Date("2026-11-21T12:00:00Z");
const later = new Date("2026-11-21T12:00:01Z");
const pro = { priceCents: 149_00, compareAtPriceCents: 129_00, earlyBirdPriceCents: 99_00, earlyBirdEndDate: later };

it.each([
  ["the early-bird price applies", {}, [99_00, 129_00, 30_00]],
  ["the early-bird price ends at this moment", { earlyBirdEndDate: now }, [149_00, null, null]],
  ["the early-bird price has ended", { earlyBirdEndDate: new Date(0) }, [149_00, null, null]],
  ["an early-bird price has no end", { earlyBirdEndDate: null }, [149_00, null, null]],
  ["an end has no early-bird price", { earlyBirdPriceCents: null }, [149_00, null, null]],
  ["the early-bird price is zero", { earlyBirdPriceCents: 0 }, [0, 129_00, 129_00]],
  ["the saving is measured from the regular price", { compareAtPriceCents: null }, [99_00, null, 50_00]],
  ["the compare-at price is below the early-bird price", { compareAtPriceCents: 90_00 }, [99_00, null, 0]],
  [
    "the regular price is below the compare-at price",
    { earlyBirdPriceCents: null, compareAtPriceCents: 199_00 },
    [149_00, 199_00, null],
  ],
])("price: %s", (_, changes, expected) => {
  const { priceCents, compareAtCents, earlyBird } = priceOf({ ...pro, ...changes }, now);
  expect([priceCents, compareAtCents, earlyBird?.savingCents ?? null]).toEqual(expected);
  if (earlyBird) expect(earlyBird).toMatchObject({ endsAt: later, regularCents: 149_00 });
});

it.each([
  ["battery_life_hours", 48, "battery life", "48 hours"],
  ["warranty_years", 1, "warranty", "1 year"],
  ["temperature_range_f", "34–54", "temperature range", "34–54°F"],
  ["noise_level_db", 24, "noise level", "24 dB"],
  ["capacity_l", 4.2, "capacity", "4.4 quarts (4.2 L)"],
  ["capacity_l", "about 4", "capacity", "about 4 L"],
  ["hours", "9 to 5", "hours", "9 to 5"],
  ["fits", "Polara Pro and Classic", "fits", "Polara Pro and Classic"],
])("spec %s %s has a label and a unit", (key, value, label, text) => {
  expect(specLabel(key)).toBe(label);
  expect(specValue(key, value)).toBe(text);
});

it("specs are sorted and grouped, unknown ones last", () => {
  const specs = { scent: "none", warranty_years: 2, capacity_l: 4.2, noise_level_db: 24 };
  expect(specList(specs).map(([key]) => key)).toEqual(["noise_level_db", "capacity_l", "warranty_years", "scent"]);
  expect(specGroups(specs)).toEqual([
    { title: "Cooling", rows: [["noise level", "24 dB"]] },
    {
      title: "Size",
      rows: [
        ["capacity", "4.4 quarts (4.2 L)"],
        ["warranty", "2 years"],
        ["scent", "none"],
      ],
    },
  ]);
});

it.each(openingCatalog(new Date()))("warranty of $slug", ({ slug, category, specs }) => {
  const { warrantyYears: bowl, partsWarrantyYears: part } = warrantyPolicy;
  const expected = category === "Accessories" ? (slug === "lid-gasket-set" ? part : null) : bowl;
  expect(warrantyYears({ category, specs: specs as Specs })).toBe(expected);
  // Specs of the sample catalog agree.
  expect((specs as Specs).warranty_years ?? null).toBe(expected);
});
