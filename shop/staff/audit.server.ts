/** What a member of the staff did stands in the audit log as soon as it is done: both are one transaction. */
import { and, desc, eq, like, lt, sql, type SQL } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../db/connection.server.ts";
import { users } from "../accounts/account.tables.ts";
import type { Role } from "./roles.ts";
import { auditLog, type AuditValues } from "./staff.tables.ts";

/** Who acts, and from where. */
export type Acting = { staffId: string; role: Role; address: string; requestId: string | null };

export type AuditEntry = {
  /** The object, a dot, the act: "order.refund". */
  action: string;
  /** The object's kind and id: "order:8f3a61c2-…". */
  subject?: string;
  /** What the act changed, without personal data: `masked` stands for it. */
  before?: AuditValues;
  after?: AuditValues;
};

/** An INSERT of one row; null for what the shop did by itself. */
export const auditInsert = (by: Acting | null, { action, subject, before, after }: AuditEntry): SQL => sql`
  INSERT INTO audit_log (staff_id, role, action, subject, before, after, address, request_id)
  VALUES (${by?.staffId ?? null}::uuid, ${by?.role ?? null}, ${action}, ${subject ?? null},
    ${before ? JSON.stringify(before) : null}::jsonb, ${after ? JSON.stringify(after) : null}::jsonb,
    ${by?.address ?? null}, ${by?.requestId ?? null})`;

/** Writes a row in the transaction that makes the change. */
export async function writeAudit(tx: DatabaseOrTransaction, by: Acting | null, entry: AuditEntry): Promise<void> {
  await tx.execute(auditInsert(by, entry));
}

export type AuditFilter = {
  staffId?: string | undefined;
  /** The object of an act: "order", "product". */
  kind?: string | undefined;
  subject?: string | undefined;
  /** Rows before this id. */
  before?: number | undefined;
};

export const AUDIT_PAGE = 50;

export type AuditRow = typeof auditLog.$inferSelect & { name: string | null };

/** The newest first, a page at a time; one more than a page where there are more. */
export async function listAudit(db: Database, { staffId, kind, subject, before }: AuditFilter): Promise<AuditRow[]> {
  const rows = await db
    .select({ entry: auditLog, name: users.name })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.staffId))
    .where(
      and(
        staffId ? eq(auditLog.staffId, staffId) : undefined,
        kind ? like(auditLog.action, `${kind}.%`) : undefined,
        subject ? eq(auditLog.subject, subject) : undefined,
        before ? lt(auditLog.id, before) : undefined,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(AUDIT_PAGE + 1);
  return rows.map(({ entry, name }) => ({ ...entry, name }));
}
