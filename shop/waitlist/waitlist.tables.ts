import { pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "../accounts/account.tables.ts";

export const waitlist = pgTable("waitlist", {
  id: uuid().primaryKey().defaultRandom(),
  userId: uuid()
    .notNull()
    .unique()
    .references(() => users.id, { onDelete: "cascade" }),
  email: text().notNull().unique(),
  phone: text(),
  utmSource: text(),
  utmCampaign: text(),
  /** Empty until the visitor has opened the link in the mail. */
  verifiedAt: timestamp({ withTimezone: true }),
  createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
