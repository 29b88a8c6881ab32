import { brand } from "#shop/brand.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";

/** A page that was cached before New Year has another year than the browser. */
export function Copyright() {
  return <p suppressHydrationWarning>{`© ${newYorkDay(clock.now()).slice(0, 4)} ${brand.name}`}</p>;
}
