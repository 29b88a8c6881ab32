/** What a search answers with, as far as a screen needs it. */
import type { Product } from "../catalog/product.ts";
import type { Marked } from "./words.ts";

export const RESULT_KINDS = ["product", "page", "post", "question", "policy"] as const;
export type ResultKind = (typeof RESULT_KINDS)[number];

export type FoundProduct = Pick<
  Product,
  "thumbnail" | "priceCents" | "compareAtPriceCents" | "earlyBirdPriceCents" | "earlyBirdEndDate"
> & { inStock: boolean };

export type Result = {
  id: string;
  kind: ResultKind;
  path: string;
  title: Marked;
  /** The title of the page that a section stands on. */
  place: string;
  excerpt: Marked;
  product: FoundProduct | null;
};

export type SearchResponse = {
  results: Result[];
  /** The words that were searched for instead, where what was typed seemed misspelled. */
  corrected: string | null;
};
