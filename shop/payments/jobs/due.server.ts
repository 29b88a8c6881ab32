/** The work that payments wait for, found in their own rows: nothing is lost with a process, and nothing needs to be queued. */
import { sql } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";

export type Due =
  | { kind: "event"; id: string; paymentId: string; provider: string }
  | { kind: "action"; id: string }
  | { kind: "hold"; id: string }
  | { kind: "payment"; id: string };

const AT_ONCE = 200;
const UUID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";
/** How long a payment may stay unread: nobody may have told of what happened. */
const OPEN_MINUTES = 10;
const AUTHORIZED_HOURS = 6;

/** What is due now, each kind by an index of what is not done. An event whose payment is not known yet waits for it for a day. */
export async function findDue(db: Database): Promise<Due[]> {
  const { rows } = await db.execute<Due>(sql`
    (SELECT 'event' AS kind, event_id AS id, payments.id::text AS "paymentId", payment_inbox.provider
      FROM payment_inbox JOIN payments
        ON payments.provider = payment_inbox.provider AND payments.reference = payment_inbox.reference
      WHERE handled_at IS NULL AND received_at > now() - interval '1 day' ORDER BY received_at LIMIT ${AT_ONCE})
    UNION ALL
    (SELECT 'event', event_id, payments.id::text, payment_inbox.provider
      FROM payment_inbox JOIN payments ON payments.intent_reference = payment_inbox.reference
      WHERE handled_at IS NULL AND received_at > now() - interval '1 day' ORDER BY received_at LIMIT ${AT_ONCE})
    UNION ALL
    (SELECT 'event', event_id, payments.id::text, payment_inbox.provider
      FROM payment_inbox JOIN payments
        ON payments.id = CASE WHEN payment_inbox.reference ~ ${UUID} THEN payment_inbox.reference::uuid END
      WHERE handled_at IS NULL AND received_at > now() - interval '1 day' ORDER BY received_at LIMIT ${AT_ONCE})
    UNION ALL
    (SELECT 'action', id::text, NULL, NULL FROM payment_actions
      WHERE state IN ('asked', 'sent') AND provider_reference IS NULL ORDER BY created_at LIMIT ${AT_ONCE})
    UNION ALL
    (SELECT 'hold', id::text, NULL, NULL FROM orders
      WHERE status = 'unpaid' AND hold_until <= now() ORDER BY hold_until LIMIT ${AT_ONCE})`);
  return rows;
}

/**
 * Payments that nobody told anything of for a while, the one first that was looked at longest ago, and refunds that a bank
 * is at work on, which may take days.
 */
export async function findUnread(db: Database): Promise<Due[]> {
  const { rows } = await db.execute<Due>(sql`
    (SELECT 'payment' AS kind, id::text FROM payments
    WHERE state IN ('open', 'authorized')
      AND coalesce(read_at, created_at) < now() - CASE state WHEN 'open' THEN ${OPEN_MINUTES}::int * interval '1 minute'
        ELSE ${AUTHORIZED_HOURS}::int * interval '1 hour' END
    ORDER BY coalesce(read_at, created_at) LIMIT ${AT_ONCE})
    UNION ALL
    (SELECT 'action', id::text FROM payment_actions
      WHERE state IN ('asked', 'sent') AND provider_reference IS NOT NULL ORDER BY created_at LIMIT ${AT_ONCE})`);
  return rows;
}
