/** What happened is told: in the list of events, and by webhooks that come at least once and can be proved. */
import { afterEach, beforeEach, describe, expect } from "vitest";
import Stripe from "stripe";
import type { Order } from "../../server/payment-sandbox/control.ts";
import type { Received } from "../support/webhook-receiver.ts";
import { believed, capturedIntent, heldIntent, openSession, payBy, useProvider } from "./provider.ts";

const provider = useProvider();

const eventsOf = async (id: string) => {
  const { data } = await provider.stripe.events.list({ limit: 100 });
  return data.filter(({ data: { object } }) => JSON.stringify(object).includes(id)).toReversed();
};
const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);

const verify = ({ body, headers }: Received, tolerance?: number) =>
  provider.stripe.webhooks.constructEventAsync(
    body,
    String(headers["stripe-signature"]),
    provider.sandbox.webhookSecret,
    tolerance,
  );

const told = () => provider.webhooks.received.map(({ body }) => JSON.parse(body) as Stripe.Event);
const toldTypes = () => told().map(({ type }) => type);

describe("the list of events", () => {
  believed("tells of a payment from the first card to the refund", async () => {
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

  believed("tells of what ends without money", async () => {
    const expired = await openSession(provider);
    await provider.stripe.checkout.sessions.expire(expired.id);
    expect(await typesOf(expired.id)).toEqual(["checkout.session.expired"]);
    const { intent } = await heldIntent(provider);
    await provider.stripe.paymentIntents.cancel(intent.id);
    expect((await typesOf(intent.id)).slice(2)).toEqual(["charge.refunded", "payment_intent.canceled"]);
  });

  believed("tells of slow refunds and of disputes", async () => {
    const slow = await capturedIntent(provider, { number: "4000000000007726" });
    await provider.stripe.refunds.create({ payment_intent: slow.id });
    const failing = await capturedIntent(provider, { number: "4000000000005126" });
    await provider.stripe.refunds.create({ payment_intent: failing.id });
    const disputed = await capturedIntent(provider, { number: "4000000000000259" });
    await provider.sandbox.control({ do: "forward", seconds: 10 * 86_400 });
    expect((await typesOf(slow.id)).slice(4)).toEqual(["refund.created", "charge.refunded", "refund.updated"]);
    expect((await typesOf(failing.id)).slice(6)).toEqual(["refund.failed", "refund.updated"]);
    expect((await typesOf(disputed.id)).slice(4)).toEqual(["charge.dispute.created", "charge.dispute.closed"]);
    const [captured] = (await eventsOf(disputed.id)).filter(({ type }) => type === "charge.captured");
    expect(captured?.data.object).toMatchObject({ disputed: false });
    const [updated] = (await eventsOf(slow.id)).slice(-1);
    expect(updated?.data).toMatchObject({
      object: { status: "succeeded" },
      previous_attributes: { status: "pending" },
    });
  });

  believed("shows each as it was then, with the call behind it, and can be asked by type and by time", async () => {
    const { intent } = await heldIntent(provider);
    await provider.stripe.paymentIntents.capture(intent.id, {}, { idempotencyKey: `capture-${intent.id}` });
    const events = await eventsOf(intent.id);
    expect(events[0]?.data.object).toMatchObject({ status: "requires_capture" });
    expect(events[0]).toMatchObject({ api_version: Stripe.API_VERSION, livemode: false, request: { id: null } });
    expect(events.at(-1)?.request).toMatchObject({ idempotency_key: `capture-${intent.id}` });
    const { data } = await provider.stripe.events.list({
      types: ["charge.captured"],
      created: { gte: events[0]!.created },
    });
    expect(data.map(({ type }) => type)).toContain("charge.captured");
    expect(new Set(data.map(({ type }) => type)).size).toBe(1);
    expect(await provider.stripe.events.retrieve(events[0]!.id)).toMatchObject({ id: events[0]!.id, object: "event" });
  });
});

describe("a webhook", () => {
  const order = (fault: Extract<Order, { do: "fail" }>["order"]) =>
    provider.sandbox.control({ do: "fail", order: fault });
  const delivered = () => expect.poll(async () => (await provider.sandbox.books()).undelivered).toBe(0);

  beforeEach(async () => {
    if (!provider.sandbox) return;
    await delivered();
    provider.webhooks.received.length = 0;
  });
  afterEach(() => provider.sandbox?.control({ do: "behave" }));

  believed("is signed as the SDK checks it, and no changed byte passes", async () => {
    await heldIntent(provider);
    await delivered();
    expect(toldTypes().toSorted()).toEqual(["checkout.session.completed", "payment_intent.amount_capturable_updated"]);
    for (const received of provider.webhooks.received) {
      expect(await verify(received)).toMatchObject({ object: "event", livemode: false, pending_webhooks: 1 });
      await expect(verify({ ...received, body: `${received.body} ` })).rejects.toBeInstanceOf(
        Stripe.errors.StripeSignatureVerificationError,
      );
    }
    const { data } = await provider.stripe.events.list({ limit: 1 });
    expect(data).toMatchObject([{ pending_webhooks: 0 }]);
  });

  believed("comes again until it is taken", async () => {
    provider.webhooks.answers.push(500, 503);
    const { id } = await openSession(provider);
    await provider.stripe.checkout.sessions.expire(id);
    await delivered();
    expect(toldTypes()).toEqual(Array.from({ length: 3 }, () => "checkout.session.expired"));
    expect(new Set(told().map((event) => event.id)).size).toBe(1);
  });

  believed.each(["badly-signed", "old"] as const)(
    "that is %s is refused, and comes again as it should be",
    async (fault) => {
      await order({ on: "webhook", fault });
      provider.webhooks.answers.push(400);
      await provider.stripe.checkout.sessions.expire((await openSession(provider)).id);
      await delivered();
      const [wrong, right] = provider.webhooks.received;
      await expect(verify(wrong!)).rejects.toBeInstanceOf(Stripe.errors.StripeSignatureVerificationError);
      expect(await verify(right!)).toMatchObject({ type: "checkout.session.expired" });
    },
  );

  believed("comes twice, or never, or later, where a test has it so", async () => {
    await order({ on: "webhook", fault: "twice", type: "checkout.session.completed" });
    await order({ on: "webhook", fault: "dropped", type: "payment_intent.amount_capturable_updated" });
    await heldIntent(provider);
    await delivered();
    expect(toldTypes()).toEqual(["checkout.session.completed", "checkout.session.completed"]);
    await order({ on: "webhook", fault: "delayed", seconds: 3_600, type: "checkout.session.expired" });
    for (let i = 0; i < 2; i++) await provider.stripe.checkout.sessions.expire((await openSession(provider)).id);
    await expect.poll(toldTypes).toHaveLength(3);
    expect(await provider.sandbox.books()).toMatchObject({ undelivered: 1 });
    await provider.sandbox.control({ do: "release-webhooks" });
    await delivered();
    expect(toldTypes().slice(2)).toEqual(["checkout.session.expired", "checkout.session.expired"]);
  });

  believed("that is held back comes after newer ones", async () => {
    await provider.sandbox.control({ do: "hold-webhooks" });
    const { intent } = await heldIntent(provider);
    await provider.stripe.paymentIntents.capture(intent.id);
    await provider.sandbox.control({ do: "release-webhooks", reversed: true });
    await delivered();
    expect(toldTypes()).toEqual([
      "payment_intent.succeeded",
      "charge.captured",
      "checkout.session.completed",
      "payment_intent.amount_capturable_updated",
    ]);
  });
});
