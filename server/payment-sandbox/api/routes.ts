/** The calls that the sandbox takes. */
import { readEvent } from "../events.ts";
import { cancel, capture } from "../lifecycle/captures.ts";
import { expire } from "../lifecycle/due.ts";
import { refund } from "../lifecycle/refunds.ts";
import { invalidRequest, missing } from "../refusal.ts";
import { insertPayment, readClock, settleAllDue } from "../store.ts";
import { cancelParams, captureParams, lists, refundParams } from "./call-params.ts";
import { listEvents } from "./lists.ts";
import { onlyExpand } from "./params.ts";
import { change, changeIntent, get, list, notThere, post, retrieve, type Route } from "./route.ts";
import { newPayment, sessionParams } from "./session-params.ts";

/** `pageUrl` is where a session's page is. */
export const routes = (pageUrl: (id: string) => string): Route[] => [
  post("/v1/checkout/sessions", "checkout.session", sessionParams, async (sql, { params }) => {
    const payment = newPayment(params, await readClock(sql), pageUrl);
    await insertPayment(sql, payment);
    return { payment, object: payment.session };
  }),
  list("/v1/checkout/sessions", "checkout.session", lists.sessions),
  retrieve("/v1/checkout/sessions/:id", "checkout.session"),
  post("/v1/checkout/sessions/:id/expire", "checkout.session", onlyExpand, (sql, { id, cause }) =>
    change(sql, id, "checkout.session", cause, (work) => {
      expire(work);
      return work.payment.session;
    }),
  ),

  list("/v1/payment_intents", "payment_intent", lists.intents),
  retrieve("/v1/payment_intents/:id", "payment_intent"),
  post("/v1/payment_intents/:id/capture", "payment_intent", captureParams, (sql, { id, cause, params }) =>
    changeIntent(sql, id, cause, (work, intent) => capture(work, intent, params.amount_to_capture)),
  ),
  post("/v1/payment_intents/:id/cancel", "payment_intent", cancelParams, (sql, { id, cause, params }) =>
    changeIntent(sql, id, cause, (work, intent) => cancel(work, intent, params.cancellation_reason ?? null)),
  ),

  list("/v1/charges", "charge", lists.charges),
  retrieve("/v1/charges/:id", "charge"),

  post("/v1/refunds", "refund", refundParams, (sql, { cause, params }) => {
    const { charge, payment_intent: intent } = params;
    if (charge === undefined && intent === undefined) {
      throw invalidRequest(
        "One of the following params should be provided for this request: payment_intent or charge.",
      );
    }
    const kind = charge === undefined ? "payment_intent" : "charge";
    return change(sql, charge ?? intent ?? "", kind, cause, (work) => {
      if (intent !== undefined && work.payment.intent?.id !== intent) throw notThere("payment_intent", intent);
      const { amount, reason, metadata: about = {} } = params;
      return refund(
        work,
        { amount, reason, metadata: about },
        work.payment.charges.find(({ id }) => id === charge),
      );
    });
  }),
  list("/v1/refunds", "refund", lists.refunds),
  retrieve("/v1/refunds/:id", "refund"),

  list("/v1/disputes", "dispute", lists.disputes),
  retrieve("/v1/disputes/:id", "dispute"),

  get("/v1/events", { kind: "event", isList: true }, lists.events, async (pool, _id, { type, types, ...params }) => {
    await settleAllDue(pool);
    return listEvents(pool, types ?? (type === undefined ? null : [type]), params);
  }),
  get("/v1/events/:id", { kind: "event", isList: false }, onlyExpand, async (pool, id) => {
    const event = await readEvent(pool, id);
    if (!event) throw missing("event", id, "id");
    return event;
  }),
];
