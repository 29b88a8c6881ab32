import type { Totals } from "../../../../shop/cart/totals.ts";
import { FREE_SHIPPING_FROM_CENTS } from "../../../../shop/shipping/methods.ts";
import { formatMoney } from "../../../../shop/money.ts";

/** How far it is to free shipping, in words and as a line. */
export function FreeShipping({ totals, settling }: { totals: Totals; settling: boolean }) {
  const gap = totals.freeShippingGapCents;
  const reached = 1 - gap / FREE_SHIPPING_FROM_CENTS;
  return (
    <div className={`grid gap-3 transition-opacity duration-200 ${settling ? "opacity-45" : ""}`}>
      <p className="text-sm font-medium">
        {gap > 0 ? `Add ${formatMoney(gap)} more for free shipping` : "Your order ships free."}
      </p>
      <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-line">
        <div
          className="h-full origin-left rounded-full bg-leaf transition-transform duration-250 ease-out"
          style={{ transform: `scaleX(${reached})` }}
        />
      </div>
    </div>
  );
}
