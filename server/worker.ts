/** The jobs: the outbox, and periodic chores. Safe to run more than once on one database, and needed once. */
import { sql } from "drizzle-orm";
import { config } from "../app/config.server.ts";
import { db } from "../app/database.server.ts";
import { openDatabase } from "../db/connection.server.ts";
import { log, reportError } from "../app/http/log.server.ts";
import { rateLimits } from "../app/session/rate-limits.server.ts";
import { countSoldOut } from "../shop/catalog/sold-out-counts.server.ts";
import { startOutbox } from "../shop/mail/outbox.server.ts";
import { paymentProvider } from "../shop/payments/open-provider.server.ts";
import type { PaymentProvider } from "../shop/payments/provider.ts";
import { rollUp } from "../shop/numbers/roll-up.server.ts";
import { applyRetention } from "../shop/privacy/retention.server.ts";
import { sendInvitations } from "../shop/waitlist/invitations.server.ts";

const SWEEP_MS = 10 * 60_000;
const RETENTION_MS = 24 * 3600_000;
const COUNT_MS = 5_000;
/** A day is summed up within this after midnight in New York. */
const ROLL_UP_MS = 20 * 60_000;
const INVITE_MS = 30_000;

/** Does a chore now and every `ms` milliseconds, and logs where it failed. */
function repeat(ms: number, name: string, chore: () => Promise<void>): NodeJS.Timeout {
  const run = () => void chore().catch((error: unknown) => reportError(error, `a chore failed: ${name}`));
  run();
  return setInterval(run, ms);
}

/** Loaded only where payments are taken. */
async function startPayments(provider: PaymentProvider): Promise<{ stop(): Promise<void> }> {
  const [{ startPaymentJobs }, { afterAction }] = await Promise.all([
    import("../shop/payments/jobs/jobs.server.ts"),
    import("../shop/fulfillment/after-action.server.ts"),
  ]);
  return startPaymentJobs({ db, provider, after: afterAction, report: reportError });
}

/** What is new to staff, by the email that goes out about it. */
const NEWS: Record<string, string> = {
  "order-confirmation": "order",
  "contact-message": "message",
  "payment-alert": "payment",
};

/** By the jobs and not by the order itself: whoever notifies in a transaction waits for everybody else who does. */
async function tellStaff(templates: string[]): Promise<void> {
  const kinds = new Set(templates.flatMap((template) => NEWS[template] ?? []));
  for (const kind of kinds) await db.execute(sql`SELECT pg_notify('office', ${kind})`);
}

/** Starts the jobs on a database that is up to date. */
export async function startWorker(): Promise<{ stop(): Promise<void> }> {
  const chores = [
    repeat(SWEEP_MS, "expired limits", () => rateLimits.sweep()),
    repeat(COUNT_MS, "counts of sold-out products", () => countSoldOut(db)),
    repeat(RETENTION_MS, "retention", async () => {
      // Deleting what has gathered in a year may take minutes.
      const { db: patient, pool } = openDatabase(config().databaseUrl, 1, null);
      const counts = await applyRetention(patient).finally(() => pool.end());
      if (Object.values(counts ?? {}).some(Boolean)) log.info({ counts }, "retention periods carried out");
    }),
    repeat(ROLL_UP_MS, "numbers", async () => {
      const { db: patient, pool } = openDatabase(config().databaseUrl, 1, null);
      await rollUp(patient).finally(() => pool.end());
    }),
    repeat(INVITE_MS, "invitations", async () => {
      await sendInvitations(db);
    }),
  ];
  const provider = paymentProvider();
  const payments = provider ? await startPayments(provider) : null;
  const outbox = await startOutbox(db, config().databaseUrl, {
    ...config(),
    loadEmails: async () => (await import("../shop/emails.server.ts")).emails,
    report: reportError,
    heard: (templates) => tellStaff(templates).catch((error: unknown) => reportError(error, "staff were not told")),
  });
  return {
    async stop() {
      chores.forEach(clearInterval);
      await payments?.stop();
      await outbox.stop();
    },
  };
}
