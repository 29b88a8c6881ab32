import { useEffect, useMemo, useState } from "react";
import { data, useSearchParams } from "react-router";
import { brand } from "../../../../shop/brand.ts";
import { listProducts } from "../../../../shop/catalog/catalog.server.ts";
import { listShownColors } from "../../../../shop/catalog/colors.server.ts";
import { filterQuery, PAGE_SIZE, parseFilters, parsePage } from "../../../../shop/catalog/filters.ts";
import { cardOf } from "../../../../shop/catalog/shown-product.ts";
import { breadcrumbs, graph, productList } from "../../../../shop/discovery/structured-data.ts";
import { formatNumber } from "../../../../shop/money.ts";
import { policyText } from "../../../../shop/policy-text.ts";
import { db } from "../../../database.server.ts";
import { baseUrl } from "../../../base-url.ts";
import { pageMeta } from "../../../http/page-meta.ts";
import { earliestEnd, publicCache } from "../../../http/cache-headers.ts";
import { isDeferred, defer, Deferred, type MaybeDeferred } from "../../../http/deferred.tsx";
import type { Route } from "./+types/route.ts";
import { ActiveFilters } from "./active-filters.tsx";
import { FilterDrawer } from "./filter-drawer.tsx";
import { FilterForm } from "./filter-form.tsx";
import { ProductGrid, ProductGridSkeleton, type Listing } from "./product-grid.tsx";
import { SortSelect } from "./sort-select.tsx";
import { useFilters } from "./use-filters.ts";

export { publicHeaders as headers } from "../../../http/cache-headers.ts";

const SIDEBAR_FORM = "filters";
const DESCRIPTION = "Smart cooling bowls, ethylene filters and accessories.";

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const colors = await listShownColors(db);
  const filters = parseFilters(searchParams, colors);
  let page = parsePage(searchParams);
  let list = await listProducts(db, filters, page);
  // Beyond the last page there is the first.
  if (page > 1 && list.products.length === 0) list = await listProducts(db, filters, (page = 1));
  const { products, count, hasMore } = list;
  const site = baseUrl();
  const jsonLd = graph(
    productList(site, products, (page - 1) * PAGE_SIZE),
    breadcrumbs(site, { name: "Shop", path: "/shop" }),
  );
  const promises = `Free Shipping from ${policyText.freeShippingFrom}, ${policyText.returnDaysTitle} Returns.`;
  const listing = { products: products.map(cardOf), colors, count, page, hasMore, promises, jsonLd };
  return data(listing, { headers: publicCache(earliestEnd(products)) });
}

/** What is added to a list waits for its products; in place of what is there a skeleton would lose the shopper's place. */
export const clientLoader = ({ request, serverLoader }: Route.ClientLoaderArgs) =>
  request.url.includes("page=") ? serverLoader() : defer<Listing>(serverLoader());

/** Putting something in the cart changes nothing here. */
export function shouldRevalidate({
  formAction,
  defaultShouldRevalidate,
}: {
  formAction?: string;
  defaultShouldRevalidate: boolean;
}) {
  return formAction?.startsWith("/cart") ? false : defaultShouldRevalidate;
}

export const meta: Route.MetaFunction = ({ loaderData, location }) => {
  const listing = loaderData && !isDeferred<Listing>(loaderData) ? loaderData : undefined;
  // Every filter shows a part of the whole list, which is what search engines should know.
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

export default function Shop({ loaderData }: Route.ComponentProps) {
  const listing: MaybeDeferred<Listing> = loaderData;
  const [params] = useSearchParams();
  const colors = useColors(listing);
  const filters = useMemo(() => parseFilters(params, colors), [params, colors]);
  const { draft, change } = useFilters(filters);
  const question = isDeferred(listing) ? filterQuery(filters).toString() : "here";
  // A filter that is pressed changes the products later, when they are here.
  const products = useMemo(
    () => (
      <Deferred key={question} data={listing} fallback={<ProductGridSkeleton />}>
        {(shown) => <ProductGrid listing={shown} filters={filters} />}
      </Deferred>
    ),
    [question, listing, filters],
  );

  return (
    <div className="page py-10 lg:py-16">
      <h1 className="display">Shop {brand.name}</h1>
      <p className="mt-4 max-w-xl text-lg text-ink-soft">
        Bowls that keep food fresh 3x longer, the filters that work in them, and what goes with both.
      </p>

      <div className="mt-8 lg:mt-12 lg:grid lg:grid-cols-[232px_minmax(0,1fr)] lg:gap-14">
        <aside aria-label="Filters" className="hidden lg:block">
          <FilterForm id={SIDEBAR_FORM} filters={draft} colors={colors} change={change} />
        </aside>

        <section aria-labelledby="products">
          <h2 id="products" className="sr-only">
            Products
          </h2>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p role="status" className="min-w-40 text-ink-soft max-lg:order-last max-lg:w-full">
              <Deferred key={question} data={listing} fallback="Loading products">
                {(shown) => `Showing ${counted(shown)}`}
              </Deferred>
            </p>
            <FilterDrawer filters={draft} colors={colors} change={change}>
              <Deferred key={question} data={listing} fallback="Show products">
                {(shown) => `Show ${counted(shown)}`}
              </Deferred>
            </FilterDrawer>
            <SortSelect form={SIDEBAR_FORM} sort={draft.sort} change={change} />
          </div>
          <ActiveFilters filters={filters} />
          <div className="mt-6">{products}</div>
        </section>
      </div>
    </div>
  );
}

/** The colors there are: of the list that is shown, and while one is awaited those of the list before it. */
function useColors(listing: MaybeDeferred<Listing>): Listing["colors"] | undefined {
  const [colors, setColors] = useState(isDeferred(listing) ? undefined : listing.colors);
  useEffect(() => {
    const known = Promise.resolve(isDeferred(listing) ? listing.later : listing);
    known.then((list) => setColors(list.colors)).catch(() => {});
  }, [listing]);
  return colors;
}

function counted({ count }: Listing) {
  return `${formatNumber(count)} ${count === 1 ? "product" : "products"}`;
}
