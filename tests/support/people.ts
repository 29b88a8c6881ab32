/** Accounts and orders, written past sign-up and checkout. */
import { randomUUID } from "node:crypto";
import type { Database } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { orders } from "#shop/orders/order.tables.ts";

export const someEmail = (name = "ada") => `${name}-${randomUUID().slice(0, 8)}@example.com`;

export async function makeAccount(db: Database, more: Partial<typeof users.$inferInsert> = {}) {
  const person = { email: someEmail(), emailVerified: true, name: "Ada Lovelace", firstName: "Ada" };
  const [user] = await db
    .insert(users)
    .values({ ...person, lastName: "Lovelace", ...more })
    .returning();
  const { id, email, emailVerified } = user!;
  return { id, email, emailVerified };
}

/** A delivered order of $19.00 and its shipping, without lines. Returns its id. */
export async function makeOrder(db: Database, more: Partial<typeof orders.$inferInsert> = {}): Promise<string> {
  const [order] = await db
    .insert(orders)
    .values({
      checkoutKey: randomUUID(),
      stage: "delivered",
      subtotalCents: 19_00,
      shippingCents: 9_99,
      taxCents: 0,
      totalCents: 28_99,
      email: someEmail(),
      phone: "+1 212 555 0100",
      shippingFirstName: "Ada",
      shippingLastName: "Lovelace",
      shippingAddressLine1: "12 Analytical Ave",
      shippingAddressLine2: "Floor 3",
      shippingCity: "New York",
      shippingState: "NY",
      shippingPostalCode: "10001",
      shippingMethod: "standard",
      shipBy: "2027-03-04",
      termsVersion: "2025-01-01",
      ...more,
    })
    .returning({ id: orders.id });
  return order!.id;
}
