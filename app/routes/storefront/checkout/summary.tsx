import { ChevronDown } from "lucide-react";
import { Link } from "react-router";
import type { CartLine } from "../../../../shop/cart/cart.ts";
import type { Totals } from "../../../../shop/cart/totals.ts";
import { formatMoney } from "../../../../shop/money.ts";
import { OrderLines } from "../../../ui/order/order-lines.tsx";
import { OrderSums } from "../../../ui/order/order-sums.tsx";

/** What is bought and what it comes to: beside the form, or folded above it on a small screen. */
export function Summary({ lines, totals }: { lines: CartLine[]; totals: Totals }) {
  return (
    <section aria-labelledby="summary" className="rounded-card bg-card lg:p-8">
      <input type="checkbox" id="show-summary" className="peer sr-only lg:hidden" />
      <label
        htmlFor="show-summary"
        className="flex min-h-14 items-center gap-2 rounded-card px-5 outline-offset-3 outline-leaf peer-focus-visible:outline-2 lg:hidden peer-checked:[&_svg]:rotate-180"
      >
        Show order summary
        <ChevronDown size={18} aria-hidden="true" className="transition-transform duration-200" />
        <span className="ml-auto text-lg font-semibold tabular-nums">{formatMoney(totals.totalCents)}</span>
      </label>
      <div className="hidden gap-7 px-5 pb-6 peer-checked:grid lg:grid lg:p-0">
        <div className="flex items-baseline justify-between gap-4 max-lg:pt-2">
          <h2 id="summary" className="text-xl font-semibold">
            Order Summary
          </h2>
          <Link
            to="/cart"
            className="inline-flex min-h-11 items-center text-sm font-medium underline decoration-1 underline-offset-4"
          >
            Edit cart
          </Link>
        </div>
        <OrderLines
          order="open"
          lines={lines.map((line) => ({ ...line, priceCents: line.unitPriceCents, slug: null, note: line.preOrder }))}
        />
        <div className="border-t border-line pt-6">
          <OrderSums order="open" totals={totals} />
        </div>
      </div>
    </section>
  );
}
