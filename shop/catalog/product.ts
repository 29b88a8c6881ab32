/** Products and the vocabulary of the catalog. */
import { warrantyPolicy } from "#shop/policies.ts";
import type { products } from "./product.tables.ts";

export const CATEGORIES = ["Classic", "Pro", "Accessories"] as const;
export type Category = (typeof CATEGORIES)[number];

/** Stripe's code for tangible goods that no rule singles out. */
export const DEFAULT_TAX_CODE = "txcd_99999999";

export type Specs = Record<string, string | number>;

/** A product row with its stock and swatch. The current price is `priceOf(product, now)`. */
export type Product = Omit<typeof products.$inferSelect, "version" | "updatedAt"> & {
  inventoryCount: number;
  colorHex: string | null;
};

/** A product as one of its model's colors. */
export type ProductColor = Pick<Product, "slug" | "colorVariant" | "colorHex">;

/** Units of specs, by the last word of the key of a spec that has one. */
export const SPEC_UNITS: Record<string, string> = {
  l: "L",
  f: "°F",
  db: "dB",
  in: "in",
  ft: "ft",
  lb: "lb",
  hours: "hours",
  months: "months",
  years: "years",
};

const unitOf = (key: string): string | undefined => SPEC_UNITS[/_([a-z]+)$/.exec(key)?.[1] ?? ""];

/** The key in words, without its unit, which the value has: battery_life_hours becomes "battery life". */
export const specLabel = (key: string): string =>
  (unitOf(key) ? key.slice(0, key.lastIndexOf("_")) : key).replaceAll("_", " ");

const QUARTS_A_LITER = 1.057;

/** The value with the unit of its key: battery_life_hours 48 becomes "48 hours", capacity_l 4.2 "4.4 quarts (4.2 L)". */
export function specValue(key: string, value: string | number): string {
  const unit = unitOf(key);
  if (!unit) return String(value);
  if (unit === "L" && Number(value) > 0) return `${(Number(value) * QUARTS_A_LITER).toFixed(1)} quarts (${value} L)`;
  if (unit === "°F") return `${value}${unit}`;
  return `${value} ${value === 1 ? unit.replace(/s$/, "") : unit}`;
}

/** Groups and display order, because jsonb does not preserve one. Unlisted keys come last. */
const SPEC_GROUPS: Record<string, string[]> = {
  Cooling: [
    "temperature_range_f",
    "temperature_accuracy_f",
    "humidity_control",
    "filter_life_months",
    "media",
    "noise_level_db",
    "display",
  ],
  Power: ["battery_life_hours", "charge_time_hours", "charging", "input", "cable_length_ft"],
  Size: [
    "pieces",
    "capacity_l",
    "dimensions_in",
    "weight_lb",
    "materials",
    "insulation",
    "fan_opening",
    "fits",
    "changing",
    "dishwasher_safe",
    "care",
    "disposal",
    "warranty_years",
  ],
};
const SPEC_ORDER = Object.values(SPEC_GROUPS).flat();

export function specList(specs: Specs): [key: string, value: string | number][] {
  const rank = (key: string) => (SPEC_ORDER.includes(key) ? SPEC_ORDER.indexOf(key) : SPEC_ORDER.length);
  return Object.entries(specs).toSorted(([a], [b]) => rank(a) - rank(b));
}

/** The specifications as shoppers read them, with labels and units. */
export const specRows = (specs: Specs): [label: string, value: string][] =>
  specList(specs).map(([key, value]) => [specLabel(key), specValue(key, value)]);

/** `specRows` in groups: Cooling, Power, and Size with everything else. */
export function specGroups(specs: Specs): { title: string; rows: [label: string, value: string][] }[] {
  const groupOf = (key: string) =>
    Object.keys(SPEC_GROUPS).find((title) => SPEC_GROUPS[title]?.includes(key)) ?? "Size";
  return Object.keys(SPEC_GROUPS).flatMap((title) => {
    const own = Object.fromEntries(Object.entries(specs).filter(([key]) => groupOf(key) === title));
    return Object.keys(own).length > 0 ? [{ title, rows: specRows(own) }] : [];
  });
}

/** Prices at a moment. An early-bird price applies until its end date. */

export type Priced = Pick<Product, "priceCents" | "compareAtPriceCents" | "earlyBirdPriceCents" | "earlyBirdEndDate">;

type EarlyBird = { endsAt: Date; savingCents: number; regularCents: number };

export type Price = {
  priceCents: number;
  /** Struck-through price in cents; null unless higher than `priceCents`. */
  compareAtCents: number | null;
  earlyBird: EarlyBird | null;
};

/**
 * Returns the price at `now`. The early-bird price needs a future end date; its saving is measured from
 * compare_at_price, else the regular price. `currentPrice` in product.sql.ts is the same rule in SQL;
 * price.server.test.ts compares them.
 */
export function priceOf(product: Priced, now: Date): Price {
  const { priceCents, compareAtPriceCents, earlyBirdPriceCents, earlyBirdEndDate } = product;
  const isEarly = earlyBirdPriceCents !== null && earlyBirdEndDate !== null && earlyBirdEndDate > now;
  const paid = isEarly ? earlyBirdPriceCents : priceCents;
  const compareAtCents = compareAtPriceCents !== null && compareAtPriceCents > paid ? compareAtPriceCents : null;
  if (!isEarly) return { priceCents: paid, compareAtCents, earlyBird: null };
  const savingCents = Math.max(0, (compareAtPriceCents ?? priceCents) - paid);
  return {
    priceCents: paid,
    compareAtCents,
    earlyBird: { endsAt: earlyBirdEndDate, savingCents, regularCents: priceCents },
  };
}

/** Years of warranty from the purchase: those of the specs, else the policy's for a bowl. Null if not covered. */
export function warrantyYears({ category, specs }: Pick<Product, "category" | "specs">): number | null {
  const years = Object.hasOwn(specs, "warranty_years") ? Number(specs.warranty_years) : NaN;
  if (Number.isInteger(years) && years > 0) return years;
  return category === "Accessories" ? null : warrantyPolicy.warrantyYears;
}
