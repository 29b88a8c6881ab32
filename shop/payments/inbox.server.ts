/** Inbox of provider events: only the event and its payment are stored; the payment itself is read afresh. */
import { sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { paymentMode } from "#shop/payment-mode.ts";
import type { PaymentProvider, ProviderEvent } from "./provider.ts";

const UUID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

/** Joins an event `i` to its row of `payments`, which it may name by its page, its intent or our own id. */
export const isOfEvent = sql`((payments.provider = i.provider AND payments.reference = i.reference)
  OR payments.intent_reference = i.reference
  OR payments.id = CASE WHEN i.reference ~ ${UUID} THEN i.reference::uuid END)`;

/**
 * Returns the number of events that were new. `isMissed`: they were found by asking, because no webhook had brought them
 * yet.
 */
export async function storeEvents(
  db: Database,
  provider: PaymentProvider,
  events: ProviderEvent[],
  isMissed = false,
): Promise<number> {
  if (events.length === 0) return 0;
  const column = (key: keyof ProviderEvent) => sql.param(events.map((event) => event[key]));
  const { rowCount } = await db.execute(sql`
    INSERT INTO payment_inbox (received_at, missed, mode, provider, event_id, type, reference)
    SELECT now(), ${isMissed}::boolean, ${paymentMode()}, ${provider.name}, *
    FROM unnest(${column("eventId")}::text[], ${column("type")}::text[], ${column("reference")}::text[])
    ON CONFLICT (provider, event_id) DO UPDATE SET missed = false WHERE payment_inbox.missed AND NOT excluded.missed`);
  return rowCount ?? 0;
}

const LISTED = 100;

/** Provider events of unknown payments, from ten minutes after they arrived. */
export async function listUnmatchedEvents(db: Database) {
  const { rows } = await db.execute<Record<"eventId" | "type" | "reference" | "receivedAt", string>>(sql`
    SELECT event_id AS "eventId", type, reference, received_at AS "receivedAt" FROM payment_inbox AS i
    WHERE handled_at IS NULL AND received_at < now() - interval '10 minutes'
      AND NOT EXISTS (SELECT FROM payments WHERE ${isOfEvent}) ORDER BY received_at LIMIT ${LISTED}`);
  return rows.map((row) => ({ ...row, receivedAt: new Date(row.receivedAt) }));
}
