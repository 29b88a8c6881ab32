import type { ColorVariant, Product } from "../../../../shop/catalog/product.ts";

const WINDOW_COLORS: readonly ColorVariant[] = ["Midnight Black", "Earth Green", "Frost White"];

export type WindowProduct = Product & { colorVariant: ColorVariant };

/** The featured Pro of each color, in the window's order; null where none is featured. */
export function windowProducts(featured: readonly Product[]): [WindowProduct, ...WindowProduct[]] | null {
  const [first, ...others] = WINDOW_COLORS.flatMap((colorVariant) => {
    const product = featured.find((one) => one.category === "Pro" && one.colorVariant === colorVariant);
    return product ? [{ ...product, colorVariant }] : [];
  });
  return first ? [first, ...others] : null;
}
