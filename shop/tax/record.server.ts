/** Recording of sales tax once money has moved: first a row, then the call to the provider. */
import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { clock } from "#shop/clock.ts";
import type { OrderStatus } from "#shop/orders/lifecycle.ts";
import { orderItems, orders } from "#shop/orders/order.tables.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import type { Report } from "#shop/report.ts";
import { taxableLines, taxAddress } from "./quote.server.ts";
import { orderedParts, partsToReverse, salesOf, taxOf, withoutParts, type TaxedOrder } from "./tax-due.ts";
import { TaxError, type TaxPart, type TaxProvider } from "./tax-provider.ts";
import { taxRecords } from "./tax.tables.ts";

const MAX_DUE = 200;
/** Providers forget a quote after 90 days. */
const QUOTE_DAYS = 89;
const ENDED: OrderStatus[] = ["canceled", "declined", "expired"];

/**
 * Records the tax of orders that were paid and reverses what was canceled or refunded. Repeated, concurrent or after a
 * crash, each is recorded once; what the provider does not answer is tried again by the next call.
 */
export async function recordTax(db: Database, provider: TaxProvider, report: Report): Promise<void> {
  const due = await db
    .select({ id: orders.id })
    .from(orders)
    .where(isNotNull(orders.taxDueAt))
    .orderBy(asc(orders.taxDueAt))
    .limit(MAX_DUE);
  for (const { id } of due) await transaction(db, (tx) => writeDue(tx, id));
  const asked = await db
    .select({ id: taxRecords.id })
    .from(taxRecords)
    .where(inArray(taxRecords.state, ["asked", "sent"]))
    .orderBy(asc(taxRecords.createdAt), asc(taxRecords.kind))
    .limit(MAX_DUE);
  for (const { id } of asked) {
    await send(db, provider, id).catch((error: unknown) => report(error, "a tax was not recorded", { id }));
  }
}

/** Writes the rows of a locked order, whose changes mark it as due again. */
async function writeDue(tx: DatabaseOrTransaction, orderId: string): Promise<void> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for("update");
  if (!order) return;
  await tx.execute(sql`UPDATE orders SET tax_due_at = NULL WHERE id = ${orderId}::uuid`);
  const lines = await tx
    .select()
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId))
    .orderBy(asc(orderItems.productId));
  const [paid] = await tx
    .select({
      capturedCents: sql<number>`coalesce(sum(captured), 0)::int`,
      refundedCents: sql<number>`coalesce(sum(refunded), 0)::int`,
    })
    .from(payments)
    .where(eq(payments.orderId, orderId));
  const taxed: TaxedOrder = { ...order, ...paid!, lines, isEnded: ENDED.includes(order.status) };
  const written = await tx.select().from(taxRecords).where(eq(taxRecords.orderId, orderId));
  if (written.length === 0 && taxed.capturedCents === 0) return;
  const write = (kind: "record" | "reverse", parts: TaxPart[]) =>
    tx.insert(taxRecords).values({ orderId, kind, parts, amountCents: salesOf(parts), taxCents: taxOf(parts) });
  if (written.length === 0) await write("record", orderedParts(taxed));
  const reversed = written.filter(({ kind }) => kind === "reverse").flatMap(({ parts }) => parts);
  const toReverse = partsToReverse(taxed, withoutParts(orderedParts(taxed), reversed));
  if (toReverse) await write("reverse", toReverse);
}

type TaxRecord = typeof taxRecords.$inferSelect;

async function send(db: Database, provider: TaxProvider, id: string): Promise<void> {
  const isOpen = and(eq(taxRecords.id, id), inArray(taxRecords.state, ["asked", "sent"]));
  const [record] = await db.update(taxRecords).set({ state: "sent" }).where(isOpen).returning();
  if (!record) return;
  const end = (outcome: Partial<TaxRecord>) => db.update(taxRecords).set(outcome).where(isOpen);
  try {
    const outcome = await carryOut(db, provider, record);
    if (outcome)
      await end(
        "problem" in outcome ? { ...outcome, state: "failed" } : { ...outcome, state: "done", doneAt: clock.now() },
      );
  } catch (error) {
    if (!(error instanceof TaxError)) throw error;
    if (error.kind === "refused" || error.kind === "address") await end({ state: "failed", problem: "refused" });
    // The same key would repeat the failure; `id` stays unique at the provider.
    if (error.kind === "fault") await end({ attempt: record.attempt + 1 });
    throw error;
  }
}

/** Null if a sale must be recorded first. */
async function carryOut(
  db: Database,
  provider: TaxProvider,
  { id, orderId, kind, parts, attempt }: TaxRecord,
): Promise<{ providerReference?: string } | { problem: string } | null> {
  const key = `${id}:${attempt}`;
  if (kind === "record") {
    const quote = await usableQuote(db, provider, orderId);
    return quote === null ? { problem: "rate-changed" } : { providerReference: await provider.record(quote, id, key) };
  }
  const [sale] = await db
    .select({ state: taxRecords.state, reference: taxRecords.providerReference })
    .from(taxRecords)
    .where(and(eq(taxRecords.orderId, orderId), eq(taxRecords.kind, "record")));
  if (sale?.state === "failed") return { problem: "not-recorded" };
  if (!sale?.reference) return null;
  await provider.reverse(sale.reference, parts, id, key);
  return {};
}

/**
 * True if an order placed before has the same quote, which is remembered for the same cart and address: a provider records
 * a quote once.
 */
async function isQuoteTaken(db: Database, orderId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    SELECT FROM orders AS this JOIN orders AS other ON other.tax_reference = this.tax_reference
      AND other.created_at > this.created_at - interval '1 hour' AND (other.created_at, other.id) < (this.created_at, this.id)
    WHERE this.id = ${orderId}::uuid`);
  return rowCount !== 0;
}

/**
 * The order's quote, or a new one if it is another order's or the provider has forgotten it; null if the tax would be
 * another today.
 */
async function usableQuote(db: Database, provider: TaxProvider, orderId: string): Promise<string | null> {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  if (!order?.taxReference) return null;
  const ageMs = clock.now().getTime() - order.createdAt.getTime();
  if (ageMs < QUOTE_DAYS * 86_400_000 && !(await isQuoteTaken(db, orderId))) return order.taxReference;
  const lines = await db.select().from(orderItems).where(eq(orderItems.orderId, orderId));
  const asked = lines.map((line) => ({ ...line, unitPriceCents: line.priceCents }));
  const address = taxAddress(order.shippingState, order.shippingPostalCode);
  const quote = await provider.quote(await taxableLines(db, asked), order.shippingCents, address);
  const isSame =
    quote.shippingTaxCents === order.shippingTaxCents &&
    lines.every(({ productId, taxCents }) => quote.lineTaxCents[productId] === taxCents);
  if (!isSame) return null;
  // A concurrent run may have asked as well: one quote counts.
  await db.execute(sql`UPDATE orders SET tax_reference = ${quote.reference}
    WHERE id = ${orderId}::uuid AND tax_reference = ${order.taxReference}`);
  const [counting] = await db.select({ quote: orders.taxReference }).from(orders).where(eq(orders.id, orderId));
  return counting!.quote;
}
