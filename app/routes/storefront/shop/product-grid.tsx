import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { filterQuery, listQuery, type Filters } from "#shop/catalog/filters.ts";
import { ProductCard } from "#app/ui/product/product-card.tsx";
import type { Route } from "./+types/route.ts";
import { GRID } from "./skeleton.tsx";

const FIRST_ROWS = 2;

export type Listing = Route.ComponentProps["loaderData"];
type Card = Listing["products"][number];

/** Loaded pages of each list, for 'Show more' and going back. Filled in the browser only. */
const seen = new Map<string, Card[]>();
/** Indexes to focus once the products of 'Show more' arrive. */
const awaited = new Set<number>();

type ProductGridProps = { listing: Listing; filters: Filters };

export function ProductGrid({ listing: { products, page, hasMore }, filters }: ProductGridProps) {
  const list = useRef<HTMLUListElement>(null);
  const query = filterQuery(filters).toString();
  let first = page;
  let shown = products;
  for (let before; (before = seen.get(`${query}#${first - 1}`)); first--) shown = [...before, ...shown];
  // A product that moved to a later page shows once.
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
      <ul ref={list} className={GRID}>
        {shown.map((product, index) => (
          <li key={product.id} className="grid grid-cols-1">
            <ProductCard product={product} colors={product.colors} priority={index < FIRST_ROWS} />
          </li>
        ))}
      </ul>
      {hasMore && turn(page + 1, "Show more", () => awaited.add(shown.length))}
    </>
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
