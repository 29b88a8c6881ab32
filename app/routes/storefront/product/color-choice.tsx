import { Link } from "react-router";
import type { ProductDetails } from "../../../../shop/catalog/shown-product.ts";
import { Swatch } from "../../../ui/product/swatch.tsx";

type ColorChoiceProps = {
  product: ProductDetails;
  colors: Pick<ProductDetails, "slug" | "colorVariant" | "colorHex">[];
};

/** The color of this product, and links to the same model in its others. */
export function ColorChoice({ product, colors }: ColorChoiceProps) {
  const several = colors.length > 1;
  return (
    <div>
      <p className="flex items-center gap-2">
        <span className="text-ink-soft">Color</span>
        {!several && <Swatch hex={product.colorHex} className="size-4" />}
        <span className="font-semibold">{product.colorVariant}</span>
      </p>
      {several && (
        <ul aria-label="Colors" className="mt-1.5 -ml-1.5 flex gap-1">
          {colors.map(
            ({ slug, colorVariant, colorHex }) =>
              colorVariant && (
                <li key={slug}>
                  <Link
                    to={`/product/${slug}`}
                    preventScrollReset
                    aria-label={colorVariant}
                    aria-current={slug === product.slug ? "true" : undefined}
                    title={colorVariant}
                    className="group grid size-12 place-items-center rounded-full"
                  >
                    <Swatch
                      hex={colorHex}
                      className="size-8 outline-2 outline-offset-3 outline-transparent transition-[outline-color] duration-150 group-hover:outline-line group-aria-[current=true]:outline-ink"
                    />
                  </Link>
                </li>
              ),
          )}
        </ul>
      )}
    </div>
  );
}
