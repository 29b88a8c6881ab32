/** Rates of a parcel: for the units that are chosen, for who asked, and until the order's units change. */
import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { clock } from "#shop/clock.ts";
import { packByLine, refusalOf, type ShipResult } from "#shop/fulfillment/ship.server.ts";
import { firstDay, unitsReady } from "#shop/fulfillment/ready-units.ts";
import type { Rate } from "#shop/fulfillment/shipment.ts";
import { labels } from "#shop/fulfillment/shipment.tables.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import type { OrderRow } from "#shop/orders/facts.ts";
import { statusOf } from "#shop/orders/lifecycle.ts";
import { byLine, linesOf, type LineStanding } from "#shop/orders/lines.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { orderState, type OrderState } from "#shop/orders/state.ts";
import { settings, settingsAt } from "#shop/settings/settings.server.ts";
import { type BoxName, suggestPacking } from "./boxes.ts";
import { CarrierError, type CarrierProvider } from "./carrier-provider.ts";

/** Rates hold for about this long, and are asked for again. */
const QUOTED_MINUTES = 60;

/** Units by order line. */
type Units = Record<string, number>;

/** Box and weight are suggested for the units unless staff chose them. */
export type Packing = { units: Units; box?: BoxName | undefined; ounces?: number | undefined };

export type CarrierRefusal =
  | { ok: false; reason: "carrier-away" }
  | { ok: false; reason: "carrier-refused"; code: string };
export type QuoteRefusal =
  | Exclude<ShipResult, { ok: true }>
  | CarrierRefusal
  | { ok: false; reason: "no-rates" | "no-weight" | "not-in-time" }
  /** YYYY-MM-DD: the first day on which something of the order ships. */
  | { ok: false; reason: "not-yet"; day: string };

export function failure(error: unknown): CarrierRefusal {
  if (!(error instanceof CarrierError)) throw error;
  if (error.kind === "away") return { ok: false, reason: "carrier-away" };
  return { ok: false, reason: "carrier-refused", code: error.code };
}

type Promised = Pick<OrderRow, "shippingMethod" | "placedAt">;

/** True if a rate keeps the promise of the order's shipping method, as it was when the order was placed. */
export const isInTime = ({ days }: Pick<Rate, "days">, { shippingMethod, placedAt }: Promised): boolean =>
  days !== null && days <= settingsAt(placedAt).shipping[shippingMethod].businessDays.max;

/** Rates in time come first, cheapest first. */
const byPromise = (rates: Rate[], order: Promised): Rate[] =>
  rates.toSorted((a, b) => Number(isInTime(b, order)) - Number(isInTime(a, order)) || a.cents - b.cents);

type Lines = readonly Pick<LineStanding, "id" | "unitsLeft">[];

const leftOf = (lines: Lines): Units => Object.fromEntries(lines.map(({ id, unitsLeft }) => [id, unitsLeft]));

/** True if other units are left to ship than when a label was quoted. */
export const isChanged = (unshipped: Units, lines: Lines): boolean => {
  const left = Object.entries(leftOf(lines));
  return left.length !== Object.keys(unshipped).length || left.some(([id, units]) => unshipped[id] !== units);
};

/** Condition on labels: their rates hold, and nobody has corrected the address since. */
export const isFresh = sql`created_at > now() - ${QUOTED_MINUTES} * interval '1 minute' AND NOT EXISTS (
  SELECT FROM order_notes WHERE order_notes.order_id = labels.order_id AND kind = 'address' AND at > labels.created_at)`;

export const ofStaff = (by: Acting | null) => (by ? eq(labels.staffId, by.staffId) : isNull(labels.staffId));

async function stateOf(db: Database, orderId: string): Promise<OrderState | null> {
  const facts = await readFacts(db, orderId);
  return facts && orderState(facts);
}

/**
 * Asks what a parcel with some units of an order costs with each carrier, and keeps the rates, those in time first.
 * Refusals: those of shipping but for payment, 'no-weight' if a product has none, 'no-rates', 'carrier-refused',
 * 'carrier-away'.
 */
export async function quoteLabel(
  db: Database,
  { carrier }: { carrier: CarrierProvider },
  orderId: string,
  packing: Packing,
  by: Acting | null,
): Promise<{ ok: true; labelId: string; rates: Rate[] } | QuoteRefusal> {
  // The rates are as old as the address that they are asked for.
  const before = { now: sql<string>`now()::text`, phone: orders.phone };
  const [found] = await db.select(before).from(orders).where(eq(orders.id, orderId));
  const state = found && (await stateOf(db, orderId));
  if (!state) return { ok: false, reason: "not-found" };
  const { order } = state.facts;
  const packed = packByLine(state, packing.units);
  if ("reason" in packed) return refusalOf({ ...packed, status: statusOf(state.stage) });
  const units = Object.fromEntries(byLine(state, packed).map(({ line, units: count }) => [line.id, count]));
  const { box, ounces } = await packingFor(db, state.facts.lines, { ...packing, units });
  if (ounces === null) return { ok: false, reason: "no-weight" };
  const id = crypto.randomUUID();
  const parcel = { to: addressOf(order, found.phone), inches: settings().parcels[box].inches, ounces };
  const offered = await carrier.rates(parcel, id).catch(failure);
  if ("ok" in offered) return offered;
  const rates = byPromise(offered, order);
  if (rates.length === 0) return { ok: false, reason: "no-rates" };
  const unshipped = leftOf(linesOf(state));
  const staffId = by?.staffId;
  const createdAt = sql`${found.now}::timestamptz`;
  await db.insert(labels).values({ id, orderId, box, ounces, rates, units, unshipped, staffId, createdAt });
  return { ok: true, labelId: id, rates };
}

const addressOf = (order: OrderRow, phone: string) => ({
  name: `${order.shippingFirstName} ${order.shippingLastName}`,
  phone,
  line1: order.shippingAddressLine1,
  line2: order.shippingAddressLine2 ?? "",
  city: order.shippingCity,
  state: order.shippingState,
  postalCode: order.shippingPostalCode,
});

/**
 * The cheapest rate that keeps the promise, for all of an order that may ship today, in its suggested box. Refusals
 * besides those of quoteLabel: 'not-yet' if everything ships on a later day, 'not-in-time' if no rate keeps the promise.
 */
export async function quoteOrder(
  db: Database,
  providers: { carrier: CarrierProvider },
  orderId: string,
  by: Acting | null,
): Promise<{ ok: true; labelId: string; rate: Rate } | QuoteRefusal> {
  const state = await stateOf(db, orderId);
  if (!state) return { ok: false, reason: "not-found" };
  const lines = linesOf(state);
  const day = firstDay(lines, clock.now());
  if (day) return { ok: false, reason: "not-yet", day };
  const quoted = await quoteLabel(db, providers, orderId, { units: unitsReady(lines, clock.now()) }, by);
  if (!quoted.ok) return quoted;
  const [rate] = quoted.rates;
  if (!rate || !isInTime(rate, state.facts.order)) return { ok: false, reason: "not-in-time" };
  return { ok: true, labelId: quoted.labelId, rate };
}

/** Box and weight of a parcel: as chosen, or suggested for its units. The weight is null if that of a product is not known. */
export async function packingFor(
  db: DatabaseOrTransaction,
  lines: readonly { id: string; productId: string | null }[],
  { units, box, ounces }: Packing,
): Promise<{ box: BoxName; ounces: number | null }> {
  const packed = lines.filter(({ id }) => (units[id] ?? 0) > 0);
  const ids = packed.flatMap(({ productId }) => productId ?? []);
  const found = await db
    .select({ id: products.id, weightOz: products.weightOz })
    .from(products)
    .where(inArray(products.id, ids));
  const weights = new Map(found.map(({ id, weightOz }) => [id, weightOz]));
  const suggested = suggestPacking(
    settings().parcels,
    packed.map(({ id, productId }) => ({ units: units[id] ?? 0, weightOz: weights.get(productId ?? "") ?? null })),
    box,
  );
  return { box: suggested.box, ounces: ounces ?? suggested.ounces };
}

/** The latest rates of an order that a member of staff asked for and can still buy. Null if there are none. */
export async function latestQuote(db: Database, { id, lines }: { id: string; lines: Lines }, by: Acting | null) {
  const { box, ounces, units, unshipped, rates, createdAt } = labels;
  const [latest] = await db
    .select({ id: labels.id, box, ounces, units, unshipped, rates, createdAt })
    .from(labels)
    .where(and(eq(labels.orderId, id), eq(labels.state, "quoted"), ofStaff(by), isFresh))
    .orderBy(desc(labels.createdAt))
    .limit(1);
  return latest && !isChanged(latest.unshipped, lines) ? latest : null;
}

/** Removes rates that were never bought. */
export const sweepQuotes = (db: Database) =>
  db.delete(labels).where(and(eq(labels.state, "quoted"), sql`${labels.createdAt} < now() - interval '1 day'`));
