/** Order links need no sign-in and last as long as warranties; raising `link_version` revokes them. */
import { and, between, desc, eq, isNotNull, sql } from "drizzle-orm";
import { clock } from "#shop/clock.ts";
import { z } from "#shop/zod.ts";
import type { Database } from "#db/connection.server.ts";
import { ORDER_PARAMETER } from "#shop/pages.ts";
import { isSame, signed } from "#shop/purpose-key.server.ts";
import type { OrderOwner } from "./history.server.ts";
import { orderNumber } from "./order.ts";
import { asOrdered, orderItems, orders } from "./order.tables.ts";

type Linked = { id: string; linkVersion: number };
type Claimable = { id: string; email: string };

export const orderKey = ({ id, linkVersion }: Linked, secret: string): string =>
  signed(secret, "see an order", `${id}\n${linkVersion}`);

/** Returns true if `key` opens the order's current link version, signed with any of `secrets`. */
export const opensOrder = (order: Linked, key: string, secrets: string[]): boolean =>
  secrets.some((secret) => isSame(orderKey(order, secret), key));

export const orderUrl = (order: Linked, { baseUrl, secret }: { baseUrl: string; secret: string }): string =>
  `${baseUrl}/orders/${order.id}?k=${orderKey(order, secret)}`;

const writerKey = ({ id, linkVersion }: Linked, secret: string) =>
  signed(secret, "write about an order", `${id}\n${linkVersion}`);

/** Link to the support's form in the name of an order, which shows neither its name nor its email, and opens nothing else. */
export const registrationUrl = (order: Linked, { baseUrl, secret }: { baseUrl: string; secret: string }): string =>
  `${baseUrl}/support?${ORDER_PARAMETER}=${orderNumber(order.id)}&k=${order.id}.${writerKey(order, secret)}#contact`;

export type Writer = { number: string; name: string; email: string; products: string[] };

/** Returns who writes by a registration link, and the products with a warranty of their order. Null if it is not valid. */
export async function readWriter(db: Database, key: string, secrets: string[]): Promise<Writer | null> {
  const [id, signature = ""] = key.split(".");
  if (!z.guid().safeParse(id).success) return null;
  const [order] = await db.select().from(orders).where(eq(orders.id, id!));
  if (!order?.email || !secrets.some((secret) => isSame(writerKey(order, secret), signature))) return null;
  const lines = await db
    .select({ name: orderItems.name })
    .from(orderItems)
    .where(and(eq(orderItems.orderId, order.id), isNotNull(orderItems.warrantyYears)))
    .orderBy(...asOrdered);
  return {
    number: orderNumber(order.id),
    name: `${order.shippingFirstName} ${order.shippingLastName}`.slice(0, 100),
    email: order.email,
    products: lines.map(({ name }) => name),
  };
}

export type FoundOrder = { id: string; linkVersion: number; email: string };

/** Returns the newest order with this number and email, or null. */
export async function findOrder(
  db: Database,
  { number, email }: { number: string; email: string },
): Promise<FoundOrder | null> {
  const ends = ["0000-0000-0000-000000000000", "ffff-ffff-ffff-ffffffffffff"].map((end) => `${number}-${end}`);
  const [found] = await db
    .select({ id: orders.id, linkVersion: orders.linkVersion, email: orders.email })
    .from(orders)
    // A range of ids uses their index: the order number is the first 8 characters.
    .where(and(between(orders.id, ends[0]!, ends[1]!), eq(sql`lower(${orders.email})`, email.toLowerCase())))
    .orderBy(desc(orders.createdAt))
    .limit(1);
  return found ?? null;
}

const CLAIM_LINK_MS = 90 * 24 * 3_600_000;

/**
 * Returns the token of an order's claim link, valid for 90 days from `now`. Anybody can type an email, so only the link
 * in the confirmation proves whose order it is (decision 009).
 */
export const claimToken = (order: Claimable, secret: string, now = clock.now()): string =>
  claimTokenUntil(order, now.getTime() + CLAIM_LINK_MS, secret);

/** Encoded, so that a page with the link does not show the order's number. */
function claimTokenUntil({ id, email }: Claimable, end: number, secret: string): string {
  const signature = signed(secret, "claim an order", `${id}\n${end}\n${email.toLowerCase()}`);
  return Buffer.from(`${id}.${end}.${signature}`).toString("base64url");
}

export type Claim = {
  orderId: string;
  state: "open" | "yours" | "sign-in" | "verify-email" | "other-email";
};

/**
 * Reads a claim link for `customer` and changes nothing. Null if it is forged or expired, or the order belongs to
 * another customer.
 */
export async function readClaim(
  db: Database,
  token: string,
  customer: OrderOwner | null,
  secret: string,
): Promise<Claim | null> {
  const [id, end = ""] = Buffer.from(token, "base64url").toString().split(".");
  if (!z.guid().safeParse(id).success || !/^\d{1,15}$/.test(end) || Number(end) < clock.now().getTime()) return null;
  const [order] = await db
    .select({ id: orders.id, email: orders.email, userId: orders.userId })
    .from(orders)
    .where(eq(orders.id, id!));
  if (!order?.email || !isSame(claimTokenUntil(order, Number(end), secret), token)) return null;
  const claim = (state: Claim["state"]) => ({ orderId: order.id, state });
  if (order.userId) return order.userId === customer?.id ? claim("yours") : null;
  if (!customer) return claim("sign-in");
  if (customer.email.toLowerCase() !== order.email.toLowerCase()) return claim("other-email");
  return claim(customer.emailVerified ? "open" : "verify-email");
}

/** Adds the order of an open claim to the customer's account. Returns false if it has an owner by now, or another email. */
export async function claimOrder(db: Database, orderId: string, customer: OrderOwner): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    UPDATE orders SET user_id = users.id, session_id = NULL, save_information = false FROM users
    WHERE orders.id = ${orderId}::uuid AND orders.user_id IS NULL
      AND users.id = ${customer.id}::uuid AND users.email_verified AND lower(users.email) = lower(orders.email)`);
  return (rowCount ?? 0) > 0;
}
