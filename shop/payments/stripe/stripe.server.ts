/** Stripe's hosted checkout as the payment provider. */
import type Stripe from "stripe";
import { clock } from "#shop/clock.ts";
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
import { chargeParams, savesCard, sessionParams } from "./stripe-params.ts";
import {
  chargeOf,
  type Details,
  INTENT_EXPAND,
  intentOf,
  intentSnapshot,
  SESSION_EXPAND,
  sessionSnapshot,
} from "./stripe-snapshot.ts";

const TOLERANCE_SECONDS = 300;
const MAX_REFUNDS = 10_000;

const EVENTS = [
  "checkout.session.completed",
  "checkout.session.expired",
  "payment_intent.amount_capturable_updated",
  "payment_intent.canceled",
  "payment_intent.payment_failed",
  "payment_intent.succeeded",
  "setup_intent.setup_failed",
  "setup_intent.succeeded",
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
      if (isIntent(reference)) return readIntent(stripe, reference);
      const session = await stripe.checkout.sessions.retrieve(reference, { expand: SESSION_EXPAND });
      return sessionSnapshot(session, await detailsOf(stripe, intentOf(session)));
    });

  return {
    name: "stripe",
    pageOrigin,
    read,
    open: (order) =>
      call(async (stripe) => {
        const customer = savesCard(order) ? await customerFor(stripe, order) : null;
        const session = await stripe.checkout.sessions.create(sessionParams(order, customer), {
          idempotencyKey: order.paymentId,
        });
        if (!session.url) throw new ProviderError("fault");
        return { reference: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) };
      }),
    async close(payment, { voids } = { voids: false }) {
      const before = await read(payment);
      if (before.state === "open") {
        // A refusal means that it was paid or expired in between; the snapshot shows which.
        await refusable(() => call((stripe) => end(stripe, payment.reference)));
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
    charge: (charge, key) =>
      moved(async () => {
        const params = chargeParams(charge);
        const create = call((stripe) => stripe.paymentIntents.create(params, { idempotencyKey: key }));
        return (await create.catch(cancelRefused)).id;
      }),
    findCharge: (paymentId, { customer }) =>
      call(async (stripe) => {
        let found: Stripe.PaymentIntent | null = null;
        for await (const intent of stripe.paymentIntents.list({ customer, limit: 100 })) {
          if (intent.metadata.payment_id !== paymentId) continue;
          // Newest first; an earlier one counts only if it took the money.
          if (!found || intent.status === "succeeded") found = intent;
        }
        return found && readIntent(stripe, found.id);
      }),
    async forget(customer) {
      // A refusal means that it is deleted already.
      await refusable(() => call((stripe) => stripe.customers.del(customer)));
    },
    looksSigned(headers) {
      const [, time] = /^t=(\d{1,12}),(?:.*,)?v1=[0-9a-f]{64}(?:,|$)/.exec(headers.get("Stripe-Signature") ?? "") ?? [];
      return time !== undefined && clock.now().getTime() / 1000 - Number(time) <= TOLERANCE_SECONDS;
    },
    async verify(headers, body) {
      const signature = headers.get("Stripe-Signature");
      if (!signature) return null;
      const { stripe, isLive } = await client();
      for (const secret of webhookSecrets) {
        const event = await stripe.webhooks
          .constructEventAsync(body, signature, secret, TOLERANCE_SECONDS, undefined, clock.now().getTime())
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

  /** A refused charge leaves an intent that could still be confirmed. */
  async function cancelRefused(error: unknown): Promise<never> {
    const { cause } = error as { cause?: { payment_intent?: Stripe.PaymentIntent } };
    const id = cause?.payment_intent?.id;
    if (id) await refusable(() => call((stripe) => stripe.paymentIntents.cancel(id)));
    throw error;
  }

  async function release({ reference, intentReference }: PaymentSnapshot): Promise<PaymentSnapshot> {
    const id = intentReference ?? "";
    // A refusal means that it ended or was captured in between.
    await refusable(() => call((stripe) => stripe.paymentIntents.cancel(id)));
    return read({ reference, intentReference });
  }
}

/** A page's reference is its session, that of a charge its payment intent. */
const isIntent = (reference: string): boolean => reference.startsWith("pi_");

const end = (stripe: Stripe, reference: string): Promise<unknown> =>
  isIntent(reference) ? stripe.paymentIntents.cancel(reference) : stripe.checkout.sessions.expire(reference);

async function intentIdOf(stripe: Stripe, { reference, intentReference }: PaymentReference): Promise<string> {
  if (intentReference) return intentReference;
  if (isIntent(reference)) return reference;
  const intent = intentOf(await stripe.checkout.sessions.retrieve(reference, { expand: SESSION_EXPAND }));
  if (!intent) throw new ProviderError("refused");
  return intent.id;
}

async function readIntent(stripe: Stripe, id: string): Promise<PaymentSnapshot> {
  const intent = await stripe.paymentIntents.retrieve(id, { expand: INTENT_EXPAND });
  return intentSnapshot(intent, await detailsOf(stripe, intent));
}

/** Each page has its own customer, so that forgetting its card touches no other. */
async function customerFor(stripe: Stripe, { paymentId, email }: PaymentOrder): Promise<string> {
  const params = { email, metadata: { payment_id: paymentId } };
  const { id } = await stripe.customers.create(params, { idempotencyKey: `${paymentId}:customer` });
  return id;
}

/** A charge brings only its newest ten refunds, and no dispute. */
async function detailsOf(stripe: Stripe, intent: Stripe.PaymentIntent | null): Promise<Details> {
  const charge = chargeOf(intent);
  if (!intent || !charge) return { disputes: [], refunds: [] };
  const of = { payment_intent: intent.id };
  return {
    disputes: charge.disputed ? (await stripe.disputes.list(of)).data : [],
    refunds: charge.refunds?.has_more
      ? await stripe.refunds.list({ ...of, limit: 100 }).autoPagingToArray({ limit: MAX_REFUNDS })
      : (charge.refunds?.data ?? []),
  };
}

/**
 * Events are trusted only for the payment they name; its state is read afresh. Before the first attempt to pay, the
 * shop knows a payment only by its page, so an intent's metadata carries the shop's own id. Events about no payment
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
  const isOurs = object.object === "payment_intent" || object.object === "setup_intent";
  const ours = isOurs ? object.metadata?.payment_id : undefined;
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
