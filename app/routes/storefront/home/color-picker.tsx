import { Link } from "react-router";
import { afterPaint } from "../../../ui/overlay/after-paint.ts";
import type { WindowProduct } from "./window-products.ts";

const dot = "swatch block size-9 ring-1 ring-ink/15 ring-inset";

const fillOf = ({ colorHex }: WindowProduct) => ({ background: colorHex ?? undefined });

type ColorPickerProps = { products: WindowProduct[]; chosen: WindowProduct; onChoose: (color: string) => void };

/** Without JavaScript each color leads to the page of its product. */
export function ColorPicker({ products, chosen, onChoose }: ColorPickerProps) {
  return (
    <>
      <fieldset data-live className="noscript:hidden">
        <legend className="text-[15px]">
          <span className="font-semibold">Color</span> <span className="text-ink-soft">{chosen.colorVariant}</span>
        </legend>
        <div className="mt-2 -ml-1 flex gap-1">
          {products.map((product) => (
            <label
              key={product.id}
              className="grid size-12 place-items-center rounded-full border-2 border-transparent has-checked:border-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf"
            >
              <input
                type="radio"
                name="window-color"
                value={product.colorVariant}
                defaultChecked={product === chosen}
                onChange={() => afterPaint(() => onChoose(product.colorVariant))}
                autoComplete="off"
                aria-label={product.colorVariant}
                className={`cursor-pointer appearance-none outline-none ${dot}`}
                style={fillOf(product)}
              />
            </label>
          ))}
        </div>
      </fieldset>
      <ul className="hidden gap-2 noscript:flex">
        {products.map((product) => (
          <li key={product.id}>
            <Link
              to={`/product/${product.slug}`}
              aria-label={product.colorVariant}
              className="grid size-12 place-items-center"
            >
              <span aria-hidden="true" className={dot} style={fillOf(product)} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
