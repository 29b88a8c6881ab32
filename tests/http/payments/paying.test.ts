/** Orders and their payment, and what an order's page does about it, with the sandbox in its own process. */
import { afterEach, describe, expect, it } from "vitest";
import { orderKey } from "#shop/orders/order-link.server.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import { makeActor } from "../../support/actors.ts";
import { textOf } from "../../support/page-data.ts";
import { payOnPage } from "../../support/pay-page.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { providerOf } from "../../support/provider-of.ts";
import { setUnits, unitsOf } from "../../support/stock.ts";
import { signIn } from "../../support/use-shop.ts";
import { address, Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
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
    ["refuses", { fault: "error", when: "before" }, 1],
    ["fails after it was done", { fault: "error", when: "after" }, 2],
    ["cuts the connection", { fault: "cut", when: "before" }, 1],
    ["cuts the connection after it was done", { fault: "cut", when: "after" }, 1],
    ["does not answer", { fault: "hang", when: "before" }, 1],
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

  it("finds the same order when the form is sent again", async () => {
    const guest = await guestWith();
    const fields = { ...address, ...(await guest.checkoutFields()), email: "again@example.com" };
    await sandbox.control({ do: "fail", order: { ...CREATE, fault: "error", when: "before" }, times: 1 });
    expect((await guest.post("/checkout", fields)).headers.get("Location")).toContain("/payments/wait");
    expect((await guest.post("/checkout", fields)).headers.get("Location")).toContain("/payment-sandbox/pay/");
    expect(await query("SELECT FROM orders WHERE email = 'again@example.com'")).toHaveLength(1);
  });
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

  it("with two pages of one order: both are paid, and one is voided", async () => {
    const placed = await reserve();
    const providers = providerOf(sandbox, shop);
    await query("UPDATE payments SET state = 'closed' WHERE order_id = $1", [placed.orderId]);
    const other = await openPage(database.db, providers, placed.orderId);
    if (!other.ok) throw new Error(other.reason);
    expect(other.url).not.toBe(placed.url);
    await Promise.all([payOnPage(other.url), pay(placed)]);
    await expect
      .poll(async () => (await paymentsOf(placed.orderId)).map(({ state }) => state).toSorted())
      .toEqual(["authorized", "closed"]);
    await expect.poll(() => eventsOf(placed.orderId)).toEqual(["held", "authorized", "payment-voided"]);
    expect([
      await mailsOf(placed.orderId, "order-confirmation"),
      await mailsOf(placed.orderId, "payment-alert"),
    ]).toEqual([1, 1]);
    expect((await sandbox.books()).captured).toBe(0);
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

it("a different amount moves nothing, and alerts staff once", async () => {
  const placed = await reserve();
  await query("UPDATE payments SET amount = amount + 100 WHERE order_id = $1", [placed.orderId]);
  const paid = await pay(placed);
  await comeBack(placed, paid);
  await comeBack(placed, paid);
  expect(await paymentsOf(placed.orderId)).toMatchObject([{ state: "mismatch", captured: 0 }]);
  expect(await statusOf(placed.orderId)).toBe("unpaid");
  expect(await eventsOf(placed.orderId)).toEqual(["held", "payment-mismatch"]);
  expect([await mailsOf(placed.orderId, "payment-alert"), await mailsOf(placed.orderId, "order-confirmation")]).toEqual(
    [1, 0],
  );
});

it("a declined card, a failed 3D Secure, then another card: one order and one payment", async () => {
  const placed = await reserve();
  expect((await pay(placed, { number: "4000 0000 0000 0002" })).status).toBe(402);
  await expect.poll(async () => (await paymentsOf(placed.orderId))[0]?.problem).toBe("generic_decline");
  expect((await pay(placed, { number: "4000 0000 0000 3220", bank: "fail" })).location).toBeNull();
  await pay(placed);
  await until(placed.orderId, "processing");
  expect(await paymentsOf(placed.orderId)).toMatchObject([{ state: "authorized", problem: null }]);
  expect(await eventsOf(placed.orderId)).toContain("payment-failed");
  expect((await eventsOf(placed.orderId)).at(-1)).toBe("authorized");
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
  it("cancels it free of charge, with one email", async () => {
    const placed = await reserve();
    await comeBack(placed, await pay(placed));
    const { orderId, guest } = placed;
    for (let press = 0; press < 2; press++) expect((await submit(guest, orderId, "cancel")).status).toBe(303);
    expect(await statusOf(orderId)).toBe("canceled");
    expect(await mailsOf(orderId, "order-canceled")).toBe(1);
    await expect.poll(async () => (await paymentsOf(orderId))[0]?.state).toBe("closed");
    expect(await eventsOf(orderId)).toEqual(expect.arrayContaining(["held", "authorized", "canceled"]));
    const text = await pageOf(guest, orderId);
    expect(text).toMatch(/Canceled You weren’t charged\./);
  });

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
