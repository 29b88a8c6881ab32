/** What the list of products shows, and in what order: it stands in the address. */
import { Form, Link } from "react-router";
import { AdminSelect, AdminText } from "../../../ui/admin/field.tsx";

const SORTS = { name: "Name", stock: "Stock, lowest first", updated: "Changed last" } as const;
const STATES = {
  available: "Available",
  low: "Stock low",
  none: "Sold out",
  unavailable: "Not available",
  retired: "Retired",
} as const;

const options = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
const same = (values: string[]) => Object.fromEntries(values.map((value) => [value, value]));

type ProductFilterProps = {
  filter: { search: string; state: string | null; category: string | null; color: string | null; sort: string };
  choices: { categories: string[]; colors: string[] };
  isFiltered: boolean;
};

export function ProductFilter({ filter, choices, isFiltered }: ProductFilterProps) {
  return (
    <Form method="get" role="search" className="mb-4 flex flex-wrap items-end gap-3">
      <AdminText
        name="q"
        type="search"
        label="Name or address"
        defaultValue={filter.search}
        autoComplete="off"
        className="w-full sm:w-60"
      />
      <AdminSelect name="state" label="State" defaultValue={filter.state ?? ""} className="w-36">
        <option value="">All</option>
        {options(STATES)}
      </AdminSelect>
      <AdminSelect name="category" label="Category" defaultValue={filter.category ?? ""} className="w-36">
        <option value="">All</option>
        {options(same(choices.categories))}
      </AdminSelect>
      <AdminSelect name="color" label="Color" defaultValue={filter.color ?? ""} className="w-40">
        <option value="">All</option>
        {options(same(choices.colors))}
      </AdminSelect>
      <AdminSelect name="sort" label="Order" defaultValue={filter.sort} className="w-44">
        {options(SORTS)}
      </AdminSelect>
      <button type="submit" className="act">
        Show
      </button>
      {isFiltered && (
        <Link to="/admin/products" reloadDocument className="act">
          Show all
        </Link>
      )}
    </Form>
  );
}
