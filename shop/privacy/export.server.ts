/** Export of a customer's data as one file. Money is in cents, times are UTC. */
import { asc, eq, getTableColumns, getTableName, inArray, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "#db/connection.server.ts";
import { accounts, profiles, sessions, users } from "#shop/accounts/account.tables.ts";
import { getCart } from "#shop/cart/cart.server.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { consents } from "#shop/consents/consent.tables.ts";
import { customerNotes } from "#shop/customers/customer-note.tables.ts";
import { shipments } from "#shop/fulfillment/shipment.tables.ts";
import { guestOrders, type OrderOwner, ordersAbout } from "#shop/orders/history.server.ts";
import { orderEvents, orderItems, orderNotes, orders } from "#shop/orders/order.tables.ts";
import { letterRecipients } from "#shop/letters/letter.tables.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import { returns } from "#shop/returns/return.tables.ts";
import { staff, staffInvitations, staffSessions } from "#shop/staff/staff.tables.ts";
import { contactMessages, contactReplies } from "#shop/support/contact.tables.ts";
import { incomingEmails } from "#shop/support/inbox/inbox.tables.ts";
import { taxRecords } from "#shop/tax/tax.tables.ts";
import { waitlist } from "#shop/waitlist/waitlist.tables.ts";
import { wishlists } from "#shop/wishlist/wishlist.tables.ts";
import { noticeRecipients } from "./notice.tables.ts";
import { personalData } from "./personal-data.ts";
import { privacyRequests } from "./request.tables.ts";

type Row = Record<string, unknown>;

/** Rows of a table without the withheld columns, oldest first. */
async function rows(db: Database, table: PgTable, where: SQL): Promise<Row[]> {
  const withheld = personalData[getTableName(table)]?.withheld ?? {};
  const all: Record<string, PgColumn> = getTableColumns(table);
  const shown = Object.fromEntries(Object.entries(all).filter(([name]) => !(name in withheld)));
  const order = ["createdAt", "at", "id"].flatMap((name) => (all[name] ? [asc(all[name])] : []));
  return db
    .select(shown)
    .from(table)
    .where(where)
    .orderBy(...order);
}

/** Rows with the rows of other tables that refer to them by `key`. */
async function withParts(db: Database, found: Row[], key: string, parts: Record<string, PgTable>): Promise<Row[]> {
  const ids = found.map(({ id }) => id);
  const lists = await Promise.all(
    Object.entries(parts).map(async ([name, table]) => {
      const column = (getTableColumns(table) as Record<string, PgColumn>)[key]!;
      return { name, list: await rows(db, table, inArray(column, ids)) };
    }),
  );
  return found.map((row) => ({
    ...row,
    ...Object.fromEntries(lists.map(({ name, list }) => [name, list.filter((part) => part[key] === row.id)])),
  }));
}

const ORDER_PARTS = {
  items: orderItems,
  events: orderEvents,
  payments,
  taxes: taxRecords,
  shipments,
  returns,
  notes: orderNotes,
};

const exportOrders = async (db: Database, which: SQL) =>
  withParts(db, await rows(db, orders, which), "orderId", ORDER_PARTS);

/** Messages, requests, notices, consents, letters, invitations and notes of the staff, of a proven email. */
async function exportTraces(db: Database, email: string) {
  const of = (table: PgTable & { email: PgColumn }) =>
    rows(db, table, sql`lower(${table.email}) = ${email.toLowerCase()}`);
  return {
    messages: await withParts(db, await of(contactMessages), "messageId", {
      emails: incomingEmails,
      replies: contactReplies,
    }),
    requests: await of(privacyRequests),
    notices: await of(noticeRecipients),
    consents: await of(consents),
    letters: await of(letterRecipients),
    invitations: await of(staffInvitations),
    notes: await of(customerNotes),
  };
}

const NO_TRACES = { messages: [], requests: [], notices: [], consents: [], letters: [], invitations: [], notes: [] };

/** Data of a customer. Messages are included if their email is verified. */
export async function exportCustomer(db: Database, owner: OrderOwner) {
  const of = (table: PgTable & { userId: PgColumn }) => rows(db, table, eq(table.userId, owner.id));
  const [account] = await rows(db, users, eq(users.id, owner.id));
  const [profile] = await rows(db, profiles, eq(profiles.id, owner.id));
  const [place] = await of(waitlist);
  const [work] = await of(staff);
  const { invitations, ...traces } = owner.emailVerified ? await exportTraces(db, owner.email) : NO_TRACES;
  const cart = await getCart(db, { customerId: owner.id });
  return {
    account: { ...account, signInWith: await of(accounts) },
    profile,
    orders: await exportOrders(db, ordersAbout(owner)),
    wishlist: await db
      .select({ product: products.name, slug: products.slug, addedAt: wishlists.createdAt })
      .from(wishlists)
      .innerJoin(products, eq(products.id, wishlists.productId))
      .where(eq(wishlists.userId, owner.id)),
    waitlist: place ?? null,
    cart: cart.lines.map(({ name, slug, quantity, unitPriceCents }) => ({ name, slug, quantity, unitPriceCents })),
    sessions: await of(sessions),
    ...traces,
    staff: work || invitations.length > 0 ? { ...work, sessions: await of(staffSessions), invitations } : null,
  };
}

/** Data of a guest with a proven email. */
export async function exportGuest(db: Database, email: string) {
  const { invitations: _staff, ...traces } = await exportTraces(db, email);
  return { email, orders: await exportOrders(db, guestOrders(email)), ...traces };
}
