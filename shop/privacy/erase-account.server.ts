/**
 * A deleted account leaves nothing of the person. Orders are records the law asks for, so
 * they stay, without name, address, phone and email; one that was not shipped cannot be anymore, so
 * it is canceled and its stock returns.
 */
import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../db/connection.server.ts";
import { clearCart } from "../cart/cart.server.ts";
import { forgetMail } from "../mail/forget.server.ts";
import type { MailPermit } from "../mail/mail-budget.server.ts";
import { enqueueEmail } from "../mail/enqueue-email.server.ts";
import { isCancelable } from "../orders/cancel.server.ts";
import { cancelOrders } from "../payments/cancel.server.ts";
import { orders } from "../orders/order.tables.ts";
import { guestOrders, ordersAbout, type OrderOwner } from "../orders/history.server.ts";
import { isStaff } from "../staff/staff.server.ts";
import { auditLog, staffInvitations } from "../staff/staff.tables.ts";
import { contactMessages } from "../support/contact.tables.ts";
import { users, verifications } from "../accounts/account.tables.ts";
import { anonymizeOrders } from "./anonymous-orders.sql.ts";
import { privacyRequests } from "./request.tables.ts";

/** How many of the customer's orders have not been shipped, and would be canceled. */
export async function countUnshipped(db: Database, owner: OrderOwner): Promise<number> {
  return db.$count(orders, and(ordersAbout(owner), isCancelable));
}

type Eraser = "customer" | "staff";

async function eraseOrders(tx: DatabaseOrTransaction, which: SQL, by: Eraser): Promise<void> {
  const found = await cancelOrders(tx, which, by);
  const ids = found.map(({ id }) => id);
  await tx.execute(anonymizeOrders(inArray(orders.id, ids)));
}

/** What only an email leads to, once it is proven to be its owner's. Of a request a keyed hash of the email stays. */
async function eraseTraces(tx: DatabaseOrTransaction, email: string): Promise<void> {
  const lower = email.toLowerCase();
  await tx.delete(contactMessages).where(eq(sql`lower(${contactMessages.email})`, lower));
  await tx.delete(staffInvitations).where(eq(staffInvitations.email, lower));
  await tx
    .update(privacyRequests)
    .set({
      email: null,
      note: null,
      extensionReason: null,
      state: sql`CASE ${privacyRequests.state} WHEN 'open' THEN 'done' ELSE ${privacyRequests.state} END`,
      closedAt: sql`coalesce(${privacyRequests.closedAt}, now())`,
    })
    .where(eq(sql`lower(${privacyRequests.email})`, lower));
}

export type EraseResult = { ok: true } | { ok: false; reason: "is-staff" };

/**
 * Erases the customer with all that hangs on them, in the caller's transaction. Refused: 'is-staff' where the account works
 * in the back office.
 */
export async function eraseCustomer(tx: DatabaseOrTransaction, owner: OrderOwner, by: Eraser): Promise<EraseResult> {
  // Held first: an order placed meanwhile is either seen below or finds no customer.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, owner.id)).for("update");
  if (await isStaff(tx, owner.id)) return { ok: false, reason: "is-staff" };
  await eraseOrders(tx, ordersAbout(owner), by);
  await tx.delete(verifications).where(eq(verifications.value, owner.id));
  await tx
    .update(auditLog)
    .set({ address: null })
    .where(and(eq(auditLog.staffId, owner.id), sql`${auditLog.address} IS NOT NULL`));
  await tx.delete(users).where(eq(users.id, owner.id));
  // Messages are theirs where they have proved the email they were sent with.
  if (owner.emailVerified) await eraseTraces(tx, owner.email);
  await forgetMail(tx, owner.email, owner.emailVerified);
  return { ok: true };
}

/** Erases whoever ordered or wrote with a proven email and has no account, in the caller's transaction. */
export async function eraseGuest(tx: DatabaseOrTransaction, email: string): Promise<void> {
  await eraseOrders(tx, guestOrders(email), "staff");
  await eraseTraces(tx, email);
  await forgetMail(tx, email, true);
}

/**
 * Deletes the customer as they ask for it, and the cart of the guest their browser was, in
 * one transaction that also queues the email saying so: it is the last that carries the address, and loses it once it is
 * delivered. Without a permit it goes without the email: an account that somebody made with another's email can be made
 * and deleted again and again. Refused: 'is-staff'.
 */
export const deleteAccount = (
  db: Database,
  owner: OrderOwner,
  guestId: string | null,
  permit: MailPermit | null,
): Promise<EraseResult> =>
  db.transaction(async (tx) => {
    const erased = await eraseCustomer(tx, owner, "customer");
    if (!erased.ok) return erased;
    if (guestId) await clearCart(tx, { guestId });
    if (permit) await enqueueEmail(tx, { template: "account-deleted", email: owner.email }, permit);
    return erased;
  });
