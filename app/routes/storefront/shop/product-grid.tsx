import { Link } from "react-router";
import type { ProductCard as Card } from "../../../../shop/catalog/shown-product.ts";
import type { JsonLd } from "../../../../shop/discovery/structured-data.ts";
import { ProductCard } from "../../../ui/product/product-card.tsx";

const SKELETONS = 6;
const FIRST_ROWS = 2;
const grid = "grid grid-cols-2 gap-x-4 gap-y-10 lg:grid-cols-3 lg:gap-x-6 lg:gap-y-14";

export type Listing = { products: Card[]; promises: string; jsonLd: JsonLd };

export function ProductGrid({ products }: Pick<Listing, "products">) {
  if (products.length === 0) return <NothingFound />;
  return (
    <ul className={grid}>
      {products.map((product, index) => (
        <li key={product.id} className="grid grid-cols-1">
          <ProductCard product={product} priority={index < FIRST_ROWS} />
        </li>
      ))}
    </ul>
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
