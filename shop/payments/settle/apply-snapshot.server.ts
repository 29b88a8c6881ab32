/** Carries out what the provider's word means for a payment and its order, in one transaction that holds both. */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../../db/connection.server.ts";
import { ORDER_STEP_PERMIT } from "../../mail/mail-budget.server.ts";
import { enqueueEmail } from "../../mail/enqueue-email.server.ts";
import { markAuthorized, noteOrder, takeAgain } from "../../orders/pay-order.server.ts";
import { askToGiveBack } from "./give-back.server.ts";
import { decide, type Decision, type PaymentNow } from "./decide.ts";
import { lapse } from "./lapse.server.ts";
import { lockPayments, type LockedOrder, type Payment } from "./locked-payments.server.ts";
import { paymentActions, payments } from "../payment.tables.ts";
import type { PaymentSnapshot } from "../provider.ts";
import { applyRefunds } from "./refunds-as-read.server.ts";
import { tellStaff } from "./tell-staff.server.ts";

type Tx = DatabaseOrTransaction;

/** What was read of a payment, and when that was asked by the database's clock. */
export type Read = { paymentId: string; snapshot: PaymentSnapshot; at: string };

/**
 * Locks the order and applies what was read, unless something newer was applied before. `orderId` is the payment's. Returns
 * what counted against the order's holds, where it is paid now: whoever called gives that back once all is committed.
 */
export async function applySnapshot(tx: Tx, orderId: string, read: Read): Promise<{ paidHoldKey: string | null }> {
  const order = await lockPayments(tx, orderId);
  const payment = order?.payments.find(({ id }) => id === read.paymentId);
  if (!order || !payment) return { paidHoldKey: null };
  if (await isOutdated(tx, read)) return { paidHoldKey: null };
  const decision = decide(await present(tx, order, payment), read.snapshot);
  await write(tx, order, payment, read, decision);
  const outcome = await moveOrder(tx, order, decision);
  for (const note of decision.notes) await noteOrder(tx, orderId, note, "provider", { paymentId: payment.id });
  for (const about of decision.alerts) await tellStaff(tx, orderId, about);
  if (decision.asksToPay) await enqueueEmail(tx, { template: "payment-ended", orderId }, ORDER_STEP_PERMIT);
  if (decision.givesBack || outcome === "sold-out") await askToGiveBack(tx, [payment.id], "system");
  await applyRefunds(tx, order, payment, read.snapshot.refunds);
  return { paidHoldKey: outcome === "paid" ? payment.holdKey : null };
}

async function isOutdated(tx: Tx, { paymentId, at }: Read): Promise<boolean> {
  const newer = sql`SELECT FROM payments WHERE id = ${paymentId}::uuid AND read_at >= ${at}::timestamptz`;
  return (await tx.execute(newer)).rowCount !== 0;
}

async function present(tx: Tx, order: LockedOrder, payment: Payment): Promise<PaymentNow> {
  const [voided] = await tx
    .select({ id: paymentActions.id })
    .from(paymentActions)
    .where(
      and(
        eq(paymentActions.paymentId, payment.id),
        eq(paymentActions.kind, "void"),
        inArray(paymentActions.state, ["asked", "sent", "done"]),
      ),
    );
  return {
    orderStatus: order.status,
    isHoldOver: order.isHoldOver,
    state: payment.state,
    amountCents: payment.amountCents,
    problem: payment.problem,
    isDisputed: payment.disputedUntil !== null,
    isPaidByOther: order.payments.some(
      ({ id, state }) => id !== payment.id && (state === "authorized" || state === "captured"),
    ),
    isVoided: voided !== undefined,
  };
}

async function write(tx: Tx, { email }: LockedOrder, { id }: Payment, { snapshot, at }: Read, decision: Decision) {
  const amounts = {
    authorizedCents: snapshot.authorizedCents,
    capturedCents: snapshot.capturedCents,
    refundedCents: snapshot.refundedCents,
  };
  const isOpen = decision.state === "open";
  await tx
    .update(payments)
    .set({
      state: decision.state,
      problem: decision.problem,
      readAt: sql`${at}::timestamptz`,
      intentReference: snapshot.intentReference,
      disputedUntil: snapshot.disputedUntil,
      captureBefore: snapshot.captureBefore,
      // Of an order without its person nothing is written down again.
      ...(email !== "" && { method: snapshot.method }),
      // Amounts that are not ours would not fit the row.
      ...(decision.state !== "mismatch" && amounts),
      ...(!isOpen && { url: null }),
      ...(!isOpen && { holdKey: null }),
    })
    .where(eq(payments.id, id));
}

async function moveOrder(tx: Tx, order: LockedOrder, { order: move }: Decision): Promise<"paid" | "sold-out" | null> {
  if (move === null) return null;
  if (move === "lapsed") {
    await lapse(tx, order);
    return null;
  }
  if (move === "authorized-late" && !(await takeAgain(tx, order.id))) {
    await enqueueEmail(tx, { template: "order-not-charged", orderId: order.id }, ORDER_STEP_PERMIT);
    return "sold-out";
  }
  await markAuthorized(tx, order.id, move);
  await enqueueEmail(tx, { template: "order-confirmation", orderId: order.id }, ORDER_STEP_PERMIT);
  return "paid";
}
