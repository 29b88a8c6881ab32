/** Recording of sales tax once money has moved: the rows are written with what moved it, and sent to the provider from here. */
import { isDeepStrictEqual } from "node:util";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { isUniqueViolation, type Database } from "#db/connection.server.ts";
import { clock } from "#shop/clock.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { orderState } from "#shop/orders/state.ts";
import { taxAddress } from "#shop/orders/tax.ts";
import type { Report } from "#shop/report.ts";
import { withTaxCodes } from "./quote.server.ts";
import { quotedSale, restOf, type QuotedSale } from "./sale.ts";
import { TaxError, type TaxProvider } from "./tax-provider.ts";
import { taxRecords } from "./tax.tables.ts";

const MAX_DUE = 200;
/** Providers forget a quote after 90 days. */
const QUOTE_DAYS = 89;

/**
 * Records the sales of charges that were paid and reverses what was given back. Repeated, concurrent or after a crash, each is
 * recorded once; what the provider does not answer is tried again by the next call.
 */
export async function recordTax(db: Database, provider: TaxProvider, report: Report): Promise<void> {
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

type TaxRecord = typeof taxRecords.$inferSelect;

async function send(db: Database, provider: TaxProvider, id: string): Promise<void> {
  const isOpen = and(eq(taxRecords.id, id), inArray(taxRecords.state, ["asked", "sent"]));
  const [record] = await db.update(taxRecords).set({ state: "sent" }).where(isOpen).returning();
  if (!record) return;
  const end = (outcome: Partial<TaxRecord>) => db.update(taxRecords).set(outcome).where(isOpen);
  const carryOut = record.refundId === null ? recordSale : reverse;
  try {
    const outcome = await carryOut(db, provider, record);
    if (outcome === "done") await end({ state: "done", doneAt: clock.now() });
    else if (outcome !== null) await end({ state: "failed", problem: outcome });
  } catch (error) {
    if (!(error instanceof TaxError)) throw error;
    if (error.kind === "refused" || error.kind === "address") await end({ state: "failed", problem: "refused" });
    // Another process is recording it; the next call looks again.
    if (error.kind === "busy") return;
    // The same key would repeat the failure; `id` stays unique at the provider.
    if (error.kind === "fault") await end({ attempt: record.attempt + 1 });
    throw error;
  }
}

/** `null` while something else must be recorded first; otherwise done, or the problem. */
type Outcome = "done" | "rate-changed" | "not-recorded" | null;

const keyOf = ({ id, attempt }: TaxRecord) => `${id}:${attempt}`;

/** Records the quoted lines of a charge, and reverses at once what of them it does not have. */
async function recordSale(db: Database, provider: TaxProvider, record: TaxRecord): Promise<Outcome> {
  const { id, orderId, chargeId, parts } = record;
  const facts = await readFacts(db, orderId);
  const sale = quotedSale(orderState(facts!), chargeId);
  const quote = record.quote ?? (await usableQuote(db, provider, record, sale));
  if (quote === null) return "rate-changed";
  const reference = record.providerReference ?? (await provider.record(quote, id, keyOf(record)));
  await db.update(taxRecords).set({ providerReference: reference }).where(eq(taxRecords.id, id));
  const rest = restOf(sale, parts);
  if (rest.length > 0) await provider.reverse(reference, rest, `${id}:rest`, `${keyOf(record)}:rest`);
  return "done";
}

async function reverse(db: Database, provider: TaxProvider, record: TaxRecord): Promise<Outcome> {
  const { id, chargeId, parts } = record;
  const isSale = and(eq(taxRecords.chargeId, chargeId), eq(taxRecords.kind, "record"));
  const [sale] = await db.select().from(taxRecords).where(isSale);
  if (sale?.state === "failed") return "not-recorded";
  if (sale?.state !== "done") return null;
  await provider.reverse(sale.providerReference!, parts, id, keyOf(record));
  return "done";
}

/**
 * The order's own quote, if it is for the same at the same address and no other sale is recorded by it; otherwise a new one.
 * Null if the tax would be another today.
 */
async function usableQuote(
  db: Database,
  provider: TaxProvider,
  { id, orderId, address }: TaxRecord,
  sale: QuotedSale,
): Promise<string | null> {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  const { taxReference, createdAt, shippingState, shippingPostalCode } = order!;
  const isThere = isDeepStrictEqual(address, taxAddress(shippingState, shippingPostalCode));
  const ageMs = clock.now().getTime() - createdAt.getTime();
  const first = isThere && sale.isAsOrdered && taxReference !== null && ageMs < QUOTE_DAYS * 86_400_000;
  const claimed = first ? await claim(db, id, taxReference) : null;
  if (claimed !== null) return claimed;
  const lines = sale.lines.map(({ productId, quantity, amountCents }) => ({ productId, quantity, amountCents }));
  const quote = await provider.quote(await withTaxCodes(db, lines), sale.shippingCents, address);
  const isSame =
    quote.shippingTaxCents === sale.shippingTaxCents &&
    sale.lines.every(({ productId, taxCents }) => quote.lineTaxCents[productId] === taxCents);
  return isSame ? claim(db, id, quote.reference) : null;
}

/**
 * Keeps a quote for a sale, unless a concurrent run has kept another one. Null if it is another sale's: a quote is remembered
 * for the same cart and address, and a provider records it once.
 */
async function claim(db: Database, id: string, quote: string): Promise<string | null> {
  try {
    const [kept] = await db
      .update(taxRecords)
      .set({ quote: sql`coalesce(${taxRecords.quote}, ${quote})` })
      .where(eq(taxRecords.id, id))
      .returning({ quote: taxRecords.quote });
    return kept!.quote;
  } catch (error) {
    if (isUniqueViolation(error, "tax_records_quote")) return null;
    throw error;
  }
}
