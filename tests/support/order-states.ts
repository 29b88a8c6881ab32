/** Orders in every state of the order page, written as the shop would have written them. */
import { drizzle } from "drizzle-orm/node-postgres";
import { inArray, notInArray } from "drizzle-orm";
import type { Pool } from "pg";
import { cartTotals } from "#shop/cart/totals.ts";
import { warrantyYears } from "#shop/catalog/product.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { shipments } from "#shop/fulfillment/shipment.tables.ts";
import type { OrderActor, OrderEvent, OrderStatus } from "#shop/orders/lifecycle.ts";
import { orderEvents, orderItems, orders, type OrderEventData } from "#shop/orders/order.tables.ts";
import { delayNotices } from "#shop/orders/unit.tables.ts";
import { insertUnits } from "#shop/orders/units.sql.ts";
import { unitsOfLines } from "#shop/orders/units.ts";
import { writeSummary } from "#shop/orders/write-change.server.ts";
import { policy } from "#shop/policies.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { payments, type PaymentState } from "#shop/payments/payment.tables.ts";
import { CHARGE_ALL, REFUND_ALL } from "./units.ts";

export const ORDER_STATES = [
  "unpaid",
  "processing",
  "delayed",
  "declined-card",
  "two-parcels",
  "delivered",
  "canceled",
  "declined",
  "expired",
  "refunded",
  "ten-lines",
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

type Event = [
  type: OrderEvent,
  from: OrderStatus | null,
  to: OrderStatus,
  actor: OrderActor,
  hours: number,
  data?: OrderEventData,
];
type Written = {
  status: OrderStatus;
  events: Event[];
  payment?: { state: PaymentState; isRefunded?: true; problem?: string; hasMethod?: true };
  parcels?: number;
  isDelivered?: true;
};

const HELD: Event = ["held", null, "unpaid", "customer", 0];
const AUTHORIZED: Event = ["authorized", "unpaid", "processing", "provider", 0.05];
const SHIPPED: Event = ["shipped", "processing", "shipped", "staff", 26];
const DELIVERED: Event = ["delivered", "shipped", "delivered", "staff", 150];
const CAPTURED = { state: "captured", hasMethod: true } as const;
const TWO_PARCELS: Written = {
  status: "shipped",
  events: [HELD, AUTHORIZED, SHIPPED, ["parcel-shipped", "shipped", "shipped", "staff", 50]],
  payment: CAPTURED,
  parcels: 2,
};

const WRITTEN: Record<OrderState, Written> = {
  unpaid: { status: "unpaid", events: [HELD], payment: { state: "open", problem: "card_declined" } },
  processing: { status: "processing", events: [HELD, AUTHORIZED], payment: { state: "authorized", hasMethod: true } },
  delayed: {
    status: "processing",
    events: [
      HELD,
      AUTHORIZED,
      ["delayed", "processing", "processing", "staff", 40, { from: "2030-02-02", until: "2030-03-04", answerBy: null }],
    ],
    payment: { state: "authorized", hasMethod: true },
  },
  "declined-card": {
    status: "processing",
    events: [HELD, AUTHORIZED, ["capture-failed", "processing", "processing", "provider", 30]],
    payment: { state: "failed", problem: "insufficient_funds", hasMethod: true },
  },
  "two-parcels": TWO_PARCELS,
  delivered: {
    status: "delivered",
    events: [HELD, AUTHORIZED, SHIPPED, DELIVERED],
    payment: CAPTURED,
    parcels: 1,
    isDelivered: true,
  },
  canceled: {
    status: "canceled",
    events: [
      ["placed", null, "processing", "customer", 0],
      ["canceled", "processing", "canceled", "customer", 3],
    ],
  },
  declined: {
    status: "declined",
    events: [
      HELD,
      AUTHORIZED,
      ["declined", "processing", "declined", "staff", 20, { reason: "sold-out" }],
      ["payment-voided", "declined", "declined", "provider", 20],
    ],
    payment: { state: "closed", hasMethod: true },
  },
  expired: {
    status: "expired",
    events: [HELD, ["expired", "unpaid", "expired", "system", 0.5]],
    payment: { state: "closed" },
  },
  refunded: {
    status: "delivered",
    events: [HELD, AUTHORIZED, SHIPPED, DELIVERED, ["refunded", "delivered", "delivered", "staff", 300]],
    payment: { ...CAPTURED, isRefunded: true },
    parcels: 1,
    isDelivered: true,
  },
  "ten-lines": TWO_PARCELS,
};

const LINES: Record<string, number> = { "polara-pro-earth-green": 1, "ethylene-filter-2-pack": 2 };

type Insert = {
  orderId: string;
  orderedAt: Date;
  email: string;
  firstName: string;
  lastName: string;
  /** Null for a guest. */
  userId: string | null;
};

/** Writes an order with the history of its state. */
export async function insertOrder(database: Pool, state: OrderState, insert: Insert): Promise<void> {
  const db = drizzle(database, { casing: "snake_case" });
  const { status, events, payment, parcels = 0, isDelivered } = WRITTEN[state];
  const { orderId, orderedAt, email, firstName, lastName, userId } = insert;
  const at = (hours: number) => new Date(orderedAt.getTime() + hours * 3_600_000);
  const isBought =
    state === "ten-lines"
      ? notInArray(products.slug, ["travel-sleeve", "produce-basket"])
      : inArray(products.slug, Object.keys(LINES));
  const bought = await db.select().from(products).where(isBought).orderBy(products.slug);
  const items = bought.map((product) => ({
    id: crypto.randomUUID(),
    orderId,
    productId: product.id,
    name: product.name,
    priceCents: product.earlyBirdPriceCents ?? product.priceCents,
    quantity: state === "ten-lines" ? 10 : LINES[product.slug]!,
    warrantyYears: warrantyYears(product),
  }));
  const { subtotalCents } = cartTotals(
    FIRST_SETTINGS.shipping,
    items.map((item) => ({ ...item, unitPriceCents: item.priceCents })),
  );
  await db.insert(orders).values({
    id: orderId,
    userId,
    createdAt: orderedAt,
    checkoutKey: crypto.randomUUID(),
    stage: status === "processing" ? "to-ship" : status,
    subtotalCents,
    shippingCents: 0,
    taxCents: 0,
    totalCents: subtotalCents,
    email,
    phone: "2125550100",
    shippingFirstName: firstName,
    shippingLastName: lastName,
    shippingAddressLine1: "12 Analytical Ave",
    shippingCity: "New York",
    shippingState: "NY",
    shippingPostalCode: "10001",
    shippingMethod: "standard",
    holdUntil: status === "unpaid" ? at(0.5) : null,
    acceptedAt: parcels > 0 ? at(26) : null,
    deliveredAt: isDelivered ? at(150) : null,
    shipBy: "2030-03-04",
    promisedAt: orderedAt,
    termsVersion: policy.effectiveDate,
  });
  await db.insert(orderItems).values(items);
  await db.execute(insertUnits(orderId, unitsOfLines(items.map((item) => ({ ...item, taxCents: 0 })))));
  await db.insert(orderEvents).values(
    events.map(([type, fromStatus, toStatus, actor, hours, data]) => ({
      orderId,
      type,
      fromStatus,
      toStatus,
      actor,
      at: at(hours),
      data,
    })),
  );
  for (const [type, , , , hours, data] of events)
    if (type === "delayed")
      await db.insert(delayNotices).values({
        id: crypto.randomUUID(),
        orderId,
        sentAt: at(hours),
        from: String(data?.from),
        until: String(data?.until),
      });
  if (payment) {
    const isCaptured = payment.state === "captured";
    const [{ id: paymentId } = { id: "" }] = await db
      .insert(payments)
      .values({
        orderId,
        provider: "stripe",
        state: payment.state,
        amountCents: subtotalCents,
        authorizedCents: isCaptured || payment.state === "authorized" ? subtotalCents : 0,
        capturedCents: isCaptured ? subtotalCents : 0,
        refundedCents: payment.isRefunded ? subtotalCents : 0,
        method: payment.hasMethod ? { brand: "visa", lastFour: "4242", wallet: null } : null,
        problem: payment.problem,
        expiresAt: at(0.5),
      })
      .returning();
    if (payment.state === "failed")
      await database.query(
        "INSERT INTO charges (id, order_id, state, by) VALUES (gen_random_uuid(), $1, 'failed', 'ship')",
        [orderId],
      );
    if (isCaptured) {
      await database.query(CHARGE_ALL, [orderId, paymentId]);
      await database.query("UPDATE payment_actions SET created_at = $2, done_at = $2 WHERE payment_id = $1", [
        paymentId,
        at(26),
      ]);
    }
    if (payment.isRefunded) await database.query(REFUND_ALL, [orderId, paymentId, at(300)]);
  }
  for (let parcel = 0; parcel < parcels; parcel++) {
    const [{ id: shipmentId } = { id: "" }] = await db
      .insert(shipments)
      .values({
        orderId,
        carrier: parcel === 0 ? "ups" : "usps",
        trackingNumber: parcel === 0 ? "1Z999AA10123456784" : "9400111899223100001234",
        state: isDelivered ? "delivered" : "shipped",
        shippedAt: at(26 + parcel * 24),
        deliveredAt: isDelivered ? at(150) : null,
      })
      .returning();
    const packed = items.filter((_, line) => line % parcels === parcel).map(({ id }) => id);
    await database.query(
      `INSERT INTO shipment_units (order_id, unit, shipment_id)
       SELECT order_id, number, $2 FROM order_units WHERE order_id = $1 AND order_item_id = ANY($3::uuid[])`,
      [orderId, shipmentId, packed],
    );
  }
  await writeSummary(db, orderId);
}
