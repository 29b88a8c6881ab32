/** How a call is made of its parameters and what it does: it checks the former first, and does nothing before they are right. */
import type { z } from "zod";
import type { Pool, PoolClient } from "pg";
import type { Cause } from "../events.ts";
import type { capture } from "../lifecycle/captures.ts";
import { objectsOf, type Payment, type SandboxObject, type Work } from "../payment.ts";
import { missing } from "../refusal.ts";
import { changePayment, readPayment, settleAllDue } from "../store.ts";
import { checkExpand, expandAll, type Shape } from "./expand.ts";
import type { Params } from "./form.ts";
import { listObjects, type Page } from "./lists.ts";
import { check, onlyExpand } from "./params.ts";

type Read = (pool: Pool, id: string) => Promise<object>;
type Write = (sql: PoolClient, id: string, cause: Cause) => Promise<object>;

/** `path` has `:id` where an id stands. */
export type Route =
  | { method: "GET"; path: string; prepare(params: Params): Read }
  | { method: "POST"; path: string; prepare(params: Params): Write };

/** What changed, and the payment that it stands in. */
type Written = { object: object; payment: Payment };

type Kind = SandboxObject["object"];

/** How Stripe names an object that is not there, and the parameter that named it. */
const NAMES: Record<Kind, { what: string; param: string }> = {
  "checkout.session": { what: "checkout.session", param: "session" },
  payment_intent: { what: "payment_intent", param: "intent" },
  charge: { what: "charge", param: "id" },
  refund: { what: "refund", param: "refund" },
  dispute: { what: "dispute", param: "id" },
};

export const notThere = (kind: Kind, id: string) => missing(NAMES[kind].what, id, NAMES[kind].param);

type Expandable = z.ZodType<{ expand?: string[] | undefined }>;

export const get = <Schema extends Expandable>(
  path: string,
  shape: Shape,
  schema: Schema,
  run: (pool: Pool, id: string, params: z.output<Schema>) => Promise<object>,
): Route => ({
  method: "GET",
  path,
  prepare(raw) {
    const params = check(schema, raw);
    checkExpand(shape, params.expand);
    return async (pool, id) => expandAll(await run(pool, id, params), params.expand, (of) => readPayment(pool, of));
  },
});

export const post = <Schema extends Expandable>(
  path: string,
  kind: Kind,
  schema: Schema,
  run: (sql: PoolClient, given: { id: string; cause: Cause; params: z.output<Schema> }) => Promise<Written>,
): Route => ({
  method: "POST",
  path,
  prepare(raw) {
    const params = check(schema, raw);
    checkExpand({ kind, isList: false }, params.expand);
    return async (sql, id, cause) => {
      const { object, payment } = await run(sql, { id, cause, params });
      return expandAll(object, params.expand, () => Promise.resolve(payment));
    };
  },
});

export const retrieve = (path: string, kind: Kind): Route =>
  get(path, { kind, isList: false }, onlyExpand, async (pool, id) => {
    const payment = await readPayment(pool, id);
    const found = payment && objectsOf(payment).find((object) => object.id === id && object.object === kind);
    if (!found) throw notThere(kind, id);
    return found;
  });

/** Changes the payment that `id` stands in, where it is the id of such an object. */
export async function change(
  sql: PoolClient,
  id: string,
  kind: Kind,
  cause: Cause,
  run: (work: Work) => object,
): Promise<Written> {
  const written = await changePayment(sql, id, cause, (work) => {
    if (!objectsOf(work.payment).some((object) => object.id === id && object.object === kind)) throw notThere(kind, id);
    return { payment: work.payment, object: run(work) };
  });
  if (!written) throw notThere(kind, id);
  return written;
}

export const changeIntent = (
  sql: PoolClient,
  id: string,
  cause: Cause,
  run: (...of: Parameters<typeof capture>) => void,
) =>
  change(sql, id, "payment_intent", cause, (work) => {
    const { intent } = work.payment;
    if (!intent) throw notThere("payment_intent", id);
    run(work, intent);
    return intent;
  });

type ListParams = Page & {
  charge?: string | undefined;
  expand?: string[] | undefined;
  payment_intent?: string | undefined;
  status?: string | undefined;
};

export const list = (path: string, kind: Kind, schema: z.ZodType<ListParams>): Route =>
  get(path, { kind, isList: true }, schema, async (pool, _id, params) => {
    await settleAllDue(pool);
    const { charge, payment_intent: intent, status } = params;
    return listObjects(pool, { kind, parent: charge ?? intent, status }, params, path);
  });
