import { data, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { db } from "#platform/database.server.ts";
import type { Cart } from "#shop/cart/cart.ts";
import { firstShipDay, isChargedAtShipping, latestShipDay } from "#shop/catalog/stock.ts";
import { getCart } from "#shop/cart/cart.server.ts";
import type { CheckoutForm } from "#shop/checkout/checkout-form.ts";
import { getSavedInformation } from "#shop/checkout/saved-information.server.ts";
import { formatExpectedLines } from "#shop/checkout/expected-lines.ts";
import { mustVerifyEmail } from "#shop/checkout/place-order.server.ts";
import { clock } from "#shop/clock.ts";
import { termsVersion } from "#shop/content/texts.server.ts";

import { hasPayments } from "#shop/payment-mode.ts";
import { offersPayPal, payBy } from "#shop/payments/offered.server.ts";
import { settings } from "#shop/settings/settings.server.ts";
import { orderArrival, shipBy, type ShippingMethod } from "#shop/shipping/methods.ts";
import { collectsTax } from "#shop/tax/open-tax.server.ts";
import { buyersOf, cartOwner, readCustomer } from "#app/session/customer.server.ts";
import { hasOrderedHere, readDiscountCode } from "#app/session/cookies.server.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import { useActionResult } from "#app/ui/form/form.tsx";
import { EmptyCart } from "#app/ui/order/empty-cart.tsx";
import type { Route } from "./+types/route.ts";
import type { CheckoutAnswer } from "./action-result.ts";
import { CheckoutPage } from "./checkout-page.tsx";
import { unpaidOrderPath, codeContext, place, seenContext } from "./place.server.ts";
import { Placed, VerifyFirst } from "./placed.tsx";
import { privateHeaders } from "#platform/cache-headers.ts";

export const meta: Route.MetaFunction = () => privateMeta("Checkout");

export const headers = privateHeaders;

/** Consent to save the card now and charge it when each package ships; null if the order is paid at once. */
function laterCharge(cart: Cart | null, now: Date): string | null {
  if (!cart || !hasPayments() || !isChargedAtShipping(cart.lines, now)) return null;
  const first = firstShipDay(cart.lines, now);
  return `You won’t be charged today. We’ll charge your card as each package ships${first ? `, starting ${first}` : ""}.`;
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const customer = await readCustomer(request);
  const seenBefore = context.get(seenContext);
  const { code } = context.get(codeContext) ?? { code: readDiscountCode(request.headers) };
  const now = clock.now();
  const merged = new Headers();
  const respond = (found: { cart: Cart | null; seen: string; saved: Partial<CheckoutForm> | null }) => {
    const { shipping } = settings();
    const shipsOn = latestShipDay(found.cart?.lines ?? [], now);
    const arrival = (method: ShippingMethod) =>
      orderArrival(shipping, method, {
        shipBy: shipBy(shipping, method, now, shipsOn),
        isNamed: shipsOn !== null,
      });
    const page = {
      ...found,
      shipping,
      // Without a provider, nothing ships before staff have arranged the payment.
      arrivals: hasPayments()
        ? { standard: arrival("standard"), express: arrival("express"), overnight: arrival("overnight") }
        : null,
      checkoutKey: crypto.randomUUID(),
      terms: termsVersion(),
      isCustomer: customer !== null,
      hasPayments: hasPayments(),
      payBy: payBy(),
      offersPayPal: offersPayPal(),
      hasTax: collectsTax(),
      laterCharge: laterCharge(found.cart, now),
      // Customers with an unverified email get no form.
      mustVerify: mustVerifyEmail(customer),
    };
    return data(page, { headers: merged });
  };
  try {
    const buyer = await cartOwner(request, customer, merged);
    const mayShow = !buyer || !("guestId" in buyer) || hasOrderedHere(request.headers, buyer.guestId);
    const [cart, saved] = await Promise.all([
      getCart(db, buyer, code),
      getSavedInformation(db, mayShow ? buyer : null, customer),
    ]);
    if (cart.lines.length === 0) {
      const unpaid = await unpaidOrderPath(buyersOf(request, customer));
      if (unpaid) throw redirect(unpaid);
    }
    return respond({ cart, seen: formatExpectedLines(cart.lines), saved });
  } catch (error) {
    if (seenBefore === null || error instanceof Response) throw error;
    return respond({ cart: null, seen: seenBefore, saved: null });
  }
}

export const action = ({ request, context }: Route.ActionArgs) => place(request, context);

export { clientAction } from "#app/ui/form/client-action.ts";

/** A refusal or another code revalidates cart and prices; a placed order needs neither. */
export function shouldRevalidate({ actionStatus, formAction, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  if (formAction === "/cart/code") return true;
  return actionStatus === 409 || (actionStatus !== 200 && defaultShouldRevalidate);
}

export default function Checkout({ loaderData }: Route.ComponentProps) {
  const answer = useActionResult<CheckoutAnswer>("checkout")?.data;
  const [first] = loaderData.cart?.lines ?? [];
  if (answer && "orderId" in answer) return <Placed {...answer} picture={first?.thumbnail ?? null} />;
  const { mustVerify, ...checkout } = loaderData;
  if (checkout.cart?.lines.length === 0) return <EmptyCart />;
  if (mustVerify || (answer && "mustVerify" in answer)) return <VerifyFirst />;
  return <CheckoutPage {...checkout} />;
}
