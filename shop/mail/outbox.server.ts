/** Delivers the emails in the outbox, each at least once, until the mail server has taken it. */
import { PgBoss, type JobResult } from "pg-boss";
import type { Database } from "../../db/connection.server.ts";
import type { Report } from "../report.ts";
import type { EmailJob, Emails, EmailShop, EmailTemplate } from "./email.ts";
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
  /** Told of the templates of what is to be sent, before it is: what they are about has happened. */
  heard?: (templates: string[]) => Promise<void>;
};

/** Jobs of older versions name their template `letter`. One may wait for as long as the queue keeps jobs. */
type KeptJob = EmailJob | { letter: string };

/** What a job keeps of a failed delivery: not the error's message, which may contain an address or what was written. */
function failureOf(error: unknown): Record<string, string | number> {
  const { name, code, responseCode } = error as { name?: string; code?: string; responseCode?: number };
  return { error: name ?? "unknown", ...(code && { code }), ...(responseCode && { responseCode }) };
}

async function templateOf(job: KeptJob, outbox: Outbox): Promise<EmailTemplate<never>> {
  const emails: Record<string, EmailTemplate<never> | undefined> = await outbox.loadEmails();
  const template = emails["letter" in job ? job.letter : job.template];
  if (!template) throw new Error("an email has no template of its name");
  return template;
}

/** Delivers the jobs in the outbox, now and as they come. A failed delivery is tried again later. */
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
      const template = await templateOf(job, outbox);
      const email = await template.write(db, job as never, outbox);
      if (email) {
        await deliver(id, email);
        await template.sent?.(db, job as never, email);
      }
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
    // Each job ends on its own: a refused address must not make the others' emails go out twice.
    async (jobs) => {
      await outbox.heard?.(jobs.map(({ data }) => ("letter" in data ? data.letter : data.template)));
      return Promise.all(jobs.map((job) => send(job.id, job.data)));
    },
  );
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) };
}
