/** The supported API calls. */
import type Stripe from "stripe";
import { z } from "zod";
import type { PoolClient } from "pg";
import { cancel, capture, expire, refund } from "./lifecycle.ts";
import { newPayment } from "./objects.ts";
import { check } from "./params.ts";
import { notFound, type Payment, type Work } from "./payment.ts";
import { changePayment, readClock, readPayment, savePayment } from "./store.ts";

/** Parameters named as in the SDK; other names do not compile. */
type Known<Params> = { [Name in keyof Params]?: z.ZodType };

const integer = (min: number, max = 99_999_999) => z.coerce.number().int().min(min).max(max);
const seconds = integer(0, 10_000_000_000);
const text = z.string().min(1).max(5_000);
const metadata = z.record(z.string().max(40), z.string().max(500)).optional();
const expand = z.array(z.enum(["payment_intent.latest_charge.refunds", "setup_intent.payment_method"])).optional();

const noParams = z.strictObject({});
const readParams = z.strictObject({ expand });

const sessionParams = z.strictObject({
  adaptive_pricing: z.strictObject({ enabled: z.literal("false") }).optional(),
  allowed_payment_method_types: z.array(z.literal("card")).length(1).optional(),
  cancel_url: z.url().optional(),
  client_reference_id: text.optional(),
  customer_email: z.email().optional(),
  expires_at: seconds.optional(),
  line_items: z
    .array(
      z.strictObject({
        price_data: z.strictObject({
          currency: z.literal("usd"),
          product_data: z.strictObject({ name: text }),
          unit_amount: integer(0),
        } satisfies Known<Stripe.Checkout.SessionCreateParams.LineItem.PriceData>),
        quantity: integer(1),
      }),
    )
    .min(1)
    .max(100),
  mode: z.literal("payment"),
  payment_intent_data: z.strictObject({
    capture_method: z.literal("manual"),
    metadata,
  } satisfies Known<Stripe.Checkout.SessionCreateParams.PaymentIntentData>),
  success_url: z.url(),
} satisfies Known<Stripe.Checkout.SessionCreateParams>);

export type SessionParams = z.output<typeof sessionParams>;

const captureParams = z.strictObject({
  amount_to_capture: integer(1).optional(),
} satisfies Known<Stripe.PaymentIntentCaptureParams>);

const refundParams = z.strictObject({
  amount: integer(1).optional(),
  metadata,
  payment_intent: text,
} satisfies Known<Stripe.RefundCreateParams>);

const disputeListParams = z.strictObject({
  payment_intent: text,
} satisfies Known<Stripe.DisputeListParams>);

const eventListParams = z.strictObject({
  created: z.strictObject({ gte: seconds }).optional(),
  limit: integer(1, 100).default(10),
  starting_after: text.optional(),
  types: z.array(text).max(20).optional(),
} satisfies Known<Stripe.EventListParams>);

/** Parameters are validated by `prepare` before any effect. `:id` in a path is an id. */
export type Route = {
  method: "GET" | "POST";
  path: string;
  prepare(form: URLSearchParams): (sql: PoolClient, id: string) => Promise<object>;
};

const route = <Schema extends z.ZodType>(
  method: Route["method"],
  path: string,
  schema: Schema,
  run: (sql: PoolClient, params: z.output<Schema>, id: string) => Promise<object>,
): Route => ({
  method,
  path,
  prepare(form) {
    const params = check(schema, form);
    return (sql, id) => run(sql, params, id);
  },
});

/** A session with its intent, latest charge and refunds in place of their ids. */
function expandSession({ session, intent, charges, refunds }: Payment): object {
  const charge = charges.find(({ id }) => id === intent?.latest_charge);
  const made = refunds.filter((each) => each.charge === charge?.id).toReversed();
  const latest = charge && { ...charge, refunds: listOf(made, "/v1/refunds") };
  return { ...session, payment_intent: intent && { ...intent, latest_charge: latest ?? null } };
}

const listOf = <Item>(data: Item[], url: string, hasMore = false): Stripe.ApiList<Item> => ({
  object: "list",
  data,
  has_more: hasMore,
  url,
});

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

/** Events of the last thirty days, newest first. One row more than `limit` shows whether there are more. */
async function listEvents(sql: PoolClient, params: z.output<typeof eventListParams>) {
  const { limit, starting_after: after, created, types } = params;
  const { rows } = await sql.query<{ body: Stripe.EventBase }>(
    `SELECT body FROM payment_sandbox.events
      WHERE created >= to_timestamp($1) AND created > payment_sandbox.clock() - interval '30 days'
        AND ($2::text[] IS NULL OR type = ANY ($2))
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
    const payment = newPayment(params, await readClock(sql), pageUrl);
    await savePayment(sql, payment);
    return payment.session;
  }),
  route("GET", "/v1/checkout/sessions/:id", readParams, async (sql, { expand }, id) => {
    const payment = await readPayment(sql, id);
    if (payment?.session.id !== id) throw notFound("checkout.session", id);
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
  route("POST", "/v1/payment_intents/:id/capture", captureParams, (sql, params, id) =>
    changeIntent(sql, id, (work, intent) => capture(work, intent, params.amount_to_capture)),
  ),
  route("POST", "/v1/payment_intents/:id/cancel", noParams, (sql, _params, id) => changeIntent(sql, id, cancel)),
  route("POST", "/v1/refunds", refundParams, (sql, { payment_intent: id, ...request }) =>
    changeIntent(sql, id, (work, intent) => refund(work, intent, request)),
  ),
  route("GET", "/v1/disputes", disputeListParams, async (sql, { payment_intent: id }) => {
    const payment = await readPayment(sql, id);
    if (payment?.intent?.id !== id) throw notFound("payment_intent", id);
    return listOf(payment.disputes, "/v1/disputes");
  }),
  route("GET", "/v1/events", eventListParams, listEvents),
];
