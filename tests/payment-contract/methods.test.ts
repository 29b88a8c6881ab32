/** Payment methods: each authorized, captured in part, released, refunded and expired. */
import { describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { believed, chargeOf, heldIntent, openSession, readIntent, refusal, useProvider } from "./provider.ts";

const provider = useProvider();

const DAY = 86_400;
const DAYS: Record<string, number> = { card: 7, link: 7, klarna: 28, affirm: 30, amazon_pay: 7, cashapp: 7 };
const types = Object.keys(DAYS) as Stripe.Checkout.SessionCreateParams.AllowedPaymentMethodType[];
const offered = { allowed_payment_method_types: types };

it("a session names the methods that it offers", async () => {
  expect(await openSession(provider, offered)).toMatchObject(offered);
});

describe.each(types)("%s", (method) => {
  const held = () => heldIntent(provider, method === "card" ? {} : { method }, offered);

  believed("is authorized, with only a card's details told", async () => {
    const { intent } = await held();
    expect(intent).toMatchObject({ amount_capturable: 10_900, status: "requires_capture" });
    const details = chargeOf(intent).payment_method_details;
    expect([details?.type, details?.card === undefined]).toEqual([method, method !== "card"]);
  });

  believed("is captured in part, and refunded up to that", async () => {
    const { session, intent } = await held();
    await provider.stripe.paymentIntents.capture(intent.id, { amount_to_capture: 5_000 });
    const captured = await readIntent(provider, session.id);
    expect([captured.status, captured.amount_received]).toEqual(["succeeded", 5_000]);
    const { refunds } = provider.stripe;
    await refunds.create({ payment_intent: intent.id, amount: 2_000 });
    expect(await refusal(refunds.create({ payment_intent: intent.id, amount: 3_001 }))).toMatchObject({
      statusCode: 400,
    });
    await refunds.create({ payment_intent: intent.id });
    expect(chargeOf(await readIntent(provider, session.id))).toMatchObject({ amount_refunded: 10_900, refunded: true });
  });

  believed("is released, and then can no longer be captured", async () => {
    const { session, intent } = await held();
    await provider.stripe.paymentIntents.cancel(intent.id);
    expect(await readIntent(provider, session.id)).toMatchObject({ status: "canceled", amount_capturable: 0 });
    expect(await refusal(provider.stripe.paymentIntents.capture(intent.id))).toMatchObject({
      code: "payment_intent_unexpected_state",
    });
  });

  believed("ends by itself on its own day", async () => {
    const { session } = await held();
    await provider.sandbox.control({ do: "forward", seconds: DAYS[method]! * DAY - 60 });
    expect(await readIntent(provider, session.id)).toMatchObject({ status: "requires_capture" });
    await provider.sandbox.control({ do: "forward", seconds: 61 });
    expect(await readIntent(provider, session.id)).toMatchObject({ status: "canceled" });
  });
});

believed("a method that a page does not offer does not pay", async () => {
  await expect(heldIntent(provider, { method: "klarna" })).rejects.toThrow("no payment intent yet");
});
