import type { ColorVariant } from "../../../shop/catalog/product.ts";

const TONES: Record<ColorVariant, string> = {
  "Midnight Black": "bg-midnight",
  "Earth Green": "bg-earth",
  "Frost White": "bg-frost",
};

/** A product color by swatch and name. */
export function ColorName({ color }: { color: ColorVariant }) {
  return (
    <span className="inline-flex items-center gap-2 text-sm text-ink-soft">
      <span aria-hidden="true" className={`size-3 rounded-full ring-1 ring-ink/15 ring-inset ${TONES[color]}`} />
      {color}
    </span>
  );
}
