import { expect, it } from "vitest";
import { openingCatalog } from "#shop/catalog/opening-catalog.ts";
import { FIRST_SETTINGS, type ParcelSettings } from "#shop/settings/settings.ts";
import { BOX_NAMES, boxWords, MAX_OUNCES, suggestPacking } from "./boxes.ts";

const { parcels } = FIRST_SETTINGS;
const weights = new Map(openingCatalog(new Date()).map(({ slug, weightOz }) => [slug, weightOz ?? null]));
const units = (slug: string, count = 1) => ({ units: count, weightOz: weights.get(slug) ?? null });

it.each([
  ["a gasket set", [units("lid-gasket-set")], { box: "mailer", ounces: 3 }],
  ["two docks", [units("charging-dock", 2)], { box: "small", ounces: 48 }],
  ["a bowl", [units("polara-pro-earth-green")], { box: "bowl", ounces: 90 }],
  ["two bowls", [units("polara-pro-earth-green", 2)], { box: "large", ounces: 178 }],
  ["a product without a weight", [units("charging-dock"), units("unknown")], { box: "small", ounces: null }],
])("%s has a box and a weight", (_what, lines, packing) => {
  expect(suggestPacking(parcels, lines)).toEqual(packing);
});

it("every product of the opening catalog has a weight, and every box a larger one after it", () => {
  for (const [slug, ounces] of weights) expect(ounces, slug).toBeGreaterThan(0);
  const holds = BOX_NAMES.map((name) => parcels[name].holdsOunces);
  expect(holds).toEqual(holds.toSorted((a, b) => a - b));
  expect(parcels.large.ounces).toBeLessThan(MAX_OUNCES);
});

it("the settings decide the box", () => {
  const larger: ParcelSettings = { ...parcels, mailer: { inches: [12, 9, 3], ounces: 2, holdsOunces: 100 } };
  expect(suggestPacking(larger, [units("polara-pro-earth-green")])).toEqual({ box: "mailer", ounces: 76 });
  expect(boxWords(larger, "mailer")).toBe("Padded mailer, 12 × 9 × 3 in");
});
