import type { ProductDetails } from "#shop/catalog/shown-product.ts";
import { formatMoney } from "#shop/money.ts";
import { AddToCartForm } from "#app/ui/product/add-to-cart.tsx";
import { usePrice } from "#app/ui/product/price.tsx";

/**
 * Price and button at the bottom of a phone, from the first paint on. Where the browser has scroll timelines, it makes way
 * while the panel's own button is in view (styles.css).
 */
export function BuyBar({ product, quantity }: { product: ProductDetails; quantity: number }) {
  const { priceCents } = usePrice(product);
  return (
    <div className="buy-bar no-print fixed inset-x-0 bottom-0 z-30 border-t border-line bg-paper px-5 pt-3 pb-[max(12px,env(safe-area-inset-bottom))] lg:hidden">
      <div className="mx-auto flex max-w-xl items-center gap-4">
        <div className="min-w-0 flex-1">
          <p className="truncate text-[15px] font-semibold">{product.name}</p>
          <p className="text-[15px] text-ink-soft tabular-nums">
            {`${quantity === 1 ? "" : `${quantity} × `}${formatMoney(priceCents)}`}
          </p>
          {product.shipDay && <p className="text-sm text-ink-soft">{`Ships ${product.shipDay}`}</p>}
        </div>
        <AddToCartForm product={product} place="bar" quantity={quantity} buttonClassName="button-primary min-w-36" />
      </div>
    </div>
  );
}
