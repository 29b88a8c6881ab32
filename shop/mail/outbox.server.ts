/** Delivery of the outbox, at least once per email and at most once per letter. */
import { type JobResult, type JobWithMetadata, PgBoss } from "pg-boss";
import type { Database } from "#db/connection.server.ts";
import { brand } from "#shop/brand.ts";
import { ordersEmail, supportEmail } from "#shop/contact-addresses.server.ts";
import type { Report } from "#shop/report.ts";
import type { Email, EmailJob, Emails, EmailShop, EmailTemplate } from "./email.ts";
import { reworded } from "./reworded.server.tsx";
import { mailboxMessages } from "./mail.tables.ts";
import { forgetAddress, MAIL_QUEUE } from "./mailbox.server.ts";
import { replyAddress } from "./reply-address.server.ts";

export type Outbox = EmailShop & {
  /** Null: emails stay in the mailbox. */
  smtpUrl: string | null;
  /** Loaded with the first email, to keep the start and an idle shop light. */
  loadEmails: () => Promise<Emails>;
  report: Report;
  announce?: (templates: string[]) => Promise<void>;
};

/** At most 60 emails a second, through connections that stay open: mail servers limit both, and orders go first. */
const BATCH = { batchSize: 30, pollingIntervalSeconds: 0.5, perJobResults: true, includeMetadata: true } as const;
const MAX_CONNECTIONS = 10;
/** Shorter than a job, so that nothing waits in the pool for a job that is tried again. */
const DELIVERY_MS = 25_000;

/** Output of a failed job, without the error's message: it may contain an address or the text of an email. */
function failureOf(error: unknown): Record<string, string | number> {
  const { name, code, responseCode } = error as { name?: string; code?: string; responseCode?: number };
  return { error: name ?? "unknown", ...(code && { code }), ...(responseCode && { responseCode }) };
}

/** True if the last attempt was cut off by a crash: one that failed has left its `failureOf`. */
const wasCutOff = ({ retryCount, output }: JobWithMetadata<EmailJob>) =>
  retryCount > 0 && !(output && "error" in output);

/** Answers about an order come to the inbox with its address. */
function withReplyAddress(email: Email, job: EmailJob, outbox: Outbox): Email {
  const isOfOrder = "orderId" in job && email.to !== supportEmail();
  const replyTo = email.replyTo ?? (isOfOrder ? replyAddress({ kind: "order", id: job.orderId }, outbox) : null);
  return replyTo ? { ...email, replyTo } : email;
}

async function templateOf(job: EmailJob, outbox: Outbox): Promise<EmailTemplate<never>> {
  const emails: Record<string, EmailTemplate<never> | undefined> = await outbox.loadEmails();
  const template = emails[job.template];
  if (!template) throw new Error("an email has no template of its name");
  return template;
}

/** Delivers outbox emails, now and later. pg-boss retries failures, and runs other queues too. */
export async function startOutbox(
  db: Database,
  databaseUrl: string,
  outbox: Outbox,
): Promise<{ boss: PgBoss; stop(): Promise<void> }> {
  const { smtpUrl } = outbox;
  const { deliver, close } = smtpUrl ? await smtpTransport(smtpUrl, outbox) : mailboxTransport(db, outbox);
  const send = async (queued: JobWithMetadata<EmailJob>): Promise<JobResult> => {
    const { id, data: job } = queued;
    try {
      const template = await templateOf(job, outbox);
      if (template.atMostOnce && wasCutOff(queued)) return { id, status: "completed" };
      const written = await template.write(db, job as never, outbox);
      const email = written && reworded(job.template, written, outbox);
      if (email) {
        await deliver(id, withReplyAddress(email, job, outbox));
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
    superviseIntervalSeconds: 15,
    monitorIntervalSeconds: 15,
  });
  // pg-boss emits copies of errors, which are no errors themselves.
  boss.on("error", (copy) =>
    outbox.report(Object.assign(new Error(copy.message), copy), "the outbox could not be read"),
  );
  await boss.start();
  await boss.work<EmailJob, void, typeof BATCH>(
    MAIL_QUEUE,
    BATCH,
    // Jobs end individually: one refused address must not resend the others' emails.
    async (jobs) => {
      await outbox.announce?.(jobs.filter(({ data }) => !data.isResent).map(({ data }) => data.template));
      return Promise.all(jobs.map(send));
    },
  );
  return {
    boss,
    async stop() {
      await boss.stop({ graceful: true, timeout: 5_000 });
      close();
    },
  };
}

/** Transport of emails: the operator's SMTP server, or the embedded mailbox without one. */

type Transport = { deliver(jobId: string, email: Email): Promise<void>; close(): void };

const href = /href="(https?:[^"]+)"/g;

/** Headers of an email. The Message-ID comes from the job or the email's conversation, so that a retry is recognized. */
const envelopeOf = (jobId: string, { from = ordersEmail(), thread, headers }: Email, baseUrl: string) => ({
  // Programs that answer mail leave such ones alone (RFC 3834).
  headers: { "Auto-Submitted": "auto-generated", ...headers },
  from: `${brand.name} <${from}>`,
  messageId: thread?.id ?? `<${jobId}@${new URL(baseUrl).hostname}>`,
  ...(thread?.after.length && { inReplyTo: thread.after.at(-1)!, references: thread.after }),
});

/** Stores emails in the database, for /mailbox. A job delivered twice is one message. */
function mailboxTransport(db: Database, { baseUrl }: Pick<EmailShop, "baseUrl">): Transport {
  return {
    async deliver(jobId, email) {
      const links = [
        ...new Set([...email.html.matchAll(href)].map((match) => (match[1] ?? "").replaceAll("&amp;", "&"))),
      ];
      const { to, subject, text, html, replyTo } = email;
      const { messageId: mailId, from, headers: more, inReplyTo, references } = envelopeOf(jobId, email, baseUrl);
      const headers = {
        From: from,
        ...(replyTo && { "Reply-To": replyTo }),
        "Message-ID": mailId,
        ...(inReplyTo && { "In-Reply-To": inReplyTo, References: (references ?? []).join(" ") }),
        ...more,
      };
      await db
        .insert(mailboxMessages)
        .values({ jobId, to, subject, text, html, links, mailId, headers })
        .onConflictDoNothing();
    },
    close() {},
  };
}

/**
 * SMTP connection of an SMTP_URL: TLS 1.2 or newer with a verified certificate, implicit (smtps) or by STARTTLS, except
 * to this machine. Query parameters of the URL are ignored.
 */
export function smtpOptions(smtpUrl: string) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  const secure = protocol === "smtps:";
  return {
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !/^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host),
    auth: username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined,
    tls: { minVersion: "TLSv1.2", rejectUnauthorized: true },
  } as const;
}

/** Sends through SMTP. */
export async function smtpTransport(smtpUrl: string, { baseUrl }: Pick<EmailShop, "baseUrl">): Promise<Transport> {
  const { createTransport } = await import("nodemailer");
  const options = { ...smtpOptions(smtpUrl), pool: true, maxConnections: MAX_CONNECTIONS } as const;
  const transport = createTransport(options);
  return {
    async deliver(jobId, email) {
      const { to, subject, text, html, replyTo } = email;
      await transport.sendMail({
        to,
        subject,
        text,
        html,
        ...(replyTo && { replyTo }),
        ...envelopeOf(jobId, email, baseUrl),
        signal: AbortSignal.timeout(DELIVERY_MS),
      });
    },
    close: () => transport.close(),
  };
}
