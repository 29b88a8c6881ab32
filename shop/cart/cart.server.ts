/** Carts hold one line per product, of 1 to 10 units and never more than are in stock. */
import { and, eq, gte, sql, type SQL } from "drizzle-orm";
import { prepared, statement, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import {
  currentPrice,
  hexOfColor,
  inventoryCount,
  isFilter,
  isInStock,
  isPreOrder,
  isWaitlistOnly,
  unusedInvitation,
} from "#shop/catalog/product.sql.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { MAX_LINE_QUANTITY, maxQuantity, preOrderWords } from "#shop/catalog/stock.ts";
import { warrantyYears } from "#shop/catalog/product.ts";
import { clock } from "#shop/clock.ts";
import { pickDiscount, usableDiscounts } from "#shop/discounts/discounts.server.ts";
import { settings } from "#shop/settings/settings.server.ts";
import type { Buyer, Cart, CartOffer } from "./cart.ts";
import { cartItems } from "./cart.tables.ts";
import { cartTotals } from "./totals.ts";

export function ownedBy(buyer: Buyer): SQL {
  return "customerId" in buyer ? eq(cartItems.userId, buyer.customerId) : eq(cartItems.sessionId, buyer.guestId);
}

export const ownerId = (buyer: Buyer): string => ("customerId" in buyer ? buyer.customerId : buyer.guestId);

const cartOf = (owner: typeof cartItems.userId | typeof cartItems.sessionId, name: string) =>
  prepared((db) =>
    db
      .select({
        id: cartItems.id,
        productId: cartItems.productId,
        quantity: cartItems.quantity,
        slug: products.slug,
        name: products.name,
        colorVariant: products.colorVariant,
        colorHex: hexOfColor,
        thumbnail: products.thumbnail,
        shipsFrom: products.shipsFrom,
        category: products.category,
        specs: products.specs,
        inventoryCount,
        isAvailable: products.isAvailable,
        unitPriceCents: currentPrice,
        discounts: usableDiscounts,
      })
      .from(cartItems)
      .innerJoin(products, eq(products.id, cartItems.productId))
      .where(eq(owner, sql.placeholder("owner")))
      .orderBy(cartItems.createdAt, cartItems.id)
      .prepare(name),
  );
const cartOfCustomer = cartOf(cartItems.userId, "cart_of_customer");
const cartOfGuest = cartOf(cartItems.sessionId, "cart_of_guest");

/**
 * Returns the buyer's cart, oldest line first, priced by the database's clock, with the discount of a code or a bundle. Empty
 * for a null buyer.
 */
export async function getCart(db: Database, buyer: Buyer | null, code: string | null = null): Promise<Cart> {
  const now = clock.now();
  const read = buyer && "customerId" in buyer ? cartOfCustomer : cartOfGuest;
  const rows = buyer ? await read(db).execute({ owner: ownerId(buyer), code }) : [];
  const lines = rows.map((row) => {
    const { inventoryCount, isAvailable, category, specs, discounts: _, ...line } = row;
    return {
      ...line,
      maxQuantity: maxQuantity({ inventoryCount, isAvailable }),
      warrantyYears: warrantyYears({ category, specs }),
      preOrder: preOrderWords(line, now),
    };
  });
  const { shippingCents } = cartTotals(settings().shipping, lines);
  const discount = pickDiscount({ lines, code, shippingCents }, rows[0]?.discounts ?? []);
  return { lines, discount, totals: cartTotals(settings().shipping, lines, null, 0, discount.applied) };
}

/**
 * Returns the cheapest filter that ships now and whose price is enough for free shipping; null if none is, or shipping is
 * free already.
 */
export async function findFilterForFreeShipping(db: Database, { lines, totals }: Cart): Promise<CartOffer | null> {
  const gap = totals.freeShippingGapCents;
  if (lines.length === 0 || gap === 0) return null;
  const [filter] = await db
    .select({
      productId: products.id,
      slug: products.slug,
      name: products.name,
      thumbnail: products.thumbnail,
      priceCents: currentPrice,
    })
    .from(products)
    .where(
      and(
        isFilter,
        sql`${products.retiredAt} IS NULL AND NOT ${isWaitlistOnly} AND NOT ${isPreOrder}`,
        isInStock,
        gte(currentPrice, gap),
      ),
    )
    .orderBy(currentPrice, products.id)
    .limit(1);
  return filter ?? null;
}

export async function sumCart(db: Database, buyer: Buyer | null): Promise<{ count: number; subtotalCents: number }> {
  const [row] = buyer
    ? await db
        .select({
          count: sql<number>`coalesce(sum(${cartItems.quantity}), 0)::int`,
          subtotalCents: sql<number>`coalesce(sum(${cartItems.quantity} * ${currentPrice}), 0)::int`,
        })
        .from(cartItems)
        .innerJoin(products, eq(products.id, cartItems.productId))
        .where(ownedBy(buyer))
    : [];
  return row ?? { count: 0, subtotalCents: 0 };
}

type AddResult =
  | {
      ok: true;
      quantity: number;
      /** Fewer units were added than requested, because of the limit of 10 or the stock. */
      capped: boolean;
      cart: Cart;
    }
  | { ok: false; reason: "out-of-stock" | "not-found" | "waitlist-only" };

const addedTo = (owner: "user_id" | "session_id") => {
  const [column, value] = [sql.raw(owner), sql`${sql.placeholder("owner")}::uuid`];
  const [productId, quantity] = [sql`${sql.placeholder("productId")}::uuid`, sql`${sql.placeholder("quantity")}::int`];
  return statement<{ isOpen: boolean; before: number; quantity: number | null }>(
    `add_to_cart_by_${owner}`,
    () => sql`
    WITH product AS (
      SELECT id, is_available, ${inventoryCount} AS units,
        (NOT ${isWaitlistOnly} OR EXISTS (${unusedInvitation(sql`${sql.placeholder("invitation")}`)})) AS is_open
      FROM products WHERE id = ${productId}
    ), before AS (
      SELECT quantity FROM cart_items WHERE ${column} = ${value} AND product_id = ${productId}
    ), added AS (
      INSERT INTO cart_items (product_id, ${column}, quantity)
      SELECT id, ${value}, least(${quantity}, units, ${MAX_LINE_QUANTITY}::int) FROM product
      WHERE is_available AND is_open AND units > 0
      ON CONFLICT (${column}, product_id) DO UPDATE SET quantity =
        least(cart_items.quantity + ${quantity}, (SELECT units FROM product), ${MAX_LINE_QUANTITY}::int)
      RETURNING quantity
    )
    SELECT is_open AS "isOpen", coalesce((SELECT quantity FROM before), 0) AS before,
      (SELECT quantity FROM added) AS quantity FROM product`,
  );
};
const addForCustomer = addedTo("user_id");
const addForGuest = addedTo("session_id");

/**
 * Adds `quantity` units of a product to the buyer's cart, capped by 10 and by stock. Refuses products that are not for
 * sale now, and waitlist-only ones unless `invitation`, the hash of a code, opens them. If the database fails between
 * the write and the read of the cart, it throws although the units were added.
 */
export async function addToCart(
  db: Database,
  buyer: Buyer,
  { productId, quantity }: { productId: string; quantity: number },
  invitation: string | null = null,
): Promise<AddResult> {
  const add = "customerId" in buyer ? addForCustomer : addForGuest;
  const [added] = await add(db, { owner: ownerId(buyer), productId, quantity, invitation });
  if (!added) return { ok: false, reason: "not-found" };
  if (added.quantity === null) return { ok: false, reason: added.isOpen ? "out-of-stock" : "waitlist-only" };
  const capped = added.quantity < added.before + quantity;
  return { ok: true, quantity: added.quantity, capped, cart: await getCart(db, buyer) };
}

/**
 * Sets the quantity of one of the buyer's lines, capped by 10 and stock; 0 removes it. Returns false if there is no
 * such line to change.
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

/** Removes one of the buyer's lines; one that is gone counts as removed. Returns false for another buyer's line. */
export async function removeCartLine(db: Database, buyer: Buyer, itemId: string): Promise<boolean> {
  const removed = await db.delete(cartItems).where(and(eq(cartItems.id, itemId), ownedBy(buyer)));
  return removed.rowCount === 1 || (await db.$count(cartItems, eq(cartItems.id, itemId))) === 0;
}

export async function clearCart(db: DatabaseOrTransaction, buyer: Buyer): Promise<void> {
  await db.delete(cartItems).where(ownedBy(buyer));
}

/**
 * Merges a guest's cart into the customer's at sign-in: units are summed per product, capped by 10 and by stock.
 * Returns the number of capped lines. Sold-out products keep their line, so that the cart can say so.
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
      SELECT product_id, ${customerId}::uuid, least(wanted, most), created_at FROM summed ORDER BY product_id
      ON CONFLICT (user_id, product_id) DO UPDATE SET quantity = excluded.quantity
    )
    SELECT count(*)::int AS capped FROM summed WHERE wanted > most`);
  return { capped: rows[0]?.capped ?? 0 };
}

/**
 * Adds the units of `lines`, a relation of (product_id, quantity), to the buyer's cart, at most 10 of each, without
 * products that left the catalog. Transactions that also move stock call it first, to avoid a deadlock with a new
 * order.
 */
export async function refillCart(db: DatabaseOrTransaction, buyer: Buyer, lines: SQL): Promise<void> {
  const add = (column: SQL) => sql`
    INSERT INTO cart_items (product_id, ${column}, quantity)
    SELECT products.id, ${ownerId(buyer)}::uuid, least(sum(lines.quantity), ${MAX_LINE_QUANTITY}::int)::int
    FROM ${lines} AS lines JOIN products ON products.id = lines.product_id
    WHERE lines.quantity > 0 GROUP BY products.id ORDER BY products.id
    ON CONFLICT (${column}, product_id) DO UPDATE
      SET quantity = least(cart_items.quantity + excluded.quantity, ${MAX_LINE_QUANTITY}::int)`;
  await db.execute(add("customerId" in buyer ? sql`user_id` : sql`session_id`));
}
