import { expect, it } from "vitest";
import { openingCatalog } from "./opening-catalog.ts";
import { warrantyPolicy } from "../policies.ts";
import type { Specs } from "./product.ts";
import { warrantyYears } from "./warranty.ts";

const { warrantyYears: whole, partsWarrantyYears: part } = warrantyPolicy;

it.each(openingCatalog(new Date()).map((product) => [product.slug, product] as const))("%s", (slug, product) => {
  const specs: Specs = product.specs ?? {};
  const expected = product.category === "Accessories" ? (slug === "lid-gasket-set" ? part : null) : whole;
  expect(warrantyYears({ category: product.category, specs })).toBe(expected);
  // A new shop's specs say the same.
  expect(specs.warranty_years ?? null).toBe(expected);
});
