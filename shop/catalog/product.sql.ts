/** Products in SQL: stock, color, current price (the rule of priceOf), order of the catalog, and waitlist-first sales. */
import { asc, desc, getTableColumns, sql, type Placeholder, type SQL } from "drizzle-orm";
import { today } from "#shop/new-york-time.sql.ts";
import { products } from "./product.tables.ts";

export const hexOfColor = sql<string | null>`(SELECT hex FROM colors WHERE colors.name = ${products.colorVariant})`;

/** Stock has a table of its own, which only shop/inventory changes. */
export const inventoryCount = sql<number>`(SELECT inventory_count FROM stock WHERE stock.product_id = ${products.id})`;

/** True if the products row of the query can be bought. */
export const isInStock = sql`(${products.isAvailable} AND EXISTS (
  SELECT FROM stock WHERE stock.product_id = ${products.id} AND stock.inventory_count > 0))`;

/** True for replacement filters (the rule of isFilter). */
export const isFilter = sql`(${products.category} = 'Accessories' AND ${products.specs} ? 'filter_life_months')`;

const earlyBirdPrice = sql<number | null>`
  CASE WHEN ${products.earlyBirdEndDate} > statement_timestamp() THEN ${products.earlyBirdPriceCents} END`;

/** Current unit price in cents, by the database's clock. */
export const currentPrice = sql<number>`coalesce(${earlyBirdPrice}, ${products.priceCents})`;

/** Public columns of a product: an expired early-bird price is null. */
export const forSale = {
  ...getTableColumns(products),
  earlyBirdPriceCents: earlyBirdPrice,
  inventoryCount,
  colorHex: hexOfColor,
};

/** Default order. It ends with the id, so that ties are stable. */
export const featuredFirst = [desc(products.featured), desc(products.createdAt), asc(products.name), asc(products.id)];

export const inCatalogOrder = sql.join(featuredFirst, sql`, `);

/** True for products rows that ship from a later day in New York. */
export const isPreOrder = sql`coalesce(products.ships_from > ${today}, false)`;

/** True for products rows that need an invitation now. */
export const isWaitlistOnly = sql`coalesce(products.waitlist_only_until > now(), false)`;

/**
 * Unused invitation by code hash (null: no code): without an order, or with one that has ended. A transaction that
 * waited for its lock does not see the new order, so only an order known to have ended frees it.
 */
export const unusedInvitation = (codeHash: SQL | Placeholder): SQL => sql`SELECT id FROM waitlist AS invitation
  WHERE code_hash = ${codeHash} AND (order_id IS NULL OR EXISTS (SELECT FROM orders
    WHERE orders.id = invitation.order_id AND orders.status IN ('expired', 'canceled', 'declined')))`;
