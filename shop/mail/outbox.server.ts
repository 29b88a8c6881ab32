/** Delivers the letters in the outbox, each at least once, until the mail server has taken it. */
import { PgBoss, type JobResult } from "pg-boss";
import type { Database } from "../../db/connection.server.ts";
import { claimToken } from "../orders/claim.server.ts";
import { getOrderForMail } from "../orders/orders.server.ts";
import { contactMessageLetter, contactReceiptLetter } from "../support/contact-emails.ts";
import { getMessage } from "../support/contact.server.ts";
import { forgetAddress } from "./forget.server.ts";
import type { Report } from "../report.ts";
import { orderConfirmation } from "../orders/order-emails.ts";
import { MAIL_QUEUE, type MailJob } from "./queues.ts";
import { mailboxTransport, smtpTransport, type Letter } from "./transport.server.ts";

type Sender = { smtpUrl: string | undefined; baseUrl: string; secret: string; report: Report };

/** What is kept beside a job of a failed delivery: its message may hold the address or the words of a person. */
function failureOf(error: unknown): Record<string, string | number> {
  const { name, code, responseCode } = error as { name?: string; code?: string; responseCode?: number };
  return { error: name ?? "unknown", ...(code && { code }), ...(responseCode && { responseCode }) };
}

async function write(db: Database, job: MailJob, { baseUrl, secret }: Sender): Promise<Letter | null> {
  // It was delivered, and its address taken away, before the queue heard of it.
  if ((job.letter === "reset-password" || job.letter === "account-deleted") && !job.email) return null;
  if (job.letter === "verify-email" || job.letter === "reset-password") {
    const { accountLetter } = await import("../accounts/account-emails.server.ts");
    return accountLetter(db, job, { baseUrl, secret });
  }
  if (job.letter === "account-changed") {
    const { accountChangedLetter } = await import("../accounts/account-changed.server.ts");
    return accountChangedLetter(db, job, baseUrl);
  }
  if (job.letter === "account-deleted") {
    const { accountDeletedLetter } = await import("../accounts/account-emails.server.ts");
    return accountDeletedLetter(job.email, baseUrl);
  }
  if (job.letter === "order-confirmation") {
    const order = await getOrderForMail(db, job.orderId);
    // Without an address: its customer has deleted the account meanwhile.
    if (!order?.email) return null;
    const claimUrl = order.userId ? null : `${baseUrl}/orders/claim?token=${claimToken(order, secret)}`;
    return orderConfirmation(order, { baseUrl, claimUrl });
  }
  const message = await getMessage(db, job.messageId);
  if (!message) return null;
  return job.letter === "contact-message" ? contactMessageLetter(message) : contactReceiptLetter(message, baseUrl);
}

/** Delivers what lies in the outbox, now and as it comes. A failed delivery is tried again later. */
export async function startOutbox(
  db: Database,
  databaseUrl: string,
  sender: Sender,
): Promise<{ stop(): Promise<void> }> {
  const deliver = sender.smtpUrl ? await smtpTransport(sender.smtpUrl, sender.baseUrl) : mailboxTransport(db);
  const send = async (id: string, job: MailJob): Promise<JobResult> => {
    try {
      const letter = await write(db, job, sender);
      if (letter) await deliver(id, letter);
      if ("email" in job) await forgetAddress(db, id);
      return { id, status: "completed" };
    } catch (error) {
      sender.report(error, "an email was not delivered and will be tried again", { job: id });
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
  boss.on("error", (error) => sender.report(error, "the outbox could not be read"));
  await boss.start();
  await boss.work<MailJob, void, { perJobResults: true; batchSize: number; pollingIntervalSeconds: number }>(
    MAIL_QUEUE,
    { batchSize: 20, pollingIntervalSeconds: 1, perJobResults: true },
    // Each on its own: one refused address must not send the others' letters twice.
    (jobs) => Promise.all(jobs.map((job) => send(job.id, job.data))),
  );
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) };
}
