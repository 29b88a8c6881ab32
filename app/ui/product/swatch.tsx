import type { ColorVariant } from "../../../shop/catalog/product.ts";

const fills: Record<ColorVariant, string> = {
  "Frost White": "bg-frost",
  "Earth Green": "bg-earth",
  "Midnight Black": "bg-midnight",
};

/** A dot in a product color; its name stands beside it or in the link around it. */
export function Swatch({ color, className = "size-3.5" }: { color: ColorVariant; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`swatch inline-block shrink-0 rounded-full shadow-[inset_0_0_0_1px_rgb(22_25_28/0.22)] ${fills[color]} ${className}`}
    />
  );
}
