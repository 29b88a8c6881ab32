/** Stripe's hosted checkout as the payment provider. */
import type Stripe from "stripe";
import {
  ProviderError,
  type MoneyMoved,
  type PaymentOrder,
  type PaymentProvider,
  type PaymentReference,
  type PaymentSnapshot,
  type ProviderEvent,
} from "../provider.ts";
import { stripeClient, type StripeConnect } from "./stripe-client.server.ts";
import { intentOf, SESSION_EXPAND, snapshotOf } from "./stripe-snapshot.ts";

const TOLERANCE_SECONDS = 300;
const CURRENCY = "usd";
const OPEN_DISPUTES = ["needs_response", "under_review", "warning_needs_response", "warning_under_review"];

const EVENTS = [
  "checkout.session.completed",
  "checkout.session.expired",
  "payment_intent.amount_capturable_updated",
  "payment_intent.canceled",
  "payment_intent.payment_failed",
  "payment_intent.succeeded",
  "charge.captured",
  "charge.refunded",
  "refund.created",
  "refund.failed",
  "refund.updated",
  "charge.dispute.created",
  "charge.dispute.closed",
] satisfies Stripe.EventListParams["types"];

type StripeSettings = {
  webhookSecrets: string[];
  pageOrigin: string;
  connect: StripeConnect;
};

export function stripeProvider({ webhookSecrets, pageOrigin, connect }: StripeSettings): PaymentProvider {
  const { client, call } = stripeClient(connect);

  const read = ({ reference }: PaymentReference) =>
    call(async (stripe) => {
      const session = await stripe.checkout.sessions.retrieve(reference, { expand: SESSION_EXPAND });
      return snapshotOf(session, await disputeDueBy(stripe, session));
    });

  return {
    name: "stripe",
    pageOrigin,
    read,
    open: (order) =>
      call(async (stripe) => {
        const session = await stripe.checkout.sessions.create(sessionParams(order), {
          idempotencyKey: order.paymentId,
        });
        if (!session.url) throw new ProviderError("fault");
        return { reference: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) };
      }),
    async close(payment, { voids } = { voids: false }) {
      const before = await read(payment);
      if (before.state === "open") {
        // A refusal means that it was paid or expired in between; the snapshot shows which.
        await refusable(() => call((stripe) => stripe.checkout.sessions.expire(payment.reference)));
        const after = await read(payment);
        if (after.state === "open") throw new ProviderError("busy");
        return voids && after.state === "authorized" ? release(after) : after;
      }
      return voids && before.state === "authorized" ? release(before) : before;
    },
    capture: (payment, cents, key) =>
      moved(async () => {
        await call(async (stripe) =>
          stripe.paymentIntents.capture(
            await intentIdOf(stripe, payment),
            { amount_to_capture: cents },
            { idempotencyKey: key },
          ),
        );
        return null;
      }),
    refund: (payment, cents, key, actionId) =>
      moved(async () => {
        const refund = await call(async (stripe) =>
          stripe.refunds.create(
            { payment_intent: await intentIdOf(stripe, payment), amount: cents, metadata: { action_id: actionId } },
            { idempotencyKey: key },
          ),
        );
        return refund.id;
      }),
    async verify(headers, body) {
      const signature = headers.get("Stripe-Signature");
      if (!signature) return null;
      const { stripe, isLive } = await client();
      for (const secret of webhookSecrets) {
        const event = await stripe.webhooks
          .constructEventAsync(body, signature, secret, TOLERANCE_SECONDS)
          .catch(() => null);
        if (event) return event.livemode === isLive ? eventOf(event) : null;
      }
      return null;
    },
    missed: (since) =>
      call(async (stripe) => {
        const created = { gte: Math.floor(since.getTime() / 1000) };
        const events: ProviderEvent[] = [];
        for await (const event of stripe.events.list({ created, types: EVENTS, limit: 100 })) {
          events.push(eventOf(event));
        }
        return events;
      }),
  };

  async function release({ reference, intentReference }: PaymentSnapshot): Promise<PaymentSnapshot> {
    const id = intentReference ?? "";
    // A refusal means that it ended or was captured in between.
    await refusable(() => call((stripe) => stripe.paymentIntents.cancel(id)));
    return read({ reference, intentReference });
  }
}

const sessionParams = (order: PaymentOrder): Stripe.Checkout.SessionCreateParams => {
  const line = (name: string, cents: number, quantity = 1) => ({
    price_data: { currency: CURRENCY, unit_amount: cents, product_data: { name } },
    quantity,
  });
  return {
    mode: "payment",
    allowed_payment_method_types: ["card"],
    line_items: [
      ...order.lines.map(({ name, unitPriceCents, quantity }) => line(name, unitPriceCents, quantity)),
      ...(order.shippingCents > 0 ? [line("Shipping", order.shippingCents)] : []),
      ...(order.taxCents > 0 ? [line("Tax", order.taxCents)] : []),
    ],
    payment_intent_data: {
      capture_method: "manual",
      metadata: { payment_id: order.paymentId, order_number: order.orderNumber },
    },
    client_reference_id: order.paymentId,
    customer_email: order.email,
    expires_at: Math.floor(order.expiresAt.getTime() / 1000),
    success_url: order.successUrl,
    cancel_url: order.cancelUrl,
    // Prices stay in dollars.
    adaptive_pricing: { enabled: false },
  };
};

async function intentIdOf(stripe: Stripe, { reference, intentReference }: PaymentReference): Promise<string> {
  if (intentReference) return intentReference;
  const intent = intentOf(await stripe.checkout.sessions.retrieve(reference, { expand: SESSION_EXPAND }));
  if (!intent) throw new ProviderError("refused");
  return intent.id;
}

async function disputeDueBy(stripe: Stripe, session: Stripe.Checkout.Session): Promise<number | null> {
  const intent = intentOf(session);
  const charge = intent?.latest_charge;
  if (!intent || !charge || typeof charge === "string" || !charge.disputed) return null;
  const { data } = await stripe.disputes.list({ payment_intent: intent.id });
  return data.find(({ status }) => OPEN_DISPUTES.includes(status))?.evidence_details.due_by ?? null;
}

/**
 * Events are trusted only for the payment they name; its state is read afresh. Before the first attempt to pay, the
 * shop knows a payment only by its page, so the intent's metadata carries the shop's own id. Events about no payment
 * use their own id and never match.
 */
function eventOf({ id, type, data }: Stripe.Event): ProviderEvent {
  const object = data.object as {
    id?: string;
    object?: string;
    metadata?: Stripe.Metadata | null;
    payment_intent?: string | { id: string } | null;
  };
  const intent = object.payment_intent;
  const ours = object.object === "payment_intent" ? object.metadata?.payment_id : undefined;
  const ofIntent = object.object === "checkout.session" ? undefined : typeof intent === "string" ? intent : intent?.id;
  return { eventId: id, type, reference: ours ?? ofIntent ?? object.id ?? id };
}

/** Refusals are ignored, because the caller reads the state afterward. */
async function refusable(run: () => Promise<unknown>): Promise<void> {
  await run().catch((error: unknown) => {
    if (!(error instanceof ProviderError) || error.kind !== "refused") throw error;
  });
}

async function moved(run: () => Promise<string | null>): Promise<MoneyMoved> {
  try {
    return { ok: true, providerReference: await run() };
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "refused") throw error;
    const { code, decline_code: declined } = (error.cause ?? {}) as { code?: string; decline_code?: string };
    return { ok: false, problem: declined ?? code ?? "refused" };
  }
}
