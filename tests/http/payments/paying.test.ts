/** Orders and charges of returns, paid by card and PayPal, what their pages do about it, and the provider's webhooks. */
import { createHmac, randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { refundOrder } from "#shop/fulfillment/refund.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { orderKey } from "#shop/orders/order-link.server.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import { expireOrder } from "#shop/payments/payments.server.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { requestReturn, type ReturnRequest } from "#shop/returns/request.server.ts";
import { makeActor } from "../../support/actors.ts";
import { emailTo } from "../../support/mailbox.ts";
import { textOf } from "../../support/page-data.ts";
import { payOnPage, type PaysWith } from "../../support/pay-page.ts";
import { usePayingShop, type Placed } from "../../support/paying-shop.ts";
import { providerOf } from "../../support/provider-of.ts";
import { changeSettings } from "../../support/settings.ts";
import { aParcel } from "../../support/staff.ts";
import { makeStaff } from "../../support/staff-member.ts";
import { setUnits, unitsOf } from "../../support/stock.ts";
import { AUTH_SECRET, signIn } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

/** ROUNDS=100 repeats the race of payment and expiry that often. */
const ROUNDS = Number(process.env.ROUNDS ?? 10);
const paying = usePayingShop({ AUTH_SECRET });
const {
  guestWith,
  place,
  reserve,
  pay,
  comeBack,
  statusOf,
  eventsOf,
  paymentsOf,
  mailsOf,
  endReservation,
  until,
  cartOf,
} = paying;
const { shop, sandbox, query, database } = paying;
let providers: PaymentProviders;
beforeAll(() => {
  providers = providerOf(sandbox, shop);
});
const SLUG = "travel-sleeve";
const stock = () => unitsOf(database.pool, SLUG);

const CREATE = { on: "call", path: "/v1/checkout/sessions", method: "POST" } as const;
/** Pages that the provider created for an order. */
async function pagesOf(orderId: string) {
  const ids = (await paymentsOf(orderId)).map(({ id }) => id);
  return query("SELECT FROM payment_sandbox.payments WHERE state->'session'->>'client_reference_id' = ANY($1)", [ids]);
}

afterEach(async () => {
  await sandbox.control({ do: "release-webhooks" });
  await sandbox.control({ do: "behave" });
  await paying.expectBooksToAgree();
});

describe("a paid order", () => {
  it("is reserved, and in processing with one email when its buyer returns", async () => {
    const placed = await reserve();
    expect([await statusOf(placed.orderId), await mailsOf(placed.orderId, "order-confirmation")]).toEqual([
      "unpaid",
      0,
    ]);
    const paid = await pay(placed);
    expect(paid.location).toContain("/payments/return?order=");
    expect(await comeBack(placed, paid)).toMatch(new RegExp(`^/orders/${placed.orderId}\\?k=`));
    expect(await statusOf(placed.orderId)).toBe("processing");
    expect(await eventsOf(placed.orderId)).toEqual(["held", "authorized"]);
    expect(await paymentsOf(placed.orderId)).toMatchObject([{ state: "authorized", captured: 0 }]);
    expect(await mailsOf(placed.orderId, "order-confirmation")).toBe(1);
  });

  it("is confirmed by the jobs if its webhook was lost, too", async () => {
    await sandbox.control({ do: "hold-webhooks" });
    const placed = await reserve();
    await pay(placed);
    expect(await statusOf(placed.orderId)).toBe("unpaid");
    await query("UPDATE payments SET created_at = now() - interval '11 minutes' WHERE order_id = $1", [placed.orderId]);
    await until(placed.orderId, "processing");
    expect(await mailsOf(placed.orderId, "order-confirmation")).toBe(1);
    expect(await eventsOf(placed.orderId)).toEqual(["held", "authorized"]);
  });
});

describe("a code for one order", () => {
  it.each([
    ["gets from an unpaid order to the next, which replaces it", false],
    ["stays with an order that was paid in another tab, before its event is read", true],
  ])("%s", async (_what, isPaid) => {
    const code = isPaid ? "KEPT" : "MOVED";
    await query("INSERT INTO discounts (code, name, kind, value, max_uses) VALUES ($1, $1, 'amount', 500, 1)", [code]);
    await sandbox.control({ do: "hold-webhooks" });
    const guest = await guestWith();
    await guest.post("/cart/code", { code });
    const first = await place(guest);
    if (isPaid) await pay(first);
    await guest.add(SLUG);
    await guest.post("/cart/code", { code });
    const answer = await guest.checkout();
    expect(answer.status).toBe(isPaid ? 409 : 303);
    if (isPaid) expect(textOf(await answer.text())).toContain(`${code} has been used up.`);
    expect(await statusOf(first.orderId)).toBe(isPaid ? "processing" : "canceled");
  });
});

describe("a provider that fails when the page opens", () => {
  it.each([
    ["fails after it was done", { fault: "error", when: "after" }, 2],
    ["is busy", { fault: "rate-limit", when: "before" }, 1],
  ] as const)(
    "%s: the order is reserved, shows a message, and is paid on the next try",
    async (_what, fault, pages) => {
      const reports = () => shop.output().split("a payment page was not opened").length - 1;
      const before = reports();
      await sandbox.control({ do: "fail", order: { ...CREATE, ...fault }, times: 1 });
      const placed = await reserve();
      expect(placed.url).toMatch(/^\/payments\/wait\?order=/);
      expect(await statusOf(placed.orderId)).toBe("unpaid");
      await sandbox.control({ do: "fail", order: { ...CREATE, fault: "rate-limit", when: "before" }, times: 1 });
      const wait = await placed.guest.fetch(placed.url);
      expect([wait.status, wait.headers.get("Refresh")]).toEqual([200, "5"]);
      expect(await wait.text()).toContain("We’re holding your order");
      const again = await placed.guest.fetch(placed.url);
      expect(again.status).toBe(303);
      expect(await pagesOf(placed.orderId)).toHaveLength(pages);
      await payOnPage(again.headers.get("Location") ?? "");
      await until(placed.orderId, "processing");
      expect((await paymentsOf(placed.orderId)).filter(({ state }) => state === "authorized")).toHaveLength(1);
      // A busy provider is ordinary.
      await expect.poll(reports).toBe(before + (fault.fault === "rate-limit" ? 0 : 1));
    },
  );
});

describe("an expired reservation", () => {
  it("returns the units to stock and the lines to the cart, and can no longer be paid", async () => {
    const before = await stock();
    const placed = await reserve(SLUG, 3);
    expect([await stock(), await cartOf(placed.orderId)]).toEqual([before - 3, 0]);
    await endReservation(placed.orderId);
    await until(placed.orderId, "expired");
    expect([await stock(), await cartOf(placed.orderId)]).toEqual([before, 3]);
    expect(await eventsOf(placed.orderId)).toEqual(["held", "expired"]);
    expect((await pay(placed)).status).toBe(410);
    expect(await paymentsOf(placed.orderId)).toMatchObject([{ state: "closed" }]);
  });

  it("is extended while the provider does not answer, alerts staff once, and expires later", async () => {
    const placed = await reserve();
    const unreachable = { on: "call", path: "/v1/checkout/sessions/*", fault: "cut", when: "before" } as const;
    await sandbox.control({ do: "fail", order: unreachable, times: 100 });
    await endReservation(placed.orderId);
    await expect.poll(() => eventsOf(placed.orderId)).toContain("hold-extended");
    expect(await statusOf(placed.orderId)).toBe("unpaid");
    await endReservation(placed.orderId);
    await expect
      .poll(
        async () => (await query("SELECT FROM orders WHERE id = $1 AND hold_until > now()", [placed.orderId])).length,
      )
      .toBe(1);
    expect(await mailsOf(placed.orderId, "payment-alert")).toBe(1);
    await sandbox.control({ do: "behave" });
    await endReservation(placed.orderId);
    await until(placed.orderId, "expired");
    expect(await eventsOf(placed.orderId)).toEqual(["held", "hold-extended", "expired"]);
  });

  it("of an order without a page ends without a call", async () => {
    await sandbox.control({ do: "fail", order: { ...CREATE, fault: "cut", when: "before" }, times: 1 });
    const before = await stock();
    const placed = await reserve();
    await endReservation(placed.orderId);
    await until(placed.orderId, "expired");
    expect([await stock(), (await paymentsOf(placed.orderId))[0]?.state]).toEqual([before, "closed"]);
  });
});

describe("a payment after the expiry", () => {
  /** Expired in the shop, but still open at the provider. */
  async function expiredButOpen() {
    const placed = await reserve();
    await query("UPDATE payments SET state = 'closed' WHERE order_id = $1", [placed.orderId]);
    await endReservation(placed.orderId);
    await until(placed.orderId, "expired");
    return placed;
  }

  it("continues the order if its units are in stock", async () => {
    const before = await stock();
    const placed = await expiredButOpen();
    expect(await stock()).toBe(before);
    await pay(placed);
    await until(placed.orderId, "processing");
    expect(await stock()).toBe(before - 1);
    expect(await eventsOf(placed.orderId)).toEqual(["held", "expired", "authorized-late"]);
    expect(await mailsOf(placed.orderId, "order-confirmation")).toBe(1);
  });

  it("is voided if its units are sold, and the buyer is informed", async () => {
    const before = await stock();
    const placed = await expiredButOpen();
    await setUnits(database.pool, SLUG, 0);
    await pay(placed);
    await expect.poll(() => eventsOf(placed.orderId)).toEqual(["held", "expired", "payment-voided"]);
    expect([await statusOf(placed.orderId), await stock()]).toEqual(["expired", 0]);
    expect([
      await mailsOf(placed.orderId, "order-not-charged"),
      await mailsOf(placed.orderId, "order-confirmation"),
    ]).toEqual([1, 0]);
    expect(await paymentsOf(placed.orderId)).toMatchObject([{ state: "closed" }]);
    await setUnits(database.pool, SLUG, before);
  });
});

describe("two tabs", () => {
  it("with an order each: the earlier one is canceled and its page closed", async () => {
    const before = await stock();
    const first = await reserve();
    await first.guest.add(SLUG);
    const second = await place(first.guest);
    expect([await statusOf(first.orderId), await statusOf(second.orderId)]).toEqual(["canceled", "unpaid"]);
    expect((await pay(first)).status).toBe(410);
    await pay(second);
    await until(second.orderId, "processing");
    expect([await statusOf(first.orderId), await stock()]).toEqual(["canceled", before - 1]);
  });
});

it("the page asks for a billing address that differs, of which the shop stores nothing", async () => {
  const same = await reserve();
  expect((await pay(same, { address: "" })).status).toBe(303);
  const placed = await place(await guestWith(), { billingAddressSameAsShipping: "" });
  expect((await pay(placed, { address: "" })).status).toBe(422);
  const address = "7 Elsewhere Road";
  await comeBack(placed, await pay(placed, { address }));
  await until(placed.orderId, "processing");
  const [row] = await query<{ stored: string }>(
    `SELECT to_jsonb(o)::text || (SELECT jsonb_agg(p)::text FROM payments p WHERE order_id = o.id) AS stored
     FROM orders o WHERE id = $1`,
    [placed.orderId],
  );
  expect(row?.stored).toContain(placed.email);
  expect(row?.stored).not.toContain(address);
});

const pageIn = async (who: Visitor, path: string) => textOf(await (await who.fetch(path)).text());
const pageOf = (who: Visitor, id: string) => pageIn(who, `/orders/${id}`);
const submit = (who: Visitor, id: string, name: string) => who.post(`/orders/${id}`, { intent: name });

async function linkedTo(id: string): Promise<Visitor> {
  const who = new Visitor(shop.url);
  expect((await who.fetch(`/orders/${id}?k=${orderKey({ id, linkVersion: 1 }, AUTH_SECRET)}`)).status).toBe(303);
  return who;
}

describe("an unpaid order's page", () => {
  it("is where a buyer returns and sees that the order is placed", async () => {
    const placed = await reserve();
    const { guest, orderId } = placed;
    expect(await pageOf(guest, orderId)).toMatch(/Waiting for your payment.*Reserved until.*Pay now.*Change my order/);
    const back = await comeBack(placed, await pay(placed));
    expect(back).toMatch(new RegExp(`^/orders/${orderId}`));
    const told = (await guest.fetch(back ?? "")).headers.get("Location");
    expect((await guest.fetch(told ?? "")).headers.get("Location")).toBe(`/orders/${orderId}`);
    const visitorState = (await (await guest.fetch("/personal")).json()) as object;
    expect(JSON.stringify(visitorState)).toContain("Order placed!");
    const text = await pageOf(guest, orderId);
    expect(text).toMatch(/We’re getting it ready.*You won’t be charged until then/);
    expect(text).toMatch(/Visa ending in 4242.*Authorized \$28\.99/);
    expect(text).not.toContain("Pay now");
  });

  it("opens the same payment page again, from any browser with its link", async () => {
    const { orderId, url } = await reserve();
    const answer = await submit(await linkedTo(orderId), orderId, "pay");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, url]);
    expect(answer.headers.get("Content-Security-Policy")).toBeTruthy();
    await payOnPage(url);
    await until(orderId, "processing");
  });

  it("lets its buyer change it: it can no longer be paid, and its lines return to stock and cart", async () => {
    await setUnits(database.pool, "charging-dock", 5);
    const placed = await reserve("charging-dock", 2);
    const { orderId, guest } = placed;
    expect((await guest.fetch("/checkout")).headers.get("Location")).toContain("/payments/return?order=");
    expect(await unitsOf(database.pool, "charging-dock")).toBe(3);
    expect(await (await guest.fetch(`/orders/${orderId}?intent=change`)).text()).toContain("Change this order?");
    expect(await statusOf(orderId)).toBe("unpaid");
    const answer = await submit(guest, orderId, "change");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/cart"]);
    const inCart = async () => (await pageIn(guest, "/cart")).match(/Charging Dock/g)?.length;
    const once = await inCart();
    expect([await statusOf(orderId), await cartOf(orderId)]).toEqual(["canceled", 2]);
    expect(await unitsOf(database.pool, "charging-dock")).toBe(5);
    expect((await submit(guest, orderId, "change")).status).toBe(409);
    expect((await submit(guest, orderId, "pay")).status).toBe(409);
    expect(await inCart()).toBe(once);
    expect((await pay(placed)).status).toBe(410);
  });

  it("is found in the same browser by its guest who signed in, and their next order replaces it", async () => {
    const { orderId, guest } = await reserve();
    const customer = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    expect((await signIn(customer, guest)).status).toBe(303);
    for (const who of [guest, customer.visitor]) await who.post("/cart/clear", {});
    expect((await guest.fetch("/checkout")).headers.get("Location")).toContain("/payments/return?order=");
    expect(await pageOf(guest, orderId)).toMatch(/Pay now.*Change my order/);
    expect((await customer.visitor.fetch("/checkout")).status).toBe(200);
    await guest.add(SLUG);
    const next = await place(guest);
    expect([await statusOf(orderId), await statusOf(next.orderId)]).toEqual(["canceled", "unpaid"]);
    expect((await eventsOf(orderId)).at(-1)).toBe("canceled");
  });

  it.each(["/cart", "/checkout"])(
    "puts its lines into the cart of its guest who signed in, once it expires: %s",
    async (path) => {
      await setUnits(database.pool, "charging-dock", 12);
      const { orderId, guest } = await reserve("charging-dock", 2);
      const customer = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
      expect((await signIn(customer, guest)).status).toBe(303);
      await guest.post("/cart/clear", {});
      await guest.add("charging-dock", 9);
      await endReservation(orderId);
      await until(orderId, "expired");
      expect(await pageIn(guest, path)).toContain("Charging Dock");
      expect(await guest.me()).toMatchObject({ cartCount: 10, flashMessage: { title: "We combined your carts" } });
      expect(await cartOf(orderId)).toBe(0);
    },
  );

  it("cancels it without an email, because none had confirmed it", async () => {
    const { orderId, guest } = await reserve();
    expect((await submit(guest, orderId, "cancel")).status).toBe(303);
    expect([await statusOf(orderId), await mailsOf(orderId, "order-canceled")]).toEqual(["canceled", 0]);
    expect(await pageOf(guest, orderId)).toContain("You weren’t charged.");
  });
});

describe("a paid order's page", () => {
  it("neither pays nor changes it again", async () => {
    const placed = await reserve();
    await comeBack(placed, await pay(placed));
    const answer = await submit(placed.guest, placed.orderId, "pay");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/orders/${placed.orderId}`]);
    expect((await submit(placed.guest, placed.orderId, "change")).status).toBe(409);
    expect(await statusOf(placed.orderId)).toBe("processing");
  });
});

it("the link back from paying ends with the link version of its order", async () => {
  const placed = await reserve();
  const { pathname, search } = new URL((await pay(placed)).location ?? "");
  const back = async () => (await new Visitor(shop.url).fetch(pathname + search)).status;
  expect(await back()).toBe(303);
  await query("UPDATE orders SET link_version = 2 WHERE id = $1", [placed.orderId]);
  expect(await back()).toBe(404);
});

it("only its pages allow forms that redirect to the provider", async () => {
  const { orderId, guest, url } = await reserve();
  const policyOf = async (path: string) => (await guest.fetch(path)).headers.get("Content-Security-Policy");
  const provider = new RegExp(`form-action 'self'[^;]* http://${new URL(url).hostname}:`);
  expect(await policyOf(`/orders/${orderId}`)).toMatch(provider);
  expect(await policyOf("/about")).not.toMatch(provider);
});

it("the checkout and the terms name the next step, and no unavailable payment method", async () => {
  const guest = await guestWith();
  const checkout = await pageIn(guest, "/checkout");
  expect(checkout).toContain("pay securely with Stripe: by card, Apple Pay, or Google Pay.");
  expect(checkout).not.toContain("Payment will be available later");
  for (const path of ["/terms", "/terms.md", "/privacy", "/warranty"]) {
    const text = await (await fetch(shop.url + path)).text();
    expect(text, path).not.toMatch(/PayPal|Online payment is not open/i);
  }
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
  headers?: Record<string, string>;
};

function send(body: object | string, { secret = sandbox.webhookSecret, headers }: Sent = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const stamp = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", secret).update(`${stamp}.${text}`).digest("hex");
  return fetch(`${shop.url}/payments/stripe/events`, {
    method: "POST",
    body: text,
    headers: { "Content-Type": "application/json", "Stripe-Signature": `t=${stamp},v1=${signature}`, ...headers },
  });
}
const inbox = async (id: string) => (await query("SELECT FROM payment_inbox WHERE event_id = $1", [id])).length;

describe("an event is refused and not stored if it", () => {
  it.each([
    ["is forged", {}, { secret: "whsec_somebody_else" }],
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

it(
  "concurrent return pages and webhooks make one transition, one event and one email, 5 times",
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
    await Promise.all(Array.from({ length: 5 }, round));
    await expect.poll(async () => (await sandbox.books()).undelivered).toBe(0);
    const many = await query(
      "SELECT FROM order_events WHERE type = 'authorized' GROUP BY order_id HAVING count(*) > 1",
    );
    expect(many).toEqual([]);
  },
);

it(
  `a payment during the expiry is paid with its units, or expired and not charged, ${ROUNDS} times`,
  { timeout: 240_000 },
  async () => {
    await setUnits(database.pool, SLUG, 1_000);
    const held = async () => (await sandbox.books()).intents.requires_capture ?? 0;
    const before = await held();
    const orderIds: string[] = [];
    const rounds = Array.from({ length: ROUNDS }, (_, i) => i).values();
    const round = async (i: number) => {
      const placed = await reserve();
      orderIds.push(placed.orderId);
      await endReservation(placed.orderId);
      const release = () => expireOrder(database.db, providers, placed.orderId);
      // One in ten is certain either way; in the others both are on their way at once.
      if (i % 10 === 0) await release();
      const paid = pay(placed);
      if (i % 10 === 1) await paid;
      await Promise.all([release(), paid]);
    };
    const lane = async () => {
      for (const i of rounds) await round(i);
    };
    await Promise.all(Array.from({ length: 5 }, lane));
    for (const text of [
      "SELECT FROM orders WHERE status = 'unpaid' AND id = ANY ($1)",
      "SELECT FROM payment_actions JOIN payments ON payments.id = payment_id WHERE payment_actions.state IN ('asked', 'sent') AND order_id = ANY ($1)",
    ])
      await expect.poll(() => query(text, [orderIds]), { timeout: 90_000 }).toEqual([]);
    const rows = await query<{ status: string; state: string }>(
      "SELECT orders.status, payments.state FROM orders JOIN payments ON order_id = orders.id WHERE orders.id = ANY ($1)",
      [orderIds],
    );
    expect(rows).toHaveLength(ROUNDS);
    const kinds = new Set(rows.map(({ status, state }) => `${status} ${state}`));
    expect([...kinds].filter((kind) => !["processing authorized", "expired closed"].includes(kind))).toEqual([]);
    const paid = rows.filter(({ status }) => status === "processing").length;
    // The provider holds money for exactly the orders that go on.
    expect((await held()) - before).toBe(paid);
    expect(await unitsOf(database.pool, SLUG)).toBe(1_000 - paid);
    expect(paid).toBeGreaterThan(0);
    expect(paid).toBeLessThan(ROUNDS);
  },
);

describe("PayPal beside the card", () => {
  let numbers = 0;
  const checkout = async () => (await (await guestWith()).fetch("/checkout")).text();
  beforeAll(async () => {
    await changeSettings(database.db, { payments: { paypal: true } });
    await vi.waitUntil(async () => (await checkout()).includes("On PayPal’s page"), 30_000);
  });

  const reserveByPayPal = async (): Promise<Placed> => place(await guestWith(), { paymentProvider: "paypal" });
  const approve = (placed: Placed, by: PaysWith = { account: "pays" }) => payOnPage(placed.url, by);
  const ship = (orderId: string) => shipOrder(database.db, providers, orderId, aParcel(++numbers), null);
  const fail = (path: string, fault: "cut" | "error", when: "after" | "before" = "before", times = 1) =>
    sandbox.control({ do: "fail", times, order: { on: "call", fault, when, path } });

  async function authorized(by: PaysWith = { account: "pays" }): Promise<Placed> {
    const placed = await reserveByPayPal();
    await comeBack(placed, await approve(placed, by));
    await until(placed.orderId, "processing");
    return placed;
  }

  const providersOf = (orderId: string) =>
    query("SELECT provider, state, captured, refunded FROM payments WHERE order_id = $1 ORDER BY created_at", [
      orderId,
    ]);

  it("offers PayPal beside the card, whose orders stay at their own provider", async () => {
    expect(await checkout()).toMatch(/value="stripe"[^>]*checked|checked[^>]*value="stripe"/);
    const byCard = await reserve();
    await comeBack(byCard, await payOnPage(byCard.url));
    const byPayPal = await authorized();
    for (const { orderId } of [byPayPal, byCard]) {
      await until(orderId, "processing");
      expect(await ship(orderId)).toMatchObject({ ok: true });
      await until(orderId, "shipped");
      expect(await refundOrder(database.db, providers, orderId, { cents: 5_00, reason: "late" }, null)).toMatchObject({
        ok: true,
      });
    }
    const paid = { state: "captured", captured: 28_99, refunded: 5_00 };
    await expect.poll(() => providersOf(byPayPal.orderId)).toEqual([{ provider: "paypal", ...paid }]);
    await expect.poll(() => providersOf(byCard.orderId)).toEqual([{ provider: "stripe", ...paid }]);
  });

  it("an approved order whose buyer never comes back is authorized by the webhook", async () => {
    const placed = await reserveByPayPal();
    await approve(placed);
    await until(placed.orderId, "processing");
    expect([await eventsOf(placed.orderId), await mailsOf(placed.orderId, "order-confirmation")]).toEqual([
      ["held", "authorized"],
      1,
    ]);
  });

  describe("an event", () => {
    const send = (body: string, headers: Record<string, string> = {}) =>
      fetch(`${shop.url}/payments/paypal/events`, { method: "POST", body, headers });
    const HEADERS = {
      "PAYPAL-AUTH-ALGO": "SHA256withRSA",
      "PAYPAL-CERT-URL": "https://api.paypal.com/v1/notifications/certs/CERT-1",
      "PAYPAL-TRANSMISSION-ID": "a-transmission",
      "PAYPAL-TRANSMISSION-TIME": new Date().toISOString(),
      "PAYPAL-TRANSMISSION-SIG": "bm90IFBheVBhbA==",
    };
    const id = `WH-${randomUUID()}`;
    const event = JSON.stringify({ id, event_type: "CHECKOUT.ORDER.APPROVED", resource: { id: "O1" } });
    const inbox = () => query("SELECT FROM payment_inbox WHERE event_id = $1", [id]);

    it("that PayPal did not sign is refused and not stored", async () => {
      for (const [body, headers] of [
        [event, HEADERS],
        [event, {}],
        ["no event", HEADERS],
        ["[]", HEADERS],
      ] as const) {
        expect((await send(body, headers)).status).toBe(400);
      }
      expect(await inbox()).toEqual([]);
    });

    it("is sent again while PayPal cannot verify it", async () => {
      await fail("/paypal/v1/notifications/verify-webhook-signature", "cut");
      expect((await send(event, HEADERS)).status).toBe(503);
      expect(await inbox()).toEqual([]);
    });
  });

  it("a declined buyer reads so, and pays the same order in another way", async () => {
    const placed = await reserveByPayPal();
    await comeBack(placed, await approve(placed, { account: "declined" }));
    const html = await (await placed.guest.fetch(`/orders/${placed.orderId}`)).text();
    expect(html).toContain("Your last payment didn’t go through.");
    const page = await openPage(database.db, providers, placed.orderId);
    expect(page).toEqual({ ok: true, url: placed.url });
    await comeBack(placed, await approve(placed));
    expect(await statusOf(placed.orderId)).toBe("processing");
    expect(await paymentsOf(placed.orderId)).toHaveLength(1);
  });

  it("while PayPal is away its orders wait, and cards go on", async () => {
    await fail("/paypal/v2/checkout/orders", "cut", "before", 50);
    const waiting = await reserveByPayPal();
    expect(waiting.url).toContain("/payments/wait");
    const byCard = await reserve();
    await payOnPage(byCard.url);
    await until(byCard.orderId, "processing");
    await sandbox.control({ do: "behave" });
    const page = await waiting.guest.fetch(
      new URL(waiting.url, shop.url).pathname + new URL(waiting.url, shop.url).search,
    );
    await payOnPage(page.headers.get("Location") ?? "", { account: "pays" });
    await until(waiting.orderId, "processing");
  });

  it("what is charged later is not offered PayPal, and refused to who asks for it", async () => {
    await query("UPDATE products SET ships_from = current_date + 60 WHERE slug = $1", [SLUG]);
    const guest = await guestWith();
    const html = await (await guest.fetch("/checkout")).text();
    expect(html).not.toContain("On PayPal’s page");
    expect(html).toContain("PayPal can’t be used here, because it can’t be charged later.");
    const refused = await guest.checkout({ paymentProvider: "paypal" });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("it can’t be paid with PayPal");
    await query("UPDATE products SET ships_from = NULL WHERE slug = $1", [SLUG]);
  });

  it("turned off, it takes no new order, and one that is being paid finishes", async () => {
    const open = await reserveByPayPal();
    const unsent = await guestWith();
    const seen = await unsent.checkoutFields();
    await changeSettings(database.db, { payments: { paypal: false } });
    await expect.poll(checkout).not.toContain("On PayPal’s page");
    for (const path of ["/terms", "/terms.md", "/privacy"])
      expect(await (await fetch(shop.url + path)).text(), path).not.toContain("PayPal");
    const refused = await unsent.checkout({ ...seen, email: "unsent@example.com", paymentProvider: "paypal" });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("it can’t be paid with PayPal");
    expect(await query("SELECT FROM orders WHERE email = 'unsent@example.com'")).toEqual([]);
    expect(await openPage(database.db, providers, open.orderId)).toEqual({ ok: true, url: open.url });
    await comeBack(open, await approve(open));
    await until(open.orderId, "processing");
    expect(await ship(open.orderId)).toMatchObject({ ok: true });
    await until(open.orderId, "shipped");
  });
});

let parcels = 70_000;

/** A delivered bowl of $89, a return of it, and the two pages that lead it to its end. */
async function returned(request: Pick<ReturnRequest, "kind" | "reason"> & { wanted?: string }) {
  const { visitor: manager } = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "manager");
  const placed = await reserve("polara-classic-frost-white");
  const { orderId, guest } = placed;
  await comeBack(placed, await pay(placed));
  await until(orderId, "processing");
  await manager.post(`/admin/orders/${orderId}?intent=ship`, { tracking: aParcel(++parcels).trackingNumber });
  await until(orderId, "shipped");
  await markDelivered(database.db, orderId, null);
  const [line] = await query<{ id: string }>("SELECT id FROM order_items WHERE order_id = $1", [orderId]);
  const [product] = await query<{ id: string }>("SELECT id FROM products WHERE slug = $1", [request.wanted ?? ""]);
  const asked = await requestReturn(
    database.db,
    null,
    orderId,
    {
      ...request,
      description: "",
      formKey: randomUUID(),
      units: { [line!.id]: 1 },
      ...(product && { exchange: { productId: product.id, differenceCents: 10_00 } }),
    },
    "customer",
  );
  if (!asked.ok) throw new Error(asked.reason);
  const { returnId, number } = asked;
  const path = `/orders/${orderId}/returns/${number}`;
  const headline = async () =>
    textOf(/<h1[^>]*>.*?<\/h1>/.exec(await (await guest.fetch(path)).text())?.[0] ?? "").trim();
  /** An action of staff. Returns the answer, and then the headline of the customer. */
  async function act(intent: string, fields: Record<string, string> = {}) {
    const answer = await manager.post(`/admin/returns/${returnId}?intent=${intent}`, fields);
    return [textOf(await answer.text()), await headline()];
  }
  async function inspect(condition: string) {
    await act("receive");
    return act("inspect", { condition: `${line!.id}:${condition}` });
  }
  async function payCharge() {
    const page = await guest.post(path, { intent: "pay" });
    await comeBack(placed, await payOnPage(page.headers.get("Location") ?? ""));
    // No answer is taken while it is being captured.
    await expect
      .poll(() => query("SELECT FROM payments WHERE order_id = $1 AND state <> 'captured'", [placed.orderId]))
      .toEqual([]);
  }
  return { ...placed, returnId, manager, path, headline, act, inspect, payCharge };
}

const saying = (words: string): string => expect.stringContaining(words) as string;

it("the fee of a repair is paid, its price refused, and the fee refunded by staff", async () => {
  const { act, inspect, payCharge, headline, guest, path, manager, orderId, returnId } = await returned({
    kind: "repair",
    reason: "accident",
  });
  const isAsked = [saying("emailed a link to pay the fee"), "Please pay the diagnostic fee"];
  expect(await act("fee")).toEqual(isAsked);
  await payCharge();
  await expect.poll(headline).toBe("We’ve got your request");
  expect(await act("authorize")).toEqual([saying("Authorized."), saying("Send it by ")]);
  expect(await inspect("damaged")).toEqual([saying("Inspected."), "We’ve checked it"]);
  expect(await act("quote", { amount: "60" })).toEqual([
    saying("Sent. The customer answers on their return’s page."),
    "The repair costs $60.00",
  ]);
  expect((await guest.post(path, { intent: "refuse" })).headers.get("Location")).toBe(path);
  expect(await headline()).toBe("Your product ships soon");
  const fee = `fee-${returnId}`;
  const order = async () => (await manager.fetch(`/admin/orders/${orderId}`)).text();
  expect(await order()).toContain(`value="${fee}"`);
  const refund = { reason: "goodwill", refundsSeen: "0", services: fee, total: "3500", amount: "" };
  const refunded = await manager.post(`/admin/orders/${orderId}?intent=refund`, refund);
  expect(textOf(await refunded.text())).toContain("$35.00");
  expect(await order()).not.toContain(`value="${fee}"`);
});

it("an exchange for something dearer ships once the difference is paid", async () => {
  const { act, inspect, payCharge, headline, orderId, email } = await returned({
    kind: "exchange",
    reason: "other-model",
    wanted: "polara-pro-earth-green",
  });
  const { links } = await emailTo(shop.url, email, "was delivered");
  const reader = new Visitor("");
  let link = links.find((one) => one.endsWith("&intent=return")) ?? "";
  for (let hops = 0; hops < 2; hops++)
    link = (await reader.fetch(new URL(link, shop.url).href)).headers.get("Location") ?? "";
  expect(link).toBe(`/orders/${orderId}/return`);
  expect(await inspect("new")).toEqual([saying("Inspected."), "We’ve checked it"]);
  expect(await act("resolve", { outcome: "replacement" })).toEqual([saying("Resolved."), "Please pay $10.00"]);
  await payCharge();
  await expect.poll(headline).toBe("Your replacement ships soon");
  await paying.expectBooksToAgree();
});
