/** Captured money goes back; a cardholder's bank asks for it back. */
import { describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { believed, capturedIntent, chargeOf, heldIntent, refusal, useProvider } from "./provider.ts";

const provider = useProvider();

const chargeNow = async ({ id }: Stripe.PaymentIntent) =>
  chargeOf(await provider.stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] }));

describe("a refund", () => {
  believed("of a part and of the rest adds up to what was captured, and there is no more", async () => {
    const intent = await capturedIntent(provider);
    const { refunds } = provider.stripe;
    const part = await refunds.create({
      payment_intent: intent.id,
      amount: 900,
      reason: "requested_by_customer",
      metadata: { action: "a-1" },
    });
    expect(part).toMatchObject({
      object: "refund",
      amount: 900,
      charge: chargeOf(intent).id,
      metadata: { action: "a-1" },
      payment_intent: intent.id,
      reason: "requested_by_customer",
      status: "succeeded",
    });
    expect(await chargeNow(intent)).toMatchObject({ amount_refunded: 900, refunded: false });
    const rest = await refunds.create({ charge: chargeOf(intent).id });
    expect(rest).toMatchObject({ amount: 10_000 });
    expect(await chargeNow(intent)).toMatchObject({ amount_refunded: 10_900, refunded: true });
    expect(await refusal(refunds.create({ payment_intent: intent.id }))).toMatchObject({
      statusCode: 400,
      code: "charge_already_refunded",
    });
    expect(await refunds.retrieve(part.id)).toMatchObject({ id: part.id, amount: 900 });
    const { data } = await refunds.list({ payment_intent: intent.id });
    expect(data.map(({ id }) => id)).toEqual([rest.id, part.id]);
    expect((await refunds.list({ charge: chargeOf(intent).id })).data).toHaveLength(2);
  });

  believed("over what is left is refused, also from many at once", async () => {
    const intent = await capturedIntent(provider);
    const { refunds } = provider.stripe;
    expect(await refusal(refunds.create({ payment_intent: intent.id, amount: 10_901 }))).toMatchObject({
      statusCode: 400,
      param: "amount",
    });
    const many = await Promise.allSettled(
      Array.from({ length: 8 }, () => refunds.create({ payment_intent: intent.id, amount: 3_000 })),
    );
    expect(many.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await chargeNow(intent)).toMatchObject({ amount_refunded: 9_000 });
  });

  believed("of money that is only held is refused", async () => {
    const { intent } = await heldIntent(provider);
    expect(await refusal(provider.stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
      statusCode: 400,
    });
  });

  believed("of a part that was captured can be no more than that part", async () => {
    const { intent } = await heldIntent(provider);
    await provider.stripe.paymentIntents.capture(intent.id, { amount_to_capture: 9_900 });
    expect(await refusal(provider.stripe.refunds.create({ payment_intent: intent.id, amount: 9_901 }))).toMatchObject({
      statusCode: 400,
    });
    const refund = await provider.stripe.refunds.create({ payment_intent: intent.id });
    expect(refund.amount).toBe(9_900);
  });

  it("asks for an intent or a charge", async () => {
    expect(await refusal(provider.stripe.refunds.create({ amount: 100 }))).toMatchObject({ statusCode: 400 });
  });

  believed("is pending first where the bank takes its time", async () => {
    const intent = await capturedIntent(provider, { number: "4000000000007726" });
    const refund = await provider.stripe.refunds.create({ payment_intent: intent.id, amount: 500 });
    expect(refund).toMatchObject({ status: "pending" });
    expect(await chargeNow(intent)).toMatchObject({ amount_refunded: 500 });
    await provider.sandbox.control({ do: "forward", seconds: 60 });
    expect(await provider.stripe.refunds.retrieve(refund.id)).toMatchObject({ status: "succeeded" });
  });

  believed("fails later where the bank does not take it, and can then be made again", async () => {
    const intent = await capturedIntent(provider, { number: "4000000000005126" });
    const refund = await provider.stripe.refunds.create({ payment_intent: intent.id });
    expect(refund).toMatchObject({ status: "succeeded" });
    await provider.sandbox.control({ do: "forward", seconds: 60 });
    expect(await provider.stripe.refunds.retrieve(refund.id)).toMatchObject({
      status: "failed",
      failure_reason: "expired_or_canceled_card",
    });
    expect(await chargeNow(intent)).toMatchObject({ amount_refunded: 0, refunded: false });
    expect(await provider.stripe.refunds.create({ payment_intent: intent.id })).toMatchObject({ amount: 10_900 });
  });
});

describe("a dispute", () => {
  const disputeOf = async (intent: Stripe.PaymentIntent) => {
    const [dispute] = (await provider.stripe.disputes.list({ payment_intent: intent.id })).data;
    if (!dispute) throw new Error("There is no dispute");
    return dispute;
  };

  believed("is opened once the card is charged, with a date to answer by, and bars refunds", async () => {
    const intent = await capturedIntent(provider, { number: "4000000000000259" });
    expect(await chargeNow(intent)).toMatchObject({ disputed: true });
    const dispute = await disputeOf(intent);
    expect(await provider.stripe.disputes.retrieve(dispute.id)).toMatchObject({
      object: "dispute",
      amount: 10_900,
      charge: chargeOf(intent).id,
      payment_intent: intent.id,
      reason: "fraudulent",
      status: "needs_response",
    });
    expect(dispute.evidence_details.due_by).toBeGreaterThan(dispute.created);
    expect(await refusal(provider.stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
      statusCode: 400,
      code: "charge_disputed",
    });
  });

  believed("can be won, and is lost where nobody answers in time", async () => {
    const won = await disputeOf(await capturedIntent(provider, { number: "4000000000000259" }));
    await provider.sandbox.control({ do: "close-dispute", dispute: won.id, as: "won" });
    expect(await provider.stripe.disputes.retrieve(won.id)).toMatchObject({ status: "won" });
    const lost = await disputeOf(await capturedIntent(provider, { number: "4000000000000259" }));
    await provider.sandbox.control({ do: "forward", seconds: (lost.evidence_details.due_by ?? 0) - lost.created });
    expect(await provider.stripe.disputes.retrieve(lost.id)).toMatchObject({
      status: "lost",
      evidence_details: { past_due: true },
    });
    expect(await provider.stripe.disputes.retrieve(won.id)).toMatchObject({ status: "won" });
  });
});

believed("the books of the sandbox agree with what was captured and refunded", async () => {
  const before = await provider.sandbox.books();
  const one = await capturedIntent(provider);
  await provider.stripe.refunds.create({ payment_intent: one.id, amount: 400 });
  const { intent: two } = await heldIntent(provider);
  await provider.stripe.paymentIntents.capture(two.id, { amount_to_capture: 5_000 });
  const { intent: three } = await heldIntent(provider);
  await provider.stripe.paymentIntents.cancel(three.id);
  await heldIntent(provider);
  const after = await provider.sandbox.books();
  expect({
    authorized: after.authorized - before.authorized,
    captured: after.captured - before.captured,
    refunded: after.refunded - before.refunded,
  }).toEqual({ authorized: 10_900, captured: 15_900, refunded: 400 });
  expect(after.intents).toMatchObject({ canceled: (before.intents.canceled ?? 0) + 1 });
  expect(after.sessions).toMatchObject({ complete: (before.sessions.complete ?? 0) + 4 });
});
