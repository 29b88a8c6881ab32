/** Saved values that prefill the checkout form. */
import { desc, eq, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { Buyer } from "#shop/cart/cart.ts";
import { getProfile } from "#shop/accounts/customers.server.ts";
import { type OrderOwner, ownOrders } from "#shop/orders/history.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import type { CheckoutForm } from "./checkout-form.ts";

type Saved = Partial<CheckoutForm>;

/**
 * Customers get their email, their profile, and the address of their account's last order; never of an order that only
 * shares the email, which anybody can type. Guests get contact and address of their last order, or null unless they
 * asked to save them.
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
    // The name belongs to the address; without one, it comes from the profile.
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
