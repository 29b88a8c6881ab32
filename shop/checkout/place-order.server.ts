/**
 * An order is placed whole or not at all: stock taken, lines frozen, its event written, cart emptied and
 * confirmation queued in one statement, which is one transaction. Nothing is sold that is not there, at a price
 * that no longer holds, or twice.
 */
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { isTransient, statement, type Database } from "../../db/connection.server.ts";
import { forBuyer, getCart, ownedBy, ownerId } from "../cart/cart.server.ts";
import { lineProblem, type Buyer, type Cart } from "../cart/cart.ts";
import { cartTotals } from "../cart/totals.ts";
import { NO_CAMPAIGN, type Campaign } from "../campaign.ts";
import { currentPrice } from "../catalog/price.sql.ts";
import { isWaitlistOnly, unusedInvitation } from "../catalog/waitlist-first.sql.ts";
import { lockStock, takeStockCall } from "../inventory/stock.sql.ts";
import type { MailPermit } from "../mail/mail-budget.server.ts";
import { emailJobJson, enqueueEmailCall } from "../mail/enqueue-email.server.ts";
import { formatMoney } from "../money.ts";
import { insertOrderEvents } from "../orders/order-events.sql.ts";
import { statusAfter } from "../orders/lifecycle.ts";
import { PAGE_MINUTES } from "../payments/page/open-page.server.ts";
import { paymentPolicy } from "../policies.ts";
import { consumeInStatement, type Consumption } from "../rate-limits/rate-limits.server.ts";
import type { CheckoutForm } from "./checkout-form.ts";
import type { SeenLine } from "./seen-lines.ts";
import { mayOrder } from "./who-may-order.server.ts";

export type OrderProblem = { productId: string; name: string; message: string };
export type OrderRefusal = {
  ok: false;
  reason: "unverified" | "empty-cart" | "lines-changed" | "expired";
  problems: OrderProblem[];
};
export type OrderResult =
  | { ok: true; orderId: string; /** The key had placed this order before. */ repeated: boolean }
  | OrderRefusal;
/** The order's limits do not let it through; `wait` is in seconds. */
export type LimitRefusal = { ok: false; reason: "too-many"; wait: number };
/** What an order consumes of its limits, how that is refunded, and the permit for its confirmation. */
export type Counted = Consumption & { permit: MailPermit; refund(): Promise<void> };

/** Where the order has to be paid: what it counts against until then. */
export type Hold = { holdKey: string | null };

export type OrderRequest = {
  checkoutKey: string;
  seenLines: SeenLine[];
  form: CheckoutForm;
  /** Where the visit came from in which it is placed. */
  campaign?: Campaign;
  /** The hash of a code that opens what is for the waitlist only, for one order. */
  invitation?: string | null;
};

const ATTEMPTS = 4;

/**
 * Places the buyer's cart as an order. `seenLines` are the lines and unit prices in
 * cents that the shopper was shown: the order is refused, line by line, where the cart, the prices
 * or the stock are not (or no longer) exactly those. The same `checkoutKey` from the same buyer
 * always answers with the same order. Refusals: 'empty-cart', 'lines-changed' with the lines and
 * the remedy, 'expired' where the key belongs to somebody else, 'unverified' for a customer who has
 * not verified their email, 'too-many' where `counted` says so; what is not placed counts nothing. With `hold` the order
 * is unpaid and keeps its units for a while, with a payment that is to be opened; nothing is mailed yet. Throws only when the database fails.
 */
export async function placeOrder(
  db: Database,
  buyer: Buyer,
  request: OrderRequest,
  counted: Counted,
  hold: Hold | null = null,
): Promise<OrderResult | LimitRefusal> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (request.seenLines.length > 0) {
        const { orderId, wait } = await sell(db, buyer, request, counted, hold);
        if (orderId) return { ok: true, orderId, repeated: false };
        if (wait !== null) return { ok: false, reason: "too-many", wait };
        await counted.refund();
      }
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
      continue;
    }
    const explained = await explain(db, buyer, request);
    if (explained) return explained;
    // No reason is left: what was in the way has just changed back, so it is tried again.
    if (attempt === ATTEMPTS) return { ok: false, reason: "lines-changed", problems: [] };
  }
}

const v = sql.placeholder;
const placed = sql`EXISTS (SELECT 1 FROM placed)`;

/** Of an order that has to be paid: it is held, and confirmed once it is paid. */
const held = {
  name: "hold",
  event: "held",
  columns: sql`, status, payment_status, hold_until`,
  values: sql`, ${statusAfter("held")}, 'unpaid', now() + ${paymentPolicy.holdMinutes} * interval '1 minute'`,
  returning: sql`id, total`,
  opened: sql`, opened AS (
      INSERT INTO payments (order_id, provider, amount, expires_at, hold_key)
      SELECT id, 'stripe', total, now() + ${PAGE_MINUTES} * interval '1 minute', ${v("holdKey")} FROM placed
    )`,
} as const;

const confirmed = {
  name: "sell",
  event: "placed",
  columns: sql``,
  values: sql``,
  returning: sql`id, ${enqueueEmailCall(v("emailJob"))}`,
  opened: sql``,
} as const;

/** Of a pre-order; null where it ships now. */
const promisedDay = sql`CASE WHEN ships_from > (now() AT TIME ZONE 'America/New_York')::date THEN ships_from END`;

/** For everybody: what is for the waitlist only is not sold. */
const open = { name: "", invited: sql``, isOpen: sql`NOT ${isWaitlistOnly}`, used: sql`` } as const;

/** For whoever was invited: the code is locked until the order stands, so that it opens one. */
const early = {
  name: "early_",
  invited: sql`, invited AS MATERIALIZED (${unusedInvitation(v("invitation"))} FOR UPDATE)`,
  isOpen: sql`(NOT ${isWaitlistOnly} OR EXISTS (SELECT FROM invited))`,
  used: sql`, used AS (
      UPDATE waitlist_invitations SET order_id = placed.id FROM invited, placed
      WHERE waitlist_invitations.id = invited.id AND EXISTS (SELECT FROM sold WHERE is_waitlist_only)
    )`,
} as const;

/** The one statement. It is prepared, because planning it takes as long as running it. */
const placing = (as: typeof held | typeof confirmed, to: typeof open | typeof early) =>
  forBuyer((kind, owned) =>
    // Locks go limits first, then the cart, then stock in the order of the products' ids, so that two orders never wait
    // for each other in a circle. Nothing is locked where a limit refuses.
    statement<{ id: string | null; wait: number }>(
      `${as.name}_${to.name}to_${kind}`,
      sql`
    WITH counted AS MATERIALIZED (
      SELECT ${consumeInStatement} AS wait
    ), seen AS (
      SELECT * FROM unnest(${v("productIds")}::uuid[], ${v("quantities")}::int[], ${v("prices")}::int[])
        AS s (product_id, quantity, price)
    ), lines AS (
      SELECT id, product_id, quantity FROM cart_items
      WHERE (SELECT wait FROM counted) = 0 AND ${owned} ORDER BY id FOR UPDATE
    ), locked AS (
      ${lockStock(sql`SELECT product_id FROM lines`)}
    )${to.invited}, sold AS (
      SELECT lines.id AS line_id, lines.product_id, products.name, ${currentPrice} AS price, lines.quantity,
        coalesce(seen.quantity = lines.quantity AND seen.price = ${currentPrice}, false)
          AND products.is_available AND locked.inventory_count >= lines.quantity AND ${to.isOpen} AS is_as_seen,
        ${isWaitlistOnly} AS is_waitlist_only, ${promisedDay} AS ships_from
      FROM lines JOIN locked USING (product_id) JOIN products ON products.id = lines.product_id
        LEFT JOIN seen ON seen.product_id = lines.product_id
    ), placed AS (
      INSERT INTO orders (id, checkout_key, ${sql.raw(kind === "customer" ? "user_id" : "session_id")},
        subtotal, shipping, tax, total, email, phone, shipping_first_name, shipping_last_name,
        shipping_address_line1, shipping_address_line2, shipping_city, shipping_state, shipping_postal_code,
        shipping_country, shipping_method, save_information, utm_source, utm_campaign${as.columns})
      SELECT ${v("orderId")}::uuid, ${v("checkoutKey")}::uuid, ${v("owner")}::uuid,
        ${v("subtotalCents")}::int, ${v("shippingCents")}::int, ${v("taxCents")}::int, ${v("totalCents")}::int,
        ${v("email")}, ${v("phone")}, ${v("shippingFirstName")}, ${v("shippingLastName")},
        ${v("shippingAddressLine1")}, ${v("shippingAddressLine2")}, ${v("shippingCity")}, ${v("shippingState")},
        ${v("shippingPostalCode")}, ${v("shippingCountry")}, ${v("shippingMethod")}, ${v("saveInformation")}::boolean,
        ${v("utmSource")}, ${v("utmCampaign")}${as.values}
      WHERE ${mayOrder(kind, v("owner"))} AND (SELECT count(*) = cardinality(${v("productIds")}::uuid[]) AND bool_and(is_as_seen) FROM sold)
      ON CONFLICT (checkout_key) DO NOTHING
      RETURNING ${as.returning}, ${takeStockCall(sql`sold`)}
    ), recorded AS (
      ${insertOrderEvents(as.event, kind, sql`(SELECT id, NULL::text AS from_status FROM placed)`)}
    ), frozen AS (
      INSERT INTO order_items (order_id, product_id, name, price, quantity, ships_from)
      SELECT placed.id, sold.product_id, sold.name, sold.price, sold.quantity, sold.ships_from FROM sold, placed
    ), emptied AS (
      DELETE FROM cart_items USING sold WHERE cart_items.id = sold.line_id AND ${owned} AND ${placed}
    )${as.opened}${to.used}
    SELECT (SELECT id FROM placed) AS id, wait FROM counted`,
    ),
  );
const sellTo = placing(confirmed, open);
const holdFor = placing(held, open);
const sellEarlyTo = placing(confirmed, early);
const holdEarlyFor = placing(held, early);

/** `orderId` is null where anything was not as seen, or the limits are used up: then `wait` is in seconds. */
async function sell(
  db: Database,
  buyer: Buyer,
  { checkoutKey, seenLines, form, campaign = NO_CAMPAIGN, invitation = null }: OrderRequest,
  { values, waitOf, permit }: Counted,
  hold: Hold | null,
): Promise<{ orderId: string | null; wait: number | null }> {
  const orderId = randomUUID();
  const place = invitation === null ? (hold ? holdFor : sellTo) : hold ? holdEarlyFor : sellEarlyTo;
  const [order] = await place(buyer)(db, {
    ...form,
    ...values,
    ...campaign,
    ...hold,
    ...(invitation !== null && { invitation }),
    shippingAddressLine2: form.shippingAddressLine2 ?? null,
    ...cartTotals(seenLines, form.shippingMethod),
    orderId,
    checkoutKey,
    owner: ownerId(buyer),
    productIds: seenLines.map((line) => line.productId),
    quantities: seenLines.map((line) => line.quantity),
    prices: seenLines.map((line) => line.unitPriceCents),
    emailJob: emailJobJson({ template: "order-confirmation", orderId }, permit),
  });
  return { orderId: order?.id ?? null, wait: waitOf(order?.wait ?? 0) };
}

/** The order that a key has placed, and whether it is this buyer's. */
export async function findPlaced(
  db: Database,
  buyer: Buyer,
  checkoutKey: string,
): Promise<{ id: string; isOwn: boolean } | null> {
  const { rows } = await db.execute<{ id: string; is_own: boolean }>(sql`
    SELECT id, coalesce(user_id, session_id) = ${ownerId(buyer)}::uuid AS is_own FROM orders WHERE checkout_key = ${checkoutKey}::uuid`);
  return rows[0] ? { id: rows[0].id, isOwn: rows[0].is_own } : null;
}

/** Why nothing was sold: the key has placed its order already, or what is not as the shopper saw it. Null: no reason. */
async function explain(db: Database, buyer: Buyer, request: OrderRequest): Promise<OrderResult | null> {
  const { checkoutKey, seenLines } = request;
  const existing = await findPlaced(db, buyer, checkoutKey);
  if (existing?.isOwn) return { ok: true, orderId: existing.id, repeated: true };
  if (existing) return { ok: false, reason: "expired", problems: [] };
  if ("customerId" in buyer) {
    const { rows: may } = await db.execute<{ order: boolean }>(
      sql`SELECT ${mayOrder("customer", buyer.customerId)} AS "order"`,
    );
    if (!may[0]?.order) return { ok: false, reason: "unverified", problems: [] };
  }
  const cart = await getCart(db, buyer);
  if (cart.lines.length === 0) return { ok: false, reason: "empty-cart", problems: [] };
  const problems = [...differences(cart, seenLines), ...(await notOpen(db, buyer, request))];
  return problems.length > 0 ? { ok: false, reason: "lines-changed", problems } : null;
}

/** Each line that is for the waitlist only, where no unused code opens it. */
async function notOpen(db: Database, buyer: Buyer, { invitation = null }: OrderRequest): Promise<OrderProblem[]> {
  const { rows } = await db.execute<Omit<OrderProblem, "message">>(sql`
    SELECT products.id AS "productId", products.name FROM cart_items JOIN products ON products.id = product_id
    WHERE ${ownedBy(buyer)} AND ${isWaitlistOnly} AND NOT EXISTS (${unusedInvitation(sql`${invitation}`)})`);
  const message = "Is open to our waitlist first. Open the link in your invitation, or take it out of your cart.";
  return rows.map((row) => ({ ...row, message }));
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
