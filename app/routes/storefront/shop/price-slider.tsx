import { PRICE_RANGE } from "../../../../shop/catalog/filters.ts";
import type { ChangeFilters } from "./use-filters.ts";

const { min, max, step } = PRICE_RANGE;
const DEBOUNCE_MS = 300;

/* Only the thumbs catch the pointer, so that two inputs can share one track. A thumb is 44 px wide to the finger, 22 to the eye. */
const input =
  "pointer-events-none absolute inset-x-0 top-0 h-11 w-full appearance-none bg-transparent outline-none [&::-webkit-slider-runnable-track]:bg-transparent [&::-moz-range-track]:bg-transparent " +
  "[&::-webkit-slider-thumb]:pointer-events-auto [&::-webkit-slider-thumb]:size-11 [&::-webkit-slider-thumb]:cursor-grab [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-[radial-gradient(circle,#fff_8px,var(--color-leaf)_8.5px_11px,transparent_11.5px)] " +
  "[&::-moz-range-thumb]:pointer-events-auto [&::-moz-range-thumb]:size-11 [&::-moz-range-thumb]:cursor-grab [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-[radial-gradient(circle,#fff_8px,var(--color-leaf)_8.5px_11px,transparent_11.5px)] " +
  "focus-visible:[&::-webkit-slider-thumb]:bg-[radial-gradient(circle,#fff_8px,var(--color-leaf)_8.5px_11px,transparent_11.5px_13px,var(--color-leaf)_13.5px_15.5px,transparent_16px)] focus-visible:[&::-moz-range-thumb]:bg-[radial-gradient(circle,#fff_8px,var(--color-leaf)_8.5px_11px,transparent_11.5px_13px,var(--color-leaf)_13.5px_15.5px,transparent_16px)]";

type PriceSliderProps = { minPrice: number; maxPrice: number; change: ChangeFilters };

/** A price range on one track: two native sliders, neither of which passes the other. */
export function PriceSlider({ minPrice, maxPrice, change }: PriceSliderProps) {
  const place = (price: number) => (price - min) / (max - min);
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">Price</legend>
      <p className="text-ink-soft tabular-nums">
        ${minPrice} – ${maxPrice}
      </p>
      <div className="relative -mx-[11px] mt-1 h-11 forced-color-adjust-none">
        <div className="absolute inset-x-[22px] top-1/2 h-1 -translate-y-1/2 rounded-full bg-[#c9c7c0]">
          <div
            className="absolute inset-y-0 rounded-full bg-leaf"
            style={{ left: `${place(minPrice) * 100}%`, right: `${(1 - place(maxPrice)) * 100}%` }}
          />
        </div>
        <input
          type="range"
          name="minPrice"
          aria-label="Minimum price"
          aria-valuetext={`$${minPrice}`}
          {...{ min, max, step }}
          value={minPrice}
          onChange={(event) => change({ minPrice: Math.min(Number(event.target.value), maxPrice) }, DEBOUNCE_MS)}
          className={`${input} ${place(minPrice) > 0.5 ? "z-10" : ""}`}
        />
        <input
          type="range"
          name="maxPrice"
          aria-label="Maximum price"
          aria-valuetext={`$${maxPrice}`}
          {...{ min, max, step }}
          value={maxPrice}
          onChange={(event) => change({ maxPrice: Math.max(Number(event.target.value), minPrice) }, DEBOUNCE_MS)}
          className={input}
        />
      </div>
    </fieldset>
  );
}
