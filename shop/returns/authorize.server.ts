/** The way of a return until it arrives: authorized, declined, withdrawn, reopened. */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { clock } from "#shop/clock.ts";
import { DONE, mail, refused } from "#shop/fulfillment/locked-order.server.ts";
import { writeNote } from "#shop/fulfillment/order-notes.server.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { returnPolicy, warrantyPolicy } from "#shop/policies.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import { priceExchange, type Priced } from "./exchange.server.ts";
import {
  recordChange,
  withReturn,
  type By,
  type Found,
  type Requester,
  type ReturnResult,
} from "./locked-return.server.ts";
import { askToPay, endReplacements, placeReplacement } from "./replacement.server.ts";
import { returnItems, returns } from "./return.tables.ts";
import type { RefuseReason } from "./return.ts";

type Authorizing = { labelUrl: string | null; priced: Priced | null };

/**
 * Authorizes a locked return from today on, in New York, and reserves the units of an exchange. Null, or 'sold-out', which
 * changes nothing.
 */
export async function authorizeLocked(
  tx: DatabaseOrTransaction,
  { rma, order }: Pick<Found, "rma" | "order">,
  { labelUrl, priced }: Authorizing,
  by: By,
  event: "authorized" | "reopened" = "authorized",
): Promise<"sold-out" | null> {
  const reserved = priced && { lines: [priced.line], tax: priced.tax, isOnHold: true };
  const replacementOrderId = reserved && (await placeReplacement(tx, order, rma, reserved, by));
  if (reserved && !replacementOrderId) return "sold-out";
  const shipBy = daysAfter(newYorkDay(clock.now()), returnPolicy.shipBackDays);
  const differenceCents = priced?.choice.differenceCents ?? null;
  const set = { shipBy, labelUrl, replacementOrderId, differenceCents, authorizedAt: sql`now()`, remindedAt: null };
  await recordChange(tx, rma, event, by, { set });
  await mail(tx, { template: "return-authorized", orderId: order.id, returnId: rma.id });
  return null;
}

/** Today's price of the exchange that a return wants. Null if it wants none. */
async function priceOf(db: Database, tax: TaxProvider | null, returnId: string) {
  const [rma] = await db.select().from(returns).where(eq(returns.id, returnId));
  if (rma?.kind !== "exchange") return null;
  const [item] = await db.select().from(returnItems).where(eq(returnItems.returnId, returnId));
  const { orderId, exchangeProductId: productId } = rma;
  return priceExchange(db, tax, orderId, { lineId: item!.orderItemId, units: item!.quantity, productId });
}

type AuthorizeResult = ReturnResult<"sold-out" | "tax-unknown">;

/**
 * Authorizes a return, or again one that was not sent in time: the customer gets its number, the address and the last day to
 * ship it. `labelUrl` is the address of a prepaid label, where the shop pays. Refusals: 'sold-out' and 'tax-unknown' of an
 * exchange.
 */
export async function authorizeReturn(
  db: Database,
  tax: TaxProvider | null,
  returnId: string,
  { labelUrl = null, event = "authorized" }: { labelUrl?: string | null; event?: "authorized" | "reopened" },
  by: Acting,
): Promise<AuthorizeResult> {
  const priced = await priceOf(db, tax, returnId);
  return withReturn(db, returnId, event, async (found, tx): Promise<AuthorizeResult> => {
    if (priced && !priced.ok) return priced;
    const label = labelUrl ?? found.rma.labelUrl;
    const problem = await authorizeLocked(tx, found, { labelUrl: label, priced }, by, event);
    return problem ? refused(problem) : DONE;
  });
}

/** Declines a request with a reason for the customer. */
export const declineReturn = (
  db: Database,
  returnId: string,
  refuseReason: RefuseReason,
  by: Acting,
): Promise<ReturnResult> =>
  withReturn(db, returnId, "declined", async ({ rma }, tx): Promise<ReturnResult> => {
    await recordChange(tx, rma, "declined", by, { set: { refuseReason }, data: { reason: refuseReason } });
    await endReplacements(tx, rma, by);
    await mail(tx, { template: "return-declined", orderId: rma.orderId, returnId });
    return DONE;
  });

/** Withdraws a return of an order that has not arrived. The caller has checked ownership of the order. */
export const withdrawReturn = (db: Database, orderId: string, returnId: string, by: Requester): Promise<ReturnResult> =>
  withReturn(db, returnId, { event: "withdrawn", orderId }, async ({ rma }, tx): Promise<ReturnResult> => {
    await recordChange(tx, rma, "withdrawn", by);
    await endReplacements(tx, rma, by);
    await mail(tx, { template: "return-withdrawn", orderId, returnId });
    return DONE;
  });

/** Withdraws the returns of locked orders that have not arrived, because their customer is erased. */
export async function withdrawAll(tx: DatabaseOrTransaction, orderIds: string[]): Promise<void> {
  const isOpen = and(inArray(returns.orderId, orderIds), inArray(returns.state, ["requested", "authorized"]));
  for (const rma of await tx.select().from(returns).where(isOpen).for("update")) {
    await recordChange(tx, rma, "withdrawn", null);
    await endReplacements(tx, rma, null);
  }
}

/** Answers a request with simple checks, which may solve it. The text stands in the order's notes. */
export const sendChecks = (db: Database, returnId: string, text: string, by: Acting): Promise<ReturnResult> =>
  withReturn(db, returnId, "checks-sent", async ({ rma }, tx): Promise<ReturnResult> => {
    await recordChange(tx, rma, "checks-sent", by);
    await writeNote(tx, rma.orderId, "note", text, by);
    await mail(tx, { template: "return-checks", orderId: rma.orderId, returnId, text });
    return DONE;
  });

/** Asks for the diagnostic fee of a repair by an order of its own. Refusals: 'not-a-repair', 'asked'. */
export const askFee = (db: Database, returnId: string, by: Acting): Promise<ReturnResult<"not-a-repair" | "asked">> =>
  withReturn(db, returnId, "fee-asked", async ({ rma, order }, tx): Promise<ReturnResult<"not-a-repair" | "asked">> => {
    if (rma.kind !== "repair") return refused("not-a-repair");
    if (rma.feeOrderId) return refused("asked");
    const line = {
      productId: null,
      name: "Diagnostic fee",
      priceCents: warrantyPolicy.diagnosticFeeCents,
      quantity: 1,
    };
    // On hold, because nothing of it ships.
    const feeOrderId = await placeReplacement(tx, order, rma, { lines: [line], isOnHold: true }, by);
    await recordChange(tx, rma, "fee-asked", by, { set: { feeOrderId } });
    await askToPay(tx, rma, feeOrderId!, by);
    return DONE;
  });
