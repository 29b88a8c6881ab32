/**
 * Orders of what the shop sends for a return: a replacement, an exchange, a part, or the customer's own product. They are
 * paid and shipped like every order.
 */
import { eq, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { mail, type LockedOrder } from "#shop/fulfillment/locked-order.server.ts";
import { afterAction } from "#shop/fulfillment/ship.server.ts";
import { placeShopOrder, type LineTax, type SentLine } from "#shop/fulfillment/shop-order.server.ts";
import type { PaymentStatus } from "#shop/orders/lifecycle.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { capturedOf, requestRefund } from "#shop/payments/actions.server.ts";
import { cancelOrder } from "#shop/payments/cancel.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { returnPolicy, shippingPolicy } from "#shop/policies.ts";
import { settings } from "#shop/settings/settings.server.ts";
import { shipBy } from "#shop/shipping/methods.ts";
import { today } from "#shop/new-york-time.sql.ts";
import { actorOf, staffOf, type By, type Return } from "./locked-return.server.ts";

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

type Replacement = {
  lines: SentLine[];
  tax?: LineTax | null;
  /** Its units are reserved, and it ships once the customer's product is back. */
  isOnHold?: boolean;
};

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
  const { userId, sessionId, email, phone, termsVersion, billingAddressSameAsShipping } = order;
  const { shippingFirstName, shippingLastName, shippingAddressLine1, shippingAddressLine2 } = order;
  const { shippingCity, shippingState, shippingPostalCode } = order;
  const person = { userId, sessionId, email, phone, termsVersion, billingAddressSameAsShipping };
  const street = { shippingFirstName, shippingLastName, shippingAddressLine1, shippingAddressLine2 };
  const placed = await placeShopOrder(
    tx,
    { ...person, ...street, shippingCity, shippingState, shippingPostalCode },
    {
      lines,
      tax,
      isOnHold,
      waitDays: isOnHold ? returnPolicy.shipBackDays + returnPolicy.expiresAfterDays : 0,
      replacesReturnId: returnId,
    },
    {
      type: "replacement-placed",
      actor: actorOf(by),
      data: { returnId, number },
      staffId: staffOf(by)?.staffId ?? null,
    },
  );
  return "id" in placed ? placed.id : null;
}

/** Releases an order that was on hold: it ships once it is paid. False if there is none, or it has ended. */
export async function releaseReplacement(tx: DatabaseOrTransaction, rma: Return, by: By): Promise<boolean> {
  const order = await lockReplacement(tx, rma.replacementOrderId);
  if (order?.status !== "processing") return order?.status === "shipped" || order?.status === "delivered";
  await tx
    .update(orders)
    .set({
      onHoldSince: null,
      promisedOn: sql`${today} + ${shippingPolicy.shipWithinDays}::int`,
      shipBy: shipBy(settings().shipping, order.shippingMethod, newYorkDay(clock.now())),
    })
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

/** Ends what was reserved or asked for: its stock goes back, and the rest of the diagnostic fee is refunded. */
export async function endReplacements(tx: DatabaseOrTransaction, rma: Return, by: By): Promise<void> {
  await cancelReplacement(tx, rma.replacementOrderId, by);
  await cancelReplacement(tx, rma.feeOrderId, by);
  const fee = await lockReplacement(tx, rma.feeOrderId);
  if (fee?.status !== "delivered") return;
  const { leftCents } = await capturedOf(tx, fee.id);
  const asked = await requestRefund(tx, fee.id, leftCents, {
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
  const { id, status, totalCents, paymentStatus, shippingMethod } = orders;
  const [order] = await tx
    .select({ id, status, totalCents, paymentStatus, shippingMethod })
    .from(orders)
    .where(eq(orders.id, orderId))
    .for("update");
  return order ?? null;
}
