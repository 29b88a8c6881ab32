/** Changes of an order other than shipping and refunds. Each succeeds whole or is refused, and is idempotent. */
import { and, eq, gt, sql } from "drizzle-orm";
import { transaction, type Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { mayBePaid } from "#shop/orders/actions/money.ts";
import { deliverAll } from "#shop/orders/actions/parcels.ts";
import { isAllowed, statusOf } from "#shop/orders/lifecycle.ts";
import { lockFacts } from "#shop/orders/facts.server.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import { isPartlyShipped } from "#shop/orders/order.ts";
import { orderEvents } from "#shop/orders/order.tables.ts";
import { withOrder } from "#shop/orders/run.server.ts";
import { orderState } from "#shop/orders/state.ts";
import { cancelOrder, declineOrder, type CancelResult } from "#shop/payments/cancel.server.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { cancelRest } from "./cancel-items.server.ts";
import {
  audit,
  DONE,
  mail,
  onLocked,
  refused,
  REPEATED,
  resultOf,
  staff,
  wrongStatus,
  type Result,
} from "./locked-order.server.ts";
import type { DeclineReason } from "#shop/orders/reasons.ts";

/**
 * Marks an order and all its parcels as delivered, which starts the return period. Refusals: 'units-left' if
 * units did not ship (cancelItems cancels them), 'not-in-transit' if all parcels were refused or lost.
 */
export const markDelivered = async (
  db: Database,
  orderId: string,
  by: Acting | null,
): Promise<Result<"units-left" | "not-in-transit">> =>
  resultOf(
    await withOrder(
      db,
      orderId,
      (state, act) => deliverAll(state, {}, act),
      staff(by),
      (tx) => audit(tx, by, "deliver", orderId),
    ),
  );

/**
 * Requests payment by email for an order, or the rest of one, placed without payment or whose payment failed. Repeats within a minute send
 * nothing. Refusals: 'paid' if nothing is due that is not authorized or charged by parcel, 'provider' if the shop takes no payments.
 */
export const askForPayment = (
  db: Database,
  providers: PaymentProviders | null,
  orderId: string,
  by: Acting | null,
): Promise<Result<"paid" | "provider" | "under-way">> =>
  onLocked(db, orderId, async (state, tx) => {
    if (!providers) return refused("provider");
    if (!isAllowed("payment-requested", statusOf(state.stage))) return wrongStatus(state);
    if (state.packing) return refused("under-way");
    if (!mayBePaid(state)) return refused("paid");
    const same = and(
      eq(orderEvents.orderId, orderId),
      eq(orderEvents.type, "payment-requested"),
      gt(orderEvents.at, sql`now() - interval '1 minute'`),
    );
    if ((await tx.$count(orderEvents, same)) > 0) return REPEATED;
    await noteOrder(tx, orderId, "payment-requested", "staff", undefined, by?.staffId);
    await audit(tx, by, "ask-payment", orderId);
    await mail(tx, { template: "payment-request", orderId, why: "asked" });
    return DONE;
  });

/**
 * Cancels an order. An unpaid one was never confirmed and gets no email. What is refunded with it is within the role's limit,
 * and needs a code above another.
 */
export const cancelByStaff = (
  db: Database,
  orderId: string,
  by: Acting | null,
  isVerified = false,
): Promise<CancelResult> =>
  transaction(db, async (tx): Promise<CancelResult> => {
    const result = await cancelOrder(tx, orderId, "staff", { ...staff(by && { ...by, isVerified }), isTold: true });
    if (result.ok && !result.repeated) await audit(tx, by, "cancel", orderId);
    return result;
  });

/**
 * Cancels an order for its buyer, or the rest of a partial one that is delayed. The caller has checked ownership. Refused with
 * 'nothing-left' if only the buyer's own product waits, which goes back.
 */
export const cancelByBuyer = (
  db: Database,
  orderId: string,
  actor: "customer" | "guest",
): Promise<CancelResult | { ok: false; reason: "nothing-left" }> =>
  transaction(db, async (tx) => {
    const facts = await lockFacts(tx, orderId);
    const state = facts && orderState(facts);
    if (!state || !isPartlyShipped(state) || !state.promise.isMoved)
      return cancelOrder(tx, orderId, actor, { isTold: true });
    const rest = await cancelRest(tx, orderId, actor, "asked");
    if (rest.ok) return DONE;
    if (rest.reason === "nothing-left") return { ok: false, reason: rest.reason };
    return { ok: false, reason: "too-late", status: statusOf(state.stage) };
  });

/**
 * Declines an order with a reason for the customer, with the limits of cancelByStaff. Refused with 'accepted' if it has shipped
 * once.
 */
export const declineByStaff = (
  db: Database,
  orderId: string,
  reason: DeclineReason,
  by: Acting | null,
  isVerified = false,
): Promise<CancelResult> =>
  transaction(db, async (tx): Promise<CancelResult> => {
    const result = await declineOrder(tx, orderId, { ...staff(by && { ...by, isVerified }), reason, isTold: true });
    if (result.ok && !result.repeated) await audit(tx, by, "decline", orderId, { after: { reason } });
    return result;
  });
