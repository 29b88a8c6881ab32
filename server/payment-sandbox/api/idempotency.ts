/** A key is carried out once: what it was first answered with, whatever that was, is its answer for a day. */
import type { Pool, PoolClient } from "pg";
import { invalidRequest, Refusal } from "../refusal.ts";
import { sha256 } from "../secrets.ts";
import { inTransaction } from "../store.ts";
import type { Answer } from "./answer.ts";

/** `endpoint` and `params` are what a key belongs to. */
export type Keyed = { key: string; endpoint: string; params: string; requestId: string };

type Kept = { endpoint: string; params: string; status: number; body: string; request_id: string };

const MAX_KEY = 255;

const misused = (message: string) => new Refusal(400, { type: "idempotency_error", message });

function replay(kept: Kept, { key, endpoint, params }: Keyed): Answer {
  if (kept.endpoint !== endpoint) {
    throw misused(
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${endpoint}' vs '${kept.endpoint}'). Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  }
  if (kept.params !== sha256(params)) {
    throw misused(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  }
  return {
    status: kept.status,
    body: kept.body,
    headers: {
      "Idempotent-Replayed": "true",
      "Original-Request": kept.request_id,
      ...(kept.status >= 500 && { "Stripe-Should-Retry": "false" }),
    },
  };
}

/**
 * Carries out `run` in one transaction with the keeping of its answer, so that a crash leaves both or neither. What
 * `run` throws is no answer and is not kept.
 */
export async function once(pool: Pool, keyed: Keyed, run: (sql: PoolClient) => Promise<Answer>): Promise<Answer> {
  const { key, endpoint, params, requestId } = keyed;
  if (key.length > MAX_KEY) throw invalidRequest(`Idempotency keys can have at most ${MAX_KEY} characters.`);
  return inTransaction(pool, async (sql) => {
    const { rows: locks } = await sql.query<{ free: boolean }>(
      "SELECT pg_try_advisory_xact_lock(hashtextextended('payment_sandbox key ' || $1, 0)) AS free",
      [key],
    );
    if (!locks[0]?.free) {
      throw new Refusal(409, {
        type: "idempotency_error",
        code: "idempotency_key_in_use",
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}.`,
      });
    }
    const { rows } = await sql.query<Kept>(
      `SELECT endpoint, params, status, body, request_id FROM payment_sandbox.answers
        WHERE key = $1 AND created > payment_sandbox.clock() - interval '24 hours'`,
      [key],
    );
    if (rows[0]) return replay(rows[0], keyed);
    const answer = await run(sql);
    await sql.query(
      `INSERT INTO payment_sandbox.answers (key, endpoint, params, status, body, request_id, created)
       VALUES ($1, $2, $3, $4, $5, $6, payment_sandbox.clock())
       ON CONFLICT (key) DO UPDATE SET endpoint = $2, params = $3, status = $4, body = $5, request_id = $6,
         created = EXCLUDED.created`,
      [key, endpoint, sha256(params), answer.status, answer.body, requestId],
    );
    return answer;
  });
}
