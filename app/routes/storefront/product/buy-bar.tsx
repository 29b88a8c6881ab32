import { useEffect, useState, type ComponentProps, type RefObject } from "react";
import type { ProductDetails } from "../../../../shop/catalog/shown-product.ts";
import { formatMoney } from "../../../../shop/money.ts";
import { AddToCartForm } from "../../../ui/product/add-to-cart.tsx";
import { usePrice } from "../../../ui/product/price.tsx";

type BuyBarProps = {
  /** The buttons it stands in for while they are out of sight. */
  watch: RefObject<HTMLElement | null>;
  product: ProductDetails;
  cart: ComponentProps<typeof AddToCartForm>;
};

/** Keeps the buy button in reach of the thumb on small screens. */
export function BuyBar({ watch, product, cart }: BuyBarProps) {
  // Null until it is known; the bar is empty until then.
  const [shown, setShown] = useState<boolean | null>(null);
  const { priceCents } = usePrice(product);

  useEffect(() => {
    if (!watch.current) return;
    const observer = new IntersectionObserver(([entry]) => setShown(entry ? !entry.isIntersecting : false));
    observer.observe(watch.current);
    return () => observer.disconnect();
  }, [watch]);

  // What gets the focus scrolls clear of the bar, and the page ends above it: styles.css, for small screens.
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
              {cart.quantity === 1 ? "" : `${cart.quantity} × `}
              {formatMoney(priceCents)}
            </p>
          </div>
          <AddToCartForm {...cart} buttonClassName="button-primary min-w-36" />
        </div>
      )}
    </div>
  );
}
