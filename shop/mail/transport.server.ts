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

/** Sends through SMTP. The Message-ID comes from the job, so that a repeat can be told from a new letter. */
export async function smtpTransport(smtpUrl: string, baseUrl: string): Promise<Deliver> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(smtpUrl, { from: `${brand.name} <${brand.fromEmail}>` });
  return async (jobId, letter) => {
    await transport.sendMail({ ...letter, messageId: `<${jobId}@${new URL(baseUrl).hostname}>` });
  };
}
