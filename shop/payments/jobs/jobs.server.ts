/** The jobs of payments, in rounds: events, actions, holds that are over, and payments that nobody told anything of. */
import { sql } from "drizzle-orm";
import { transaction, type Database } from "../../../db/connection.server.ts";
import type { Report } from "../../report.ts";
import { runAction, type AfterAction } from "../actions.server.ts";
import { findDue, findUnread, type Due } from "./due.server.ts";
import { forgetEvents, keepEvents, markHandled, missedSince } from "./inbox.server.ts";
import { ProviderError, type PaymentProvider } from "../provider.ts";
import { releaseOrder } from "../settle/release.server.ts";
import { settlePayment } from "../settle/settle.server.ts";
import { tellStaff } from "../settle/tell-staff.server.ts";

const ROUND_MS = 500;
/** After a round that failed, as while the database is away. */
const FAILED_MS = 5_000;
const AT_ONCE = 4;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 10 * 60_000;
const MINUTE_MS = 60_000;
const MISSED_MS = { withWebhook: 60 * MINUTE_MS, without: MINUTE_MS };
/** How often is looked for payments that have not been read for long, or whose time ends. */
const SWEEP_MS = 10_000;
const CHORES_MS = 10 * MINUTE_MS;

export type PaymentJobs = { db: Database; provider: PaymentProvider; after: AfterAction; report: Report };

/** What did not work is tried again after a pause that grows; after a new start, at once. */
type Waits = Map<string, { until: number; ms: number }>;

/** Does what `find` finds, but for what is waiting. */
async function round(jobs: PaymentJobs, waits: Waits, find: (db: Database) => Promise<Due[]>): Promise<void> {
  const now = performance.now();
  const due = (await find(jobs.db)).filter((each) => (waits.get(nameOf(each))?.until ?? 0) <= now);
  // One lane for all that belongs together would be slower; each is safe beside every other.
  const queue = due.values();
  const lane = async () => {
    for (const each of queue) await attempt(jobs, each, waits);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

const nameOf = ({ kind, id }: Due) => `${kind} ${id}`;

async function attempt(jobs: PaymentJobs, due: Due, waits: Waits): Promise<void> {
  const name = nameOf(due);
  let isDone = false;
  try {
    isDone = await carryOut(jobs, due);
  } catch (error) {
    const what =
      error instanceof ProviderError ? "the payment provider could not be asked" : "a job of payments failed";
    jobs.report(error, what, { kind: due.kind, id: due.id });
  }
  if (isDone) return void waits.delete(name);
  const ms = Math.min((waits.get(name)?.ms ?? FIRST_WAIT_MS / 2) * 2, MAX_WAIT_MS);
  waits.set(name, { until: performance.now() + ms, ms });
}

async function carryOut({ db, provider, after }: PaymentJobs, due: Due): Promise<boolean> {
  if (due.kind === "action") return (await runAction(db, provider, due.id, after)) !== "unknown";
  if (due.kind === "hold") await releaseOrder(db, provider, due.id);
  if (due.kind === "payment") await settlePayment(db, provider, due.id);
  if (due.kind === "event") {
    await settlePayment(db, provider, due.paymentId);
    // What an event tells of may be the end of an action that waited for a bank.
    const { rows } = await db.execute<{ id: string }>(sql`
      SELECT id FROM payment_actions WHERE payment_id = ${due.paymentId}::uuid AND state = 'sent'`);
    for (const { id } of rows) await runAction(db, provider, id, after);
    await markHandled(db, due.provider, due.id);
  }
  return true;
}

const WARN_HOURS = 48;

/** Tells the staff once of each payment that is given back by itself unless its order ships soon. */
async function warnOfCaptures(db: Database): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ order_id: string }>(sql`
      UPDATE payments SET warned_at = now() FROM orders
      WHERE orders.id = order_id AND orders.status = 'processing' AND state = 'authorized' AND warned_at IS NULL
        AND capture_before < now() + ${WARN_HOURS} * interval '1 hour'
      RETURNING order_id`);
    for (const { order_id: orderId } of rows) await tellStaff(tx, orderId, "capture-soon");
  });
}

/** Asks for events that never came in. */
async function readMissed({ db, provider }: PaymentJobs): Promise<void> {
  await keepEvents(db, provider, await provider.missed(await missedSince(db)));
}

/** Does the jobs until it is stopped. Several processes may do them at once. */
export function startPaymentJobs(jobs: PaymentJobs): { stop(): Promise<void> } {
  const waits: Waits = new Map();
  const missedMs = jobs.provider.hasWebhook ? MISSED_MS.withWebhook : MISSED_MS.without;
  let nextSweep = 0;
  let nextMissed = 0;
  let nextChores = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const guarded = (what: string, run: () => Promise<unknown>) =>
    run().then(
      () => true,
      (error: unknown) => {
        jobs.report(error, what);
        return false;
      },
    );
  const work = async () => {
    const isFine = await guarded("the jobs of payments could not be read", () => round(jobs, waits, findDue));
    if (!isFine) return FAILED_MS;
    const now = performance.now();
    if (now >= nextSweep) {
      nextSweep = now + SWEEP_MS;
      await guarded("payments could not be looked through", () => round(jobs, waits, findUnread));
      await guarded("the staff could not be warned of payments", () => warnOfCaptures(jobs.db));
    }
    if (now >= nextMissed) {
      nextMissed = now + missedMs;
      await guarded("missed events of payments could not be asked for", () => readMissed(jobs));
    }
    if (now >= nextChores) {
      nextChores = now + CHORES_MS;
      await guarded("a chore of payments failed", () => forgetEvents(jobs.db));
    }
    return ROUND_MS;
  };
  let working: Promise<void> = Promise.resolve();
  const next = () => {
    working = work().then((ms) => {
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
