/** Payment pages at the provider: one at a time for an order, and the same one while it is open. */
import { and, asc, eq, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { amountsCharged, orderNumber, unitsKept } from "#shop/orders/order.ts";
import { orderItems, orders } from "#shop/orders/order.tables.ts";
import { lockPayments, type LockedOrder, type Payment } from "./locked-payments.server.ts";
import { paymentLinking } from "./open-provider.server.ts";
import { paymentActions, payments } from "./payment.tables.ts";
import { ProviderError, type PaymentOrder, type PaymentProvider } from "./provider.ts";
import { reconcilePayment } from "./reconcile.server.ts";
import { returnUrl } from "./return-link.server.ts";

/** Maximum lifetime of a page; the shop closes it when the reservation ends. */
export const PAGE_MINUTES = 65;

type OpenedPage =
  | { ok: true; url: string }
  | {
      ok: false;
      /**
       * `over`: the order can no longer be paid. `away` and `busy`: the provider cannot open a page now, but may soon.
       */
      reason: "paid" | "over" | "away" | "busy";
    };

/**
 * Returns the address of the order's payment page, opened again if the former one has closed. Only for unpaid orders
 * within their reservation, and for orders in processing whose payment failed or was requested. The caller has checked
 * ownership.
 */
export async function openPage(db: Database, provider: PaymentProvider, orderId: string): Promise<OpenedPage> {
  try {
    let payment = await transaction(db, (tx) => payable(tx, orderId));
    if ("ok" in payment) return payment;
    if (payment.state === "open") {
      await reconcilePayment(db, provider, payment.id);
      payment = await transaction(db, (tx) => payable(tx, orderId));
      if ("ok" in payment) return payment;
      if (payment.state === "open") return { ok: true, url: payment.url ?? "" };
    }
    return await open(db, provider, payment);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { ok: false, reason: error.kind === "busy" ? "busy" : "away" };
  }
}

async function payable(
  tx: DatabaseOrTransaction,
  orderId: string,
): Promise<Payment | Extract<OpenedPage, { ok: false }>> {
  const order = await lockPayments(tx, orderId);
  if (!order) return { ok: false, reason: "over" };
  const live = order.payments.find(({ state }) => state === "open" || state === "opening");
  const refusal = await refusalOf(tx, order);
  if (refusal) return { ok: false, reason: refusal };
  if (live) return live;
  const { totalCents } = await chargeOf(tx, orderId);
  const [made] = await tx
    .insert(payments)
    .values({
      orderId,
      provider: "stripe",
      amountCents: totalCents,
      expiresAt: sql`now() + ${PAGE_MINUTES} * interval '1 minute'`,
    })
    .returning();
  return made!;
}

async function refusalOf(tx: DatabaseOrTransaction, order: LockedOrder): Promise<"paid" | "over" | null> {
  const { status, isReservationOver, payments: all } = order;
  if (all.some(({ state }) => state === "authorized" || state === "captured" || state === "mismatch")) return "paid";
  if (status === "unpaid") return isReservationOver ? "over" : null;
  if (status !== "processing") return status === "shipped" || status === "delivered" ? "paid" : "over";
  // Orders in processing are payable after a failed payment or a request by staff, unless a capture is under way.
  const [capturing] = await tx
    .select({ id: paymentActions.id })
    .from(paymentActions)
    .innerJoin(payments, eq(payments.id, paymentActions.paymentId))
    .where(
      and(
        eq(payments.orderId, order.id),
        eq(paymentActions.kind, "capture"),
        sql`payment_actions.state IN ('asked', 'sent')`,
      ),
    );
  if (capturing) return "paid";
  return all.length > 0 || (await wasRequested(tx, order.id)) ? null : "over";
}

async function wasRequested(tx: DatabaseOrTransaction, orderId: string): Promise<boolean> {
  const { rowCount } = await tx.execute(
    sql`SELECT FROM order_events WHERE order_id = ${orderId}::uuid AND type = 'payment-requested'`,
  );
  return rowCount !== 0;
}

async function chargeOf(db: DatabaseOrTransaction, orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  const lines = await db.select().from(orderItems).where(eq(orderItems.orderId, orderId)).orderBy(asc(orderItems.name));
  if (!order) throw new Error("a payment has no order");
  return { order, lines, ...amountsCharged(order, lines) };
}

async function open(db: Database, provider: PaymentProvider, payment: Payment): Promise<OpenedPage> {
  const isOpening = and(eq(payments.id, payment.id), eq(payments.state, "opening"));
  const page = await provider.open(await paymentOrder(db, payment)).catch(async (error: unknown) => {
    // The idempotency key would repeat the failure and nobody has seen a page, so another payment replaces this one.
    const isLost = error instanceof ProviderError && (error.kind === "fault" || error.kind === "refused");
    if (isLost) await db.update(payments).set({ state: "closed" }).where(isOpening);
    throw error;
  });
  const { rowCount } = await db
    .update(payments)
    .set({ ...page, state: "open" })
    .where(isOpening);
  if (rowCount === 1) return { ok: true, url: page.url };
  const [now] = await db.select().from(payments).where(eq(payments.id, payment.id));
  // A concurrent request opened the same page.
  if (now?.state === "open" && now.reference === page.reference) return { ok: true, url: page.url };
  // The order ended in the meantime.
  if (now?.reference === null) {
    await provider.close({ reference: page.reference, intentReference: null });
  }
  return { ok: false, reason: "over" };
}

/** Parameters never vary for one payment, so that its idempotency key returns the same page. */
async function paymentOrder(db: Database, payment: Payment): Promise<PaymentOrder> {
  const { order, lines, shippingCents, taxCents } = await chargeOf(db, payment.orderId);
  const back = returnUrl(order, paymentLinking(), payment.createdAt);
  return {
    paymentId: payment.id,
    mode: "authorize",
    orderNumber: orderNumber(order.id),
    email: order.email,
    asksBillingAddress: !order.billingAddressSameAsShipping,
    amountCents: payment.amountCents,
    lines: lines
      .map((line) => ({ name: line.name, unitPriceCents: line.priceCents, quantity: unitsKept(line) }))
      .filter(({ quantity }) => quantity > 0),
    shippingCents,
    taxCents,
    expiresAt: payment.expiresAt ?? new Date(payment.createdAt.getTime() + PAGE_MINUTES * 60_000),
    successUrl: back,
    cancelUrl: back,
  };
}
