/** A return in the hands of staff and its customer, from the answer to the outcome. Each act is written once. */
import { isDeepStrictEqual } from "node:util";
import { and, eq, inArray } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { warrantyYears } from "#shop/catalog/product.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { writeNote } from "#shop/fulfillment/order-notes.server.ts";
import { refused, type Change } from "#shop/orders/change.ts";
import { taxAddress } from "#shop/orders/tax.ts";
import { refundedBy, type RefundRefusal } from "#shop/fulfillment/refund.server.ts";
import type { Arrangement } from "#shop/payments/arrangement.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import * as arrived from "./actions/inspect.ts";
import { recordPaid, waive } from "./actions/charge.ts";
import * as asked from "./actions/request.ts";
import type { Wanted } from "./actions/request.ts";
import { reservedOf, resolve, taxExchange } from "./actions/resolve.ts";
import { exchangeChoices, taxOfExchange } from "./exchange.server.ts";
import { unitsOf, type ReturnCase } from "./facts.ts";
import { readCase } from "./read-case.server.ts";
import type { Outcome } from "./lifecycle.ts";
import type { Condition, DeductionReason, RefuseReason } from "./return.ts";
import { returns } from "./return.tables.ts";
import { decideOnReturn, withReturn, type Requester, type ReturnResult } from "./run.server.ts";

/** The product that a return wants, at the price that its customer agreed to. Null if it is sold out. */
async function wantedOf(db: Database, { order, row }: ReturnCase): Promise<Wanted | null> {
  const numbers = order.facts.returned.filter(({ returnId }) => returnId === row.id).map(({ unit }) => unit);
  const lineId = order.units.find(({ number }) => numbers.includes(number))!.lineId;
  const choices = await exchangeChoices(db, order.facts.order.id, { lineId, units: numbers.length });
  const choice = choices.find(({ productId }) => productId === row.exchangeProductId);
  const product = choice && (await productOf(db, choice.productId));
  const { exchangePriceCents: priceCents, exchangeTaxCents: taxCents } = row;
  return product && priceCents !== null && taxCents !== null ? { ...product, priceCents, taxCents } : null;
}

type Authorized = { labelUrl?: string | null; event?: "authorized" | "reopened" };

/**
 * Authorizes a return, or again one that was not sent in time or withdrawn: the customer gets its number, the address and the last day to
 * ship it. `labelUrl` is the address of a prepaid label, where the shop pays. Refused with 'sold-out' for an exchange,
 * unless it is reopened: what is on its way can be received, and refunded.
 */
export async function authorizeReturn(
  db: Database,
  returnId: string,
  { labelUrl = null, event: as = "authorized" }: Authorized,
  by: Acting,
): Promise<ReturnResult<"sold-out">> {
  const given = await readCase(db, returnId);
  const isExchange = given?.row.kind === "exchange";
  const wanted = isExchange ? await wantedOf(db, given) : null;
  if (isExchange && !wanted && as === "authorized") return { ok: false, reason: "sold-out" };
  return withReturn(db, returnId, (now, act) => asked.authorize(now, { wanted, labelUrl, as }, act), by);
}

/** Gives the customer the prepaid label that the shop owes; the days to send it count from now. Refused with 'no-label-owed'. */
export const addLabel = (
  db: Database,
  returnId: string,
  labelUrl: string,
  by: Acting,
): Promise<ReturnResult<"no-label-owed">> =>
  withReturn(db, returnId, (given, act) => asked.addLabel(given, { labelUrl }, act), by);

/** Declines a request with a reason for the customer. */
export const declineReturn = (
  db: Database,
  returnId: string,
  refuseReason: RefuseReason,
  by: Acting,
): Promise<ReturnResult> =>
  withReturn(db, returnId, (given, act) => asked.endReturn(given, { as: "declined", refuseReason }, act), by);

/** Withdraws a return of an order that has not arrived. The caller has checked ownership of the order. */
export const withdrawReturn = (db: Database, orderId: string, returnId: string, by: Requester): Promise<ReturnResult> =>
  withReturn(db, { returnId, orderId }, (given, act) => asked.endReturn(given, { as: "withdrawn" }, act), by);

/** Withdraws the returns of locked orders that have not arrived, because their customer is erased. False if one is refused. */
export async function withdrawAll(tx: DatabaseOrTransaction, orderIds: string[]): Promise<boolean> {
  const isOpen = and(inArray(returns.orderId, orderIds), inArray(returns.state, ["requested", "authorized"]));
  let areEnded = true;
  for (const { id } of await tx.select({ id: returns.id }).from(returns).where(isOpen)) {
    const end = { as: "withdrawn", isTold: false } as const;
    areEnded &&= (await decideOnReturn(tx, id, (given, act) => asked.endReturn(given, end, act), null)).ok;
  }
  return areEnded;
}

/** Answers a request with simple checks, which may solve it. The text stands in the order's notes. */
export const sendChecks = (db: Database, returnId: string, text: string, by: Acting): Promise<ReturnResult> => {
  let orderId = "";
  return withReturn(
    db,
    returnId,
    (given) => {
      orderId = given.order.facts.order.id;
      return asked.sendChecks(given, { text });
    },
    by,
    async (tx) => {
      await writeNote(tx, orderId, "note", text, by);
    },
  );
};

/** Asks for the diagnostic fee of a repair by a link to pay it. Refusals: 'not-a-repair', 'asked'. */
export const askFee = (db: Database, returnId: string, by: Acting): Promise<ReturnResult<"not-a-repair" | "asked">> =>
  withReturn(db, returnId, (given, act) => arrived.askFee(given, {}, act), by);

/** Records that a return has arrived, from which its promised days count. */
export const receiveReturn = (db: Database, returnId: string, by: Acting | null): Promise<ReturnResult<"astray">> =>
  withReturn(db, returnId, (given, act) => arrived.receive(given, {}, act), by);

export type Inspection = {
  /** Condition of each line; units that go back on the shelf are restocked, the others written off. */
  lines: Record<string, { condition: Condition; isRestocked: boolean }>;
  /** Loss in value in cents, with the reason. */
  deduction: { cents: number; reason: DeductionReason } | null;
};

/**
 * Records an inspection once, and restocks what can be sold again. Refusals: 'lines' if a line is left out, or the product
 * stays the customer's and cannot be restocked, 'deduction' if it is not between a cent and what would be refunded.
 */
export const inspectReturn = (
  db: Database,
  returnId: string,
  { lines, deduction }: Inspection,
  by: Acting | null,
): Promise<ReturnResult<"lines" | "deduction">> =>
  withReturn(
    db,
    returnId,
    (given, act) => {
      const found = unitsOf(given).flatMap(({ number, lineId }) =>
        lines[lineId] ? [[number, lines[lineId]] as const] : [],
      );
      return arrived.inspect(given, { units: Object.fromEntries(found), deduction }, act);
    },
    by,
  );

/** Tells the customer the price of a repair. Refusals: 'not-a-repair', 'price' below the fee that is paid already. */
export const quoteRepair = (
  db: Database,
  returnId: string,
  cents: number,
  by: Acting,
): Promise<ReturnResult<"not-a-repair" | "price">> =>
  withReturn(db, returnId, (given, act) => arrived.quote(given, { cents }, act), by);

/**
 * The customer's answer to the price of a repair. With a yes, what the paid fee does not cover is asked for once it is
 * repaired, because an authorization would end before; with a no, the product goes back and the fee stays due. The caller
 * has checked ownership.
 */
export const answerQuote = (
  db: Database,
  orderId: string,
  returnId: string,
  isYes: boolean,
  by: Requester,
): Promise<ReturnResult> =>
  withReturn(db, { returnId, orderId }, (given, act) => arrived.answerQuote(given, { isYes }, act), by);

type ChargeRefusal = "nothing-due" | "meanwhile";

/**
 * Records that the customer has paid what a return asks for, as arranged with staff; what waited for it is sent. Refusals:
 * 'nothing-due', 'under-way', 'meanwhile' if it no longer asks for `cents`, which the submitted page showed.
 */
export const recordReturnPayment = (
  db: Database,
  returnId: string,
  { cents, ...arrangement }: Arrangement & { cents: number },
  by: Acting,
): Promise<ReturnResult<ChargeRefusal>> =>
  withReturn(db, returnId, (given, act) => recordPaid(given, { cents, arrangement }, act), by);

/** Asks for nothing of what a return asks for, within the limit of the role. Refused as recordReturnPayment, and as a refund. */
export const waiveCharge = (
  db: Database,
  returnId: string,
  { cents, isVerified }: { cents: number; isVerified: boolean },
  by: Acting,
): Promise<ReturnResult<ChargeRefusal> | RefundRefusal> =>
  withReturn(db, returnId, (given, act) => waive(given, { cents }, act), { ...by, isVerified });

type Desk = { providers: PaymentProviders | null; taxProvider: TaxProvider | null };
type Resolution = {
  outcome: Outcome;
  /** Product of the catalog that is sent as a part. */
  partId?: string | null;
  /** The member has just shown a code, which a large refund needs. */
  isVerified?: boolean;
};

type ResolveRefusal =
  | Extract<
      ReturnResult<
        | "outcome"
        | "sold-out"
        | "no-part"
        | "no-replacement"
        | "quote"
        | "disputed"
        | "given-back"
        | "meanwhile"
        | "tax-unknown"
      >,
      { ok: false }
    >
  | RefundRefusal;
export type ResolveResult =
  | { ok: true; refund: Awaited<ReturnType<typeof refundedBy>>; isSent: boolean }
  | ResolveRefusal;

/**
 * Resolves a return with one of outcomesOf, once: of two members, the second is refused with the state. The refund is what
 * was paid, less the reduction of the inspection; what is sent waits on the order. Refusals: those of the decision,
 * 'sold-out', those of a refund by staff, and for an exchange 'tax-unknown' without an answer of the tax provider, and
 * 'meanwhile' if its tax is another by now, which the return then shows.
 */
export async function resolveReturn(
  db: Database,
  { providers, taxProvider }: Desk,
  returnId: string,
  { outcome, partId = null, isVerified = false }: Resolution,
  by: Acting | null,
): Promise<ResolveResult> {
  if (outcome === "replacement") {
    const taxed = await taxAgain(db, taxProvider, returnId, by);
    if (!taxed.ok) return taxed;
    if (!taxed.repeated) return { ok: false, reason: "meanwhile" };
  }
  const part = partId ? await productOf(db, partId) : null;
  let written: Change = {};
  const resolved = await withReturn(
    db,
    returnId,
    (given, act) => resolve(given, { outcome, part }, act),
    by && { ...by, isVerified },
    (_tx, change) => {
      written = change;
      return Promise.resolve();
    },
  );
  if (!resolved.ok) return resolved as ResolveRefusal;
  return { ok: true, refund: await refundedBy(db, providers, written), isSent: outcome !== "refund" };
}

/**
 * Taxes an exchange where its order goes now. Repeated if it is taxed so already. Refusals: 'tax-unknown', and 'meanwhile' if
 * the order moved during the quote.
 */
async function taxAgain(
  db: Database,
  taxProvider: TaxProvider | null,
  returnId: string,
  by: Acting | null,
): Promise<Extract<ResolveResult, { ok: false }> | { ok: true; repeated: boolean }> {
  const given = await readCase(db, returnId);
  const reserved = given ? reservedOf(given) : [];
  const productId = given?.row.exchangeProductId;
  if (!given || !productId || reserved.length === 0) return { ok: true, repeated: true };
  const amountCents = reserved.reduce((sum, { priceCents }) => sum + priceCents, 0);
  const line = { productId, quantity: reserved.length, amountCents };
  const taxed = await taxOfExchange(db, taxProvider, given.order.facts.order.id, line);
  if (!taxed.ok) return taxed;
  return withReturn<"meanwhile">(
    db,
    returnId,
    (now) => {
      const { shippingState, shippingPostalCode } = now.order.facts.order;
      const isThere = isDeepStrictEqual(taxAddress(shippingState, shippingPostalCode), taxed.address);
      return isThere ? taxExchange(now, taxed) : refused("meanwhile");
    },
    by,
  );
}

/** A product that is sent for a return. */
async function productOf(db: Database, id: string) {
  const [product] = await db.select().from(products).where(eq(products.id, id));
  return product ? { productId: product.id, name: product.name, warrantyYears: warrantyYears(product) } : null;
}
