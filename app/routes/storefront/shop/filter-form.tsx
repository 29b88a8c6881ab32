import { useId, type ReactNode } from "react";
import { AVAILABILITIES, type Availability, type Filters } from "../../../../shop/catalog/filters.ts";
import type { Color } from "../../../../shop/catalog/colors.server.ts";
import { CATEGORIES } from "../../../../shop/catalog/product.ts";
import { Swatch } from "../../../ui/product/swatch.tsx";
import { PriceSlider } from "./price-slider.tsx";
import type { ChangeFilters } from "./use-filters.ts";

export const availabilityLabels: Record<Availability, string> = {
  "in-stock": "In Stock",
  "out-of-stock": "Out of Stock",
};

type FilterFormProps = {
  id?: string;
  filters: Filters;
  /** Undefined until they are known. */ colors: readonly Color[] | undefined;
  change: ChangeFilters;
  children?: ReactNode;
};

/** The filters as a GET form. With JavaScript each change applies by itself. */
export function FilterForm({ id, filters, colors = [], change, children }: FilterFormProps) {
  return (
    <form
      id={id}
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
        chosen={filters.colors}
        onChange={(chosen) => change({ colors: chosen })}
        label={(color) => (
          <>
            <Swatch hex={colors.find(({ name }) => name === color)!.hex} className="size-5" />
            {color}
          </>
        )}
      />
      <Choices
        legend="Category"
        name="category"
        options={CATEGORIES}
        chosen={filters.categories}
        onChange={(categories) => change({ categories })}
      />
      <Choices
        legend="Availability"
        name="availability"
        options={AVAILABILITIES}
        chosen={filters.availability}
        onChange={(availability) => change({ availability })}
        label={(value) => availabilityLabels[value]}
      />
      <PriceSlider minPrice={filters.minPrice} maxPrice={filters.maxPrice} change={change} />
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
  chosen: T[];
  onChange: (chosen: T[]) => void;
  label?: (option: T) => ReactNode;
};

function Choices<T extends string>({ legend, name, options, chosen, onChange, label }: ChoicesProps<T>) {
  const id = useId();
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">{legend}</legend>
      {options.map((option) => (
        <label
          key={option}
          htmlFor={id + option}
          className="-mx-2 flex min-h-11 items-center gap-3 rounded-lg px-2 hover:bg-ink/4"
        >
          <input
            id={id + option}
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
        </label>
      ))}
    </fieldset>
  );
}
