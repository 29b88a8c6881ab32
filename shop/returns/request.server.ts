/** Requests of returns: what may be asked for, until when, and the request itself. */
import { randomInt } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { chooseUnits } from "#shop/orders/choose.ts";
import { lockFacts, readFacts } from "#shop/orders/facts.server.ts";
import type { Facts } from "#shop/orders/facts.ts";
import { mayComeBack } from "#shop/orders/lines.ts";
import { orderState, type OrderState } from "#shop/orders/state.ts";
import { OutOfStock } from "#shop/orders/write-change.server.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import { requestReturn as request } from "./actions/request.ts";
import { inTime, LINE_REFUSALS, optionOf, optionsOf, type EligibleLine, type LineOptions } from "./eligibility.ts";
import { eligibleLines, type Renewal } from "./eligible-lines.ts";
import { priceExchange, type Priced } from "./exchange.server.ts";
import type { ReturnKind, ReturnState } from "./lifecycle.ts";
import { refundOf } from "./return-standing.ts";
import { fitsKind, labelBy, reasonOf, returnNumber, type ReturnReason } from "./return.ts";
import { returns } from "./return.tables.ts";
import { deciderOf, rowColumns, staffOf, writeReturn, type Requester } from "./run.server.ts";

/** Requests of one order; each sends an email. */
const MAX_REQUESTS = 20;

async function eligible(tx: DatabaseOrTransaction, order: OrderState): Promise<EligibleLine[]> {
  const { id, placedAt } = order.facts.order;
  const renewals = await tx
    .select({ returnId: returns.id, resolvedAt: returns.resolvedAt })
    .from(returns)
    .where(and(eq(returns.orderId, id), inArray(returns.outcome, ["repair", "part"])));
  return eligibleLines(order, renewals as Renewal[], settingsAt(placedAt));
}

/**
 * Returns what may come back of each line of an order today, by kind, and why not. Null if there is no such order. The
 * caller has checked ownership.
 */
export async function returnOptions(db: Database, orderId: string): Promise<LineOptions[] | null> {
  const facts = await readFacts(db, orderId);
  const today = newYorkDay(clock.now());
  return facts && (await eligible(db, orderState(facts))).map((line) => optionsOf(line, today));
}

/**
 * Returns what units of an order's lines would be refunded, in cents with tax, if they come back as they should. The
 * caller has checked ownership.
 */
export async function previewRefund(
  db: Database,
  orderId: string,
  units: Record<string, number>,
  reason: ReturnReason,
): Promise<number> {
  const facts = await readFacts(db, orderId);
  if (!facts) return 0;
  const order = orderState(facts);
  const chosen = chooseUnits(order, units, mayComeBack);
  return "ok" in chosen ? 0 : refundOf(order, chosen, reason);
}

export type ReturnRequest = {
  /** Random key of the form: a repeated submission asks once. */
  formKey: string;
  kind: ReturnKind;
  reason: ReturnReason;
  description: string;
  /** Units by order line. */
  units: Record<string, number>;
  /** Product wanted in an exchange, and the difference in cents before tax that the customer saw, or the price that staff did. */
  exchange?: { productId: string; differenceCents?: number; priceCents?: number } | null;
};

export type RequestResult =
  | { ok: true; returnId: string; number: string; state: ReturnState; repeated: boolean }
  | { ok: false; reason: "not-found" | "nothing-chosen" | "reason" | "one-line" | "too-many" }
  | { ok: false; reason: "sold-out" | "price-changed" | "tax-unknown" }
  /** `why` in words; `name` is the line's. */
  | { ok: false; reason: "line"; name: string; why: string };

type Refusal = Extract<RequestResult, { ok: false }>;
type Chosen = { lineId: string; units: number }[];

/**
 * Requests a return. A plain return or exchange in time, whose shipping the customer pays, is authorized at once; an
 * exchange then reserves the wanted units. Refusals: 'reason' if it does not fit the kind, 'nothing-chosen', 'one-line'
 * for an exchange of several, 'line' with the reason of eligibility.ts, 'sold-out', 'price-changed' if the customer saw
 * another difference, 'tax-unknown' without an answer of the tax provider, 'too-many'. The caller has checked ownership.
 */
export async function requestReturn(
  db: Database,
  tax: TaxProvider | null,
  orderId: string,
  request: ReturnRequest,
  by: Requester,
): Promise<RequestResult> {
  const { kind, reason, exchange } = request;
  if (!fitsKind(reason, kind)) return refused("reason");
  const chosen = Object.entries(request.units).flatMap(([lineId, units]) => (units > 0 ? [{ lineId, units }] : []));
  const [first, ...others] = chosen;
  if (!first || chosen.some(({ units }) => !Number.isInteger(units))) return refused("nothing-chosen");
  if (kind !== "exchange") return transaction(db, (tx) => write(tx, orderId, request, { chosen, priced: null }, by));
  if (others.length > 0) return refused("one-line");
  const priced = await priceExchange(db, tax, orderId, { ...first, productId: exchange?.productId ?? null });
  if (!priced.ok) return priced;
  const { differenceCents, priceCents } = priced.choice;
  const isSeen = exchange?.differenceCents === differenceCents || exchange?.priceCents === priceCents;
  if (!isSeen) return refused("price-changed");
  return transaction(db, (tx) => write(tx, orderId, request, { chosen, priced }, by)).catch((error: unknown) => {
    if (error instanceof OutOfStock) return refused("sold-out");
    throw error;
  });
}

const refused = <Reason extends string>(reason: Reason) => ({ ok: false, reason }) as const;

/** Numbers of the units from which to choose, or why there are too few. */
function eligibleUnits(lines: EligibleLine[], { kind, reason }: ReturnRequest, chosen: Chosen): number[] | Refusal {
  const today = newYorkDay(clock.now());
  const found: number[] = [];
  for (const { lineId, units } of chosen) {
    const line = lines.find((each) => each.lineId === lineId);
    if (!line) return refused("nothing-chosen");
    const { isWearPart } = reasonOf(reason);
    const option = optionOf(line, kind, today, isWearPart);
    const why = option.why ? LINE_REFUSALS[option.why] : `At most ${option.units} of these can be returned.`;
    if (units > option.units) return { ok: false, reason: "line", name: line.name, why };
    found.push(...inTime(line, kind, today, isWearPart).map(({ number }) => number));
  }
  return found;
}

async function write(
  tx: DatabaseOrTransaction,
  orderId: string,
  asked: ReturnRequest,
  { chosen, priced }: { chosen: Chosen; priced: Priced | null },
  by: Requester,
): Promise<RequestResult> {
  const facts = await lockFacts(tx, orderId);
  if (!facts) return refused("not-found");
  const [known] = await tx.select().from(returns).where(eq(returns.formKey, asked.formKey));
  if (known && known.orderId !== orderId) return refused("not-found");
  if (known) return { ok: true, returnId: known.id, number: known.number, state: known.state, repeated: true };
  const order = orderState(facts);
  const may = eligibleUnits(await eligible(tx, order), asked, chosen);
  if ("ok" in may) return may;
  if ((await tx.$count(returns, eq(returns.orderId, orderId))) >= MAX_REQUESTS) return refused("too-many");
  const counts = Object.fromEntries(chosen.map((each) => [each.lineId, each.units]));
  const units = chooseUnits(order, counts, ({ number }) => may.includes(number));
  if ("ok" in units) return refused("nothing-chosen");
  return insert(tx, facts, asked, { units, priced }, by);
}

async function insert(
  tx: DatabaseOrTransaction,
  facts: Facts,
  { formKey, kind, reason, description, exchange }: ReturnRequest,
  { units, priced }: { units: number[]; priced: Priced | null },
  by: Requester,
): Promise<RequestResult> {
  const values = {
    orderId: facts.order.id,
    formKey,
    kind,
    reason,
    description,
    exchangeProductId: kind === "exchange" ? exchange?.productId : null,
    exchangePriceCents: priced?.wanted.priceCents,
    exchangeTaxCents: priced?.wanted.taxCents,
    labelBy: labelBy(kind, reason),
    staffId: staffOf(by)?.staffId,
  };
  for (;;) {
    const [row] = await tx
      .insert(returns)
      .values({ ...values, number: returnNumber(randomInt) })
      .onConflictDoNothing({ target: returns.number })
      .returning(rowColumns);
    if (!row) continue;
    const act = deciderOf(by);
    const decided = request(orderState(facts), { row, units, wanted: priced?.wanted ?? null }, act);
    if (!decided.ok) throw new Error(`an eligible return is refused: ${decided.reason}`);
    await writeReturn(tx, { facts, row }, decided, by, act);
    return { ok: true, returnId: row.id, number: row.number, state: decided.row.state!, repeated: false };
  }
}
