/** Waitlist of the back office. */
import { and, count, desc, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { afterRow, countRows, type Counted } from "#db/lists.sql.ts";
import { inSegment, type Segment } from "./invitations.server.ts";
import { waitlist } from "./waitlist.tables.ts";

export const PLACE_STATES = ["verified", "unverified", "unsubscribed", "invited"] as const;
type PlaceState = (typeof PLACE_STATES)[number];
export type PlaceFilter = Segment & { state?: PlaceState | undefined };

export const PLACES_PAGE = 50;

const { id, email, phone, utmSource, utmCampaign, createdAt, verifiedAt, unsubscribedAt, batch, sentAt } = waitlist;
const columns = { id, email, phone, utmSource, utmCampaign, createdAt, verifiedAt, unsubscribedAt, batch, sentAt };

const STATES: Record<PlaceState, SQL> = {
  verified: sql`${verifiedAt} IS NOT NULL AND ${unsubscribedAt} IS NULL`,
  unverified: isNull(verifiedAt),
  unsubscribed: isNotNull(unsubscribedAt),
  invited: isNotNull(batch),
};

const matching = ({ state, ...segment }: PlaceFilter): SQL =>
  and(inSegment(segment), state ? STATES[state] : undefined)!;

export type Place = Awaited<ReturnType<typeof listPlaces>>[number];

/**
 * Returns a page, newest first, plus one row if there are more. `after` is the last id of the previous page, `orderId` the
 * order that used the place's invitation.
 */
export const listPlaces = (db: Database, filter: PlaceFilter, after: string | null, limit = PLACES_PAGE + 1) =>
  db
    .select({ ...columns, orderId: waitlist.orderId })
    .from(waitlist)
    .where(and(matching(filter), afterRow(sql`waitlist`, [sql`waitlist.created_at`, sql`waitlist.id`], after)))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit);

export const countPlaces = (db: Database, filter: PlaceFilter): Promise<Counted> =>
  countRows(db, sql`waitlist WHERE ${matching(filter)}`);

/** True once somebody has joined, or a product is for the waitlist first. */
export async function isWaitlistUsed(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ is: boolean }>(sql`
    SELECT EXISTS (SELECT FROM waitlist)
      OR EXISTS (SELECT FROM products WHERE waitlist_only_until IS NOT NULL) AS is`);
  return rows[0]!.is;
}

export type CampaignPlaces = {
  utmSource: string | null;
  utmCampaign: string | null;
  verified: number;
  unverified: number;
  unsubscribed: number;
  invited: number;
};

/** Places by campaign, largest first; 50 at most. */
export async function placesByCampaign(db: Database): Promise<CampaignPlaces[]> {
  const { rows } = await db.execute<CampaignPlaces>(sql`
    SELECT utm_source AS "utmSource", utm_campaign AS "utmCampaign",
      count(verified_at) FILTER (WHERE unsubscribed_at IS NULL)::int AS verified,
      (count(*) - count(verified_at))::int AS unverified, count(unsubscribed_at)::int AS unsubscribed,
      count(batch)::int AS invited
    FROM waitlist GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2 LIMIT 50`);
  return rows;
}

export type Batch = Awaited<ReturnType<typeof listBatches>>[number];

/** Invitation batches, newest first; 20 at most. `ordered` counts used codes. */
export const listBatches = (db: Database) =>
  db
    .select({
      batch: sql<number>`${batch}`,
      createdAt: sql<Date>`min(${waitlist.invitedAt})`.mapWith(waitlist.invitedAt),
      invited: count(),
      sent: count(sentAt),
      ordered: count(waitlist.orderId),
    })
    .from(waitlist)
    .where(isNotNull(batch))
    .groupBy(batch)
    .orderBy(desc(batch))
    .limit(20);
