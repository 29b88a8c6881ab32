/** All products, including archived ones. */
import { Link } from "react-router";
import { PRODUCT_SORTS, PRODUCT_STATES, listAllProducts } from "#shop/catalog/back-office/product-list.server.ts";
import { LOW_STOCK_LIMIT } from "#shop/catalog/stock.ts";
import { formatMoney } from "#shop/money.ts";
import { db } from "#platform/database.server.ts";
import { staffMay } from "#app/session/staff.server.ts";
import { Filters } from "#app/ui/admin/filters.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, countLabel, Pager, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import { productChoices } from "./product-form.server.ts";
import type { Route } from "./+types/route.ts";

const SORTS = { name: "Name", stock: "Stock, low to high", updated: "Last updated" } as const;
const STATES = {
  available: "Available",
  low: "Low stock",
  none: "Sold out",
  unavailable: "Unavailable",
  retired: "Archived",
} as const;

const known = <T extends string>(all: readonly T[], value: string | null): T | null =>
  all.find((each) => each === value) ?? null;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { categories, colors } = await productChoices();
  const choices = { categories, colors: colors.map(({ name }) => name) };
  const query = new URL(request.url).searchParams;
  const filter = {
    search: (query.get("q") ?? "").trim().slice(0, 80),
    category: known(choices.categories, query.get("category")),
    color: known(choices.colors, query.get("color")),
    state: known(PRODUCT_STATES, query.get("state")),
  };
  const sort = known(PRODUCT_SORTS, query.get("sort")) ?? "name";
  const list = await listAllProducts(db, { ...filter, sort, after: query.get("after") });
  const isFiltered = Object.values(filter).some(Boolean);
  return { ...list, isFiltered, choices, mayEdit: staffMay(context, "products:edit") };
}

type Row = Route.ComponentProps["loaderData"]["rows"][number];

type StatusProps = Pick<Row, "isRetired" | "isAvailable" | "units">;

export function ProductStatus({ isRetired, isAvailable, units }: StatusProps) {
  if (isRetired) return <Status tone="quiet">Archived</Status>;
  if (!isAvailable) return <Status tone="quiet">Unavailable</Status>;
  if (units === 0) return <Status tone="late">Sold out</Status>;
  if (units <= LOW_STOCK_LIMIT) return <Status tone="soon">Low stock</Status>;
  return <Status tone="done">Available</Status>;
}

const COLUMNS: Column<Row>[] = [
  {
    header: "Name",
    href: ({ id }) => `/admin/products/${id}`,
    cell: ({ name, thumbnail }) => (
      <span className="inline-flex items-center gap-3 whitespace-nowrap">
        <Picture
          name={thumbnail ?? ""}
          alt=""
          sizes="36px"
          className="block size-9 shrink-0 [&_svg]:w-6"
          imgClassName="size-9 rounded-md object-cover"
        />
        <span>{name}</span>
      </span>
    ),
  },
  {
    header: "Status",
    className: "whitespace-nowrap",
    cell: (row) => (
      <>
        <ProductStatus {...row} />
        {row.featured && <span className="text-ink-soft">, featured</span>}
      </>
    ),
  },
  { header: "Available", cell: ({ units }) => units.toLocaleString("en-US"), isNumber: true, phone: "label" },
  {
    header: "Price",
    isNumber: true,
    cell: ({ isEarly, priceCents }) => (
      <>
        {isEarly && <span className="text-ink-soft">Early bird </span>}
        <span>{formatMoney(priceCents)}</span>
      </>
    ),
  },
  { header: "Category", cell: ({ category }) => category, phone: "hidden", at: "wide" },
  { header: "Color", cell: ({ color }) => color, className: "whitespace-nowrap", phone: "hidden", at: "wide" },
  { header: "Updated", cell: ({ updatedAt }) => <When at={updatedAt} />, phone: "label" },
];

const same = (values: string[]) => values.map((value) => [value, value] as const);

export default function ProductsScreen({ loaderData }: Route.ComponentProps) {
  const { rows, count, hasMore, next, isFiltered, choices, mayEdit } = loaderData;
  return (
    <>
      <PageHead title="Products" note={countLabel(count, hasMore)}>
        {mayEdit && (
          <Link to="/admin/products/new" className="btn btn-primary">
            Add product
          </Link>
        )}
      </PageHead>
      <Filters
        fields={[
          { name: "q", label: "Name or URL handle", type: "search" },
          { name: "state", label: "Status", options: [["", "All"], ...Object.entries(STATES)] },
          { name: "category", label: "Category", options: [["", "All"], ...same(choices.categories)] },
          { name: "color", label: "Color", options: [["", "All"], ...same(choices.colors)] },
          { name: "sort", label: "Sort by", options: Object.entries(SORTS), className: "sm:w-44" },
        ]}
      />
      <AdminTable
        label="Products"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        empty={
          isFiltered
            ? "No products match. Clear the filters, or search for the start of the name."
            : "No products yet. Add your first product to start selling."
        }
      />
      <Pager next={next} />
    </>
  );
}
