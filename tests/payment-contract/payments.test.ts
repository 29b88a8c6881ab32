/** Payments on the page: authorized, captured, canceled, refunded and disputed. */
import { describe, expect } from "vitest";
import {
  believed,
  capturedIntent,
  chargeOf,
  heldIntent,
  openSession,
  payBy,
  readIntent,
  refusal,
  useProvider,
} from "./provider.ts";

const provider = useProvider();

const DAY = 86_400;

describe("paying", () => {
  believed("completes the session with the money authorized only", async () => {
    const session = await openSession(provider);
    const { paid, intent } = await payBy(provider, session);
    expect(paid).toMatchObject({ status: 303, location: `https://shop.example/paid?session=${session.id}` });
    expect(await provider.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      payment_intent: intent.id,
      payment_status: "unpaid",
      status: "complete",
      url: null,
    });
    expect(intent).toMatchObject({
      object: "payment_intent",
      amount: 10_900,
      amount_capturable: 10_900,
      amount_received: 0,
      capture_method: "manual",
      metadata: { payment_id: "the-payment" },
      status: "requires_capture",
    });
  });

  believed("creates a charge with the card and the deadline of its capture", async () => {
    const { intent } = await heldIntent(provider);
    const charge = chargeOf(intent);
    expect(charge).toMatchObject({
      amount: 10_900,
      amount_captured: 0,
      captured: false,
      paid: true,
      status: "succeeded",
    });
    expect(charge.payment_method_details?.card).toMatchObject({
      brand: "visa",
      capture_before: charge.created + 7 * DAY,
      exp_month: 12,
      exp_year: 2040,
      last4: "4242",
      wallet: null,
    });
  });

  believed.each([
    ["4000000000000002", "card_declined", "generic_decline"],
    ["4000000000009995", "card_declined", "insufficient_funds"],
    ["4000000000000069", "expired_card", undefined],
  ])(
    "with a declined card (%s) names the reason, and the next card pays the same intent",
    async (number, code, decline) => {
      const session = await openSession(provider);
      const { paid, intent: declined } = await payBy(provider, session, { number });
      expect(paid.status).toBe(402);
      expect(declined).toMatchObject({ status: "requires_payment_method", amount_capturable: 0 });
      expect(declined.last_payment_error).toMatchObject({ type: "card_error", code });
      expect(declined.last_payment_error?.decline_code).toBe(decline);
      expect(chargeOf(declined)).toMatchObject({ paid: false, status: "failed", failure_code: code });
      expect(await provider.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: "open" });
      const { intent } = await payBy(provider, session);
      expect(intent).toMatchObject({ id: declined.id, status: "requires_capture", last_payment_error: null });
      expect(chargeOf(intent).id).not.toBe(chargeOf(declined).id);
    },
  );

  believed("with 3D Secure succeeds once the bank confirms, and waits for another card otherwise", async () => {
    const session = await openSession(provider);
    const { intent: failed } = await payBy(provider, session, { number: "4000 0000 0000 3220", bank: "fail" });
    expect(failed).toMatchObject({ status: "requires_payment_method", latest_charge: null });
    expect(failed.last_payment_error).toMatchObject({ code: "payment_intent_authentication_failure" });
    const { intent } = await payBy(provider, session, { number: "4000 0000 0000 3220" });
    expect(intent).toMatchObject({ id: failed.id, status: "requires_capture" });
  });

  believed("is impossible on an expired page, whose intent is canceled with it", async () => {
    const session = await openSession(provider);
    await payBy(provider, session, { number: "4000000000000002" });
    await provider.stripe.checkout.sessions.expire(session.id);
    const { paid, intent } = await payBy(provider, session);
    expect(paid).toMatchObject({ status: 410, location: null });
    expect(intent).toMatchObject({ status: "canceled", amount_capturable: 0 });
  });
});

describe("packing", () => {
  believed("takes the authorized amount, once, and the session is paid", async () => {
    const { session, intent } = await heldIntent(provider);
    await provider.stripe.paymentIntents.capture(intent.id);
    const captured = await readIntent(provider, session.id);
    expect(captured).toMatchObject({ amount_capturable: 0, amount_received: 10_900, status: "succeeded" });
    expect(chargeOf(captured)).toMatchObject({ amount_captured: 10_900, amount_refunded: 0, captured: true });
    expect(await provider.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: "paid" });
    const error = await refusal(provider.stripe.paymentIntents.capture(intent.id));
    expect(error).toMatchObject({ statusCode: 400, code: "payment_intent_unexpected_state" });
  });

  believed("a part releases the rest, which counts as refunded on the charge", async () => {
    const { session, intent } = await heldIntent(provider);
    await provider.stripe.paymentIntents.capture(intent.id, { amount_to_capture: 9_900 });
    const captured = await readIntent(provider, session.id);
    expect(captured).toMatchObject({
      amount: 10_900,
      amount_capturable: 0,
      amount_received: 9_900,
      status: "succeeded",
    });
    const charge = chargeOf(captured);
    expect(charge).toMatchObject({ amount_captured: 9_900, amount_refunded: 1_000, refunded: false });
    expect(charge.refunds?.data).toMatchObject([
      { amount: 1_000, destination_details: { card: { type: "reversal" } } },
    ]);
    expect(await provider.sandbox.books()).toMatchObject({ refunded: 0 });
  });

  believed("more than the authorized amount is refused", async () => {
    const { session, intent } = await heldIntent(provider);
    const error = await refusal(provider.stripe.paymentIntents.capture(intent.id, { amount_to_capture: 10_901 }));
    expect(error).toMatchObject({ statusCode: 400, code: "amount_too_large", param: "amount_to_capture" });
    expect(await readIntent(provider, session.id)).toMatchObject({ status: "requires_capture" });
  });

  believed("is refused after seven days: the intent is canceled and the charge refunded", async () => {
    const { session, intent } = await heldIntent(provider);
    await provider.sandbox.control({ do: "forward", seconds: 7 * DAY });
    const error = await refusal(provider.stripe.paymentIntents.capture(intent.id));
    expect(error).toMatchObject({ statusCode: 400, code: "payment_intent_unexpected_state" });
    const late = await readIntent(provider, session.id);
    expect(late).toMatchObject({ status: "canceled", amount_capturable: 0 });
    expect(chargeOf(late)).toMatchObject({ captured: false, refunded: true, amount_refunded: 10_900 });
  });
});

describe("canceling", () => {
  believed("releases the money, once; the charge counts as refunded", async () => {
    const { session, intent } = await heldIntent(provider);
    await provider.stripe.paymentIntents.cancel(intent.id);
    const canceled = await readIntent(provider, session.id);
    expect(canceled).toMatchObject({
      amount_capturable: 0,
      amount_received: 0,
      status: "canceled",
    });
    expect(canceled.canceled_at).toBeGreaterThanOrEqual(canceled.created);
    expect(chargeOf(canceled)).toMatchObject({
      amount_captured: 0,
      amount_refunded: 10_900,
      captured: false,
      refunded: true,
    });
    const error = await refusal(provider.stripe.paymentIntents.cancel(intent.id));
    expect(error).toMatchObject({ statusCode: 400, code: "payment_intent_unexpected_state" });
    expect(await refusal(provider.stripe.paymentIntents.capture(intent.id))).toMatchObject({
      code: "payment_intent_unexpected_state",
    });
  });

  believed("is refused for captured money and for the intent of an open session", async () => {
    const { intent: captured } = await capturedIntent(provider);
    expect(await refusal(provider.stripe.paymentIntents.cancel(captured.id))).toMatchObject({
      statusCode: 400,
      code: "payment_intent_unexpected_state",
    });
    const session = await openSession(provider);
    const { intent } = await payBy(provider, session, { number: "4000000000000002" });
    const error = await refusal(provider.stripe.paymentIntents.cancel(intent.id));
    expect(error.statusCode).toBe(400);
    expect(error.message).toContain("Expire the Checkout Session");
  });
});

type Paid = Awaited<ReturnType<typeof capturedIntent>>;

const chargeNow = async ({ session }: Paid) => chargeOf(await readIntent(provider, session.id));

describe("a refund", () => {
  believed("in parts adds up to the captured amount, and never exceeds it", async () => {
    const paid = await capturedIntent(provider);
    const { id } = paid.intent;
    const { refunds } = provider.stripe;
    const part = await refunds.create({ payment_intent: id, amount: 900, metadata: { action: "a-1" } });
    expect(part).toMatchObject({
      object: "refund",
      amount: 900,
      charge: (await chargeNow(paid)).id,
      metadata: { action: "a-1" },
      payment_intent: id,
      status: "succeeded",
    });
    expect(await chargeNow(paid)).toMatchObject({ amount_refunded: 900, refunded: false });
    const rest = await refunds.create({ payment_intent: id });
    expect(rest).toMatchObject({ amount: 10_000 });
    const charge = await chargeNow(paid);
    expect(charge).toMatchObject({ amount_refunded: 10_900, refunded: true });
    expect(charge.refunds?.data.map((refund) => refund.id)).toEqual([rest.id, part.id]);
    expect(await refusal(refunds.create({ payment_intent: id }))).toMatchObject({
      statusCode: 400,
      code: "charge_already_refunded",
    });
  });

  believed("of more than is left is refused, also with many at once", async () => {
    const paid = await capturedIntent(provider);
    const { refunds } = provider.stripe;
    expect(await refusal(refunds.create({ payment_intent: paid.intent.id, amount: 10_901 }))).toMatchObject({
      statusCode: 400,
      param: "amount",
    });
    const many = await Promise.allSettled(
      Array.from({ length: 8 }, () => refunds.create({ payment_intent: paid.intent.id, amount: 3_000 })),
    );
    expect(many.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await chargeNow(paid)).toMatchObject({ amount_refunded: 9_000 });
  });

  believed("is one of the ten that the charge lists, and of all in pages, newest first", async () => {
    const paid = await capturedIntent(provider);
    const { refunds } = provider.stripe;
    const of = { payment_intent: paid.intent.id };
    const ids: string[] = [];
    for (let n = 0; n < 11; n++) ids.unshift((await refunds.create({ ...of, amount: 100 })).id);
    const listed = (await chargeNow(paid)).refunds;
    expect([listed?.data.map(({ id }) => id), listed?.has_more]).toEqual([ids.slice(0, 10), true]);
    const all = await refunds.list({ ...of, limit: 5 }).autoPagingToArray({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(ids);
  });
});

describe("a dispute", () => {
  const disputed = () => capturedIntent(provider, { number: "4000000000000259" });
  const disputeOf = async (id: string) => (await provider.stripe.disputes.list({ payment_intent: id })).data[0];

  believed("opens with the charge, has a deadline, and blocks refunds", async () => {
    const paid = await disputed();
    const charge = await chargeNow(paid);
    expect(charge).toMatchObject({ disputed: true });
    const dispute = await disputeOf(paid.intent.id);
    expect(dispute).toMatchObject({
      object: "dispute",
      amount: 10_900,
      charge: charge.id,
      payment_intent: paid.intent.id,
      reason: "fraudulent",
      status: "needs_response",
    });
    expect(dispute?.evidence_details.due_by).toBeGreaterThan(dispute!.created);
    expect(await refusal(provider.stripe.refunds.create({ payment_intent: paid.intent.id }))).toMatchObject({
      statusCode: 400,
      code: "charge_disputed",
    });
  });
});

believed("the sandbox adds up what was captured and refunded", async () => {
  const before = await provider.sandbox.books();
  const { intent: one } = await capturedIntent(provider);
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
