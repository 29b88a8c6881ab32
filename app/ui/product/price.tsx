import { formatMoney } from "#shop/money.ts";
import { type Price, type Priced, priceOf } from "#shop/catalog/product.ts";
import type { ShownPrice } from "#shop/catalog/shown-product.ts";
import { Countdown, useClock } from "#app/ui/time/countdown.tsx";

/**
 * Current price, which updates when the early-bird price ends. The catalog omits ended early-bird prices, so the first
 * render may trust it.
 */
export function usePrice(product: Priced): Price {
  const end = product.earlyBirdEndDate;
  const ended = useClock((now) => end !== null && now >= end.getTime(), false);
  return priceOf(product, ended && end ? end : new Date(0));
}

type ProductPriceProps = { product: ShownPrice; size: "card" | "panel" };

/** The price; an early bird's with its badge, the regular price in plain text, and what is left of it. */
export function ProductPrice({ product, size }: ProductPriceProps) {
  const { earlyBird } = usePrice(product);
  const large = size === "panel";
  return (
    <div className={large ? "grid gap-2" : "grid gap-1"}>
      <PriceLine product={product} size={size} />
      {earlyBird && (
        <div className={`grid text-ink-soft tabular-nums ${large ? "gap-2 text-[15px]" : "gap-0.5 text-sm"}`}>
          <p>{`Regular price ${formatMoney(earlyBird.regularCents)} after ${product.lastDay}`}</p>
          <div className={`flex flex-wrap items-baseline noscript:hidden ${large ? "gap-x-2" : "gap-x-1"}`}>
            <p>{large ? "Early Bird Ends In" : "Ends in"}</p>
            <Countdown endsAt={earlyBird.endsAt} daysLeft={product.daysLeft} isShort={!large} />
          </div>
        </div>
      )}
    </div>
  );
}

/** Current and struck-through price. */
function PriceLine({ product, size }: ProductPriceProps) {
  const { priceCents, compareAtCents, earlyBird } = usePrice(product);
  const large = size === "panel";
  return (
    <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1 tabular-nums">
      {earlyBird && <span className="sr-only">Early bird price</span>}
      <span className={large ? "text-4xl font-semibold tracking-tight" : "font-semibold"}>
        {formatMoney(priceCents)}
      </span>
      {compareAtCents !== null && (
        <>
          <span className="sr-only">instead of</span>
          <s className={large ? "text-xl text-ink-soft" : "text-sm text-ink-soft"}>{formatMoney(compareAtCents)}</s>
        </>
      )}
      {earlyBird && <SavingBadge cents={earlyBird.savingCents} />}
    </p>
  );
}

function SavingBadge({ cents }: { cents: number }) {
  return (
    <span className="inline-flex flex-wrap gap-x-1.5 rounded-[14px] bg-saving-soft px-2.5 py-0.5 text-xs font-semibold text-saving tabular-nums *:whitespace-nowrap">
      <span>Today Only</span>
      {cents > 0 && <span>{`Save ${formatMoney(cents)}`}</span>}
    </span>
  );
}
