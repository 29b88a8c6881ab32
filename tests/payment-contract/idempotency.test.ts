/** A call that is sent again under its key is carried out once, whatever became of its first answer. */
import { afterEach, describe, expect, it } from "vitest";
import Stripe from "stripe";
import { randomUUID } from "node:crypto";
import { stripeAt } from "../support/payment-sandbox.ts";
import { believed, capturedIntent, heldIntent, openSession, refusal, sessionParams, useProvider } from "./provider.ts";

const provider = useProvider();

const sessions = () => provider.stripe.checkout.sessions;
const count = async () => Object.values((await provider.sandbox.books()).sessions).reduce((sum, n) => sum + n, 0);
const headersOf = ({ lastResponse }: { lastResponse: { headers: Record<string, string> } }) => lastResponse.headers;

describe("a key", () => {
  it("has one answer, and says when it is a replay", async () => {
    const options = { idempotencyKey: randomUUID() };
    const first = await sessions().create(sessionParams(), options);
    const again = await sessions().create(sessionParams(), options);
    expect(again).toEqual(first);
    expect(headersOf(again)["idempotent-replayed"]).toBe("true");
    expect(headersOf(first)["idempotent-replayed"]).toBeUndefined();
  });

  it("belongs to its parameters and its endpoint", async () => {
    const options = { idempotencyKey: randomUUID() };
    const { id } = await sessions().create(sessionParams(), options);
    const calls = {
      "same parameters": () => sessions().create(sessionParams({ client_reference_id: "another" }), options),
      "same endpoint": () => sessions().expire(id, {}, options),
    };
    for (const [belongs, call] of Object.entries(calls)) {
      const error = await refusal(call());
      expect(error).toMatchObject({ type: "StripeIdempotencyError", statusCode: 400 });
      expect(error.message).toContain(belongs);
    }
    expect(await sessions().retrieve(id)).toMatchObject({ status: "open" });
  });

  it("is not used up by parameters that are wrong", async () => {
    const options = { idempotencyKey: randomUUID() };
    await refusal(sessions().create(sessionParams({ success_url: "" }), options));
    expect(await sessions().create(sessionParams(), options)).toMatchObject({ status: "open" });
  });

  it("keeps a refusal by the state of things", async () => {
    const { id } = await openSession(provider);
    await sessions().expire(id);
    const options = { idempotencyKey: randomUUID() };
    const first = await refusal(sessions().expire(id, {}, options));
    const again = await refusal(sessions().expire(id, {}, options));
    expect(again.message).toBe(first.message);
    expect(again.headers?.["idempotent-replayed"]).toBe("true");
  });

  it("that many send at once makes one session; who is too early is told so", async () => {
    const options = { idempotencyKey: randomUUID() };
    const calls = await Promise.allSettled(
      Array.from({ length: 6 }, () => sessions().create(sessionParams(), options)),
    );
    const made = calls.flatMap((call) => (call.status === "fulfilled" ? [call.value.id] : []));
    expect(new Set(made).size).toBe(1);
    for (const call of calls) {
      if (call.status === "rejected")
        expect(call.reason).toMatchObject({ statusCode: 409, code: "idempotency_key_in_use" });
    }
    expect(await sessions().create(sessionParams(), options)).toMatchObject({ id: made[0] });
  });

  believed("is forgotten after a day", async () => {
    const options = { idempotencyKey: randomUUID() };
    const first = await sessions().create(sessionParams(), options);
    await provider.sandbox.control({ do: "forward", seconds: 86_401 });
    const another = await sessions().create(sessionParams({ client_reference_id: "another" }), options);
    expect(another.id).not.toBe(first.id);
  });
});

describe("where Stripe fails", () => {
  afterEach(() => provider.sandbox?.control({ do: "behave" }));

  const path = "/v1/checkout/sessions";
  const fail = (fault: "cut" | "error" | "hang", when: "after" | "before", times = 1) =>
    provider.sandbox.control({ do: "fail", times, order: { on: "call", method: "POST", fault, when, path } });

  believed.each([
    ["before", 0],
    ["after", 1],
  ] as const)("with 500 %s the work, the key has that 500 for good", async (when, made) => {
    const options = { idempotencyKey: randomUUID() };
    const before = await count();
    await fail("error", when);
    for (let i = 0; i < 2; i++) {
      const error = await refusal(sessions().create(sessionParams(), options));
      expect(error).toMatchObject({ type: "StripeAPIError", statusCode: 500 });
      expect(error.headers?.["stripe-should-retry"]).toBe("false");
    }
    expect((await count()) - before).toBe(made);
    await sessions().create(sessionParams(), { idempotencyKey: randomUUID() });
    expect((await count()) - before).toBe(made + 1);
  });

  believed.each(["before", "after"] as const)(
    "by a cut connection %s the work, the same key makes one session in the end",
    async (when) => {
      const options = { idempotencyKey: randomUUID() };
      const before = await count();
      // The SDK itself tries once more.
      await fail("cut", when, 2);
      const error = await refusal(sessions().create(sessionParams(), options));
      expect(error.type).toBe("StripeConnectionError");
      await sessions().create(sessionParams(), options);
      expect((await count()) - before).toBe(1);
    },
  );

  believed("by silence after the work, the same key has the answer that was lost", async () => {
    const options = { idempotencyKey: randomUUID() };
    const before = await count();
    await fail("hang", "after");
    const hasty = stripeAt(provider.sandbox, 200);
    const error = await refusal(hasty.checkout.sessions.create(sessionParams(), options));
    expect(error.type).toBe("StripeConnectionError");
    const found = await sessions().create(sessionParams(), options);
    expect(headersOf(found)["idempotent-replayed"]).toBe("true");
    expect((await count()) - before).toBe(1);
  });

  believed("with everything, nothing is done until it is back", async () => {
    await provider.sandbox.control({ do: "fail", times: 100, order: { on: "call", fault: "cut", path: "*" } });
    expect((await refusal(openSession(provider))).type).toBe("StripeConnectionError");
    expect((await refusal(sessions().list())).type).toBe("StripeConnectionError");
    await provider.sandbox.control({ do: "behave" });
    expect(await openSession(provider)).toMatchObject({ status: "open" });
  });

  believed("by its rate limit, the key is free", async () => {
    const options = { idempotencyKey: randomUUID() };
    await provider.sandbox.control({ do: "fail", order: { on: "call", fault: "rate-limit", path } });
    const error = await refusal(sessions().create(sessionParams(), options));
    expect(error).toBeInstanceOf(Stripe.errors.StripeRateLimitError);
    expect(error.statusCode).toBe(429);
    expect(await sessions().create(sessionParams(), options)).toMatchObject({ status: "open" });
  });

  believed("while capturing and refunding, each is done once for its key", async () => {
    const { intent } = await heldIntent(provider);
    const capture = { idempotencyKey: randomUUID() };
    await provider.sandbox.control({
      do: "fail",
      times: 2,
      order: { on: "call", fault: "cut", when: "after", path: "/v1/payment_intents/*/capture" },
    });
    await refusal(provider.stripe.paymentIntents.capture(intent.id, {}, capture));
    expect(await provider.stripe.paymentIntents.capture(intent.id, {}, capture)).toMatchObject({
      amount_received: 10_900,
    });
    const { id } = await capturedIntent(provider);
    const params = { payment_intent: id, amount: 900 };
    const refund = { idempotencyKey: randomUUID() };
    await provider.sandbox.control({
      do: "fail",
      times: 2,
      order: { on: "call", fault: "cut", when: "after", method: "POST", path: "/v1/refunds" },
    });
    await refusal(provider.stripe.refunds.create(params, refund));
    const { amount } = await provider.stripe.refunds.create(params, refund);
    expect(amount).toBe(900);
    expect((await provider.stripe.refunds.list({ payment_intent: id })).data).toHaveLength(1);
  });
});
