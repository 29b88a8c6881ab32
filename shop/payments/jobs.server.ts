/** Payment jobs: due work is read from its own rows, so that no process can lose it. */
import { sql } from "drizzle-orm";
import { transaction, type Database } from "#db/connection.server.ts";
import { clock } from "#shop/clock.ts";
import { isUnpaid, isUnsent } from "#shop/orders/stage.sql.ts";
import type { Report } from "#shop/report.ts";
import { isOfEvent, storeEvents } from "./inbox.server.ts";
import { alertStaff } from "./locked-payments.server.ts";
import { forgetCard, isCardOver } from "./saved-cards.server.ts";
import { expireOrder } from "./payments.server.ts";
import { ProviderError, type PaymentProvider, type PaymentProviders, type ProviderName } from "./provider.ts";
import { reconcilePayment } from "./reconcile.server.ts";
import { runAction } from "./run-action.server.ts";

const ROUND_MS = 500;
const FAILED_MS = 5_000;
const AT_ONCE = 4;
const MAX_DUE = 200;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 10 * 60_000;
/** Payments are read again after this time, since an event may never arrive. */
const OPEN_MINUTES = 10;
const AUTHORIZED_HOURS = 6;

type PaymentJobs = { db: Database; providers: PaymentProviders; report: Report };
type Due =
  | { kind: "event"; id: string; paymentId: string; sender: ProviderName }
  | { kind: "asked" | "sent" | "reservation" | "payment" | "card"; id: string };

/**
 * Returns the due work, each kind by a partial index. Events of an unknown payment wait for it until they are deleted.
 */
async function findDue(db: Database): Promise<Due[]> {
  const { rows } = await db.execute<Due>(sql`
    (SELECT 'event' AS kind, event_id AS id, payments.id::text AS "paymentId", i.provider AS sender
      FROM payment_inbox i JOIN payments ON ${isOfEvent}
      WHERE handled_at IS NULL ORDER BY received_at LIMIT ${MAX_DUE})
    UNION ALL
    (SELECT state, id::text, NULL, NULL FROM payment_actions
      WHERE state IN ('asked', 'sent') ORDER BY created_at LIMIT ${MAX_DUE})
    UNION ALL
    (SELECT 'reservation', id::text, NULL, NULL FROM orders
      WHERE ${isUnpaid} AND hold_until <= now() ORDER BY hold_until LIMIT ${MAX_DUE})
    UNION ALL
    (SELECT 'payment', id::text, NULL, NULL FROM payments
      WHERE state IN ('open', 'authorized')
        AND coalesce(read_at, created_at) < now() - CASE state WHEN 'open' THEN ${OPEN_MINUTES}::int * interval '1 minute'
          ELSE ${AUTHORIZED_HOURS}::int * interval '1 hour' END
      ORDER BY coalesce(read_at, created_at) LIMIT ${MAX_DUE})
    UNION ALL
    (SELECT 'card', payments.id::text, NULL, NULL FROM payments JOIN orders ON orders.id = order_id
      WHERE saved_customer IS NOT NULL AND ${isCardOver} LIMIT ${MAX_DUE})`);
  return rows;
}

/** False if the work is to be tried again. */
async function carryOut({ db, providers }: PaymentJobs, due: Due): Promise<boolean> {
  const { kind, id } = due;
  if (kind === "asked" || kind === "sent") return (await runAction(db, providers, id)) !== "unknown";
  if (kind === "reservation") await expireOrder(db, providers, id);
  if (kind === "payment") await reconcilePayment(db, providers, id);
  if (kind === "card") await forgetCard(db, providers, id);
  if (kind === "event") {
    const { paymentId, sender } = due;
    await reconcilePayment(db, providers, paymentId);
    // An event may report the end of an action that was pending at a bank.
    const { rows } = await db.execute<{ id: string }>(sql`
      SELECT id FROM payment_actions WHERE payment_id = ${paymentId}::uuid AND state = 'sent'`);
    for (const action of rows) await runAction(db, providers, action.id);
    await db.execute(sql`
      UPDATE payment_inbox SET handled_at = now() WHERE provider = ${sender} AND event_id = ${id}`);
  }
  return true;
}

/** Runs the jobs until stopped. Several processes may run them at once, even for the same payment. */
export function startPaymentJobs(jobs: PaymentJobs): { stop(): Promise<void> } {
  /** Failed work is retried after a growing pause; a restart clears the pauses. */
  const waits = new Map<string, { until: number; ms: number }>();
  const attempt = async (due: Due) => {
    const name = `${due.kind} ${due.id}`;
    // The request that asks for an action also runs it, and tells staff its outcome.
    if (due.kind === "asked" && !waits.has(name))
      waits.set(name, { until: performance.now() + FIRST_WAIT_MS, ms: FIRST_WAIT_MS / 2 });
    if ((waits.get(name)?.until ?? 0) > performance.now()) return;
    const isDone = await carryOut(jobs, due).catch((error: unknown) => {
      const isProvider = error instanceof ProviderError;
      const what = isProvider ? "the payment provider did not answer" : "a payment job failed";
      jobs.report(error, what, { kind: due.kind, id: due.id });
      return false;
    });
    if (isDone) return void waits.delete(name);
    const ms = Math.min((waits.get(name)?.ms ?? FIRST_WAIT_MS / 2) * 2, MAX_WAIT_MS);
    waits.set(name, { until: performance.now() + ms, ms });
  };
  const round = async () => {
    const queue = (await findDue(jobs.db)).values();
    const lane = async () => {
      for (const due of queue) await attempt(due);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return ROUND_MS;
  };
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void>;
  const next = () => {
    working = round()
      .catch((error: unknown) => {
        jobs.report(error, "the payment jobs could not be read");
        return FAILED_MS;
      })
      .then((ms) => {
        if (!isStopped) timer = setTimeout(next, ms);
      });
  };
  next();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await working;
    },
  };
}

const WARN_HOURS = 48;

/**
 * Alerts staff once of each order that must ship soon, before its authorization ends. One whose card is kept is charged
 * without it.
 */
export async function warnOfCaptures(db: Database): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ order_id: string }>(sql`
      UPDATE payments SET warned_at = now() FROM orders
      WHERE orders.id = order_id AND ${isUnsent} AND state = 'authorized' AND warned_at IS NULL
        AND saved_customer IS NULL AND capture_before < now() + ${WARN_HOURS} * interval '1 hour'
      RETURNING order_id`);
    for (const { order_id: orderId } of rows) await alertStaff(tx, orderId, "capture-soon");
  });
}

const EVENT_DAYS = 30;

/** A webhook that comes first after a pause or a restore says nothing of those that were missed before it. */
const asked = new WeakSet<PaymentProvider>();

/**
 * Stores each provider's events whose webhook was lost: at first of three days, later since two hours before its latest
 * event. Returns their number. Events too old to be sent again are deleted.
 */
export async function readMissedEvents(db: Database, providers: PaymentProviders): Promise<number> {
  await db.execute(sql`DELETE FROM payment_inbox WHERE received_at < now() - ${EVENT_DAYS} * interval '1 day'`);
  const counts = await Promise.all(
    Object.values(providers).map(async (provider) => {
      const { rows } = await db.execute<{ since: string }>(sql`
        SELECT coalesce(max(received_at) - interval '2 hours', now() - interval '3 days') AS since FROM payment_inbox
        WHERE provider = ${provider.name} AND ${asked.has(provider)}`);
      const missed = await provider.missed(new Date(rows[0]?.since ?? clock.now()));
      const stored = await storeEvents(db, provider, missed, true);
      asked.add(provider);
      return stored;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
