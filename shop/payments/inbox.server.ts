/** Inbox of provider events: only the event and its payment are stored; the payment itself is read afresh. */
import { sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { PaymentProvider, ProviderEvent } from "./provider.ts";

/** Returns the number of events that were new. */
export async function storeEvents(db: Database, provider: PaymentProvider, events: ProviderEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const column = (key: keyof ProviderEvent) => sql.param(events.map((event) => event[key]));
  const { rowCount } = await db.execute(sql`
    INSERT INTO payment_inbox (received_at, provider, event_id, type, reference)
    SELECT now(), ${provider.name}, * FROM unnest(${column("eventId")}::text[], ${column("type")}::text[], ${column("reference")}::text[])
    ON CONFLICT DO NOTHING`);
  return rowCount ?? 0;
}
