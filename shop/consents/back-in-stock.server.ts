/** Back in stock: one letter to each person who asked for it, in the order of asking. */
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { inventoryCount, isInStock, isWaitlistOnly } from "#shop/catalog/product.sql.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { enqueueEmail, inboxOf, LETTER_PERMIT } from "#shop/mail/enqueue-email.server.ts";
import { byNetwork, type RateLimit, type RateLimits, waitMessage } from "#shop/rate-limits/rate-limits.server.ts";
import { giveConsent } from "./consents.server.ts";
import { consents } from "./consent.tables.ts";

const LETTERS_A_UNIT = 3;
const AT_ONCE = 300;
const LOCK = 7_652_277;

/** True if everybody can buy the products row of the query now. */
export const isBuyable = sql<boolean>`(${isInStock} AND NOT ${isWaitlistOnly} AND ${products.retiredAt} IS NULL)`;
const isWaiting = and(eq(consents.kind, "back-in-stock"), isNull(consents.withdrawnAt), isNull(consents.toldAt));

const HOUR = 3600;
const askLimits = (email: string, network: string): RateLimit[] => [
  ...byNetwork({ name: "back in stock from network", subject: network, points: 30, seconds: HOUR }),
  { name: "back in stock to inbox", subject: inboxOf(email), points: 20, seconds: 24 * HOUR },
];

export type AskedProduct = { name: string; slug: string; thumbnail: string | null; isBuyable: boolean };

/** The product that a visitor may ask about; null if it is unknown or no longer sold. */
export async function findAsked(db: Database, slug: string): Promise<(AskedProduct & { id: string }) | null> {
  const { id, name, thumbnail } = products;
  const [found] = await db
    .select({ id, name, slug: products.slug, thumbnail, isBuyable })
    .from(products)
    .where(and(eq(products.slug, slug), isNull(products.retiredAt)));
  return found ?? null;
}

type AskResult =
  | { ok: true }
  | { ok: false; reason: "gone" | "buyable" }
  | { ok: false; reason: "limited"; message: string };

/**
 * Notes that `email` wants one letter when a product can be bought. Repeating it changes nothing, with the same result.
 * Refused: 'gone' (unknown or no longer sold), 'buyable', and 'limited' by network or inbox.
 */
export async function askForStock(
  db: Database,
  rateLimits: RateLimits,
  { email, slug }: { email: string; slug: string },
  network: string,
): Promise<AskResult> {
  const refused = await rateLimits.consume(askLimits(email, network));
  if (refused) return { ok: false, reason: "limited", message: waitMessage(refused.wait) };
  const product = await findAsked(db, slug);
  if (!product) return { ok: false, reason: "gone" };
  if (product.isBuyable) return { ok: false, reason: "buyable" };
  await giveConsent(db, { email, kind: "back-in-stock", productId: product.id, page: `/product/${slug}` });
  return { ok: true };
}

/** Number of people who wait for a product. */
export const countWaiting = (db: Database, productId: string): Promise<number> =>
  db.$count(consents, and(isWaiting, eq(consents.productId, productId)));

/**
 * Queues the next letters: within a day at most three for each unit that is for sale, so that most people who are told
 * find one. Returns their number.
 */
export const sendBackInStock = (db: Database): Promise<number> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK})`);
    const { rows } = await tx.execute<{ id: string }>(sql`
      WITH room AS MATERIALIZED (
        SELECT ${products.id}, ${LETTERS_A_UNIT}::int * ${inventoryCount} - (SELECT count(*) FROM consents AS told
          WHERE told.product_id = ${products.id} AND told.told_at > now() - interval '1 day') AS people
        FROM ${products}
        WHERE ${isBuyable} AND EXISTS (SELECT FROM ${consents} WHERE ${isWaiting} AND ${consents.productId} = ${products.id}))
      UPDATE consents SET told_at = now() WHERE id IN (
        SELECT next.id FROM room, LATERAL (
          SELECT ${consents.id}, row_number() OVER (ORDER BY ${consents.createdAt}, ${consents.id}) AS place FROM ${consents}
          WHERE ${isWaiting} AND ${consents.productId} = room.id
          ORDER BY place LIMIT greatest(0, least(room.people, ${AT_ONCE}::int))) AS next
        ORDER BY place LIMIT ${AT_ONCE})
      RETURNING id`);
    for (const { id: consentId } of rows)
      await enqueueEmail(tx, { template: "back-in-stock", consentId }, LETTER_PERMIT);
    return rows.length;
  });
