/** Delivers the emails in the outbox, each at least once, until the mail server has taken it. */
import { PgBoss, type JobResult } from "pg-boss";
import type { Database } from "../../db/connection.server.ts";
import type { Report } from "../report.ts";
import type { Email, EmailJob, Emails, EmailShop, EmailTemplate } from "./email.ts";
import { forgetAddress } from "./forget.server.ts";
import { MAIL_QUEUE } from "./queues.ts";
import { mailboxTransport, smtpTransport } from "./transport.server.ts";

export type Outbox = EmailShop & {
  /** Null: emails stay in the mailbox. */
  smtpUrl: string | null;
  /** Whom emails are from. */
  ordersEmail: string;
  /** Loaded when the first email is written, so that neither the start nor an idle shop pays for it. */
  loadEmails: () => Promise<Emails>;
  report: Report;
};

/** Before a job's template had its name it was its `letter`: such a job may lie there for as long as the queue keeps one. */
type KeptJob = EmailJob | { letter: string };

/** What is kept beside a job of a failed delivery: its message may hold the address or the words of a person. */
function failureOf(error: unknown): Record<string, string | number> {
  const { name, code, responseCode } = error as { name?: string; code?: string; responseCode?: number };
  return { error: name ?? "unknown", ...(code && { code }), ...(responseCode && { responseCode }) };
}

async function writeEmail(db: Database, job: KeptJob, outbox: Outbox): Promise<Email | null> {
  const emails: Record<string, EmailTemplate<never> | undefined> = await outbox.loadEmails();
  const template = emails["letter" in job ? job.letter : job.template];
  if (!template) throw new Error("an email has no template of its name");
  return template.write(db, job as never, outbox);
}

/** Delivers what lies in the outbox, now and as it comes. A failed delivery is tried again later. */
export async function startOutbox(
  db: Database,
  databaseUrl: string,
  outbox: Outbox,
): Promise<{ stop(): Promise<void> }> {
  const deliver = outbox.smtpUrl
    ? await smtpTransport(outbox.smtpUrl, { baseUrl: outbox.baseUrl, from: outbox.ordersEmail })
    : mailboxTransport(db);
  const send = async (id: string, job: KeptJob): Promise<JobResult> => {
    try {
      const email = await writeEmail(db, job, outbox);
      if (email) await deliver(id, email);
      if ("email" in job) await forgetAddress(db, id);
      return { id, status: "completed" };
    } catch (error) {
      outbox.report(error, "an email was not delivered and will be tried again", { job: id });
      return { id, status: "failed", output: failureOf(error) };
    }
  };
  const boss = new PgBoss({
    connectionString: databaseUrl,
    max: 2,
    schedule: false,
    superviseIntervalSeconds: 15,
    monitorIntervalSeconds: 15,
  });
  boss.on("error", (error) => outbox.report(error, "the outbox could not be read"));
  await boss.start();
  await boss.work<KeptJob, void, { perJobResults: true; batchSize: number; pollingIntervalSeconds: number }>(
    MAIL_QUEUE,
    { batchSize: 20, pollingIntervalSeconds: 1, perJobResults: true },
    // Each on its own: one refused address must not send the others' emails twice.
    (jobs) => Promise.all(jobs.map((job) => send(job.id, job.data))),
  );
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) };
}
