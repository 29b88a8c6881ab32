/** Exchanges: what a product may be exchanged for, and what that costs. */
import { and, asc, eq, gte, ne, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { currentPrice, isWaitlistOnly } from "#shop/catalog/product.sql.ts";
import { products } from "#shop/catalog/product.tables.ts";
import type { LineTax, SentLine } from "#shop/fulfillment/shop-order.server.ts";
import { stock } from "#shop/inventory/stock.tables.ts";
import { orderItems, orders } from "#shop/orders/order.tables.ts";
import { collectsIn, taxableLines, taxAddress } from "#shop/tax/quote.server.ts";
import { TaxError, type TaxProvider } from "#shop/tax/tax-provider.ts";
import { today } from "#shop/new-york-time.sql.ts";
import { differenceOf } from "./amounts.ts";

export type ExchangeChoice = {
  productId: string;
  name: string;
  slug: string;
  thumbnail: string | null;
  priceCents: number;
  unitsLeft: number;
  /** For all units, before tax: to pay if positive, refunded if negative. */
  differenceCents: number;
};

const mayShipNow = and(
  eq(products.isAvailable, true),
  sql`NOT ${isWaitlistOnly}`,
  sql`coalesce(${products.shipsFrom} <= ${today}, true)`,
);

type Line = { lineId: string; units: number };

/** Products for which units of a line may be exchanged now. The caller has checked ownership of the order. */
export async function exchangeChoices(db: Database, orderId: string, { lineId, units }: Line) {
  const ofOrder = and(eq(orderItems.id, lineId), eq(orderItems.orderId, orderId));
  const [line] = await db.select().from(orderItems).where(ofOrder);
  if (!line) return [];
  const { id: productId, name, slug, thumbnail } = products;
  const found = await db
    .select({ productId, name, slug, thumbnail, priceCents: currentPrice, unitsLeft: stock.inventoryCount })
    .from(products)
    .innerJoin(stock, eq(stock.productId, products.id))
    .where(and(mayShipNow, ne(products.id, line.productId), gte(stock.inventoryCount, units)))
    .orderBy(asc(products.name));
  return found.map((product): ExchangeChoice => ({
    ...product,
    differenceCents: differenceOf({ priceCents: line.priceCents, units }, product.priceCents),
  }));
}

export type Priced = { ok: true; choice: ExchangeChoice; line: SentLine; tax: LineTax | null };
type NotPriced = { ok: false; reason: "sold-out" | "tax-unknown" };

/**
 * Prices an exchange as of today: the line of its order holds only what the wanted product costs more, and the
 * tax of that, where the first order was taxed and the shop still collects it. Refusals: 'sold-out', 'tax-unknown' if the provider has no answer.
 */
export async function priceExchange(
  db: Database,
  tax: TaxProvider | null,
  orderId: string,
  { lineId, units, productId }: Line & { productId: string | null },
): Promise<Priced | NotPriced> {
  const choice = (await exchangeChoices(db, orderId, { lineId, units })).find((each) => each.productId === productId);
  if (!choice) return { ok: false, reason: "sold-out" };
  const moreCents = Math.max(0, choice.differenceCents) / units;
  const line = { productId: choice.productId, name: choice.name, priceCents: moreCents, quantity: units };
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  if (!tax || !order?.taxReference || !collectsIn(order.shippingState) || moreCents === 0)
    return { ok: true, choice, line, tax: null };
  try {
    const asked = await taxableLines(db, [{ ...line, unitPriceCents: moreCents }]);
    const { reference, taxCents } = await tax.quote(
      asked,
      0,
      taxAddress(order.shippingState, order.shippingPostalCode),
    );
    return { ok: true, choice, line, tax: { reference, cents: taxCents } };
  } catch (error) {
    if (!(error instanceof TaxError)) throw error;
    return { ok: false, reason: "tax-unknown" };
  }
}
