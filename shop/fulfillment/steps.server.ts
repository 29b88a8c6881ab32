/** A step of an order: its change, its event and its email in one transaction, or none of them. */
import { inArray, sql, type SQL } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../db/connection.server.ts";
import { writeAudit, type Acting, type AuditEntry } from "../staff/audit.server.ts";
import type { EmailJob } from "../mail/email.ts";
import { enqueueEmail } from "../mail/enqueue-email.server.ts";
import { ORDER_STEP_PERMIT } from "../mail/mail-budget.server.ts";
import {
  statusAfter,
  statusesBefore,
  type ActorOf,
  type OrderEvent,
  type OrderNote,
  type OrderTransition,
} from "../orders/lifecycle.ts";
import { insertOrderEvents, insertOrderNotes } from "../orders/order-events.sql.ts";
import { orders, type OrderEventData } from "../orders/order.tables.ts";

type Tx = DatabaseOrTransaction;

const inTurn = (orderId: string, event: OrderEvent): SQL =>
  sql`SELECT id, status FROM orders WHERE id = ${orderId}::uuid AND ${inArray(orders.status, statusesBefore(event))} FOR UPDATE`;

/** Changes the status of an order; `also` are further columns to set. Throws where the table does not let it. */
export async function changeStatus<Event extends OrderTransition>(
  tx: Tx,
  orderId: string,
  event: Event,
  actor: ActorOf<Event>,
  { also, data, staffId = null }: { also: SQL; data?: OrderEventData; staffId?: string | null },
): Promise<void> {
  const { rowCount } = await tx.execute(sql`
    WITH before AS (${inTurn(orderId, event)}), changed AS (
      UPDATE orders SET status = ${statusAfter(event)}, ${also} FROM before WHERE orders.id = before.id
      RETURNING orders.id, before.status AS from_status
    ) ${insertOrderEvents(event, actor, sql`changed`, data, staffId)}`);
  if (rowCount !== 1) throw new Error(`an order was not in a status to be ${event}`);
}

/** Writes an event that leaves the status as it is. Throws where the table does not let it. */
export async function note<Event extends OrderNote>(
  tx: Tx,
  orderId: string,
  event: Event,
  actor: ActorOf<Event>,
  data?: OrderEventData,
  staffId: string | null = null,
): Promise<void> {
  const { rowCount } = await tx.execute(
    insertOrderNotes(event, actor, sql`(${inTurn(orderId, event)})`, data, staffId),
  );
  if (rowCount !== 1) throw new Error(`an order was not in a status for ${event}`);
}

/** Queues an email about what the same transaction did to an order. */
export const mail = (tx: Tx, job: EmailJob): Promise<void> => enqueueEmail(tx, job, ORDER_STEP_PERMIT);

/** Writes down what staff did to an order; `by` is null for the command line. */
export const audit = (
  tx: Tx,
  by: Acting | null,
  act: string,
  orderId: string,
  values: Pick<AuditEntry, "before" | "after"> = {},
): Promise<void> => writeAudit(tx, by, { action: `order.${act}`, subject: `order:${orderId}`, ...values });
