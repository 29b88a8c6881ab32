/** Labels: first a row, then the purchase, then the parcel ships by the same path as with a pasted number. */
import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { audit, readOrder, withOrder, type LockedOrder } from "#shop/fulfillment/locked-order.server.ts";
import { packParcel, shipOrder, type ShipResult } from "#shop/fulfillment/ship.server.ts";
import type { Rate } from "#shop/fulfillment/shipment.ts";
import { labels, shipments } from "#shop/fulfillment/shipment.tables.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { settings, settingsAt } from "#shop/settings/settings.server.ts";
import type { ShippingMethod } from "#shop/shipping/methods.ts";
import { type BoxName, suggestPacking } from "./boxes.ts";
import { CarrierError, type CarrierProvider } from "./carrier-provider.ts";

/** Rates hold for about this long, and are asked for again. */
const QUOTED_MINUTES = 60;

export type Providers = { carrier: CarrierProvider; payments: PaymentProviders | null };
export type Packing = { box: BoxName; ounces: number; units?: Record<string, number> };

type Refusal =
  | Exclude<ShipResult, { ok: true }>
  | {
      ok: false;
      reason:
        | "no-rates"
        | "no-weight"
        | "not-in-time"
        | "outdated"
        | "label-waiting"
        | "label-under-way"
        | "carrier-away";
    }
  | { ok: false; reason: "carrier-refused"; code: string };
export type LabelResult = Extract<ShipResult, { ok: true }> | Refusal;

const isFresh = sql`created_at > now() - ${QUOTED_MINUTES} * interval '1 minute' AND NOT EXISTS (
  SELECT FROM order_notes WHERE order_notes.order_id = labels.order_id AND kind = 'address' AND at > labels.created_at)`;

function failure(error: unknown): Refusal {
  if (!(error instanceof CarrierError)) throw error;
  if (error.kind === "away") return { ok: false, reason: "carrier-away" };
  return { ok: false, reason: "carrier-refused", code: error.code };
}

type Promised = { shippingMethod: ShippingMethod; createdAt: Date };

/** True if a rate keeps the promise of the order's shipping method, as it was when the order was placed. */
export const isInTime = ({ days }: Pick<Rate, "days">, { shippingMethod, createdAt }: Promised): boolean =>
  days !== null && days <= settingsAt(createdAt).shipping[shippingMethod].businessDays.max;

/** Rates in time come first, cheapest first. */
const byPromise = (rates: Rate[], order: Promised): Rate[] =>
  rates.toSorted((a, b) => Number(isInTime(b, order)) - Number(isInTime(a, order)) || a.cents - b.cents);

/**
 * Asks what a parcel of an order costs with each carrier, and keeps the rates, those in time first. Refusals: those of
 * shipping but for payment, 'no-rates', 'carrier-refused', 'carrier-away'.
 */
export async function quoteLabel(
  db: Database,
  { carrier }: Pick<Providers, "carrier">,
  orderId: string,
  { box, ounces, units }: Packing,
  by: Acting | null,
): Promise<{ ok: true; labelId: string; rates: Rate[] } | Refusal> {
  // The rates are as old as the address that they are asked for.
  const { rows } = await db.execute<{ now: string }>(sql`SELECT now()::text AS now`);
  const createdAt = sql`${rows[0]!.now}::timestamptz`;
  const order = await readOrder(db, orderId);
  if (!order) return { ok: false, reason: "not-found" };
  const packed = packParcel(order, units);
  if ("ok" in packed) return packed;
  const id = crypto.randomUUID();
  const parcel = { to: addressOf(order), inches: settings().parcels[box].inches, ounces };
  const found = await carrier.rates(parcel, id).catch(failure);
  if ("ok" in found) return found;
  const rates = byPromise(found, order);
  if (rates.length === 0) return { ok: false, reason: "no-rates" };
  const staffId = by?.staffId;
  await db.insert(labels).values({ id, orderId, box, ounces, rates, units: units ?? null, staffId, createdAt });
  return { ok: true, labelId: id, rates };
}

const addressOf = (order: LockedOrder) => ({
  name: `${order.shippingFirstName} ${order.shippingLastName}`,
  phone: order.phone,
  line1: order.shippingAddressLine1,
  line2: order.shippingAddressLine2 ?? "",
  city: order.shippingCity,
  state: order.shippingState,
  postalCode: order.shippingPostalCode,
});

/**
 * Buys the label of a quoted rate, once, and ships its parcel as `shipOrder` does. Refusals besides those: 'outdated' if
 * the rates are old or the address has changed, 'label-under-way' while another label of the order is bought,
 * 'carrier-refused', and 'label-waiting' without an answer: the jobs go on.
 */
export async function buyLabel(
  db: Database,
  providers: Providers,
  orderId: string,
  { labelId, rate: reference }: { labelId: string; rate: string },
  by: Acting | null,
): Promise<LabelResult> {
  const asked = await withOrder(db, orderId, async (order, tx): Promise<{ ok: true } | Refusal> => {
    const ofOrder = and(eq(labels.orderId, orderId), eq(labels.id, labelId));
    const [label] = await tx
      .select({ state: labels.state, rates: labels.rates, units: labels.units, isFresh: sql<boolean>`${isFresh}` })
      .from(labels)
      .where(ofOrder);
    if (label && label.state !== "quoted") return { ok: true };
    const rate = label?.rates.find((each) => each.reference === reference);
    if (!label?.isFresh || !rate) return { ok: false, reason: "outdated" };
    const due = and(eq(labels.orderId, orderId), inArray(labels.state, ["asked", "bought"]));
    if ((await tx.$count(labels, due)) > 0) return { ok: false, reason: "label-under-way" };
    const packed = packParcel(order, label.units ?? undefined);
    if ("ok" in packed) return packed;
    // Staff pack them now, so a late answer ships these or nothing.
    const units = Object.fromEntries(packed.map(({ lineId, quantity }) => [lineId, quantity]));
    await tx.update(labels).set({ state: "asked", rate, units, staffId: by?.staffId }).where(ofOrder);
    const { carrier, service, cents } = rate;
    await audit(tx, by, "buy-label", orderId, { after: { labelId, carrier, service, cents } });
    return { ok: true };
  });
  return asked.ok ? runLabel(db, providers, labelId, by) : asked;
}

const setLabel = (
  db: Database,
  id: string,
  from: "asked" | "bought" | "voiding",
  set: Partial<typeof labels.$inferInsert>,
) =>
  db
    .update(labels)
    .set(set)
    .where(and(eq(labels.id, id), eq(labels.state, from)));

/** Carries a label on from where it stands. Repeated, concurrent or after a crash it is bought once and ships once. */
export async function runLabel(
  db: Database,
  providers: Providers,
  labelId: string,
  by: Acting | null = null,
): Promise<LabelResult> {
  const { carrier, payments } = providers;
  const [label] = await db.select().from(labels).where(eq(labels.id, labelId));
  if (!label?.rate) return { ok: false, reason: "not-found" };
  const { state, orderId, rate, units } = label;
  if (state === "asked") {
    const bought = await carrier.buy(rate, labelId).catch(failure);
    if ("ok" in bought) {
      if (bought.reason !== "carrier-refused") return { ok: false, reason: "label-waiting" };
      await setLabel(db, labelId, "asked", { state: "failed", problem: bought.code });
      return bought;
    }
    await setLabel(db, labelId, "asked", { state: "bought", ...bought });
    return runLabel(db, providers, labelId, by);
  }
  if (state === "bought") {
    const parcel = { carrier: rate.carrier, trackingNumber: label.trackingNumber ?? "", labelId };
    const shipped = await shipOrder(db, payments, orderId, { ...parcel, ...(units && { units }) }, by);
    // A parcel whose charge failed has released its label already.
    if (!shipped.ok) await setLabel(db, labelId, "bought", { state: "voiding" });
    if (!shipped.ok) await voidLabel(db, carrier, labelId);
    return shipped;
  }
  const [used] = await db.select({ id: shipments.id }).from(shipments).where(eq(shipments.labelId, labelId));
  if (state === "used" && used) return { ok: true, shipmentId: used.id, state: "shipped", repeated: true };
  return { ok: false, reason: "outdated" };
}

/** Has a released label refunded; one that the provider refuses keeps its code. Without an answer the jobs ask again. */
export async function voidLabel(db: Database, carrier: CarrierProvider, labelId: string): Promise<void> {
  const [label] = await db.select().from(labels).where(eq(labels.id, labelId));
  if (label?.state !== "voiding" || !label.rate) return;
  const failed = await carrier.void(label.rate).then(() => null, failure);
  if (failed?.reason === "carrier-away") return;
  const problem = failed?.reason === "carrier-refused" ? failed.code : null;
  await setLabel(db, labelId, "voiding", { state: "voided", problem });
}

/**
 * Packs all that is left of an order in the suggested box and ships it with the cheapest label that keeps the promise.
 * Refusals besides those of quoteLabel and buyLabel: 'no-weight' if a product has none, 'not-in-time' if no rate keeps it.
 */
export async function packOrder(
  db: Database,
  providers: Providers,
  orderId: string,
  by: Acting | null,
): Promise<LabelResult> {
  const order = await readOrder(db, orderId);
  if (!order) return { ok: false, reason: "not-found" };
  const { box, ounces } = await packingFor(db, order.lines);
  if (ounces === null) return { ok: false, reason: "no-weight" };
  const quoted = await quoteLabel(db, providers, orderId, { box, ounces }, by);
  if (!quoted.ok) return quoted;
  const [rate] = quoted.rates;
  if (!rate || !isInTime(rate, order)) return { ok: false, reason: "not-in-time" };
  return buyLabel(db, providers, orderId, { labelId: quoted.labelId, rate: rate.reference }, by);
}

type Lines = readonly Pick<LockedOrder["lines"][number], "productId" | "unitsLeft">[];

/** Box and weight for what is left of an order. */
export async function packingFor(db: Database, lines: Lines): Promise<ReturnType<typeof suggestPacking>> {
  const left = lines.filter(({ unitsLeft }) => unitsLeft > 0);
  const ids = left.map(({ productId }) => productId);
  const found = await db
    .select({ id: products.id, weightOz: products.weightOz })
    .from(products)
    .where(inArray(products.id, ids));
  const weights = new Map(found.map(({ id, weightOz }) => [id, weightOz]));
  return suggestPacking(
    settings().parcels,
    left.map(({ productId, unitsLeft }) => ({ units: unitsLeft, weightOz: weights.get(productId) ?? null })),
  );
}

/** The latest rates of an order that can still be bought. Null if there are none. */
export async function latestQuote(db: Database, orderId: string) {
  const [latest] = await db
    .select({ id: labels.id, box: labels.box, ounces: labels.ounces, units: labels.units, rates: labels.rates })
    .from(labels)
    .where(and(eq(labels.orderId, orderId), eq(labels.state, "quoted"), isFresh))
    .orderBy(desc(labels.createdAt))
    .limit(1);
  return latest ?? null;
}

/** Address of the picture of a parcel's label. Null if it has none. */
export async function labelUrl(db: Database, shipmentId: string): Promise<string | null> {
  const [label] = await db
    .select({ url: labels.url })
    .from(labels)
    .innerJoin(shipments, eq(shipments.labelId, labels.id))
    .where(and(eq(shipments.id, shipmentId), eq(labels.state, "used")));
  return label?.url ?? null;
}

/** Ids of labels that wait for an answer, oldest first, with what is due. */
export const listDueLabels = (db: Database) =>
  db
    .select({ id: labels.id, state: labels.state })
    .from(labels)
    .where(inArray(labels.state, ["asked", "bought", "voiding"]))
    .orderBy(asc(labels.createdAt));

/** Removes rates that were never bought. */
export const sweepQuotes = (db: Database) =>
  db.delete(labels).where(and(eq(labels.state, "quoted"), sql`${labels.createdAt} < now() - interval '1 day'`));
