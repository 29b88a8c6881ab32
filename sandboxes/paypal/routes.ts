/** The supported calls of PayPal's API. */
import { z } from "zod";
import type { PoolClient } from "pg";
import type { Route } from "../stripe/routes.ts";
import {
  authorize,
  capture,
  centsOf,
  newId,
  reauthorize,
  refund,
  refuse,
  timeOf,
  voidAuthorization,
  type PayPalOrder,
} from "./order.ts";
import { isSigned } from "./signature.ts";
import { changeOrder, createOrder } from "./store.ts";

export const TOKEN_PATH = "/paypal/v1/oauth2/token";
const TOKEN_SECONDS = 32_400;

const amount = { currency_code: z.literal("USD"), value: z.string().regex(/^\d+\.\d{2}$/) };
const money = z.strictObject(amount);
const nothing = z.strictObject({});
const orderParams = z.strictObject({
  intent: z.literal("AUTHORIZE"),
  purchase_units: z.tuple([
    z.strictObject({
      description: z.string().max(127),
      custom_id: z.string().max(127),
      amount: z.strictObject({
        ...amount,
        breakdown: z.strictObject({ item_total: money, shipping: money, tax_total: money }),
      }),
      items: z
        .array(z.strictObject({ name: z.string().max(127), quantity: z.string().regex(/^\d+$/), unit_amount: money }))
        .min(1),
    }),
  ]),
  payment_source: z.strictObject({
    paypal: z.strictObject({
      experience_context: z.looseObject({ return_url: z.url(), cancel_url: z.url() }),
    }),
  }),
});
const signatureParams = z.strictObject({
  auth_algo: z.string(),
  cert_url: z.url(),
  transmission_id: z.string(),
  transmission_sig: z.string(),
  transmission_time: z.string(),
  webhook_id: z.string(),
  webhook_event: z.record(z.string(), z.unknown()),
});

function paramsIn(method: string, text: string): unknown {
  if (method === "GET") return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text || "{}");
  } catch {
    return null;
  }
}

const route = <Schema extends z.ZodType>(
  method: "GET" | "POST",
  path: string,
  schema: Schema,
  run: (sql: PoolClient, params: z.output<Schema>, id: string) => Promise<object>,
): Route => ({
  method,
  path: `/paypal${path}`,
  prepare(text) {
    const params = schema.safeParse(paramsIn(method, text));
    if (!params.success) throw refuse("INVALID_REQUEST", 400);
    return (sql, id) => run(sql, params.data, id);
  },
});

/** The amount must be what its parts add up to. */
function newOrder(params: z.output<typeof orderParams>, now: number, page: string): PayPalOrder {
  const {
    purchase_units: [unit],
    payment_source,
  } = params;
  const { breakdown } = unit.amount;
  const items = unit.items.reduce((sum, item) => sum + centsOf(item.unit_amount) * Number(item.quantity), 0);
  if (items !== centsOf(breakdown.item_total)) throw refuse("ITEM_TOTAL_MISMATCH");
  const parts = [breakdown.item_total, breakdown.shipping, breakdown.tax_total];
  if (parts.reduce((sum, part) => sum + centsOf(part), 0) !== centsOf(unit.amount)) throw refuse("AMOUNT_MISMATCH");
  const { return_url: returnUrl, cancel_url: cancelUrl } = payment_source.paypal.experience_context;
  const id = newId();
  return {
    order: {
      id,
      intent: "AUTHORIZE",
      status: "PAYER_ACTION_REQUIRED",
      create_time: timeOf(now),
      purchase_units: [{ ...unit, payments: { authorizations: [], captures: [], refunds: [] } }],
      links: [{ rel: "payer-action", href: `${page}${id}` }],
    },
    returnUrl,
    cancelUrl,
    account: null,
    dispute: null,
  };
}

/** Events of thirty days, oldest first, in one page. */
async function listEvents(sql: PoolClient, since: string) {
  const { rows } = await sql.query<{ body: object }>(
    `SELECT body FROM payment_sandbox.events WHERE id LIKE 'WH-%' AND created >= $1::timestamptz
       AND created > payment_sandbox.clock() - interval '30 days' ORDER BY number`,
    [since],
  );
  return { events: rows.map(({ body }) => body), links: [] };
}

type PayPalApi = { pageUrl: string; token: string; webhookSecret: string };

export const payPalRoutes = ({ pageUrl, token, webhookSecret }: PayPalApi): Route[] => [
  {
    method: "POST",
    path: TOKEN_PATH,
    prepare: () => () => Promise.resolve({ access_token: token, token_type: "Bearer", expires_in: TOKEN_SECONDS }),
  },
  route(
    "POST",
    "/v2/checkout/orders",
    orderParams,
    async (sql, params) => (await createOrder(sql, (now) => newOrder(params, now, pageUrl))).order,
  ),
  route("GET", "/v2/checkout/orders/:id", nothing, (sql, _params, id) =>
    changeOrder(sql, id, ({ paid }) => paid.order),
  ),
  route("POST", "/v2/checkout/orders/:id/authorize", nothing, (sql, _params, id) => changeOrder(sql, id, authorize)),
  route(
    "POST",
    "/v2/payments/authorizations/:id/reauthorize",
    z.strictObject({ amount: money }),
    (sql, { amount }, id) => changeOrder(sql, id, (work) => reauthorize(work, id, amount)),
  ),
  route("POST", "/v2/payments/authorizations/:id/void", nothing, (sql, _params, id) =>
    changeOrder(sql, id, (work) => voidAuthorization(work, id)),
  ),
  route(
    "POST",
    "/v2/payments/authorizations/:id/capture",
    z.strictObject({ amount: money, final_capture: z.literal(true) }),
    (sql, { amount }, id) => changeOrder(sql, id, (work) => capture(work, id, amount)),
  ),
  route(
    "POST",
    "/v2/payments/captures/:id/refund",
    z.strictObject({ amount: money, custom_id: z.string().max(127).optional() }),
    (sql, { amount, custom_id: customId }, id) => changeOrder(sql, id, (work) => refund(work, id, amount, customId)),
  ),
  route(
    "GET",
    "/v1/customer/disputes",
    z.strictObject({ disputed_transaction_id: z.string() }),
    (sql, { disputed_transaction_id: id }) =>
      changeOrder(sql, id, ({ paid: { dispute } }) => ({
        items: dispute ? [{ ...dispute, dispute_outcome: undefined }] : [],
      })),
  ),
  route("GET", "/v1/customer/disputes/:id", z.strictObject({}), (sql, _asked, id) =>
    changeOrder(sql, id, ({ paid: { dispute } }) => dispute ?? {}),
  ),
  route(
    "GET",
    "/v1/notifications/webhooks-events",
    z.strictObject({ start_time: z.iso.datetime(), end_time: z.iso.datetime(), page_size: z.string() }),
    (sql, { start_time: since }) => listEvents(sql, since),
  ),
  route("POST", "/v1/notifications/verify-webhook-signature", signatureParams, (_sql, asked) =>
    Promise.resolve({ verification_status: isSigned(webhookSecret, asked) ? "SUCCESS" : "FAILURE" }),
  ),
];
