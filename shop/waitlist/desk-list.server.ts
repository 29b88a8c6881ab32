/** The waitlist as the team reads it: who waits, where they came from, who was invited and who has ordered. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { inSegment, type Segment } from "./invitations.server.ts";

export const PLACE_STATES = ["verified", "unverified", "unsubscribed", "invited"] as const;
export type PlaceState = (typeof PLACE_STATES)[number];
export type PlaceFilter = Segment & { state?: PlaceState | undefined };

export const PLACES_PAGE = 50;
/** Counts go no further than this. */
export const COUNTED_TO = 10_000;

export type Place = {
  id: string;
  email: string;
  phone: string | null;
  utmSource: string | null;
  utmCampaign: string | null;
  createdAt: Date;
  verifiedAt: Date | null;
  unsubscribedAt: Date | null;
  batch: number | null;
  invitedAt: Date | null;
  /** By the code of their invitation, or by their account or email since they joined. */
  orderId: string | null;
};

const STATES: Record<PlaceState, SQL> = {
  verified: sql`w.verified_at IS NOT NULL AND w.unsubscribed_at IS NULL`,
  unverified: sql`w.verified_at IS NULL`,
  unsubscribed: sql`w.unsubscribed_at IS NOT NULL`,
  invited: sql`w.is_invited`,
};

/** A segment is compared as it stands where it names something, so that an index leads there. */
const matching = ({ state, ...segment }: PlaceFilter): SQL => sql`
  ${segment.utmSource === undefined && segment.utmCampaign === undefined ? sql`true` : inSegment(segment)}
  AND ${state ? STATES[state] : sql`true`}`;

const ORDERED = sql`coalesce(i.order_id,
  (SELECT id FROM orders o WHERE o.user_id = w.user_id AND o.created_at >= w.created_at
    AND o.status IN ('processing', 'shipped', 'delivered') ORDER BY o.created_at DESC LIMIT 1),
  (SELECT id FROM orders o WHERE lower(o.email) = w.email AND o.user_id IS NULL AND o.created_at >= w.created_at
    AND o.status IN ('processing', 'shipped', 'delivered') ORDER BY o.created_at DESC LIMIT 1))`;

type Raw = Omit<Place, "createdAt" | "verifiedAt" | "unsubscribedAt" | "invitedAt"> &
  Record<"createdAt", string> &
  Record<"verifiedAt" | "unsubscribedAt" | "invitedAt", string | null>;

const date = (text: string | null) => (text === null ? null : new Date(text));

/** The newest first, a page at a time; `after` is the last id of the page before. One more than a page where there are more. */
export async function listPlaces(
  db: Database,
  filter: PlaceFilter,
  after: string | null,
  limit = PLACES_PAGE + 1,
): Promise<Place[]> {
  const { rows } = await db.execute<Raw>(sql`
    SELECT w.id, w.email, w.phone, w.utm_source AS "utmSource", w.utm_campaign AS "utmCampaign",
      w.created_at AS "createdAt", w.verified_at AS "verifiedAt", w.unsubscribed_at AS "unsubscribedAt",
      i.batch, i.sent_at AS "invitedAt", ${ORDERED} AS "orderId"
    FROM (
      SELECT * FROM waitlist w WHERE ${matching(filter)}
        AND ${after ? sql`(w.created_at, w.id) < (SELECT created_at, id FROM waitlist WHERE id = ${after}::uuid)` : sql`true`}
      ORDER BY w.created_at DESC, w.id DESC LIMIT ${limit}
    ) AS w LEFT JOIN waitlist_invitations i ON i.waitlist_id = w.id
    ORDER BY w.created_at DESC, w.id DESC`);
  return rows.map((row) => ({
    ...row,
    createdAt: new Date(row.createdAt),
    verifiedAt: date(row.verifiedAt),
    unsubscribedAt: date(row.unsubscribedAt),
    invitedAt: date(row.invitedAt),
  }));
}

/** How many there are, to COUNTED_TO; one more where there are more. */
export async function countPlaces(db: Database, filter: PlaceFilter): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM (SELECT FROM waitlist w WHERE ${matching(filter)} LIMIT ${COUNTED_TO + 1}) AS w`,
  );
  return rows[0]?.count ?? 0;
}

export type CampaignPlaces = {
  utmSource: string | null;
  utmCampaign: string | null;
  verified: number;
  unverified: number;
  unsubscribed: number;
  invited: number;
};

/** How many came by each campaign, the largest first; 50 at most. */
export async function placesByCampaign(db: Database): Promise<CampaignPlaces[]> {
  const { rows } = await db.execute<CampaignPlaces>(sql`
    SELECT utm_source AS "utmSource", utm_campaign AS "utmCampaign",
      count(w.verified_at) FILTER (WHERE w.unsubscribed_at IS NULL)::int AS verified,
      (count(*) - count(w.verified_at))::int AS unverified, count(w.unsubscribed_at)::int AS unsubscribed,
      count(*) FILTER (WHERE w.is_invited)::int AS invited
    FROM waitlist w GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2 LIMIT 50`);
  return rows;
}

export type Batch = { batch: number; createdAt: Date; invited: number; sent: number; ordered: number };

/** The batches that were invited, the newest first; 20 at most. `ordered` counts the codes that were used. */
export async function listBatches(db: Database): Promise<Batch[]> {
  const { rows } = await db.execute<Omit<Batch, "createdAt"> & { createdAt: string }>(sql`
    SELECT batch, min(created_at) AS "createdAt", count(*)::int AS invited, count(sent_at)::int AS sent,
      count(order_id)::int AS ordered
    FROM waitlist_invitations GROUP BY 1 ORDER BY 1 DESC LIMIT 20`);
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}
