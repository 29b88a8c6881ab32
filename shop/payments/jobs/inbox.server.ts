/** What the provider tells of: which event, and whom it is about. What happened is asked for afresh. */
import { sql } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";
import type { PaymentProvider, ProviderEvent } from "../provider.ts";

/** Keeps events that are new, in one statement; the jobs take them up. Returns how many were. */
export async function keepEvents(db: Database, provider: PaymentProvider, events: ProviderEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const column = (key: keyof ProviderEvent) => sql.param(events.map((event) => event[key]));
  const { rowCount } = await db.execute(sql`
    INSERT INTO payment_inbox (provider, event_id, type, reference)
    SELECT ${provider.name}, * FROM unnest(${column("eventId")}::text[], ${column("type")}::text[], ${column("reference")}::text[])
    ON CONFLICT DO NOTHING`);
  return rowCount ?? 0;
}

/** An event is done with once its payment was read after it came in. */
export async function markHandled(db: Database, provider: string, eventId: string): Promise<void> {
  await db.execute(sql`
    UPDATE payment_inbox SET handled_at = now() WHERE provider = ${provider} AND event_id = ${eventId}`);
}

const KEEP_DAYS = 30;

/** Deletes what came in too long ago for the provider to tell it again. */
export async function forgetEvents(db: Database): Promise<void> {
  await db.execute(sql`DELETE FROM payment_inbox WHERE received_at < now() - ${KEEP_DAYS} * interval '1 day'`);
}

/** From when on the provider is asked for what the shop has missed: a while before the last event that it has. */
export async function missedSince(db: Database): Promise<Date> {
  const { rows } = await db.execute<{ since: string }>(sql`
    SELECT coalesce(max(received_at) - interval '2 hours', now() - interval '3 days') AS since FROM payment_inbox`);
  return new Date(rows[0]?.since ?? Date.now());
}
