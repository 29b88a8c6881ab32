/** The people of an audience, and the link by which each leaves it. */
import { sql, type SQL } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { consentUrl } from "#shop/consents/consents.server.ts";
import { unsubscribeUrl } from "#shop/waitlist/waitlist.server.ts";
import type { Audience } from "./letter.ts";

export type Addressed = { audience: Audience; productId: string | null };

/** `id` and `email` of everyone who agreed to an audience and has not withdrawn. */
const agreedTo = (audience: Audience): SQL =>
  audience === "waitlist"
    ? sql`SELECT id, email FROM waitlist WHERE verified_at IS NOT NULL AND unsubscribed_at IS NULL`
    : sql`SELECT id, email FROM consents WHERE kind = ${audience} AND withdrawn_at IS NULL`;

/** Orders that have arrived or are on their way. An order counts for the email of its account, too. */
const bought = (productId: string | null) => sql`
  SELECT lower(o.email) FROM orders o JOIN order_items i ON i.order_id = o.id
  WHERE i.product_id = ${productId}::uuid AND o.stage IN ('partly-shipped', 'shipped', 'delivered')
  UNION SELECT u.email FROM orders o JOIN order_items i ON i.order_id = o.id JOIN users u ON u.id = o.user_id
  WHERE i.product_id = ${productId}::uuid AND o.stage IN ('partly-shipped', 'shipped', 'delivered')`;

/** `id` and `email` of everyone who would get a letter now. */
export const audienceOf = ({ audience, productId }: Addressed): SQL =>
  audience === "owners" ? sql`${agreedTo(audience)} AND email IN (${bought(productId)})` : agreedTo(audience);

export async function countAudience(db: DatabaseOrTransaction, to: Addressed): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM (${audienceOf(to)}) AS people`,
  );
  return rows[0]!.count;
}

/** The link by which an address leaves an audience; null if it never agreed to it, or has withdrawn. */
export async function leavingLink(
  db: Database,
  audience: Audience,
  email: string,
  shop: { baseUrl: string; secret: string },
): Promise<string | null> {
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT id FROM (${agreedTo(audience)}) AS people WHERE email = ${email} LIMIT 1`,
  );
  if (!rows[0]) return null;
  return audience === "waitlist" ? unsubscribeUrl(rows[0].id, shop) : consentUrl(rows[0].id, shop);
}
