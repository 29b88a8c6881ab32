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

/** Current and struck-through price; an early-bird price also shows the saving and its last day. */
export function ProductPrice({ product, size }: { product: ShownPrice; size: "card" | "panel" }) {
  const { priceCents, compareAtCents, earlyBird } = usePrice(product);
  const large = size === "panel";
  return (
    <div className={large ? "grid gap-4" : "grid gap-1.5"}>
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
        {earlyBird && large && <SavingBadge cents={earlyBird.savingCents} />}
      </p>
      {earlyBird && !large && (
        <>
          <p className="text-sm text-ink-soft tabular-nums">
            Regular {formatMoney(earlyBird.regularCents)} after {product.lastDay}
          </p>
          <p className="text-sm text-ink-soft noscript:hidden">
            <span className="max-sm:sr-only">Ends in </span>
            <Countdown endsAt={earlyBird.endsAt} variant="inline" />
          </p>
        </>
      )}
      {earlyBird && large && (
        <>
          <p className="text-ink-soft">
            Regular price {formatMoney(earlyBird.regularCents)} after {product.lastDay}
          </p>
          <div className="grid gap-2.5 noscript:hidden">
            <p className="text-sm font-semibold">Early Bird Ends In</p>
            <Countdown endsAt={earlyBird.endsAt} />
          </div>
        </>
      )}
    </div>
  );
}

export function SavingBadge({ cents }: { cents: number }) {
  return (
    <span className="inline-flex flex-wrap gap-x-1.5 rounded-[14px] bg-saving-soft px-2.5 py-1 text-xs font-semibold text-saving tabular-nums *:whitespace-nowrap sm:px-3 sm:text-sm">
      <span>Today Only</span>
      {cents > 0 && <span>Save {formatMoney(cents)}</span>}
    </span>
  );
}
