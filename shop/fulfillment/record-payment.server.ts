/** Payments that staff arranged with a customer, recorded as captured. */
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { recordPayment as record } from "#shop/orders/actions/pay.ts";
import { NOTHING } from "#shop/orders/change.ts";
import { withOrder } from "#shop/orders/run.server.ts";
import type { Arrangement } from "#shop/payments/arrangement.ts";
import { audit, resultOf, staff, type Result } from "./locked-order.server.ts";

type RecordResult = Result<"paid" | "under-way" | "meanwhile" | "nothing-due">;

/**
 * Records a payment arranged with the customer, without which an order placed without a provider does not ship, and
 * confirms it by email. Its amount is what the order charges. Idempotent. Refusals: 'status', 'under-way', 'paid' if authorized or captured,
 * 'nothing-due', 'meanwhile' if the order no longer charges `cents`, which the submitted page showed.
 */
export async function recordPayment(
  db: Database,
  orderId: string,
  { cents, ...arrangement }: Arrangement & { cents: number },
  by: Acting | null,
): Promise<RecordResult> {
  const recorded = await withOrder(
    db,
    orderId,
    (state, act) => {
      const known = state.facts.payments.find(
        ({ kind, arrangement: is }) => kind === "arranged" && isSame(is, arrangement),
      );
      return known ? NOTHING : record(state, { cents, arrangement }, act);
    },
    staff(by),
    (tx) => audit(tx, by, "record-payment", orderId, { after: { cents, how: arrangement.how } }),
  );
  return resultOf(recorded);
}

const isSame = (one: { how: string; reference: string } | null, other: Arrangement): boolean =>
  one?.how === other.how && one.reference === other.reference;
