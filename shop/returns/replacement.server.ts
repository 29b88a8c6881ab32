/**
 * Orders of what the shop sends for a return: a replacement, an exchange, a part, or the customer's own product. They are
 * paid and shipped like every order.
 */
import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { mail, type LockedOrder } from "#shop/fulfillment/locked-order.server.ts";
import { afterAction } from "#shop/fulfillment/ship.server.ts";
import { today } from "#shop/fulfillment/unsent.sql.ts";
import { takeAll } from "#shop/inventory/stock.server.ts";
import { statusAfter, type PaymentStatus } from "#shop/orders/lifecycle.ts";
import { insertOrderEvents, noteOrder } from "#shop/orders/order-events.server.ts";
import { orderItems, orders } from "#shop/orders/order.tables.ts";
import { requestRefund } from "#shop/payments/actions.server.ts";
import { cancelOrder } from "#shop/payments/cancel.server.ts";
import { returnPolicy, shippingPolicy } from "#shop/policies.ts";
import { actorOf, staffOf, type By, type Return } from "./locked-return.server.ts";

/** A product of the catalog, whose units are taken, or a service such as a repair, of which there is no stock. */
export type SentLine = { productId: string | null; name: string; priceCents: number; quantity: number };

/** A line for what is done to the customer's own products, "Repair: Polara Pro, 2 x Polara Classic". */
export const service = (
  words: string,
  items: readonly { name: string; units: number }[],
  priceCents = 0,
): SentLine => ({
  productId: null,
  name: `${words}: ${items.map(({ name, units }) => (units > 1 ? `${units} x ${name}` : name)).join(", ")}`,
  priceCents,
  quantity: 1,
});

/** Tax of the first line, as quoted. */
export type LineTax = { reference: string; cents: number };

type Replacement = {
  lines: SentLine[];
  tax?: LineTax | null;
  /** Its units are reserved, and it ships once the customer's product is back. */
  isOnHold?: boolean;
};

/** Owner and address of an order. */
function recipientOf(order: LockedOrder) {
  const { userId, sessionId, email, phone, termsVersion, billingAddressSameAsShipping } = order;
  const { shippingFirstName, shippingLastName, shippingAddressLine1, shippingAddressLine2 } = order;
  const { shippingCity, shippingState, shippingPostalCode, shippingCountry } = order;
  return {
    userId,
    sessionId,
    email,
    phone,
    termsVersion,
    billingAddressSameAsShipping,
    shippingFirstName,
    shippingLastName,
    shippingAddressLine1,
    shippingAddressLine2,
    shippingCity,
    shippingState,
    shippingPostalCode,
    shippingCountry,
  };
}

/**
 * Places an order for a locked return, to the address of its first order, and takes the stock. Returns its id, or null if
 * the stock is too low: then nothing is taken.
 */
export async function placeReplacement(
  tx: DatabaseOrTransaction,
  order: LockedOrder,
  { id: returnId, number }: Pick<Return, "id" | "number">,
  { lines, tax = null, isOnHold = false }: Replacement,
  by: By,
): Promise<string | null> {
  const goods = lines.flatMap(({ productId, quantity }) => (productId ? [{ productId, quantity }] : []));
  if ((await takeAll(tx, goods)) !== null) return null;
  const id = randomUUID();
  const subtotalCents = lines.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0);
  const waitDays = isOnHold ? returnPolicy.shipBackDays + returnPolicy.expiresAfterDays : 0;
  await tx.insert(orders).values({
    ...recipientOf(order),
    id,
    checkoutKey: randomUUID(),
    status: statusAfter("replacement-placed"),
    subtotalCents,
    shippingCents: 0,
    taxCents: tax?.cents ?? 0,
    taxReference: tax?.reference,
    totalCents: subtotalCents + (tax?.cents ?? 0),
    shippingMethod: "standard",
    promisedOn: sql`${today} + ${waitDays + shippingPolicy.shipWithinDays}::int`,
    onHoldSince: isOnHold ? sql`now()` : null,
    replacesReturnId: returnId,
  });
  await tx.insert(orderItems).values(
    lines.map(({ productId, name, priceCents, quantity }, place) => ({
      orderId: id,
      // A service is no product of the catalog.
      productId: productId ?? randomUUID(),
      name,
      priceCents,
      quantity,
      taxCents: place === 0 ? (tax?.cents ?? 0) : 0,
    })),
  );
  const placed = sql`(SELECT id, NULL::text AS from_status, status AS to_status FROM orders WHERE id = ${id}::uuid)`;
  await tx.execute(
    insertOrderEvents("replacement-placed", actorOf(by), placed, { returnId, number }, staffOf(by)?.staffId),
  );
  return id;
}

/** Releases an order that was on hold: it ships once it is paid. False if there is none, or it has ended. */
export async function releaseReplacement(tx: DatabaseOrTransaction, rma: Return, by: By): Promise<boolean> {
  const order = await lockReplacement(tx, rma.replacementOrderId);
  if (order?.status !== "processing") return order?.status === "shipped" || order?.status === "delivered";
  await tx
    .update(orders)
    .set({ onHoldSince: null, promisedOn: sql`${today} + ${shippingPolicy.shipWithinDays}::int` })
    .where(eq(orders.id, order.id));
  if (order.totalCents > 0 && !isPaid(order)) await askToPay(tx, rma, order.id, by);
  return true;
}

export const isPaid = ({ paymentStatus }: { paymentStatus: PaymentStatus }): boolean =>
  paymentStatus === "authorized" || paymentStatus === "captured";

/** Sends the customer the link to pay an order of a return. */
export async function askToPay(
  tx: DatabaseOrTransaction,
  { id: returnId, orderId }: Pick<Return, "id" | "orderId">,
  payOrderId: string,
  by: By,
): Promise<void> {
  const staff = staffOf(by);
  await noteOrder(tx, payOrderId, "payment-requested", staff ? "staff" : "system", { returnId }, staff?.staffId);
  await mail(tx, { template: "return-payment", orderId, returnId, payOrderId });
}

/** Ends what was reserved or asked for: its stock goes back, and the diagnostic fee is refunded. */
export async function endReplacements(tx: DatabaseOrTransaction, rma: Return, by: By): Promise<void> {
  await cancelReplacement(tx, rma.replacementOrderId, by);
  await cancelReplacement(tx, rma.feeOrderId, by);
  const fee = await lockReplacement(tx, rma.feeOrderId);
  if (fee?.status !== "delivered") return;
  const asked = await requestRefund(tx, fee.id, fee.totalCents, {
    reason: "fee",
    askedBy: actorOf(by),
    staffId: staffOf(by)?.staffId ?? null,
    returnId: rma.id,
  });
  if (!asked.ok) return;
  for (const action of asked.recorded) {
    await afterAction(tx, { ...action, orderId: fee.id, kind: "refund", outcome: "done" });
  }
}

async function cancelReplacement(tx: DatabaseOrTransaction, orderId: string | null, by: By): Promise<void> {
  const order = await lockReplacement(tx, orderId);
  if (order?.status !== "processing") return;
  await cancelOrder(tx, order.id, actorOf(by), { reason: "return-ended", staffId: staffOf(by)?.staffId ?? null });
}

/** Cancels an order of a return that is not paid. */
export async function cancelUnpaid(tx: DatabaseOrTransaction, orderId: string | null, by: By): Promise<void> {
  const order = await lockReplacement(tx, orderId);
  if (order && !isPaid(order)) await cancelReplacement(tx, orderId, by);
}

export async function lockReplacement(tx: DatabaseOrTransaction, orderId: string | null) {
  if (!orderId) return null;
  const { id, status, totalCents, paymentStatus } = orders;
  const [order] = await tx
    .select({ id, status, totalCents, paymentStatus })
    .from(orders)
    .where(eq(orders.id, orderId))
    .for("update");
  return order ?? null;
}
