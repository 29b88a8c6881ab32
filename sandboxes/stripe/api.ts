/** API calls: authentication, idempotency, injected faults and the response. */
import type { Pool, PoolClient } from "pg";
import { TOKEN_PATH } from "../paypal/routes.ts";
import { CLIENT_ID } from "../paypal/signature.ts";
import { takeFault, type CallFault } from "./control.ts";
import { invalidRequest, Refusal, RefusedCall } from "./payment.ts";
import type { Route } from "./routes.ts";
import { randomText, sha256 } from "./secrets.ts";
import { API_VERSION, inTransaction } from "./store.ts";

type Answer = { status: number; body: string; headers?: Record<string, string> };

const answerWith = (object: object, status = 200): Answer => ({ status, body: JSON.stringify(object, null, 2) });

function answerRefusal(error: unknown): Answer {
  if (error instanceof RefusedCall) return answerWith(error.answer, error.status);
  throw error;
}

/** Stripe tells clients not to retry, since the same key returns the same response. */
const NO_RETRY = { "Stripe-Should-Retry": "false" };

const failure = (): Answer => ({
  ...answerWith({ error: { type: "api_error", message: "Sorry! There was an error on our side." } }, 500),
  headers: NO_RETRY,
});

/** The id in a path, `""` for a path without one, null for another path. */
function idIn(pattern: string, path: string): string | null {
  const parts = path.split("/");
  const names = pattern.split("/");
  if (names.length !== parts.length || !names.every((name, i) => name === ":id" || name === parts[i])) return null;
  return parts[names.indexOf(":id")] ?? "";
}

function find(routes: Route[], method: string, path: string): { route: Route; id: string } {
  for (const route of routes.filter((candidate) => candidate.method === method)) {
    const id = idIn(route.path, path);
    if (id !== null) return { route, id };
  }
  const message = `Unrecognized request URL (${method}: ${path}). The payment sandbox does not take this call.`;
  throw new Refusal(404, { type: "invalid_request_error", message });
}

type Keyed = { key: string; endpoint: string; params: string; requestId: string };
type StoredAnswer = { endpoint: string; params: string; status: number; body: string; request_id: string };

function replay(stored: StoredAnswer, { endpoint, params }: Keyed): Answer {
  if (stored.endpoint !== endpoint || stored.params !== params) {
    const part = stored.endpoint === endpoint ? "parameters" : "endpoint";
    const message = `Keys for idempotent requests can only be used for the same ${part} they were first used with.`;
    throw new Refusal(400, { type: "idempotency_error", message });
  }
  return {
    status: stored.status,
    body: stored.body,
    headers: {
      "Idempotent-Replayed": "true",
      "Original-Request": stored.request_id,
      ...(stored.status >= 500 && NO_RETRY),
    },
  };
}

/**
 * Runs a call once for its idempotency key. The response is stored in the call's transaction, so a crash keeps both or
 * neither. Thrown errors are not stored.
 */
async function once(pool: Pool, keyed: Keyed, run: (sql: PoolClient) => Promise<Answer>): Promise<Answer> {
  const { key, endpoint, params, requestId } = keyed;
  return inTransaction(pool, async (sql) => {
    const { rows: locks } = await sql.query<{ free: boolean }>(
      "SELECT pg_try_advisory_xact_lock(hashtextextended('payment_sandbox key ' || $1, 0)) AS free",
      [key],
    );
    if (!locks[0]?.free) {
      throw new Refusal(409, {
        type: "idempotency_error",
        code: "idempotency_key_in_use",
        message: `There is currently another in-progress request using this idempotency key: ${key}.`,
      });
    }
    const { rows } = await sql.query<StoredAnswer>(
      `SELECT endpoint, params, status, body, request_id FROM payment_sandbox.answers
        WHERE key = $1 AND created > payment_sandbox.clock() - interval '24 hours'`,
      [key],
    );
    if (rows[0]) return replay(rows[0], keyed);
    const answer = await run(sql);
    await sql.query("DELETE FROM payment_sandbox.answers WHERE key = $1", [key]);
    await sql.query(
      `INSERT INTO payment_sandbox.answers (key, endpoint, params, status, body, request_id, created)
       VALUES ($1, $2, $3, $4, $5, $6, payment_sandbox.clock())`,
      [key, endpoint, params, answer.status, answer.body, requestId],
    );
    return answer;
  });
}

type Api = { pool: Pool; routes: Route[]; secretKey: string };
type Call = { request: Request; path: string; query: string; requestId: string; fault: CallFault | null };

async function run({ pool, routes }: Api, { request, path, query, requestId, fault }: Call): Promise<Answer> {
  const version = request.headers.get("Stripe-Version");
  if (fault?.fault === "rate-limit") {
    throw new Refusal(429, { type: "invalid_request_error", code: "rate_limit", message: "Too many requests." });
  }
  if (version !== null && version !== API_VERSION) {
    throw invalidRequest(`Invalid Stripe API version: ${version}. The payment sandbox speaks ${API_VERSION}.`);
  }
  const { route, id } = find(routes, request.method, path);
  const body = request.method === "GET" ? query : await request.text();
  const call = route.prepare(body);
  const error = fault?.fault === "error" ? fault : null;
  const payPalKey = request.headers.get("PayPal-Request-Id");
  const runOnce = async (sql: PoolClient): Promise<Answer> => {
    if (error?.when === "before") return failure();
    const answer = await call(sql, id).then(answerWith, answerRefusal);
    return error && !payPalKey ? failure() : answer;
  };
  // A key of PayPal's repeats what was done, one of Stripe's also a failure.
  if (payPalKey && error?.when === "before") return failure();
  const key = request.headers.get("Idempotency-Key") ?? payPalKey;
  const answer =
    key === null
      ? await inTransaction(pool, runOnce)
      : await once(pool, { key, endpoint: path, params: sha256(body), requestId }, runOnce);
  return error && payPalKey ? failure() : answer;
}

/** PayPal's access token, got by the app's own secret, is the secret key. */
const isGranted = (path: string, authorization: string, secret: string) =>
  path === TOKEN_PATH && authorization === `Basic ${Buffer.from(`${CLIENT_ID}:${secret}`).toString("base64")}`;

/**
 * `control` answers the calls of a test, if there is one. `cut` and `hang` are no response: the connection is cut, or
 * hangs.
 */
export async function answerCall(
  api: Api,
  request: Request,
  control: ((path: string, request: Request) => Promise<object>) | null,
): Promise<Response | "cut" | "hang"> {
  const requestId = `req_${randomText(14)}`;
  const { pathname: path, search: query } = new URL(request.url);
  const respond = ({ status, body, headers }: Answer) =>
    new Response(body, {
      status,
      headers: {
        "Content-Type": "application/json",
        "Cache-Control": "no-store",
        "Request-Id": requestId,
        "Stripe-Version": API_VERSION,
        ...headers,
      },
    });
  const authorization = request.headers.get("Authorization") ?? "";
  if (authorization !== `Bearer ${api.secretKey}` && !isGranted(path, authorization, api.secretKey)) {
    return respond(answerWith({ error: { type: "invalid_request_error", message: "Invalid API key." } }, 401));
  }
  if (control && path.startsWith("/control/")) {
    return respond(await control(path, request).then(answerWith, answerRefusal));
  }
  const fault = control && (await takeFault(api.pool, "call", { method: request.method, path }));
  const silence = fault?.fault === "cut" || fault?.fault === "hang" ? fault.fault : null;
  if (silence && fault?.when === "before") return silence;
  const answer = await run(api, { request, path, query, requestId, fault }).catch(answerRefusal);
  return silence ?? respond(answer);
}
