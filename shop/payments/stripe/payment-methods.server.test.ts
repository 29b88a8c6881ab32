/** Payment methods of Stripe's page as the shop reads them, through the sandbox. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { payOnPage } from "#tests/support/pay-page.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "#tests/support/payment-sandbox.ts";
import { METHOD_NAMES, type MethodName, PAYMENT_METHODS } from "../payment-method.ts";
import type { PaymentOrder, PaymentProvider } from "../provider.ts";
import { stripeProvider } from "./stripe.server.ts";

const DAY_MS = 86_400_000;
const database = useFreshDatabase(2);
let sandbox: TestPaymentSandbox;
let provider: PaymentProvider;

beforeAll(async () => {
  sandbox = await startTestPaymentSandbox(database.url);
  const { secretKey, apiUrl, webhookSecret } = sandbox;
  const connect = () => Promise.resolve({ secretKey, apiUrl });
  const settings = { webhookSecrets: [webhookSecret], pageOrigin: apiUrl, connect };
  provider = stripeProvider({ ...settings, methods: METHOD_NAMES });
});
afterAll(() => sandbox.stop());

async function open(mode: PaymentOrder["mode"], method: MethodName) {
  const { reference, url } = await provider.open({
    paymentId: randomUUID(),
    mode,
    orderNumber: "1A2B3C4D",
    email: "ada@example.com",
    asksBillingAddress: false,
    amountCents: 99_00,
    lines: [{ name: "Bowl", unitPriceCents: 99_00, quantity: 1 }],
    shippingCents: 0,
    taxCents: 0,
    expiresAt: new Date(Date.now() + 3_600_000),
    successUrl: "https://shop.example/paid",
    cancelUrl: "https://shop.example/back",
  });
  const paid = await payOnPage(url, method === "card" ? {} : { method });
  return { payment: { reference, intentReference: null }, paid };
}

it.each(METHOD_NAMES)("%s: its name, its own deadline, a part captured, the rest no refund", async (method) => {
  const { payment } = await open("authorize", method);
  const held = await provider.read(payment);
  expect(held).toMatchObject({ state: "authorized", authorizedCents: 99_00 });
  expect(held.method?.brand).toBe(method === "card" ? "visa" : method);
  const days = (held.captureBefore!.getTime() - Date.now()) / DAY_MS;
  expect(days).toBeCloseTo(PAYMENT_METHODS[method].authorizedDays, 2);
  expect(await provider.capture(payment, 40_00, randomUUID())).toMatchObject({ ok: true });
  expect(await provider.read(payment)).toMatchObject({ state: "captured", capturedCents: 40_00, refundedCents: 0 });
  expect(await provider.refund(payment, 10_00, randomUUID(), randomUUID())).toMatchObject({ ok: true });
  expect(await provider.read(payment)).toMatchObject({ refundedCents: 10_00 });
});

it.each(METHOD_NAMES)("%s: released", async (method) => {
  const { payment } = await open("authorize", method);
  expect(await provider.close(payment, { voids: true })).toMatchObject({ state: "voided", capturedCents: 0 });
});

it.each(METHOD_NAMES.filter((name) => PAYMENT_METHODS[name].isSavable))(
  "%s: saved, and charged later",
  async (method) => {
    const { saved } = await provider.read((await open("save", method)).payment);
    const charge = { paymentId: randomUUID(), orderNumber: "1A2B3C4D", saved: saved!, amountCents: 99_00 };
    const charged = await provider.charge(charge, randomUUID());
    const reference = charged.ok ? (charged.providerReference ?? "") : "";
    expect(await provider.read({ reference, intentReference: null })).toMatchObject({
      state: "captured",
      method: { brand: method === "card" ? "visa" : method },
    });
  },
);

it.each(METHOD_NAMES.filter((name) => !PAYMENT_METHODS[name].isSavable))(
  "%s: not offered to be saved",
  async (method) => {
    expect((await open("save", method)).paid.status).toBe(422);
  },
);
