/**
 * An order is placed whole or not at all: stock taken, lines frozen, cart emptied and confirmation
 * queued in one statement, which is one transaction. Nothing is sold that is not there, at a price
 * that no longer holds, or twice.
 */
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { getCart, ownedBy } from "../cart/cart.server.ts";
import { lineProblem, type Buyer, type Cart } from "../cart/cart.ts";
import { cartTotals } from "../cart/totals.ts";
import { currentPrice } from "../catalog/price.sql.ts";
import { insertMailJob } from "../mail/outbox-insert.server.ts";
import { formatMoney } from "../money.ts";
import type { CheckoutForm } from "./checkout-form.ts";
import type { SeenLine } from "./seen-lines.ts";

export type OrderProblem = { productId: string; name: string; message: string };
export type OrderRefusal = { ok: false; reason: "empty-cart" | "lines-changed" | "expired"; problems: OrderProblem[] };
export type OrderResult =
  | { ok: true; orderId: string; /** The key had placed this order before. */ repeated: boolean }
  | OrderRefusal;

type OrderRequest = { checkoutKey: string; seenLines: SeenLine[]; form: CheckoutForm };

const ATTEMPTS = 4;
/** Serialization failure and deadlock: the statement did nothing, and may be sent again. */
const isTransient = (error: unknown) =>
  ["40001", "40P01"].includes(
    String((error as { cause?: { code?: string } }).cause?.code ?? (error as { code?: string }).code),
  );

/**
 * Places the buyer's cart as an order (DESIGN 5). `seenLines` are the lines and unit prices in
 * cents that the shopper was shown: the order is refused, line by line, where the cart, the prices
 * or the stock are not (or no longer) exactly those. The same `checkoutKey` from the same buyer
 * always answers with the same order. Refusals: 'empty-cart', 'lines-changed' with the lines and
 * the remedy, 'expired' where the key belongs to somebody else. Throws only when the database fails.
 */
export async function placeOrder(db: Database, buyer: Buyer, request: OrderRequest): Promise<OrderResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (request.seenLines.length > 0) {
        const orderId = await sell(db, buyer, request);
        if (orderId) return { ok: true, orderId, repeated: false };
      }
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
      continue;
    }
    const answer = await explain(db, buyer, request);
    if (answer) return answer;
    // Nothing stands in the way: what did has just changed back.
    if (attempt === ATTEMPTS) return { ok: false, reason: "lines-changed", problems: [] };
  }
}

/** The one statement. Returns the order's id, or null where anything was not as seen. */
async function sell(
  db: Database,
  buyer: Buyer,
  { checkoutKey, seenLines, form }: OrderRequest,
): Promise<string | null> {
  const orderId = randomUUID();
  const totals = cartTotals(seenLines, form.shippingMethod);
  const [userId, sessionId] = "customerId" in buyer ? [buyer.customerId, null] : [null, buyer.guestId];
  const placed = sql`EXISTS (SELECT 1 FROM placed)`;
  // Locks go cart first, then products in id order, so that two orders never wait for each other in a circle.
  const result = await db.execute<{ id: string }>(sql`
    WITH seen AS (
      SELECT * FROM unnest(
        ${sql.param(seenLines.map((line) => line.productId))}::uuid[],
        ${sql.param(seenLines.map((line) => line.quantity))}::int[],
        ${sql.param(seenLines.map((line) => line.unitPriceCents))}::int[]
      ) AS s (product_id, quantity, price)
    ), lines AS (
      SELECT id, product_id, quantity FROM cart_items WHERE ${ownedBy(buyer)} ORDER BY id FOR UPDATE
    ), locked AS (
      SELECT id, name, inventory_count, is_available, ${currentPrice} AS price
      FROM products WHERE id IN (SELECT product_id FROM lines) ORDER BY id FOR NO KEY UPDATE
    ), sold AS (
      SELECT lines.id AS line_id, locked.id, locked.name, locked.price, lines.quantity,
        coalesce(seen.quantity = lines.quantity AND seen.price = locked.price, false)
          AND locked.is_available AND locked.inventory_count >= lines.quantity AS is_as_seen
      FROM lines JOIN locked ON locked.id = lines.product_id LEFT JOIN seen ON seen.product_id = lines.product_id
    ), placed AS (
      INSERT INTO orders (id, checkout_key, user_id, session_id, subtotal, shipping, tax, total, email, phone,
        shipping_first_name, shipping_last_name, shipping_address_line1, shipping_address_line2, shipping_city,
        shipping_state, shipping_postal_code, shipping_country, shipping_method, save_information)
      SELECT ${orderId}::uuid, ${checkoutKey}::uuid, ${userId}::uuid, ${sessionId}::uuid,
        ${totals.subtotalCents}::int, ${totals.shippingCents}::int, ${totals.taxCents}::int, ${totals.totalCents}::int,
        ${form.email}, ${form.phone}, ${form.shippingFirstName}, ${form.shippingLastName}, ${form.shippingAddressLine1},
        ${form.shippingAddressLine2 ?? null}, ${form.shippingCity}, ${form.shippingState}, ${form.shippingPostalCode},
        ${form.shippingCountry}, ${form.shippingMethod}, ${form.saveInformation}::boolean
      WHERE (SELECT count(*) = ${seenLines.length}::int AND bool_and(is_as_seen) FROM sold)
      ON CONFLICT (checkout_key) DO NOTHING
      RETURNING id
    ), taken AS (
      UPDATE products SET inventory_count = products.inventory_count - sold.quantity
      FROM sold WHERE products.id = sold.id AND ${placed}
    ), frozen AS (
      INSERT INTO order_items (order_id, product_id, name, price, quantity)
      SELECT placed.id, sold.id, sold.name, sold.price, sold.quantity FROM sold, placed
    ), emptied AS (
      DELETE FROM cart_items USING sold WHERE cart_items.id = sold.line_id AND ${placed}
    ), mailed AS (
      ${insertMailJob({ letter: "order-confirmation", orderId }, placed)}
    )
    SELECT id FROM placed`);
  return result.rows[0]?.id ?? null;
}

/** Why nothing was sold: the order exists already, or what is not as the shopper saw it. Null: no reason is left. */
async function explain(
  db: Database,
  buyer: Buyer,
  { checkoutKey, seenLines }: OrderRequest,
): Promise<OrderResult | null> {
  const owner = "customerId" in buyer ? buyer.customerId : buyer.guestId;
  const { rows } = await db.execute<{ id: string; is_own: boolean }>(sql`
    SELECT id, coalesce(user_id, session_id) = ${owner}::uuid AS is_own FROM orders WHERE checkout_key = ${checkoutKey}::uuid`);
  const existing = rows[0];
  if (existing?.is_own) return { ok: true, orderId: existing.id, repeated: true };
  if (existing) return { ok: false, reason: "expired", problems: [] };
  const cart = await getCart(db, buyer);
  if (cart.lines.length === 0) return { ok: false, reason: "empty-cart", problems: [] };
  const problems = differences(cart, seenLines);
  return problems.length > 0 ? { ok: false, reason: "lines-changed", problems } : null;
}

/** Each line that is not as the shopper saw it, with what to do about it. */
function differences(cart: Cart, seenLines: SeenLine[]): OrderProblem[] {
  const seen = new Map(seenLines.map((line) => [line.productId, line]));
  const problems: OrderProblem[] = [];
  for (const line of cart.lines) {
    const { productId, name } = line;
    const was = seen.get(productId);
    seen.delete(productId);
    const short = lineProblem(line);
    if (short) problems.push({ productId, name, message: short });
    else if (!was)
      problems.push({
        productId,
        name,
        message: "Was added to your cart meanwhile. Check the summary, then place the order again.",
      });
    else if (was.quantity !== line.quantity) {
      problems.push({
        productId,
        name,
        message: `The quantity is now ${line.quantity}. Check the summary, then place the order again.`,
      });
    } else if (was.unitPriceCents !== line.unitPriceCents) {
      problems.push({
        productId,
        name,
        message: `The price is now ${formatMoney(line.unitPriceCents)} instead of ${formatMoney(was.unitPriceCents)}. Check the summary, then place the order again.`,
      });
    }
  }
  for (const { productId } of seen.values()) {
    problems.push({
      productId,
      name: "An item",
      message: "Is no longer in your cart. Check the summary, then place the order again.",
    });
  }
  return problems;
}
