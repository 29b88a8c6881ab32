/** What an email is, and what a concept has to bring for each that it sends. */
import type { Database } from "../../db/connection.server.ts";

export type Email = {
  to: string;
  /** Where it is not the shop's own address for emails. */
  from?: string;
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  /** Its place in a conversation, for mail programs that show one: Message-IDs with their brackets, the oldest first. */
  thread?: { id: string; after: string[] };
  /** Further headers of the mail, as List-Unsubscribe. */
  headers?: Record<string, string>;
};

/** What emails need of the configuration: the shop's address, its secret for links, and the support address. */
export type EmailShop = { baseUrl: string; secret: string; supportEmail: string };

/**
 * The data of a job, by the name of its template. Each concept adds its own with `declare module`;
 * shop/emails.server.ts compiles only with a template for each.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by the concepts
export interface EmailJobs {}

export type TemplateName = keyof EmailJobs;

/** A job of the outbox: which email, and what it is about. */
export type EmailJob = { [Name in TemplateName]: { template: Name } & EmailJobs[Name] }[TemplateName];

export type EmailTemplate<Job> = {
  /** The email of a job. Null where there is nobody to write to anymore, or nothing to write about. */
  write(db: Database, job: Job, shop: EmailShop): Promise<Email | null>;
  /** Written down once the mail server has taken it. May happen twice. */
  sent?(db: Database, job: Job, email: Email): Promise<void>;
  /** Each variant of the email, rendered from sample data, by a name that says what is special about it. */
  samples(shop: EmailShop): Record<string, Email>;
};

/** Makes a template: `load` reads its data (null: no email), `render` writes it, `samples` are data to show it with. */
export function emailTemplate<Job, Data>({
  load,
  render,
  sent,
  samples,
}: {
  load(db: Database, job: Job, shop: EmailShop): Promise<Data | null>;
  render(data: Data, shop: EmailShop): Email;
  sent?(db: Database, job: Job, email: Email): Promise<void>;
  samples: Record<string, Data>;
}): EmailTemplate<Job> {
  return {
    async write(db, job, shop) {
      const data = await load(db, job, shop);
      return data === null ? null : render(data, shop);
    },
    ...(sent && { sent }),
    samples: (shop) => Object.fromEntries(Object.entries(samples).map(([name, data]) => [name, render(data, shop)])),
  };
}

/** A template for each kind of job. */
export type Emails = { [Name in TemplateName]: EmailTemplate<EmailJobs[Name]> };
