import { useEffect, useRef } from "react";
import { data, Link, useFetcher, useFetchers, useSearchParams, type ShouldRevalidateFunctionArgs } from "react-router";
import { db } from "../../../database.server.ts";
import { getCart } from "../../../../shop/cart/cart.server.ts";
import { policyText } from "../../../../shop/policy-text.ts";
import { readBuyer } from "../../../session/buyer.server.ts";
import { privateMeta } from "../../../http/page-meta.ts";
import { EmptyCart } from "../../../ui/order/empty-cart.tsx";
import { OrderSums } from "../../../ui/order/order-sums.tsx";
import type { Route } from "./+types/route.ts";
import { readCartMessage } from "../../../ui/order/cart-result.ts";
import { FreeShipping } from "./free-shipping.tsx";
import { LineItem } from "./line-item.tsx";
import { useFreshOnReturn } from "../../../ui/chrome/fresh-on-return.ts";

export const meta: Route.MetaFunction = () => privateMeta("Cart");

export { goingBackHeaders as headers } from "../../../http/cache-headers.ts";

export async function loader({ request }: Route.LoaderArgs) {
  const cart = await getCart(db, await readBuyer(request));
  return data({ cart, returns: `${policyText.returnDaysTitle} Returns` });
}

/** A refused change means that the cart is not as it was shown; a failed one says nothing about it. */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionStatus !== undefined && actionStatus < 500 ? true : defaultShouldRevalidate;
}

export default function CartPage({ loaderData }: Route.ComponentProps) {
  const { cart, returns } = loaderData;
  useFreshOnReturn();
  const { lines, totals } = cart;
  const [query] = useSearchParams();
  const message = readCartMessage(query);
  const settling = useFetchers().some((f) => f.state !== "idle" && f.formAction?.startsWith("/cart/"));
  const heading = useFocusAfterRemoval(lines.length);
  const clear = useFetcher({ key: "cart-clear" });

  return (
    <div ref={heading} tabIndex={-1} className="outline-none">
      {message && (
        <div className="page pt-8">
          <p role="alert" className="rounded-card bg-saving-soft px-5 py-4 font-medium text-saving">
            {message}
          </p>
        </div>
      )}
      {lines.length === 0 ? (
        <EmptyCart />
      ) : (
        <div className="page grid gap-x-16 gap-y-10 pt-10 pb-24 lg:grid-cols-[1fr_380px] lg:pt-16 xl:gap-x-24">
          <div>
            <div className="flex items-baseline justify-between gap-4 pb-4">
              <h1 className="heading">Cart</h1>
              <p className="text-ink-soft tabular-nums">
                {totals.itemCount} {totals.itemCount === 1 ? "item" : "items"}
              </p>
            </div>
            <ul className="divide-y divide-line border-y border-line">
              {lines.map((line, index) => (
                <LineItem key={line.id} line={line} priority={index === 0} />
              ))}
            </ul>
            <clear.Form method="post" action="/cart/clear" className="mt-4" preventScrollReset>
              <button
                disabled={clear.state !== "idle"}
                className="min-h-11 text-sm font-medium text-ink-soft underline decoration-1 underline-offset-4 hover:text-ink"
              >
                Clear cart
              </button>
            </clear.Form>
          </div>
          <section
            aria-labelledby="summary"
            className="grid content-start gap-7 self-start rounded-card bg-card p-6 sm:p-8 lg:sticky lg:top-28"
          >
            <h2 id="summary" className="text-xl font-semibold">
              Order Summary
            </h2>
            <FreeShipping totals={totals} settling={settling} />
            <OrderSums order="open" totals={totals} settling={settling} />
            <div className="grid gap-3">
              <Link to="/checkout" className="button button-primary w-full">
                Proceed to Checkout
              </Link>
              <Link
                to="/shop"
                className="inline-flex min-h-11 items-center justify-center text-sm font-medium underline-offset-4 hover:underline"
              >
                Continue Shopping
              </Link>
            </div>
            <p className="text-center text-sm text-ink-soft">{returns}</p>
          </section>
        </div>
      )}
    </div>
  );
}

/** A removed line takes the focus with it; the page takes it over, so that the keyboard goes on from here. */
function useFocusAfterRemoval(count: number) {
  const page = useRef<HTMLDivElement>(null);
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body)
      page.current?.focus({ preventScroll: true });
    before.current = count;
  }, [count]);
  return page;
}
