/** Sends each event to the shop until it says 2xx: from the database, so that a crash loses none. They come in no order. */
import type { Pool } from "pg";
import type { Report } from "../../shop/report.ts";
import { shown } from "./events.ts";
import { takeWebhookFault, type WebhookFault } from "./faults.ts";
import { signatureHeader } from "./secrets.ts";

export type Webhook = { url: string; secret: string };

const AT_ONCE = 10;
const PATIENCE_MS = 10_000;
/** Longer than anybody waits for an answer: another process takes up what one has left. */
const LEASE = "15 seconds";
const MAX_WAIT_SECONDS = 60;
const FIRST_WAIT_SECONDS = 0.25;

type Claimed = Parameters<typeof shown>[0] & { id: string; number: string; attempts: number };

async function claim(pool: Pool): Promise<Claimed[]> {
  const { rows } = await pool.query<Claimed>(
    `UPDATE payment_sandbox.deliveries d SET attempts = attempts + 1, next_at = now() + $2::interval
       FROM payment_sandbox.events e
      WHERE e.id = d.event_id AND d.event_id IN (
        SELECT event_id FROM payment_sandbox.deliveries
         WHERE next_at <= now() AND NOT (SELECT webhooks_held FROM payment_sandbox.settings)
         ORDER BY next_at LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING e.id, e.number, e.body, d.attempts, 1 AS pending`,
    [AT_ONCE, LEASE],
  );
  return rows;
}

const markTaken = (pool: Pool, id: string) =>
  pool.query("DELETE FROM payment_sandbox.deliveries WHERE event_id = $1", [id]);

const tryAgainIn = (pool: Pool, id: string, seconds: number) =>
  pool.query("UPDATE payment_sandbox.deliveries SET next_at = now() + make_interval(secs => $2) WHERE event_id = $1", [
    id,
    seconds,
  ]);

/** Returns whether the shop has taken it. Stamps are real times, as the shop's own clock knows them. */
async function send(
  webhook: Webhook,
  event: object,
  fault: WebhookFault | null,
  stopped: AbortSignal,
): Promise<boolean> {
  const body = JSON.stringify(event, null, 2);
  const age = fault?.fault === "old" ? fault.seconds : 0;
  const secret = fault?.fault === "badly-signed" ? `${webhook.secret}, but another` : webhook.secret;
  const response = await fetch(webhook.url, {
    method: "POST",
    body,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      "Stripe-Signature": signatureHeader(secret, body, Math.floor(Date.now() / 1_000) - age),
    },
    redirect: "manual",
    signal: AbortSignal.any([stopped, AbortSignal.timeout(PATIENCE_MS)]),
  });
  await response.body?.cancel();
  return response.ok;
}

async function deliver(
  pool: Pool,
  webhook: Webhook,
  { id, body, attempts, pending }: Claimed,
  stopped: AbortSignal,
): Promise<void> {
  const fault = await takeWebhookFault(pool, body.type);
  const event = shown({ body, pending });
  const sendIt = () => send(webhook, event, fault, stopped).catch(() => false);
  if (fault?.fault === "delayed") {
    await tryAgainIn(pool, id, fault.seconds);
    return;
  }
  const sent = await Promise.all(
    fault?.fault === "dropped" ? [] : fault?.fault === "twice" ? [sendIt(), sendIt()] : [sendIt()],
  );
  const wait = Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(attempts - 1, 20), MAX_WAIT_SECONDS);
  await (sent.every(Boolean) ? markTaken(pool, id) : tryAgainIn(pool, id, wait));
}

/** Sends all that is due. */
export async function deliverDue(pool: Pool, webhook: Webhook, stopped: AbortSignal, report: Report): Promise<void> {
  while (!stopped.aborted) {
    const claimed = await claim(pool);
    if (claimed.length === 0) return;
    const outcomes = await Promise.allSettled(claimed.map((one) => deliver(pool, webhook, one, stopped)));
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") report(outcome.reason, "the payment sandbox could not send a webhook");
    }
  }
}

/** Lets go what was held back or delayed: all of it at once, or the newest first and one after the other. */
export async function releaseWebhooks(
  pool: Pool,
  webhook: Webhook | null,
  isReversed: boolean,
  stopped: AbortSignal,
): Promise<void> {
  if (isReversed && webhook) {
    const { rows } = await pool.query<Claimed>(
      `UPDATE payment_sandbox.deliveries d SET attempts = attempts + 1, next_at = now() + $1::interval
         FROM payment_sandbox.events e WHERE e.id = d.event_id
        RETURNING e.id, e.number, e.body, d.attempts, 1 AS pending`,
      [LEASE],
    );
    const newestFirst = rows.toSorted((one, other) => Number(other.number) - Number(one.number));
    for (const held of newestFirst) await deliver(pool, webhook, held, stopped);
  }
  await pool.query("UPDATE payment_sandbox.deliveries SET next_at = now() WHERE NOT $1", [isReversed]);
  await pool.query("UPDATE payment_sandbox.settings SET webhooks_held = false");
}
