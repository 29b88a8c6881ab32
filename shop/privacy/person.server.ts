/** All records of one person for staff. Opening it writes an audit row first. */
import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { profiles, sessions, twoFactors, users } from "#shop/accounts/account.tables.ts";
import { getCart } from "#shop/cart/cart.server.ts";
import { readNotes } from "#shop/customers/customer-note.server.ts";
import { maskEmail } from "#shop/orders/order.ts";
import { listPersonOrders, spentBy } from "#shop/orders/history.server.ts";
import { listPersonReturns } from "#shop/returns/returns.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { contactMessages } from "#shop/support/contact.tables.ts";
import { waitlist } from "#shop/waitlist/waitlist.tables.ts";
import { listWishlist } from "#shop/wishlist/wishlist.server.ts";
import { privacyRequests } from "./request.tables.ts";

const ORDERS = 50;
const MESSAGES = 20;
const OPENED = "customer.open";

/** Writes the audit row at most once in ten minutes, because an open page reloads itself. */
async function noteOpening(db: Database, by: Acting, subject: string): Promise<void> {
  const { rowCount } = await db.execute(sql`
    SELECT FROM audit_log WHERE subject = ${subject} AND staff_id = ${by.staffId}::uuid AND action = ${OPENED}
      AND at > now() - interval '10 minutes' LIMIT 1`);
  if (!rowCount) await writeAudit(db, by, { action: OPENED, subject });
}

/** Records linked by an email alone. */
async function traces(db: Database, email: string) {
  const { id, message, status, createdAt } = contactMessages;
  const { kind, state, dueAt } = privacyRequests;
  const lower = email.toLowerCase();
  const [notes, orders, spentCents, returns, messages, requests] = await Promise.all([
    readNotes(db, email),
    listPersonOrders(db, email, ORDERS),
    spentBy(db, email),
    listPersonReturns(db, email, ORDERS),
    db
      .select({ id, begins: sql<string>`left(${message}, 120)`, status, createdAt })
      .from(contactMessages)
      .where(eq(sql`lower(${contactMessages.email})`, lower))
      .orderBy(desc(createdAt))
      .limit(MESSAGES),
    db
      .select({ id: privacyRequests.id, kind, state, dueAt })
      .from(privacyRequests)
      .where(eq(sql`lower(${privacyRequests.email})`, lower))
      .orderBy(desc(privacyRequests.receivedAt)),
  ]);
  return { ...notes, orders, spentCents, returns, messages, requests };
}

async function accountOf(db: Database, userId: string) {
  const [found] = await db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      emailVerified: users.emailVerified,
      phone: profiles.phone,
      createdAt: users.createdAt,
      suspendedAt: users.suspendedAt,
      suspensionReason: users.suspensionReason,
      hasSecondFactor: sql<boolean>`EXISTS (SELECT FROM ${twoFactors} WHERE ${twoFactors.userId} = ${users.id} AND ${twoFactors.verified})`,
      waitlistedAt: waitlist.createdAt,
      waitlistVerifiedAt: waitlist.verifiedAt,
      waitlistSource: waitlist.utmSource,
    })
    .from(users)
    .leftJoin(profiles, eq(profiles.id, users.id))
    .leftJoin(waitlist, eq(waitlist.userId, users.id))
    .where(eq(users.id, userId));
  return found ?? null;
}

export async function openCustomer(db: Database, by: Acting, userId: string) {
  const account = await accountOf(db, userId);
  if (!account) return null;
  await noteOpening(db, by, `customer:${userId}`);
  const [found, cart, wishes, devices] = await Promise.all([
    traces(db, account.email),
    getCart(db, { customerId: userId }),
    listWishlist(db, userId),
    db.$count(sessions, and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`pg_catalog.now()`))),
  ]);
  return {
    ...found,
    account,
    cart: cart.lines.map(({ name, quantity }) => ({ name, quantity })),
    wishlist: wishes.map(({ name }) => name),
    devices,
  };
}

/** A guest as the audit log names them. */
export const guestSubject = (email: string): string => `guest:${maskEmail(email.toLowerCase())}`;

/** A guest who ordered or wrote. */
export async function openGuest(db: Database, by: Acting, email: string) {
  await noteOpening(db, by, guestSubject(email));
  return traces(db, email);
}
