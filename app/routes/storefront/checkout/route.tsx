import { Suspense } from "react";
import { Await, data, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { db } from "../../../database.server.ts";
import { getCart } from "../../../../shop/cart/cart.server.ts";
import { getSavedInformation } from "../../../../shop/checkout/saved-information.server.ts";
import { formatSeenLines } from "../../../../shop/checkout/seen-lines.ts";
import { mustVerifyEmail } from "../../../../shop/checkout/who-may-order.server.ts";
import { hasPayments } from "../../../../shop/payment-mode.ts";
import { buyerOf } from "../../../session/buyer.server.ts";
import { readCustomer } from "../../../session/customer.server.ts";
import { hasOrderedHere } from "../../../session/guest.server.ts";
import { privateMeta } from "../../../http/page-meta.ts";
import { EmptyCart } from "../../../ui/order/empty-cart.tsx";
import type { Route } from "./+types/route.ts";
import { writeToShop } from "../../../http/browser-write.ts";
import { CONNECTION_LOST, type CheckoutActionResult, type CheckoutData } from "./action-result.ts";
import { CheckoutPage } from "./checkout-page.tsx";
import { place, placedContext, seenContext } from "./place.server.ts";
import { heldOrderPath } from "./pay.server.ts";
import { Placed } from "./placed.tsx";
import { VerifyFirst } from "./verify-first.tsx";
import { privateHeaders } from "../../../http/cache-headers.ts";

export const meta: Route.MetaFunction = () => privateMeta("Checkout");

export const headers = privateHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  const customer = await readCustomer(request);
  const buyer = buyerOf(request, customer);
  const seenBefore = context.get(seenContext);
  const respond = (found: Pick<CheckoutData, "cart" | "seen" | "saved">) =>
    data<CheckoutData>({
      ...found,
      checkoutKey: crypto.randomUUID(),
      isCustomer: customer !== null,
      hasPayments: hasPayments(),
      mustVerify: mustVerifyEmail(customer),
    });
  if (context.get(placedContext)) return respond({ cart: null, seen: "", saved: null });
  try {
    const mayShow = !buyer || !("guestId" in buyer) || hasOrderedHere(request.headers, buyer.guestId);
    const [cart, saved] = await Promise.all([
      getCart(db, buyer),
      getSavedInformation(db, mayShow ? buyer : null, customer),
    ]);
    if (buyer && cart.lines.length === 0) {
      const held = await heldOrderPath(buyer);
      if (held) throw redirect(held);
    }
    return respond({ cart, seen: formatSeenLines(cart.lines), saved });
  } catch (error) {
    if (seenBefore === null || error instanceof Response) throw error;
    return respond({ cart: null, seen: seenBefore, saved: null });
  }
}

export const action = ({ request, context }: Route.ActionArgs) => place(request, context);

/** The page opens at once and says that it loads; once it is open, it changes only when all is there. */
export function clientLoader({
  serverLoader,
}: Route.ClientLoaderArgs): Promise<CheckoutData> | { loading: Promise<CheckoutData> } {
  return location.pathname === "/checkout" ? serverLoader() : { loading: serverLoader() };
}

/** A lost connection is an answer too: the form stays, and its key keeps a second try from ordering twice. */
export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<CheckoutActionResult>(call, {
    key: "outcome",
    isDirect: true,
    lost: () => ({ outcome: "failed", message: CONNECTION_LOST }),
    onResult(result) {
      if (result.outcome !== "held") return;
      // Whoever comes back finds what is there then, and not this page as it was left.
      addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
      location.assign(result.url);
    },
  });

/** After a refusal the page shows the cart and the prices as they are now; an order that stands needs neither. */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionStatus === 409 || (actionStatus !== 200 && defaultShouldRevalidate);
}

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const actionResult = actionData as CheckoutActionResult | undefined;
  if (actionResult?.outcome === "placed") return <Placed orderId={actionResult.orderId} email={actionResult.email} />;
  if (actionResult?.outcome === "held") return <Loading />;
  if (!("loading" in loaderData)) return <Ready {...loaderData} actionResult={actionResult} />;
  return (
    <Suspense fallback={<Loading />}>
      <Await resolve={loaderData.loading}>{(loaded) => <Ready {...loaded} actionResult={actionResult} />}</Await>
    </Suspense>
  );
}

function Ready({
  actionResult,
  ...loaded
}: CheckoutData & { actionResult: Exclude<CheckoutActionResult, { outcome: "placed" | "held" }> | undefined }) {
  if (loaded.cart?.lines.length === 0) return <EmptyCart />;
  if (loaded.mustVerify || actionResult?.outcome === "unverified") return <VerifyFirst />;
  return <CheckoutPage {...loaded} actionResult={actionResult} />;
}

function Loading() {
  return (
    <div role="status" className="page grid min-h-[70vh] place-content-center text-lg text-ink-soft">
      Loading...
    </div>
  );
}
