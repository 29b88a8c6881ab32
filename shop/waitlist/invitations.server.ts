/**
 * Waitlist-first sales and invitation batches. Verified, subscribed places are invited once; batches, queue and rendering
 * check it.
 */
import { createHash } from "node:crypto";
import { and, eq, gt, isNull, sql, type SQL } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { type Acting, writeAudit } from "#shop/audit/audit.server.ts";
import { enqueueEmail, INVITATION_PERMIT } from "#shop/mail/enqueue-email.server.ts";
import { currentPrice, inventoryCount, unusedInvitation } from "#shop/catalog/product.sql.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { formatMoney } from "#shop/money.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { dayText } from "#shop/policy-text.ts";
import { signed } from "#shop/purpose-key.server.ts";
import { midnight } from "#shop/new-york-time.sql.ts";
import { waitlist } from "./waitlist.tables.ts";

const opensAt = products.waitlistOnlyUntil;

export const MAX_BATCH = 5_000;
const AT_ONCE = 100;
const BATCH_LOCK = 7_652_276;

/** Source and campaign of a batch; omitted for all, null for visits that named none. */
export type Segment = { utmSource?: string | null; utmCampaign?: string | null };

const isNamed = (column: typeof waitlist.utmSource | typeof waitlist.utmCampaign, value: string | null | undefined) =>
  value === undefined ? undefined : value === null ? isNull(column) : eq(column, value);

export const inSegment = ({ utmSource, utmCampaign }: Segment): SQL =>
  and(sql`true`, isNamed(waitlist.utmSource, utmSource), isNamed(waitlist.utmCampaign, utmCampaign))!;

const mayBeInvited = (
  segment: Segment,
) => sql`${inSegment(segment)} AND verified_at IS NOT NULL AND unsubscribed_at IS NULL
  AND batch IS NULL`;

export const countInvitable = (db: Database, segment: Segment): Promise<number> =>
  db.$count(waitlist, mayBeInvited(segment));

/** Invites the first `size` places of a segment by sign-up time. `invited` may be fewer. */
export const inviteBatch = (
  db: Database,
  by: Acting,
  { segment, size }: { segment: Segment; size: number },
  secret: string,
): Promise<{ batch: number; invited: number }> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${BATCH_LOCK})`);
    const { rows } = await tx.execute<{ id: string; batch: number }>(sql`
      SELECT id, (SELECT coalesce(max(batch), 0) + 1 FROM waitlist) AS batch FROM waitlist
      WHERE ${mayBeInvited(segment)} ORDER BY created_at, id LIMIT ${Math.min(size, MAX_BATCH)}`);
    const batch = rows[0]?.batch ?? 0;
    if (rows.length === 0) return { batch, invited: 0 };
    await tx.execute(sql`
      UPDATE waitlist SET batch = ${batch}::int, invited_at = now(), code_hash = hash
      FROM unnest(${sql.param(rows.map(({ id }) => id))}::uuid[],
        ${sql.param(rows.map(({ id }) => codeHash(invitationCode(id, secret))))}::text[]) AS made (place, hash)
      WHERE id = place`);
    await writeAudit(tx, by, {
      action: "waitlist.invite",
      subject: `batch:${batch}`,
      after: { invited: rows.length, source: segment.utmSource ?? null, campaign: segment.utmCampaign ?? null },
    });
    return { batch, invited: rows.length };
  });

/**
 * Queues the next invitation emails, except to unsubscribed places; none while no product is waitlist-only. Returns their
 * number.
 */
export const sendInvitations = (db: Database): Promise<number> =>
  db.transaction(async (tx) => {
    if ((await listEarlyProducts(tx)).length === 0) return 0;
    const { rows } = await tx.execute<{ id: string }>(sql`
      UPDATE waitlist SET sent_at = now() WHERE id = ANY(ARRAY(
        SELECT id FROM waitlist WHERE batch IS NOT NULL AND sent_at IS NULL AND unsubscribed_at IS NULL
        ORDER BY invited_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED))
      RETURNING id`);
    for (const { id: placeId } of rows) {
      await enqueueEmail(tx, { template: "waitlist-invitation", placeId }, INVITATION_PERMIT);
    }
    return rows.length;
  });

/** Derives the code from the place's id, so that no code is stored. */
export const invitationCode = (id: string, secret: string): string => signed(secret, "waitlist invitation", id);

export const codeHash = (code: string): string => createHash("sha256").update(code).digest("base64url");

export type EarlyProduct = Awaited<ReturnType<typeof listEarlyProducts>>[number];

/** Waitlist-first products, which open to everyone after a day, at their current price, with their stock. */
export const listEarlyProducts = (db: DatabaseOrTransaction) =>
  db
    .select({
      id: products.id,
      slug: products.slug,
      name: products.name,
      priceCents: currentPrice,
      until: sql<Date>`${opensAt}`.mapWith(opensAt),
      isAvailable: products.isAvailable,
      inventoryCount,
    })
    .from(products)
    .where(and(gt(opensAt, sql`now()`), isNull(products.retiredAt)))
    .orderBy(products.name);

/** 'Charging Dock for $39.00, which opens to everyone on January 1, 2099'. */
export const earlyWords = ({ name, priceCents, until }: Pick<EarlyProduct, "name" | "priceCents" | "until">): string =>
  `${name} for ${formatMoney(priceCents)}, which opens to everyone on ${dayText(newYorkDay(until))}`;

/** True if the code of a hash may still buy waitlist-first products. */
export async function isInvited(db: Database, hash: string): Promise<boolean> {
  return (await db.execute(unusedInvitation(sql`${hash}`))).rowCount === 1;
}

/**
 * Reserves a product for the waitlist until a day (YYYY-MM-DD) begins in New York; null opens it to everyone. `typed`
 * is its slug or its name. False if it names no product, or several.
 */
export const reserveForWaitlist = (db: Database, by: Acting, typed: string, until: string | null): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string; slug: string; was: string | null }>(
      sql`SELECT id, slug, to_char(waitlist_only_until AT TIME ZONE 'America/New_York', 'YYYY-MM-DD') AS was
        FROM products WHERE slug = ${typed} OR lower(name) = ${typed.toLowerCase()} FOR UPDATE`,
    );
    const product = rows.find(({ slug }) => slug === typed) ?? rows[0];
    if (!product || (rows.length > 1 && product.slug !== typed)) return false;
    await tx.execute(sql`
      UPDATE products SET waitlist_only_until = ${midnight(sql`${until}::date`)}
      WHERE id = ${product.id}::uuid`);
    await writeAudit(tx, by, {
      action: "waitlist.open",
      subject: `product:${product.id}`,
      before: { waitlistOnlyUntil: product.was },
      after: { waitlistOnlyUntil: until },
    });
    return true;
  });
