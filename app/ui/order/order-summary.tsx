import type { ReactNode } from "react";
import type { Totals } from "../../../shop/cart/totals.ts";
import { formatMoney } from "../../../shop/money.ts";

type OrderSummaryProps = {
  totals: Totals;
  /** A change is on its way to the server: the amounts are still the old ones. */
  settling?: boolean;
};

/** What is paid, in the shop's words (SPEC 9). */
export function OrderSummary({ totals, settling = false }: OrderSummaryProps) {
  return (
    <dl
      aria-busy={settling}
      className={`grid gap-3 tabular-nums transition-opacity duration-200 ${settling ? "opacity-45" : ""}`}
    >
      <Row label="Subtotal">{formatMoney(totals.subtotalCents)}</Row>
      <Row label="Shipping">
        {totals.shippingCents === 0 ? (
          <span className="font-semibold text-good">FREE</span>
        ) : (
          formatMoney(totals.shippingCents)
        )}
      </Row>
      <Row label="Tax">
        <span className="text-ink-soft">Calculated at checkout</span>
      </Row>
      <div className="mt-2 flex items-baseline justify-between gap-6 border-t border-line pt-5">
        <dt className="text-lg font-semibold">Total</dt>
        <dd className="text-2xl font-semibold tracking-tight">{formatMoney(totals.totalCents)}</dd>
      </div>
    </dl>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-6">
      <dt className="text-ink-soft">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
