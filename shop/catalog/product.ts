/** What a product is to a shopper, and the words the catalog uses. */
export const CATEGORIES = ["Classic", "Pro", "Accessories"] as const;
export type Category = (typeof CATEGORIES)[number];

export type Specs = Record<string, string | number>;

export type Product = {
  id: string;
  name: string;
  /** The name without its color. Products of one category and model differ in their color only. */
  model: string;
  slug: string;
  shortDescription: string;
  description: string;
  /** Regular price in cents; what is paid today is `priceOf(product, now)`. */
  priceCents: number;
  compareAtPriceCents: number | null;
  earlyBirdPriceCents: number | null;
  earlyBirdEndDate: Date | null;
  /** Names of pictures: of pictures.generated.ts, or of one that was uploaded. */
  thumbnail: string | null;
  images: string[];
  specs: Specs;
  /** The name of its color, and what its swatch is filled with, as #7b8467. */
  colorVariant: string | null;
  colorHex: string | null;
  category: Category;
  inventoryCount: number;
  isAvailable: boolean;
  featured: boolean;
  /** The first day on which it ships, YYYY-MM-DD; null: now. */
  shipsFrom: string | null;
  /** Until then only those of the waitlist who were invited may buy it. */
  waitlistOnlyUntil: Date | null;
  /** Since when it is sold no more. */
  retiredAt: Date | null;
  createdAt: Date;
};

/** "battery_life_hours" reads "battery life hours". */
export function specLabel(key: string): string {
  return key.replaceAll("_", " ");
}

const UNITS: Record<string, string> = {
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

/** The value with the unit that its key ends in: battery_life_hours 48 reads "48 hours". */
export function specValue(key: string, value: string | number): string {
  const unit = UNITS[key.split("_").at(-1) ?? ""];
  if (!unit) return String(value);
  return `${value} ${value === 1 ? unit.replace(/s$/, "") : unit}`;
}

/** The order in which a shopper asks; the database keeps none. What is not named here comes last. */
const SPEC_ORDER = [
  "pieces",
  "capacity_l",
  "temperature_range_f",
  "temperature_accuracy_f",
  "humidity_control",
  "battery_life_hours",
  "charge_time_hours",
  "charging",
  "input",
  "filter_life_months",
  "media",
  "noise_level_db",
  "dimensions_in",
  "weight_lb",
  "cable_length_ft",
  "materials",
  "fits",
  "care",
  "warranty_years",
];

/** The specs as a list, the most asked for first. */
export function specList(specs: Specs): [key: string, value: string | number][] {
  const rank = (key: string) => (SPEC_ORDER.includes(key) ? SPEC_ORDER.indexOf(key) : SPEC_ORDER.length);
  return Object.entries(specs).toSorted(([a], [b]) => rank(a) - rank(b));
}
