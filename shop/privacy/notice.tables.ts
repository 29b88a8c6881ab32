import { sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { time, writtenAt } from "#db/columns.ts";

/** Notices to many people: of a breach of personal data, of changed policies. The operator chooses the id. */
export const notices = pgTable("notices", {
  id: text().primaryKey(),
  subject: text().notNull(),
  body: text().notNull(),
  createdAt: writtenAt(),
});

/** Each address gets a notice once. */
export const noticeRecipients = pgTable(
  "notice_recipients",
  {
    id: uuid().primaryKey().defaultRandom(),
    noticeId: text()
      .notNull()
      .references(() => notices.id, { onDelete: "cascade" }),
    email: text().notNull(),
    createdAt: writtenAt(),
    /** Time at which the email was queued. */
    queuedAt: time(),
  },
  (t) => [
    uniqueIndex("notice_recipients_once").on(t.noticeId, sql`lower(${t.email})`),
    index("notice_recipients_email").on(sql`lower(${t.email})`),
    index("notice_recipients_waiting")
      .on(t.createdAt)
      .where(sql`${t.queuedAt} IS NULL`),
  ],
);
