import type { ColorVariant, Product } from "../../../../shop/catalog/product.ts";
import { windowProductOf, type WindowProduct as Shown } from "../../../../shop/catalog/shown-product.ts";

const WINDOW_COLORS: readonly ColorVariant[] = ["Midnight Black", "Earth Green", "Frost White"];

export type WindowProduct = Shown & { colorVariant: ColorVariant };

/** The featured Pros in the window's order of colors; null where none is featured. */
export function windowProducts(pros: readonly Product[]): [WindowProduct, ...WindowProduct[]] | null {
  const [first, ...others] = WINDOW_COLORS.flatMap((colorVariant) => {
    const product = pros.find((one) => one.colorVariant === colorVariant);
    return product ? [{ ...windowProductOf(product), colorVariant }] : [];
  });
  return first ? [first, ...others] : null;
}
