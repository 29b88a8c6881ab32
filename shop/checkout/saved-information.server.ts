/** 'Save this information': the last order fills the next checkout, if its buyer asked for that. */
import { desc, eq } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import type { Buyer } from "../cart/cart.ts";
import { orders } from "../orders/order.tables.ts";
import type { CheckoutForm } from "./checkout-form.ts";

/** Contact and address of the buyer's newest order, or null where it was not to be kept. */
export async function getSavedInformation(db: Database, buyer: Buyer | null): Promise<Partial<CheckoutForm> | null> {
  if (!buyer) return null;
  const [last] = await db
    .select()
    .from(orders)
    .where("customerId" in buyer ? eq(orders.userId, buyer.customerId) : eq(orders.sessionId, buyer.guestId))
    .orderBy(desc(orders.createdAt))
    .limit(1);
  if (!last?.saveInformation) return null;
  return {
    email: last.email,
    phone: last.phone,
    shippingFirstName: last.shippingFirstName,
    shippingLastName: last.shippingLastName,
    shippingAddressLine1: last.shippingAddressLine1,
    shippingAddressLine2: last.shippingAddressLine2 ?? undefined,
    shippingCity: last.shippingCity,
    shippingState: last.shippingState as CheckoutForm["shippingState"],
    shippingPostalCode: last.shippingPostalCode,
    saveInformation: true,
  };
}
