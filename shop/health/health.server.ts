/** The state that the rules judge, and the emails to owners about what they find. */
import { statfs } from "node:fs/promises";
import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { ALERT_PERMIT, enqueueEmail } from "#shop/mail/enqueue-email.server.ts";
import { MAIL_QUEUE } from "#shop/mail/mailbox.server.ts";
import { staff } from "#shop/staff/staff.tables.ts";
import { alertsOf, type AlertName, type HealthState, type Watched } from "./health.ts";
import { healthAlerts } from "./health.tables.ts";

/**
 * Reads the state of the shop. Times of jobs and backups are those of PostgreSQL, whatever the shop's clock says. Letters,
 * of a priority below 0, wait for hours by design and count for nothing.
 */
export async function readHealth(db: Database, { folder, isPublic, webhooks }: Watched): Promise<HealthState> {
  const counted = db.execute<
    Pick<HealthState, "failedEmails" | "waitingActions" | "refusedCaptures" | "ordersWithoutPage">
  >(sql`
    SELECT
      (SELECT count(*)::int FROM pgboss.job WHERE name = ${MAIL_QUEUE} AND state = 'failed' AND priority >= 0) AS "failedEmails",
      (SELECT count(*)::int FROM payment_actions WHERE state IN ('asked', 'sent') AND provider_reference IS NULL
        AND created_at < now() - interval '15 minutes') AS "waitingActions",
      (SELECT count(*)::int FROM payment_actions WHERE kind = 'capture' AND state = 'failed'
        AND done_at > now() - interval '1 day') AS "refusedCaptures",
      (SELECT CASE count(reference) WHEN 0 THEN count(DISTINCT order_id)::int ELSE 0 END
        FROM orders JOIN payments ON order_id = orders.id AND kind <> 'charge' AND provider <> 'manual'
        WHERE orders.created_at BETWEEN now() - interval '1 hour' AND now() - interval '5 minutes') AS "ordersWithoutPage"`);
  const timed = db.execute<{ job: number | null; chores: number; backup: number | null }>(sql`
    SELECT
      (SELECT extract(epoch FROM pg_catalog.now() - min(CASE state WHEN 'retry' THEN created_on ELSE start_after END))::int
        FROM pgboss.job WHERE state < 'active' AND NOT blocked AND priority >= 0) AS job,
      (SELECT count(*)::int FROM (
        SELECT FROM (SELECT name, completed_on, max(completed_on) FILTER (WHERE state <> 'failed') OVER (PARTITION BY name) AS worked
          FROM pgboss.job WHERE name <> ${MAIL_QUEUE} AND completed_on > pg_catalog.now() - interval '1 day') AS runs
        WHERE worked IS NULL OR completed_on > worked
        GROUP BY name HAVING min(completed_on) < pg_catalog.now() - interval '1 hour') AS failing) AS chores,
      (SELECT extract(epoch FROM pg_catalog.now() - max(moment))::int FROM backups) AS backup`);
  const events = db.execute<{ provider: string; received: number; missed: number }>(sql`
    SELECT provider, count(*) FILTER (WHERE NOT missed)::int AS received, count(*) FILTER (WHERE missed)::int AS missed
    FROM payment_inbox WHERE received_at > now() - interval '1 day' GROUP BY provider`);
  const [counts, times, byProvider, { bavail, bsize }] = await Promise.all([counted, timed, events, statfs(folder)]);
  return {
    ...counts.rows[0]!,
    oldestJobSeconds: Math.max(0, times.rows[0]?.job ?? 0),
    failingChores: times.rows[0]?.chores ?? 0,
    backupSeconds: times.rows[0]?.backup ?? null,
    events: Object.fromEntries(byProvider.rows.map(({ provider, ...of }) => [provider, of])),
    webhooks,
    freeDiskBytes: bavail * bsize,
    isPublic,
  };
}

/** An alert is over once no check has found it for so long, so that one that comes and goes is one. */
const OVER_MINUTES = 30;

async function tellOwners(tx: DatabaseOrTransaction, alert: AlertName, isOver: boolean): Promise<void> {
  const owners = await tx
    .select({ userId: staff.userId })
    .from(staff)
    .where(and(eq(staff.role, "owner"), isNull(staff.disabledAt)));
  for (const { userId } of owners)
    await enqueueEmail(tx, { template: "health-alert", userId, alert, isOver }, ALERT_PERMIT);
}

/** Emails the owners about each alert, once when it begins and once when it is over. */
export async function checkHealth(db: Database, watched: Watched): Promise<void> {
  const found = alertsOf(await readHealth(db, watched));
  await db.transaction(async (tx) => {
    for (const name of found) {
      const [begun] = await tx
        .insert(healthAlerts)
        .values({ name, seenAt: sql`now()` })
        .onConflictDoNothing()
        .returning({ name: healthAlerts.name });
      if (begun) await tellOwners(tx, name, false);
    }
    if (found.length > 0)
      await tx
        .update(healthAlerts)
        .set({ seenAt: sql`now()` })
        .where(inArray(healthAlerts.name, found));
    const over = await tx
      .delete(healthAlerts)
      .where(lt(healthAlerts.seenAt, sql`now() - ${OVER_MINUTES} * interval '1 minute'`))
      .returning({ name: healthAlerts.name });
    for (const { name } of over) await tellOwners(tx, name, true);
  });
}
