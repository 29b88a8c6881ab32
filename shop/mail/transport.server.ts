/** Hands a letter to the operator's SMTP server, or to the embedded mailbox where none is set up. */
import type { Database } from "../../db/connection.server.ts";
import { brand } from "../brand.ts";
import { mailboxMessages } from "./mail.tables.ts";

export type Letter = { to: string; replyTo?: string; subject: string; text: string; html: string };
export type Deliver = (jobId: string, letter: Letter) => Promise<void>;

const href = /href="(https?:[^"]+)"/g;

/** Keeps letters in the database, for /mailbox. The same job delivered twice is one message. */
export function mailboxTransport(db: Database): Deliver {
  return async (jobId, letter) => {
    const links = [
      ...new Set([...letter.html.matchAll(href)].map((match) => (match[1] ?? "").replaceAll("&amp;", "&"))),
    ];
    await db
      .insert(mailboxMessages)
      .values({ jobId, to: letter.to, subject: letter.subject, text: letter.text, html: letter.html, links })
      .onConflictDoNothing();
  };
}

/**
 * How the server of an SMTP_URL is reached: by TLS 1.2 or newer with a certificate that is checked, from the start
 * (smtps) or by STARTTLS, else not at all. Only a server on this machine may do without. Nothing after a '?' counts.
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

/** Sends through SMTP. The Message-ID comes from the job, so that a repeat can be told from a new letter. */
export async function smtpTransport(smtpUrl: string, baseUrl: string): Promise<Deliver> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(smtpOptions(smtpUrl), { from: `${brand.name} <${brand.fromEmail}>` });
  return async (jobId, letter) => {
    await transport.sendMail({ ...letter, messageId: `<${jobId}@${new URL(baseUrl).hostname}>` });
  };
}
