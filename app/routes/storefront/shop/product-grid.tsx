import { Suspense, useEffect, useRef } from "react";
import { Link } from "react-router";
import { filterQuery, listQuery, type Filters } from "../../../../shop/catalog/filters.ts";
import type { Color } from "../../../../shop/catalog/colors.server.ts";
import type { ProductCard as Card } from "../../../../shop/catalog/shown-product.ts";
import type { JsonLd } from "../../../../shop/discovery/structured-data.ts";
import { ProductCard } from "../../../ui/product/product-card.tsx";

const SKELETONS = 6;
const FIRST_ROWS = 2;
const grid = "grid grid-cols-2 gap-x-4 gap-y-10 lg:grid-cols-3 lg:gap-x-6 lg:gap-y-14";

export type Listing = {
  products: Card[];
  colors: Color[];
  /** How many there are on all pages. */
  count: number;
  page: number;
  hasMore: boolean;
  promises: string;
  jsonLd: JsonLd;
};

/** What this visit has seen of each list, so that 'Show more' adds to it and going back shows it again. Browsers only. */
const seen = new Map<string, Card[]>();
/** The place of the first product that was asked for by 'Show more', until it is here. */
const awaited = new Set<number>();

type ProductGridProps = { listing: Listing; filters: Filters };

export function ProductGrid({ listing: { products, page, hasMore }, filters }: ProductGridProps) {
  const list = useRef<HTMLUListElement>(null);
  const query = filterQuery(filters).toString();
  let first = page;
  let shown = products;
  for (let before; (before = seen.get(`${query}#${first - 1}`)); first--) shown = [...before, ...shown];
  // What moved to a later page meanwhile stands once.
  shown = [...new Map(shown.map((product) => [product.id, product])).values()];

  useEffect(() => {
    seen.set(`${query}#${page}`, products);
    for (const place of awaited) list.current?.children[place]?.querySelector("a")?.focus({ preventScroll: true });
    awaited.clear();
  }, [query, page, products]);

  const turn = (to: number, label: string, onClick?: () => void) => (
    <Link
      to={`/shop?${listQuery(filters, to)}`}
      replace
      preventScrollReset
      onClick={onClick}
      className="button button-quiet mx-auto my-10 w-fit"
    >
      {label}
    </Link>
  );

  if (products.length === 0) return <NothingFound />;
  return (
    <>
      {first > 1 && turn(first - 1, "Show previous")}
      <ul ref={list} className={grid}>
        {shown.map((product, index) => (
          // A phone's first card comes right after what stands over it.
          <li
            key={product.id}
            className={`further-down grid grid-cols-1 [--about:430px] ${index === 0 ? "[--after:1ms]" : ""}`}
          >
            <Suspense>
              <ProductCard product={product} priority={index < FIRST_ROWS} />
            </Suspense>
          </li>
        ))}
      </ul>
      {hasMore && turn(page + 1, "Show more", () => awaited.add(shown.length))}
    </>
  );
}

/** Six cards in the size of what comes. */
export function ProductGridSkeleton() {
  return (
    <div aria-hidden="true" className={`${grid} animate-pulse`}>
      {Array.from({ length: SKELETONS }, (_, index) => (
        <div key={index} data-skeleton>
          <div className="aspect-square rounded-card bg-photo" />
          <div className="mt-5 h-4 w-3/4 rounded-full bg-photo" />
          <div className="mt-3 h-3.5 w-1/2 rounded-full bg-photo" />
          <div className="mt-3 mb-16 h-4 w-1/3 rounded-full bg-photo" />
        </div>
      ))}
    </div>
  );
}

function NothingFound() {
  return (
    <div className="grid justify-items-center gap-3 rounded-card bg-card px-6 py-20 text-center lg:py-28">
      <h3 className="text-2xl font-semibold">No products found</h3>
      <p className="text-ink-soft">Try adjusting your filters</p>
      <Link to="/shop" className="button button-quiet mt-4">
        Clear filters
      </Link>
    </div>
  );
}
