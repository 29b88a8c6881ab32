import type { ReactNode } from "react";
import { formatMoney } from "#shop/money.ts";
import { discountLabel, type Amounts } from "#shop/cart/totals.ts";

const LOOKS = {
  open: { list: "gap-3", free: "font-semibold text-good", total: "mt-2 pt-5", label: "text-lg", amount: "text-2xl" },
  placed: { list: "gap-2.5", free: "", total: "mt-1 pt-3.5", label: "", amount: "text-xl" },
};

type OrderSumsProps = {
  /** The tax is known from the `checkout` on. A `placed` order is smaller. */
  order: "open" | "checkout" | "placed";
  totals: Amounts;
  /** Tax of the checkout in words, if it is not an amount of the totals. */
  tax?: ReactNode;
  /** Tax is added to the total, but is not known yet. */
  isTaxMissing?: boolean;
  /** The amounts are out of date until a pending change returns. */
  settling?: boolean;
};

export function OrderSums({ order, totals, tax, isTaxMissing, settling = false }: OrderSumsProps) {
  const { list, free, total, label, amount } = LOOKS[order === "placed" ? "placed" : "open"];
  const { subtotalCents, discountCents, shippingCents, taxCents, totalCents } = totals;
  return (
    <dl
      aria-busy={settling}
      className={`grid ${list} tabular-nums transition-opacity duration-200 ${settling ? "opacity-45" : ""}`}
    >
      <Row label="Subtotal">{formatMoney(subtotalCents)}</Row>
      {discountCents > 0 && (
        <Row label={discountLabel(totals)}>
          <span className={`whitespace-nowrap ${free}`}>{`−${formatMoney(discountCents)}`}</span>
        </Row>
      )}
      <Row label="Shipping">
        {shippingCents === 0 ? <span className={free}>FREE</span> : formatMoney(shippingCents)}
      </Row>
      <Row label="Tax">
        {tax ?? (
          <>
            {order !== "placed" && <span className="text-ink-soft">Calculated at checkout</span>}
            {order !== "open" && <span>{`${order === "checkout" ? " " : ""}${formatMoney(taxCents)}`}</span>}
          </>
        )}
      </Row>
      <div className={`flex items-baseline justify-between gap-[24px] border-t border-line ${total}`}>
        <dt className={`font-semibold ${label}`}>
          Total{isTaxMissing && <span className="text-sm font-normal text-ink-soft"> plus sales tax</span>}
        </dt>
        <dd className={`font-semibold tracking-tight ${amount}`}>{formatMoney(totalCents)}</dd>
      </div>
    </dl>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-[24px]">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="text-right">{children}</dd>
    </div>
  );
}
