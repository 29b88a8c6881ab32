/** A cart holds one line a product, 1 to 10 units, never more than are in stock. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { statement, type Database, type DatabaseOrTransaction } from "../../db/connection.server.ts";
import { hexOfColor } from "../catalog/colors.sql.ts";
import { inventoryCount, isInStock } from "../catalog/inventory-count.sql.ts";
import { currentPrice } from "../catalog/price.sql.ts";
import type { Product } from "../catalog/product.ts";
import { products } from "../catalog/product.tables.ts";
import { preOrderWords } from "../catalog/ships-from.ts";
import { MAX_LINE_QUANTITY, maxQuantity } from "../catalog/stock.ts";
import { warrantyYears } from "../catalog/warranty.ts";
import { isWaitlistOnly, unusedInvitation } from "../catalog/waitlist-first.sql.ts";
import type { Buyer, Cart, CartLine } from "./cart.ts";
import { cartItems } from "./cart.tables.ts";
import { cartTotals } from "./totals.ts";

/** The lines of one buyer, for a WHERE. */
export function ownedBy(buyer: Buyer): SQL {
  return "customerId" in buyer ? eq(cartItems.userId, buyer.customerId) : eq(cartItems.sessionId, buyer.guestId);
}

/** One statement for each kind of buyer: whose lines they are is one column or the other. */
export function forBuyer<T>(make: (kind: "guest" | "customer", owned: SQL) => T): (buyer: Buyer) => T {
  const owner = sql.placeholder("owner");
  const guest = make("guest", eq(cartItems.sessionId, owner));
  const customer = make("customer", eq(cartItems.userId, owner));
  return (buyer) => ("customerId" in buyer ? customer : guest);
}

export const ownerId = (buyer: Buyer): string => ("customerId" in buyer ? buyer.customerId : buyer.guestId);

/** What is shown of the lines of `from`, which stands for cart_items, oldest first, priced by the database's clock. */
type LineRow = Omit<CartLine, "maxQuantity" | "warrantyYears" | "preOrder"> &
  Pick<Product, "category" | "specs" | "inventoryCount" | "isAvailable" | "shipsFrom">;
const lineColumns = sql`${cartItems.id}, ${cartItems.productId} AS "productId", ${cartItems.quantity},
  ${products.slug}, ${products.name}, ${products.colorVariant} AS "colorVariant", ${hexOfColor} AS "colorHex", ${products.thumbnail},
  ${products.shipsFrom}::text AS "shipsFrom", ${products.category}, ${products.specs}, ${inventoryCount} AS "inventoryCount",
  ${products.isAvailable} AS "isAvailable", ${currentPrice} AS "unitPriceCents"`;
const oldestFirst = sql`${cartItems.createdAt}, ${cartItems.id}`;

const cartOf = (rows: LineRow[]): Cart => {
  const now = new Date();
  const lines = rows.map(({ inventoryCount, isAvailable, category, specs, shipsFrom, ...line }) => ({
    ...line,
    maxQuantity: maxQuantity({ inventoryCount, isAvailable }),
    warrantyYears: warrantyYears({ category, specs }),
    preOrder: preOrderWords({ shipsFrom }, now),
  }));
  return { lines, totals: cartTotals(lines) };
};

const linesOf = forBuyer((kind, owned) =>
  statement<LineRow>(
    `cart_of_${kind}`,
    sql`SELECT ${lineColumns} FROM cart_items JOIN products ON products.id = ${cartItems.productId}
      WHERE ${owned} ORDER BY ${oldestFirst}`,
  ),
);

/** The buyer's cart, oldest line first. Nobody has an empty cart. */
export async function getCart(db: Database, buyer: Buyer | null): Promise<Cart> {
  return cartOf(buyer ? await linesOf(buyer)(db, { owner: ownerId(buyer) }) : []);
}

const unitsOf = forBuyer((kind, owned) =>
  statement<{ count: number }>(
    `cart_count_of_${kind}`,
    sql`SELECT coalesce(sum(quantity), 0)::int AS count FROM cart_items WHERE ${owned}`,
  ),
);

/** How many units the buyer's cart holds. */
export async function countCart(db: Database, buyer: Buyer | null): Promise<number> {
  if (!buyer) return 0;
  const [row] = await unitsOf(buyer)(db, { owner: ownerId(buyer) });
  return row?.count ?? 0;
}

export type AddResult =
  | {
      ok: true;
      quantity: number;
      /** Fewer were added than asked for: 10 or the stock was reached. */
      capped: boolean;
      /** As it is with what was added. */
      cart: Cart;
    }
  | { ok: false; reason: "out-of-stock" | "not-found" | "waitlist-only" };

/** A statement does not see what it writes itself: the added line is as the upsert returns it, the others are read. */
const adding = (name: string, isOpen: SQL) =>
  forBuyer((kind, owned) => {
    const owner = sql.raw(kind === "customer" ? "user_id" : "session_id");
    const quantity = sql`${sql.placeholder("quantity")}::int`;
    const productId = sql`${sql.placeholder("productId")}::uuid`;
    return statement<LineRow & { before: number; id: string | null; isOpen: boolean }>(
      `${name}_to_cart_of_${kind}`,
      sql`
    WITH product AS (
      SELECT is_open,
        CASE WHEN is_available AND is_open THEN least(${inventoryCount}, ${MAX_LINE_QUANTITY}::int) ELSE 0 END AS most
      FROM (SELECT *, ${isOpen} AS is_open FROM products WHERE id = ${productId}) AS products
    ), before AS (
      SELECT quantity FROM cart_items WHERE ${owned} AND product_id = ${productId}
    ), added AS (
      INSERT INTO cart_items (product_id, ${owner}, quantity)
      SELECT ${productId}, ${sql.placeholder("owner")}::uuid, least(${quantity}, most) FROM product WHERE most > 0
      ON CONFLICT (${owner}, product_id) DO UPDATE
        SET quantity = least(cart_items.quantity + ${quantity}, (SELECT most FROM product))
      RETURNING *
    ), lines AS (
      SELECT * FROM added
      UNION ALL SELECT * FROM cart_items WHERE ${owned} AND product_id <> ${productId} AND EXISTS (SELECT FROM added)
    )
    SELECT ${lineColumns}, coalesce((SELECT quantity FROM before), 0) AS before, product.is_open AS "isOpen"
    FROM product LEFT JOIN (lines AS cart_items JOIN products ON products.id = ${cartItems.productId}) ON true
    ORDER BY ${oldestFirst}`,
    );
  });
const add = adding("add", sql`NOT ${isWaitlistOnly}`);
/** For whoever brings a code of the waitlist. Few do, and to look for one costs an add a tenth of its time in PostgreSQL. */
const addEarly = adding(
  "add_early",
  sql`(NOT ${isWaitlistOnly} OR EXISTS (${unusedInvitation(sql.placeholder("invitation"))}))`,
);

/**
 * Puts `quantity` units of a product in the buyer's cart, on top of those already there, in one
 * statement that also caps the line by 10 and by stock and reads the cart. Refuses what is not for sale now, and what is
 * for the waitlist only where `invitation`, the hash of a code, opens none of it.
 */
export async function addToCart(
  db: Database,
  buyer: Buyer,
  { productId, quantity }: { productId: string; quantity: number },
  invitation: string | null = null,
): Promise<AddResult> {
  const adds = invitation === null ? add : addEarly;
  const rows = await adds(buyer)(db, { owner: ownerId(buyer), productId, quantity, invitation });
  const [first] = rows;
  if (!first) return { ok: false, reason: "not-found" };
  if (first.id === null) return { ok: false, reason: first.isOpen ? "out-of-stock" : "waitlist-only" };
  const cart = cartOf(rows.map(({ before: _before, isOpen: _isOpen, ...row }) => row));
  const now = cart.lines.find((line) => line.productId === productId)?.quantity ?? 0;
  return { ok: true, quantity: now, capped: now < first.before + quantity, cart };
}

/**
 * Sets the quantity of one of the buyer's lines, capped by 10 and stock; at or below 0 the line
 * goes. Returns false where the buyer has no such line.
 */
export async function updateCartLine(
  db: Database,
  buyer: Buyer,
  { itemId, quantity }: { itemId: string; quantity: number },
): Promise<boolean> {
  if (quantity <= 0) return removeCartLine(db, buyer, itemId);
  const updated = await db.execute(sql`
    UPDATE cart_items SET quantity = greatest(1, least(${quantity}::int, ${MAX_LINE_QUANTITY}::int, ${inventoryCount}))
    FROM products
    WHERE products.id = cart_items.product_id AND cart_items.id = ${itemId}::uuid AND ${ownedBy(buyer)}`);
  return updated.rowCount === 1;
}

/** Takes one of the buyer's lines out. Returns false where the buyer has no such line. */
export async function removeCartLine(db: Database, buyer: Buyer, itemId: string): Promise<boolean> {
  const removed = await db.delete(cartItems).where(and(eq(cartItems.id, itemId), ownedBy(buyer)));
  return removed.rowCount === 1;
}

/** Takes every line of the buyer out. */
export async function clearCart(db: DatabaseOrTransaction, buyer: Buyer): Promise<void> {
  await db.delete(cartItems).where(ownedBy(buyer));
}

/**
 * A guest who has signed in: the guest's lines join the customer's, summed per product and capped by
 * 10 and by stock, in one statement. Answers how many lines got fewer units than the sum. What is
 * sold out keeps its line, so that the cart can say so.
 */
export async function mergeCart(db: Database, guestId: string, customerId: string): Promise<{ capped: number }> {
  const { rows } = await db.execute<{ capped: number }>(sql`
    WITH moved AS (
      DELETE FROM cart_items WHERE session_id = ${guestId}::uuid RETURNING product_id, quantity, created_at
    ), summed AS (
      SELECT moved.product_id, moved.created_at, moved.quantity + coalesce(own.quantity, 0) AS wanted,
        CASE WHEN ${isInStock} THEN least(${inventoryCount}, ${MAX_LINE_QUANTITY}::int)
          ELSE ${MAX_LINE_QUANTITY}::int END AS most
      FROM moved JOIN products ON products.id = moved.product_id
      LEFT JOIN cart_items own ON own.product_id = moved.product_id AND own.user_id = ${customerId}::uuid
    ), merged AS (
      INSERT INTO cart_items (product_id, user_id, quantity, created_at)
      SELECT product_id, ${customerId}::uuid, least(wanted, most), created_at FROM summed
      ON CONFLICT (user_id, product_id) DO UPDATE SET quantity = excluded.quantity
    )
    SELECT count(*)::int AS capped FROM summed WHERE wanted > most`);
  return { capped: rows[0]?.capped ?? 0 };
}
