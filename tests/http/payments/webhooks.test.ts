/** What the provider tells of: believed by its signature alone, once, in any order, and never lost. */
import { createHmac, randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { keepEvents, missedSince } from "../../../shop/payments/jobs/inbox.server.ts";
import { providerOf } from "../../support/provider-of.ts";
import { usePayingShop } from "../../support/paying-shop.ts";

const paying = usePayingShop();
const { hold, pay, statusOf, eventsOf, mailsOf, until, shop, sandbox, query } = paying;

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

/** Sends an event as the provider does, or nearly so. */
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

describe("an event that is refused, and kept nowhere", () => {
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

  it("has no signature, or is no event, or is too large", async () => {
    const bare = await fetch(`${shop.url}/payments/stripe/events`, { method: "POST", body: "{}" });
    expect(bare.status).toBe(400);
    expect((await send("no event")).status).toBe(400);
    expect((await send(event({ filler: "x".repeat(600_000) }), { headers: { Connection: "close" } })).status).toBe(413);
  });
});

it("an event of a payment that nobody knows is kept, and handled once the payment is known", async () => {
  const held = await hold();
  const sample = event({ data: { object: { id: `cs_test_${randomUUID()}`, object: "checkout.session" } } });
  expect((await send(sample)).status).toBe(200);
  const open = () => query("SELECT FROM payment_inbox WHERE event_id = $1 AND handled_at IS NULL", [sample.id]);
  expect(await open()).toHaveLength(1);
  const { reference } = (await paying.paymentsOf(held.orderId))[0] ?? {};
  await query("UPDATE payment_inbox SET reference = $2 WHERE event_id = $1", [sample.id, reference]);
  await expect.poll(async () => (await open()).length).toBe(0);
});

it("the same event twice at once is one", async () => {
  const sample = event();
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(sample)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await inbox(sample.id)).toBe(1);
});

describe("webhooks that come", () => {
  const twice = { on: "webhook", fault: "twice" } as const;
  const badly = { on: "webhook", fault: "badly-signed" } as const;

  it("twice, or badly signed first, end as they would have", async () => {
    await sandbox.control({ do: "fail", order: twice, times: 5 });
    const held = await hold();
    await pay(held);
    await until(held.orderId, "processing");
    await sandbox.control({ do: "behave" });
    await sandbox.control({ do: "fail", order: badly, times: 3 });
    const other = await hold();
    await pay(other);
    await until(other.orderId, "processing");
    for (const { orderId } of [held, other]) {
      expect([await eventsOf(orderId), await mailsOf(orderId, "order-confirmation")]).toEqual([
        ["held", "authorized"],
        1,
      ]);
    }
  });

  it("late and in reverse end as they would have", async () => {
    await sandbox.control({ do: "hold-webhooks" });
    const held = await hold();
    await pay(held, { number: "4000 0000 0000 0002" });
    await pay(held);
    expect(await statusOf(held.orderId)).toBe("unpaid");
    await sandbox.control({ do: "release-webhooks", reversed: true });
    await until(held.orderId, "processing");
    await expect.poll(async () => (await sandbox.books()).undelivered).toBe(0);
    await expect
      .poll(() => query("SELECT FROM payment_inbox WHERE handled_at IS NULL AND reference <> 'cs_test_nobody'"))
      .toEqual([]);
    expect([await statusOf(held.orderId), await mailsOf(held.orderId, "order-confirmation")]).toEqual([
      "processing",
      1,
    ]);
  });

  it("while the database is away are sent again, and taken then", async () => {
    const held = await hold();
    await query("ALTER TABLE payment_inbox RENAME TO payment_inbox_away");
    const sample = event();
    expect((await send(sample)).status).toBe(503);
    await pay(held);
    await query("ALTER TABLE payment_inbox_away RENAME TO payment_inbox");
    await until(held.orderId, "processing");
    expect(await inbox(sample.id)).toBe(0);
  });
});

it("events that never came in are asked for", async () => {
  await sandbox.control({ do: "hold-webhooks" });
  const held = await hold();
  await pay(held);
  const provider = providerOf(sandbox, shop);
  const events = await provider.missed(await missedSince(paying.database.db));
  expect(events.map(({ type }) => type)).toContain("checkout.session.completed");
  expect(await keepEvents(paying.database.db, provider, events)).toBeGreaterThan(0);
  await until(held.orderId, "processing");
  expect(await keepEvents(paying.database.db, provider, events)).toBe(0);
});

it(
  "the return page and the webhook at once, 20 times, are one transition, one event and one email",
  { timeout: 120_000 },
  async () => {
    const round = async () => {
      const held = await hold();
      const paid = await pay(held);
      const { pathname, search } = new URL(paid.location ?? "");
      // The webhook is on its way already.
      await Promise.all(Array.from({ length: 5 }, () => fetch(shop.url + pathname + search, { redirect: "manual" })));
      expect(await statusOf(held.orderId)).toBe("processing");
      expect(await eventsOf(held.orderId)).toEqual(["held", "authorized"]);
      expect(await mailsOf(held.orderId, "order-confirmation")).toBe(1);
    };
    for (let rounds = 0; rounds < 20; rounds += 5) await Promise.all(Array.from({ length: 5 }, round));
    await expect.poll(async () => (await sandbox.books()).undelivered).toBe(0);
    const many = await query(
      "SELECT FROM order_events WHERE type = 'authorized' GROUP BY order_id HAVING count(*) > 1",
    );
    expect(many).toEqual([]);
  },
);
