import { boolean, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, writtenAt } from "#db/columns.ts";
import { contactMessages } from "../contact.tables.ts";

/** Emails that came from customers. Their text is whole, with the history that is cut for reading. */
export const incomingEmails = pgTable(
  "incoming_emails",
  {
    id: uuid().primaryKey().defaultRandom(),
    messageId: uuid()
      .notNull()
      .references(() => contactMessages.id, { onDelete: "cascade" }),
    /** Message-ID: the same email twice is one. */
    mailId: text().notNull().unique(),
    text: text().notNull(),
    /** The address to which it asks for answers, if they go to another. */
    replyTo: text(),
    /** It began the conversation, whose message is its text. */
    isFirst: boolean("first").notNull(),
    /** Names of attachments that were not kept. */
    refused: text().array().notNull(),
    createdAt: writtenAt(),
  },
  (t) => [index("incoming_emails_message").on(t.messageId, t.createdAt)],
);

/** Pictures in emails of customers, encoded again by the shop; only staff who read messages see them. */
export const incomingPictures = pgTable(
  "incoming_pictures",
  {
    id: uuid().primaryKey().defaultRandom(),
    emailId: uuid()
      .notNull()
      .references(() => incomingEmails.id, { onDelete: "cascade" }),
    name: text().notNull(),
    image: bytes().notNull(),
    createdAt: writtenAt(),
  },
  (t) => [index("incoming_pictures_email").on(t.emailId, t.createdAt)],
);
