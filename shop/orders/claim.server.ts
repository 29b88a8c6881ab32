/**
 * A guest order becomes a customer's when they say so: anybody may type anybody's email into a checkout, so an email alone
 * makes no order theirs. The link in its confirmation, which only the mailbox holds, opens the way (decision 009).
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/connection.server.ts";
import { purposeKey } from "../purpose-key.server.ts";
import type { OrderOwner } from "./history.server.ts";
import { orders } from "./order.tables.ts";

export const CLAIM_LINK_DAYS = 90;

const ID_BYTES = 16;
const TOKEN_BYTES = ID_BYTES + 4 + 32;
const DAY_SECONDS = 24 * 3600;

type Claimable = { id: string; email: string };

/** Order id and end in bytes, and their signature with the email: a token for one order, one mailbox and this purpose only. */
function sign({ id, email }: Claimable, end: number, secret: string): Buffer {
  const said = Buffer.alloc(ID_BYTES + 4);
  said.write(id.replaceAll("-", ""), "hex");
  said.writeUInt32BE(end, ID_BYTES);
  const signature = createHmac("sha256", purposeKey(secret, "claim an order"))
    .update(said)
    .update(email.toLowerCase())
    .digest();
  return Buffer.concat([said, signature]);
}

/** The token of an order's claim link, good for 90 days from `now`. */
export function claimToken(order: Claimable, secret: string, now = new Date()): string {
  const end = Math.floor(now.getTime() / 1000) + CLAIM_LINK_DAYS * DAY_SECONDS;
  return sign(order, end, secret).toString("base64url");
}

export type Claim = {
  orderId: string;
  state:
    | "open"
    /** It is in the customer's account already. */
    | "yours"
    | "sign-in"
    | "verify-email"
    /** The customer's email is not the order's. */
    | "other-email";
};

/**
 * What a claim link means for `customer`. Null where it is forged or expired, or the order belongs to somebody else
 * already. Changes nothing.
 */
export async function readClaim(
  db: Database,
  token: string,
  customer: OrderOwner | null,
  secret: string,
): Promise<Claim | null> {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== TOKEN_BYTES || bytes.toString("base64url") !== token) return null;
  const end = bytes.readUInt32BE(ID_BYTES);
  const id = z
    .guid()
    .safeParse(bytes.toString("hex", 0, ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")).data;
  if (!id || end * 1000 < Date.now()) return null;
  const [order] = await db
    .select({ id: orders.id, email: orders.email, userId: orders.userId })
    .from(orders)
    .where(eq(orders.id, id));
  if (!order?.email || !timingSafeEqual(sign(order, end, secret), bytes)) return null;
  const claim = (state: Claim["state"]) => ({ orderId: order.id, state });
  if (order.userId) return order.userId === customer?.id ? claim("yours") : null;
  if (!customer) return claim("sign-in");
  if (customer.email.toLowerCase() !== order.email.toLowerCase()) return claim("other-email");
  return claim(customer.emailVerified ? "open" : "verify-email");
}

/** Adds the order of an open claim to the customer's account. False where it is somebody's by now, or not for them. */
export async function claimOrder(db: Database, orderId: string, customer: OrderOwner): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    UPDATE orders SET user_id = users.id, session_id = NULL, save_information = false FROM users
    WHERE orders.id = ${orderId}::uuid AND orders.user_id IS NULL
      AND users.id = ${customer.id}::uuid AND users.email_verified AND lower(users.email) = lower(orders.email)`);
  return (rowCount ?? 0) > 0;
}
