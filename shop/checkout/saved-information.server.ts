/** What the checkout form is filled with before anything is typed. */
import { desc, eq, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import type { Buyer } from "../cart/cart.ts";
import { getProfile } from "../accounts/profile.server.ts";
import { ownOrders, type OrderOwner } from "../orders/history.server.ts";
import { orders } from "../orders/order.tables.ts";
import type { CheckoutForm } from "./checkout-form.ts";

type Saved = Partial<CheckoutForm>;

/**
 * For a customer: their email, the name and phone of their profile, and where the last order of their account went;
 * never one that only has their email, which anybody may have typed.
 * For a guest: contact and address of their last order, or null where it was not to be kept.
 */
export async function getSavedInformation(
  db: Database,
  buyer: Buyer | null,
  customer: OrderOwner | null = null,
): Promise<Saved | null> {
  if (customer) return customerInformation(db, customer);
  if (!buyer || "customerId" in buyer) return null;
  const last = await lastOrder(db, eq(orders.sessionId, buyer.guestId));
  if (!last?.saveInformation) return null;
  const { email, phone } = last;
  return { email, phone, ...addressOf(last), saveInformation: true };
}

async function customerInformation(db: Database, customer: OrderOwner): Promise<Saved> {
  const [profile, last] = await Promise.all([getProfile(db, customer.id), lastOrder(db, ownOrders(customer))]);
  return {
    ...(last && addressOf(last)),
    email: customer.email,
    phone: profile.phone || last?.phone,
    // A name goes with its address; without one it is the customer's own.
    ...(!last && { shippingFirstName: profile.firstName, shippingLastName: profile.lastName }),
  };
}

async function lastOrder(db: Database, owned: SQL) {
  const [last] = await db.select().from(orders).where(owned).orderBy(desc(orders.createdAt)).limit(1);
  return last;
}

function addressOf(last: typeof orders.$inferSelect): Saved {
  return {
    shippingFirstName: last.shippingFirstName,
    shippingLastName: last.shippingLastName,
    shippingAddressLine1: last.shippingAddressLine1,
    shippingAddressLine2: last.shippingAddressLine2 ?? undefined,
    shippingCity: last.shippingCity,
    shippingState: last.shippingState as CheckoutForm["shippingState"],
    shippingPostalCode: last.shippingPostalCode,
  };
}
