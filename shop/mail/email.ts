/** Emails and their templates. */
import type { Database } from "#db/connection.server.ts";

export type Email = {
  to: string;
  /** Defaults to the shop's sender address. */
  from?: string;
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  /** Message-IDs of the conversation with their brackets, oldest first. */
  thread?: { id: string; after: string[] };
  headers?: Record<string, string>;
  /** Values for the staff’s words, by the name in their braces. */
  placeholders?: Record<string, string>;
};

export type EmailShop = {
  baseUrl: string;
  secret: string;
  /** The inbox that reads answers, if there is one. */
  inbox?: { address: string } | null;
};

/** Headers by which a mail program unsubscribes with one press (RFC 8058). */
export const oneClick = (unsubscribe: string): Record<string, string> => ({
  "List-Unsubscribe": `<${unsubscribe}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/**
 * Job data by template. Each concept adds its own with `declare module`; shop/emails.server.ts compiles only with a
 * template for each.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by the concepts
export interface EmailJobs {}

export type TemplateName = keyof EmailJobs;

/** `isResent`: sent again by staff, so no news. */
export type EmailJob = {
  [Name in TemplateName]: { template: Name; isResent?: boolean } & EmailJobs[Name];
}[TemplateName];

export type EmailTemplate<Job> = {
  /** Renders the email of a job. Null if there is no recipient or nothing to say anymore. */
  write(db: Database, job: Job, shop: EmailShop): Promise<Email | null>;
  /** Called after the mail server accepted it. May happen twice. */
  sent?(db: Database, job: Job, email: Email): Promise<void>;
  /** Not tried again after an attempt that a crash cut off, because it may have arrived. */
  atMostOnce?: boolean;
  /** Variants of the email rendered from sample data, by name. */
  samples(shop: EmailShop): Record<string, Email>;
};

/** Makes a template: `load` reads its data (null: no email), `render` writes it, `samples` are data for previews. */
export function emailTemplate<Job, Data>({
  load,
  render,
  sent,
  atMostOnce = false,
  samples,
}: {
  load(db: Database, job: Job, shop: EmailShop): Promise<Data | null>;
  render(data: Data, shop: EmailShop): Email;
  sent?(db: Database, job: Job, email: Email): Promise<void>;
  atMostOnce?: boolean;
  samples: Record<string, Data>;
}): EmailTemplate<Job> {
  return {
    async write(db, job, shop) {
      const data = await load(db, job, shop);
      return data === null ? null : render(data, shop);
    },
    ...(sent && { sent }),
    atMostOnce,
    samples: (shop) => Object.fromEntries(Object.entries(samples).map(([name, data]) => [name, render(data, shop)])),
  };
}

export type Emails = { [Name in TemplateName]: EmailTemplate<EmailJobs[Name]> };
