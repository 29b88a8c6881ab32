/** Events: listed, and sent by signed webhooks at least once. */
import { beforeEach, describe, expect } from "vitest";
import Stripe from "stripe";
import type { Received } from "../support/webhook-receiver.ts";
import { believed, heldIntent, openSession, payBy, useProvider } from "./provider.ts";

const provider = useProvider();

const eventsOf = async (id: string) => {
  const { data } = await provider.stripe.events.list({ limit: 100 });
  return data.filter(({ data: { object } }) => JSON.stringify(object).includes(id)).toReversed();
};
const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);

const verify = ({ body, headers }: Received) =>
  provider.stripe.webhooks.constructEventAsync(
    body,
    String(headers["stripe-signature"]),
    provider.sandbox.webhookSecret,
  );

const receivedTypes = () => provider.webhooks.received.map(({ body }) => (JSON.parse(body) as Stripe.Event).type);

describe("the list of events", () => {
  believed("follows a payment from the first card to the refund", async () => {
    const session = await openSession(provider);
    await payBy(provider, session, { number: "4000000000000002" });
    const { intent } = await payBy(provider, session);
    await provider.stripe.paymentIntents.capture(intent.id);
    await provider.stripe.refunds.create({ payment_intent: intent.id, amount: 100 });
    expect(await typesOf(intent.id)).toEqual([
      "payment_intent.payment_failed",
      "payment_intent.amount_capturable_updated",
      "checkout.session.completed",
      "charge.captured",
      "payment_intent.succeeded",
      "refund.created",
      "charge.refunded",
    ]);
  });

  believed("names what ends without payment", async () => {
    const expired = await openSession(provider);
    await provider.stripe.checkout.sessions.expire(expired.id);
    expect(await typesOf(expired.id)).toEqual(["checkout.session.expired"]);
    const { intent } = await heldIntent(provider);
    await provider.stripe.paymentIntents.cancel(intent.id);
    expect((await typesOf(intent.id)).slice(2)).toEqual(["charge.refunded", "payment_intent.canceled"]);
  });

  believed("keeps the state of its time, and is filtered by type and time, in pages", async () => {
    const { intent } = await heldIntent(provider);
    await provider.stripe.paymentIntents.capture(intent.id);
    const events = await eventsOf(intent.id);
    expect(events[0]?.data.object).toMatchObject({ status: "requires_capture" });
    expect(events[0]).toMatchObject({ api_version: Stripe.API_VERSION, livemode: false });
    const created = { gte: events[0]!.created };
    const types: string[] = [];
    for await (const event of provider.stripe.events.list({ types: ["charge.captured"], created, limit: 1 }))
      types.push(event.type);
    expect(new Set(types)).toEqual(new Set(["charge.captured"]));
  });
});

describe("a webhook", () => {
  const delivered = () => expect.poll(async () => (await provider.sandbox.books()).undelivered).toBe(0);

  beforeEach(async () => {
    if (!provider.sandbox) return;
    await delivered();
    provider.webhooks.received.length = 0;
  });

  believed("is signed as the SDK checks it, and repeated until it is accepted", async () => {
    await provider.sandbox.control({ do: "fail", order: { on: "webhook", fault: "badly-signed" } });
    provider.webhooks.answers.push(400, 500);
    await provider.stripe.checkout.sessions.expire((await openSession(provider)).id);
    await delivered();
    const [forged, ...valid] = provider.webhooks.received;
    await expect(verify(forged!)).rejects.toBeInstanceOf(Stripe.errors.StripeSignatureVerificationError);
    expect(valid).toHaveLength(2);
    for (const received of valid) {
      expect(await verify(received)).toMatchObject({ type: "checkout.session.expired", livemode: false });
    }
  });

  believed("can be dropped or sent twice", async () => {
    const fail = (fault: "dropped" | "twice", type: string) =>
      provider.sandbox.control({ do: "fail", order: { on: "webhook", fault, type } });
    await fail("twice", "checkout.session.completed");
    await fail("dropped", "payment_intent.amount_capturable_updated");
    await heldIntent(provider);
    await delivered();
    expect(receivedTypes()).toEqual(["checkout.session.completed", "checkout.session.completed"]);
  });

  believed("can be delayed, and then arrives in reverse order", async () => {
    await provider.sandbox.control({ do: "hold-webhooks" });
    const { intent } = await heldIntent(provider);
    await provider.stripe.paymentIntents.capture(intent.id);
    await provider.sandbox.control({ do: "release-webhooks", reversed: true });
    await delivered();
    expect(receivedTypes()).toEqual([
      "payment_intent.succeeded",
      "charge.captured",
      "checkout.session.completed",
      "payment_intent.amount_capturable_updated",
    ]);
  });
});
