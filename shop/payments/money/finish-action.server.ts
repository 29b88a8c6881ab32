/** What came of an action is written down with all that follows from it, in one transaction: once. */
import { and, eq, inArray, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "../../../db/connection.server.ts";
import { noteOrder } from "../../orders/pay-order.server.ts";
import { orders } from "../../orders/order.tables.ts";
import type { ActionKind, KnownOutcome } from "./action-outcome.ts";
import { applySnapshot } from "../settle/apply-snapshot.server.ts";
import type { AskedPayment } from "../settle/locked-payments.server.ts";
import { paymentActions, payments } from "../payment.tables.ts";
import type { MoneyMoved, PaymentSnapshot } from "../provider.ts";
import { tellStaff } from "../settle/tell-staff.server.ts";

export type ActionOutcome = {
  id: string;
  orderId: string;
  paymentId: string;
  kind: ActionKind;
  amountCents: number;
  outcome: "done" | "failed";
};
/** What else follows from an action, in the transaction that writes down what came of it: called once. */
export type AfterAction = (tx: DatabaseOrTransaction, action: ActionOutcome) => Promise<void>;

export type Action = typeof paymentActions.$inferSelect;
export type Found = { action: Action; payment: AskedPayment };

/** How a payment stood at the provider, when, and what that says of an action. */
export type Looked = {
  snapshot: PaymentSnapshot;
  at: string;
  outcome: KnownOutcome;
  problem?: string;
  moved?: MoneyMoved;
};

export const referenceIn = (moved: MoneyMoved) =>
  moved.ok && moved.providerReference ? { providerReference: moved.providerReference } : {};

/** Writes down what is known: payment, action, event and what else follows, or nothing of it. */
export async function finish(
  db: Database,
  { action, payment }: Found,
  { snapshot, at, outcome, problem, moved }: Looked,
  after: AfterAction,
): Promise<"done" | "failed" | "unknown"> {
  const { id, kind, amountCents, askedBy } = action;
  const { orderId, id: paymentId } = payment;
  const isKnown = outcome === "done" || outcome === "failed";
  return transaction(db, async (tx) => {
    await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId)).for("update");
    const reference = moved ? referenceIn(moved) : {};
    const [written] = await tx
      .update(paymentActions)
      .set(
        isKnown
          ? { ...reference, state: outcome, problem: problem ?? null, doneAt: sql`now()` }
          : { ...reference, state: "sent" },
      )
      .where(and(eq(paymentActions.id, id), inArray(paymentActions.state, ["asked", "sent"])))
      .returning({ id: paymentActions.id });
    if (isKnown && written && kind === "capture" && outcome === "failed") await keepFailed(tx, paymentId, problem);
    await applySnapshot(tx, orderId, { paymentId, snapshot, at });
    if (!written) return stateOf(tx, id);
    if (!isKnown) return "unknown";
    if (kind === "void" && outcome === "done" && snapshot.authorizedCents > 0) {
      await noteOrder(tx, orderId, "payment-voided", askedBy === "staff" ? "staff" : "system", { paymentId });
    }
    if (kind === "refund" && outcome === "failed") {
      await noteOrder(tx, orderId, "refund-failed", "provider", { cents: amountCents, actionId: id });
      await tellStaff(tx, orderId, "refund-failed");
    }
    await after(tx, { id, orderId, paymentId, kind, amountCents, outcome });
    return outcome;
  });
}

/** What could not be captured is given back, so that the next payment is the only one. */
async function keepFailed(tx: DatabaseOrTransaction, paymentId: string, problem = "capture-failed"): Promise<void> {
  await tx.update(payments).set({ state: "failed", problem }).where(eq(payments.id, paymentId));
  await tx
    .insert(paymentActions)
    .values({ paymentId, kind: "void", amountCents: 0, askedBy: "system" })
    .onConflictDoNothing();
}

async function stateOf(tx: DatabaseOrTransaction, id: string): Promise<"done" | "failed" | "unknown"> {
  const [now] = await tx.select({ state: paymentActions.state }).from(paymentActions).where(eq(paymentActions.id, id));
  return now?.state === "done" || now?.state === "failed" ? now.state : "unknown";
}
