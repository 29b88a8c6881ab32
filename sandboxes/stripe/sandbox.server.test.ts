/** The sandbox under concurrency and crashes. */
import { randomUUID } from "node:crypto";
import type Stripe from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { startTestPaymentSandbox, stripeAt } from "#tests/support/payment-sandbox.ts";
import { startWebhookReceiver } from "#tests/support/webhook-receiver.ts";
import { startPaymentSandbox, type PaymentSandbox } from "./start.ts";

const database = useFreshDatabase(5);
const PAGE = "http://page.example";

const start = () =>
  startPaymentSandbox({
    databaseUrl: database.url,
    baseUrl: PAGE,
    webhook: null,
    report: (error) => expect.fail(String(error)),
  });

let processes: PaymentSandbox[];
let stripe: Stripe;
const [one, other] = [() => processes[0]!, () => processes[1]!];

// Both processes start on an empty database at once.
beforeAll(async () => {
  processes = await Promise.all([start(), start()]);
  stripe = stripeAt(one());
});
afterAll(() => Promise.all(processes.map((process) => process.stop())));

const session = (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  stripe.checkout.sessions.create({
    mode: "payment",
    line_items: [
      { quantity: 1, price_data: { currency: "usd", unit_amount: 9_900, product_data: { name: "<b>Bowl</b>" } } },
    ],
    payment_intent_data: { capture_method: "manual" },
    success_url: "https://shop.example/paid",
    cancel_url: "https://shop.example/back",
    ...more,
  });

const CARD = { number: "4242424242424242", expiry: "12/40", cvc: "123", name: "Ada Lovelace", zip: "10001" };

const page = (url: string | null, fields?: Record<string, string>, by = one()) =>
  by.handlePage(
    new Request(url ?? PAGE, fields ? { method: "POST", body: new URLSearchParams(fields), redirect: "manual" } : {}),
  );

async function intentOf(id: string): Promise<Stripe.PaymentIntent | null> {
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(id, {
    expand: ["payment_intent.latest_charge.refunds"],
  });
  return typeof intent === "object" ? intent : null;
}

async function chargesOf(sessionId: string): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    "SELECT state->'charges' AS charges FROM payment_sandbox.payments WHERE id = $1",
    [sessionId],
  );
  return rows[0].charges;
}

const challengeAt = async (url: string | null) =>
  /name="challenge" value="(\w+)"/.exec(await (await page(`${url}/bank`)).text())?.[1] ?? "";

describe("concurrency", () => {
  it("two processes share one database and key", async () => {
    expect(other().secretKey).toBe(one().secretKey);
    expect(one().secretKey).toMatch(/^sk_test_\w{48}$/);
    expect(other().port).not.toBe(one().port);
    const { id } = await session();
    expect(await stripeAt(other()).checkout.sessions.retrieve(id)).toMatchObject({ id });
  });

  it("a form sent ten times charges once and redirects to the shop each time", async () => {
    const { id, url } = await session();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => page(url, CARD, i % 2 ? one() : other())));
    expect(answers.map((answer) => [answer.status, answer.headers.get("Location")])).toEqual(
      Array.from({ length: 10 }, () => [303, "https://shop.example/paid"]),
    );
    const intent = await intentOf(id);
    expect(await chargesOf(id)).toHaveLength(1);
    expect(intent).toMatchObject({ amount_capturable: 9_900 });
    const { data: events } = await stripe.events.list({ types: ["checkout.session.completed"], limit: 100 });
    expect(events.filter((event) => JSON.stringify(event).includes(id))).toHaveLength(1);
    expect(await page(url, { ...CARD, cvc: "" })).toMatchObject({ status: 303 });
  });

  it("either the payment or the expiry wins", async () => {
    for (let round = 0; round < 15; round++) {
      const { id, url } = await session();
      const [paid, expired] = await Promise.all([
        page(url, CARD, other()),
        stripe.checkout.sessions.expire(id).then(
          () => true,
          () => false,
        ),
      ]);
      const { status } = await stripe.checkout.sessions.retrieve(id);
      expect(status).toBe(expired ? "expired" : "complete");
      expect(paid.status).toBe(expired ? 410 : 303);
      expect(await intentOf(id)).toEqual(expired ? null : expect.objectContaining({ status: "requires_capture" }));
    }
  });

  it("either the capture or the cancellation wins", async () => {
    for (let round = 0; round < 10; round++) {
      const { id, url } = await session();
      await page(url, CARD);
      const intent = (await intentOf(id))!;
      const outcomes = await Promise.allSettled([
        stripe.paymentIntents.capture(intent.id),
        stripeAt(other()).paymentIntents.cancel(intent.id),
      ]);
      expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
      const { status, amount_received: received } = (await intentOf(id))!;
      expect([status, received]).toEqual(outcomes[0]?.status === "fulfilled" ? ["succeeded", 9_900] : ["canceled", 0]);
    }
  });

  it("the same key during its first call gets a 409", async () => {
    const { id, url } = await session();
    await page(url, CARD);
    const intent = (await intentOf(id))!;
    const lock = await database.pool.connect();
    await lock.query("BEGIN");
    await lock.query("SELECT FROM payment_sandbox.payments WHERE id = $1 FOR UPDATE", [id]);
    const options = { idempotencyKey: randomUUID() };
    const first = stripe.paymentIntents.capture(intent.id, {}, options);
    const isWaiting = async () => (await database.pool.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount !== 0;
    await expect.poll(isWaiting).toBe(true);
    await expect(stripeAt(other()).paymentIntents.capture(intent.id, {}, options)).rejects.toMatchObject({
      statusCode: 409,
      code: "idempotency_key_in_use",
    });
    await lock.query("COMMIT");
    lock.release();
    expect(await first).toMatchObject({ status: "succeeded" });
  });
});

describe("the payment page", () => {
  it("is neither cached nor indexed, and allows its own style and no script", async () => {
    const { url } = await session();
    const response = await page(url);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "no-store",
      "x-robots-tag": "noindex",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; object-src 'none'; style-src 'sha256-[\w+/=]{44}'; .*form-action 'self' https:\/\/shop\.example; frame-ancestors 'none'/,
      ),
    });
    expect(html).toContain("Test mode");
    expect(html).toContain("&lt;b&gt;Bowl&lt;/b&gt;");
    expect(html).not.toMatch(/<script|\son\w+=|style="|javascript:/i);
  });

  it("neither repeats nor stores a number that may be a real card", async () => {
    const { url } = await session();
    const html = await (await page(url, { ...CARD, number: "4111 1111 1111 1111" })).text();
    expect(html).toContain("This page takes test cards only.");
    expect(html).not.toContain("1111");
    const { rowCount } = await database.pool.query("SELECT FROM payment_sandbox.payments WHERE state::text ~ '1111'");
    expect(rowCount).toBe(0);
  });

  it("keeps what was typed when the bank refuses", async () => {
    const { url } = await session();
    await page(url, { ...CARD, number: "4000000000003220" });
    const challenge = await challengeAt(url);
    const response = await page(`${url}/bank`, { challenge, answer: "fail" });
    const html = await response.text();
    expect(response.status).toBe(402);
    expect(html).toContain("We are unable to authenticate your payment method.");
    for (const typed of ["4000000000003220", "12 / 2040", "Ada Lovelace", "10001"])
      expect(html).toContain(`value="${typed}"`);
  });

  it("accepts an answer to the latest challenge only", async () => {
    const { id, url } = await session();
    const challenge = async () => {
      await page(url, { ...CARD, number: "4000000000003220" });
      return challengeAt(url);
    };
    const [stale, last] = [await challenge(), await challenge()];
    expect((await page(`${url}/bank`, { challenge: stale, answer: "complete" })).headers.get("Location")).toBe(url);
    expect(await intentOf(id)).toMatchObject({ status: "requires_action" });
    const answers = await Promise.all([1, 2].map(() => page(`${url}/bank`, { challenge: last, answer: "complete" })));
    for (const answer of answers) expect(answer.headers.get("Location")).toBe("https://shop.example/paid");
    expect(await chargesOf(id)).toHaveLength(1);
  });
});

describe("a sandbox process", () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  it("accepts no faults unless it was started for tests", async () => {
    const response = await fetch(`http://${one().host}:${one().port}/control/orders`, {
      method: "POST",
      headers: { Authorization: `Bearer ${one().secretKey}` },
      body: JSON.stringify({ do: "behave" }),
    });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("Unrecognized request URL");
  });

  it("loses no webhook when it is killed", async () => {
    const receiver = await startWebhookReceiver();
    stops.push(receiver.stop);
    receiver.answers.push(...Array.from({ length: 100 }, () => 503));
    const sandbox = await startTestPaymentSandbox(database.url, receiver.url);
    stops.unshift(sandbox.stop);
    const { id } = await session();
    await stripe.checkout.sessions.expire(id);
    const sent = () => receiver.received.filter(({ body }) => body.includes(id));
    await expect.poll(() => sent().length).toBeGreaterThan(0);
    await sandbox.kill();
    await expect(sandbox.stripe.checkout.sessions.retrieve(id)).rejects.toMatchObject({
      type: "StripeConnectionError",
    });
    receiver.answers.length = 0;
    const before = sent().length;
    await sandbox.restart();
    // The lease of the killed process expires.
    await database.pool.query("UPDATE payment_sandbox.deliveries SET next_at = next_at - interval '15 seconds'");
    await expect.poll(() => sent().length).toBeGreaterThan(before);
    await expect.poll(async () => (await sandbox.books()).undelivered).toBe(0);
    expect(await sandbox.stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: "expired" });
  });
});
