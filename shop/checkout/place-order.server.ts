/** Order placement: one short transaction that never sells missing stock, at an outdated price, or twice. */
import { eq, sql } from "drizzle-orm";
import { isUniqueViolation, transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { ownerId } from "#shop/cart/cart.server.ts";
import type { Buyer } from "#shop/cart/cart.ts";
import { cartTotals } from "#shop/cart/totals.ts";
import { unusedInvitation } from "#shop/catalog/product.sql.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { clock } from "#shop/clock.ts";
import { isChargedAtShipping, maxQuantity } from "#shop/catalog/stock.ts";
import { lockCode } from "#shop/discounts/discounts.server.ts";
import { readStock } from "#shop/inventory/stock.server.ts";
import { consumeWithMail, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { offersPayPal } from "#shop/payments/offered.server.ts";
import type { PointsByKey, RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { readSettings, settings } from "#shop/settings/settings.server.ts";
import type { DueTax } from "#shop/tax/quote.server.ts";
import { lockLines, type CheckoutLine } from "./checkout-lines.server.ts";
import {
  lineProblems,
  shippingProblem,
  type DiscountRefusal,
  type ExpectedDiscount,
  type ExpectedLine,
  type ExpectedShipping,
  type OrderProblem,
} from "./expected-lines.ts";
import { findExpected } from "./expected-discount.server.ts";
import { quoteExpected, type ExpectedTax, type TaxRefusal } from "./expected-tax.server.ts";
import { isUnpaidLimit, orderLimits, pointsBack, type OrderLimit } from "./order-limits.ts";
import { writeOrder, type ConfirmedOrder } from "./write-order.server.ts";

export type Caller = { buyer: Buyer; network: string; accountEmail: string | null };

export type OrderRequest = ConfirmedOrder & {
  expectedLines: ExpectedLine[];
  expectedShipping: ExpectedShipping;
  /** As `readCode` returns it. */
  code?: string | null;
  expectedDiscount?: ExpectedDiscount;
  /** Hash of a waitlist code, which opens waitlist-only products for one order. */
  invitation?: string | null;
  /** Effective date of the terms that the shopper saw, YYYY-MM-DD. */
  seenTerms?: string | null;
  /** Without it the order has no tax. */
  tax?: ExpectedTax | null;
};

export type OrderRefusal = {
  ok: false;
  reason: "unverified" | "empty-cart" | "lines-changed" | "terms-changed" | "expired" | "not-by-paypal";
  problems: OrderProblem[];
};
export type ShippingRefusal = { ok: false; reason: "shipping-changed"; message: string };
export type TooMany = {
  ok: false;
  reason: "too-many";
  by: OrderLimit["by"];
  /** Seconds to wait. */
  wait: number;
  isGuest: boolean;
  product: { productId: string; name: string } | null;
};
type OrderResult =
  | { ok: true; orderId: string; repeated: boolean; isFree?: boolean }
  | OrderRefusal
  | ShippingRefusal
  | DiscountRefusal
  | TaxRefusal
  | TooMany;

/** Customers need a verified email, because confirmations and shipping updates go there. */
export const mustVerifyEmail = (customer: { emailVerified: boolean } | null): boolean =>
  customer !== null && !customer.emailVerified;

/**
 * Places the buyer's cart as an order. `expectedLines` are the lines and unit prices in cents that the shopper saw: the
 * order is refused, line by line, if cart, prices or stock differ. The same `checkoutKey` of the same buyer always
 * returns the same order. Refusals: 'empty-cart', 'lines-changed', 'shipping-changed' and 'discount-changed' if they are not what the shopper saw,
 * 'terms-changed' if other terms have taken effect since, 'not-by-paypal' if PayPal is off or cannot charge later,
 * 'expired' if the key is another buyer's, 'unverified', 'tax-changed' and 'tax-unknown' where tax is due, and 'too-many' with the exhausted limit; refused and
 * repeated orders consume no limit. Throws only if the database fails.
 */
export async function placeOrder(
  db: Database,
  rateLimits: RateLimits,
  caller: Caller,
  request: OrderRequest,
): Promise<OrderResult> {
  const result = await placeWithinLimits(db, rateLimits, caller, request);
  if (result.ok) return result;
  const placed = await findPlaced(db, caller.buyer, request.checkoutKey);
  if (placed?.isOwn) return { ok: true, orderId: placed.orderId, repeated: true };
  return placed && "problems" in result ? refuse("expired") : result;
}

/** Limits are consumed before the transaction, so that buyers behind one address do not wait for each other. */
async function placeWithinLimits(
  db: Database,
  rateLimits: RateLimits,
  { buyer, network, accountEmail }: Caller,
  request: OrderRequest,
): Promise<OrderResult> {
  const { form, expectedLines, code = null, expectedDiscount = null, mustPay, tax } = request;
  const isQuoted = tax && expectedLines.length > 0;
  const expected = isQuoted && { form, expectedLines, owner: ownerId(buyer), code, expectedDiscount, tax };
  const quoted = expected ? await quoteExpected(db, rateLimits, network, expected) : null;
  if (quoted?.ok === false) return quoted;
  const customer = "customerId" in buyer ? { id: buyer.customerId, email: accountEmail ?? "" } : null;
  const productIds = expectedLines.map(({ productId }) => productId);
  const unitsLeft = mustPay ? await readStock(db, productIds) : null;
  const { maxUnpaidOrders } = settings().limits;
  const ordering = { network, email: form.email, customer, lines: expectedLines, unitsLeft, maxUnpaidOrders };
  const limits = orderLimits(ordering);
  const counted = await consumeWithMail(rateLimits, limits);
  if (!counted.permit) {
    const { limit, wait } = counted;
    const product = limit.productId ? await nameOf(db, limit.productId) : null;
    return { ok: false, reason: "too-many", by: limit.by, wait, isGuest: customer === null, product };
  }
  const unpaid = limits.filter(isUnpaidLimit);
  const holdLimits = Object.fromEntries(unpaid.map((limit) => [rateLimits.keyOf(limit), pointsBack(limit)]));
  let result: OrderResult | undefined;
  try {
    result = await transaction(db, (tx) =>
      place(tx, buyer, { ...request, quote: quoted?.quote ?? null }, counted.permit, holdLimits),
    );
  } catch (error) {
    // A concurrent request placed an order with the same key.
    if (!isUniqueViolation(error, "orders_checkoutKey_unique")) throw error;
    result = refuse("expired");
  } finally {
    if (!result?.ok) await rateLimits.refund(limits);
    else if (result.isFree) await rateLimits.refund(unpaid);
  }
  return result;
}

type QuotedRequest = OrderRequest & { quote: DueTax | null };

const refuse = (reason: OrderRefusal["reason"], problems: OrderProblem[] = []): OrderRefusal => ({
  ok: false,
  reason,
  problems,
});

async function findPlaced(db: Database, buyer: Buyer, checkoutKey: string) {
  const [placed] = await db
    .select({ orderId: orders.id, owner: sql<string | null>`coalesce(${orders.userId}, ${orders.sessionId})` })
    .from(orders)
    .where(eq(orders.checkoutKey, checkoutKey));
  return placed && { orderId: placed.orderId, isOwn: placed.owner === ownerId(buyer) };
}

function refusalOf(
  lines: CheckoutLine[],
  buyer: Buyer,
  { expectedLines }: OrderRequest,
  isInvited: boolean,
): OrderRefusal | null {
  if (lines.length === 0) return refuse("empty-cart");
  if ("customerId" in buyer && !lines[0]?.emailVerified) return refuse("unverified");
  const current = lines
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    .map((line) => ({ ...line, maxQuantity: maxQuantity(line), isClosed: line.isWaitlistOnly && !isInvited }));
  const problems = lineProblems(current, expectedLines);
  return problems.length > 0 ? refuse("lines-changed", problems) : null;
}

/** Locks are taken on cart lines, invitation and stock, by product id, so that orders never deadlock. */
async function place(
  tx: DatabaseOrTransaction,
  buyer: Buyer,
  request: QuotedRequest,
  permit: MailPermit,
  holdLimits: PointsByKey,
): Promise<OrderResult> {
  const lines = await lockLines(tx, buyer);
  const invitation = lines.some((line) => line.isWaitlistOnly) ? await lockInvitation(tx, request.invitation) : null;
  const refusal = refusalOf(lines, buyer, request, invitation !== null);
  if (refusal) return refusal;
  const { shipping, payments: methods } = await readSettings(tx);
  const { expectedShipping, form, seenTerms, termsVersion } = request;
  if (seenTerms && seenTerms !== termsVersion) return refuse("terms-changed");
  const takesPayPal = offersPayPal(methods) && !isChargedAtShipping(lines, clock.now());
  if (form.paymentProvider === "paypal" && !takesPayPal) return refuse("not-by-paypal");
  const { code = null, expectedDiscount = null } = request;
  if (code) await lockCode(tx, code);
  // An unpaid order of the buyer's own counts too: it may just be paid in another tab.
  const seen = { lines, shipping, owner: null, email: form.email, code, expectedDiscount };
  const discount = await findExpected(tx, seen);
  if (!discount.ok) return discount;
  const { applied } = discount;
  const { taxCents } = request.quote ?? {};
  const { subtotalCents, totalCents } = cartTotals(shipping, lines, form.shippingMethod, taxCents, applied);
  const message = shippingProblem(shipping, expectedShipping, form.shippingMethod, subtotalCents);
  if (message) return { ok: false, reason: "shipping-changed", message };
  const priced = { ...request, mustPay: request.mustPay && totalCents > 0, shipping, discount: applied };
  const orderId = await writeOrder(tx, buyer, priced, lines, permit, holdLimits);
  if (invitation) {
    await tx.execute(sql`UPDATE waitlist SET order_id = ${orderId} WHERE id = ${invitation}`);
  }
  return { ok: true, orderId, repeated: false, isFree: totalCents === 0 };
}

async function nameOf(db: Database, productId: string): Promise<TooMany["product"]> {
  const [product] = await db.select({ name: products.name }).from(products).where(eq(products.id, productId));
  return product ? { productId, name: product.name } : null;
}

async function lockInvitation(tx: DatabaseOrTransaction, codeHash: string | null | undefined): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string }>(sql`${unusedInvitation(sql`${codeHash ?? null}`)} FOR UPDATE`);
  return rows[0]?.id ?? null;
}
