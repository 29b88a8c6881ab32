/** Orders that staff send at no charge. They ship like every order. */
import { randomUUID } from "node:crypto";
import { and, asc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { warrantyYears } from "#shop/catalog/product.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { clock } from "#shop/clock.ts";
import { takeAll } from "#shop/inventory/stock.server.ts";
import { stock } from "#shop/inventory/stock.tables.ts";
import { firstStage } from "#shop/orders/lifecycle.ts";
import { insertOrderEvents } from "#shop/orders/order-events.server.ts";
import { orderItems, orders } from "#shop/orders/order.tables.ts";
import { insertUnits } from "#shop/orders/units.sql.ts";
import { unitsOfLines } from "#shop/orders/units.ts";
import { settings } from "#shop/settings/settings.server.ts";
import { shipBy, usualMethod } from "#shop/shipping/methods.ts";
import { mail } from "./locked-order.server.ts";
import type { GiftReason } from "#shop/orders/reasons.ts";

/** A product of the catalog at no charge. */
type SentLine = { productId: string; name: string; quantity: number };

type Order = typeof orders.$inferInsert;
type Address =
  `shipping${"FirstName" | "LastName" | "AddressLine1" | "AddressLine2" | "City" | "State" | "PostalCode"}`;
type Recipient = Pick<Order, "userId" | "email" | "phone" | "termsVersion" | Address>;

type ShopOrder = { recipient: Recipient; checkoutKey: string; lines: SentLine[]; reason: GiftReason };

/** Places an order and takes its stock. Returns its id, or the product of which there is too little: then nothing is taken. */
async function place(
  tx: DatabaseOrTransaction,
  { recipient, checkoutKey, lines, reason }: ShopOrder,
  { staffId }: Acting,
): Promise<{ id: string } | { short: string }> {
  const short = await takeAll(tx, lines);
  if (short !== null) return { short };
  const id = randomUUID();
  const { shipping } = settings();
  const shippingMethod = usualMethod(shipping);
  const amounts = { subtotalCents: 0, shippingCents: 0, taxCents: 0, totalCents: 0 };
  await tx.insert(orders).values({
    ...recipient,
    ...amounts,
    id,
    checkoutKey,
    stage: firstStage("placed"),
    shippingMethod,
    shipBy: shipBy(shipping, shippingMethod, clock.now()),
  });
  const ofGoods = inArray(
    products.id,
    lines.map(({ productId }) => productId),
  );
  const known = await tx.select().from(products).where(ofGoods);
  const items = lines.map((line, position) => ({
    ...line,
    id: randomUUID(),
    orderId: id,
    priceCents: 0,
    taxCents: 0,
    position,
    warrantyYears: warrantyYears(known.find((product) => product.id === line.productId)!),
  }));
  await tx.insert(orderItems).values(items);
  await tx.execute(insertUnits(id, unitsOfLines(items)));
  const placed = sql`(SELECT id, NULL::text AS from_status, status AS to_status FROM orders WHERE id = ${id}::uuid)`;
  await tx.execute(insertOrderEvents("placed", "staff", placed, { reason }, staffId));
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
 * Places an order at no charge, takes its stock and sends its confirmation.
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
      lines.push({ productId, name, quantity });
    }
    const owned = { ...recipient, userId: await accountOf(tx, fromOrderId, recipient.email) };
    const placed = await place(tx, { recipient: owned, checkoutKey: formKey, lines, reason }, by);
    if ("short" in placed) return { ok: false, reason: "sold-out", productId: placed.short };
    const after = { reason, units: chosen.reduce((sum, [, units]) => sum + units, 0) };
    await mail(tx, { template: "order-confirmation", orderId: placed.id });
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
