/** Preparation of the database at each start, and the worker: outbox, payments and scheduled chores. */
import { sql } from "drizzle-orm";
import type { PgBoss } from "pg-boss";
import { sendBackInStock } from "#shop/consents/back-in-stock.server.ts";
import { sendLetters } from "#shop/letters/send-letters.server.ts";
import { carryOutDelays } from "#shop/fulfillment/delay.server.ts";
import { carryOutProductDelays } from "#shop/fulfillment/delay-product.server.ts";
import { sweepRateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { openDatabase, type Database } from "#db/connection.server.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { log, reportError } from "#platform/log.server.ts";
import { checkHealth } from "#shop/health/health.server.ts";
import { seedCatalog } from "#shop/inventory/stock.server.ts";
import { QUEUES } from "#shop/mail/mailbox.server.ts";
import { startOutbox } from "#shop/mail/outbox.server.ts";
import { rollUp } from "#shop/analytics/analytics.server.ts";
import { rollUpSalesByState } from "#shop/tax/sales-by-state.server.ts";
import { carrierProvider } from "#shop/carriers/open-carrier.server.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import type { Report } from "#shop/report.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { sendNotices } from "#shop/privacy/notices.server.ts";
import { applyRetention } from "#shop/privacy/retention.server.ts";
import { taxProvider } from "#shop/tax/open-tax.server.ts";
import { carryOutReturns } from "#shop/returns/jobs.server.ts";
import { textDocuments } from "#shop/search/documents.server.ts";
import { fillSearch } from "#shop/search/search.server.ts";
import { loadTexts, nextPublication } from "#shop/content/published.server.ts";
import { checkChanged } from "#shop/orders/check-orders.server.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { loadSettings, settingsUntil } from "#shop/settings/settings.server.ts";
import type { Receive } from "#shop/support/inbox/poll.server.ts";
import { sendInvitations } from "#shop/waitlist/invitations.server.ts";

/** A connection without a timeout, for statements that take minutes. */
async function withoutTimeout<Result>(run: (db: Database) => Promise<Result>): Promise<Result> {
  const { databaseUrl, clockOffsetMs } = config();
  const { db: unlimited, pool } = openDatabase(databaseUrl, 1, null, clockOffsetMs);
  return run(unlimited).finally(() => pool.end());
}

/**
 * Reads events whose webhook was lost, warns of authorizations that end soon, announces charges, and ends what stayed
 * refused.
 */
async function watchPayments(report: Report): Promise<void> {
  const providers = paymentProviders();
  if (!providers) return;
  const [{ readMissedEvents, warnOfCaptures }, { announceCharges, cancelRefused, remindOfRefusals }] =
    await Promise.all([import("#shop/payments/jobs.server.ts"), import("#shop/fulfillment/charges.server.ts")]);
  await warnOfCaptures(db);
  await announceCharges(db, report);
  await remindOfRefusals(db);
  await cancelRefused(db);
  await readMissedEvents(db, providers);
}

/** Finishes labels, and reads parcels on their way from the carriers. */
async function watchParcels(report: Report): Promise<void> {
  const carrier = carrierProvider();
  if (!carrier) return;
  const { finishLabels, trackParcels } = await import("#shop/carriers/watch-parcels.server.ts");
  await finishLabels(db, { carrier, payments: paymentProviders() }, report);
  await trackParcels(db, carrier, report);
}

/** Records at the tax provider what was paid and refunded. */
async function recordTaxes(report: Report): Promise<void> {
  const provider = taxProvider();
  if (!provider) return;
  const { recordTax } = await import("#shop/tax/record.server.ts");
  await recordTax(db, provider, report);
}

/** Reads the mailbox of the inbox. */
async function readInbox(report: Report): Promise<void> {
  const imapUrl = config().inbox?.imapUrl;
  if (!imapUrl) return;
  const [{ pollInbox }, { inboxOf, receiveMail }] = await Promise.all([
    import("#shop/support/inbox/poll.server.ts"),
    import("#shop/support/inbox/receive.server.ts"),
  ]);
  const receive: Receive = (raw, isWhole) => receiveMail(db, inboxOf(config()), raw, report, isWhole);
  await pollInbox(imapUrl, receive, report);
}

/** A job of a chore fails with what it reports, so that the alerts count it. */
type Chore = { cron: string; minutes: number; run(report: Report): Promise<unknown> };

const CHORES: Record<string, Chore> = {
  "rate-limits": { cron: "*/10 * * * *", minutes: 1, run: () => sweepRateLimits(db) },
  payments: { cron: "* * * * *", minutes: 5, run: watchPayments },
  tax: { cron: "* * * * *", minutes: 5, run: recordTaxes },
  parcels: { cron: "* * * * *", minutes: 10, run: watchParcels },
  delays: {
    cron: "* * * * *",
    minutes: 5,
    async run(report) {
      await carryOutProductDelays(db, report);
      await carryOutDelays(db, report);
    },
  },
  returns: { cron: "* * * * *", minutes: 5, run: (report) => carryOutReturns(db, report) },
  invitations: { cron: "* * * * *", minutes: 1, run: () => sendInvitations(db) },
  "back-in-stock": { cron: "* * * * *", minutes: 1, run: () => sendBackInStock(db) },
  letters: { cron: "* * * * *", minutes: 5, run: () => sendLetters(db) },
  notices: { cron: "* * * * *", minutes: 1, run: () => sendNotices(db) },
  inbox: { cron: "* * * * *", minutes: 5, run: readInbox },
  health: { cron: "*/5 * * * *", minutes: 1, run: () => checkHealth(db, config().watched) },
  analytics: { cron: "10 6 * * *", minutes: 15, run: () => withoutTimeout(rollUp) },
  "sales-by-state": { cron: "20 6 * * *", minutes: 15, run: () => withoutTimeout(rollUpSalesByState) },
  books: {
    cron: "40 7 * * *",
    minutes: 60,
    async run(report) {
      for (const { orderId, problems } of await withoutTimeout(checkChanged))
        report(new Error(problems.join("; ")), "the books of an order do not add up", { order: orderNumber(orderId) });
    },
  },
  retention: {
    cron: "15 8 * * *",
    minutes: 60,
    async run() {
      const counts = await withoutTimeout(applyRetention);
      if (Object.values(counts ?? {}).some(Boolean)) log.info({ counts }, "retention periods carried out");
    },
  },
};

/** Chores run one at a time and are not retried, since the schedule repeats them. */
const CHORE_QUEUES = Object.fromEntries(
  Object.entries(CHORES).map(([name, { minutes }]) => [
    name,
    { policy: "exclusive", retryLimit: 0, expireInSeconds: minutes * 60, deleteAfterSeconds: 86_400 } as const,
  ]),
);

/**
 * Applies migrations, seeds an empty catalog and indexes texts for search. Idempotent and safe in several processes at
 * once. Returns the applied migrations and the number of seeded products.
 */
export async function prepareDatabase(): Promise<{ migrations: string[]; seeded: number }> {
  const migrations = await migrateDatabase(config().databaseUrl, { ...QUEUES, ...CHORE_QUEUES });
  const seeded = await seedCatalog(db);
  await loadHeld();
  return { migrations, seeded };
}

let searchable = "";
let loading: Promise<void> = Promise.resolve();

/** Loads what the process holds of the database, once at a time, so that a later call ends with the later rows. */
export function loadHeld(): Promise<void> {
  loading = loading.catch(() => {}).then(loadOnce);
  return loading;
}

/** The search gets the texts if they are other than before. */
async function loadOnce(): Promise<void> {
  await loadSettings(db);
  await loadTexts(db);
  const documents = textDocuments();
  const now = JSON.stringify(documents);
  if (now === searchable) return;
  await fillSearch(db, documents);
  searchable = now;
}

/** Time at which settings or texts change by themselves; null for never. */
export function nextChange(): Date | null {
  const times = [settingsUntil(), nextPublication()].flatMap((at) => at ?? []);
  return times.length > 0 ? new Date(Math.min(...times.map(Number))) : null;
}

async function scheduleChores(boss: PgBoss): Promise<void> {
  for (const [name, { cron, run }] of Object.entries(CHORES)) {
    // Schedules keep true time, and miss nothing when the clock is moved: a job that waits is found at once.
    if (config().clockOffsetMs > 0) await boss.send(name);
    await boss.work(name, { pollingIntervalSeconds: 10 }, async () => {
      let hasFailed = false;
      const report: Report = (...reported) => {
        hasFailed = true;
        reportError(...reported);
      };
      await run(report).catch((error: unknown) => report(error, `a chore failed: ${name}`));
      if (hasFailed) throw new Error("the log says why");
    });
    await boss.schedule(name, cron, null, { tz: "UTC", missed: "once" });
  }
}

async function startPayments(providers: PaymentProviders): Promise<{ stop(): Promise<void> }> {
  const { startPaymentJobs } = await import("#shop/payments/jobs.server.ts");
  return startPaymentJobs({ db, providers, report: reportError });
}

const NEWS: Record<string, string> = {
  "order-confirmation": "order",
  "contact-message": "message",
  "payment-alert": "payment",
};

/**
 * NOTIFY is sent here and not in the order's transaction: PostgreSQL serializes the commits of notifying transactions.
 * A trigger announces later changes of an order.
 */
async function announce(templates: string[]): Promise<void> {
  const kinds = new Set(templates.flatMap((template) => NEWS[template] ?? []));
  for (const kind of kinds) await db.execute(sql`SELECT pg_notify('office', ${kind})`);
}

/** Starts the jobs. The database must be migrated. Any number of workers may share one database. */
export async function startWorker(): Promise<{ stop(): Promise<void> }> {
  const providers = paymentProviders();
  const payments = providers ? await startPayments(providers) : null;
  const outbox = await startOutbox(db, config().databaseUrl, {
    ...config(),
    loadEmails: async () => (await import("#shop/emails.server.ts")).emails,
    report: reportError,
    announce: (templates) =>
      announce(templates).catch((error: unknown) => reportError(error, "staff were not notified")),
  });
  await scheduleChores(outbox.boss);
  return {
    async stop() {
      await payments?.stop();
      await outbox.stop();
    },
  };
}
