import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { writtenAt } from "#db/columns.ts";

/** Embedded mailbox: emails sent without an SMTP server. */
export const mailboxMessages = pgTable(
  "mailbox_messages",
  {
    id: uuid().primaryKey().defaultRandom(),
    // The outbox job's id makes repeated delivery idempotent.
    jobId: uuid().notNull().unique(),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    links: text().array().notNull(),
    mailId: text().notNull(),
    /** All but To and Subject. */
    headers: jsonb().$type<Record<string, string>>().notNull(),
    sentAt: writtenAt(),
  },
  (t) => [index("mailbox_messages_newest").on(t.sentAt.desc())],
);
