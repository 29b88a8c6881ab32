/** Everything of one person that staff may see, on one page. That somebody opened it stands in the audit log first. */
import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { profiles, sessions, twoFactors, users } from "../accounts/account.tables.ts";
import { getCart } from "../cart/cart.server.ts";
import { maskEmail } from "../orders/mask.ts";
import { listPersonOrders } from "../orders/person-orders.server.ts";
import { writeAudit, type Acting } from "../staff/audit.server.ts";
import { contactMessages } from "../support/contact.tables.ts";
import { waitlist } from "../waitlist/waitlist.tables.ts";
import { listWishlist } from "../wishlist/wishlist.server.ts";
import { privacyRequests } from "./request.tables.ts";

const ORDERS = 50;
const MESSAGES = 20;
const OPENED = "customer.open";

/** Notes that somebody looks at a person: once in ten minutes, since an open page reads itself anew. */
async function noteOpening(db: Database, by: Acting, subject: string): Promise<void> {
  const { rowCount } = await db.execute(sql`
    SELECT FROM audit_log WHERE subject = ${subject} AND staff_id = ${by.staffId}::uuid AND action = ${OPENED}
      AND at > now() - interval '10 minutes' LIMIT 1`);
  if (!rowCount) await writeAudit(db, by, { action: OPENED, subject });
}

const messagesOf = (db: Database, email: string) =>
  db
    .select({
      id: contactMessages.id,
      begins: sql<string>`left(${contactMessages.message}, 120)`,
      status: contactMessages.status,
      createdAt: contactMessages.createdAt,
    })
    .from(contactMessages)
    .where(eq(sql`lower(${contactMessages.email})`, email.toLowerCase()))
    .orderBy(desc(contactMessages.createdAt))
    .limit(MESSAGES);

/** What an email alone leads to. */
const traces = async (db: Database, email: string) => {
  const { id, kind, state, dueAt } = privacyRequests;
  const [orders, messages, requests] = await Promise.all([
    listPersonOrders(db, email, ORDERS),
    messagesOf(db, email),
    db
      .select({ id, kind, state, dueAt })
      .from(privacyRequests)
      .where(eq(sql`lower(${privacyRequests.email})`, email.toLowerCase()))
      .orderBy(desc(privacyRequests.receivedAt)),
  ]);
  return { orders, messages, requests };
};

async function accountOf(db: Database, userId: string) {
  const [found] = await db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      emailVerified: users.emailVerified,
      phone: profiles.phone,
      createdAt: users.createdAt,
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

/** A customer with an account, or null where there is none. */
export async function openCustomer(db: Database, by: Acting, userId: string) {
  const account = await accountOf(db, userId);
  if (!account) return null;
  await noteOpening(db, by, `customer:${userId}`);
  const [found, cart, wishes, devices] = await Promise.all([
    traces(db, account.email),
    getCart(db, { customerId: userId }),
    listWishlist(db, userId),
    db.$count(sessions, and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`))),
  ]);
  return {
    ...found,
    account,
    cart: cart.lines.map(({ name, quantity }) => ({ name, quantity })),
    wishlist: wishes.map(({ name }) => name),
    devices,
  };
}

/** Whoever ordered or wrote with an email that has no account. */
export async function openGuest(db: Database, by: Acting, email: string) {
  await noteOpening(db, by, `guest:${maskEmail(email.toLowerCase())}`);
  return traces(db, email);
}
