/** What an email is, and what a concept says of each that it sends. */
import type { Database } from "../../db/connection.server.ts";

export type Email = { to: string; replyTo?: string; subject: string; text: string; html: string };

/** What emails need to know of the shop: where it is, its secret for links, and the address that questions go to. */
export type EmailShop = { baseUrl: string; secret: string; supportEmail: string };

/**
 * The emails by the name of their template, and what a job of the outbox says beside it. Each concept adds its own with
 * `declare module`; shop/emails.server.ts compiles only with a template for each.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by the concepts
export interface EmailJobs {}

export type TemplateName = keyof EmailJobs;

/** What stands in the outbox: which email, about what. */
export type EmailJob = { [Name in TemplateName]: { template: Name } & EmailJobs[Name] }[TemplateName];

export type EmailTemplate<Job> = {
  /** The email of a job, or null where there is nobody to write to, or nothing to write of anymore. */
  write(db: Database, job: Job, shop: EmailShop): Promise<Email | null>;
  /** The email in each way it can read, with sample data, by what is special about it. */
  samples(shop: EmailShop): Record<string, Email>;
};

/** A template from how its data are loaded (null: no email), how they are written, and samples of them. */
export function emailTemplate<Job, Data>({
  load,
  render,
  samples,
}: {
  load(db: Database, job: Job, shop: EmailShop): Promise<Data | null>;
  render(data: Data, shop: EmailShop): Email;
  samples: Record<string, Data>;
}): EmailTemplate<Job> {
  return {
    async write(db, job, shop) {
      const data = await load(db, job, shop);
      return data === null ? null : render(data, shop);
    },
    samples: (shop) => Object.fromEntries(Object.entries(samples).map(([name, data]) => [name, render(data, shop)])),
  };
}

/** A template for every job there is. */
export type Emails = { [Name in TemplateName]: EmailTemplate<EmailJobs[Name]> };
