import { sql } from "drizzle-orm";
import { type AnyPgColumn, boolean, check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "#db/one-of.sql.ts";
import { time, tsvector, writtenAt } from "#db/columns.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { staff } from "#shop/staff/staff.tables.ts";

const MESSAGE_STATUSES = ["open", "closed"] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Warnings about emails: not from the sender of what it answers, to an address that nobody signed, or not readable. */
const WARNINGS = ["other-sender", "forged-address", "unreadable"] as const;
export type Warning = (typeof WARNINGS)[number];

/** Messages of the contact form and emails, each the start of a conversation. */
export const contactMessages = pgTable(
  "contact_messages",
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    /** Whom answers go to; empty if an email says nobody. */
    email: text().notNull(),
    /** The sender of an email that asks for answers at `email`. */
    sentFrom: text(),
    message: text().notNull(),
    /** Subject of an email; null from the contact form. */
    subject: text(),
    warning: text().$type<Warning>(),
    /** The conversation that an email claims to answer. */
    claimedId: uuid().references((): AnyPgColumn => contactMessages.id, { onDelete: "set null" }),
    createdAt: writtenAt(),
    /** An email of a program, apart from those that people wrote. */
    isAutomatic: boolean("automatic").notNull().default(false),
    status: text().$type<MessageStatus>().notNull().default("open"),
    /** The assigned member of the staff. */
    assignedTo: uuid().references(() => staff.userId, { onDelete: "set null" }),
    /** The member who opened or closed it last. */
    statusBy: uuid().references(() => staff.userId, { onDelete: "set null" }),
    /** The related order, of the same email. */
    orderId: uuid().references(() => orders.id, { onDelete: "set null" }),
    /** Full-text search. */
    words: tsvector().generatedAlwaysAs(
      sql`to_tsvector('simple', fold_words("name") || ' ' || "name" || ' ' || "email" || ' ' || "message")`,
    ),
  },
  (t) => [
    check("contact_messages_status", sql`${t.status} IN ${oneOf(MESSAGE_STATUSES)}`),
    check("contact_messages_warning", sql`${t.warning} IN ${oneOf(WARNINGS)}`),
    index("contact_messages_sender").on(sql`lower(${t.email})`, t.createdAt.desc()),
    index("contact_messages_status_age").on(t.status, t.createdAt, t.id),
    index("contact_messages_assigned").on(t.assignedTo, t.status, t.createdAt, t.id),
    index("contact_messages_age").on(t.createdAt, t.id),
    index("contact_messages_order")
      .on(t.orderId)
      .where(sql`${t.orderId} IS NOT NULL`),
    index("contact_messages_claimed")
      .on(t.claimedId)
      .where(sql`${t.claimedId} IS NOT NULL`),
    index("contact_messages_words").using("gin", t.words),
  ],
);

/** Replies of staff. The form chooses the id, so a repeated submit is one reply. */
export const contactReplies = pgTable(
  "contact_replies",
  {
    id: uuid().primaryKey(),
    messageId: uuid()
      .notNull()
      .references(() => contactMessages.id, { onDelete: "cascade" }),
    staffId: uuid().references(() => staff.userId, { onDelete: "set null" }),
    body: text().notNull(),
    createdAt: writtenAt(),
    /** Time of acceptance by the mail server. */
    sentAt: time(),
    mailId: text(),
  },
  (t) => [index("contact_replies_message").on(t.messageId, t.createdAt)],
);

/** Saved replies. */
export const savedReplies = pgTable("saved_replies", {
  id: uuid().primaryKey().defaultRandom(),
  title: text().notNull().unique(),
  body: text().notNull(),
  updatedAt: writtenAt(),
});
