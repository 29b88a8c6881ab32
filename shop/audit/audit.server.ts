/** The audit log: each change by staff and its row are one transaction. */
import { and, desc, eq, like, lt } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import type { Role } from "#shop/roles.ts";
import { auditLog, type AuditValues } from "./audit.tables.ts";

/** The member of the staff who makes a change, and their network address. */
export type Acting = { staffId: string; role: Role; address: string; requestId: string | null };

export type AuditEntry = {
  /** Object and action: "order.refund". */
  action: string;
  subject?: string;
  /** Changed values without personal data, for which `masked` stands. */
  before?: AuditValues;
  after?: AuditValues;
};

/** Writes a row in the transaction that makes the change. `by` is null for the shop itself. */
export async function writeAudit(tx: DatabaseOrTransaction, by: Acting | null, entry: AuditEntry): Promise<void> {
  await tx.insert(auditLog).values({ ...by, ...entry });
}

type AuditFilter = {
  staffId?: string | undefined;
  /** The object of an action: "order", "product". */
  kind?: string | undefined;
  subject?: string | undefined;
  /** Rows before this id. */
  before?: number | undefined;
};

export const AUDIT_PAGE = 50;

/** A page of rows, newest first, and one row more if another page follows. */
export async function listAudit(db: DatabaseOrTransaction, { staffId, kind, subject, before }: AuditFilter) {
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
