import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import { users } from "../accounts/account.tables.ts";

const time = () => timestamp({ withTimezone: true });

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
    /** Empty until the visitor has opened the link in the mail. */
    verifiedAt: time(),
    createdAt: time().notNull().defaultNow(),
    /** They do not want to hear from us: nothing is sent to them any more. */
    unsubscribedAt: time(),
    /** So that counting those who may be invited reads no invitations. */
    isInvited: boolean().notNull().default(false),
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
    // Counts of campaigns are read from it alone.
    index("waitlist_states").on(t.utmSource, t.utmCampaign, t.verifiedAt, t.unsubscribedAt, t.isInvited),
  ],
);

/** Who of the waitlist may buy early. Sent in batches, at a pace; nobody is invited twice. */
export const waitlistInvitations = pgTable(
  "waitlist_invitations",
  {
    id: uuid().primaryKey().defaultRandom(),
    waitlistId: uuid()
      .notNull()
      .references(() => waitlist.id, { onDelete: "cascade" }),
    /** Counted from 1. */
    batch: integer().notNull(),
    codeHash: text().notNull(),
    createdAt: time().notNull().defaultNow(),
    /** When its email was queued. */
    sentAt: time(),
    /** The order that was placed with its code. No foreign key: checking one would cost the sale. */
    orderId: uuid(),
  },
  (t) => [
    unique("waitlist_invitations_place").on(t.waitlistId),
    unique("waitlist_invitations_code").on(t.codeHash),
    index("waitlist_invitations_batch").on(t.batch, t.createdAt),
    index("waitlist_invitations_unsent")
      .on(t.createdAt)
      .where(sql`${t.sentAt} IS NULL`),
  ],
);
