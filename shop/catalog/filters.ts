/** Catalog filters and their query strings. */
import { CATEGORIES, type Category } from "./product.ts";

export const AVAILABILITIES = ["in-stock", "out-of-stock"] as const;
export type Availability = (typeof AVAILABILITIES)[number];

export const SORTS = ["featured", "price-asc", "price-desc", "newest"] as const;
export type Sort = (typeof SORTS)[number];

/** Price slider: whole dollars, 0 to 500 in steps of 10. */
export const PRICE_RANGE = { min: 0, max: 500, step: 10 } as const;

export type Filters = {
  colors: string[];
  categories: Category[];
  availability: Availability[];
  /** Dollars; either end of the range means no bound. */
  minPrice: number;
  maxPrice: number;
  sort: Sort;
};

const known = <T extends string>(all: readonly T[], values: string[]): T[] =>
  all.filter((value) => values.includes(value));

function price(value: string | null, fallback: number): number {
  const number = Number(value);
  if (value === null || value.trim() === "" || !Number.isFinite(number)) return fallback;
  const { min, max, step } = PRICE_RANGE;
  return Math.min(max, Math.max(min, Math.round(number / step) * step));
}

export const COLOR_NAME = /^\p{Lu}[\p{L} '-]{1,29}$/u;

/** Parses filters from a query string; invalid values are ignored. Without known colors, any plausible name passes. */
export function parseFilters(query: URLSearchParams, colors?: readonly { name: string }[]): Filters {
  const low = price(query.get("minPrice"), PRICE_RANGE.min);
  const high = price(query.get("maxPrice"), PRICE_RANGE.max);
  return {
    colors: [...new Set(query.getAll("color"))]
      .filter((color) => (colors ? colors.some(({ name }) => name === color) : COLOR_NAME.test(color)))
      .toSorted(),
    categories: known(CATEGORIES, query.getAll("category")),
    availability: known(AVAILABILITIES, query.getAll("availability")),
    minPrice: Math.min(low, high),
    maxPrice: Math.max(low, high),
    sort: known(SORTS, [query.get("sort") ?? ""])[0] ?? "featured",
  };
}

/** Shortest query string of the filters, so that equal filters share one URL. */
export function filterQuery(filters: Filters): URLSearchParams {
  const query = new URLSearchParams();
  for (const color of filters.colors.toSorted()) query.append("color", color);
  for (const category of filters.categories) query.append("category", category);
  for (const availability of filters.availability) query.append("availability", availability);
  if (filters.minPrice > PRICE_RANGE.min) query.set("minPrice", String(filters.minPrice));
  if (filters.maxPrice < PRICE_RANGE.max) query.set("maxPrice", String(filters.maxPrice));
  if (filters.sort !== "featured") query.set("sort", filters.sort);
  return query;
}

export const PAGE_SIZE = 48;
const PAGE = /^[1-9]\d{0,4}$/;

/** Page number, from 1; invalid values are ignored. */
export function parsePage(query: URLSearchParams): number {
  const page = query.get("page") ?? "";
  return PAGE.test(page) ? Number(page) : 1;
}

export function listQuery(filters: Filters, page: number): URLSearchParams {
  const query = filterQuery(filters);
  if (page > 1) query.set("page", String(page));
  return query;
}
