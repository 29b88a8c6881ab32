/** The supported API calls. */
import type Stripe from "stripe";
import type { z } from "zod";
import type { PoolClient } from "pg";
import {
  captureParams,
  chargeParams,
  customerParams,
  disputeListParams,
  eventListParams,
  intentListParams,
  noParams,
  readIntentParams,
  readParams,
  readSetupParams,
  refundListParams,
  refundParams,
  sessionParams,
} from "./call-params.ts";
import { chargeSaved } from "./attempts.ts";
import { checkCustomer, createCustomer, deleteCustomer, payerOf, readCustomer, readMethod } from "./customers.ts";
import { cancel, capture, expire, refund } from "./lifecycle.ts";
import { newPage, newSavedCharge } from "./objects.ts";
import { notFound, type Payment, type Work, invalidRequest } from "./payment.ts";
import { changePayment, readClock, readPayment, savePayment, saveWork } from "./store.ts";

type Fields = { [name: string]: string | Fields };
type Value = string | Value[] | { [name: string]: Value };

function plain(node: string | Fields): Value {
  if (typeof node === "string") return node;
  const entries = Object.entries(node).map(([name, field]): [string, Value] => [name, plain(field)]);
  const isList = entries.length > 0 && entries.every(([name], place) => name === String(place));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** Parses `line_items[0][quantity]=2` and `expand[]=charge`. */
function readForm(form: URLSearchParams): Value {
  const root: Fields = Object.create(null) as Fields;
  for (const [name, text] of form) {
    const path = name.split(/\]?\[|\]$/).slice(0, name.endsWith("]") ? -1 : undefined);
    const last = path.pop() ?? "";
    let fields = root;
    for (const part of path) {
      const next = (fields[part] ??= Object.create(null) as Fields);
      if (typeof next === "string") throw invalidRequest("Invalid object", { param: part });
      fields = next;
    }
    fields[last === "" ? String(Object.keys(fields).length) : last] = text;
  }
  return plain(root);
}

/** Throws a Refusal that names the first wrong parameter. */
function check<Schema extends z.ZodType>(schema: Schema, form: URLSearchParams): z.output<Schema> {
  const checked = schema.safeParse(readForm(form));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const [first = "", ...rest] = [...(issue?.path ?? []), ...unknown].map(String);
  throw invalidRequest(issue?.message ?? "Invalid request", {
    param: first + rest.map((part) => `[${part}]`).join(""),
    ...(unknown.length > 0 && { code: "parameter_unknown" }),
  });
}

/** Parameters, of the query or the body, are validated by `prepare` before any effect. `:id` in a path is an id. */
export type Route = {
  method: "DELETE" | "GET" | "POST";
  path: string;
  prepare(text: string): (sql: PoolClient, id: string) => Promise<object>;
};

export const route = <Schema extends z.ZodType>(
  method: Route["method"],
  path: string,
  schema: Schema,
  run: (sql: PoolClient, params: z.output<Schema>, id: string) => Promise<object>,
): Route => ({
  method,
  path,
  prepare(text) {
    const params = check(schema, new URLSearchParams(text));
    return (sql, id) => run(sql, params, id);
  },
});

/** The payment's intent, with its latest charge and refunds in place of their ids. */
function expandIntent({ intent, charges, refunds }: Payment) {
  const charge = charges.find(({ id }) => id === intent?.latest_charge);
  const made = refunds.filter((each) => each.charge === charge?.id).toReversed();
  const latest = charge && { ...charge, refunds: pageOf(made, "/v1/refunds", { limit: MAX_EXPANDED }) };
  return intent && { ...intent, latest_charge: latest ?? null };
}

const expandSetup = ({ setup, method }: Payment) => setup && { ...setup, payment_method: method };

/** A session with its intent and setup in place of their ids. */
const expandSession = (payment: Payment): object => ({
  ...payment.session,
  payment_intent: expandIntent(payment),
  setup_intent: expandSetup(payment),
});

const listOf = <Item>(data: Item[], url: string, hasMore = false): Stripe.ApiList<Item> => ({
  object: "list",
  data,
  has_more: hasMore,
  url,
});

export type Page = { limit: number; starting_after?: string | undefined };

/** Items of a list within another object; the others are listed by a call of their own. */
export const MAX_EXPANDED = 10;

export function pageOf<Item extends { id: string }>(
  items: Item[],
  url: string,
  { limit, starting_after: after }: Page,
) {
  const start = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  return listOf(items.slice(start, start + limit), url, items.length > start + limit);
}

async function changeIntent<Changed extends object>(
  sql: PoolClient,
  id: string,
  change: (work: Work, intent: Stripe.PaymentIntent) => Changed | void,
): Promise<object> {
  const changed = await changePayment(sql, id, (work) => {
    const { intent } = work.payment;
    return intent?.id === id ? (change(work, intent) ?? intent) : null;
  });
  if (!changed) throw notFound("payment_intent", id);
  return changed;
}

/** A charge's intent stays, also if it was refused. */
async function createCharge(sql: PoolClient, params: z.output<typeof chargeParams>): Promise<object> {
  const payer = await payerOf(sql, params.customer, params.payment_method);
  const now = await readClock(sql);
  const payment = newSavedCharge(params, payer, now);
  const work: Work = { payment, now, events: [] };
  const refused = chargeSaved(work, payment.intent, payer);
  await saveWork(sql, work);
  if (refused) throw refused;
  return payment.intent;
}

/** Intents of a customer, newest first. */
async function listIntents(sql: PoolClient, params: z.output<typeof intentListParams>) {
  const { customer, limit, starting_after: after } = params;
  await readCustomer(sql, customer);
  const { rows } = await sql.query<{ intent: Stripe.PaymentIntent }>(
    `SELECT state->'intent' AS intent FROM payment_sandbox.payments
      WHERE customer_id = $1 AND intent_id IS NOT NULL
        AND ($2::text IS NULL OR number < (SELECT number FROM payment_sandbox.payments WHERE intent_id = $2))
      ORDER BY number DESC LIMIT $3`,
    [customer, after ?? null, limit + 1],
  );
  const page = rows.slice(0, limit).map(({ intent }) => intent);
  return listOf(page, "/v1/payment_intents", rows.length > limit);
}

/** Events of the last thirty days, newest first. One row more than `limit` shows whether there are more. */
async function listEvents(sql: PoolClient, params: z.output<typeof eventListParams>) {
  const { limit, starting_after: after, created, types } = params;
  const { rows } = await sql.query<{ body: Stripe.EventBase }>(
    `SELECT body FROM payment_sandbox.events
      WHERE created >= to_timestamp($1) AND created > payment_sandbox.clock() - interval '30 days'
        AND id LIKE 'evt%' AND ($2::text[] IS NULL OR type = ANY ($2))
        AND ($3::text IS NULL OR number < (SELECT number FROM payment_sandbox.events WHERE id = $3))
      ORDER BY number DESC LIMIT $4`,
    [created?.gte ?? 0, types ?? null, after ?? null, limit + 1],
  );
  const page = rows.slice(0, limit).map(({ body }) => body);
  return listOf(page, "/v1/events", rows.length > limit);
}

/** `pageUrl` returns the URL of a session's page. */
export const routes = (pageUrl: (id: string) => string): Route[] => [
  route("POST", "/v1/checkout/sessions", sessionParams, async (sql, params) => {
    if (params.customer !== undefined) await checkCustomer(sql, params.customer);
    const payment = newPage(params, await readClock(sql), pageUrl);
    await savePayment(sql, payment);
    return payment.session;
  }),
  route("GET", "/v1/checkout/sessions/:id", readParams, async (sql, { expand }, id) => {
    const payment = await readPayment(sql, id);
    if (payment?.session?.id !== id) throw notFound("checkout.session", id);
    return expand ? expandSession(payment) : payment.session;
  }),
  route("POST", "/v1/checkout/sessions/:id/expire", noParams, async (sql, _params, id) => {
    const session = await changePayment(sql, id, (work) => {
      expire(work);
      return work.payment.session;
    });
    if (!session) throw notFound("checkout.session", id);
    return session;
  }),
  route("POST", "/v1/customers", customerParams, createCustomer),
  route("GET", "/v1/customers/:id", noParams, (sql, _params, id) => readCustomer(sql, id)),
  route("DELETE", "/v1/customers/:id", noParams, (sql, _params, id) => deleteCustomer(sql, id)),
  route("GET", "/v1/payment_methods/:id", noParams, (sql, _params, id) => readMethod(sql, id)),
  route("GET", "/v1/setup_intents/:id", readSetupParams, async (sql, { expand }, id) => {
    const payment = await readPayment(sql, id);
    if (payment?.setup?.id !== id) throw notFound("setup_intent", id);
    return (expand && expandSetup(payment)) ?? payment.setup;
  }),
  route("POST", "/v1/payment_intents", chargeParams, createCharge),
  route("GET", "/v1/payment_intents", intentListParams, listIntents),
  route("GET", "/v1/payment_intents/:id", readIntentParams, async (sql, { expand }, id) => {
    const payment = await readPayment(sql, id);
    if (payment?.intent?.id !== id) throw notFound("payment_intent", id);
    return (expand && expandIntent(payment)) ?? payment.intent;
  }),
  route("POST", "/v1/payment_intents/:id/capture", captureParams, (sql, params, id) =>
    changeIntent(sql, id, (work, intent) => capture(work, intent, params.amount_to_capture)),
  ),
  route("POST", "/v1/payment_intents/:id/cancel", noParams, (sql, _params, id) => changeIntent(sql, id, cancel)),
  route("POST", "/v1/refunds", refundParams, (sql, { payment_intent: id, ...request }) =>
    changeIntent(sql, id, (work, intent) => refund(work, intent, request)),
  ),
  route("GET", "/v1/refunds", refundListParams, async (sql, { payment_intent: id, ...page }) => {
    const payment = await readPayment(sql, id);
    if (payment?.intent?.id !== id) throw notFound("payment_intent", id);
    return pageOf(payment.refunds.toReversed(), "/v1/refunds", page);
  }),
  route("GET", "/v1/disputes", disputeListParams, async (sql, { payment_intent: id }) => {
    const payment = await readPayment(sql, id);
    if (payment?.intent?.id !== id) throw notFound("payment_intent", id);
    return listOf(payment.disputes, "/v1/disputes");
  }),
  route("GET", "/v1/events", eventListParams, listEvents),
];
