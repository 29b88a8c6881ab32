/** Staff notes, holds and repeated emails of an order. */
import { and, eq, gt, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { EmailJob } from "#shop/mail/email.ts";
import { isUnsent } from "#shop/orders/order.ts";
import { orderNotes, orders, type NoteKind } from "#shop/orders/order.tables.ts";
import { isWaiting } from "#shop/orders/state.ts";
import { writeSummary } from "#shop/orders/write-change.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { audit, mail, onLocked, wrongStatus, type Result } from "./locked-order.server.ts";

/** `by` is null for the buyer. */
export const writeNote = (
  tx: DatabaseOrTransaction,
  orderId: string,
  kind: NoteKind,
  text: string,
  by: Acting | null,
) => tx.insert(orderNotes).values({ orderId, kind, text, staffId: by?.staffId });

/** Adds a note to an order's timeline, for staff only. */
export const addNote = (db: Database, orderId: string, text: string, by: Acting): Promise<Result> =>
  onLocked(db, orderId, async (_state, tx): Promise<Result> => {
    await writeNote(tx, orderId, "note", text, by);
    await audit(tx, by, "note", orderId);
    return { ok: true, repeated: false };
  });

/** Puts an order or its rest on hold or releases it, with a note that says why. A held order does not ship. */
export const holdOrder = (
  db: Database,
  orderId: string,
  { isOnHold, text }: { isOnHold: boolean; text: string },
  by: Acting,
): Promise<Result<"under-way">> =>
  onLocked(db, orderId, async (state, tx): Promise<Result<"under-way">> => {
    if ((state.facts.order.onHoldSince !== null) === isOnHold) return { ok: true, repeated: true };
    if (isOnHold && (!isUnsent(state) || !state.units.some(isWaiting))) return wrongStatus(state);
    if (state.packing) return { ok: false, reason: "under-way" };
    await tx
      .update(orders)
      .set({ onHoldSince: isOnHold ? sql`now()` : null })
      .where(eq(orders.id, orderId));
    await writeSummary(tx, orderId);
    await writeNote(tx, orderId, isOnHold ? "hold" : "unhold", text, by);
    await audit(tx, by, isOnHold ? "hold" : "unhold", orderId);
    return { ok: true, repeated: false };
  });

/** Sends an order email again; `name` is its name in the timeline. Repeats within a minute send nothing. */
export const resendEmail = (
  db: Database,
  orderId: string,
  { job, name }: { job: EmailJob; name: string },
  by: Acting,
): Promise<Result> =>
  onLocked(db, orderId, async (_state, tx): Promise<Result> => {
    const same = and(
      eq(orderNotes.orderId, orderId),
      eq(orderNotes.kind, "email"),
      eq(orderNotes.text, name),
      gt(orderNotes.at, sql`now() - interval '1 minute'`),
    );
    if ((await tx.$count(orderNotes, same)) > 0) return { ok: true, repeated: true };
    await mail(tx, { ...job, isResent: true });
    await writeNote(tx, orderId, "email", name, by);
    await audit(tx, by, "email", orderId, { after: { email: job.template } });
    return { ok: true, repeated: false };
  });
