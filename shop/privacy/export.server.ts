/** Everything the shop holds about a customer, as one file they can take elsewhere. Money is in cents, times are UTC. */
import { asc, desc, eq, getTableColumns, inArray, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { getCart } from "../cart/cart.server.ts";
import { products } from "../catalog/product.tables.ts";
import { orderEvents, orderItems, orderNotes, orders } from "../orders/order.tables.ts";
import { guestOrders, ordersAbout, type OrderOwner } from "../orders/history.server.ts";
import { payments } from "../payments/payment.tables.ts";
import { shipments } from "../fulfillment/shipment.tables.ts";
import { waitlist, waitlistInvitations } from "../waitlist/waitlist.tables.ts";
import { wishlists } from "../wishlist/wishlist.tables.ts";
import { accounts, sessions, users } from "../accounts/account.tables.ts";
import { getProfile } from "../accounts/profile.server.ts";
import { exportTraces, exportWork } from "./export-traces.server.ts";

/** What an account's password is kept as, among the ways to sign in. */
const PASSWORD = "credential";

/** The customer's data. Messages to support are theirs where they have proved the email they were sent with. */
export async function exportCustomer(db: Database, owner: OrderOwner) {
  const [[account], ways, profile, ownedOrders, wishlist, entries, cart, devices, traces, work] = await Promise.all([
    db
      .select({
        email: users.email,
        emailVerified: users.emailVerified,
        name: users.name,
        firstName: users.firstName,
        lastName: users.lastName,
        image: users.image,
        twoFactorEnabled: users.twoFactorEnabled,
        createdAt: users.createdAt,
        updatedAt: users.updatedAt,
        lastActiveAt: users.lastActiveAt,
      })
      .from(users)
      .where(eq(users.id, owner.id)),
    db
      .select({
        provider: accounts.providerId,
        accountId: accounts.accountId,
        scope: accounts.scope,
        linkedAt: accounts.createdAt,
      })
      .from(accounts)
      .where(eq(accounts.userId, owner.id)),
    getProfile(db, owner.id),
    listWholeOrders(db, ordersAbout(owner)),
    db
      .select({ product: products.name, slug: products.slug, addedAt: wishlists.createdAt })
      .from(wishlists)
      .innerJoin(products, eq(products.id, wishlists.productId))
      .where(eq(wishlists.userId, owner.id))
      .orderBy(desc(wishlists.createdAt)),
    db
      .select({
        email: waitlist.email,
        phone: waitlist.phone,
        utmSource: waitlist.utmSource,
        utmCampaign: waitlist.utmCampaign,
        verifiedAt: waitlist.verifiedAt,
        createdAt: waitlist.createdAt,
        unsubscribedAt: waitlist.unsubscribedAt,
        invitedAt: waitlistInvitations.sentAt,
      })
      .from(waitlist)
      .leftJoin(waitlistInvitations, eq(waitlistInvitations.waitlistId, waitlist.id))
      .where(eq(waitlist.userId, owner.id)),
    getCart(db, { customerId: owner.id }),
    db
      .select({
        ipAddress: sessions.ipAddress,
        userAgent: sessions.userAgent,
        createdAt: sessions.createdAt,
        updatedAt: sessions.updatedAt,
        expiresAt: sessions.expiresAt,
      })
      .from(sessions)
      .where(eq(sessions.userId, owner.id)),
    owner.emailVerified ? exportTraces(db, owner.email) : { messages: [], requests: [], invitations: [] },
    exportWork(db, owner.id),
  ]);
  return {
    account: {
      ...account,
      signInWith: ways.map(({ provider }) => (provider === PASSWORD ? "password" : provider)),
      linkedAccounts: ways.filter(({ provider }) => provider !== PASSWORD),
    },
    profile,
    orders: ownedOrders,
    wishlist,
    waitlist: entries[0] ?? null,
    cart: cart.lines.map(({ name, slug, quantity, unitPriceCents }) => ({
      product: name,
      slug,
      quantity,
      unitPriceCents,
    })),
    sessions: devices,
    messages: traces.messages,
    requests: traces.requests,
    staff: work || traces.invitations.length > 0 ? { ...work, invitations: traces.invitations } : null,
  };
}

/** The data of somebody without an account, by an email that they have proved to be theirs. */
export async function exportGuest(db: Database, email: string) {
  const [ownedOrders, { messages, requests }] = await Promise.all([
    listWholeOrders(db, guestOrders(email)),
    exportTraces(db, email),
  ]);
  return { email, orders: ownedOrders, messages, requests };
}

/** Every column of an order but those that only the shop's own workings know. */
async function listWholeOrders(db: Database, which: SQL) {
  const { checkoutKey: _key, userId: _user, sessionId: _session, ...columns } = getTableColumns(orders);
  const rows = await db.select(columns).from(orders).where(which).orderBy(desc(orders.createdAt));
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const { orderId, name, priceCents, quantity } = orderItems;
  const { id: _id, staffId: _staff, ...event } = getTableColumns(orderEvents);
  const { id: _payment, reference: _page, intentReference: _intent, url: _url, ...shown } = getTableColumns(payments);
  const { holdKey: _hold, warnedAt: _warned, ...payment } = shown;
  const { id: _parcel, captureId: _capture, staffId: _sender, ...shipment } = getTableColumns(shipments);
  const [lines, events, paid, sent, notes] = await Promise.all([
    db.select({ orderId, name, priceCents, quantity }).from(orderItems).where(inArray(orderId, ids)).orderBy(asc(name)),
    db.select(event).from(orderEvents).where(inArray(orderEvents.orderId, ids)).orderBy(asc(orderEvents.id)),
    db.select(payment).from(payments).where(inArray(payments.orderId, ids)).orderBy(asc(payments.createdAt)),
    db.select(shipment).from(shipments).where(inArray(shipments.orderId, ids)).orderBy(asc(shipments.createdAt)),
    db
      .select({ orderId: orderNotes.orderId, text: orderNotes.text, at: orderNotes.at })
      .from(orderNotes)
      .where(inArray(orderNotes.orderId, ids))
      .orderBy(asc(orderNotes.at)),
  ]);
  return rows.map((order) => ({
    ...order,
    items: lines.filter((line) => line.orderId === order.id),
    events: events.filter((one) => one.orderId === order.id),
    payments: paid.filter((one) => one.orderId === order.id),
    shipments: sent.filter((one) => one.orderId === order.id),
    notes: notes.filter((one) => one.orderId === order.id),
  }));
}
