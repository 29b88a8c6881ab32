/** Search results as the screen shows them. */
import type { Product } from "#shop/catalog/product.ts";
import type { Marked } from "./words.ts";

export const RESULT_KINDS = ["product", "page", "post", "question", "policy"] as const;
export type ResultKind = (typeof RESULT_KINDS)[number];

export type FoundProduct = Pick<
  Product,
  "thumbnail" | "priceCents" | "compareAtPriceCents" | "earlyBirdPriceCents" | "earlyBirdEndDate"
> & {
  inStock: boolean;
  /** 'Out of Stock', 'Ships January 12'; null for a product in stock. */
  note: string | null;
};

export type Result = {
  id: string;
  kind: ResultKind;
  path: string;
  title: Marked;
  /** Title of the page that contains a section. */
  place: string;
  excerpt: Marked;
  product: FoundProduct | null;
};

export type SearchResponse = {
  results: Result[];
  /** Null if the query was searched as typed. */
  corrected: string | null;
};
