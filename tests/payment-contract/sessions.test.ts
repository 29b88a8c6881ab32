/** Checkout sessions: what they are made of, how they end, and how what is wrong with a call is said. */
import Stripe from "stripe";
import { describe, expect, it } from "vitest";
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
  it("is open, has a page, costs what its lines add up to, and has no payment intent yet", async () => {
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

  it("is read again as it was made", async () => {
    const session = await openSession(provider, { metadata: { number: "P-1", empty: "" } });
    expect(session.metadata).toEqual({ number: "P-1" });
    expect(await provider.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      ...session,
      url: session.url,
    });
  });

  it("is open for a day unless it says otherwise", async () => {
    const day = await openSession(provider);
    expect(day.expires_at - day.created).toBe(86_400);
    const expiresAt = inSeconds(3_600);
    expect(await openSession(provider, { expires_at: expiresAt })).toMatchObject({ expires_at: expiresAt });
  });

  it.each([
    ["less than half an hour", 29 * 60],
    ["more than a day", 25 * 3_600],
  ])("is not open for %s", async (_, seconds) => {
    const error = await refusal(openSession(provider, { expires_at: inSeconds(seconds) }));
    expect(error).toMatchObject({ type: "StripeInvalidRequestError", statusCode: 400, param: "expires_at" });
  });

  it("is expired once, and has no page then", async () => {
    const { id } = await openSession(provider);
    expect(await provider.stripe.checkout.sessions.expire(id)).toMatchObject({ status: "expired", url: null });
    const error = await refusal(provider.stripe.checkout.sessions.expire(id));
    expect(error).toMatchObject({ type: "StripeInvalidRequestError", statusCode: 400 });
    expect(await provider.stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: "expired" });
  });

  believed("ends by itself at its time", async () => {
    const { id } = await openSession(provider, { expires_at: inSeconds(3_600) });
    await provider.sandbox.control({ do: "forward", seconds: 3_601 });
    expect(await provider.stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: "expired", url: null });
  });
});

describe("a call that is wrong", () => {
  const wrong: [string, Partial<Record<keyof SessionParams, unknown>>, object][] = [
    ["without a line", { line_items: undefined }, {}],
    [
      "with a parameter that nobody knows",
      { colour: "green" } as object,
      { code: "parameter_unknown", param: "colour" },
    ],
    [
      "with one further in",
      { payment_intent_data: { colour: "green" } },
      { code: "parameter_unknown", param: "payment_intent_data[colour]" },
    ],
    [
      "with a number that is none",
      { expires_at: "tomorrow" },
      { code: "parameter_invalid_integer", param: "expires_at" },
    ],
    ["with an empty text", { success_url: "" }, { code: "parameter_invalid_empty", param: "success_url" }],
    ["with an address that is none", { success_url: "the shop" }, { code: "url_invalid", param: "success_url" }],
    [
      "with too little to pay",
      {
        line_items: [{ price_data: { currency: "usd", unit_amount: 10, product_data: { name: "Pin" } }, quantity: 1 }],
      },
      { code: "amount_too_small" },
    ],
    ["with an email that is none", { customer_email: "ada" }, { param: "customer_email" }],
  ];

  it.each(wrong)("%s is refused by name", async (_, change, expected) => {
    const params = { ...sessionParams(), ...change } as SessionParams;
    const error = await refusal(provider.stripe.checkout.sessions.create(params));
    expect(error).toMatchObject({ type: "StripeInvalidRequestError", statusCode: 400, ...expected });
    expect(error.message.length).toBeGreaterThan(10);
    expect(error.requestId).toMatch(/^req_/);
  });

  it("for an object that is not there is answered with 404", async () => {
    const error = await refusal(provider.stripe.checkout.sessions.retrieve("cs_test_none"));
    expect(error).toMatchObject({ type: "StripeInvalidRequestError", statusCode: 404, code: "resource_missing" });
    const others = await Promise.all([
      refusal(provider.stripe.paymentIntents.retrieve("pi_none")),
      refusal(provider.stripe.charges.retrieve("ch_none")),
      refusal(provider.stripe.refunds.retrieve("re_none")),
      refusal(provider.stripe.disputes.retrieve("dp_none")),
      refusal(provider.stripe.events.retrieve("evt_none")),
    ]);
    for (const other of others) expect(other).toMatchObject({ statusCode: 404, code: "resource_missing" });
  });

  it("with another key is not let in", async () => {
    const host = provider.sandbox && {
      host: provider.sandbox.host,
      port: provider.sandbox.port,
      protocol: "http" as const,
    };
    const stranger = new Stripe("sk_test_of_somebody_else", { maxNetworkRetries: 0, ...host });
    const error = await refusal(stranger.checkout.sessions.list());
    expect(error).toMatchObject({ type: "StripeAuthenticationError", statusCode: 401 });
  });

  it("asks for what cannot be expanded", async () => {
    const { id } = await openSession(provider);
    const error = await refusal(provider.stripe.checkout.sessions.retrieve(id, { expand: ["colour"] }));
    expect(error).toMatchObject({ type: "StripeInvalidRequestError", statusCode: 400 });
  });
});

describe("a list", () => {
  it("has the newest first, and the next page after the last one read", async () => {
    const made: string[] = [];
    for (let i = 0; i < 3; i++) made.unshift((await openSession(provider)).id);
    const first = await provider.stripe.checkout.sessions.list({ limit: 2 });
    expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 2));
    expect(first).toMatchObject({ object: "list", has_more: true, url: "/v1/checkout/sessions" });
    const second = await provider.stripe.checkout.sessions.list({ limit: 1, starting_after: made[1]! });
    expect(second.data.map(({ id }) => id)).toEqual(made.slice(2));
    const before = await provider.stripe.checkout.sessions.list({ limit: 2, ending_before: made[2]! });
    expect(before.data.map(({ id }) => id)).toEqual(made.slice(0, 2));
  });

  it("is read to its end by the SDK itself", async () => {
    const { created } = await openSession(provider);
    await openSession(provider);
    const ids: string[] = [];
    for await (const { id } of provider.stripe.checkout.sessions.list({ limit: 1, created: { gte: created } }))
      ids.push(id);
    expect(ids.length).toBeGreaterThanOrEqual(2);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("keeps to the times and the status that it is asked for", async () => {
    const { id, created } = await openSession(provider);
    await provider.stripe.checkout.sessions.expire(id);
    const later = await provider.stripe.checkout.sessions.list({ created: { gt: created + 60 } });
    expect(later.data).toEqual([]);
    const expired = await provider.stripe.checkout.sessions.list({ status: "expired", created: { gte: created } });
    expect(expired.data.map((session) => session.id)).toContain(id);
    const open = await provider.stripe.checkout.sessions.list({ status: "open" });
    expect(open.data.map((session) => session.id)).not.toContain(id);
  });

  it("is no longer than a hundred", async () => {
    const error = await refusal(provider.stripe.checkout.sessions.list({ limit: 101 }));
    expect(error).toMatchObject({ type: "StripeInvalidRequestError", statusCode: 400 });
  });
});
