/** How long a public page may be kept by our page cache and by any CDN. */
import type { HeadersArgs } from "react-router";
import type { Product } from "../../shop/catalog/product.ts";

const FRESH_SECONDS = 60;
const STALE_SECONDS = 600;

/** Headers for a page that is the same for everyone. `validUntil` is when a price on it ends: it is cached no longer. */
export function publicCache(validUntil: Date | null = null): { "Cache-Control": string } {
  const left = validUntil ? Math.max(0, Math.floor((validUntil.getTime() - Date.now()) / 1000)) : Infinity;
  const fresh = Math.min(FRESH_SECONDS, left);
  const stale = Math.min(STALE_SECONDS, left - fresh);
  return { "Cache-Control": `public, max-age=0, s-maxage=${fresh}, stale-while-revalidate=${stale}` };
}

type Ending = Pick<Product, "earlyBirdEndDate"> & Partial<Pick<Product, "waitlistOnlyUntil">>;

/** No page takes longer to make. */
const MAKING_MS = 10_000;

/**
 * When the earliest early-bird price among these products ends, or one of them opens to everybody, if that was to come when
 * this page was begun: a page that was read before the end and is finished after it would be kept with what is over.
 */
export function earliestEnd(products: readonly Ending[]): Date | null {
  const begun = Date.now() - MAKING_MS;
  const ends = products
    .flatMap(({ earlyBirdEndDate, waitlistOnlyUntil }) => [earlyBirdEndDate, waitlistOnlyUntil])
    .flatMap((end) => (end && end.getTime() > begun ? [end.getTime()] : []));
  return ends.length > 0 ? new Date(Math.min(...ends)) : null;
}

/** Headers of a response that is somebody's own, or only true now: nobody keeps it. */
export const NO_STORE = { "Cache-Control": "private, no-store" };

/** Headers of a page that is only true now, but no secret: the browser alone keeps it, and asks again unless one goes back. */
export const FOR_GOING_BACK = { "Cache-Control": "private, no-cache" };

/** A route's `headers` export, for a page that is somebody's own. */
export const privateHeaders = () => NO_STORE;

/** A route's `headers` export, for a page that one may go back to. What answers a form says for itself how long it is kept. */
export const goingBackHeaders = ({ actionHeaders }: HeadersArgs) =>
  actionHeaders.has("Cache-Control") ? actionHeaders : FOR_GOING_BACK;

/** A route's `headers` export: passes on what its loader set. */
export function publicHeaders({ loaderHeaders, errorHeaders }: HeadersArgs): Headers {
  return errorHeaders ?? loaderHeaders;
}
