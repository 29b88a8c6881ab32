import type { ColorVariant, Product } from "../../../shop/catalog/product.ts";

const WINDOW_COLORS: readonly ColorVariant[] = ["Midnight Black", "Earth Green", "Frost White"];

export type WindowProduct = Product & { colorVariant: ColorVariant };

/** The shop window's products: the featured Pro of each color, in the window's order. */
export function windowProducts(featured: readonly Product[]): WindowProduct[] {
  return WINDOW_COLORS.flatMap((colorVariant) => {
    const product = featured.find((one) => one.category === "Pro" && one.colorVariant === colorVariant);
    return product ? [{ ...product, colorVariant }] : [];
  });
}
