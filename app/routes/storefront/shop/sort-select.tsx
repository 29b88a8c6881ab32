import { ChevronDown } from "lucide-react";
import { SORTS, type Sort } from "../../../../shop/catalog/filters.ts";
import type { ChangeFilters } from "./use-filters.ts";

const labels: Record<Sort, string> = {
  featured: "Featured",
  "price-asc": "Price: Low to High",
  "price-desc": "Price: High to Low",
  newest: "Newest",
};

/** The order of the products; it belongs to the filter form, wherever that stands. */
export function SortSelect({ form, sort, change }: { form: string; sort: Sort; change: ChangeFilters }) {
  return (
    <div className="flex items-center gap-2">
      <label className="flex items-center gap-2">
        <span className="text-ink-soft max-sm:sr-only">Sort by</span>
        <span className="relative">
          <select
            name="sort"
            form={form}
            value={sort}
            onChange={(event) => change({ sort: SORTS.find((one) => one === event.target.value) ?? "featured" })}
            className="h-11 appearance-none rounded-full border border-[#8a8d8a] bg-card pr-10 pl-4.5 font-medium"
          >
            {SORTS.map((one) => (
              <option key={one} value={one}>
                {labels[one]}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden="true"
            size={18}
            className="pointer-events-none absolute top-1/2 right-3.5 -translate-y-1/2"
          />
        </span>
      </label>
      <noscript>
        <button form={form} className="button button-primary min-h-11 px-5">
          Apply
        </button>
      </noscript>
    </div>
  );
}
