/**
 * Erasure of a customer. Orders stay as tax records without personal data; what has not shipped of them is
 * canceled first, which returns its stock, and returns that have not arrived are withdrawn.
 */
import { and, eq, inArray, ne, or, sql, type SQL } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { users, verifications } from "#shop/accounts/account.tables.ts";
import { auditLog } from "#shop/audit/audit.tables.ts";
import { clearCart } from "#shop/cart/cart.server.ts";
import { consents } from "#shop/consents/consent.tables.ts";
import { customerNotes } from "#shop/customers/customer-note.tables.ts";
import { cancelRest } from "#shop/fulfillment/cancel-items.server.ts";
import { isUnsent } from "#shop/orders/stage.sql.ts";
import { enqueueEmail, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { letterRecipients } from "#shop/letters/letter.tables.ts";
import { forgetMail } from "#shop/mail/mailbox.server.ts";
import { isCancelable } from "#shop/orders/cancel.server.ts";
import { readStates } from "#shop/orders/facts.server.ts";
import { guestOrders, type OrderOwner, ordersAbout } from "#shop/orders/history.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { owesCustomer } from "#shop/orders/state.ts";
import { cancelOrders } from "#shop/payments/cancel.server.ts";
import { withdrawAll } from "#shop/returns/handle.server.ts";
import { OWED_STATES } from "#shop/returns/lifecycle.ts";
import { returns } from "#shop/returns/return.tables.ts";
import { isStaff } from "#shop/staff/staff.server.ts";
import { staffInvitations } from "#shop/staff/staff.tables.ts";
import { contactMessages } from "#shop/support/contact.tables.ts";
import { incomingEmails } from "#shop/support/inbox/inbox.tables.ts";
import { privacyRequests } from "./request.tables.ts";

/** Number of orders of a condition with items that have not shipped, which deletion would cancel. */
export const countUnshipped = (db: DatabaseOrTransaction, which: SQL): Promise<number> =>
  db.$count(orders, and(which, or(isCancelable, isUnsent)));

type Eraser = "customer" | "staff";
type EraseResult = { ok: true } | { ok: false; reason: "is-staff" | "unsettled" };

/** An order still promises something, so that nothing is erased. */
class Unsettled extends Error {}

async function eraseOrders(tx: DatabaseOrTransaction, which: SQL, by: Eraser): Promise<EraseResult> {
  try {
    await tx.transaction(async (inner) => {
      const locked = await inner.select({ id: orders.id }).from(orders).where(which).orderBy(orders.id).for("update");
      const ids = locked.map(({ id }) => id);
      const isOwed = [...(await readStates(inner, ids)).values()].some(owesCustomer);
      const owed = and(inArray(returns.orderId, ids), inArray(returns.state, OWED_STATES));
      if (isOwed || (await inner.$count(returns, owed)) > 0) throw new Unsettled();
      const found = await cancelOrders(inner, inArray(orders.id, ids), by);
      for (const { id, stage } of found)
        if (stage === "partly-shipped") await cancelRest(inner, id, by === "customer" ? by : "system", "asked");
      const areWithdrawn = await withdrawAll(inner, ids);
      const unshipped = await countUnshipped(inner, inArray(orders.id, ids));
      if (!areWithdrawn || unshipped > 0) throw new Unsettled();
      await inner.execute(anonymizeOrders(inArray(orders.id, ids)));
    });
    return { ok: true };
  } catch (error) {
    if (error instanceof Unsettled) return { ok: false, reason: "unsettled" };
    throw error;
  }
}

/**
 * Deletes records linked by a proven email alone. Privacy requests keep a keyed hash of it. An opt-out of arbitration and
 * the record of a notice stay for their years: they prove what somebody may rely on later.
 */
async function eraseTraces(tx: DatabaseOrTransaction, email: string): Promise<void> {
  const lower = email.toLowerCase();
  await tx.delete(contactMessages).where(eq(sql`lower(${contactMessages.email})`, lower));
  await tx.delete(customerNotes).where(eq(customerNotes.email, lower));
  await tx.update(contactMessages).set({ sentFrom: null }).where(eq(contactMessages.sentFrom, lower));
  await tx.update(incomingEmails).set({ replyTo: null }).where(eq(incomingEmails.replyTo, lower));
  await tx.delete(letterRecipients).where(eq(letterRecipients.email, lower));
  await tx.delete(consents).where(eq(consents.email, lower));
  await tx.delete(staffInvitations).where(eq(staffInvitations.email, lower));
  await tx
    .update(privacyRequests)
    .set({
      email: null,
      note: null,
      extensionReason: null,
      answer: null,
      state: sql`CASE ${privacyRequests.state} WHEN 'open' THEN 'done' ELSE ${privacyRequests.state} END`,
      closedAt: sql`coalesce(${privacyRequests.closedAt}, now())`,
    })
    .where(and(eq(sql`lower(${privacyRequests.email})`, lower), ne(privacyRequests.kind, "arbitration-opt-out")));
}

/**
 * Erases a customer in the caller's transaction. Refused, with nothing changed: 'is-staff', and 'unsettled' while something of
 * the customer's is here or owed by a return, a parcel or a refund, or cannot be canceled, because it is being charged or disputed.
 */
export async function eraseCustomer(tx: DatabaseOrTransaction, owner: OrderOwner, by: Eraser): Promise<EraseResult> {
  // Locked first: a concurrent order is either seen below or finds no customer.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, owner.id)).for("update");
  if (await isStaff(tx, owner.id)) return { ok: false, reason: "is-staff" };
  const erased = await eraseOrders(tx, ordersAbout(owner), by);
  if (!erased.ok) return erased;
  await tx.delete(verifications).where(eq(verifications.value, owner.id));
  await tx
    .update(auditLog)
    .set({ address: null })
    .where(and(eq(auditLog.staffId, owner.id), sql`${auditLog.address} IS NOT NULL`));
  await tx.delete(users).where(eq(users.id, owner.id));
  // A verified email proves the ownership of its messages.
  if (owner.emailVerified) await eraseTraces(tx, owner.email);
  await forgetMail(tx, owner.email, owner.emailVerified);
  return { ok: true };
}

/** Erases a guest with a proven email and no account, in the caller's transaction. Refused with 'unsettled', as eraseCustomer. */
export async function eraseGuest(tx: DatabaseOrTransaction, email: string): Promise<EraseResult> {
  const erased = await eraseOrders(tx, guestOrders(email), "staff");
  if (!erased.ok) return erased;
  await eraseTraces(tx, email);
  await forgetMail(tx, email, true);
  return erased;
}

/**
 * Deletes the customer and the cart of their browser, and queues the goodbye email, in one transaction. Without a
 * permit no email is sent, since an account with somebody else's email could be made and deleted repeatedly. Refused
 * as eraseCustomer.
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

/** Makes the orders `which` anonymous with their payments, tax records, notes, shipments and returns, and returns their ids. */
export const anonymizeOrders = (which: SQL): SQL => sql`
  WITH nameless AS (
    UPDATE orders SET user_id = NULL, session_id = NULL, email = '', phone = '', shipping_first_name = '',
      shipping_last_name = '', shipping_address_line1 = '', shipping_address_line2 = NULL, shipping_postal_code = '',
      gift_message = NULL, save_information = false, utm_source = NULL, utm_campaign = NULL
    WHERE ${which} RETURNING id
  ), paid AS (
    UPDATE payments SET method = NULL, url = NULL, hold_limits = NULL FROM nameless WHERE order_id = nameless.id
  ), taxed AS (
    UPDATE tax_records SET address = address || '{"postalCode": ""}' FROM nameless WHERE order_id = nameless.id
  ), noted AS (
    DELETE FROM order_notes USING nameless WHERE order_id = nameless.id
  ), sent AS (
    UPDATE shipments SET tracking_number = '' FROM nameless WHERE order_id = nameless.id
  ), printed AS (
    UPDATE labels SET tracking_number = NULL, url = NULL FROM nameless WHERE order_id = nameless.id
  ), returned AS (
    UPDATE returns SET description = '', label_url = NULL FROM nameless WHERE order_id = nameless.id
  ), seen AS (
    DELETE FROM return_photos USING returns, nameless WHERE return_id = returns.id AND order_id = nameless.id
  ) SELECT id FROM nameless`;
