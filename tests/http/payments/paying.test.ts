/** From the order to its payment and back, against the sandbox in a process of its own. */
import { afterEach, describe, expect, it } from "vitest";
import { changeMyOrder, payNow } from "../../../shop/payments/payments.server.ts";
import { payOnPage } from "../../support/pay-page.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { providerOf } from "../../support/provider-of.ts";
import { setUnits, unitsOf } from "../../support/stock.ts";
import { address } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const paying = usePayingShop({ AUTH_SECRET });
const { guestWith, place, hold, pay, comeBack, statusOf, eventsOf, paymentsOf, mailsOf, endHold, until, cartOf } =
  paying;
const { shop, sandbox, query, database } = paying;
const SLUG = "travel-sleeve";
const stock = () => unitsOf(database.pool, SLUG);

const CREATE = { on: "call", path: "/v1/checkout/sessions", method: "POST" } as const;
const buyerOf = async (orderId: string) => {
  const [order] = await query<{ guestId: string }>(`SELECT session_id AS "guestId" FROM orders WHERE id = $1`, [
    orderId,
  ]);
  return { guestId: order?.guestId ?? "" };
};

/** Those of one payment, by what the shop calls it. */
async function sessionsOf(orderId: string) {
  const ids = (await paymentsOf(orderId)).map(({ id }) => id);
  const { data } = await sandbox.stripe.checkout.sessions.list({ limit: 100 });
  return data.filter(({ client_reference_id: id }) => ids.includes(id ?? ""));
}

afterEach(async () => {
  await sandbox.control({ do: "release-webhooks" });
  await sandbox.control({ do: "behave" });
  await paying.expectBooksToAgree();
});

describe("an order that is paid", () => {
  it("is held, and in processing when its buyer comes back, with one email", async () => {
    const held = await hold();
    expect([await statusOf(held.orderId), await mailsOf(held.orderId, "order-confirmation")]).toEqual(["unpaid", 0]);
    const paid = await pay(held);
    expect(paid.location).toContain("/payments/return?token=");
    expect(await comeBack(held, paid)).toMatch(new RegExp(`^/orders/${held.orderId}\\?k=`));
    expect(await statusOf(held.orderId)).toBe("processing");
    expect(await eventsOf(held.orderId)).toEqual(["held", "authorized"]);
    expect(await paymentsOf(held.orderId)).toMatchObject([{ state: "authorized", captured: 0 }]);
    expect(await mailsOf(held.orderId, "order-confirmation")).toBe(1);
  });

  it("whose tab was closed is brought on by the webhook", async () => {
    const held = await hold();
    await pay(held);
    await until(held.orderId, "processing");
    expect(await mailsOf(held.orderId, "order-confirmation")).toBe(1);
  });

  it("whose tab was closed and whose webhook was lost is found by the sweep", async () => {
    await sandbox.control({ do: "hold-webhooks" });
    const held = await hold();
    await pay(held);
    expect(await statusOf(held.orderId)).toBe("unpaid");
    await query("UPDATE payments SET created_at = now() - interval '11 minutes' WHERE order_id = $1", [held.orderId]);
    await until(held.orderId, "processing");
    expect(await mailsOf(held.orderId, "order-confirmation")).toBe(1);
    expect(await eventsOf(held.orderId)).toEqual(["held", "authorized"]);
  });

  it("with the page's script is paid at the address in the answer", async () => {
    const guest = await guestWith();
    const email = "script@example.com";
    const fields = { ...address, ...(await guest.checkoutFields()), email };
    const answer = await guest.post("/checkout", fields, { Accept: "application/json" });
    expect(answer.status).toBe(200);
    const { outcome, url } = (await answer.json()) as { outcome: string; url: string };
    expect(outcome).toBe("held");
    expect(new URL(url).origin).toBe(new URL(sandbox.pageUrl).origin);
    const [order] = await query<{ id: string }>("SELECT id FROM orders WHERE email = $1", [email]);
    await payOnPage(url);
    await until(order?.id ?? "", "processing");
  });
});

describe("where the provider", () => {
  it.each([
    ["refuses", { ...CREATE, fault: "error", when: "before" } as const],
    ["fails after it was done", { ...CREATE, fault: "error", when: "after" } as const],
    ["cuts the line before it was done", { ...CREATE, fault: "cut", when: "before" } as const],
    ["does not answer", { ...CREATE, fault: "hang", when: "before" } as const],
    ["has no time", { ...CREATE, fault: "rate-limit", when: "before" } as const],
  ])(
    "%s when an order is placed, the order is held and says so, and is paid once it is tried again",
    async (_what, order) => {
      await sandbox.control({ do: "fail", order, times: 1 });
      const held = await hold();
      expect(held.url).toMatch(/^\/payments\/wait\?token=/);
      expect(await statusOf(held.orderId)).toBe("unpaid");
      await sandbox.control({ do: "fail", order: { ...CREATE, fault: "rate-limit", when: "before" }, times: 1 });
      const wait = await held.guest.fetch(held.url);
      expect([wait.status, wait.headers.get("Refresh")]).toEqual([200, "5"]);
      expect(await wait.text()).toContain("Your order is held");
      const again = await held.guest.fetch(held.url);
      expect(again.status).toBe(303);
      await payOnPage(again.headers.get("Location") ?? "");
      await until(held.orderId, "processing");
      expect((await paymentsOf(held.orderId)).filter(({ state }) => state === "authorized")).toHaveLength(1);
    },
  );

  it("loses its answer after the page was made, the same page is opened again, and there is one", async () => {
    await sandbox.control({ do: "fail", order: { ...CREATE, fault: "cut", when: "after" }, times: 1 });
    const held = await hold();
    const again = await held.guest.fetch(held.url);
    expect(again.headers.get("Location")).toContain("/payment-sandbox/pay/");
    expect(await sessionsOf(held.orderId)).toHaveLength(1);
    await payOnPage(again.headers.get("Location") ?? "");
    await until(held.orderId, "processing");
  });

  it("could not open a page, the same form sent again finds the same order", async () => {
    const guest = await guestWith();
    const fields = { ...address, ...(await guest.checkoutFields()), email: "again@example.com" };
    await sandbox.control({ do: "fail", order: { ...CREATE, fault: "error", when: "before" }, times: 1 });
    expect((await guest.post("/checkout", fields)).headers.get("Location")).toContain("/payments/wait");
    expect((await guest.post("/checkout", fields)).headers.get("Location")).toContain("/payment-sandbox/pay/");
    expect(await query("SELECT FROM orders WHERE email = 'again@example.com'")).toHaveLength(1);
  });
});

describe("a hold that is over", () => {
  it("returns the units to the shop and the lines to the cart, and nobody can pay any more", async () => {
    const before = await stock();
    const held = await hold(SLUG, 3);
    expect([await stock(), await cartOf(held.orderId)]).toEqual([before - 3, 0]);
    await endHold(held.orderId);
    await until(held.orderId, "lapsed");
    expect([await stock(), await cartOf(held.orderId)]).toEqual([before, 3]);
    expect(await eventsOf(held.orderId)).toEqual(["held", "lapsed"]);
    expect((await pay(held)).status).toBe(410);
    expect(await paymentsOf(held.orderId)).toMatchObject([{ state: "closed" }]);
  });

  it("stays while the provider cannot be asked, the staff hear of it once, and it is released later", async () => {
    const held = await hold();
    const unreachable = { on: "call", path: "/v1/checkout/sessions/*", fault: "cut", when: "before" } as const;
    await sandbox.control({ do: "fail", order: unreachable, times: 100 });
    await endHold(held.orderId);
    await expect.poll(() => eventsOf(held.orderId)).toContain("hold-extended");
    expect(await statusOf(held.orderId)).toBe("unpaid");
    await endHold(held.orderId);
    await expect
      .poll(async () => (await query("SELECT FROM orders WHERE id = $1 AND hold_until > now()", [held.orderId])).length)
      .toBe(1);
    expect(await mailsOf(held.orderId, "payment-alert")).toBe(1);
    await sandbox.control({ do: "behave" });
    await endHold(held.orderId);
    await until(held.orderId, "lapsed");
    expect(await eventsOf(held.orderId)).toEqual(["held", "hold-extended", "lapsed"]);
  });

  it("of an order whose page was never opened ends without asking anybody", async () => {
    await sandbox.control({ do: "fail", order: { ...CREATE, fault: "cut", when: "before" }, times: 1 });
    const before = await stock();
    const held = await hold();
    await endHold(held.orderId);
    await until(held.orderId, "lapsed");
    expect([await stock(), (await paymentsOf(held.orderId))[0]?.state]).toEqual([before, "closed"]);
  });
});

describe("paid after it had lapsed", () => {
  /** The shop has given it up, and the provider does not know it yet. */
  async function lapsedButOpen() {
    const held = await hold();
    await query("UPDATE payments SET state = 'closed' WHERE order_id = $1", [held.orderId]);
    await endHold(held.orderId);
    await until(held.orderId, "lapsed");
    return held;
  }

  it("an order whose units are there goes on", async () => {
    const before = await stock();
    const held = await lapsedButOpen();
    expect(await stock()).toBe(before);
    await pay(held);
    await until(held.orderId, "processing");
    expect(await stock()).toBe(before - 1);
    expect(await eventsOf(held.orderId)).toEqual(["held", "lapsed", "authorized-late"]);
    expect(await mailsOf(held.orderId, "order-confirmation")).toBe(1);
  });

  it("an order whose units are gone is given back, and its buyer is told", async () => {
    const before = await stock();
    const held = await lapsedButOpen();
    await setUnits(database.pool, SLUG, 0);
    await pay(held);
    await expect.poll(() => eventsOf(held.orderId)).toEqual(["held", "lapsed", "payment-voided"]);
    expect([await statusOf(held.orderId), await stock()]).toEqual(["lapsed", 0]);
    expect([
      await mailsOf(held.orderId, "order-not-charged"),
      await mailsOf(held.orderId, "order-confirmation"),
    ]).toEqual([1, 0]);
    expect(await paymentsOf(held.orderId)).toMatchObject([{ state: "closed" }]);
    await setUnits(database.pool, SLUG, before);
  });
});

describe("two tabs", () => {
  it("with an order each: the later one is live, and the page of the earlier one has closed", async () => {
    const before = await stock();
    const first = await hold();
    await first.guest.add(SLUG);
    const second = await place(first.guest);
    expect([await statusOf(first.orderId), await statusOf(second.orderId)]).toEqual(["canceled", "unpaid"]);
    expect((await pay(first)).status).toBe(410);
    await pay(second);
    await until(second.orderId, "processing");
    expect([await statusOf(first.orderId), await stock()]).toEqual(["canceled", before - 1]);
  });

  it("on two pages of one order: both are paid, one is given back, and the order goes on once", async () => {
    const held = await hold();
    const provider = providerOf(sandbox, shop);
    await query("UPDATE payments SET state = 'closed' WHERE order_id = $1", [held.orderId]);
    const other = await payNow(database.db, provider, held.orderId);
    if (!other.ok) throw new Error(other.reason);
    expect(other.url).not.toBe(held.url);
    await Promise.all([payOnPage(other.url), pay(held)]);
    await expect
      .poll(async () => (await paymentsOf(held.orderId)).map(({ state }) => state).toSorted())
      .toEqual(["authorized", "closed"]);
    await expect.poll(() => eventsOf(held.orderId)).toEqual(["held", "authorized", "payment-voided"]);
    expect([await mailsOf(held.orderId, "order-confirmation"), await mailsOf(held.orderId, "payment-alert")]).toEqual([
      1, 1,
    ]);
    expect((await sandbox.books()).captured).toBe(0);
  });
});

it("another amount than ours moves nothing, and the staff are told once", async () => {
  const held = await hold();
  await query("UPDATE payments SET amount = amount + 100 WHERE order_id = $1", [held.orderId]);
  const paid = await pay(held);
  await comeBack(held, paid);
  await comeBack(held, paid);
  expect(await paymentsOf(held.orderId)).toMatchObject([{ state: "mismatch", captured: 0 }]);
  expect(await statusOf(held.orderId)).toBe("unpaid");
  expect(await eventsOf(held.orderId)).toEqual(["held", "payment-mismatch"]);
  expect([await mailsOf(held.orderId, "payment-alert"), await mailsOf(held.orderId, "order-confirmation")]).toEqual([
    1, 0,
  ]);
});

it("a declined card, a bank that says no, then another card: the same order, by one payment", async () => {
  const held = await hold();
  expect((await pay(held, { number: "4000 0000 0000 0002" })).status).toBe(402);
  await expect.poll(async () => (await paymentsOf(held.orderId))[0]?.problem).toBe("generic_decline");
  expect((await pay(held, { number: "4000 0000 0000 3220", bank: "fail" })).location).toBeNull();
  await pay(held);
  await until(held.orderId, "processing");
  expect(await paymentsOf(held.orderId)).toMatchObject([{ state: "authorized", problem: null }]);
  expect(await eventsOf(held.orderId)).toContain("payment-failed");
  expect((await eventsOf(held.orderId)).at(-1)).toBe("authorized");
});

it("back from the page and changed: the cart is as it was, the page is closed, and the new order is paid", async () => {
  const before = await stock();
  const held = await hold(SLUG, 2);
  const provider = providerOf(sandbox, shop);
  expect((await held.guest.fetch("/checkout")).headers.get("Location")).toContain("/payments/return?token=");
  const buyer = await buyerOf(held.orderId);
  expect(await changeMyOrder(database.db, provider, buyer, held.orderId)).toEqual({ ok: true });
  expect([await statusOf(held.orderId), await stock(), await cartOf(held.orderId)]).toEqual(["canceled", before, 2]);
  expect(await changeMyOrder(database.db, provider, buyer, held.orderId)).toEqual({ ok: false, reason: "over" });
  expect((await pay(held)).status).toBe(410);
  const again = await place(held.guest);
  const paid = await pay(again);
  await comeBack(again, paid);
  expect([await statusOf(again.orderId), await stock()]).toEqual(["processing", before - 2]);
  expect(await changeMyOrder(database.db, provider, buyer, again.orderId)).toEqual({ ok: false, reason: "paid" });
});

it("a link back that is not ours leads nowhere", async () => {
  const held = await hold();
  const token = new URL((await pay(held)).location ?? "").searchParams.get("token") ?? "";
  for (const wrong of ["", "x", `${token}A`, `${token.slice(0, -4)}AAAA`]) {
    const answer = await held.guest.fetch(`/payments/return?token=${wrong}`);
    expect(answer.status).toBe(404);
  }
});
