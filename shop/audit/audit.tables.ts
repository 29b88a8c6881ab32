/** The audit log: written by the transaction that makes the change, and never changed. */
import { sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { writtenAt } from "#db/columns.ts";
import type { Role } from "#shop/roles.ts";

export type AuditValues = Record<string, string | number | boolean | null>;

/** The first part of an action: "order" of "order.refund". */
export const kindOf = (action: AnyPgColumn) => sql`split_part(${action}, '.', 1)`;

export const auditLog = pgTable(
  "audit_log",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: writtenAt(),
    /** Null for the shop itself. No foreign key: the row outlives the account. */
    staffId: uuid(),
    role: text().$type<Role>(),
    /** For example "order.refund". */
    action: text().notNull(),
    /** For example "order:8f3a61c2-…". */
    subject: text(),
    before: jsonb().$type<AuditValues>(),
    after: jsonb().$type<AuditValues>(),
    address: text(),
    requestId: text(),
  },
  (t) => [
    index("audit_log_staff").on(t.staffId, t.id.desc()),
    index("audit_log_subject").on(t.subject, t.id.desc()),
    index("audit_log_kind").on(kindOf(t.action), t.id),
  ],
);
