/** Quotes of sales tax, from the provider or remembered for some minutes. */
import { inArray } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Database } from "#db/connection.server.ts";
import { DEFAULT_TAX_CODE } from "#shop/catalog/product.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { clock } from "#shop/clock.ts";
import { taxAddress } from "#shop/orders/tax.ts";
import { byNetwork, type RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { settings, settingsAt } from "#shop/settings/settings.server.ts";
import type { TaxSettings } from "#shop/settings/settings.ts";
import { singleton } from "#shop/singleton.ts";
import { TaxError, type TaxableLine, type TaxProvider, type TaxQuote } from "./tax-provider.ts";

/** A quote is remembered, because the order that follows asks again. */
const REMEMBERED_MS = 10 * 60_000;
const MAX_REMEMBERED = 500;

/** Quotes cost money at the provider. */
const quoteLimits = (network: string) =>
  byNetwork({ name: "tax quote by network", subject: network, points: 300, seconds: 1_800 });

export type QuoteRequest = {
  lines: readonly Omit<TaxableLine, "taxCode">[];
  shippingCents: number;
  state: string;
  /** As typed: the first five digits count. */
  postalCode: string;
  /** Time of an order, whose states of tax are those of then. */
  placedAt?: Date;
};

export type QuoteRefusal = {
  ok: false;
  /** `address`: the ZIP code is not in the state. `away`: there is no answer. */
  reason: "away" | "address" | "too-many";
  /** Seconds to wait after too many quotes. */
  wait: number;
};
/** Without a reference the shop collects none in the state, and there is nothing to record. */
export type DueTax = Omit<TaxQuote, "reference" | "expiresAt"> & { reference: string | null };
export type QuoteResult = { ok: true; quote: DueTax } | QuoteRefusal;

const NOT_COLLECTED: DueTax = { reference: null, lineTaxCents: {}, shippingTaxCents: 0, taxCents: 0 };

/** True if the shop collects sales tax in a state: by the settings in force, or by those given. */
export const collectsIn = (state: string, { tax }: { tax: TaxSettings } = settings()): boolean =>
  tax[state as keyof TaxSettings];

const remembered = singleton("tax quotes", () => new LRUCache<string, TaxQuote>({ max: MAX_REMEMBERED }));

/**
 * Returns the tax of lines with their shipping at an address, in cents; none in a state where the shop is not registered,
 * without asking. The same question is answered from memory for ten
 * minutes. Refusals: 'address', 'away', and 'too-many' quotes for one network.
 */
export async function quoteTax(
  db: Database,
  rateLimits: RateLimits,
  provider: TaxProvider,
  network: string,
  { lines, shippingCents, state, postalCode, placedAt }: QuoteRequest,
): Promise<QuoteResult> {
  if (!collectsIn(state, placedAt && settingsAt(placedAt))) return { ok: true, quote: NOT_COLLECTED };
  const address = taxAddress(state, postalCode);
  const taxable = await withTaxCodes(db, lines);
  const question = JSON.stringify([taxable, shippingCents, address]);
  const known = remembered.get(question);
  if (known) return { ok: true, quote: known };
  const limited = await rateLimits.consume(quoteLimits(network));
  if (limited) return { ok: false, reason: "too-many", wait: limited.wait };
  try {
    const quote = await provider.quote(taxable, shippingCents, address);
    const ttl = Math.min(REMEMBERED_MS, quote.expiresAt.getTime() - clock.now().getTime());
    if (ttl > 0) remembered.set(question, quote, { ttl });
    return { ok: true, quote };
  } catch (error) {
    if (!(error instanceof TaxError)) throw error;
    return { ok: false, reason: error.kind === "address" ? "address" : "away", wait: 0 };
  }
}

/** Lines with the provider's codes for what they are. */
export async function withTaxCodes(
  db: Database,
  lines: readonly Omit<TaxableLine, "taxCode">[],
): Promise<TaxableLine[]> {
  const ids = lines.map(({ productId }) => productId);
  const found = await db
    .select({ id: products.id, taxCode: products.taxCode })
    .from(products)
    .where(inArray(products.id, ids));
  const codes = new Map(found.map(({ id, taxCode }) => [id, taxCode]));
  return lines.map((line) => ({ ...line, taxCode: codes.get(line.productId) ?? DEFAULT_TAX_CODE }));
}
