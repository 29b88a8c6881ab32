/** What a buyer can do about an order that is to be paid: see how it stands, pay it, or take it back into the cart. */
import { and, eq, ne, sql } from "drizzle-orm";
import { transaction, type Database } from "../../db/connection.server.ts";
import { ownerId } from "../cart/cart.server.ts";
import type { Buyer } from "../cart/cart.ts";
import { orders } from "../orders/order.tables.ts";
import { cancelOrder } from "./cancel.server.ts";
import { closeUnopened, refillFrom } from "./settle/lapse.server.ts";
import { lockPayments } from "./settle/locked-payments.server.ts";
import { openPage, type OpenedPage } from "./page/open-page.server.ts";
import { closePages } from "./settle/release.server.ts";
import { ProviderError, type PaymentProvider } from "./provider.ts";

export { listPayments, type OrderPayment } from "./list-payments.server.ts";

/**
 * The address of the page where an order is paid, opened again where the former has closed. Refusals: 'paid', 'over' where
 * it cannot be paid (any more), 'away' and 'busy' where the provider cannot open a page in this moment. Whose order it is
 * has been asked before.
 */
export const payNow = (db: Database, provider: PaymentProvider, orderId: string): Promise<OpenedPage> =>
  openPage(db, provider, orderId);

export type ChangeResult =
  | { ok: true }
  | {
      ok: false;
      /** `paid`: it was paid in the meantime, and stands. `over`: it has ended. `away`: the provider does not answer. */
      reason: "paid" | "over" | "away";
    };

/**
 * Takes an unpaid order back: nobody can pay it any more, then it is canceled, its units return and its lines are in the
 * cart of `buyer` again, in one transaction. Whose order it is has been asked before.
 */
export const changeMyOrder = (
  db: Database,
  provider: PaymentProvider,
  buyer: Buyer,
  orderId: string,
): Promise<ChangeResult> => takeBack(db, provider, buyer, orderId, true);

async function takeBack(
  db: Database,
  provider: PaymentProvider,
  buyer: Buyer,
  orderId: string,
  refillsCart: boolean,
): Promise<ChangeResult> {
  try {
    await closePages(db, provider, orderId);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { ok: false, reason: "away" };
  }
  return transaction(db, async (tx): Promise<ChangeResult> => {
    const order = await lockPayments(tx, orderId);
    if (order?.status === "canceled" || order?.status === "lapsed") return { ok: false, reason: "over" };
    if (order?.status !== "unpaid") return { ok: false, reason: order ? "paid" : "over" };
    // A page that was opened again in this moment.
    if (order.payments.some(({ state }) => state === "open")) return { ok: false, reason: "away" };
    await closeUnopened(tx, orderId);
    if (refillsCart) await refillFrom(tx, buyer, orderId);
    await cancelOrder(tx, orderId, "customerId" in buyer ? "customer" : "guest");
    return { ok: true };
  });
}

/** The buyer's order that waits to be paid, the newest first. */
export async function findUnpaid(db: Database, buyer: Buyer): Promise<{ id: string } | null> {
  const [found] = await db.select({ id: orders.id }).from(orders).where(unpaidOf(buyer)).limit(1);
  return found ?? null;
}

const unpaidOf = (buyer: Buyer) =>
  and(
    eq("customerId" in buyer ? orders.userId : orders.sessionId, ownerId(buyer)),
    eq(orders.status, "unpaid"),
    sql`hold_until > now()`,
  );

/** A buyer holds one order at a time: a new one ends the others. One that the provider cannot close now ends with its hold. */
export async function endOtherHolds(
  db: Database,
  provider: PaymentProvider,
  buyer: Buyer,
  orderId: string,
): Promise<void> {
  const others = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(unpaidOf(buyer), ne(orders.id, orderId)));
  for (const { id } of others) await takeBack(db, provider, buyer, id, false);
}
