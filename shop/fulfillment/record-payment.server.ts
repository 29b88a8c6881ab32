/** Payments that staff arranged with a customer, recorded as captured. */
import { eq, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { isAllowed } from "#shop/orders/lifecycle.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import { amountsCharged } from "#shop/orders/order.ts";
import type { Arrangement } from "#shop/payments/arrangement.ts";
import { paymentActions, payments } from "#shop/payments/payment.tables.ts";
import { audit, mail, waitingShipment, withOrder, wrongStatus, type Result } from "./locked-order.server.ts";

type RecordResult = Result<"paid" | "under-way" | "meanwhile" | "nothing-due">;

/**
 * Records a payment arranged with the customer, without which an order placed without a provider does not ship, and
 * confirms it by email. Its amount is what the order charges. Idempotent. Refusals: 'status', 'under-way', 'paid' if authorized or captured,
 * 'nothing-due', 'meanwhile' if the order no longer charges `cents`, which the submitted page showed.
 */
export const recordPayment = (
  db: Database,
  orderId: string,
  { cents, ...arrangement }: Arrangement & { cents: number },
  by: Acting | null,
): Promise<RecordResult> =>
  withOrder(db, orderId, async (order, tx): Promise<RecordResult> => {
    if (!isAllowed("payment-recorded", order.status)) return wrongStatus(order);
    if (waitingShipment(order)) return { ok: false, reason: "under-way" };
    const known = await tx.select().from(payments).where(eq(payments.orderId, orderId)).for("update");
    const paid = known.find(({ state }) => state === "authorized" || state === "captured");
    if (paid) {
      const { how, reference } = paid.arrangement ?? {};
      const isSame = how === arrangement.how && reference === arrangement.reference;
      return isSame ? { ok: true, repeated: true } : { ok: false, reason: "paid" };
    }
    const { totalCents } = amountsCharged(order, order.lines);
    if (totalCents === 0) return { ok: false, reason: "nothing-due" };
    if (totalCents !== cents) return { ok: false, reason: "meanwhile" };
    const captured = { state: "captured", amountCents: cents, capturedCents: cents } as const;
    const [payment] = await tx
      .insert(payments)
      .values({ orderId, provider: "manual", arrangement, ...captured })
      .returning({ id: payments.id });
    await tx.insert(paymentActions).values({
      paymentId: payment!.id,
      kind: "capture",
      amountCents: cents,
      state: "done",
      askedBy: "staff",
      staffId: by?.staffId,
      doneAt: sql`now()`,
    });
    const { how } = arrangement;
    await noteOrder(tx, orderId, "payment-recorded", "staff", { how, cents }, by?.staffId);
    await audit(tx, by, "record-payment", orderId, { after: { how, cents } });
    await mail(tx, { template: "payment-received", orderId, cents });
    return { ok: true, repeated: false };
  });
