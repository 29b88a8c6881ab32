import { ChevronDown } from "lucide-react";
import { Suspense, useMemo } from "react";
import { data, useSearchParams } from "react-router";
import { pageMeta } from "#app/http/page-meta.ts";
import { usePendingLocation } from "#app/ui/chrome/page-state.ts";
import { baseUrl } from "#platform/base-url.ts";
import { earliestEnd, publicCache } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { brand } from "#shop/brand.ts";
import { countFacets, listModelColors, listProducts } from "#shop/catalog/catalog.server.ts";
import { listShownColors } from "#shop/catalog/colors.server.ts";
import { filterQuery, PAGE_SIZE, parseFilters, parsePage, type Sort, SORTS } from "#shop/catalog/filters.ts";
import { cardOf } from "#shop/catalog/shown-product.ts";
import { breadcrumbs, graph, productList } from "#shop/discovery/structured-data.ts";
import { formatNumber } from "#shop/money.ts";
import { policyWords } from "#shop/settings/settings.server.ts";
import type { Route } from "./+types/route.ts";
import { ActiveFilters } from "./active-filters.tsx";
import { FilterDrawer } from "./filter-drawer.tsx";
import { type ChangeFilters, FilterForm, useFilters } from "./filter-form.tsx";
import { type Listing, ProductGrid } from "./product-grid.tsx";
import { ProductGridSkeleton } from "./skeleton.tsx";

export { publicHeaders as headers } from "#platform/cache-headers.ts";
export { unlessCartAction as shouldRevalidate } from "#app/ui/product/add-to-cart.tsx";

const SIDEBAR_FORM = "filters";
const DESCRIPTION = "Smart cooling bowls, ethylene filters and accessories.";

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const colors = await listShownColors(db);
  const filters = parseFilters(searchParams, colors);
  let page = parsePage(searchParams);
  let list = await listProducts(db, filters, page);
  // A page beyond the last shows the first.
  if (page > 1 && list.products.length === 0) list = await listProducts(db, filters, (page = 1));
  const { products, count, hasMore, nextEarlyBirdEnd } = list;
  const names = colors.map(({ name }) => name);
  const [facets, modelColors] = await Promise.all([countFacets(db, filters, names), listModelColors(db, products)]);
  const site = baseUrl();
  const jsonLd = graph(
    productList(site, products, (page - 1) * PAGE_SIZE),
    breadcrumbs(site, { name: "Shop", path: "/shop" }),
  );
  const promises = `Free shipping on orders ${policyWords().freeShippingFrom}+, ${policyWords().returnDaysAdjective} returns.`;
  const cards = products.map((product) => ({ ...cardOf(product), colors: modelColors.get(product.id) ?? [] }));
  const listing = { products: cards, colors, facets, count, page, hasMore, promises, jsonLd };
  return data(listing, { headers: publicCache(earliestEnd([...products, { earlyBirdEndDate: nextEarlyBirdEnd }])) });
}

export const meta: Route.MetaFunction = ({ loaderData, location }) => {
  const listing: Listing | undefined = loaderData;
  // Filtered lists have the whole list as their canonical URL.
  const isPart =
    listing &&
    listing.page > 1 &&
    filterQuery(parseFilters(new URLSearchParams(location.search), listing.colors)).size === 0;
  return pageMeta({
    title: isPart ? `Shop, page ${listing.page}` : "Shop",
    description: listing ? `${DESCRIPTION} ${listing.promises}` : DESCRIPTION,
    path: isPart ? `/shop?page=${listing.page}` : "/shop",
    markdown: !isPart,
    jsonLd: listing?.jsonLd,
  });
};

export default function Shop({ loaderData: listing }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const { colors, facets } = listing;
  const filters = useMemo(() => parseFilters(params, colors), [params, colors]);
  const { draft, change } = useFilters(filters);
  const pending = usePendingLocation();
  // 'Show more' appends, so it needs no skeleton.
  const isLoading = pending?.pathname === "/shop" && !pending.search.includes("page=");

  return (
    <div className="page py-10 lg:py-16">
      <h1 className="display">{`Shop ${brand.name}`}</h1>
      <p className="mt-4 max-w-xl text-lg text-ink-soft">
        Bowls that keep food fresh 3x longer, plus filters and accessories.
      </p>

      <div className="mt-8 lg:mt-12 lg:grid lg:grid-cols-[232px_minmax(0,1fr)] lg:gap-14">
        <aside aria-label="Filters" className="hidden lg:block">
          <FilterForm id={SIDEBAR_FORM} filters={draft} colors={colors} facets={facets} change={change} />
        </aside>

        <section aria-labelledby="products">
          <h2 id="products" className="sr-only">
            Products
          </h2>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p role="status" className="min-w-40 text-ink-soft max-lg:order-last max-lg:w-full">
              {isLoading ? "Loading products" : `Showing ${counted(listing)}`}
            </p>
            <FilterDrawer filters={draft} colors={colors} facets={facets} change={change}>
              {isLoading ? "Show products" : `Show ${counted(listing)}`}
            </FilterDrawer>
            <SortSelect form={SIDEBAR_FORM} sort={draft.sort} change={change} />
          </div>
          <ActiveFilters filters={filters} />
          <div className="mt-6">
            <Suspense>
              {isLoading ? <ProductGridSkeleton /> : <ProductGrid listing={listing} filters={filters} />}
            </Suspense>
          </div>
        </section>
      </div>
    </div>
  );
}

function counted({ count }: Listing) {
  return `${formatNumber(count)} ${count === 1 ? "product" : "products"}`;
}

const labels: Record<Sort, string> = {
  featured: "Featured",
  "price-asc": "Price: Low to High",
  "price-desc": "Price: High to Low",
  newest: "Newest",
};

/** Sort order; a control of the filter form, outside of it. */
function SortSelect({ form, sort, change }: { form: string; sort: Sort; change: ChangeFilters }) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      <label className="flex min-w-0 items-center gap-2">
        <span className="text-ink-soft max-sm:sr-only">Sort by</span>
        <span className="relative min-w-0">
          <select
            name="sort"
            form={form}
            value={sort}
            onChange={(event) => change({ sort: SORTS.find((one) => one === event.target.value) ?? "featured" })}
            className="h-11 max-w-full appearance-none rounded-full border border-[#8a8d8a] bg-card pr-10 pl-4.5 font-medium"
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
