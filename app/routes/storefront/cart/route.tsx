import { useEffect, useRef, useState } from "react";
import { data, Link, redirect, type ShouldRevalidateFunctionArgs, useFetchers, useSearchParams } from "react-router";
import { privateMeta } from "#app/http/page-meta.ts";
import { readDiscountCode } from "#app/session/cookies.server.ts";
import { cartOwner, readCustomer } from "#app/session/customer.server.ts";
import { useFreshOnReturn } from "#app/ui/chrome/page-state.ts";
import { PlainForm, Submit } from "#app/ui/form/plain-form.tsx";
import { CART_MESSAGES, freeShippingGap, readCartMessage } from "#app/ui/order/cart-messages.ts";
import { DiscountCode } from "#app/ui/order/discount-code.tsx";
import { EmptyCart } from "#app/ui/order/empty-cart.tsx";
import { OrderSums } from "#app/ui/order/order-sums.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import { db } from "#platform/database.server.ts";
import { findFilterForFreeShipping, getCart } from "#shop/cart/cart.server.ts";
import type { CartOffer } from "#shop/cart/cart.ts";
import type { Totals } from "#shop/cart/totals.ts";
import { formatMoney } from "#shop/money.ts";
import { promisedArrival } from "#shop/payment-mode.ts";
import { policyWords, settings } from "#shop/settings/settings.server.ts";
import type { Route } from "./+types/route.ts";
import { LineItem } from "./line-item.tsx";

const ADD_FAILED = { title: "Error", message: CART_MESSAGES.add };
const CODE_FAILED = { title: "Error", message: "Failed to apply the code" };
const CLEAR_FAILED = { title: "Error", message: CART_MESSAGES.remove };

export const meta: Route.MetaFunction = () => privateMeta("Cart");

export { goingBackHeaders as headers } from "#platform/cache-headers.ts";

export async function loader({ request }: Route.LoaderArgs) {
  const headers = new Headers();
  const owner = await cartOwner(request, await readCustomer(request), headers);
  if (owner && new URL(request.url).searchParams.get("problem") === "cookies") throw redirect("/cart", 303);
  const cart = await getCart(db, owner, readDiscountCode(request.headers));
  const offer = await findFilterForFreeShipping(db, cart);
  const promises = [`${policyWords().returnDaysAdjective} money-back guarantee`];
  if (cart.lines.every(({ preOrder }) => !preOrder)) promises.unshift(promisedArrival(policyWords()));
  return data({ cart, offer, promises, freeFromCents: settings().shipping.freeFromCents }, { headers });
}

/** A refused change means that the shown cart is out of date; a failed one does not. */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionStatus !== undefined && actionStatus < 500 ? true : defaultShouldRevalidate;
}

export default function CartPage({ loaderData }: Route.ComponentProps) {
  const { cart, offer, promises, freeFromCents } = loaderData;
  useFreshOnReturn();
  const { lines, totals } = cart;
  const [query] = useSearchParams();
  // The message is about the cart as it was when the page was opened.
  const [opened] = useState(cart);
  const message = cart === opened ? readCartMessage(query) : null;
  const settling = useFetchers().some((f) => f.state !== "idle" && f.formAction?.startsWith("/cart/"));
  const heading = useFocusAfterRemoval(lines.length);

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
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 pb-4">
              <h1 className="heading">Cart</h1>
              <p className="text-ink-soft tabular-nums">
                {`${totals.itemCount} ${totals.itemCount === 1 ? "item" : "items"}`}
              </p>
            </div>
            <ul className="divide-y divide-line border-y border-line">
              {lines.map((line, index) => (
                <LineItem key={line.id} line={line} priority={index === 0} />
              ))}
            </ul>
            <PlainForm id="clear-cart" action="/cart/clear" failure={CLEAR_FAILED} className="mt-4">
              <Submit className="min-h-11 text-sm font-medium text-ink-soft underline decoration-1 underline-offset-4 hover:text-ink">
                Clear cart
              </Submit>
            </PlainForm>
          </div>
          <section
            aria-labelledby="summary"
            className="grid content-start gap-7 self-start rounded-card bg-card p-6 sm:p-8 lg:sticky lg:top-28"
          >
            <h2 id="summary" className="text-xl font-semibold">
              Order Summary
            </h2>
            <FreeShipping totals={totals} freeFromCents={freeFromCents} settling={settling} />
            {offer && <Offer offer={offer} />}
            <PlainForm
              id="discount-code"
              action="/cart/code"
              failure={CODE_FAILED}
              messageAt="end"
              needsCookie="the code"
              className="-mt-3"
            >
              <DiscountCode discount={cart.discount}>
                <Submit busy="Applying..." className="button button-quiet shrink-0">
                  Apply
                </Submit>
              </DiscountCode>
            </PlainForm>
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
            <ul className="grid gap-1 text-center text-sm text-ink-soft">
              {promises.map((promise) => (
                <li key={promise}>{promise}</li>
              ))}
            </ul>
          </section>
        </div>
      )}
    </div>
  );
}

/** Focus moves to the page if the focused line was removed. */
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

type FreeShippingProps = { totals: Totals; freeFromCents: number; settling: boolean };

function FreeShipping({ totals, freeFromCents, settling }: FreeShippingProps) {
  const gap = totals.freeShippingGapCents;
  const reached = 1 - gap / freeFromCents;
  return (
    <div className={`grid gap-3 transition-opacity duration-200 ${settling ? "opacity-45" : ""}`}>
      <p className="text-sm font-medium">{gap > 0 ? freeShippingGap(gap) : "You’ve got free shipping"}</p>
      <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-line">
        <div
          className="h-full origin-left rounded-full bg-leaf transition-transform duration-250 ease-out"
          style={{ transform: `scaleX(${reached})` }}
        />
      </div>
    </div>
  );
}

/** One line with the filter that makes shipping free. */
function Offer({ offer: { productId, slug, name, thumbnail, priceCents } }: { offer: CartOffer }) {
  return (
    <div className="-mt-3 grid grid-cols-[48px_1fr_auto] items-center gap-3.5 text-sm">
      <Picture
        name={thumbnail ?? ""}
        alt=""
        sizes="48px"
        imgClassName="aspect-square w-full rounded-[10px] object-cover"
      />
      <p className="leading-snug">
        <Link
          to={`/product/${slug}`}
          className="-my-3 inline-block py-3 font-medium underline-offset-4 hover:underline"
        >
          {name}
        </Link>
        <span className="block text-ink-soft tabular-nums">{`${formatMoney(priceCents)}, with free shipping`}</span>
      </p>
      <PlainForm id="add-offer" action="/cart/add" failure={ADD_FAILED} needsCookie="the cart">
        <input type="hidden" name="productId" value={productId} />
        <input type="hidden" name="quantity" value="1" />
        <Submit busy="Adding..." className="text-link min-h-11 min-w-11">
          Add<span className="sr-only">{` ${name} to your cart`}</span>
        </Submit>
      </PlainForm>
    </div>
  );
}
