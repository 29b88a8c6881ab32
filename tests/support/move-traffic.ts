/** Orders that move to another state, by staff or by their buyer. */
import { randomInt as random } from "node:crypto";
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { correctAddress, moveByBuyer } from "#shop/fulfillment/address.server.ts";
import { addressLine, addressOf } from "#shop/orders/order.ts";
import { getOrder } from "#shop/orders/orders.server.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import { uncounted } from "./mail-permit.ts";

/** With tax on shipping, without, and no tax. */
export const STATES: Record<string, string>[] = [
  { shippingState: "TX", shippingCity: "Austin", shippingPostalCode: "78701" },
  { shippingState: "CA", shippingCity: "San Francisco", shippingPostalCode: "94103" },
  {},
];

type Given = { db: Database; tax: TaxProvider; providers: PaymentProviders };

/** Someone sees the tax of another state, and agrees to it twice at once. */
export async function moveOrder({ db, tax, providers }: Given, id: string, by: Acting): Promise<void> {
  const order = (await getOrder(db, id))!;
  const address = {
    ...addressOf(order),
    shippingState: "NY",
    shippingPostalCode: "10001",
    ...STATES[random(STATES.length)],
  };
  const from = addressLine(order);
  const desk = { network: by.address, rateLimits: uncounted, taxProvider: tax, providers };
  const bears = random(2) ? "customer" : "shop";
  const isBuyer = random(3) === 0;
  const move = (seenTaxCents?: number) =>
    isBuyer
      ? moveByBuyer(db, order, { address, seenTaxCents }, "guest", desk)
      : correctAddress(db, order, { address, from, seenTaxCents, bears }, { by, isVerified: true }, desk);
  const seen = await move();
  if (!seen.ok && seen.reason === "tax") await Promise.all([move(seen.toCents), move(seen.toCents)]);
}
