/** What was paid for an order and given back, as its page shows it. It does not ask whose order it is. */
import { and, asc, eq, inArray } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { paymentActions, payments } from "./payment.tables.ts";

const { id, state, amountCents, authorizedCents, capturedCents, refundedCents, method, problem, expiresAt } = payments;
const shown = { id, state, amountCents, authorizedCents, capturedCents, refundedCents, method, problem, expiresAt };

/** Money that has moved; a refund may still be on its way. */
type Moved = { kind: "capture" | "void" | "refund"; amountCents: number; isDone: boolean; at: Date };
export type OrderPayment = Pick<typeof payments.$inferSelect, keyof typeof shown> & { moved: Moved[] };

/** The payments of one order, the first one first, each with what was charged and refunded when. */
export async function listPayments(db: Database, orderId: string): Promise<OrderPayment[]> {
  const [found, actions] = await Promise.all([
    db.select(shown).from(payments).where(eq(payments.orderId, orderId)).orderBy(asc(payments.createdAt)),
    db
      .select({
        paymentId: paymentActions.paymentId,
        kind: paymentActions.kind,
        amountCents: paymentActions.amountCents,
        state: paymentActions.state,
        createdAt: paymentActions.createdAt,
        doneAt: paymentActions.doneAt,
      })
      .from(paymentActions)
      .innerJoin(payments, eq(payments.id, paymentActions.paymentId))
      .where(and(eq(payments.orderId, orderId), inArray(paymentActions.state, ["asked", "sent", "done"])))
      .orderBy(asc(paymentActions.createdAt)),
  ]);
  return found.map((payment) => ({
    ...payment,
    moved: actions
      .filter(({ paymentId }) => paymentId === payment.id)
      .map((action) => ({
        kind: action.kind,
        amountCents: action.amountCents,
        isDone: action.state === "done",
        at: action.doneAt ?? action.createdAt,
      })),
  }));
}
