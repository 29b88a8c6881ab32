/** Webhooks: each event is sent until the shop answers 2xx, so that a crash loses none. Order is not guaranteed. */
import type { Pool } from "pg";
import { takeFault } from "./control.ts";
import { payPalSignature } from "../paypal/signature.ts";
import { signatureHeader } from "./secrets.ts";

export type Webhook = {
  /** Stripe's; PayPal's is beside it. */
  url: string;
  secret: string;
  /** The shop's time, which its tests do not move with the sandbox's. */
  now: () => Date;
};

const AT_ONCE = 10;
const TIMEOUT_MS = 10_000;
/** Longer than the timeout, after which another process takes over a delivery. */
const LEASE = "15 seconds";
const MAX_WAIT_SECONDS = 60;
const FIRST_WAIT_SECONDS = 0.25;

type Claimed = { id: string; type: string; body: object; attempts: number };

async function claim(pool: Pool): Promise<Claimed[]> {
  const { rows } = await pool.query<Claimed>(
    `UPDATE payment_sandbox.deliveries d SET attempts = attempts + 1, next_at = now() + $2::interval
       FROM payment_sandbox.events e
      WHERE e.id = d.event_id AND d.event_id IN (
        SELECT event_id FROM payment_sandbox.deliveries
         WHERE next_at <= now() AND NOT (SELECT webhooks_held FROM payment_sandbox.settings)
         ORDER BY next_at LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING e.id, e.type, e.body, d.attempts`,
    [AT_ONCE, LEASE],
  );
  return rows;
}

/** True if the shop accepted it. */
async function send({ url, secret, now }: Webhook, event: Claimed, stopped: AbortSignal): Promise<boolean> {
  const isPayPal = !event.id.startsWith("evt");
  const body = JSON.stringify(event.body);
  const response = await fetch(isPayPal ? new URL("../paypal/events", url) : url, {
    method: "POST",
    body,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      ...(isPayPal
        ? payPalSignature(secret, body, now())
        : { "Stripe-Signature": signatureHeader(secret, body, Math.floor(now().getTime() / 1_000)) }),
    },
    redirect: "manual",
    signal: AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  await response.body?.cancel();
  return response.ok;
}

async function deliver(pool: Pool, webhook: Webhook, event: Claimed, stopped: AbortSignal) {
  const { id, type, attempts } = event;
  const fault = (await takeFault(pool, "webhook", { type }))?.fault;
  const times = fault === "dropped" ? 0 : fault === "twice" ? 2 : 1;
  const sender = fault === "badly-signed" ? { ...webhook, secret: "another secret" } : webhook;
  const sent = await Promise.all(Array.from({ length: times }, () => send(sender, event, stopped).catch(() => false)));
  if (sent.every(Boolean)) {
    await pool.query("DELETE FROM payment_sandbox.deliveries WHERE event_id = $1", [id]);
    return;
  }
  const wait = Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(attempts - 1, 20), MAX_WAIT_SECONDS);
  await pool.query(
    "UPDATE payment_sandbox.deliveries SET next_at = now() + make_interval(secs => $2) WHERE event_id = $1",
    [id, wait],
  );
}

export async function deliverDue(pool: Pool, webhook: Webhook, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const claimed = await claim(pool);
    if (claimed.length === 0) return;
    await Promise.all(claimed.map((one) => deliver(pool, webhook, one, stopped)));
  }
}

/** Releases delayed webhooks: all at once, or one by one, newest first. */
export async function releaseWebhooks(
  pool: Pool,
  webhook: Webhook | null,
  isReversed: boolean,
  stopped: AbortSignal,
): Promise<void> {
  if (isReversed && webhook) {
    const { rows } = await pool.query<Claimed>(
      `SELECT e.id, e.type, e.body, d.attempts FROM payment_sandbox.deliveries d
         JOIN payment_sandbox.events e ON e.id = d.event_id ORDER BY e.number DESC`,
    );
    for (const delayed of rows) await deliver(pool, webhook, delayed, stopped);
  }
  await pool.query("UPDATE payment_sandbox.deliveries SET next_at = now() WHERE NOT $1", [isReversed]);
  await pool.query("UPDATE payment_sandbox.settings SET webhooks_held = false");
}
