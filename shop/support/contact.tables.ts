import { sql } from "drizzle-orm";
import { check, customType, index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "../../db/one-of.sql.ts";
import { orders } from "../orders/order.tables.ts";
import { staff } from "../staff/staff.tables.ts";

const time = () => timestamp({ withTimezone: true });
const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

export const MESSAGE_STATUSES = ["open", "closed"] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** What people wrote through the contact form: each message begins a conversation of its own. */
export const contactMessages = pgTable(
  "contact_messages",
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    email: text().notNull(),
    message: text().notNull(),
    createdAt: time().notNull().defaultNow(),
    status: text().$type<MessageStatus>().notNull().default("open"),
    /** Who of the staff answers it. */
    assignedTo: uuid().references(() => staff.userId, { onDelete: "set null" }),
    /** Who has opened or closed it last, for whoever is about to. */
    statusBy: uuid().references(() => staff.userId, { onDelete: "set null" }),
    /** The order that it is about, of the same email. */
    orderId: uuid().references(() => orders.id, { onDelete: "set null" }),
    /** What the search goes by. */
    words: tsvector().generatedAlwaysAs(sql`to_tsvector('simple', "name" || ' ' || "email" || ' ' || "message")`),
  },
  (t) => [
    check("contact_messages_status", sql`${t.status} IN ${oneOf(MESSAGE_STATUSES)}`),
    index("contact_messages_sender").on(sql`lower(${t.email})`, t.createdAt.desc()),
    index("contact_messages_status_age").on(t.status, t.createdAt, t.id),
    index("contact_messages_assigned").on(t.assignedTo, t.status, t.createdAt, t.id),
    index("contact_messages_age").on(t.createdAt, t.id),
    index("contact_messages_order")
      .on(t.orderId)
      .where(sql`${t.orderId} IS NOT NULL`),
    index("contact_messages_words").using("gin", t.words),
  ],
);

/** What staff answered. Its id is chosen by the form, so that a form sent twice is one reply. */
export const contactReplies = pgTable(
  "contact_replies",
  {
    id: uuid().primaryKey(),
    messageId: uuid()
      .notNull()
      .references(() => contactMessages.id, { onDelete: "cascade" }),
    staffId: uuid().references(() => staff.userId, { onDelete: "set null" }),
    body: text().notNull(),
    createdAt: time().notNull().defaultNow(),
    /** When the mail server took it. */
    sentAt: time(),
    /** The Message-ID that it was sent with. */
    mailId: text(),
  },
  (t) => [index("contact_replies_message").on(t.messageId, t.createdAt)],
);

/** Answers that are written once and sent often. */
export const savedReplies = pgTable("saved_replies", {
  id: uuid().primaryKey().defaultRandom(),
  title: text().notNull().unique(),
  body: text().notNull(),
  updatedAt: time().notNull().defaultNow(),
});
