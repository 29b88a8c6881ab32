/** A cart as it is ordered, or what staff order by hand: what each line costs, is short of, and is promised for. */
import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { ownedBy } from "#shop/cart/cart.server.ts";
import type { Buyer } from "#shop/cart/cart.ts";
import { cartItems } from "#shop/cart/cart.tables.ts";
import { currentPrice, isWaitlistOnly } from "#shop/catalog/product.sql.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { stock } from "#shop/inventory/stock.tables.ts";
import { today } from "#shop/new-york-time.sql.ts";

const laterDay = sql<string | null>`CASE WHEN ${products.shipsFrom} > ${today} THEN ${products.shipsFrom}::text END`;

const ofProduct = {
  name: products.name,
  unitPriceCents: currentPrice,
  category: products.category,
  specs: products.specs,
  isAvailable: products.isAvailable,
  inventoryCount: stock.inventoryCount,
  isWaitlistOnly: sql<boolean>`${isWaitlistOnly}`,
  shipsFrom: laterDay,
};

const readCart = (db: DatabaseOrTransaction, buyer: Buyer) =>
  db
    .select({
      ...ofProduct,
      id: cartItems.id,
      productId: cartItems.productId,
      quantity: cartItems.quantity,
      createdAt: cartItems.createdAt,
      emailVerified: users.emailVerified,
    })
    .from(cartItems)
    .innerJoin(products, eq(products.id, cartItems.productId))
    .innerJoin(stock, eq(stock.productId, cartItems.productId))
    .leftJoin(users, eq(users.id, cartItems.userId))
    .where(ownedBy(buyer))
    .orderBy(cartItems.productId);

export type CheckoutLine = Awaited<ReturnType<typeof readCart>>[number];

/** Sorts lines as the cart shows them. */
export const byCart = (one: CheckoutLine, other: CheckoutLine): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1);

/** Lines of products that are in no cart, in their order; without those that are archived. */
export async function readChosen(
  db: DatabaseOrTransaction,
  chosen: readonly { productId: string; quantity: number }[],
): Promise<CheckoutLine[]> {
  const ids = chosen.map(({ productId }) => productId);
  const found = await db
    .select({ ...ofProduct, productId: products.id })
    .from(products)
    .innerJoin(stock, eq(stock.productId, products.id))
    .where(and(inArray(products.id, ids), isNull(products.retiredAt)));
  return chosen.flatMap(({ productId, quantity }, place) => {
    const product = found.find((each) => each.productId === productId);
    const asInCart = { id: randomUUID(), createdAt: new Date(place), emailVerified: null };
    return product ? [{ ...product, ...asInCart, quantity }] : [];
  });
}

/**
 * Locks the lines of a cart until the transaction ends. Prices follow the database's clock. Stock is locked only when it
 * is taken, so that refusals wait for nobody.
 */
export const lockLines = (tx: DatabaseOrTransaction, buyer: Buyer): Promise<CheckoutLine[]> =>
  readCart(tx, buyer)
    .for("no key update", { of: cartItems })
    .prepare("customerId" in buyer ? "order_lines_of_customer" : "order_lines_of_guest")
    .execute();
