/** The audit log: each change by staff and its row are one transaction. */
import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import type { Role } from "#shop/roles.ts";
import type { AuditAction } from "./actions.ts";
import { auditLog, type AuditValues, kindOf } from "./audit.tables.ts";

/** The member of the staff who makes a change, and their network address. */
export type Acting = { staffId: string; role: Role; address: string; requestId: string | null };

export type AuditEntry = {
  action: AuditAction;
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
  /** The first eight characters of an order's id. */
  orderNumber?: string | undefined;
  /** Rows before this id. */
  before?: number | undefined;
};

export const AUDIT_PAGE = 50;

const idAfter = (kind: string) => sql`substr(${auditLog.subject}, ${kind.length + 1}::int)::uuid`;
const isKind = (kind: string) => sql`${auditLog.subject} LIKE ${`${kind}%`}`;

/**
 * The name of the subject today: of a product or a person, the title of a text that has one, or the number of a return.
 * Null if it is deleted.
 */
const subjectName = sql<string | null>`CASE
  WHEN ${isKind("product:")} THEN (SELECT name FROM products WHERE id = ${idAfter("product:")})
  WHEN ${isKind("return:")} THEN (SELECT number FROM returns WHERE id = ${idAfter("return:")})
  WHEN ${isKind("customer:")} THEN (SELECT name FROM users WHERE id = ${idAfter("customer:")})
  WHEN ${isKind("staff:")} THEN (SELECT name FROM users WHERE id = ${idAfter("staff:")})
  WHEN ${isKind("letter:")} THEN (SELECT subject FROM letters WHERE id = ${idAfter("letter:")})
  WHEN ${isKind("text:")} THEN (SELECT fields->>'title' FROM texts WHERE 'text:' || key = ${auditLog.subject}
    ORDER BY version DESC LIMIT 1) END`;

/** Outcome of a shipment whose payment had to be charged first; null if it left. */
const shipOutcome = sql<"refused" | "waiting" | null>`CASE WHEN ${auditLog.action} = 'order.ship' THEN (
  SELECT CASE WHEN shipments.state = 'packing' THEN 'waiting' WHEN payment_actions.state = 'failed' THEN 'refused' END
  FROM shipments JOIN payment_actions ON payment_actions.charge_id = shipments.charge_id
  WHERE shipments.id = (${auditLog.after}->>'shipmentId')::uuid) END`;

const ofOrder = (number: string) => sql`${auditLog.subject} = (SELECT 'order:' || id FROM orders
  WHERE id BETWEEN ${number.padEnd(32, "0")}::uuid AND ${number.padEnd(32, "f")}::uuid LIMIT 1)`;

/** A page of rows, newest first, and one row more if another page follows. */
export async function listAudit(db: DatabaseOrTransaction, filter: AuditFilter) {
  const { staffId, kind, subject, orderNumber, before } = filter;
  const rows = await db
    .select({ entry: auditLog, name: users.name, subjectName, shipOutcome })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.staffId))
    .where(
      and(
        staffId ? eq(auditLog.staffId, staffId) : undefined,
        kind ? eq(kindOf(auditLog.action), kind) : undefined,
        subject ? eq(auditLog.subject, subject) : undefined,
        orderNumber ? ofOrder(orderNumber) : undefined,
        before ? lt(auditLog.id, before) : undefined,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(AUDIT_PAGE + 1);
  return rows.map(({ entry, ...names }) => ({ ...entry, ...names }));
}
