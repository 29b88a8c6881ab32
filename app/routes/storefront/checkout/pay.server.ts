/** Where an order that stands is paid, and where a buyer finds the one they hold. */
import { config } from "../../../config.server.ts";
import { db } from "../../../database.server.ts";
import { reportError } from "../../../http/log.server.ts";
import type { Buyer } from "../../../../shop/cart/cart.ts";
import { paymentProvider } from "../../../../shop/payments/open-provider.server.ts";
import { endOtherHolds, findUnpaid, payNow } from "../../../../shop/payments/payments.server.ts";
import type { PaymentProvider } from "../../../../shop/payments/provider.ts";
import { returnUrl, waitPath } from "../../../../shop/payments/page/return-link.server.ts";

/** The provider's page; ours that waits for it, where it cannot be opened now; or the order, where it is paid or over. */
export async function addressToPay(
  provider: PaymentProvider,
  buyer: Buyer,
  { orderId, repeated }: { orderId: string; repeated: boolean },
): Promise<string> {
  const wait = waitPath(orderId, config().secret);
  try {
    if (!repeated) await endOtherHolds(db, provider, buyer, orderId);
    const page = await payNow(db, provider, orderId);
    if (page.ok) return page.url;
    return page.reason === "paid" || page.reason === "over" ? returnUrl(orderId, config()) : wait;
  } catch (error) {
    reportError(error, "the page to pay was not opened");
    return wait;
  }
}

/** Where a buyer who holds an unpaid order finds it. */
export async function heldOrderPath(buyer: Buyer): Promise<string | null> {
  const held = paymentProvider() && (await findUnpaid(db, buyer));
  return held ? returnUrl(held.id, config()) : null;
}
