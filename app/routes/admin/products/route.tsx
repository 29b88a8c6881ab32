/** Every product there is, also those that are sold no more. */
import { data, Link } from "react-router";
import { db } from "../../../database.server.ts";
import { formatMoney } from "../../../../shop/money.ts";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { staffMay } from "../../../session/staff.server.ts";
import { EmptyList, PageHead } from "../../../ui/admin/page-head.tsx";
import { Pager } from "../../../ui/admin/pager.tsx";
import { Status } from "../../../ui/admin/status.tsx";
import { When } from "../../../ui/admin/when.tsx";
import { Picture } from "../../../ui/product/picture.tsx";
import type { Route } from "./+types/route.ts";
import { ProductFilter } from "./product-filter.tsx";

export const headers = privateHeaders;

const chosen = <T extends string>(all: readonly T[], value: string | null): T | null =>
  all.find((each) => each === value) ?? null;

export async function loader({ request, context }: Route.LoaderArgs) {
  const [{ listDeskProducts, DESK_SORTS, DESK_STATES }, { choicesNow }] = await Promise.all([
    import("../../../../shop/catalog/desk/desk-list.server.ts"),
    import("./typed-product.server.ts"),
  ]);
  const choices = await choicesNow();
  const query = new URL(request.url).searchParams;
  const filter = {
    search: (query.get("q") ?? "").trim().slice(0, 80),
    category: chosen(choices.categories, query.get("category")),
    color: chosen(choices.colors, query.get("color")),
    state: chosen(DESK_STATES, query.get("state")),
    sort: chosen(DESK_SORTS, query.get("sort")) ?? ("name" as const),
  };
  const list = await listDeskProducts(db, { ...filter, after: query.get("after") });
  return data({ ...list, filter, choices, mayEdit: staffMay(context, "products:edit") }, { headers: NO_STORE });
}

type Row = Route.ComponentProps["loaderData"]["rows"][number];

function State({ row }: { row: Row }) {
  if (row.isRetired) return <Status tone="quiet">Retired</Status>;
  if (!row.isAvailable) return <Status tone="quiet">Not available</Status>;
  if (row.units === 0) return <Status tone="late">Sold out</Status>;
  if (row.units <= 10) return <Status tone="soon">Stock low</Status>;
  return <Status tone="done">Available</Status>;
}

export default function ProductsScreen({ loaderData }: Route.ComponentProps) {
  const { rows, count, isCapped, next, filter, choices, mayEdit } = loaderData;
  const isFiltered = Boolean(filter.search || filter.category || filter.color || filter.state);
  return (
    <>
      <PageHead title="Products" note={`${count.toLocaleString("en-US")}${isCapped ? "+" : ""}`}>
        {mayEdit && (
          <Link to="/admin/products/new" className="act act-next">
            New product
          </Link>
        )}
      </PageHead>
      <ProductFilter filter={filter} choices={choices} isFiltered={isFiltered} />
      {rows.length === 0 && (
        <EmptyList>
          {isFiltered
            ? "No product is like that. Show all, or look for the beginning of its name."
            : "There is no product yet. Add the first one with New product."}
        </EmptyList>
      )}
      {rows.length > 0 && (
        <div className="admin-scroll">
          <table className="admin-table admin-cards">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">State</th>
                <th scope="col" className="number">
                  Stock
                </th>
                <th scope="col" className="number">
                  Price now
                </th>
                <th scope="col">Category</th>
                <th scope="col">Color</th>
                <th scope="col">Changed</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td>
                    <span className="flex items-center gap-3">
                      <Picture
                        name={row.thumbnail ?? ""}
                        alt=""
                        sizes="36px"
                        className="block size-9 shrink-0 [&_svg]:w-6"
                        imgClassName="size-9 rounded-md object-cover"
                      />
                      <Link to={`/admin/products/${row.id}`} className="admin-link whitespace-nowrap">
                        {row.name}
                      </Link>
                      {row.featured && <span className="text-ink-soft">Featured</span>}
                    </span>
                  </td>
                  <td>
                    <State row={row} />
                  </td>
                  <td className="number" data-label="Stock">
                    {row.units.toLocaleString("en-US")}
                  </td>
                  <td className="number">
                    {row.isEarly && <span className="text-ink-soft">Early bird </span>}
                    {formatMoney(row.priceCents)}
                  </td>
                  <td className="max-sm:hidden">{row.category}</td>
                  <td className="whitespace-nowrap max-sm:hidden">{row.color ?? ""}</td>
                  <td className="whitespace-nowrap" data-label="Changed">
                    <When at={row.updatedAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager next={next} />
    </>
  );
}
