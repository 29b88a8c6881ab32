import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useNavigationType } from "react-router";
import { notifyOffline } from "#app/ui/chrome/offline.ts";
import { Swatch } from "#app/ui/product/swatch.tsx";
import type { Facets } from "#shop/catalog/catalog.server.ts";
import type { Color } from "#shop/catalog/colors.server.ts";
import {
  AVAILABILITIES,
  type Availability,
  filterQuery,
  type Filters,
  parseFilters,
  PRICE_RANGE,
} from "#shop/catalog/filters.ts";
import { CATEGORIES } from "#shop/catalog/product.ts";
import { formatMoneyShort } from "#shop/money.ts";

export const availabilityLabels: Record<Availability, string> = {
  "in-stock": "In Stock",
  "out-of-stock": "Out of Stock",
};

type FilterFormProps = {
  id?: string;
  filters: Filters;
  colors: readonly Color[];
  facets: Facets;
  change: ChangeFilters;
  children?: ReactNode;
};

/** The filters as a GET form; with JavaScript each change applies immediately. */
export function FilterForm({ id, filters, colors, facets, change, children }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null);
  // Filters set before hydration apply.
  useLayoutEffect(() => {
    const fields = new FormData(form.current ?? undefined) as unknown as Record<string, string>;
    const set = parseFilters(new URLSearchParams(fields), colors);
    if (filterQuery(set).toString() !== filterQuery(filters).toString()) change(set);
    // oxlint-disable-next-line react/exhaustive-deps -- once, at hydration
  }, []);
  return (
    <form
      ref={form}
      id={id}
      autoComplete="off"
      method="get"
      action="/shop"
      className="grid gap-8"
      onSubmit={(event) => {
        event.preventDefault();
        change({});
      }}
    >
      <Choices
        legend="Color"
        name="color"
        options={colors.map(({ name }) => name)}
        counts={facets.colors}
        chosen={filters.colors}
        onChange={(chosen) => change({ colors: chosen })}
        label={(color) => (
          <>
            <Swatch hex={colors.find(({ name }) => name === color)!.hex} className="size-5" />
            <span>{color}</span>
          </>
        )}
      />
      <Choices
        legend="Category"
        name="category"
        options={CATEGORIES}
        counts={facets.categories}
        chosen={filters.categories}
        onChange={(categories) => change({ categories })}
      />
      <Choices
        legend="Availability"
        name="availability"
        options={AVAILABILITIES}
        counts={facets.availability}
        chosen={filters.availability}
        onChange={(availability) => change({ availability })}
        label={(value) => availabilityLabels[value]}
      />
      <PriceSlider minPrice={filters.minPrice} maxPrice={filters.maxPrice} prices={facets.prices} change={change} />
      {children}
      <noscript>
        <button className="button button-primary w-full">Apply</button>
      </noscript>
    </form>
  );
}

type ChoicesProps<T extends string> = {
  legend: string;
  name: string;
  options: readonly T[];
  counts: Record<string, number>;
  chosen: T[];
  onChange: (chosen: T[]) => void;
  label?: (option: T) => ReactNode;
};

function Choices<T extends string>({ legend, name, options, counts, chosen, onChange, label }: ChoicesProps<T>) {
  const id = useId();
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">{legend}</legend>
      {options.map((option, index) => (
        <label
          key={option}
          htmlFor={`${id}${index}`}
          className="-mx-2 flex min-h-11 items-center gap-3 rounded-lg px-2 hover:bg-ink/4"
        >
          <input
            id={`${id}${index}`}
            type="checkbox"
            name={name}
            value={option}
            checked={chosen.includes(option)}
            onChange={(event) =>
              onChange(options.filter((other) => (other === option ? event.target.checked : chosen.includes(other))))
            }
            className="size-5 shrink-0 accent-leaf"
          />
          {label ? label(option) : option}
          <span aria-hidden="true" className="ml-auto text-sm text-ink-soft tabular-nums">
            {counts[option] ?? 0}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export type ChangeFilters = (part: Partial<Filters>, waitMs?: number) => void;

/** Location state of a navigation to a draft. */
const DRAFT = "draft";

/** Draft filters, ahead of the URL, which follows. Other navigations (the back button, a link) reset them. */
export function useFilters(filters: Filters): { draft: Filters; change: ChangeFilters } {
  const navigate = useNavigate();
  const { key, state } = useLocation();
  const type = useNavigationType();
  const [draft, setDraft] = useState(filters);
  const [seen, setSeen] = useState(key);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => () => clearTimeout(timer.current), []);

  if (key !== seen) {
    setSeen(key);
    // The draft may be further by now.
    if (state !== DRAFT || type === "POP") setDraft(filters);
  }

  const change: ChangeFilters = (part, waitMs = 0) => {
    if (!navigator.onLine) return notifyOffline();
    const next = { ...draft, ...part };
    const search = filterQuery(next).toString();
    setDraft(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      void navigate({ pathname: "/shop", search }, { preventScrollReset: true, state: DRAFT });
    }, waitMs);
  };
  return { draft, change };
}

const { min, max, step } = PRICE_RANGE;
const DEBOUNCE_MS = 300;

/* Only thumbs take pointer events, so that two inputs can share a track. A thumb looks 22 px wide and is 44 px to touch. */
const input =
  "pointer-events-none absolute inset-x-0 top-0 h-11 w-full appearance-none bg-transparent outline-none [&::-webkit-slider-runnable-track]:bg-transparent [&::-moz-range-track]:bg-transparent " +
  "[&::-webkit-slider-thumb]:pointer-events-auto [&::-webkit-slider-thumb]:size-11 [&::-webkit-slider-thumb]:cursor-grab [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-[radial-gradient(circle,#fff_8px,var(--color-leaf)_8.5px_11px,transparent_11.5px)] " +
  "[&::-moz-range-thumb]:pointer-events-auto [&::-moz-range-thumb]:size-11 [&::-moz-range-thumb]:cursor-grab [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-[radial-gradient(circle,#fff_8px,var(--color-leaf)_8.5px_11px,transparent_11.5px)] " +
  "focus-visible:[&::-webkit-slider-thumb]:bg-[radial-gradient(circle,#fff_8px,var(--color-leaf)_8.5px_11px,transparent_11.5px_13px,var(--color-leaf)_13.5px_15.5px,transparent_16px)] focus-visible:[&::-moz-range-thumb]:bg-[radial-gradient(circle,#fff_8px,var(--color-leaf)_8.5px_11px,transparent_11.5px_13px,var(--color-leaf)_13.5px_15.5px,transparent_16px)]";

type PriceSliderProps = { minPrice: number; maxPrice: number; prices: Facets["prices"]; change: ChangeFilters };

/** A price range: two native sliders on one track that cannot pass each other. */
function PriceSlider({ minPrice, maxPrice, prices, change }: PriceSliderProps) {
  const place = (price: number) => (price - min) / (max - min);
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">Price</legend>
      <p className="text-ink-soft tabular-nums">{`$${minPrice}–$${maxPrice}`}</p>
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
      {prices && (
        <p className="text-sm text-ink-soft tabular-nums">{`Prices run ${formatMoneyShort(prices.lowest)} to ${formatMoneyShort(prices.highest)}.`}</p>
      )}
    </fieldset>
  );
}
