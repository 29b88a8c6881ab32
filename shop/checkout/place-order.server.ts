/** Order placement: one short transaction that never sells missing stock, at an outdated price, or twice. */
import { randomUUID } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import {
  isUniqueViolation,
  Retry,
  transaction,
  type Database,
  type DatabaseOrTransaction,
} from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { NO_CAMPAIGN, type Campaign } from "#shop/campaign.ts";
import { ownedBy, ownerId } from "#shop/cart/cart.server.ts";
import type { Buyer } from "#shop/cart/cart.ts";
import { cartItems } from "#shop/cart/cart.tables.ts";
import { cartTotals } from "#shop/cart/totals.ts";
import { currentPrice, isWaitlistOnly, unusedInvitation } from "#shop/catalog/product.sql.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { clock } from "#shop/clock.ts";
import { isChargedAtShipping, maxQuantity } from "#shop/catalog/stock.ts";
import { readStock, takeStock } from "#shop/inventory/stock.server.ts";
import { stock } from "#shop/inventory/stock.tables.ts";
import { consumeWithMail, enqueueEmailCall, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { statusAfter } from "#shop/orders/lifecycle.ts";
import { orderEvents, orderItems, orders } from "#shop/orders/order.tables.ts";
import { PAGE_MINUTES } from "#shop/payments/open-page.server.ts";
import { offersPayPal } from "#shop/payments/offered.server.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { paymentPolicy, shippingPolicy } from "#shop/policies.ts";
import type { PointsByKey, RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { readSettings, settings } from "#shop/settings/settings.server.ts";
import type { ShippingSettings } from "#shop/settings/settings.ts";
import { shipBy, type ShippingPrices } from "#shop/shipping/methods.ts";
import type { DueTax } from "#shop/tax/quote.server.ts";
import { today } from "#shop/new-york-time.sql.ts";
import type { CheckoutForm } from "./checkout-form.ts";
import { lineProblems, shippingProblem, type ExpectedLine, type OrderProblem } from "./expected-lines.ts";
import { quoteExpected, type ExpectedTax, type TaxRefusal } from "./expected-tax.server.ts";
import { isUnpaidLimit, orderLimits, pointsBack, type OrderLimit } from "./order-limits.ts";

export type Caller = { buyer: Buyer; network: string; accountEmail: string | null };

export type OrderRequest = {
  checkoutKey: string;
  expectedLines: ExpectedLine[];
  expectedShipping: ShippingPrices;
  form: CheckoutForm;
  /** Effective date of the terms that the buyer agrees to, YYYY-MM-DD. */
  termsVersion: string;
  campaign?: Campaign;
  /** Hash of a waitlist code, which opens waitlist-only products for one order. */
  invitation?: string | null;
  /** The order begins as unpaid and reserves stock until its payment is authorized. */
  mustPay?: boolean;
  /** Without it the order has no tax. */
  tax?: ExpectedTax | null;
};

export type OrderRefusal = {
  ok: false;
  reason: "unverified" | "empty-cart" | "lines-changed" | "expired" | "not-by-paypal";
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
  | { ok: true; orderId: string; repeated: boolean }
  | OrderRefusal
  | ShippingRefusal
  | TaxRefusal
  | TooMany;

/** Customers need a verified email, because confirmations and shipping updates go there. */
export const mustVerifyEmail = (customer: { emailVerified: boolean } | null): boolean =>
  customer !== null && !customer.emailVerified;

/**
 * Places the buyer's cart as an order. `expectedLines` are the lines and unit prices in cents that the shopper saw: the
 * order is refused, line by line, if cart, prices or stock differ. The same `checkoutKey` of the same buyer always
 * returns the same order. Refusals: 'empty-cart', 'lines-changed', 'shipping-changed' if the method's price is not the one that the shopper saw,
 * 'not-by-paypal' if PayPal is off or cannot charge later,
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
  const { form, expectedLines, expectedShipping, mustPay, tax } = request;
  const isQuoted = tax && expectedLines.length > 0;
  const expected = isQuoted && { form, expectedLines, expectedShipping, tax };
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
  }
  return result;
}

type QuotedRequest = OrderRequest & { quote: DueTax | null };
type PricedRequest = QuotedRequest & { shipping: ShippingSettings };

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
  const lines = await readCart(tx, buyer)
    .for("no key update", { of: cartItems })
    .prepare("customerId" in buyer ? "order_lines_of_customer" : "order_lines_of_guest")
    .execute();
  const invitation = lines.some((line) => line.isWaitlistOnly) ? await lockInvitation(tx, request.invitation) : null;
  const refusal = refusalOf(lines, buyer, request, invitation !== null);
  if (refusal) return refusal;
  const { shipping, payments: methods } = await readSettings(tx);
  const { expectedShipping, form } = request;
  const takesPayPal = offersPayPal(methods) && !isChargedAtShipping(lines, clock.now());
  if (form.paymentProvider === "paypal" && !takesPayPal) return refuse("not-by-paypal");
  const { subtotalCents } = cartTotals(shipping, lines);
  const message = shippingProblem(shipping, expectedShipping, form.shippingMethod, subtotalCents);
  if (message) return { ok: false, reason: "shipping-changed", message };
  const orderId = await sell(tx, buyer, { ...request, shipping }, lines, permit, holdLimits);
  if (invitation) {
    await tx.execute(sql`UPDATE waitlist SET order_id = ${orderId} WHERE id = ${invitation}`);
  }
  return { ok: true, orderId, repeated: false };
}

async function nameOf(db: Database, productId: string): Promise<TooMany["product"]> {
  const [product] = await db.select({ name: products.name }).from(products).where(eq(products.id, productId));
  return product ? { productId, name: product.name } : null;
}

const laterDay = sql<string | null>`CASE WHEN ${products.shipsFrom} > ${today} THEN ${products.shipsFrom}::text END`;

/** Prices follow the database's clock. Stock is locked only when it is taken, so that refusals wait for nobody. */
const readCart = (db: DatabaseOrTransaction, buyer: Buyer) =>
  db
    .select({
      id: cartItems.id,
      productId: cartItems.productId,
      name: products.name,
      quantity: cartItems.quantity,
      unitPriceCents: currentPrice,
      isAvailable: products.isAvailable,
      inventoryCount: stock.inventoryCount,
      isWaitlistOnly: sql<boolean>`${isWaitlistOnly}`,
      shipsFrom: laterDay,
      createdAt: cartItems.createdAt,
      emailVerified: users.emailVerified,
    })
    .from(cartItems)
    .innerJoin(products, eq(products.id, cartItems.productId))
    .innerJoin(stock, eq(stock.productId, cartItems.productId))
    .leftJoin(users, eq(users.id, cartItems.userId))
    .where(ownedBy(buyer))
    .orderBy(cartItems.productId);

type CheckoutLine = Awaited<ReturnType<typeof readCart>>[number];

/** The latest day stated for a line. */
const shipsOn = (lines: CheckoutLine[]): string | null =>
  lines
    .flatMap(({ shipsFrom }) => shipsFrom ?? [])
    .toSorted()
    .at(-1) ?? null;

async function lockInvitation(tx: DatabaseOrTransaction, codeHash: string | null | undefined): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string }>(sql`${unusedInvitation(sql`${codeHash ?? null}`)} FOR UPDATE`);
  return rows[0]?.id ?? null;
}

const inMinutes = (minutes: number) => sql`now() + ${minutes} * interval '1 minute'`;

/**
 * One statement writes the order, takes its stock, and queues the confirmation or creates the payment. If concurrent
 * orders took the stock, the transaction is retried with what is left.
 */
async function sell(
  tx: DatabaseOrTransaction,
  buyer: Buyer,
  { form, checkoutKey, termsVersion, campaign = NO_CAMPAIGN, mustPay, quote, shipping }: PricedRequest,
  lines: CheckoutLine[],
  permit: MailPermit,
  holdLimits: PointsByKey,
): Promise<string> {
  const orderId = randomUUID();
  const event = mustPay ? "held" : "placed";
  const { subtotalCents, shippingCents, taxCents, totalCents } = cartTotals(
    shipping,
    lines,
    form.shippingMethod,
    quote?.taxCents,
  );
  const order = tx.insert(orders).values({
    ...form,
    ...campaign,
    ...("customerId" in buyer ? { userId: buyer.customerId } : { sessionId: buyer.guestId }),
    id: orderId,
    checkoutKey,
    subtotalCents,
    shippingCents,
    taxCents,
    shippingTaxCents: quote?.shippingTaxCents ?? 0,
    taxReference: quote?.reference,
    totalCents,
    // Without a stated day, the calendar days of 16 CFR 435.2(a)(1).
    promisedOn: shipsOn(lines) ?? sql`${today} + ${shippingPolicy.shipWithinDays}::int`,
    shipBy: shipBy(shipping, form.shippingMethod, newYorkDay(clock.now()), shipsOn(lines)),
    termsVersion,
    status: statusAfter(event),
    ...(mustPay && { paymentStatus: "unpaid", holdUntil: inMinutes(paymentPolicy.reservationMinutes) }),
  });
  const payment = tx.insert(payments).values({
    orderId,
    kind: isChargedAtShipping(lines, clock.now()) ? "setup" : "page",
    provider: form.paymentProvider ?? "stripe",
    amountCents: totalCents,
    expiresAt: inMinutes(PAGE_MINUTES),
    holdLimits,
  });
  const { rows } = await tx.execute<{ taken: number }>(sql`
    WITH placed AS ${order},
    recorded AS ${tx.insert(orderEvents).values({
      orderId,
      type: event,
      toStatus: statusAfter(event),
      actor: "customerId" in buyer ? "customer" : "guest",
    })},
    frozen AS ${tx.insert(orderItems).values(
      lines.map(({ productId, name, unitPriceCents: priceCents, quantity, shipsFrom }) => ({
        orderId,
        productId,
        name,
        priceCents,
        quantity,
        taxCents: quote?.lineTaxCents[productId] ?? 0,
        shipsFrom,
      })),
    )},
    taken AS (${takeStock(lines)}),
    emptied AS ${tx.delete(cartItems).where(
      inArray(
        cartItems.id,
        lines.map(({ id }) => id),
      ),
    )}
    ${mustPay ? sql`, opened AS ${payment}` : sql``}
    SELECT (SELECT count(*) FROM taken)::int AS taken
      ${mustPay ? sql`` : sql`, ${enqueueEmailCall({ template: "order-confirmation", orderId }, permit)}`}`);
  if (rows[0]?.taken !== lines.length) throw new Retry("units were sold meanwhile");
  return orderId;
}
