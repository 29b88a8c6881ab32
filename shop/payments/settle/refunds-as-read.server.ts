/** Refunds as the provider has them: one that was made at its own desk becomes ours, and one that its bank refused later is told. */
import { eq } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../../db/connection.server.ts";
import { noteOrder } from "../../orders/pay-order.server.ts";
import type { LockedOrder, Payment } from "./locked-payments.server.ts";
import { paymentActions } from "../payment.tables.ts";
import type { ProviderRefund } from "../provider.ts";
import { tellStaff } from "./tell-staff.server.ts";

/** The payment is locked. What is under way is finished by running its action. */
export async function applyRefunds(
  tx: DatabaseOrTransaction,
  { id: orderId }: LockedOrder,
  payment: Payment,
  refunds: ProviderRefund[],
): Promise<void> {
  if (refunds.length === 0) return;
  const actions = await tx.select().from(paymentActions).where(eq(paymentActions.paymentId, payment.id));
  for (const { reference, actionId, cents, state } of refunds) {
    const action = actions.find(({ id, providerReference }) => id === actionId || providerReference === reference);
    if (!action && state !== "failed") {
      await tx.insert(paymentActions).values({
        paymentId: payment.id,
        kind: "refund",
        amountCents: cents,
        state: "sent",
        providerReference: reference,
        askedBy: "provider",
      });
    } else if (action?.state === "done" && state === "failed") {
      await tx.update(paymentActions).set({ state: "failed" }).where(eq(paymentActions.id, action.id));
      await noteOrder(tx, orderId, "refund-failed", "provider", { cents, actionId: action.id });
      await tellStaff(tx, orderId, "refund-failed");
    }
  }
}
