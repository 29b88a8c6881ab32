/** The staff, their invitations and their sessions. */
import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { time } from "#db/columns.ts";
import { oneOf } from "#db/one-of.sql.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { ROLES, type Role } from "#shop/roles.ts";

export const staff = pgTable(
  "staff",
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text().$type<Role>().notNull(),
    /** The second factor at the time of joining (two_factors). Null if an owner approved a new one. */
    factorId: uuid(),
    invitedBy: uuid(),
    createdAt: time().notNull().defaultNow(),
    disabledAt: time(),
    /** Wrong codes since the last right one. */
    wrongCodes: integer().notNull().default(0),
  },
  (t) => [check("staff_role", sql`${t.role} IN ${oneOf(ROLES)}`)],
);

export const staffInvitations = pgTable(
  "staff_invitations",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Null for the first owner, whose link is printed. */
    email: text(),
    role: text().$type<Role>().notNull(),
    tokenHash: text().notNull().unique(),
    invitedBy: uuid(),
    createdAt: time().notNull().defaultNow(),
    expiresAt: time().notNull(),
    acceptedAt: time(),
  },
  (t) => [
    check("staff_invitations_role", sql`${t.role} IN ${oneOf(ROLES)}`),
    uniqueIndex("staff_invitations_open")
      .on(t.email)
      .where(sql`${t.acceptedAt} IS NULL`),
  ],
);

/** `reset`: an owner reset the second factor. `replaced`: the browser has a newer session. */
const END_REASONS = ["self", "owner", "reset", "password", "replaced"] as const;
export type EndReason = (typeof END_REASONS)[number];

export const staffSessions = pgTable(
  "staff_sessions",
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => staff.userId, { onDelete: "cascade" }),
    tokenHash: text().notNull().unique(),
    createdAt: time().notNull().defaultNow(),
    lastSeenAt: time().notNull().defaultNow(),
    /** Time of the last code. */
    provedAt: time().notNull().defaultNow(),
    endedAt: time(),
    endReason: text().$type<EndReason>(),
    ipAddress: text(),
    userAgent: text(),
  },
  (t) => [
    index("staff_sessions_user").on(t.userId),
    check("staff_sessions_end", sql`(${t.endedAt} IS NULL) = (${t.endReason} IS NULL)`),
    check("staff_sessions_end_reason", sql`${t.endReason} IN ${oneOf(END_REASONS)}`),
  ],
);
