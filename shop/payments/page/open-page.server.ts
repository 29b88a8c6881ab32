/** Opens the page where an order is paid: one at a time for an order, and the same one again while that is open. */
import { and, asc, eq, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "../../../db/connection.server.ts";
import { amountsCharged, unitsKept } from "../../orders/charge.ts";
import { orderNumber } from "../../orders/order.ts";
import { orderItems, orders } from "../../orders/order.tables.ts";
import { settlePayment } from "../settle/settle.server.ts";
import { lockPayments, type LockedOrder, type Payment } from "../settle/locked-payments.server.ts";
import { paymentActions, payments } from "../payment.tables.ts";
import { ProviderError, type PaymentOrder, type PaymentProvider } from "../provider.ts";
import { paymentLinking } from "../open-provider.server.ts";
import { returnUrl } from "./return-link.server.ts";
import { tryCall } from "./call-limit.ts";

/**
 * How long the page is open at most: the provider takes half an hour from when it is asked, which may be at the end of the
 * hold. When the hold is over the page is closed.
 */
export const PAGE_MINUTES = 65;

export type OpenedPage =
  | { ok: true; url: string }
  | {
      ok: false;
      /** `over`: it cannot be paid any more. `away` and `busy`: the provider cannot open one now; it may in a moment. */
      reason: "paid" | "over" | "away" | "busy";
    };

/**
 * The address of an open page where the order is paid, and of exactly its amount. Opens one again where the former has
 * closed. Only for unpaid orders in their hold, and for orders in processing whose payment failed or was asked for.
 */
export async function openPage(db: Database, provider: PaymentProvider, orderId: string): Promise<OpenedPage> {
  try {
    const before = await transaction(db, (tx) => payable(tx, orderId));
    if ("ok" in before) return before;
    if (before.state === "open") {
      await settlePayment(db, provider, before.id);
      const now = await transaction(db, (tx) => payable(tx, orderId));
      if ("ok" in now) return now;
      if (now.state === "open") return { ok: true, url: now.url ?? "" };
      return await open(db, provider, now);
    }
    return await open(db, provider, before);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { ok: false, reason: error.kind === "busy" ? "busy" : "away" };
  }
}

/** The payment to be paid, made where there is none; or why there is nothing to pay. */
async function payable(
  tx: DatabaseOrTransaction,
  orderId: string,
): Promise<Payment | Extract<OpenedPage, { ok: false }>> {
  const order = await lockPayments(tx, orderId);
  if (!order) return { ok: false, reason: "over" };
  const live = order.payments.find(({ state }) => state === "open" || state === "opening");
  const refusal = await whyNot(tx, order);
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

async function whyNot(tx: DatabaseOrTransaction, order: LockedOrder): Promise<"paid" | "over" | null> {
  const { status, isHoldOver, payments: all } = order;
  if (all.some(({ state }) => state === "authorized" || state === "captured" || state === "mismatch")) return "paid";
  if (status === "unpaid") return isHoldOver ? "over" : null;
  if (status !== "processing") return status === "shipped" || status === "delivered" ? "paid" : "over";
  // Asked for once: a payment of this order that failed, or one that staff have asked for and nobody has paid.
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
  return all.length > 0 || (await wasAskedFor(tx, order.id)) ? null : "over";
}

async function wasAskedFor(tx: DatabaseOrTransaction, orderId: string): Promise<boolean> {
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
  if (!tryCall()) return { ok: false, reason: "busy" };
  const page = await provider.open(await paymentOrder(db, payment)).catch(async (error: unknown) => {
    // Its key would bring the same failure again, and nobody has been told of a page: another payment takes its place.
    const isLost = error instanceof ProviderError && (error.kind === "fault" || error.kind === "refused");
    if (isLost) await closeLost(db, payment.id);
    throw error;
  });
  const { rowCount } = await db
    .update(payments)
    .set({ ...page, state: "open" })
    .where(and(eq(payments.id, payment.id), eq(payments.state, "opening")));
  if (rowCount === 1) return { ok: true, url: page.url };
  const [now] = await db.select().from(payments).where(eq(payments.id, payment.id));
  // Another request has opened the same page in the same moment.
  if (now?.state === "open" && now.reference === page.reference) return { ok: true, url: page.url };
  // The order has ended meanwhile.
  if (now?.reference === null) {
    await provider.close({ paymentId: payment.id, reference: page.reference, intentReference: null });
  }
  return { ok: false, reason: "over" };
}

const closeLost = (db: Database, id: string) =>
  db
    .update(payments)
    .set({ state: "closed" })
    .where(and(eq(payments.id, id), eq(payments.state, "opening")));

/** The same each time for a payment, so that its key brings the same page. */
async function paymentOrder(db: Database, payment: Payment): Promise<PaymentOrder> {
  const { order, lines, shippingCents, taxCents } = await chargeOf(db, payment.orderId);
  const back = returnUrl(order.id, paymentLinking());
  return {
    paymentId: payment.id,
    orderNumber: orderNumber(order.id),
    email: order.email,
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
