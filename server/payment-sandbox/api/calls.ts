/** One call of the API, from its key to its answer. What goes wrong on order goes wrong here. */
import type { Pool, PoolClient } from "pg";
import { API_VERSION } from "../events.ts";
import { takeCallFault, type CallFault } from "../faults.ts";
import { invalidRequest, Refusal } from "../refusal.ts";
import { isSame, newId } from "../secrets.ts";
import { inTransaction } from "../store.ts";
import { answerRefusal, answerWith, commonHeaders, failure, refuse, tooManyCalls, type Answer } from "./answer.ts";
import { readForm } from "./form.ts";
import { once } from "./idempotency.ts";
import type { Route } from "./route.ts";

export type Call = {
  method: string;
  path: string;
  query: string;
  body: string;
  headers: { authorization?: string | undefined; idempotencyKey?: string | undefined; version?: string | undefined };
};

/** The caller is left without an answer: the connection ends, or nothing comes. */
export type Silence = "cut" | "hang";

type Given = { pool: Pool; routes: Route[]; secretKey: string; control: boolean };

/** The key as a client sends it: as a token, or as the name of a user without a password. */
function keyOf(authorization: string): string {
  const [scheme = "", credentials = ""] = authorization.split(" ");
  if (scheme.toLowerCase() !== "basic") return credentials;
  return Buffer.from(credentials, "base64").toString().replace(/:$/, "");
}

/** Why a caller is not let in, or null. */
export function unauthorized(authorization: string | undefined, secretKey: string): Answer | null {
  if (!authorization) {
    return refuse(401, {
      type: "invalid_request_error",
      message:
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    });
  }
  const key = keyOf(authorization);
  if (isSame(key, secretKey)) return null;
  return refuse(401, { type: "invalid_request_error", message: `Invalid API Key provided: ${key.slice(0, 8)}****` });
}

function idIn(pattern: string, path: string): string | null {
  const parts = path.split("/");
  const names = pattern.split("/");
  if (names.length !== parts.length || !names.every((name, i) => name === ":id" || name === parts[i])) return null;
  return parts[names.indexOf(":id")] ?? "";
}

function find(routes: Route[], { method, path }: Call): { route: Route; id: string } {
  for (const route of routes.filter((candidate) => candidate.method === method)) {
    const id = idIn(route.path, path);
    if (id !== null) return { route, id };
  }
  throw new Refusal(404, {
    type: "invalid_request_error",
    message: `Unrecognized request URL (${method}: ${path}). The payment sandbox does not take this call.`,
  });
}

async function carryOut(
  { pool, routes }: Given,
  call: Call,
  requestId: string,
  fault: CallFault | null,
): Promise<Answer> {
  const { headers, path } = call;
  if (headers.version !== undefined && headers.version !== API_VERSION) {
    throw invalidRequest(`Invalid Stripe API version: ${headers.version}. The payment sandbox speaks ${API_VERSION}.`);
  }
  const { route, id } = find(routes, call);
  const fails = fault?.fault === "error" ? fault.when : null;
  if (route.method === "GET") {
    const read = route.prepare(readForm(new URLSearchParams(call.query)));
    return fails ? failure() : answerWith(await read(pool, id));
  }
  const write = route.prepare(readForm(new URLSearchParams(call.body)));
  const key = headers.idempotencyKey ?? null;
  const run = async (sql: PoolClient): Promise<Answer> => {
    if (fails === "before") return failure();
    const answer = await write(sql, id, { requestId, idempotencyKey: key }).then(answerWith, answerRefusal);
    return fails ? failure() : answer;
  };
  if (key === null) return inTransaction(pool, run);
  return once(pool, { key, endpoint: path, params: call.body, requestId }, run);
}

export async function answerCall(given: Given, call: Call): Promise<Answer | Silence> {
  const requestId = newId.request();
  const refused = unauthorized(call.headers.authorization, given.secretKey);
  const fault = !refused && given.control ? await takeCallFault(given.pool, call.method, call.path) : null;
  const silence = fault?.fault === "cut" || fault?.fault === "hang" ? fault.fault : null;
  if (silence && fault?.when === "before") return silence;
  const answer =
    refused ??
    (fault?.fault === "rate-limit"
      ? tooManyCalls()
      : await carryOut(given, call, requestId, fault).catch(answerRefusal));
  if (silence) return silence;
  const common = commonHeaders(requestId, call.headers.idempotencyKey ?? null);
  return { ...answer, headers: { ...common, ...answer.headers } };
}
