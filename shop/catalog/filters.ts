/** What a shopper narrows the catalog by, and how that reads in a URL. */
import { CATEGORIES, type Category } from "./product.ts";

export const AVAILABILITIES = ["in-stock", "out-of-stock"] as const;
export type Availability = (typeof AVAILABILITIES)[number];

export const SORTS = ["featured", "price-asc", "price-desc", "newest"] as const;
export type Sort = (typeof SORTS)[number];

/** The price slider: whole dollars, 0 to 500 in steps of 10. */
export const PRICE_RANGE = { min: 0, max: 500, step: 10 } as const;

export type Filters = {
  colors: string[];
  categories: Category[];
  availability: Availability[];
  /** Dollars. At either end of the range there is no bound. */
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

/** What may be the name of a color. */
export const COLOR_NAME = /^\p{Lu}[\p{L} '-]{1,29}$/u;

/**
 * Reads filters from a query string; a value that means nothing is ignored, never an error. Which colors there are is told
 * by whoever knows: where nobody does, whatever may be the name of one is kept.
 */
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

/** The shortest query string that parses to these filters: one rendering, one URL. */
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

/** How many products the list shows at a time. */
export const PAGE_SIZE = 48;
const PAGE = /^[1-9]\d{0,4}$/;

/** Which part of the list an address asks for, from 1; what means nothing is ignored. */
export function parsePage(query: URLSearchParams): number {
  const page = query.get("page") ?? "";
  return PAGE.test(page) ? Number(page) : 1;
}

/** The shortest query string of one part of a list. */
export function listQuery(filters: Filters, page: number): URLSearchParams {
  const query = filterQuery(filters);
  if (page > 1) query.set("page", String(page));
  return query;
}
