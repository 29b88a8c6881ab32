/** Checkout sessions, refused calls and idempotency keys. */
import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { afterEach, describe, expect, it } from "vitest";
import {
  believed,
  inSeconds,
  openSession,
  refusal,
  sessionParams,
  useProvider,
  type SessionParams,
} from "./provider.ts";

const provider = useProvider();

describe("a session", () => {
  it("has a page, costs the sum of its lines, and has no payment intent yet", async () => {
    const session = await openSession(provider);
    expect(session).toMatchObject({
      object: "checkout.session",
      amount_subtotal: 10_900,
      amount_total: 10_900,
      client_reference_id: "the-payment",
      currency: "usd",
      customer_email: "ada@example.com",
      livemode: false,
      mode: "payment",
      payment_intent: null,
      payment_status: "unpaid",
      status: "open",
    });
    expect(session.id).toMatch(/^cs_test_/);
    expect(session.url).toMatch(/^https?:/);
  });

  it("asks for the billing address where it should", async () => {
    expect(await openSession(provider)).toMatchObject({ billing_address_collection: "auto" });
    expect(await openSession(provider, { billing_address_collection: "required" })).toMatchObject({
      billing_address_collection: "required",
    });
  });

  it("is open for a day unless it says otherwise", async () => {
    const day = await openSession(provider);
    expect(day.expires_at - day.created).toBe(86_400);
    const expiresAt = inSeconds(3_600);
    expect(await openSession(provider, { expires_at: expiresAt })).toMatchObject({ expires_at: expiresAt });
  });

  it("expires once, and then has no page", async () => {
    const { id } = await openSession(provider);
    expect(await provider.stripe.checkout.sessions.expire(id)).toMatchObject({ status: "expired", url: null });
    const error = await refusal(provider.stripe.checkout.sessions.expire(id));
    expect(error).toMatchObject({ type: "StripeInvalidRequestError", statusCode: 400 });
    expect(await provider.stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: "expired" });
  });

  believed("expires at its time", async () => {
    const { id } = await openSession(provider, { expires_at: inSeconds(3_600) });
    await provider.sandbox.control({ do: "forward", seconds: 3_601 });
    expect(await provider.stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: "expired", url: null });
  });
});

describe("a wrong call", () => {
  const pin = { price_data: { currency: "usd", unit_amount: 10, product_data: { name: "Pin" } }, quantity: 1 };
  const unknown = (param: string) => ({ code: "parameter_unknown", param });
  const wrong: [string, Partial<Record<keyof SessionParams, unknown>>, object][] = [
    ["without a line", { line_items: undefined }, {}],
    ["with an unknown parameter", { color: "green" } as object, unknown("color")],
    [
      "with a nested unknown one",
      { payment_intent_data: { capture_method: "manual", color: "green" } },
      unknown("payment_intent_data[color]"),
    ],
    ["with text for a number", { expires_at: "tomorrow" }, { param: "expires_at" }],
    ["with an empty text", { success_url: "" }, { param: "success_url" }],
    ["with an invalid address", { success_url: "the shop" }, { param: "success_url" }],
    ["with too little to pay", { line_items: [pin] }, { code: "amount_too_small" }],
    ["with an invalid email", { customer_email: "ada" }, { param: "customer_email" }],
    ["for less than half an hour", { expires_at: inSeconds(29 * 60) }, { param: "expires_at" }],
    ["for more than a day", { expires_at: inSeconds(30 * 3_600) }, { param: "expires_at" }],
  ];

  it.each(wrong)("%s is refused and names the parameter", async (_, change, expected) => {
    const params = { ...sessionParams(), ...change } as SessionParams;
    const error = await refusal(provider.stripe.checkout.sessions.create(params));
    expect(error).toMatchObject({ type: "StripeInvalidRequestError", statusCode: 400, ...expected });
  });

  it("for an unknown object gets a 404", async () => {
    const error = await refusal(provider.stripe.checkout.sessions.retrieve("cs_test_none"));
    expect(error).toMatchObject({ type: "StripeInvalidRequestError", statusCode: 404, code: "resource_missing" });
    const other = await refusal(provider.stripe.paymentIntents.capture("pi_none"));
    expect(other).toMatchObject({ statusCode: 404, code: "resource_missing" });
  });

  it("with another API key is refused", async () => {
    const host = provider.sandbox && {
      host: provider.sandbox.host,
      port: provider.sandbox.port,
      protocol: "http" as const,
    };
    const stranger = new Stripe("sk_test_of_somebody_else", { maxNetworkRetries: 0, ...host });
    const error = await refusal(stranger.events.list());
    expect(error).toMatchObject({ type: "StripeAuthenticationError", statusCode: 401 });
  });
});

const sessions = () => provider.stripe.checkout.sessions;
const count = async () => Object.values((await provider.sandbox.books()).sessions).reduce((sum, n) => sum + n, 0);
const headersOf = ({ lastResponse }: { lastResponse: { headers: Record<string, string> } }) => lastResponse.headers;

describe("an idempotency key", () => {
  it("has one answer, marked when it is a replay", async () => {
    const options = { idempotencyKey: randomUUID() };
    const first = await sessions().create(sessionParams(), options);
    const again = await sessions().create(sessionParams(), options);
    expect(again).toEqual(first);
    expect(headersOf(again)["idempotent-replayed"]).toBe("true");
    expect(headersOf(first)["idempotent-replayed"]).toBeUndefined();
  });

  it("is bound to its parameters and endpoint", async () => {
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

  it("is not consumed by wrong parameters", async () => {
    const options = { idempotencyKey: randomUUID() };
    await refusal(sessions().create(sessionParams({ success_url: "" }), options));
    expect(await sessions().create(sessionParams(), options)).toMatchObject({ status: "open" });
  });

  believed("expires after a day", async () => {
    const options = { idempotencyKey: randomUUID() };
    const first = await sessions().create(sessionParams(), options);
    await provider.sandbox.control({ do: "forward", seconds: 86_401 });
    const another = await sessions().create(sessionParams({ client_reference_id: "another" }), options);
    expect(another.id).not.toBe(first.id);
  });
});

describe("a fault", () => {
  afterEach(() => provider.sandbox?.control({ do: "behave" }));

  const path = "/v1/checkout/sessions";
  const fail = (fault: "cut" | "error", when: "after" | "before", times = 1) =>
    provider.sandbox.control({ do: "fail", times, order: { on: "call", method: "POST", fault, when, path } });

  believed.each([
    ["before", 0],
    ["after", 1],
  ] as const)("with 500 %s the work: the key repeats that 500", async (when, made) => {
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
    "with a cut connection %s the work: the same key creates one session",
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

  believed("of the rate limit leaves the key free", async () => {
    const options = { idempotencyKey: randomUUID() };
    await provider.sandbox.control({ do: "fail", order: { on: "call", fault: "rate-limit", path } });
    const error = await refusal(sessions().create(sessionParams(), options));
    expect(error).toBeInstanceOf(Stripe.errors.StripeRateLimitError);
    expect(error.statusCode).toBe(429);
    expect(await sessions().create(sessionParams(), options)).toMatchObject({ status: "open" });
  });
});
