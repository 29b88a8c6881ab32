/** Requests of returns: what may be asked for, until when, and the request itself. */
import { randomInt } from "node:crypto";
import { and, eq, inArray, isNull, notInArray, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { clock } from "#shop/clock.ts";
import { lockOrder, mail, readOrder, refused, type LockedOrder } from "#shop/fulfillment/locked-order.server.ts";
import { shipmentItems, shipments } from "#shop/fulfillment/shipment.tables.ts";
import { latestDay, newYorkDay } from "#shop/new-york-time.ts";
import { isFree } from "#shop/orders/order.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { expectedDelivery } from "#shop/shipping/methods.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import { authorizeLocked } from "./authorize.server.ts";
import { LINE_REFUSALS, optionOf, optionsOf, type EligibleLine, type LineOptions } from "./eligibility.ts";
import { priceExchange, type Priced } from "./exchange.server.ts";
import type { ReturnKind, ReturnState } from "./lifecycle.ts";
import { recordChange, staffOf, type Requester } from "./locked-return.server.ts";
import { returnItems, returns } from "./return.tables.ts";
import { fitsKind, labelBy, reasonOf, returnNumber, type ReturnReason } from "./return.ts";

/** Requests of one order; each sends an email. */
const MAX_REQUESTS = 20;

const unitsOf = (parcels: { units: number }[]) => parcels.reduce((sum, { units }) => sum + units, 0);

/** Units and days of an order's parcels, by line. A parcel that was sent again does not count beside the one after it. */
async function sentLines(tx: DatabaseOrTransaction, { id, createdAt, shippingMethod }: LockedOrder) {
  const { shipping } = settingsAt(createdAt);
  const parcels = await tx
    .select({
      lineId: shipmentItems.orderItemId,
      units: shipmentItems.quantity,
      state: shipments.state,
      shippedAt: shipments.shippedAt,
      deliveredAt: shipments.deliveredAt,
    })
    .from(shipmentItems)
    .innerJoin(shipments, eq(shipments.id, shipmentItems.shipmentId))
    .where(
      and(eq(shipments.orderId, id), notInArray(shipments.state, ["capturing", "failed"]), isNull(shipments.resentAt)),
    );
  return (lineId: string) => {
    const ofLine = parcels.filter((parcel) => parcel.lineId === lineId);
    const astray = ofLine.filter(({ state }) => state === "refused" || state === "lost");
    const arriving = ofLine.filter((parcel) => !astray.includes(parcel));
    return {
      unitsSent: unitsOf(ofLine),
      unitsAstray: unitsOf(astray),
      shippedOn: latestDay(arriving.map(({ shippedAt }) => shippedAt && newYorkDay(shippedAt))),
      deliveredOn: latestDay(
        arriving.map(({ shippedAt, deliveredAt }) => {
          if (deliveredAt) return newYorkDay(deliveredAt);
          return shippedAt && expectedDelivery(shipping, shippingMethod, shippedAt).to.toISOString().slice(0, 10);
        }),
      ),
    };
  };
}

/**
 * Units of an order in returns, by line, and the day of their latest repair. Repaired units, and those sent back, are with
 * the customer again.
 */
async function returnedLines(tx: DatabaseOrTransaction, orderId: string) {
  const isGone = sql`returns.state NOT IN ('declined', 'withdrawn', 'expired')
    AND NOT (returns.state = 'closed' AND returns.outcome IN ('repair', 'part', 'sent-back'))`;
  const isRenewed = sql`returns.outcome IN ('repair', 'part')`;
  const found = await tx
    .select({
      lineId: returnItems.orderItemId,
      units: sql<number>`coalesce(sum(${returnItems.quantity}) FILTER (WHERE ${isGone}), 0)::int`,
      renewedAt: sql<string | null>`(max(${returns.resolvedAt}) FILTER (WHERE ${isRenewed}))::text`,
    })
    .from(returnItems)
    .innerJoin(returns, eq(returns.id, returnItems.returnId))
    .where(eq(returns.orderId, orderId))
    .groupBy(returnItems.orderItemId);
  return new Map(found.map((line) => [line.lineId, line]));
}

/** The purchase behind an order, whose date starts the warranty also of what replaced it. */
async function purchaseDay(tx: DatabaseOrTransaction, orderId: string): Promise<string> {
  const { rows } = await tx.execute<{ at: string }>(sql`
    WITH RECURSIVE chain AS (
      SELECT created_at, replaces_return_id FROM orders WHERE id = ${orderId}::uuid
      UNION ALL SELECT orders.created_at, orders.replaces_return_id FROM chain
        JOIN returns ON returns.id = chain.replaces_return_id JOIN orders ON orders.id = returns.order_id)
    SELECT min(created_at)::text AS at FROM chain`);
  return newYorkDay(new Date(rows[0]!.at));
}

async function eligibleLines(tx: DatabaseOrTransaction, order: LockedOrder): Promise<EligibleLine[]> {
  const [sent, returned, purchasedOn] = [
    await sentLines(tx, order),
    await returnedLines(tx, order.id),
    await purchaseDay(tx, order.id),
  ];
  const ids = order.lines.map(({ productId }) => productId);
  const known = await tx.select({ id: products.id }).from(products).where(inArray(products.id, ids));
  const arrivedOn = order.status === "delivered" && order.deliveredAt ? newYorkDay(order.deliveredAt) : null;
  const isReplacement = order.replacesReturnId !== null;
  // A service, such as a repair, cannot come back.
  const goods = order.lines.filter(({ productId }) => !isReplacement || known.some((each) => each.id === productId));
  return goods.map(({ id: lineId, productId, name, warrantyYears }) => {
    const { unitsSent, unitsAstray, shippedOn, deliveredOn } = sent(lineId);
    const { units = 0, renewedAt = null } = returned.get(lineId) ?? {};
    const renewed = [renewedAt && newYorkDay(new Date(renewedAt)), isReplacement ? shippedOn : null];
    return {
      lineId,
      productId,
      name,
      unitsSent,
      unitsAstray,
      deliveredOn: deliveredOn && latestDay([deliveredOn, arrivedOn]),
      purchasedOn,
      isFree: isFree(order),
      windows: settingsAt(order.createdAt).returns,
      unitsReturned: units,
      renewedOn: latestDay(renewed),
      warrantyYears,
    };
  });
}

/**
 * Returns what may come back of each line of an order today, by kind, and why not. Null if there is no such order. The
 * caller has checked ownership.
 */
export async function returnOptions(db: Database, orderId: string): Promise<LineOptions[] | null> {
  const order = await readOrder(db, orderId);
  const today = newYorkDay(clock.now());
  return order && (await eligibleLines(db, order)).map((line) => optionsOf(line, today));
}

export type ReturnRequest = {
  /** Random key of the form: a repeated submission asks once. */
  formKey: string;
  kind: ReturnKind;
  reason: ReturnReason;
  description: string;
  /** Units by order line. */
  units: Record<string, number>;
  /** Product wanted in an exchange, and the difference in cents before tax that the customer saw. */
  exchange?: { productId: string; differenceCents: number } | null;
};

export type RequestResult =
  | { ok: true; returnId: string; number: string; state: ReturnState; repeated: boolean }
  | { ok: false; reason: "not-found" | "nothing-chosen" | "reason" | "one-line" | "too-many" }
  | { ok: false; reason: "sold-out" | "price-changed" | "tax-unknown" }
  /** `why` in words; `name` is the line's. */
  | { ok: false; reason: "line"; name: string; why: string };

type Refusal = Extract<RequestResult, { ok: false }>;
type Chosen = { lineId: string; units: number }[];

/**
 * Requests a return. A plain return or exchange in time, whose shipping the customer pays, is authorized at once; an
 * exchange then reserves the wanted units. Refusals: 'reason' if it does not fit the kind, 'nothing-chosen', 'one-line'
 * for an exchange of several, 'line' with the reason of eligibility.ts, 'sold-out', 'price-changed' if the customer saw
 * another difference, 'tax-unknown' without an answer of the tax provider, 'too-many'. The caller has checked ownership.
 */
export async function requestReturn(
  db: Database,
  tax: TaxProvider | null,
  orderId: string,
  request: ReturnRequest,
  by: Requester,
): Promise<RequestResult> {
  const { kind, reason, exchange } = request;
  if (!fitsKind(reason, kind)) return refused("reason");
  const chosen = Object.entries(request.units).flatMap(([lineId, units]) => (units > 0 ? [{ lineId, units }] : []));
  const [first, ...others] = chosen;
  if (!first || chosen.some(({ units }) => !Number.isInteger(units))) return refused("nothing-chosen");
  if (kind !== "exchange") return transaction(db, (tx) => write(tx, orderId, request, { chosen, priced: null }, by));
  if (others.length > 0) return refused("one-line");
  const priced = await priceExchange(db, tax, orderId, { ...first, productId: exchange?.productId ?? null });
  if (!priced.ok) return priced;
  if (priced.choice.differenceCents !== exchange?.differenceCents) return refused("price-changed");
  return transaction(db, (tx) => write(tx, orderId, request, { chosen, priced }, by)).catch((error: unknown) => {
    if (error instanceof SoldOut) return refused("sold-out");
    throw error;
  });
}

/** The transaction is rolled back: nothing was asked for. */
class SoldOut extends Error {}

function refusalOf(lines: EligibleLine[], { kind, reason }: ReturnRequest, chosen: Chosen): Refusal | null {
  const today = newYorkDay(clock.now());
  for (const { lineId, units } of chosen) {
    const line = lines.find((each) => each.lineId === lineId);
    if (!line) return refused("nothing-chosen");
    const option = optionOf(line, kind, today, reasonOf(reason).isWearPart);
    const why = option.why ? LINE_REFUSALS[option.why] : `At most ${option.units} of it can come back.`;
    if (units > option.units) return { ok: false, reason: "line", name: line.name, why };
  }
  return null;
}

async function write(
  tx: DatabaseOrTransaction,
  orderId: string,
  request: ReturnRequest,
  { chosen, priced }: { chosen: Chosen; priced: Priced | null },
  by: Requester,
): Promise<RequestResult> {
  const order = await lockOrder(tx, orderId);
  if (!order) return refused("not-found");
  const [known] = await tx.select().from(returns).where(eq(returns.formKey, request.formKey));
  if (known && known.orderId !== orderId) return refused("not-found");
  if (known) return { ok: true, returnId: known.id, number: known.number, state: known.state, repeated: true };
  const refusal = refusalOf(await eligibleLines(tx, order), request, chosen);
  if (refusal) return refusal;
  if ((await tx.$count(returns, eq(returns.orderId, orderId))) >= MAX_REQUESTS) return refused("too-many");
  const rma = await insert(tx, orderId, request, by);
  await tx
    .insert(returnItems)
    .values(chosen.map(({ lineId, units }) => ({ returnId: rma.id, orderItemId: lineId, quantity: units })));
  await recordChange(tx, rma, "requested", by, { data: { kind: rma.kind } });
  const { id: returnId, number, kind } = rma;
  const isPlain = (kind === "return" || kind === "exchange") && rma.labelBy === "customer";
  if (!isPlain) {
    await mail(tx, { template: "return-requested", orderId, returnId });
    return { ok: true, returnId, number, state: rma.state, repeated: false };
  }
  if ((await authorizeLocked(tx, { rma, order }, { labelUrl: null, priced }, null)) === "sold-out") throw new SoldOut();
  return { ok: true, returnId, number, state: "authorized", repeated: false };
}

async function insert(
  tx: DatabaseOrTransaction,
  orderId: string,
  { formKey, kind, reason, description, exchange }: ReturnRequest,
  by: Requester,
): Promise<typeof returns.$inferSelect> {
  for (;;) {
    const [made] = await tx
      .insert(returns)
      .values({
        orderId,
        formKey,
        kind,
        reason,
        description,
        number: returnNumber(randomInt),
        exchangeProductId: kind === "exchange" ? exchange?.productId : null,
        labelBy: labelBy(kind, reason),
        staffId: staffOf(by)?.staffId,
      })
      .onConflictDoNothing({ target: returns.number })
      .returning();
    if (made) return made;
  }
}
