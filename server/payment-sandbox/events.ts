/** What happened, as Stripe tells it: kept for the list of events, and queued for the webhook. */
import type Stripe from "stripe";
import type { Pool, PoolClient } from "pg";
import type { NewEvent } from "./payment.ts";
import { newId } from "./secrets.ts";

/** The version of Stripe's API that the sandbox speaks: that of the SDK. */
export const API_VERSION: NonNullable<Stripe.StripeConfig["apiVersion"]> = "2026-10-28.endive";

/** The call of the API behind an event, if it was one. */
export type Cause = { requestId: string | null; idempotencyKey: string | null };

/** An event as it is kept. How many webhooks it still waits for is counted when it is shown. */
type KeptEvent = Omit<Stripe.EventBase, "pending_webhooks" | "type"> & { type: NewEvent["type"] };

export type ShownEvent = KeptEvent & { pending_webhooks: number };

export async function saveEvents(sql: PoolClient, events: NewEvent[], now: number, cause: Cause): Promise<void> {
  for (const { type, object, ...rest } of events) {
    const previous = "previous" in rest ? rest.previous : undefined;
    const event: KeptEvent = {
      id: newId.event(),
      object: "event",
      api_version: API_VERSION,
      created: now,
      data: { object, ...(previous && { previous_attributes: previous }) },
      livemode: false,
      request: { id: cause.requestId, idempotency_key: cause.idempotencyKey },
      type,
    };
    await sql.query(
      "INSERT INTO payment_sandbox.events (id, type, created, body) VALUES ($1, $2, to_timestamp($3), $4)",
      [event.id, type, event.created, event],
    );
    await sql.query(
      "INSERT INTO payment_sandbox.deliveries (event_id) SELECT $1 FROM payment_sandbox.settings WHERE sends_webhooks",
      [event.id],
    );
  }
}

type Row = { body: KeptEvent; pending: number };

export const shown = ({ body, pending }: Row): ShownEvent => ({ ...body, pending_webhooks: pending });

export async function readEvent(pool: Pool, id: string): Promise<ShownEvent | null> {
  const { rows } = await pool.query<Row>(
    `SELECT body, (SELECT count(*)::int FROM payment_sandbox.deliveries WHERE event_id = id) AS pending
       FROM payment_sandbox.events WHERE id = $1`,
    [id],
  );
  return rows[0] ? shown(rows[0]) : null;
}
