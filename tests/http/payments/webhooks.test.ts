/** Webhooks: verified by signature, idempotent, in any order, never lost. */
import { createHmac, randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { readMissedEvents } from "#shop/payments/jobs.server.ts";
import { providerOf } from "../../support/provider-of.ts";
import { usePayingShop } from "../../support/paying-shop.ts";

const paying = usePayingShop();
const { reserve, pay, statusOf, eventsOf, mailsOf, until, shop, sandbox, query } = paying;

afterEach(async () => {
  await sandbox.control({ do: "release-webhooks" });
  await sandbox.control({ do: "behave" });
});

const event = (more: object = {}) => ({
  id: `evt_${randomUUID()}`,
  object: "event",
  type: "checkout.session.completed",
  livemode: false,
  data: { object: { id: "cs_test_nobody", object: "checkout.session" } },
  ...more,
});

type Sent = {
  secret?: string;
  ageSeconds?: number;
  change?: (body: string) => string;
  headers?: Record<string, string>;
};

function send(body: object | string, { secret = sandbox.webhookSecret, ageSeconds = 0, change, headers }: Sent = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const stamp = Math.floor(Date.now() / 1000) - ageSeconds;
  const signature = createHmac("sha256", secret).update(`${stamp}.${text}`).digest("hex");
  return fetch(`${shop.url}/payments/stripe/events`, {
    method: "POST",
    body: change ? change(text) : text,
    headers: { "Content-Type": "application/json", "Stripe-Signature": `t=${stamp},v1=${signature}`, ...headers },
  });
}
const inbox = async (id: string) => (await query("SELECT FROM payment_inbox WHERE event_id = $1", [id])).length;

describe("an event is refused and not stored if it", () => {
  it.each([
    ["is forged", {}, { secret: "whsec_somebody_else" }],
    ["has a changed byte", {}, { change: (body: string) => body.replace("nobody", "nobodY") }],
    ["has an old stamp", {}, { ageSeconds: 301 }],
    ["is of the other mode", { livemode: true }, {}],
  ] as [string, object, Sent][])("%s", async (_what, more, sent) => {
    const sample = event(more);
    expect((await send(sample, sent)).status).toBe(400);
    expect(await inbox(sample.id)).toBe(0);
  });

  it("without a signature, without an event, or too large", async () => {
    const bare = await fetch(`${shop.url}/payments/stripe/events`, { method: "POST", body: "{}" });
    expect(bare.status).toBe(400);
    expect((await send("no event")).status).toBe(400);
    expect((await send(event({ filler: "x".repeat(600_000) }), { headers: { Connection: "close" } })).status).toBe(413);
  });
});

it("an event of an unknown payment is stored, and handled once the payment is known", async () => {
  const placed = await reserve();
  const sample = event({ data: { object: { id: `cs_test_${randomUUID()}`, object: "checkout.session" } } });
  expect((await send(sample)).status).toBe(200);
  const open = () => query("SELECT FROM payment_inbox WHERE event_id = $1 AND handled_at IS NULL", [sample.id]);
  expect(await open()).toHaveLength(1);
  const { reference } = (await paying.paymentsOf(placed.orderId))[0] ?? {};
  await query("UPDATE payment_inbox SET reference = $2 WHERE event_id = $1", [sample.id, reference]);
  await expect.poll(async () => (await open()).length).toBe(0);
});

it("concurrent copies of an event are stored once", async () => {
  const sample = event();
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(sample)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await inbox(sample.id)).toBe(1);
});

describe("webhooks", () => {
  const twice = { on: "webhook", fault: "twice" } as const;
  const badly = { on: "webhook", fault: "badly-signed" } as const;

  it("sent twice, or badly signed first, have the same effect", async () => {
    await sandbox.control({ do: "fail", order: twice, times: 5 });
    const placed = await reserve();
    await pay(placed);
    await until(placed.orderId, "processing");
    await sandbox.control({ do: "behave" });
    await sandbox.control({ do: "fail", order: badly, times: 3 });
    const other = await reserve();
    await pay(other);
    await until(other.orderId, "processing");
    for (const { orderId } of [placed, other]) {
      expect([await eventsOf(orderId), await mailsOf(orderId, "order-confirmation")]).toEqual([
        ["held", "authorized"],
        1,
      ]);
    }
  });

  it("late and in reverse order have the same effect", async () => {
    await sandbox.control({ do: "hold-webhooks" });
    const placed = await reserve();
    await pay(placed, { number: "4000 0000 0000 0002" });
    await pay(placed);
    expect(await statusOf(placed.orderId)).toBe("unpaid");
    await sandbox.control({ do: "release-webhooks", reversed: true });
    await until(placed.orderId, "processing");
    await expect.poll(async () => (await sandbox.books()).undelivered).toBe(0);
    await expect
      .poll(() => query("SELECT FROM payment_inbox WHERE handled_at IS NULL AND reference <> 'cs_test_nobody'"))
      .toEqual([]);
    expect([await statusOf(placed.orderId), await mailsOf(placed.orderId, "order-confirmation")]).toEqual([
      "processing",
      1,
    ]);
  });

  it("are sent again after an outage of the database", async () => {
    const placed = await reserve();
    await query("ALTER TABLE payment_inbox RENAME TO payment_inbox_away");
    const sample = event();
    expect((await send(sample)).status).toBe(503);
    await pay(placed);
    await query("ALTER TABLE payment_inbox_away RENAME TO payment_inbox");
    await until(placed.orderId, "processing");
    expect(await inbox(sample.id)).toBe(0);
  });
});

it("events whose webhook was lost are read from the provider", async () => {
  await sandbox.control({ do: "hold-webhooks" });
  const placed = await reserve();
  await pay(placed);
  const providers = providerOf(sandbox, shop);
  expect(await readMissedEvents(paying.database.db, providers)).toBeGreaterThan(0);
  await until(placed.orderId, "processing");
  expect(await readMissedEvents(paying.database.db, providers)).toBe(0);
});

it(
  "concurrent return pages and webhooks make one transition, one event and one email, 10 times",
  { timeout: 120_000 },
  async () => {
    const round = async () => {
      const placed = await reserve();
      const paid = await pay(placed);
      const { pathname, search } = new URL(paid.location ?? "");
      await Promise.all(Array.from({ length: 5 }, () => fetch(shop.url + pathname + search, { redirect: "manual" })));
      expect(await statusOf(placed.orderId)).toBe("processing");
      expect(await eventsOf(placed.orderId)).toEqual(["held", "authorized"]);
      expect(await mailsOf(placed.orderId, "order-confirmation")).toBe(1);
    };
    for (let rounds = 0; rounds < 10; rounds += 5) await Promise.all(Array.from({ length: 5 }, round));
    await expect.poll(async () => (await sandbox.books()).undelivered).toBe(0);
    const many = await query(
      "SELECT FROM order_events WHERE type = 'authorized' GROUP BY order_id HAVING count(*) > 1",
    );
    expect(many).toEqual([]);
  },
);
