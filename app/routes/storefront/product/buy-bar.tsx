import { useEffect, useState, type RefObject } from "react";
import type { ProductDetails } from "#shop/catalog/shown-product.ts";
import { formatMoney } from "#shop/money.ts";
import { AddToCartForm } from "#app/ui/product/add-to-cart.tsx";
import { usePrice } from "#app/ui/product/price.tsx";

type BuyBarProps = {
  /** The buy buttons, which the bar replaces while they are out of view. */
  watch: RefObject<HTMLElement | null>;
  product: ProductDetails;
  quantity: number;
};

export function BuyBar({ watch, product, quantity }: BuyBarProps) {
  // The bar is empty while this is null.
  const [shown, setShown] = useState<boolean | null>(null);
  const { priceCents } = usePrice(product);

  useEffect(() => {
    if (!watch.current) return;
    const observer = new IntersectionObserver(([entry]) => setShown(entry ? !entry.isIntersecting : false));
    observer.observe(watch.current);
    return () => observer.disconnect();
  }, [watch]);

  // The attribute adds space for the bar on small screens (styles.css).
  useEffect(() => {
    document.documentElement.toggleAttribute("data-buy-bar", shown === true);
    return () => document.documentElement.removeAttribute("data-buy-bar");
  }, [shown]);

  return (
    <div
      inert={!shown}
      className={`fixed inset-x-0 bottom-0 z-30 border-t border-line bg-paper px-5 pt-3 pb-[max(12px,env(safe-area-inset-bottom))] transition-[translate,visibility] duration-200 ease-out lg:hidden ${shown ? "" : "invisible translate-y-full"}`}
    >
      {shown !== null && (
        <div className="mx-auto flex max-w-xl items-center gap-4">
          <div className="min-w-0 flex-1">
            <p className="truncate text-[15px] font-semibold">{product.name}</p>
            <p className="text-[15px] text-ink-soft tabular-nums">
              {quantity === 1 ? "" : `${quantity} × `}
              {formatMoney(priceCents)}
            </p>
          </div>
          <AddToCartForm product={product} place="bar" quantity={quantity} buttonClassName="button-primary min-w-36" />
        </div>
      )}
    </div>
  );
}
