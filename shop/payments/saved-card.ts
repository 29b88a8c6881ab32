/** The card that an order keeps for the charges of its parcels. */
import type { OrderPayment } from "./payments.server.ts";

/**
 * Returns the card for the next charge of an order, from its payments, oldest first: the latest that a page has kept, and
 * whether it refused a charge that no payment replaces yet. Null if none is kept.
 */
export function savedCardOf(all: readonly Pick<OrderPayment, "hasCard" | "method" | "refusedAt" | "state">[]) {
  const kept = all.findLast((payment) => payment.hasCard);
  const isAuthorized = all.some(({ state }) => state === "authorized");
  return kept ? { method: kept.method, refusedAt: isAuthorized ? null : kept.refusedAt } : null;
}
