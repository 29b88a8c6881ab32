/** Orders that the shop places itself: what a return sends, and what staff send at no charge. They ship like every order. */
import { randomUUID } from "node:crypto";
import { and, asc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { warrantyYears as warrantyYearsOf } from "#shop/catalog/product.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { clock } from "#shop/clock.ts";
import { takeAll } from "#shop/inventory/stock.server.ts";
import { stock } from "#shop/inventory/stock.tables.ts";
import { statusAfter, type ActorOf } from "#shop/orders/lifecycle.ts";
import { insertOrderEvents } from "#shop/orders/order-events.server.ts";
import { orderItems, orders, type OrderEventData } from "#shop/orders/order.tables.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { shippingPolicy } from "#shop/policies.ts";
import { settings } from "#shop/settings/settings.server.ts";
import { shipBy, usualMethod } from "#shop/shipping/methods.ts";
import { today } from "#shop/new-york-time.sql.ts";
import type { GiftReason } from "./order-actions.ts";

/** A product of the catalog, whose units are taken, or a service such as a repair, of which there is no stock. */
export type SentLine = {
  productId: string | null;
  name: string;
  priceCents: number;
  quantity: number;
  /** That of the product it replaces; today's if undefined. */
  warrantyYears?: number | null;
};

/** Tax of the first line, as quoted. */
export type LineTax = { reference: string; cents: number };

type Order = typeof orders.$inferInsert;
type Address =
  `shipping${"FirstName" | "LastName" | "AddressLine1" | "AddressLine2" | "City" | "State" | "PostalCode"}`;
type Recipient = Pick<
  Order,
  "userId" | "sessionId" | "email" | "phone" | "termsVersion" | "billingAddressSameAsShipping" | Address
>;

type ShopOrder = Partial<Pick<Order, "checkoutKey" | "replacesReturnId">> & {
  lines: SentLine[];
  tax?: LineTax | null;
  /** Days before the usual ones until it can ship. */
  waitDays?: number;
  isOnHold?: boolean;
};

/** Places an order and takes its stock. Returns its id, or the product of which there is too little: then nothing is taken. */
export async function placeShopOrder<Event extends "placed" | "replacement-placed">(
  tx: DatabaseOrTransaction,
  recipient: Recipient,
  { lines, tax = null, waitDays = 0, isOnHold = false, ...columns }: ShopOrder,
  event: { type: Event; actor: ActorOf<Event>; data: OrderEventData; staffId: string | null },
): Promise<{ id: string } | { short: string }> {
  const goods = lines.flatMap(({ productId, quantity }) => (productId ? [{ productId, quantity }] : []));
  const short = await takeAll(tx, goods);
  if (short !== null) return { short };
  const id = randomUUID();
  const { shipping } = settings();
  const shippingMethod = usualMethod(shipping);
  const subtotalCents = lines.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0);
  await tx.insert(orders).values({
    checkoutKey: randomUUID(),
    ...recipient,
    ...columns,
    id,
    status: statusAfter(event.type),
    subtotalCents,
    shippingCents: 0,
    taxCents: tax?.cents ?? 0,
    taxReference: tax?.reference,
    totalCents: subtotalCents + (tax?.cents ?? 0),
    shippingMethod,
    shipBy: shipBy(shipping, shippingMethod, daysAfter(newYorkDay(clock.now()), waitDays)),
    promisedOn: sql`${today} + ${waitDays + shippingPolicy.shipWithinDays}::int`,
    onHoldSince: isOnHold ? sql`now()` : null,
  });
  const ofGoods = inArray(
    products.id,
    goods.map(({ productId }) => productId),
  );
  const known = await tx.select().from(products).where(ofGoods);
  const terms = new Map(known.map((product) => [product.id, warrantyYearsOf(product)]));
  await tx.insert(orderItems).values(
    lines.map(({ productId, name, priceCents, quantity, warrantyYears = terms.get(productId ?? "") }, place) => ({
      orderId: id,
      // A service is no product of the catalog.
      productId: productId ?? randomUUID(),
      name,
      priceCents,
      quantity,
      taxCents: place === 0 ? (tax?.cents ?? 0) : 0,
      warrantyYears,
    })),
  );
  const placed = sql`(SELECT id, NULL::text AS from_status, status AS to_status FROM orders WHERE id = ${id}::uuid)`;
  await tx.execute(insertOrderEvents(event.type, event.actor, placed, event.data, event.staffId));
  return { id };
}

/** Products that can be sent now, with their units for sale. */
export const listInStock = (db: DatabaseOrTransaction): Promise<{ id: string; name: string; units: number }[]> =>
  db
    .select({ id: products.id, name: products.name, units: stock.inventoryCount })
    .from(products)
    .innerJoin(stock, eq(stock.productId, products.id))
    .where(and(isNull(products.retiredAt), gt(stock.inventoryCount, 0)))
    .orderBy(asc(products.name));

type Gift = {
  /** Random key of the form: a repeated submission places one order. */
  formKey: string;
  recipient: Pick<Recipient, "email" | "phone" | "termsVersion" | Address>;
  /** Order of the same customer; with its email, the new one belongs to the same account. */
  fromOrderId: string | null;
  /** Units by product. */
  units: Record<string, number>;
  reason: GiftReason;
};

type GiftResult =
  | { ok: true; orderId: string; repeated: boolean }
  | { ok: false; reason: "nothing-chosen" }
  | { ok: false; reason: "sold-out"; productId: string };

/**
 * Places an order at no charge and takes its stock. It has no email of its own: the first one has the tracking number.
 * Refusals: 'nothing-chosen', 'sold-out' with the product.
 */
export async function sendAtNoCharge(db: Database, gift: Gift, by: Acting): Promise<GiftResult> {
  const { formKey, recipient, fromOrderId, reason } = gift;
  const chosen = Object.entries(gift.units).filter(([, units]) => units > 0);
  if (chosen.length === 0) return { ok: false, reason: "nothing-chosen" };
  return transaction(db, async (tx): Promise<GiftResult> => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${formKey}, 0))`);
    const [known] = await tx.select({ id: orders.id }).from(orders).where(eq(orders.checkoutKey, formKey));
    if (known) return { ok: true, orderId: known.id, repeated: true };
    const names = new Map((await listInStock(tx)).map(({ id, name }) => [id, name]));
    const lines: SentLine[] = [];
    for (const [productId, quantity] of chosen) {
      const name = names.get(productId);
      if (!name) return { ok: false, reason: "sold-out", productId };
      lines.push({ productId, name, priceCents: 0, quantity });
    }
    const placed = await placeShopOrder(
      tx,
      { ...recipient, userId: await accountOf(tx, fromOrderId, recipient.email) },
      { lines, checkoutKey: formKey },
      { type: "placed", actor: "staff", data: { reason }, staffId: by.staffId },
    );
    if ("short" in placed) return { ok: false, reason: "sold-out", productId: placed.short };
    const after = { reason, units: chosen.reduce((sum, [, units]) => sum + units, 0) };
    await writeAudit(tx, by, { action: "order.place", subject: `order:${placed.id}`, after });
    return { ok: true, orderId: placed.id, repeated: false };
  });
}

async function accountOf(tx: DatabaseOrTransaction, orderId: string | null, email: string): Promise<string | null> {
  if (orderId === null) return null;
  const isSame = and(eq(orders.id, orderId), eq(sql`lower(${orders.email})`, email.toLowerCase()));
  const [order] = await tx.select({ userId: orders.userId }).from(orders).where(isSame);
  return order?.userId ?? null;
}
