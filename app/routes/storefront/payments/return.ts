/** Where a buyer comes back to from the page where they pay: it sees how the payment stands, and leads to the order. */
import { redirect } from "react-router";
import { notFound, orderOf, pathOf } from "./order-of-token.server.ts";
import { db } from "../../../database.server.ts";
import { addFlashMessage } from "../../../session/flash-message.server.ts";
import { reportError } from "../../../http/log.server.ts";
import { paymentProvider } from "../../../../shop/payments/open-provider.server.ts";
import { ProviderError } from "../../../../shop/payments/provider.ts";
import { settleOrder } from "../../../../shop/payments/settle/settle.server.ts";
import { NO_STORE } from "../../../http/cache-headers.ts";
import type { Route } from "./+types/return.ts";

export async function loader({ request }: Route.LoaderArgs) {
  const order = await orderOf(request);
  if (!order) return notFound();
  const provider = paymentProvider();
  if (provider) {
    await settleOrder(db, provider, order.id).catch((error: unknown) => {
      // The jobs ask again; the order page shows what is known.
      if (!(error instanceof ProviderError)) throw error;
      reportError(error, "the payment provider could not be asked");
    });
  }
  const response = redirect(pathOf(order), { status: 303, headers: { ...NO_STORE, "Referrer-Policy": "no-referrer" } });
  if ((await orderOf(request))?.status === "processing") addFlashMessage(response.headers, "order-placed");
  return response;
}
