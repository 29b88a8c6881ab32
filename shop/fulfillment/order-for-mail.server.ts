/** Facts of an order for its emails, loaded when an email is rendered. */
import type { Amounts } from "#shop/cart/totals.ts";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { clock } from "#shop/clock.ts";
import type { EmailShop } from "#shop/mail/email.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import type { OrderRow } from "#shop/orders/facts.ts";
import { byLine, mayComeBack } from "#shop/orders/lines.ts";
import { amountsCharged } from "#shop/orders/order.ts";
import type { Destination } from "#shop/orders/order-emails.server.ts";
import { orderUrl } from "#shop/orders/order-link.server.ts";
import { orderEvents } from "#shop/orders/order.tables.ts";
import { sum } from "#shop/orders/order-money.ts";
import { onceBack } from "#shop/orders/situation.ts";
import { isToCancel, orderState, type UnitState } from "#shop/orders/state.ts";
import { isToCharge } from "#shop/orders/summary.ts";
import { getOrderForMail, type OrderForMail, type OrderItem } from "#shop/orders/orders.server.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { warrantyPolicy } from "#shop/policies.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { isChargedByParcel } from "#shop/payments/locked-payments.server.ts";
import { paymentActions, payments } from "#shop/payments/payment.tables.ts";
import type { PaymentMethod } from "#shop/payments/provider.ts";
import { CANCEL_REASONS, isReason, type CancelReason } from "#shop/orders/reasons.ts";
import { lastReturnDay, type CarrierCode } from "./shipment.ts";

type Money = {
  /** True if the order has a payment, even one that is only authorized. */
  hasPayment: boolean;
  /** Charged and paid; promised back and still to be given back; given back. */
  paidCents: number;
  toRefundCents: number;
  refundedCents: number;
  /** Something that waits is still to be charged. */
  isToCharge: boolean;
  /** Card of an order whose parcels are charged one by one; null for other orders. */
  savedCard: PaymentMethod | null;
};

export type OrderMail = Destination &
  Pick<OrderForMail, "status" | "email" | "linkVersion" | "declineReason"> & {
    orderId: string;
    url: string;
    lines: { id: string; name: string }[];
    charged: Amounts;
    money: Money;
  };

/** Null if the customer has deleted the account. */
export async function loadOrderMail(db: Database, orderId: string, shop: EmailShop): Promise<OrderMail | null> {
  const order = await getOrderForMail(db, orderId);
  if (!order?.email) return null;
  const charged = amountsCharged(order, order.items);
  return {
    ...order,
    orderId,
    url: orderUrl(order, shop),
    lines: order.items,
    charged,
    money: await moneyOf(db, orderId),
  };
}

async function moneyOf(db: Database, orderId: string): Promise<Money> {
  const all = await db
    .select({
      kind: payments.kind,
      method: payments.method,
      hasCard: sql<boolean>`${payments.savedCustomer} IS NOT NULL`,
      createdAt: payments.createdAt,
    })
    .from(payments)
    .where(eq(payments.orderId, orderId));
  const cards = all
    .filter(({ kind, hasCard }) => hasCard || kind === "setup")
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const card = cards.findLast(({ hasCard }) => hasCard) ?? cards.at(-1);
  const facts = await readFacts(db, orderId);
  const state = facts && orderState(facts);
  const refunds = state?.refunds ?? [];
  const toRefundCents = sum(refunds, ({ owedCents, underWayCents }) => owedCents + underWayCents);
  return {
    hasPayment: all.some(({ method }) => method !== null),
    paidCents: state?.money.paidCents ?? 0,
    toRefundCents,
    refundedCents: sum(refunds, ({ movingCents }) => movingCents) - toRefundCents,
    isToCharge: state ? isToCharge(state) : false,
    savedCard: isChargedByParcel(all) ? (card?.method ?? null) : null,
  };
}

const isRegistrable = ({ placedAt }: OrderRow) =>
  newYorkDay(clock.now()) <= daysAfter(newYorkDay(placedAt), warrantyPolicy.registrationDays);

/**
 * `isKept` unless everything was refunded, `isToRegister` while a product that is kept can be registered for its
 * warranty, `returnUntil` while something that was bought can be returned.
 */
export async function loadDelivered(
  db: Database,
  { orderId }: { orderId: string },
): Promise<{ isKept: boolean; isToRegister: boolean; returnUntil: string | null } | null> {
  const facts = await readFacts(db, orderId);
  if (!facts) return null;
  const { order, lines } = facts;
  const { units, deliveredAt } = orderState(facts);
  const kept = units.filter(({ place, refunded }) => place !== "canceled" && refunded === null);
  const hasWarranty = lines.some(
    (line) => line.warrantyYears !== null && kept.some(({ lineId }) => lineId === line.id),
  );
  const mayReturn = kept.some((unit) => unit.valueCents > 0 && unit.sentFor === null && mayComeBack(unit));
  const until = deliveredAt && lastReturnDay(deliveredAt, settingsAt(order.placedAt).returns);
  return {
    isKept: kept.length > 0,
    isToRegister: hasWarranty && isRegistrable(order),
    returnUntil: mayReturn && until && newYorkDay(clock.now()) <= until ? until : null,
  };
}

/** `reason` is null if the customer or staff canceled the order. */
export async function loadCancellation(db: Database, orderId: string): Promise<{ reason: CancelReason | null }> {
  const ended = and(eq(orderEvents.orderId, orderId), eq(orderEvents.type, "canceled"));
  const [event] = await db.select({ data: orderEvents.data }).from(orderEvents).where(ended);
  const reason = event?.data?.reason;
  return { reason: isReason(CANCEL_REASONS, reason) ? reason : null };
}

export type ParcelMail = {
  carrier: CarrierCode;
  /** Empty if the order was anonymized. */
  trackingNumber: string;
  shippedAt: Date;
  items: readonly OrderItem[];
  /** Those of them that are sent again or given back if it does not arrive; all of them once nothing is. */
  owed: readonly OrderItem[];
  /** Units of the order were still to ship after this parcel. */
  hasMoreToCome: boolean;
  /** Charged for this parcel; null if nothing was charged with it. */
  charge: { cents: number; method: PaymentMethod | null } | null;
  wasRefunded: boolean;
  /** Paid for its items, and not given back. */
  paidCents: number;
  onceBack: ReturnType<typeof onceBack>;
};

export async function loadParcelMail(
  db: Database,
  { orderId, shipmentId }: { orderId: string; shipmentId: string },
): Promise<ParcelMail | null> {
  const facts = await readFacts(db, orderId);
  const order = facts && orderState(facts);
  const parcel = order?.parcels.find(({ id }) => id === shipmentId);
  if (!order || !parcel) return null;
  const { carrier, trackingNumber, createdAt, shippedAt, chargeId, units, held, owed } = parcel;
  const gone = order.parcels.filter((each) => each.createdAt <= createdAt).flatMap((each) => each.held);
  const pictures = await db
    .select({ id: products.id, thumbnail: products.thumbnail })
    .from(products)
    .where(
      inArray(
        products.id,
        units.flatMap(({ productId }) => productId ?? []),
      ),
    );
  const itemsOf = (some: readonly UnitState[]): OrderItem[] =>
    byLine(order, some).map(({ line: { name, priceCents, productId }, units: quantity }) => ({
      name,
      priceCents,
      quantity,
      thumbnail: pictures.find(({ id }) => id === productId)?.thumbnail,
    }));
  const [charge] = chargeId
    ? await db
        .select({ cents: paymentActions.amountCents, method: payments.method })
        .from(paymentActions)
        .innerJoin(payments, eq(payments.id, paymentActions.paymentId))
        .where(and(eq(paymentActions.chargeId, chargeId), eq(paymentActions.state, "done")))
    : [];
  return {
    carrier: carrier as CarrierCode,
    trackingNumber,
    shippedAt: shippedAt ?? createdAt,
    items: itemsOf(units),
    owed: itemsOf(owed.length > 0 ? owed : units),
    hasMoreToCome: order.units.some(
      (unit) => !["canceled", "reserved"].includes(unit.place) && !isToCancel(unit) && !gone.includes(unit),
    ),
    charge: charge ?? null,
    wasRefunded: held.length > 0 && owed.length === 0,
    paidCents: sum(units, ({ isPaid, refunded, charged }) => (isPaid && refunded === null ? charged!.cents : 0)),
    onceBack: onceBack(parcel),
  };
}
