import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** The embedded mailbox: what was sent while no SMTP server is set up. */
export const mailboxMessages = pgTable(
  "mailbox_messages",
  {
    id: uuid().primaryKey().defaultRandom(),
    // The id of the outbox job, so that a repeated delivery of one job is one message.
    jobId: uuid().notNull().unique(),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    links: text().array().notNull(),
    sentAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [index("mailbox_messages_newest").on(t.sentAt.desc())],
);
