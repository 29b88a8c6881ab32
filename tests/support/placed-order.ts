/** An order as it stands after checkout, written past the checkout. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { warrantyYears } from "#shop/catalog/product.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { cartTotals } from "#shop/cart/totals.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import type { OrderStatus } from "#shop/orders/lifecycle.ts";
import { orderItems, orders } from "#shop/orders/order.tables.ts";
import { insertUnits } from "#shop/orders/units.sql.ts";
import { unitsOfLines } from "#shop/orders/units.ts";
import { writeSummary } from "#shop/orders/write-change.server.ts";
import { policy } from "#shop/policies.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import { ANNOUNCE_ALL, CHARGE_ALL, SHIP_ALL } from "./units.ts";

export type Placed = {
  id: string;
  /** Its lines' ids, by product. */
  lines: Record<string, string>;
  totalCents: number;
  /** The provider's name of its payment. */
  reference: string;
};

/**
 * `isArranged`: placed without a provider, and staff have recorded its payment. `keepsCard`: each parcel is charged, and
 * the lines ship from the given day, if any.
 */
type Placing = {
  status?: OrderStatus;
  isAuthorized?: boolean;
  isArranged?: boolean;
  keepsCard?: boolean;
  shipsFrom?: Record<string, string>;
};

/** Units of products by their slug, at 40 dollars each; their stock is as it was. */
export async function placedOrder(
  db: Database,
  units: Record<string, number>,
  { status = "processing", isAuthorized = false, isArranged = false, keepsCard = false, shipsFrom = {} }: Placing = {},
): Promise<Placed> {
  const priceCents = 40_00;
  const bought = Object.entries(units).map(([slug, quantity]) => ({ slug, quantity, unitPriceCents: priceCents }));
  const { subtotalCents, shippingCents, taxCents, totalCents } = cartTotals(FIRST_SETTINGS.shipping, bought);
  const id = randomUUID();
  await db.insert(orders).values({
    id,
    checkoutKey: randomUUID(),
    sessionId: randomUUID(),
    stage: status === "processing" ? "to-ship" : status,
    paymentStatus: status === "unpaid" ? "unpaid" : "none",
    holdUntil: status === "unpaid" ? new Date(Date.now() + 1_800_000) : null,
    subtotalCents,
    shippingCents,
    taxCents,
    totalCents,
    shipBy: daysAfter(newYorkDay(new Date()), 2),
    termsVersion: policy.effectiveDate,
    email: `${id}@example.com`,
    phone: "2125550100",
    shippingFirstName: "Ada",
    shippingLastName: "Lovelace",
    shippingAddressLine1: "12 Analytical Ave",
    shippingCity: "New York",
    shippingState: "NY",
    shippingPostalCode: "10001",
    shippingMethod: "standard",
  });
  const lines: Placed["lines"] = {};
  for (const { slug, quantity } of bought) {
    const [product] = await db.select().from(products).where(eq(products.slug, slug));
    lines[slug] = randomUUID();
    await db.insert(orderItems).values({
      id: lines[slug],
      orderId: id,
      productId: product?.id ?? randomUUID(),
      name: slug,
      priceCents,
      quantity,
      shipsFrom: shipsFrom[slug] ?? null,
      warrantyYears: product && warrantyYears(product),
    });
  }
  const placed = bought.map(({ slug, quantity }) => ({ id: lines[slug]!, priceCents, quantity, taxCents: 0 }));
  await db.execute(insertUnits(id, unitsOfLines(placed)));
  if (status === "shipped" || status === "delivered") await db.$client.query(SHIP_ALL, [id, status]);
  const reference = `page of ${id}`;
  if (isAuthorized) {
    await db.insert(payments).values({
      orderId: id,
      provider: "stripe",
      reference,
      intentReference: `payment of ${id}`,
      state: "authorized",
      amountCents: totalCents,
      authorizedCents: totalCents,
    });
  }
  if (keepsCard) {
    await db.insert(payments).values({
      orderId: id,
      kind: "setup",
      provider: "stripe",
      reference,
      state: "saved",
      amountCents: totalCents,
      method: { brand: "visa", lastFour: "4242", wallet: null },
      savedCustomer: `customer of ${id}`,
      savedMethod: `card of ${id}`,
    });
  }
  if (isArranged) {
    const paymentId = randomUUID();
    await db.insert(payments).values({
      id: paymentId,
      orderId: id,
      provider: "manual",
      arrangement: { how: "check", reference: "1042" },
      state: "captured",
      amountCents: totalCents,
      capturedCents: totalCents,
    });
    await db.$client.query(CHARGE_ALL, [id, paymentId]);
  }
  await writeSummary(db, id);
  return { id, lines, totalCents, reference };
}

/** The buyer of an order with a kept card, if it is one, has read of its charge, and need not wait for the day. */
export async function announceAll(db: Database, orderId: string): Promise<void> {
  await db.$client.query(ANNOUNCE_ALL, [orderId]);
  await writeSummary(db, orderId);
}
