/** Exchanges: what a product may be exchanged for, and what that costs. */
import { and, asc, desc, eq, gte, ne, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { warrantyYears } from "#shop/catalog/product.ts";
import { currentPrice, isWaitlistOnly } from "#shop/catalog/product.sql.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { stock } from "#shop/inventory/stock.tables.ts";
import { orderItems, orders } from "#shop/orders/order.tables.ts";
import type { TaxAddress } from "#shop/orders/facts.ts";
import { taxAddress } from "#shop/orders/tax.ts";
import { collectsIn, withTaxCodes } from "#shop/tax/quote.server.ts";
import { TaxError, type TaxProvider } from "#shop/tax/tax-provider.ts";
import { today } from "#shop/new-york-time.sql.ts";
import type { Wanted } from "./actions/request.ts";
import { differenceOf } from "./amounts.ts";

export type ExchangeChoice = {
  productId: string;
  name: string;
  slug: string;
  thumbnail: string | null;
  priceCents: number;
  unitsLeft: number;
  /** Off the price of each unit, as the one that comes back had. */
  discountCents: number;
  /** For all units, before tax: to pay if positive, refunded if negative. */
  differenceCents: number;
};

const mayShipNow = and(
  eq(products.isAvailable, true),
  sql`NOT ${isWaitlistOnly}`,
  sql`coalesce(${products.shipsFrom} <= ${today}, true)`,
);

const discountOfUnit = sql<number>`(SELECT coalesce(max(order_items.price - unit.price), 0)::int FROM order_units AS unit
  WHERE order_item_id = order_items.id)`;

type Line = { lineId: string; units: number };

/**
 * Products for which units of a line may be exchanged now: a bowl for a bowl, an accessory for an accessory; other colors
 * of the model come first. The caller has checked ownership of the order.
 */
export async function exchangeChoices(db: Database, orderId: string, { lineId, units }: Line) {
  const ofOrder = and(eq(orderItems.id, lineId), eq(orderItems.orderId, orderId));
  const [found] = await db
    .select({ line: orderItems, bought: products, discountCents: discountOfUnit })
    .from(orderItems)
    .innerJoin(products, eq(products.id, orderItems.productId))
    .where(ofOrder);
  if (!found) return [];
  const { line, bought, discountCents } = found;
  const { id: productId, name, slug, thumbnail, model, category } = products;
  const isSameKind = (bought.category === "Accessories" ? eq : ne)(category, "Accessories");
  const choices = await db
    .select({ productId, name, slug, thumbnail, priceCents: currentPrice, unitsLeft: stock.inventoryCount })
    .from(products)
    .innerJoin(stock, eq(stock.productId, products.id))
    .where(and(mayShipNow, isSameKind, ne(productId, bought.id), gte(stock.inventoryCount, units)))
    .orderBy(desc(eq(model, bought.model)), desc(eq(category, bought.category)), asc(name));
  return choices.map((product): ExchangeChoice => ({
    ...product,
    discountCents,
    differenceCents: differenceOf(
      { priceCents: line.priceCents - discountCents, units },
      Math.max(0, product.priceCents - discountCents),
    ),
  }));
}

export type Priced = { ok: true; choice: ExchangeChoice; wanted: Wanted };
type NotPriced = { ok: false; reason: "sold-out" | "tax-unknown" };

/**
 * Prices an exchange as of today, with the tax of the wanted product, where the order was taxed and the shop still collects
 * it. Refusals: 'sold-out', 'tax-unknown' if the provider has no answer.
 */
export async function priceExchange(
  db: Database,
  tax: TaxProvider | null,
  orderId: string,
  { lineId, units, productId }: Line & { productId: string | null },
): Promise<Priced | NotPriced> {
  const choice = (await exchangeChoices(db, orderId, { lineId, units })).find((each) => each.productId === productId);
  if (!choice) return { ok: false, reason: "sold-out" };
  const { name, priceCents, discountCents } = choice;
  const [product] = await db.select().from(products).where(eq(products.id, choice.productId));
  const amountCents = Math.max(0, priceCents - discountCents) * units;
  const line = { productId: choice.productId, quantity: units, amountCents };
  const taxed = await taxOfExchange(db, tax, orderId, line);
  if (!taxed.ok) return taxed;
  const { taxCents } = taxed;
  const wanted = { productId: choice.productId, name, priceCents, taxCents, warrantyYears: warrantyYears(product!) };
  return { ok: true, choice, wanted };
}

type Taxed = { ok: true; taxCents: number; address: TaxAddress } | { ok: false; reason: "tax-unknown" };

/** Tax of what an exchange sends to where its order goes now, if the order was taxed and the shop still collects there. */
export async function taxOfExchange(
  db: Database,
  tax: TaxProvider | null,
  orderId: string,
  line: { productId: string; quantity: number; amountCents: number },
): Promise<Taxed> {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  const { taxReference, shippingState, shippingPostalCode } = order!;
  const address = taxAddress(shippingState, shippingPostalCode);
  if (!tax || !taxReference || !collectsIn(shippingState)) return { ok: true, taxCents: 0, address };
  try {
    const { taxCents } = await tax.quote(await withTaxCodes(db, [line]), 0, address);
    return { ok: true, taxCents, address };
  } catch (error) {
    if (!(error instanceof TaxError)) throw error;
    return { ok: false, reason: "tax-unknown" };
  }
}
