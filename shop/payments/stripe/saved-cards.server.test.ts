/** Cards that are saved on Stripe's page and charged later, through the sandbox. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { payOnPage } from "#tests/support/pay-page.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "#tests/support/payment-sandbox.ts";
import { ProviderError, type PaymentOrder, type PaymentProvider, type SavedMethod } from "../provider.ts";
import { stripeProvider } from "./stripe.server.ts";

const database = useFreshDatabase(2);
let sandbox: TestPaymentSandbox;
let provider: PaymentProvider;

beforeAll(async () => {
  sandbox = await startTestPaymentSandbox(database.url);
  const { secretKey, apiUrl, webhookSecret } = sandbox;
  const connect = () => Promise.resolve({ secretKey, apiUrl });
  provider = stripeProvider({ webhookSecrets: [webhookSecret], pageOrigin: apiUrl, connect });
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.control({ do: "behave" }));

const order = (more: Partial<PaymentOrder> = {}): PaymentOrder => ({
  paymentId: randomUUID(),
  mode: "save",
  orderNumber: "1A2B3C4D",
  email: "ada@example.com",
  asksBillingAddress: false,
  amountCents: 198_00,
  methods: ["card"],
  lines: [{ name: "Bowl", unitPriceCents: 99_00, quantity: 2 }],
  shippingCents: 0,
  taxCents: 0,
  expiresAt: new Date(Date.now() + 3_600_000),
  successUrl: "https://shop.example/paid",
  cancelUrl: "https://shop.example/back",
  ...more,
});

const at = (reference: string) => ({ reference, intentReference: null });

async function saved(number = "4242424242424242"): Promise<SavedMethod> {
  const { reference, url } = await provider.open(order());
  await payOnPage(url, { number });
  const snapshot = await provider.read(at(reference));
  if (!snapshot.saved) throw new Error("the card was not saved");
  return snapshot.saved;
}

const chargeOf = (card: SavedMethod, paymentId: string = randomUUID()) => ({
  paymentId,
  orderNumber: "1A2B3C4D",
  saved: card,
  amountCents: 99_00,
});

async function charged(number?: string) {
  const charge = chargeOf(await saved(number));
  const moved = await provider.charge(charge, randomUUID());
  return { charge, payment: at(moved.ok ? (moved.providerReference ?? "") : "") };
}

const fail = (fault: "cut" | "error", when: "after" | "before") =>
  sandbox.control({
    do: "fail",
    order: { on: "call", fault, when, method: "POST", path: "/v1/payment_intents" },
  });

describe("the page that saves a card", () => {
  it("is the same page again while it is open, with one customer", async () => {
    const once = order();
    const [page, again] = [await provider.open(once), await provider.open(once)];
    expect(again).toEqual(page);
    const { rows } = await database.pool.query("SELECT FROM payment_sandbox.customers WHERE state::text LIKE $1", [
      `%${once.paymentId}%`,
    ]);
    expect(rows).toHaveLength(1);
    expect(await provider.read(at(page.reference))).toMatchObject({ state: "open", saved: null, amountCents: 0 });
  });

  it("says that nothing is charged now, and when it is", async () => {
    const { url } = await provider.open(order());
    const html = await (await fetch(url)).text();
    expect(html).toContain("Nothing is charged now.");
    expect(html).not.toContain("$0.00");
    expect(html).toContain("charge it when order 1A2B3C4D ships, each package by itself, $198.00 in all");
  });

  it("saves the card, once, and authorizes nothing", async () => {
    const { reference, url } = await provider.open(order());
    await payOnPage(url, { number: "4000000000009995" });
    expect(await provider.read(at(reference))).toMatchObject({ state: "open", problem: "insufficient_funds" });
    await payOnPage(url, { number: "5555555555554444" });
    const snapshot = await provider.read(at(reference));
    expect(snapshot).toMatchObject({
      state: "saved",
      saved: { customer: expect.stringMatching(/^cus_/), method: expect.stringMatching(/^pm_/) },
      method: { brand: "mastercard", lastFour: "4444", wallet: null },
      authorizedCents: 0,
      capturedCents: 0,
      problem: null,
    });
    // Closing is too late, and keeps the card.
    expect(await provider.close(at(reference))).toEqual(snapshot);
  });

  it("closes unused", async () => {
    const { reference } = await provider.open(order());
    expect(await provider.close(at(reference))).toMatchObject({
      state: "closed",
      saved: null,
      unusedCustomer: expect.stringMatching(/^cus_/),
    });
  });

  it("of an order that pays and saves does both", async () => {
    const { reference, url } = await provider.open(order({ mode: "authorize", savesFor: "later" }));
    await payOnPage(url);
    const snapshot = await provider.read(at(reference));
    expect(snapshot).toMatchObject({ state: "authorized", authorizedCents: 198_00 });
    expect(await provider.charge(chargeOf(snapshot.saved!), randomUUID())).toMatchObject({ ok: true });
  });

  it("is named by its events", async () => {
    const { reference, url } = await provider.open(order({ paymentId: "the-payment" }));
    await payOnPage(url);
    const { reference: card } = await provider.open(order());
    await provider.close(at(card));
    const events = await provider.missed(new Date(Date.now() - 60_000));
    const named = (name: string) => events.filter((event) => event.reference === name).map(({ type }) => type);
    expect(named("the-payment")).toEqual(["setup_intent.succeeded"]);
    expect(named(reference)).toEqual(["checkout.session.completed"]);
    expect(named(card)).toEqual(["checkout.session.expired"]);
  });
});

describe("a charge", () => {
  it("takes the money at once, and is read by its own reference", async () => {
    const { payment } = await charged();
    expect(await provider.read(payment)).toMatchObject({
      state: "captured",
      reference: payment.reference,
      intentReference: payment.reference,
      currency: "usd",
      amountCents: 99_00,
      capturedCents: 99_00,
      method: { brand: "visa", lastFour: "4242", wallet: null },
    });
  });

  it.each([
    ["4000000000000341", "generic_decline"],
    ["4000002760003184", "authentication_required"],
  ])("is refused in words (%s), and nothing is left to confirm", async (number, problem) => {
    const charge = chargeOf(await saved(number));
    const key = randomUUID();
    for (let time = 0; time < 2; time++) expect(await provider.charge(charge, key)).toEqual({ ok: false, problem });
    expect(await provider.findCharge(charge.paymentId, charge.saved)).toMatchObject({
      state: "closed",
      capturedCents: 0,
      problem,
    });
    const { data } = await sandbox.stripe.paymentIntents.list({ customer: charge.saved.customer });
    expect(data.map(({ status }) => status)).toEqual(["canceled"]);
  });

  it("whose answer was lost is found, and happens once with its key", async () => {
    const charge = chargeOf(await saved());
    const key = randomUUID();
    await fail("cut", "before");
    await expect(provider.charge(charge, key)).rejects.toMatchObject({ kind: "away" });
    expect(await provider.findCharge(charge.paymentId, charge.saved)).toBeNull();
    await fail("cut", "after");
    await expect(provider.charge(charge, key)).rejects.toMatchObject({ kind: "away" });
    const found = await provider.findCharge(charge.paymentId, charge.saved);
    expect(found).toMatchObject({ state: "captured", capturedCents: 99_00 });
    expect(await provider.charge(charge, key)).toEqual({ ok: true, providerReference: found?.reference });
    const { data } = await sandbox.stripe.paymentIntents.list({ customer: charge.saved.customer });
    expect(data).toHaveLength(1);
  });

  it("that failed halfway is found, although its key repeats the failure", async () => {
    const charge = chargeOf(await saved());
    const key = randomUUID();
    await fail("error", "after");
    for (let time = 0; time < 2; time++) {
      const error = await provider.charge(charge, key).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ProviderError);
      expect(error).toMatchObject({ kind: "fault" });
    }
    expect(await provider.findCharge(charge.paymentId, charge.saved)).toMatchObject({ state: "captured" });
  });

  it("is found by its payment alone, and before a refusal that came later", async () => {
    const charge = chargeOf(await saved());
    const { customer } = charge.saved;
    await provider.charge(charge, randomUUID());
    const session = await sandbox.stripe.checkout.sessions.create({
      mode: "setup",
      currency: "usd",
      customer,
      success_url: "https://shop.example/paid",
    });
    await payOnPage(session.url ?? "", { number: "4000000000000341" });
    const setup = await sandbox.stripe.setupIntents.retrieve(session.setup_intent as string);
    const refusing = { customer, method: setup.payment_method as string };
    expect(await provider.charge({ ...charge, saved: refusing }, randomUUID())).toMatchObject({ ok: false });
    expect(await provider.findCharge(charge.paymentId, charge.saved)).toMatchObject({ state: "captured" });
    expect(await provider.findCharge(randomUUID(), charge.saved)).toBeNull();
  });

  it("is refunded, and its refund is read", async () => {
    const { payment } = await charged();
    const key = randomUUID();
    const moved = await provider.refund(payment, 9_00, key, "the-action");
    expect(await provider.refund(payment, 9_00, key, "the-action")).toEqual(moved);
    expect(await provider.read(payment)).toMatchObject({
      state: "captured",
      refundedCents: 9_00,
      refunds: [{ actionId: "the-action", cents: 9_00, state: "done" }],
    });
    expect(await provider.refund(payment, 90_01, randomUUID(), "too-much")).toMatchObject({ ok: false });
  });

  it("is read with all its refunds, also beyond the ten that come with it", async () => {
    const { payment } = await charged();
    for (let n = 1; n <= 12; n++) await provider.refund(payment, n, `refund-${n}-${payment.reference}`, `action-${n}`);
    const { refunds, refundedCents } = await provider.read(payment);
    expect(refunds.map(({ cents }) => cents)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(refundedCents).toBe(78);
  });

  it("shows its dispute until that is over", async () => {
    const { payment } = await charged("4000000000000259");
    expect(await provider.read(payment)).toMatchObject({ dispute: { state: "open", until: expect.any(Date) } });
    await sandbox.control({ do: "win-dispute", paymentIntent: payment.reference });
    expect(await provider.read(payment)).toMatchObject({ dispute: { state: "won" }, capturedCents: 99_00 });
  });
});

it("a card is forgotten once, and never charged again", async () => {
  const card = await saved();
  for (let times = 0; times < 2; times++) await provider.forget(card.customer);
  expect(await provider.charge(chargeOf(card), randomUUID())).toEqual({ ok: false, problem: "resource_missing" });
});
