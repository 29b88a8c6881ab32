/** Return from the payment page: reconciles the payment and redirects to the order. */
import { redirect } from "react-router";
import { notFound, orderOf, pathOf } from "./order-of-token.server.ts";
import { db } from "#platform/database.server.ts";
import { addFlashMessage } from "#app/session/cookies.server.ts";
import { reportError } from "#platform/log.server.ts";
import { isToShip } from "#shop/orders/order.ts";
import { listOrderEvents } from "#shop/orders/orders.server.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { ProviderError } from "#shop/payments/provider.ts";
import { reconcileOrder } from "#shop/payments/reconcile.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import type { Route } from "./+types/return.ts";

export async function loader({ request }: Route.LoaderArgs) {
  const order = await orderOf(request);
  if (!order) return notFound();
  const providers = paymentProviders();
  if (providers) {
    await reconcileOrder(db, providers, order.id).catch((error: unknown) => {
      // The background job reconciles later; the order page shows the known state.
      if (!(error instanceof ProviderError)) throw error;
      reportError(error, "the payment provider could not be asked");
    });
  }
  const response = redirect(pathOf(order), { status: 303, headers: NO_STORE });
  const latest = (await listOrderEvents(db, order.id)).at(-1)?.type;
  if (latest === "card-changed") addFlashMessage(response.headers, "card-changed");
  else if (isToShip((await orderOf(request)) ?? order)) addFlashMessage(response.headers, "order-placed");
  return response;
}
