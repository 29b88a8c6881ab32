import { Link } from "#app/ui/chrome/link.tsx";
import type { Category } from "#shop/catalog/product.ts";

/** A way on from a product out of stock. */
export function InStockLink({ category, className }: { category: Category; className: string }) {
  return (
    <Link
      to={`/shop?category=${category}&availability=in-stock`}
      prefetch="intent"
      className={`text-link inline-flex min-h-11 items-center ${className}`}
    >
      See what’s in stock
    </Link>
  );
}
