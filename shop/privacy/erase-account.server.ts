/**
 * A deleted account leaves nothing of the person. Orders are records the law asks for, so
 * they stay, without name, address, phone and email; one that was not shipped cannot be anymore, so
 * it is canceled and its stock returns.
 */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { clearCart } from "../cart/cart.server.ts";
import { forgetMail } from "../mail/forget.server.ts";
import type { MailPermit } from "../mail/mail-budget.server.ts";
import { enqueueEmail } from "../mail/enqueue-email.server.ts";
import { anonymous } from "../orders/anonymous.sql.ts";
import { cancelOrders, isCancelable } from "../orders/cancel.server.ts";
import { orders } from "../orders/order.tables.ts";
import { ordersAbout, type OrderOwner } from "../orders/history.server.ts";
import { contactMessages } from "../support/contact.tables.ts";
import { users, verifications } from "../accounts/account.tables.ts";

/** How many of the customer's orders have not been shipped, and would be canceled. */
export async function countUnshipped(db: Database, owner: OrderOwner): Promise<number> {
  return db.$count(orders, and(ordersAbout(owner), isCancelable));
}

/**
 * Deletes the customer with all that hangs on them, and the cart of the guest their browser was, in
 * one transaction that also queues the email saying so: it is the last that carries the address, and loses it once it is
 * delivered. Without a permit it goes without the email: an account that somebody made with another's email can be made
 * and deleted again and again.
 */
export async function deleteAccount(
  db: Database,
  owner: OrderOwner,
  guestId: string | null,
  permit: MailPermit | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Held first: an order placed meanwhile is either seen below or finds no customer.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, owner.id)).for("update");
    const found = await cancelOrders(tx, ordersAbout(owner), "customer");
    const ids = found.map(({ id }) => id);
    await tx.execute(sql`UPDATE orders SET ${anonymous} WHERE ${inArray(orders.id, ids)}`);
    if (guestId) await clearCart(tx, { guestId });
    await tx.delete(verifications).where(eq(verifications.value, owner.id));
    await tx.delete(users).where(eq(users.id, owner.id));
    // Messages are theirs where they have proved the email they were sent with.
    if (owner.emailVerified) {
      await tx.delete(contactMessages).where(eq(sql`lower(${contactMessages.email})`, owner.email.toLowerCase()));
    }
    await forgetMail(tx, owner.email, owner.emailVerified);
    if (permit) await enqueueEmail(tx, { template: "account-deleted", email: owner.email }, permit);
  });
}
