import { X } from "lucide-react";
import { Link } from "react-router";
import { filterQuery, PRICE_RANGE, type Filters } from "#shop/catalog/filters.ts";
import { availabilityLabels } from "./filter-form.tsx";

export function ActiveFilters({ filters }: { filters: Filters }) {
  const { colors, categories, availability, minPrice, maxPrice } = filters;
  const { min, max } = PRICE_RANGE;
  const chips: Array<{ label: string; without: Partial<Filters> }> = [
    ...colors.map((color) => ({ label: color, without: { colors: colors.filter((other) => other !== color) } })),
    ...categories.map((category) => ({
      label: category,
      without: { categories: categories.filter((other) => other !== category) },
    })),
    ...availability.map((one) => ({
      label: availabilityLabels[one],
      without: { availability: availability.filter((other) => other !== one) },
    })),
    ...(minPrice > min || maxPrice < max
      ? [{ label: `$${minPrice}–$${maxPrice}`, without: { minPrice: min, maxPrice: max } }]
      : []),
  ];
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="mt-4 flex flex-wrap items-center gap-2">
      {chips.map(({ label, without }) => (
        <li key={label}>
          <Link
            to={{ pathname: "/shop", search: filterQuery({ ...filters, ...without }).toString() }}
            preventScrollReset
            className="inline-flex min-h-11 items-center gap-2 rounded-full bg-leaf-light px-4 text-[15px] font-medium tabular-nums hover:bg-sage"
          >
            <span className="sr-only">Remove filter </span>
            <span>{label}</span>
            <X aria-hidden="true" size={16} />
          </Link>
        </li>
      ))}
      <li>
        <Link
          to={{ pathname: "/shop", search: filters.sort === "featured" ? "" : `sort=${filters.sort}` }}
          preventScrollReset
          className="text-link inline-flex min-h-11 items-center px-2 text-[15px]"
        >
          Clear all
        </Link>
      </li>
    </ul>
  );
}
