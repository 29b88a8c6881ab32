/** PayPal's own behavior: its page only approves, it reserves for three days, and its access tokens end. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "#sandboxes/paypal/order.ts";
import { setClockOffset } from "#shop/clock.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { payOnPage } from "#tests/support/pay-page.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "#tests/support/payment-sandbox.ts";
import type { PaymentProvider, PaymentReference } from "../provider.ts";
import { payPalProvider } from "./paypal.server.ts";

const DAY = 86_400;
const database = useFreshDatabase(2);
let sandbox: TestPaymentSandbox;
let provider: PaymentProvider;
/** Paths that were called. */
let calls: string[];

beforeAll(async () => {
  sandbox = await startTestPaymentSandbox(database.url);
  calls = [];
  provider = withFetch(globalThis.fetch);
});
afterAll(() => sandbox.stop());
afterEach(() => {
  setClockOffset(0);
  calls = [];
});

/** A provider of its own, whose calls are noted. */
const withFetch = (fetch: (url: string, init?: RequestInit) => Promise<Response>): PaymentProvider =>
  payPalProvider(sandbox.apiUrl, () =>
    Promise.resolve({
      ...sandbox.payPal,
      fetch: (input, init) => {
        const url = input as string;
        calls.push(url.slice(sandbox.payPal.apiUrl.length));
        return fetch(url, init);
      },
    }),
  );

/** Both clocks, as with CLOCK_OFFSET. */
async function later(seconds: number): Promise<void> {
  await sandbox.control({ do: "forward", seconds });
  const { rows } = await database.pool.query<{ ms: number }>(
    "SELECT extract(epoch FROM clock_offset)::int * 1000 AS ms FROM payment_sandbox.settings",
  );
  setClockOffset(rows[0]!.ms);
}

async function open(): Promise<PaymentReference & { url: string }> {
  const { reference, url } = await provider.open({
    paymentId: randomUUID(),
    mode: "authorize",
    orderNumber: "1A2B3C4D",
    email: "ada@example.com",
    asksBillingAddress: false,
    amountCents: 99_00,
    methods: ["paypal"],
    lines: [{ name: "Bowl", unitPriceCents: 99_00, quantity: 1 }],
    shippingCents: 0,
    taxCents: 0,
    expiresAt: new Date(Date.now() + 3_600_000),
    successUrl: "https://shop.example/payments/return?order=ours",
    cancelUrl: "https://shop.example/back",
  });
  return { reference, url, intentReference: null };
}

async function approved(account: Account = "pays") {
  const payment = await open();
  const { location } = await payOnPage(payment.url, { account });
  return { payment, location };
}

async function held(account: Account = "pays") {
  const { payment } = await approved(account);
  const { intentReference, state } = await provider.read(payment);
  expect(state).toBe("authorized");
  return { ...payment, url: null, intentReference };
}

describe("PayPal's page", () => {
  it("comes back with its own token beside the shop's, and authorizes nothing itself", async () => {
    const { payment, location } = await approved();
    const { searchParams } = new URL(location ?? "");
    expect([searchParams.get("order"), searchParams.get("token")]).toEqual(["ours", payment.reference]);
    expect(await sandbox.books()).toMatchObject({ authorized: 0 });
  });

  it("authorizes once, however many read the approval at once", async () => {
    const { payment } = await approved();
    const states = await Promise.all(Array.from({ length: 8 }, async () => (await provider.read(payment)).state));
    expect(new Set(states)).toEqual(new Set(["authorized"]));
    const { rows } = await database.pool.query<{ count: number }>(
      `SELECT jsonb_array_length(state #> '{order,purchase_units,0,payments,authorizations}') AS count
       FROM payment_sandbox.paypal_orders WHERE id = $1`,
      [payment.reference],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it("is approved again after a decline, by the same payment", async () => {
    const { payment } = await approved("declined");
    expect(await provider.read(payment)).toMatchObject({ state: "open", problem: "instrument_declined" });
    await payOnPage(payment.url, { account: "pays" });
    expect(await provider.read(payment)).toMatchObject({ state: "authorized", problem: null });
  });

  it("approved after the shop has closed it, holds no money", async () => {
    const { payment } = await approved();
    expect(await provider.read({ ...payment, url: null })).toMatchObject({ state: "closed", authorizedCents: 0 });
  });

  it("is forgotten after three hours without approval", async () => {
    const payment = await open();
    await later(3 * 3_600 + 1);
    expect(await provider.read(payment)).toMatchObject({ state: "closed", authorizedCents: 0 });
  });
});

describe("a capture", () => {
  it.each<[string, Account, number, number]>([
    ["within three days uses the first authorization", "pays", 2 * DAY, 0],
    ["after three days reauthorizes it first", "pays", 4 * DAY, 1],
    ["whose reauthorization is refused uses the first one", "card", 4 * DAY, 1],
  ])("%s", async (_what, account, seconds, reauthorizations) => {
    const payment = await held(account);
    await later(seconds);
    const key = randomUUID();
    const moved = await provider.capture(payment, 40_00, key);
    expect(await provider.capture(payment, 40_00, key)).toEqual(moved);
    expect(await provider.read(payment)).toMatchObject({ state: "captured", capturedCents: 40_00 });
    expect(calls.filter((path) => path.endsWith("/reauthorize"))).toHaveLength(reauthorizations * 2);
  });

  it("that is refused can still be voided", async () => {
    const payment = await held("refuses-capture");
    const refused = { ok: false, problem: "transaction_refused" };
    expect(await provider.capture(payment, 99_00, randomUUID())).toEqual(refused);
    expect(await provider.close(payment, { voids: true })).toMatchObject({ state: "voided" });
  });

  it("may be pending, and is captured when PayPal says so; so is its refund", async () => {
    const payment = await held("slow");
    const moved = await provider.capture(payment, 99_00, randomUUID());
    const pending = await provider.read(payment);
    expect(pending).toMatchObject({ state: "authorized", capturedCents: 0 });
    expect(moved).toEqual({ ok: true, providerReference: pending.intentReference });
    await later(61);
    const { intentReference } = await provider.read(payment);
    expect(await provider.refund({ ...payment, intentReference }, 9_00, randomUUID(), "the-action")).toMatchObject({
      ok: true,
    });
    expect(await provider.read(payment)).toMatchObject({ refundedCents: 0, refunds: [{ state: "pending" }] });
    await later(61);
    expect(await provider.read(payment)).toMatchObject({ refundedCents: 9_00, refunds: [{ state: "done" }] });
  });

  it("never voids what it took", async () => {
    const payment = await held();
    await provider.capture(payment, 40_00, randomUUID());
    expect(await provider.close(payment, { voids: true })).toMatchObject({ state: "captured", capturedCents: 40_00 });
  });
});

it("asks for an access token once, and again when it ends or is refused", async () => {
  const tokens = () => calls.filter((path) => path === "/v1/oauth2/token").length;
  const own = withFetch(globalThis.fetch);
  const payment = await open();
  calls = [];
  for (let i = 0; i < 3; i++) await own.read(payment);
  expect(tokens()).toBe(1);
  setClockOffset(10 * 3_600_000);
  await own.read(payment);
  expect(tokens()).toBe(2);
});

it("counts no dispute where the merchant's app may not read disputes", async () => {
  const payment = await held("disputes");
  await provider.capture(payment, 99_00, randomUUID());
  const blind = withFetch((url, init) =>
    url.includes("/disputes")
      ? Promise.resolve(Response.json({ name: "NOT_AUTHORIZED" }, { status: 403 }))
      : globalThis.fetch(url, init),
  );
  expect(await blind.read(payment)).toMatchObject({ state: "captured", dispute: null });
  expect(await provider.read(payment)).toMatchObject({ dispute: { state: "open", until: expect.any(Date) } });
});

it("is asked about eight events at a time, and about none that it never sends", async () => {
  const body = JSON.stringify({ id: "WH-1", event_type: "CHECKOUT.ORDER.APPROVED", resource: { id: "O1" } });
  const headers = new Headers({
    "PAYPAL-AUTH-ALGO": "SHA256withRSA",
    "PAYPAL-CERT-URL": "https://api.paypal.com/v1/notifications/certs/CERT-1",
    "PAYPAL-TRANSMISSION-ID": "a-transmission",
    "PAYPAL-TRANSMISSION-TIME": new Date().toISOString(),
    "PAYPAL-TRANSMISSION-SIG": "bm90IFBheVBhbA==",
  });
  const verify = () => provider.verify(headers, body).catch(({ kind }: { kind: string }) => kind);
  const answers = await Promise.all(Array.from({ length: 12 }, verify));
  expect(answers.toSorted()).toEqual([...Array<string>(4).fill("busy"), ...Array<null>(8).fill(null)]);
  expect(await verify()).toBeNull();
  headers.set("PAYPAL-CERT-URL", "https://paypal.com.evil.example/");
  calls = [];
  expect([await verify(), calls]).toEqual([null, []]);
});
