/** Cache-Control for public pages, in the page cache and CDNs, and for private ones. */
import type { HeadersArgs } from "react-router";
import type { Product } from "#shop/catalog/product.ts";
import { clock } from "#shop/clock.ts";
import { settingsUntil } from "#shop/settings/settings.server.ts";

const FRESH_SECONDS = 60;
const STALE_SECONDS = 600;

/**
 * Headers of a public page. `validUntil` is the end of a price on it, after which it is not cached, as after the midnight at
 * which other settings begin.
 */
export function publicCache(validUntil: Date | null = null): { "Cache-Control": string } {
  const end = Math.min(...[validUntil, settingsUntil()].map((until) => until?.getTime() ?? Infinity));
  const left = Math.max(0, Math.floor((end - clock.now().getTime()) / 1000));
  const fresh = Math.min(FRESH_SECONDS, left);
  const stale = Math.min(STALE_SECONDS, left - fresh);
  return { "Cache-Control": `public, max-age=0, s-maxage=${fresh}, stale-while-revalidate=${stale}` };
}

type Ending = Pick<Product, "earlyBirdEndDate"> & Partial<Pick<Product, "waitlistOnlyUntil">>;

const RENDER_MS = 10_000;

/**
 * The earliest end of an early-bird price or exclusive access among these products. Ends within the duration of a
 * render count too: such a page would be cached with an expired price.
 */
export function earliestEnd(products: readonly Ending[]): Date | null {
  const renderStart = clock.now().getTime() - RENDER_MS;
  const ends = products
    .flatMap(({ earlyBirdEndDate, waitlistOnlyUntil }) => [earlyBirdEndDate, waitlistOnlyUntil])
    .flatMap((end) => (end && end.getTime() > renderStart ? [end.getTime()] : []));
  return ends.length > 0 ? new Date(Math.min(...ends)) : null;
}

/** Headers of personal or volatile responses. */
export const NO_STORE = { "Cache-Control": "private, no-store" };

/** Headers of volatile pages without secrets: the browser revalidates them, except on going back. */
export const FOR_GOING_BACK = { "Cache-Control": "private, no-cache" };

export const privateHeaders = () => NO_STORE;

/** `headers` export of routes that one may go back to. Actions set their own. */
export const goingBackHeaders = ({ actionHeaders }: HeadersArgs) =>
  actionHeaders.has("Cache-Control") ? actionHeaders : FOR_GOING_BACK;

export function publicHeaders({ loaderHeaders, errorHeaders }: HeadersArgs): Headers {
  return errorHeaders ?? loaderHeaders;
}
