/**
 * Those who wait are invited in batches to buy before everybody else. Only who has proved their email is invited, nobody
 * twice, and nobody who has unsubscribed: asked when a batch is made, when a mail is queued, and when it is written.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../db/connection.server.ts";
import { enqueueEmail } from "../mail/enqueue-email.server.ts";
import { INVITATION_PERMIT } from "../mail/mail-budget.server.ts";
import { writeAudit, type Acting } from "../staff/audit.server.ts";
import { codeHash, invitationCode } from "./invitation-code.server.ts";

/** The most that one batch invites. */
export const MAX_BATCH = 5_000;
/** How many emails are queued each time the worker looks, every half minute. */
const AT_ONCE = 50;
const BATCH_LOCK = 7_652_276;

/** Whom a batch is for; without a source or campaign, those of all. Null stands for a visit that named none. */
export type Segment = { utmSource?: string | null; utmCampaign?: string | null };

export const inSegment = ({ utmSource, utmCampaign }: Segment): SQL => sql`
  (${utmSource === undefined}::boolean OR w.utm_source IS NOT DISTINCT FROM ${utmSource ?? null})
  AND (${utmCampaign === undefined}::boolean OR w.utm_campaign IS NOT DISTINCT FROM ${utmCampaign ?? null})`;

const mayBeInvited = sql`w.verified_at IS NOT NULL AND w.unsubscribed_at IS NULL AND NOT w.is_invited`;

/** How many of a segment can be invited now. */
export async function countInvitable(db: DatabaseOrTransaction, segment: Segment): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM waitlist w WHERE ${inSegment(segment)} AND ${mayBeInvited}`,
  );
  return rows[0]?.count ?? 0;
}

/** Invites the first `size` of a segment, in the order in which they joined. Returns the batch; `invited` may be fewer. */
export const inviteBatch = (
  db: Database,
  by: Acting,
  { segment, size }: { segment: Segment; size: number },
  secret: string,
): Promise<{ batch: number; invited: number }> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${BATCH_LOCK})`);
    const { rows } = await tx.execute<{ place: string; id: string; batch: number }>(sql`
      SELECT w.id AS place, gen_random_uuid() AS id, (SELECT coalesce(max(batch), 0) + 1 FROM waitlist_invitations) AS batch
      FROM waitlist w WHERE ${inSegment(segment)} AND ${mayBeInvited}
      ORDER BY w.created_at, w.id LIMIT ${Math.min(size, MAX_BATCH)}`);
    const batch = rows[0]?.batch ?? 0;
    if (rows.length === 0) return { batch, invited: 0 };
    await tx.execute(sql`
      WITH invited AS (
        UPDATE waitlist SET is_invited = true WHERE id = ANY(${sql.param(rows.map(({ place }) => place))}::uuid[])
      )
      INSERT INTO waitlist_invitations (id, waitlist_id, batch, code_hash)
      SELECT id, place, ${batch}::int, hash FROM unnest(${sql.param(rows.map(({ id }) => id))}::uuid[],
        ${sql.param(rows.map(({ place }) => place))}::uuid[],
        ${sql.param(rows.map(({ id }) => codeHash(invitationCode(id, secret))))}::text[]) AS made (id, place, hash)`);
    await writeAudit(tx, by, {
      action: "waitlist.invite",
      subject: `batch:${batch}`,
      after: { invited: rows.length, source: segment.utmSource ?? null, campaign: segment.utmCampaign ?? null },
    });
    return { batch, invited: rows.length };
  });

/** Queues the next emails of batches; those of people who have unsubscribed meanwhile are never sent. Returns how many. */
export const sendInvitations = (db: Database): Promise<number> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string }>(sql`
      WITH next AS (
        SELECT i.id FROM waitlist_invitations i JOIN waitlist w ON w.id = i.waitlist_id
        WHERE i.sent_at IS NULL AND w.unsubscribed_at IS NULL
        ORDER BY i.created_at LIMIT ${AT_ONCE} FOR UPDATE OF i SKIP LOCKED
      )
      UPDATE waitlist_invitations SET sent_at = now() FROM next WHERE next.id = waitlist_invitations.id
      RETURNING waitlist_invitations.id`);
    for (const { id: invitationId } of rows) {
      await enqueueEmail(tx, { template: "waitlist-invitation", invitationId }, INVITATION_PERMIT);
    }
    return rows.length;
  });
