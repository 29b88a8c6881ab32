/** Hands an email to the operator's SMTP server, or to the embedded mailbox where none is set up. */
import type { Database } from "../../db/connection.server.ts";
import { brand } from "../brand.ts";
import type { Email } from "./email.ts";
import { mailboxMessages } from "./mail.tables.ts";

export type Deliver = (jobId: string, email: Email) => Promise<void>;

const href = /href="(https?:[^"]+)"/g;

/** Keeps emails in the database, for /mailbox. The same job delivered twice is one message. */
export function mailboxTransport(db: Database): Deliver {
  return async (jobId, email) => {
    const links = [
      ...new Set([...email.html.matchAll(href)].map((match) => (match[1] ?? "").replaceAll("&amp;", "&"))),
    ];
    await db
      .insert(mailboxMessages)
      .values({ jobId, to: email.to, subject: email.subject, text: email.text, html: email.html, links })
      .onConflictDoNothing();
  };
}

/**
 * The connection to the server of an SMTP_URL: TLS 1.2 or newer with a checked certificate, from the start (smtps) or by
 * STARTTLS. Without it nothing is sent, except to a server on this machine. What follows a '?' in the URL is ignored.
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

/**
 * Sends through SMTP. The Message-ID comes from the job, or from the email's place in a conversation, so that a repeat can
 * be told from a new email.
 */
export async function smtpTransport(
  smtpUrl: string,
  { baseUrl, from }: { baseUrl: string; from: string },
): Promise<Deliver> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(smtpOptions(smtpUrl), { from: `${brand.name} <${from}>` });
  return async (jobId, { thread, from: sender, ...email }) => {
    await transport.sendMail({
      ...email,
      ...(sender && { from: `${brand.name} <${sender}>` }),
      messageId: thread?.id ?? `<${jobId}@${new URL(baseUrl).hostname}>`,
      ...(thread?.after.length && { inReplyTo: thread.after.at(-1), references: thread.after }),
    });
  };
}
