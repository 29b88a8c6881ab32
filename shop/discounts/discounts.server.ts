/** Discounts that may be used now. */
import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { statement, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { inboxOfColumn } from "#shop/mail/inbox.sql.ts";
import { chooseDiscount, type CartDiscount, type Discount, type DiscountableLine } from "./discount.ts";

type Found = Discount & {
  isEarly: boolean;
  isOver: boolean;
  isUsedUp: boolean;
  isUsedByInbox: boolean;
};

/** Orders that use a discount; an order that expired, or was declined or canceled as a whole, gives its use back. */
export const usesOf = (id: SQLWrapper): SQL =>
  sql`FROM orders WHERE discount_id = ${id} AND stage NOT IN ('expired', 'declined', 'canceled')`;
/** Without the buyer's own unpaid ones, which end when they place another order. */
const uses = sql`${usesOf(sql`d.id`)}
  AND coalesce(NOT (stage = 'unpaid' AND coalesce(user_id, session_id) = ${sql.placeholder("owner")}::uuid), true)`;
const email = sql`${sql.placeholder("email")}::text`;

const usable = (isUsedByInbox: SQL) => sql`
  SELECT id, code, name, kind, value, minimum AS "minimumCents", product_ids AS "productIds", bundle,
    coalesce(starts_at > now(), false) AS "isEarly", coalesce(ends_at <= now(), false) AS "isOver",
    CASE WHEN max_uses IS NULL THEN false ELSE max_uses <= (SELECT count(*) ${uses}) END AS "isUsedUp",
    ${isUsedByInbox} AS "isUsedByInbox"
  FROM discounts AS d
  WHERE code = ${sql.placeholder("code")}
    OR code IS NULL AND coalesce(starts_at <= now(), true) AND coalesce(ends_at > now(), true)
  ORDER BY created_at, id`;

const find = statement<Found>("find_discounts", () =>
  usable(sql`CASE WHEN once_per_inbox AND ${email} IS NOT NULL
    THEN EXISTS (SELECT ${uses} AND ${inboxOfColumn(sql`orders.email`)} = ${inboxOfColumn(email)}) ELSE false END`),
);

/** The discounts for the placeholder "code", as a column of the cart that they are for. */
export const usableDiscounts = sql<Found[]>`(
  SELECT coalesce(jsonb_agg(usable), '[]') FROM (${usable(sql`false`)}) AS usable)`;

function problemOf(code: string, found: Found | undefined): string | null {
  if (!found) return `We don’t know the code ${code}. Check the spelling.`;
  if (found.isEarly) return `${code} isn’t valid yet.`;
  if (found.isOver) return `${code} has ended.`;
  if (found.isUsedUp) return `${code} has been used up.`;
  return found.isUsedByInbox ? `${code} was already used with this email address. It’s good for one order.` : null;
}

type Asked = {
  lines: readonly DiscountableLine[];
  /** As `readCode` returns it. */
  code: string | null;
  /** Price of the cheapest method without a discount, which a code may free. */
  shippingCents: number;
  /** Customer or guest whose own unpaid orders do not use the code; null counts all of them. */
  owner: string | null;
  /** Whose earlier orders count for a code that is good for one order; null before it is known. */
  email?: string | null;
};

/** Returns the discount of a cart: that of the code, or the bundle that saves most; with the reason why a code does not count. */
export async function findDiscount(
  db: DatabaseOrTransaction,
  { lines, code, shippingCents, owner, email = null }: Asked,
): Promise<CartDiscount> {
  return pickDiscount({ lines, code, shippingCents }, await find(db, { code, email, owner }));
}

/** Returns the same of discounts that were read with the cart. */
export function pickDiscount(
  { lines, code, shippingCents }: Pick<Asked, "lines" | "code" | "shippingCents">,
  all: readonly Found[],
): CartDiscount {
  const bundles = all.filter((each) => each.code === null);
  const named = all.find((each) => each.code !== null);
  const problem = code && problemOf(code, named);
  const found = code === null ? null : { code, discount: problem ? null : (named ?? null), problem };
  return chooseDiscount({ lines, shippingCents }, found, bundles);
}

/** Orders with a code of few uses wait for each other until they end, so that the last use is taken once. */
export async function lockCode(tx: DatabaseOrTransaction, code: string): Promise<void> {
  await tx.execute(
    sql`SELECT FROM discounts WHERE code = ${code} AND (max_uses IS NOT NULL OR once_per_inbox) FOR UPDATE`,
  );
}
