import type { Product } from "../../../../shop/catalog/product.ts";
import { windowProductOf, type WindowProduct as Shown } from "../../../../shop/catalog/shown-product.ts";

const FIRST_COLORS = ["Midnight Black", "Earth Green", "Frost White"];

export type WindowProduct = Shown & { colorVariant: string };

/** The featured Pros in the window's order of colors, those it does not know last; null where none is featured. */
export function windowProducts(pros: readonly Product[]): [WindowProduct, ...WindowProduct[]] | null {
  const colors = new Set([...FIRST_COLORS, ...pros.map((one) => one.colorVariant ?? "")]);
  const [first, ...others] = [...colors].flatMap((colorVariant) => {
    const product = pros.find((one) => one.colorVariant === colorVariant);
    return product ? [{ ...windowProductOf(product), colorVariant }] : [];
  });
  return first ? [first, ...others] : null;
}
