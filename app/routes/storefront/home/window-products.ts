import type { ColorVariant, Product } from "../../../../shop/catalog/product.ts";
import { windowProductOf, type WindowProduct as Shown } from "../../../../shop/catalog/shown-product.ts";

const WINDOW_COLORS: readonly ColorVariant[] = ["Midnight Black", "Earth Green", "Frost White"];

export type WindowProduct = Shown & { colorVariant: ColorVariant };

/** The featured Pro of each color, in the window's order; null where none is featured. */
export function windowProducts(featured: readonly Product[]): [WindowProduct, ...WindowProduct[]] | null {
  const [first, ...others] = WINDOW_COLORS.flatMap((colorVariant) => {
    const product = featured.find((one) => one.category === "Pro" && one.colorVariant === colorVariant);
    return product ? [{ ...windowProductOf(product), colorVariant }] : [];
  });
  return first ? [first, ...others] : null;
}
