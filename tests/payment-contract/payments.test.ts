/** Somebody pays on the page; the money is held, taken or let go. */
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
  believed("completes the session while the money is only held", async () => {
    const session = await openSession(provider);
    const { paid, intent } = await payBy(provider, session);
    expect(paid).toMatchObject({ status: 303, location: `https://shop.example/paid?session=${session.id}` });
    expect(await provider.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      payment_intent: intent.id,
      payment_status: "unpaid",
      status: "complete",
      url: null,
      customer_details: { email: "ada@example.com", name: "Ada Lovelace" },
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

  believed("leaves a charge that shows the card and how long the money is held", async () => {
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
    expect(await provider.stripe.charges.retrieve(charge.id)).toMatchObject({
      id: charge.id,
      payment_intent: intent.id,
    });
  });

  believed("takes the money at once where nothing says otherwise", async () => {
    const { session, intent } = await heldIntent(provider, {}, { payment_intent_data: {} });
    expect(intent).toMatchObject({ amount_received: 10_900, amount_capturable: 0, status: "succeeded" });
    expect(chargeOf(intent)).toMatchObject({ amount_captured: 10_900, captured: true });
    expect(await provider.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: "paid" });
  });

  believed.each([
    ["apple_pay", { type: "apple_pay", apple_pay: {} }],
    ["google_pay", { type: "google_pay", google_pay: {} }],
  ] as const)("by %s shows the wallet on the charge", async (wallet, shown) => {
    const { intent } = await heldIntent(provider, { wallet });
    expect(chargeOf(intent).payment_method_details?.card?.wallet).toMatchObject(shown);
  });

  believed.each([
    ["4000000000000002", "card_declined", "generic_decline"],
    ["4000000000009995", "card_declined", "insufficient_funds"],
    ["4000000000000069", "expired_card", undefined],
  ])(
    "by a card that is declined (%s) says why, and the next card pays the same intent",
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

  believed("past the bank's question goes on, and without its answer waits for another card", async () => {
    const session = await openSession(provider);
    const { intent: failed } = await payBy(provider, session, { number: "4000 0000 0000 3220", bank: "fail" });
    expect(failed).toMatchObject({ status: "requires_payment_method", latest_charge: null });
    expect(failed.last_payment_error).toMatchObject({ code: "payment_intent_authentication_failure" });
    const { intent } = await payBy(provider, session, { number: "4000 0000 0000 3220" });
    expect(intent).toMatchObject({ id: failed.id, status: "requires_capture" });
    expect(chargeOf(intent).payment_method_details?.card?.three_d_secure).toMatchObject({ result: "authenticated" });
  });

  believed("is not possible on an expired page, and its intent is canceled with it", async () => {
    const session = await openSession(provider);
    await payBy(provider, session, { number: "4000000000000002" });
    await provider.stripe.checkout.sessions.expire(session.id);
    const { paid, intent } = await payBy(provider, session);
    expect(paid).toMatchObject({ status: 410, location: null });
    expect(intent).toMatchObject({ status: "canceled", amount_capturable: 0 });
  });
});

describe("capturing", () => {
  believed("takes what was held, once, and the session is paid", async () => {
    const { session, intent } = await heldIntent(provider);
    const captured = await provider.stripe.paymentIntents.capture(intent.id, { expand: ["latest_charge"] });
    expect(captured).toMatchObject({ amount_capturable: 0, amount_received: 10_900, status: "succeeded" });
    expect(chargeOf(captured)).toMatchObject({ amount_captured: 10_900, amount_refunded: 0, captured: true });
    expect(await provider.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: "paid" });
    const error = await refusal(provider.stripe.paymentIntents.capture(intent.id));
    expect(error).toMatchObject({ statusCode: 400, code: "payment_intent_unexpected_state" });
    expect(error.payment_intent).toMatchObject({ id: intent.id, status: "succeeded" });
  });

  believed("a part lets the rest go, which then counts as refunded on the charge", async () => {
    const { intent } = await heldIntent(provider);
    const captured = await provider.stripe.paymentIntents.capture(intent.id, {
      amount_to_capture: 9_900,
      expand: ["latest_charge.refunds"],
    });
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

  believed("more than is held is refused", async () => {
    const { intent } = await heldIntent(provider);
    const error = await refusal(provider.stripe.paymentIntents.capture(intent.id, { amount_to_capture: 10_901 }));
    expect(error).toMatchObject({ statusCode: 400, code: "amount_too_large", param: "amount_to_capture" });
    expect(await readIntent(provider, (await lastSession()).id)).toMatchObject({ status: "requires_capture" });
  });

  believed("from a card that refuses it is an error of the card, and the money stays held", async () => {
    const { session, intent } = await heldIntent(provider, { number: "4000 0000 0000 4400" });
    const error = await refusal(provider.stripe.paymentIntents.capture(intent.id));
    expect(error).toMatchObject({ type: "StripeCardError", statusCode: 402, code: "card_declined" });
    expect(await readIntent(provider, session.id)).toMatchObject({ status: "requires_capture", amount_received: 0 });
  });

  believed("is too late after seven days: the intent is canceled and the charge refunded", async () => {
    const { session, intent } = await heldIntent(provider);
    await provider.sandbox.control({ do: "forward", seconds: 7 * DAY });
    const error = await refusal(provider.stripe.paymentIntents.capture(intent.id));
    expect(error).toMatchObject({ statusCode: 400, code: "payment_intent_unexpected_state" });
    const late = await readIntent(provider, session.id);
    expect(late).toMatchObject({ status: "canceled", amount_capturable: 0, cancellation_reason: "automatic" });
    expect(chargeOf(late)).toMatchObject({ captured: false, refunded: true, amount_refunded: 10_900 });
  });
});

describe("canceling", () => {
  believed("lets held money go, once; the charge then counts as refunded though nothing was taken", async () => {
    const { intent } = await heldIntent(provider);
    const canceled = await provider.stripe.paymentIntents.cancel(intent.id, {
      cancellation_reason: "requested_by_customer",
      expand: ["latest_charge"],
    });
    expect(canceled).toMatchObject({
      amount_capturable: 0,
      amount_received: 0,
      cancellation_reason: "requested_by_customer",
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

  believed("is not for captured money, nor for the intent of an open session", async () => {
    const { id } = await capturedIntent(provider);
    expect(await refusal(provider.stripe.paymentIntents.cancel(id))).toMatchObject({
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

async function lastSession() {
  const [session] = (await provider.stripe.checkout.sessions.list({ limit: 1 })).data;
  if (!session) throw new Error("No session was made yet");
  return session;
}
