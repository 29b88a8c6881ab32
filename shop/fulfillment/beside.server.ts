/** What staff do beside an order's events: notes for each other, a hold, a corrected address, an email once more. */
import { and, eq, gt, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../db/connection.server.ts";
import type { EmailJob } from "../mail/email.ts";
import { isAllowed, type OrderStatus } from "../orders/lifecycle.ts";
import { maskAddress } from "../orders/mask.ts";
import { orderNotes, orders, type NoteKind } from "../orders/order.tables.ts";
import type { Acting } from "../staff/audit.server.ts";
import { waitingShipment, withOrder } from "./locked-order.server.ts";
import { audit, mail } from "./steps.server.ts";

type Done = { ok: true; repeated: boolean };
type Refused<Reason extends string = never> =
  | { ok: false; reason: "not-found" | Reason }
  | { ok: false; reason: "status"; status: OrderStatus };

const writeNote = (tx: DatabaseOrTransaction, orderId: string, kind: NoteKind, text: string, by: Acting) =>
  tx.insert(orderNotes).values({ orderId, kind, text, staffId: by.staffId });

/** Writes a note into an order's timeline, for staff only. */
export const addNote = (db: Database, orderId: string, text: string, by: Acting): Promise<Done | Refused> =>
  withOrder(db, orderId, async (_order, tx): Promise<Done> => {
    await writeNote(tx, orderId, "note", text, by);
    await audit(tx, by, "note", orderId);
    return { ok: true, repeated: false };
  });

/** Keeps an order from shipping, with a note that says why, or lets it ship again. */
export const holdOrder = (
  db: Database,
  orderId: string,
  { isOnHold, text }: { isOnHold: boolean; text: string },
  by: Acting,
): Promise<Done | Refused<"under-way">> =>
  withOrder(db, orderId, async (order, tx): Promise<Done | Refused<"under-way">> => {
    if ((order.onHoldSince !== null) === isOnHold) return { ok: true, repeated: true };
    if (isOnHold && !isAllowed("shipped", order.status)) return { ok: false, reason: "status", status: order.status };
    if (waitingShipment(order)) return { ok: false, reason: "under-way" };
    await tx
      .update(orders)
      .set({ onHoldSince: isOnHold ? sql`now()` : null })
      .where(eq(orders.id, orderId));
    await writeNote(tx, orderId, isOnHold ? "hold" : "unhold", text, by);
    await audit(tx, by, isOnHold ? "hold" : "unhold", orderId);
    return { ok: true, repeated: false };
  });

export type Address = Pick<
  typeof orders.$inferSelect,
  | "shippingFirstName"
  | "shippingLastName"
  | "shippingAddressLine1"
  | "shippingAddressLine2"
  | "shippingCity"
  | "shippingState"
  | "shippingPostalCode"
>;

/** Everything of an address in one line, by which two are told apart. */
export const addressLine = (address: Address): string =>
  [
    `${address.shippingFirstName} ${address.shippingLastName}`,
    address.shippingAddressLine1,
    address.shippingAddressLine2 ?? "",
    address.shippingCity,
    address.shippingState,
    address.shippingPostalCode,
  ].join("\n");

/**
 * Corrects where an order goes before any of it ships. `seen` is the addressLine that whoever corrects it has read:
 * 'meanwhile' where it is another one by now. 'status' where it has shipped or ended, 'under-way' while a parcel waits for
 * its money.
 */
export const correctAddress = (
  db: Database,
  orderId: string,
  { address, seen }: { address: Address; seen: string },
  by: Acting,
): Promise<Done | Refused<"under-way" | "meanwhile">> =>
  withOrder(db, orderId, async (order, tx): Promise<Done | Refused<"under-way" | "meanwhile">> => {
    const [was] = await tx.select().from(orders).where(eq(orders.id, orderId));
    if (!was || addressLine(was) === addressLine(address)) return { ok: true, repeated: true };
    if (!isAllowed("canceled", order.status)) return { ok: false, reason: "status", status: order.status };
    if (waitingShipment(order)) return { ok: false, reason: "under-way" };
    if (addressLine(was).replaceAll(/\s+/g, " ") !== seen.replaceAll(/\s+/g, " ")) {
      return { ok: false, reason: "meanwhile" };
    }
    await tx.update(orders).set(address).where(eq(orders.id, orderId));
    await writeNote(tx, orderId, "address", "", by);
    const masked = (one: Address) => ({ address: maskAddress(one).join(", ") });
    await audit(tx, by, "address", orderId, { before: masked(was), after: masked(address) });
    return { ok: true, repeated: false };
  });

/** Sends an email about an order once more; `name` is what it is called in the timeline. Again within a minute it is not. */
export const resendEmail = (
  db: Database,
  orderId: string,
  { job, name }: { job: EmailJob; name: string },
  by: Acting,
): Promise<Done | Refused> =>
  withOrder(db, orderId, async (_order, tx): Promise<Done> => {
    const same = and(
      eq(orderNotes.orderId, orderId),
      eq(orderNotes.kind, "email"),
      eq(orderNotes.text, name),
      gt(orderNotes.at, sql`now() - interval '1 minute'`),
    );
    if ((await tx.$count(orderNotes, same)) > 0) return { ok: true, repeated: true };
    await mail(tx, job);
    await writeNote(tx, orderId, "email", name, by);
    await audit(tx, by, "email", orderId, { after: { email: job.template } });
    return { ok: true, repeated: false };
  });
