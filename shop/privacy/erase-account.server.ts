/**
 * A deleted account leaves nothing of the person. Orders are records the law asks for (SPEC 9), so
 * they stay, without name, address, phone and email; one that was not shipped cannot be anymore, so
 * it is canceled and its stock returns.
 */
import { eq, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { clearCart } from "../cart/cart.server.ts";
import { forgetMail } from "../mail/forget.server.ts";
import type { MailPermit } from "../mail/mail-budget.server.ts";
import { queueMail } from "../mail/enqueue-email.server.ts";
import { anonymous } from "../orders/anonymous.sql.ts";
import { orders } from "../orders/order.tables.ts";
import { ordersAbout, type OrderOwner } from "../orders/history.server.ts";
import { contactMessages } from "../support/contact.tables.ts";
import { users, verifications } from "../accounts/account.tables.ts";

/** How many of the customer's orders have not been shipped, and would be canceled. */
export async function countUnshipped(db: Database, owner: OrderOwner): Promise<number> {
  return db.$count(orders, sql`${ordersAbout(owner)} AND ${orders.status} = 'processing'`);
}

/**
 * Deletes the customer with all that hangs on them, and the cart of the guest their browser was, in
 * one transaction that also queues the letter saying so: it is the last that carries the address, and loses it once it is
 * delivered. Without a permit it goes without the letter: an account that somebody made with another's email can be made
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
    await tx.execute(sql`
      WITH mine AS (
        SELECT id, status = 'processing' AS unshipped FROM orders WHERE ${ordersAbout(owner)} ORDER BY id FOR UPDATE
      ), returned AS (
        SELECT product_id, sum(quantity)::int AS quantity FROM order_items JOIN mine ON mine.id = order_id
        WHERE unshipped GROUP BY product_id
      ), locked AS (
        SELECT id FROM products WHERE id IN (SELECT product_id FROM returned) ORDER BY id FOR NO KEY UPDATE
      ), stocked AS (
        UPDATE products SET inventory_count = inventory_count + returned.quantity
        FROM returned JOIN locked ON locked.id = returned.product_id WHERE products.id = locked.id
      )
      UPDATE orders SET ${anonymous}, status = CASE WHEN unshipped THEN 'cancelled' ELSE orders.status END
      FROM mine WHERE orders.id = mine.id`);
    if (guestId) await clearCart(tx, { guestId });
    await tx.delete(verifications).where(eq(verifications.value, owner.id));
    await tx.delete(users).where(eq(users.id, owner.id));
    // Messages are theirs where they have proved the email they were sent with.
    if (owner.emailVerified) {
      await tx.delete(contactMessages).where(eq(sql`lower(${contactMessages.email})`, owner.email.toLowerCase()));
    }
    await forgetMail(tx, owner.email, owner.emailVerified);
    if (permit) await queueMail(tx, { letter: "account-deleted", email: owner.email }, permit);
  });
}
