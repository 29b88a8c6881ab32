import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { time, writtenAt } from "#db/columns.ts";
import { users } from "#shop/accounts/account.tables.ts";

export const waitlist = pgTable(
  "waitlist",
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .unique()
      .references(() => users.id, { onDelete: "cascade" }),
    email: text().notNull().unique(),
    phone: text(),
    utmSource: text(),
    utmCampaign: text(),
    /** Null until the emailed link is opened. */
    verifiedAt: time(),
    createdAt: writtenAt(),
    /** Unsubscribed places get no more emails. */
    unsubscribedAt: time(),
    /** Batch of its invitation to buy early; null until it is invited, once. */
    batch: integer(),
    codeHash: text().unique(),
    invitedAt: time(),
    /** Time at which the invitation email was queued. */
    sentAt: time(),
    /** Order placed with its code. No foreign key: its check would slow down the sale. */
    orderId: uuid(),
  },
  (t) => [
    index("waitlist_newest").on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("waitlist_campaign").on(
      t.utmSource,
      t.utmCampaign,
      t.createdAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    index("waitlist_unsubscribed")
      .on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.unsubscribedAt} IS NOT NULL`),
    index("waitlist_invited")
      .on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.batch} IS NOT NULL`),
    index("waitlist_unsent")
      .on(t.invitedAt)
      .where(sql`${t.batch} IS NOT NULL AND ${t.sentAt} IS NULL`),
  ],
);
