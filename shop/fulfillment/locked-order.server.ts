/** Locked orders, and the audit rows and emails of their changes, in one transaction. */
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import type { AuditAction } from "#shop/audit/actions.ts";
import { writeAudit, type Acting, type AuditEntry } from "#shop/audit/audit.server.ts";
import type { EmailJob } from "#shop/mail/email.ts";
import { enqueueEmail, ORDER_STEP_PERMIT } from "#shop/mail/enqueue-email.server.ts";
import { lockFacts } from "#shop/orders/facts.server.ts";
import { statusOf } from "#shop/orders/lifecycle.ts";
import type { By, Decided } from "#shop/orders/run.server.ts";
import { orderState, type OrderState } from "#shop/orders/state.ts";
import { limitOf, type Member } from "./limit.ts";

export type Done = { ok: true; repeated: boolean };
type NotFound = { ok: false; reason: "not-found" };
export type NotNow = NotFound | ReturnType<typeof wrongStatus>;
export type Refused<Reason extends string = never> = NotNow | { ok: false; reason: Reason };
export type Result<Reason extends string = never> = Done | Refused<Reason>;

export const DONE: Done = { ok: true, repeated: false };
export const REPEATED: Done = { ok: true, repeated: true };
export const refused = <Reason extends string>(reason: Reason) => ({ ok: false, reason }) as const;
export const wrongStatus = ({ stage }: OrderState) =>
  ({ ok: false, reason: "status", status: statusOf(stage) }) as const;

/** Runs `change` on a locked order in one transaction, the caller's if `db` is one. */
export const onLocked = <Found>(
  db: DatabaseOrTransaction,
  orderId: string,
  change: (state: OrderState, tx: DatabaseOrTransaction) => Promise<Found>,
): Promise<Found | NotFound> =>
  db.transaction(async (tx): Promise<Found | NotFound> => {
    const facts = await lockFacts(tx, orderId);
    return facts ? change(orderState(facts), tx) : { ok: false, reason: "not-found" };
  });

/** A member of the staff, within the limit of their role; null is the shop itself. */
export const staff = (by: Member | null): By => ({
  by: "staff",
  staffId: by?.staffId ?? null,
  ...(by && { limit: limitOf(by) }),
});

/** A decision, as forms read it. */
export function resultOf<Reason extends string>(decided: Decided): Result<Reason> {
  if (decided.ok) return { ok: true, repeated: decided.repeated };
  const { reason, status } = decided;
  return { ok: false, reason, ...(reason === "status" && { status }) } as Refused<Reason>;
}

/** Queues an email in the transaction of the change. */
export const mail = (tx: DatabaseOrTransaction, job: EmailJob): Promise<void> =>
  enqueueEmail(tx, job, ORDER_STEP_PERMIT);

type OrderAction<Action> = Action extends `order.${infer Name}` ? Name : never;

export const audit = (
  tx: DatabaseOrTransaction,
  by: Acting | null,
  action: OrderAction<AuditAction>,
  orderId: string,
  values: Pick<AuditEntry, "before" | "after"> = {},
): Promise<void> => writeAudit(tx, by, { action: `order.${action}`, subject: `order:${orderId}`, ...values });
