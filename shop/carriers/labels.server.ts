/** Labels: first a row, then the purchase, then the parcel ships by the same path as with a pasted number. */
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { audit, onLocked, staff } from "#shop/fulfillment/locked-order.server.ts";
import { refusalOf, shipByLine, shipOrder, type ShipResult } from "#shop/fulfillment/ship.server.ts";
import { labels, shipments } from "#shop/fulfillment/shipment.tables.ts";
import { statusOf } from "#shop/orders/lifecycle.ts";
import { linesOf } from "#shop/orders/lines.ts";
import { decidedBy } from "#shop/orders/run.server.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import type { CarrierProvider } from "./carrier-provider.ts";
import { type CarrierRefusal, failure, isChanged, isFresh, ofStaff } from "./quotes.server.ts";

export type Providers = { carrier: CarrierProvider; payments: PaymentProviders | null };

type Refusal =
  | Exclude<ShipResult, { ok: true }>
  | CarrierRefusal
  | { ok: false; reason: "outdated" | "quote-changed" | "label-waiting" | "label-under-way" };
export type LabelResult = Extract<ShipResult, { ok: true }> | Refusal;

/**
 * Buys the label of a rate that the same member of staff asked for, once, and ships its parcel as `shipOrder` does.
 * Refusals besides those: 'outdated' if the rates are old or the address has changed, 'quote-changed' if other units are
 * left to ship than when they were asked for, 'label-under-way' while another label of the order is bought,
 * 'carrier-refused', and 'label-waiting' without an answer: the jobs go on.
 */
export async function buyLabel(
  db: Database,
  providers: Providers,
  orderId: string,
  { labelId, rate: reference }: { labelId: string; rate: string },
  by: Acting | null,
): Promise<LabelResult> {
  const asked = await onLocked(db, orderId, async (order, tx): Promise<{ ok: true } | Refusal> => {
    const ofOrder = and(eq(labels.orderId, orderId), eq(labels.id, labelId), ofStaff(by));
    const { state, rates, units, unshipped } = labels;
    const [label] = await tx
      .select({ state, rates, units, unshipped, isFresh: sql<boolean>`${isFresh}` })
      .from(labels)
      .where(ofOrder);
    if (label && label.state !== "quoted") return { ok: true };
    const rate = label?.rates.find((each) => each.reference === reference);
    if (!label?.isFresh || !rate) return { ok: false, reason: "outdated" };
    const due = and(eq(labels.orderId, orderId), inArray(labels.state, ["asked", "bought"]));
    if ((await tx.$count(labels, due)) > 0) return { ok: false, reason: "label-under-way" };
    const parcel = { carrier: rate.carrier, trackingNumber: "", labelId, units: label.units };
    const packed = shipByLine(order, parcel, decidedBy(staff(by)));
    const isEnded = !packed.ok && packed.reason === "status";
    if (!isEnded && isChanged(label.unshipped, linesOf(order))) return { ok: false, reason: "quote-changed" };
    if (!packed.ok) return refusalOf({ ...packed, status: statusOf(order.stage) });
    await tx.update(labels).set({ state: "asked", rate }).where(ofOrder);
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
    const shipped = await shipOrder(db, payments, orderId, { ...parcel, units }, by);
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

/** Labels of an order that were paid for: their postage, and what became of those that were released. */
export const listBoughtLabels = (db: Database, orderId: string) =>
  db
    .select({ id: labels.id, state: labels.state, rate: labels.rate, problem: labels.problem })
    .from(labels)
    .where(and(eq(labels.orderId, orderId), inArray(labels.state, ["bought", "used", "voiding", "voided"])))
    .orderBy(asc(labels.createdAt));

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
