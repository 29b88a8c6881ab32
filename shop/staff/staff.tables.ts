/** Who runs the shop, where they are signed in to do so, and what each of them did. */
import { sql } from "drizzle-orm";
import { bigint, check, index, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "../../db/one-of.sql.ts";
import { users } from "../accounts/account.tables.ts";
import { ROLES, type Role } from "./roles.ts";

const time = () => timestamp({ withTimezone: true });

export const staff = pgTable(
  "staff",
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text().$type<Role>().notNull(),
    /**
     * The second factor that was set up when they joined, a row of two_factors. Another one in its place does not open
     * the back office before an owner has said so. Null: an owner let them set up a new one.
     */
    factorId: uuid(),
    invitedBy: uuid(),
    createdAt: time().notNull().defaultNow(),
    disabledAt: time(),
  },
  (t) => [check("staff_role", sql`${t.role} IN ${oneOf(ROLES)}`)],
);

export const staffInvitations = pgTable(
  "staff_invitations",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Null for the first owner's, which is printed and not mailed. */
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
    /** When they last showed a code of their second factor. */
    provedAt: time().notNull().defaultNow(),
    endedAt: time(),
    ipAddress: text(),
    userAgent: text(),
  },
  (t) => [index("staff_sessions_user").on(t.userId)],
);

export type AuditValues = Record<string, string | number | boolean | null>;

/** Written by the transaction that makes the change, and never changed. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: time().notNull().defaultNow(),
    /** Null: the shop by itself. No foreign key: what somebody did outlives their account. */
    staffId: uuid(),
    role: text().$type<Role>(),
    /** "order.refund" */
    action: text().notNull(),
    /** What it was done to: "order:8f3a61c2-…". */
    subject: text(),
    before: jsonb().$type<AuditValues>(),
    after: jsonb().$type<AuditValues>(),
    address: text(),
    requestId: text(),
  },
  (t) => [index("audit_log_staff").on(t.staffId, t.id.desc()), index("audit_log_subject").on(t.subject, t.id.desc())],
);
