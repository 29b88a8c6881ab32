/** Cards that are saved on a page and charged later, while their owner is away. */
import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { payOnPage, type PaysWith } from "../support/pay-page.ts";
import { believed, idOf, inSeconds, refusal, saveCard, savingParams, sessionParams, useProvider } from "./provider.ts";

const provider = useProvider();

async function openSaving(more: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const { id } = await provider.stripe.customers.create({ email: "ada@example.com" });
  return provider.stripe.checkout.sessions.create(savingParams(id, more));
}

const setupOf = async ({ id }: Stripe.Checkout.Session) => {
  const { setup_intent: setup } = await provider.stripe.checkout.sessions.retrieve(id, {
    expand: ["setup_intent.payment_method"],
  });
  if (typeof setup !== "object" || setup === null) throw new Error("The session has no setup");
  return setup;
};

const save = async (session: Stripe.Checkout.Session, by: PaysWith = {}) => {
  const saved = await payOnPage(session.url ?? "", by);
  return { saved, setup: await setupOf(session) };
};

type Card = Awaited<ReturnType<typeof saveCard>>;

const chargeOf = (card: Card, more: Partial<Stripe.PaymentIntentCreateParams> = {}) => ({
  ...card,
  allowed_payment_method_types: ["card" as const],
  amount: 9_900,
  currency: "usd",
  off_session: true,
  confirm: true,
  metadata: { payment_id: "the-charge" },
  ...more,
});

const charge = (card: Card, more?: Partial<Stripe.PaymentIntentCreateParams>, options?: Stripe.RequestOptions) =>
  provider.stripe.paymentIntents.create(chargeOf(card, more), options);

const read = (id: string) => provider.stripe.paymentIntents.retrieve(id, { expand: ["latest_charge.refunds"] });

const intentsOf = async ({ customer }: Card) => {
  const { data } = await provider.stripe.paymentIntents.list({ customer, limit: 100 });
  return data.map(({ id, status }) => ({ id, status }));
};

describe("a page that saves a card", () => {
  it("opens with a setup, without an amount, and ends with it", async () => {
    const session = await openSaving({ expires_at: inSeconds(3_600) });
    expect(session).toMatchObject({
      amount_total: null,
      mode: "setup",
      payment_intent: null,
      payment_status: "no_payment_required",
      status: "open",
    });
    expect(await setupOf(session)).toMatchObject({
      object: "setup_intent",
      customer: session.customer,
      metadata: { payment_id: "the-payment" },
      payment_method: null,
      status: "requires_payment_method",
      usage: "off_session",
    });
    expect(await provider.stripe.checkout.sessions.expire(session.id)).toMatchObject({
      customer: session.customer,
      status: "expired",
    });
    expect(await setupOf(session)).toMatchObject({ status: "canceled" });
  });

  believed("says so, in test mode and without a script", async () => {
    const session = await openSaving({ custom_text: { submit: { message: "Charged <b>in January</b>." } } });
    const html = await (await fetch(session.url ?? "")).text();
    for (const text of ["Test mode", "Your card is saved and nothing is charged now.", "Charged &lt;b&gt;in January"])
      expect(html).toContain(text);
    expect(html).not.toMatch(/<script/);
    await save(session);
    expect(await (await fetch(session.url ?? "")).text()).toContain("Nothing was charged.");
  });

  believed("saves the card for its customer and moves no money", async () => {
    const before = await provider.sandbox.books();
    const session = await openSaving();
    const { saved, setup } = await save(session);
    expect(saved).toMatchObject({ status: 303, location: "https://shop.example/paid" });
    expect(await provider.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      payment_intent: null,
      setup_intent: setup.id,
      status: "complete",
    });
    expect(setup).toMatchObject({ status: "succeeded", last_setup_error: null });
    const { id } = setup.payment_method as Stripe.PaymentMethod;
    expect(await provider.stripe.paymentMethods.retrieve(id)).toMatchObject({
      billing_details: { name: "Ada Lovelace" },
      card: { brand: "visa", exp_month: 12, exp_year: 2040, last4: "4242", wallet: null },
      customer: session.customer,
      type: "card",
    });
    const { authorized, captured } = await provider.sandbox.books();
    expect([authorized, captured]).toEqual([before.authorized, before.captured]);
  });

  believed("saves the card of a wallet", async () => {
    const { setup } = await save(await openSaving(), { wallet: "apple_pay" });
    expect(setup.payment_method).toMatchObject({ card: { last4: "4242", wallet: { type: "apple_pay" } } });
  });

  believed.each<[string, PaysWith, object]>([
    ["a declined card", { number: "4000000000009995" }, { code: "card_declined", decline_code: "insufficient_funds" }],
    [
      "a card whose owner is not recognized",
      { number: "4000002760003184", bank: "fail" },
      { code: "setup_intent_authentication_failure" },
    ],
  ])("stays open after %s, and names the reason", async (_what, by, error) => {
    const session = await openSaving();
    const { saved, setup } = await save(session, by);
    expect(saved.status).toBe(402);
    expect(setup).toMatchObject({ status: "requires_payment_method", last_setup_error: error });
    expect((await save(session, { number: "4000002760003184" })).setup).toMatchObject({ status: "succeeded" });
  });

  believed("sends its events, in order", async () => {
    const session = await openSaving();
    await save(session, { number: "4000000000000002" });
    const { setup } = await save(session);
    const { data } = await provider.stripe.events.list({ limit: 10 });
    expect(data.filter((event) => JSON.stringify(event).includes(setup.id)).map(({ type }) => type)).toEqual([
      "checkout.session.completed",
      "setup_intent.succeeded",
      "setup_intent.setup_failed",
    ]);
  });

  it.each<[string, object]>([
    ["an unknown customer", { customer: "cus_unknown" }],
    ["a customer and an email", { customer_email: "ada@example.com" }],
    ["lines", { line_items: sessionParams().line_items }],
    ["a capture", { payment_intent_data: { capture_method: "manual" } }],
  ])("is refused with %s", async (_what, more) => {
    expect(await refusal(openSaving(more))).toMatchObject({ statusCode: 400, type: "StripeInvalidRequestError" });
  });
});

describe("a charge of a saved card", () => {
  it("takes the money at once", async () => {
    const card = await saveCard(provider);
    const { id } = await charge(card);
    const intent = await read(id);
    expect(intent).toMatchObject({
      amount: 9_900,
      amount_capturable: 0,
      amount_received: 9_900,
      ...card,
      metadata: { payment_id: "the-charge" },
      status: "succeeded",
    });
    expect(intent.latest_charge).toMatchObject({
      amount_captured: 9_900,
      captured: true,
      paid: true,
      payment_method_details: { card: { brand: "visa", last4: "4242" } },
      status: "succeeded",
    });
    expect(await refusal(provider.stripe.paymentIntents.cancel(id))).toMatchObject({
      code: "payment_intent_unexpected_state",
    });
  });

  it("is listed for its customer, newest first, in pages", async () => {
    const card = await saveCard(provider);
    const made = [await charge(card), await charge(card, { amount: 500 }), await charge(card, { amount: 600 })];
    const listed: string[] = [];
    for await (const { id } of provider.stripe.paymentIntents.list({ customer: card.customer, limit: 2 }))
      listed.push(id);
    expect(listed).toEqual(made.map(({ id }) => id).toReversed());
    expect(await intentsOf(await saveCard(provider))).toEqual([]);
  });

  it.each([
    ["4000000000000341", "card_declined", "generic_decline"],
    ["4000002760003184", "authentication_required", "authentication_required"],
  ])("can be refused (%s), and leaves an intent that is canceled", async (number, code, decline) => {
    const card = await saveCard(provider, number);
    const error = await refusal(charge(card));
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(error).toMatchObject({ statusCode: 402, code, decline_code: decline });
    const id = error.payment_intent?.id ?? "";
    expect(await intentsOf(card)).toEqual([{ id, status: "requires_payment_method" }]);
    expect(await read(id)).toMatchObject({ amount_received: 0, last_payment_error: { code, decline_code: decline } });
    expect(await provider.stripe.paymentIntents.cancel(id)).toMatchObject({ status: "canceled" });
  });

  it("happens once for a key, a refusal too", async () => {
    for (const number of ["4242424242424242", "4000000000000341"]) {
      const card = await saveCard(provider, number);
      const options = { idempotencyKey: randomUUID() };
      const attempt = () => charge(card, {}, options).catch((error: Stripe.errors.StripeError) => error.code);
      const first = await attempt();
      expect(await attempt()).toEqual(first);
      expect(await intentsOf(card)).toHaveLength(1);
      expect(await refusal(charge(card, { amount: 100 }, options))).toMatchObject({ type: "StripeIdempotencyError" });
    }
  });

  it("is refunded in parts, never beyond what was taken", async () => {
    const { id } = await charge(await saveCard(provider));
    const { refunds } = provider.stripe;
    expect(await refunds.create({ payment_intent: id, amount: 900 })).toMatchObject({ status: "succeeded" });
    expect(await refusal(refunds.create({ payment_intent: id, amount: 9_001 }))).toMatchObject({ statusCode: 400 });
    await refunds.create({ payment_intent: id });
    expect((await read(id)).latest_charge).toMatchObject({ amount_refunded: 9_900, refunded: true });
  });

  believed("is disputed by the card that disputes", async () => {
    const { id } = await charge(await saveCard(provider, "4000000000000259"));
    const { data } = await provider.stripe.disputes.list({ payment_intent: id });
    expect(data).toMatchObject([{ amount: 9_900, status: "needs_response" }]);
  });

  believed("also follows a page that pays and saves", async () => {
    const { id: customer } = await provider.stripe.customers.create({ email: "ada@example.com" });
    const params = sessionParams({ customer });
    delete params.customer_email;
    const session = await provider.stripe.checkout.sessions.create({
      ...params,
      payment_intent_data: { capture_method: "manual", setup_future_usage: "off_session" },
    });
    await payOnPage(session.url ?? "");
    const [paid] = (await provider.stripe.paymentIntents.list({ customer })).data;
    expect(paid).toMatchObject({ setup_future_usage: "off_session", status: "requires_capture" });
    expect(await charge({ customer, payment_method: idOf(paid?.payment_method) })).toMatchObject({
      status: "succeeded",
    });
  });

  believed("is counted in the books, apart from what pages took", async () => {
    const before = await provider.sandbox.books();
    await charge(await saveCard(provider));
    await refusal(charge(await saveCard(provider, "4000000000000341")));
    const { captured, savedCardCharges } = await provider.sandbox.books();
    const more = (status: string) => (savedCardCharges[status] ?? 0) - (before.savedCardCharges[status] ?? 0);
    expect([captured - before.captured, more("succeeded"), more("requires_payment_method")]).toEqual([9_900, 1, 1]);
  });

  believed("is possible months after the card was saved", async () => {
    const card = await saveCard(provider);
    await provider.sandbox.control({ do: "forward", seconds: 45 * 86_400 });
    const { created } = await charge(card);
    expect(created).toBeGreaterThanOrEqual(inSeconds(45 * 86_400 - 60));
  });

  believed.each([
    ["cut", "before", 0],
    ["cut", "after", 1],
    ["hang", "before", 0],
    ["hang", "after", 1],
    ["error", "before", 0],
    ["error", "after", 1],
  ] as const)("whose answer is lost (%s %s) took the money %i times, and once with its key again", async (...fault) => {
    const [kind, when, times] = fault;
    const order = { on: "call", fault: kind, when, method: "POST", path: "/v1/payment_intents" } as const;
    const card = await saveCard(provider);
    const options = { idempotencyKey: randomUUID(), timeout: 1_000, maxNetworkRetries: 0 };
    // The SDK itself tries a cut connection once more.
    await provider.sandbox.control({ do: "fail", order, times: kind === "cut" ? 2 : 1 });
    await refusal(charge(card, {}, options));
    expect(await intentsOf(card)).toHaveLength(times);
    // A stored 500 is repeated for its key.
    const again = await charge(card, {}, options).catch((error: Stripe.errors.StripeError) => error.statusCode);
    expect(again).toEqual(kind === "error" ? 500 : expect.objectContaining({ status: "succeeded" }));
    expect(await intentsOf(card)).toHaveLength(kind === "error" ? times : 1);
  });

  it.each<[string, object, object]>([
    ["another's card", { customer: "other" }, { param: "payment_method" }],
    ["an unknown card", { payment_method: "pm_unknown" }, { code: "resource_missing", param: "payment_method" }],
    ["an unknown parameter", { statement: "x" }, { code: "parameter_unknown", param: "statement" }],
    ["too little", { amount: 10 }, { code: "amount_too_small" }],
  ])("is refused with %s", async (_what, more, error) => {
    const [card, other] = [await saveCard(provider), await saveCard(provider)];
    const customer = "customer" in more ? other.customer : card.customer;
    expect(await refusal(charge(card, { ...more, customer }))).toMatchObject({ statusCode: 400, ...error });
    expect(await intentsOf({ ...card, customer })).toEqual([]);
  });
});

describe("a customer", () => {
  it("is deleted once, and its card is never charged again", async () => {
    const card = await saveCard(provider);
    const { customers, paymentMethods } = provider.stripe;
    const gone = { id: card.customer, deleted: true };
    expect(await customers.retrieve(card.customer)).toMatchObject({ email: "ada@example.com" });
    expect(await customers.del(card.customer)).toMatchObject(gone);
    expect(await customers.retrieve(card.customer)).toMatchObject(gone);
    expect(await refusal(customers.del(card.customer))).toMatchObject({ statusCode: 404, code: "resource_missing" });
    expect(await paymentMethods.retrieve(card.payment_method)).toMatchObject({ customer: null });
    expect(await refusal(charge(card))).toMatchObject({ statusCode: 400, code: "resource_missing" });
  });
});
