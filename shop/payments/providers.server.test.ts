/** Every method of payment as the shop calls its provider, through the provider's sandbox. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { payOnPage, type PaysWith } from "#tests/support/pay-page.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "#tests/support/payment-sandbox.ts";
import { startWebhookReceiver, type WebhookReceiver } from "#tests/support/webhook-receiver.ts";
import { METHOD_NAMES, type MethodName, methodsOf, PAYMENT_METHODS } from "./payment-method.ts";
import { payPalProvider } from "./paypal/paypal.server.ts";
import type { PaymentOrder, PaymentProvider, PaymentReference, PaymentSnapshot, ProviderName } from "./provider.ts";
import { stripeProvider } from "./stripe/stripe.server.ts";

const DAY_MS = 86_400_000;
const database = useFreshDatabase(2);
let sandbox: TestPaymentSandbox;
let webhooks: WebhookReceiver;
let providers: Record<ProviderName, PaymentProvider>;

beforeAll(async () => {
  webhooks = await startWebhookReceiver();
  sandbox = await startTestPaymentSandbox(database.url, webhooks.url);
  const { secretKey, apiUrl, webhookSecret, payPal } = sandbox;
  const connect = () => Promise.resolve({ secretKey, apiUrl });
  const settings = { webhookSecrets: [webhookSecret], pageOrigin: apiUrl, connect };
  providers = {
    stripe: stripeProvider(settings),
    paypal: payPalProvider(apiUrl, () => Promise.resolve(payPal)),
  };
});
afterAll(async () => {
  await sandbox.stop();
  await webhooks.stop();
});
afterEach(() => sandbox.control({ do: "behave" }));

const order = (more: Partial<PaymentOrder> = {}): PaymentOrder => ({
  paymentId: randomUUID(),
  mode: "authorize",
  orderNumber: "1A2B3C4D",
  email: "ada@example.com",
  asksBillingAddress: false,
  amountCents: 99_00,
  methods: methodsOf("stripe", METHOD_NAMES),
  lines: [{ name: "Bowl", unitPriceCents: 44_50, quantity: 2 }],
  shippingCents: 8_00,
  taxCents: 2_00,
  expiresAt: new Date(Date.now() + 3_600_000),
  successUrl: "https://shop.example/paid?order=1",
  cancelUrl: "https://shop.example/back",
  ...more,
});

const paysWith = (method: MethodName): PaysWith =>
  method === "card" ? {} : method === "paypal" ? { account: "pays" } : { method };

/** A page and its payment, as the shop keeps it. */
async function open(method: MethodName, more: Partial<PaymentOrder> = {}) {
  const provider = providers[PAYMENT_METHODS[method].provider];
  const asked = order(more);
  const { reference, url } = await provider.open(asked);
  const payment: PaymentReference = { reference, intentReference: null, url };
  const read = async (): Promise<PaymentSnapshot> => {
    const snapshot = await provider.read(payment);
    payment.intentReference = snapshot.intentReference;
    return snapshot;
  };
  return { provider, paymentId: asked.paymentId, payment, read, pay: (by = paysWith(method)) => payOnPage(url, by) };
}

async function held(method: MethodName) {
  const page = await open(method);
  await page.pay();
  expect(await page.read()).toMatchObject({ state: "authorized", authorizedCents: 99_00 });
  return page;
}

async function captured(method: MethodName) {
  const page = await held(method);
  expect(await page.provider.capture(page.payment, 99_00, randomUUID())).toMatchObject({ ok: true });
  await page.read();
  return page;
}

describe.each(METHOD_NAMES)("%s", (method) => {
  it("has its own name and deadline; a part is captured, the rest is no refund", async () => {
    const { provider, payment, read } = await held(method);
    const { captureBefore, method: used } = await read();
    expect(used?.brand).toBe(method === "card" ? "visa" : method);
    const days = (captureBefore!.getTime() - Date.now()) / DAY_MS;
    expect(days).toBeCloseTo(PAYMENT_METHODS[method].authorizedDays, 2);
    expect(await provider.capture(payment, 99_01, randomUUID())).toMatchObject({ ok: false });
    expect(await provider.capture(payment, 40_00, randomUUID())).toMatchObject({ ok: true });
    expect(await read()).toMatchObject({ state: "captured", capturedCents: 40_00, refundedCents: 0 });
    const actionId = randomUUID();
    expect(await provider.refund(payment, 10_00, randomUUID(), actionId)).toMatchObject({ ok: true });
    expect(await read()).toMatchObject({
      capturedCents: 40_00,
      refundedCents: 10_00,
      refunds: [{ actionId, cents: 10_00, state: "done" }],
    });
    expect(await provider.refund(payment, 30_01, randomUUID(), randomUUID())).toMatchObject({ ok: false });
  });

  it("is released, and then neither captured nor paid again", async () => {
    const { provider, payment } = await held(method);
    expect(await provider.close(payment, { voids: true })).toMatchObject({ state: "voided", capturedCents: 0 });
    expect(await provider.close(payment, { voids: true })).toMatchObject({ state: "voided" });
    expect(await provider.capture(payment, 99_00, randomUUID())).toMatchObject({ ok: false });
  });

  it("cannot be paid on a closed page", async () => {
    const page = await open(method);
    expect(await page.provider.close(page.payment)).toMatchObject({ state: "closed", authorizedCents: 0 });
    await page.pay();
    page.payment.url = null;
    expect(await page.read()).toMatchObject({ state: "closed", authorizedCents: 0 });
  });

  it("paid before its page closed, it is authorized", async () => {
    const page = await open(method);
    await page.pay();
    expect(await page.provider.close(page.payment)).toMatchObject({ state: "authorized", authorizedCents: 99_00 });
  });
});

describe.each(["card", "paypal"] as const)("the provider of %s", (method) => {
  const paths = {
    card: ["/v1/checkout/sessions", "/v1/payment_intents/*/capture", "/v1/refunds"],
    paypal: ["/paypal/v2/checkout/orders", "/paypal/v2/payments/*/capture", "/paypal/v2/payments/*/refund"],
  }[method];
  const lose = (path: string, when: "before" | "after") =>
    sandbox.control({ do: "fail", order: { on: "call", fault: "cut", method: "POST", when, path } });

  it.each(["before", "after"] as const)(
    "opens one page for a payment whose answer is lost %s the work",
    async (when) => {
      const asked = order();
      const provider = providers[PAYMENT_METHODS[method].provider];
      await lose(paths[0]!, when);
      await expect(provider.open(asked)).rejects.toMatchObject({ kind: "away" });
      const [page, again] = [await provider.open(asked), await provider.open(asked)];
      expect(again).toEqual(page);
    },
  );

  it.each(["before", "after"] as const)("captures and refunds once with answers lost %s the work", async (when) => {
    const { provider, payment, read } = await held(method);
    const [captureKey, refundKey, actionId] = [randomUUID(), randomUUID(), randomUUID()];
    await lose(paths[1]!, when);
    await expect(provider.capture(payment, 99_00, captureKey)).rejects.toMatchObject({ kind: "away" });
    const moved = await provider.capture(payment, 99_00, captureKey);
    expect(await provider.capture(payment, 99_00, captureKey)).toEqual(moved);
    expect(await read()).toMatchObject({ state: "captured", capturedCents: 99_00 });
    await lose(paths[2]!, when);
    await expect(provider.refund(payment, 9_00, refundKey, actionId)).rejects.toMatchObject({ kind: "away" });
    const refunded = await provider.refund(payment, 9_00, refundKey, actionId);
    expect(await provider.refund(payment, 9_00, refundKey, actionId)).toEqual(refunded);
    expect(await read()).toMatchObject({ capturedCents: 99_00, refundedCents: 9_00, refunds: [{ actionId }] });
  });

  it("is busy past its rate limit, and does nothing then", async () => {
    const { provider, payment, read } = await held(method);
    await sandbox.control({ do: "fail", order: { on: "call", fault: "rate-limit", path: paths[1]! } });
    await expect(provider.capture(payment, 99_00, randomUUID())).rejects.toMatchObject({ kind: "busy" });
    expect(await read()).toMatchObject({ state: "authorized" });
  });

  it("is denied with a wrong key, and does nothing then", async () => {
    const { payment, read } = await held(method);
    const { apiUrl, payPal } = sandbox;
    const wrong = {
      stripe: stripeProvider({
        webhookSecrets: [],
        pageOrigin: apiUrl,
        connect: () => Promise.resolve({ secretKey: "sk_test_wrong", apiUrl }),
      }),
      paypal: payPalProvider(apiUrl, () => Promise.resolve({ ...payPal, secret: "wrong" })),
    };
    const provider = wrong[PAYMENT_METHODS[method].provider];
    await expect(provider.capture(payment, 99_00, randomUUID())).rejects.toMatchObject({ kind: "denied" });
    expect(await read()).toMatchObject({ state: "authorized" });
  });

  it.each(["win", "lose"] as const)("says until when to answer a dispute, and its end: %s", async (end) => {
    const page = await open(method);
    await page.pay(method === "paypal" ? { account: "disputes" } : { number: "4000000000000259" });
    await page.read();
    await page.provider.capture(page.payment, 99_00, randomUUID());
    const { dispute, intentReference: id } = await page.read();
    expect(dispute).toEqual({ state: "open", until: expect.any(Date) });
    expect(await page.provider.refund(page.payment, 1_00, randomUUID(), randomUUID())).toMatchObject({ ok: false });
    await sandbox.control(
      method === "paypal"
        ? { do: `${end}-paypal-dispute`, capture: id! }
        : { do: `${end}-dispute`, paymentIntent: id! },
    );
    const over = end === "win" ? { state: "won" } : { state: "lost", cents: 99_00 };
    expect(await page.read()).toMatchObject({ dispute: over, capturedCents: 99_00 });
  });

  it("signs events that name the payment; forged and changed ones are refused, and lost ones are listed", async () => {
    const delivered = () => expect.poll(async () => (await sandbox.books()).undelivered).toBe(0);
    await delivered();
    webhooks.received.length = 0;
    const { provider, paymentId, payment, read } = await captured(method);
    await provider.refund(payment, 9_00, randomUUID(), randomUUID());
    const { reference, intentReference } = await read();
    await delivered();
    const known = new Set<string | null>([paymentId, reference, intentReference]);
    const names = new Set<string>();
    for (const { headers: sent, body } of webhooks.received) {
      const headers = new Headers(sent as Record<string, string>);
      const event = await provider.verify(headers, body);
      names.add(event?.reference ?? "");
      expect(await provider.verify(headers, body)).toEqual(event);
      expect(await provider.verify(headers, body.replace(/evt_|WH-/, "$&X"))).toBeNull();
      expect(await provider.verify(new Headers(), body)).toBeNull();
    }
    expect(webhooks.received.length).toBeGreaterThanOrEqual(3);
    expect([...names].filter((name) => !known.has(name))).toEqual([]);
    const listed = (await provider.missed(new Date(Date.now() - 60_000))).map((event) => event.reference);
    expect(listed).toEqual(expect.arrayContaining([...names]));
    await sandbox.control({ do: "fail", order: { on: "webhook", fault: "badly-signed" } });
    webhooks.received.length = 0;
    webhooks.answers.push(400);
    await provider.refund(payment, 1_00, randomUUID(), randomUUID());
    // An event of before may still come, and is signed well.
    const verified = () =>
      Promise.all(
        webhooks.received.map(({ headers, body }) =>
          provider.verify(new Headers(headers as Record<string, string>), body),
        ),
      );
    await expect.poll(verified).toContain(null);
  });
});

it.each(METHOD_NAMES.filter((name) => PAYMENT_METHODS[name].isSavable))(
  "%s is saved, and charged later",
  async (method) => {
    const { provider, pay, read } = await open(method, { mode: "save" });
    await pay();
    const { saved } = await read();
    const charge = { paymentId: randomUUID(), orderNumber: "1A2B3C4D", saved: saved!, amountCents: 99_00 };
    const charged = await provider.charge(charge, randomUUID());
    const reference = charged.ok ? (charged.providerReference ?? "") : "";
    expect(await provider.read({ reference, intentReference: null })).toMatchObject({
      state: "captured",
      method: { brand: method === "card" ? "visa" : method },
    });
  },
);

it.each(METHOD_NAMES.filter((name) => !PAYMENT_METHODS[name].isSavable))("%s cannot be saved", async (method) => {
  const page = await open(method, { mode: "save" }).catch(() => null);
  expect((await page?.pay())?.status ?? "no page").toBe(method === "paypal" ? "no page" : 422);
});

// Last, because it moves the clock for all payments.
it.each(["card", "paypal"] as const)("%s: what is not captured ends on its day", async (method) => {
  const { read } = await held(method);
  await sandbox.control({ do: "forward", seconds: PAYMENT_METHODS[method].authorizedDays * 86_400 + 1 });
  expect(await read()).toMatchObject({ state: "voided", capturedCents: 0 });
});
