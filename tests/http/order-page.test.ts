/** The order page: access, masking, texts of each status, and actions. */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { claimToken, orderKey, registrationUrl } from "#shop/orders/order-link.server.ts";
import { makeActor } from "../support/actors.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { insertOrder, type OrderState } from "../support/order-states.ts";
import { textOf } from "../support/page-data.ts";
import { unitsOf } from "../support/stock.ts";
import { useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET });

const PERSON = { firstName: "Ada", lastName: "Lovelace" };
const someEmail = () => `ada-${randomUUID()}@example.com`;
const keyOf = (id: string, linkVersion = 1) => orderKey({ id, linkVersion }, AUTH_SECRET);

/** An order in a state: a guest's, or that of the account. */
async function orderIn(state: OrderState, { userId = null as string | null, email = someEmail() } = {}) {
  const orderId = randomUUID();
  const orderedAt = new Date(Date.now() - 400 * 3_600_000);
  await insertOrder(database.pool, state, { orderId, orderedAt, email, userId, ...PERSON });
  return { id: orderId, email };
}

async function customer() {
  const actor = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
  return { ...actor, who: actor.visitor };
}

/** A visitor who has opened the order's link. */
async function linkedTo(id: string): Promise<Visitor> {
  const who = new Visitor(shop.url);
  expect((await who.fetch(`/orders/${id}?k=${keyOf(id)}`)).status).toBe(303);
  return who;
}

async function stateOf(id: string) {
  const { rows } = await database.pool.query<{ status: string; events: string[] }>(
    `SELECT status, coalesce(array(SELECT type FROM order_events WHERE order_id = orders.id ORDER BY id), '{}') AS events
     FROM orders WHERE id = $1`,
    [id],
  );
  return rows[0];
}

/** Words of a page as they are read. */

describe("the link to register a product", () => {
  it("writes with the order's name, email, number and model, shows neither name nor email, and opens no order", async () => {
    const { id, email } = await orderIn("delivered");
    await database.pool.query("UPDATE order_items SET warranty_years = 2 WHERE order_id = $1", [id]);
    const { rows } = await database.pool.query<{ name: string }>("SELECT name FROM order_items WHERE order_id = $1", [
      id,
    ]);
    const link = registrationUrl({ id, linkVersion: 1 }, { baseUrl: "", secret: AUTH_SECRET });
    const who = new Visitor(shop.url);
    const answer = await who.fetch(link);
    expect(answer.headers.get("Cache-Control")).toContain("private");
    const html = await answer.text();
    const message = textOf(/<textarea[^>]*>([^<]*)/.exec(html)?.[1] ?? "");
    expect(message).toContain(`Order ${id.slice(0, 8)}: `);
    for (const { name } of rows) expect(message).toContain(name);
    expect(html).not.toContain(email);
    expect(html).not.toContain(PERSON.lastName);
    const k = new URL(link, shop.url).searchParams.get("k") ?? "";
    const stored = () => database.pool.query("SELECT name, order_id FROM contact_messages WHERE email = $1", [email]);
    expect((await who.post("/support", { k: `${k}x`, message })).status).toBe(409);
    expect((await stored()).rows).toEqual([]);
    expect((await who.post("/support", { k, message })).status).toBe(200);
    expect((await stored()).rows).toEqual([{ name: `${PERSON.firstName} ${PERSON.lastName}`, order_id: id }]);
    expect((await who.fetch(`/orders/${id}`)).status).toBe(404);
    expect((await who.fetch(`/orders/${id}?k=${k}`)).status).toBe(404);
  });
});

describe("the signed link of an order", () => {
  it("opens its page, with the key in a cookie for that page only", async () => {
    const { id } = await orderIn("processing");
    const who = new Visitor(shop.url);
    const answer = await who.fetch(`/orders/${id}?k=${keyOf(id)}`);
    const told = `/orders/${id}?k=${keyOf(id)}&told=1`;
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, told]);
    expect((await who.fetch(told)).headers.get("Location")).toBe(`/orders/${id}`);
    expect(answer.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(answer.headers.get("Cache-Control")).toContain("no-store");
    const cookies = answer.headers.getSetCookie();
    expect(cookies.map((line) => /Path=([^;]*)/.exec(line)?.[1])).toEqual([`/orders/${id}`, `/orders/${id}.data`]);
    for (const line of cookies) {
      expect(line).toMatch(/; HttpOnly/);
      expect(line).toMatch(/; SameSite=Lax/);
      expect(line).not.toMatch(/Max-Age|Expires/);
    }
    const page = await (await linkedTo(id)).fetch(`/orders/${id}`);
    expect(page.status).toBe(200);
    expect(page.headers.get("Cache-Control")).toContain("no-store");
    expect(page.headers.get("Referrer-Policy")).toBe("same-origin");
    expect(page.headers.get("X-Robots-Tag")).toBe("noindex");
  });

  it("shows the order to a browser that blocks cookies, without any action", async () => {
    const { id } = await orderIn("delayed");
    const path = `/orders/${id}?k=${keyOf(id)}&intent=cancel&told=1`;
    const page = await new Visitor(shop.url).fetch(path);
    expect([page.status, page.headers.get("Referrer-Policy")]).toEqual([200, "same-origin"]);
    expect(page.headers.get("Cache-Control")).toContain("no-store");
    const main = /<main[\s\S]*<\/main>/.exec(await page.text())?.[0] ?? "";
    expect(main).toContain("Your browser blocks cookies, so you can only read this page.");
    expect(main).toContain("A••• L•••");
    expect(main).not.toMatch(/<form|\/receipt|\/return"|intent=/);
    expect((await new Visitor(shop.url).post(path, { intent: "cancel" })).status).toBe(404);
  });

  it("masks name, address and email", async () => {
    const { id, email } = await orderIn("processing");
    const who = await linkedTo(id);
    for (const path of [`/orders/${id}`, `/orders/${id}.data`, `/orders/${id}/receipt`]) {
      const html = await (await who.fetch(path)).text();
      for (const typed of ["Lovelace", "Analytical", "New York", "2125550100", email.replace("@example.com", "")]) {
        expect(html, path).not.toContain(typed);
      }
      // As a word: a random id may contain these digits.
      expect(html, path).not.toMatch(/\b10001\b/);
      expect(html, path).toContain("A••• L•••");
      expect(html, path).toContain("a•••@example.com");
      expect(html, path).not.toContain(keyOf(id));
    }
  });

  it("answers the same 404 if forged, revoked or for another order or purpose, and changes nothing", async () => {
    const [{ id, email }, other] = [await orderIn("processing"), await orderIn("processing")];
    const revoked = await orderIn("processing");
    const oldKey = keyOf(revoked.id);
    const former = await linkedTo(revoked.id);
    await database.pool.query("UPDATE orders SET link_version = 2 WHERE id = $1", [revoked.id]);
    const gone = randomUUID();
    const fresh = () => new Visitor(shop.url);
    const tries: [who: Visitor, path: string][] = [
      [fresh(), `/orders/${id}`],
      [fresh(), `/orders/${id}?k=`],
      [fresh(), `/orders/${id}?k=${keyOf(other.id)}`],
      [fresh(), `/orders/${id}?k=${keyOf(id, 2)}`],
      [fresh(), `/orders/${id}?k=${keyOf(id).slice(0, -1)}`],
      [fresh(), `/orders/${id}?k=${orderKey({ id, linkVersion: 1 }, "another secret, which is long enough too")}`],
      [fresh(), `/orders/${id}?k=${claimToken({ id, email }, AUTH_SECRET)}`],
      [fresh(), `/orders/${gone}?k=${keyOf(gone)}`],
      [fresh(), `/orders/${revoked.id}?k=${oldKey}`],
      [former, `/orders/${revoked.id}`],
      [await linkedTo(other.id), `/orders/${id}`],
      [fresh(), `/orders/${id.slice(0, 8)}?k=${keyOf(id)}`],
    ];
    const before = await Promise.all([id, other.id, revoked.id].map(stateOf));
    const pages = new Set<string>();
    for (const [who, path] of tries) {
      const answer = await who.fetch(path);
      expect(answer.status, path).toBe(404);
      expect(answer.headers.get("Cache-Control"), path).toContain("no-store");
      pages.add(textOf(await answer.text()));
      const posted = await who.post(path, { intent: "cancel" });
      expect(posted.status, `POST ${path}`).toBe(404);
    }
    expect(pages.size).toBe(1);
    expect(await Promise.all([id, other.id, revoked.id].map(stateOf))).toEqual(before);
    // A page's key claims no order, and an unknown action is refused.
    expect((await fresh().fetch(`/orders/claim?token=${keyOf(id)}`)).status).toBe(410);
    const linked = await linkedTo(id);
    for (const intent of ["", "ship", "refund", "__proto__"]) {
      expect((await linked.post(`/orders/${id}`, { intent })).status).toBe(404);
    }
    expect(await stateOf(id)).toEqual(before[0]);
  });

  it("opens the confirmation of an email's action without running it", async () => {
    const { id } = await orderIn("delayed");
    const before = await stateOf(id);
    for (const [act, question] of [
      ["keep", "Keep this order?"],
      ["cancel", "Cancel this order?"],
    ] as const) {
      const who = new Visitor(shop.url);
      const answer = await who.fetch(`/orders/${id}?k=${keyOf(id)}&intent=${act}`);
      const told = answer.headers.get("Location") ?? "";
      expect((await who.fetch(told)).headers.get("Location")).toBe(`/orders/${id}?intent=${act}`);
      const html = await (await who.fetch(`/orders/${id}?intent=${act}`)).text();
      expect(html).toMatch(new RegExp(`<h2 id="confirm"[^>]*>${question.replace("?", "\\?")}`));
    }
    expect(await stateOf(id)).toEqual(before);
  });

  it("ends with the customer's account", async () => {
    const { id } = await orderIn("processing");
    const who = await linkedTo(id);
    await database.pool.query("UPDATE orders SET email = '' WHERE id = $1", [id]);
    expect((await who.fetch(`/orders/${id}`)).status).toBe(404);
    expect((await who.fetch(`/orders/${id}?k=${keyOf(id)}`)).status).toBe(404);
  });
});

describe("an order's page", () => {
  it("shows the customer everything they typed, and other customers nothing", async () => {
    const { who, userId, email } = await customer();
    const { id } = await orderIn("processing", { userId, email });
    const html = await (await who.fetch(`/orders/${id}`)).text();
    for (const typed of ["Ada Lovelace", "12 Analytical Ave", "New York, NY 10001", email])
      expect(html).toContain(typed);
    expect((await (await customer()).who.fetch(`/orders/${id}`)).status).toBe(404);
    const history = await (await who.fetch("/account?tab=orders")).text();
    expect(history).toContain(`href="/orders/${id}"`);
  });

  it("opens to the guest who placed it, until the browser closes, in full for half an hour", async () => {
    const guest = new Visitor(shop.url);
    const email = someEmail();
    await guest.add("travel-sleeve");
    const placed = await (await guest.checkout({ email })).text();
    const id = /href="\/orders\/([0-9a-f-]{36})"/.exec(placed)?.[1] ?? "";
    const read = async (who: Visitor, path = "") => textOf(await (await who.fetch(`/orders/${id}${path}`)).text());
    const full = ["Ada Lovelace", "12 Analytical Ave", "New York, NY 10001", email];
    for (const typed of full) {
      for (const path of ["", "/receipt"]) expect(await read(guest, path)).toContain(typed);
      expect(await read(await linkedTo(id))).not.toContain(typed);
    }
    await guest.fetch(`/orders/${id}?k=${keyOf(id)}`);
    expect(await read(guest)).toContain("your name and address show only in this browser, for 30 minutes");
    await database.pool.query("UPDATE orders SET created_at = now() - interval '30 minutes' WHERE id = $1", [id]);
    for (const typed of full) expect(await read(guest)).not.toContain(typed);
    expect(await read(guest)).toContain("partly hidden, because anyone with the link in our emails can open this page");
    expect((await new Visitor(shop.url).fetch(`/orders/${id}`)).status).toBe(404);
    guest.carry("polara_ordered", "");
    guest.carry("polara_order", "");
    expect((await guest.fetch(`/orders/${id}`)).status).toBe(404);
  });

  it.each([
    ["unpaid", ["Waiting for your payment", "Order placed", "Cancel order", "Not paid yet."]],
    ["processing", ["We’re getting it ready", "Visa ending in 4242", "Authorized", "Cancel order", "Arrives"]],
    ["delayed", ["Your order is delayed", "Ships by March 4", "Keep my order", "Cancel order"]],
    ["declined-card", ["We need your payment", "Your bank declined the payment"]],
    ["two-parcels", ["On its way", "UPS", "1Z999AA10123456784", "Another package shipped", "USPS", "Charged"]],
    ["delivered", ["Delivered", "return it until"]],
    ["canceled", ["Canceled", "You weren’t charged", "Canceled by you"]],
    ["declined", ["We couldn’t accept this order", "We don’t have what you ordered", "Nothing was charged"]],
    ["expired", ["This order wasn’t paid in time", "Payment time expired"]],
    ["refunded", ["Refunded", "$147.00 refunded", "−$147.00"]],
    ["ten-lines", ["On its way", "Charging Dock"]],
  ] satisfies [OrderState, string[]][])("explains the status %s", async (state, words) => {
    const { id } = await orderIn(state);
    const text = textOf(await (await (await linkedTo(id)).fetch(`/orders/${id}`)).text());
    for (const word of words) expect(text).toContain(word);
    const isOver = ["two-parcels", "delivered", "canceled", "declined", "expired", "refunded", "ten-lines"].includes(
      state,
    );
    expect(text.includes("Cancel order")).toBe(!isOver);
    expect(text).not.toContain("Pay now");
  });

  it.each([
    ["declined-card", "Payment due"],
    ["delayed", "Delayed"],
    ["two-parcels", "Shipped"],
    ["delivered", "Delivered"],
    ["refunded", "Refunded"],
  ] as const)("is named in the account as it is: %s", async (state, status) => {
    const { who, userId, email } = await customer();
    const { id } = await orderIn(state, { userId, email });
    for (const tab of ["dashboard", "orders"]) {
      const text = textOf(await (await who.fetch(`/account?tab=${tab}`)).text());
      expect(text).toMatch(new RegExp(`Order ${id.slice(0, 8)} \\w+ \\d+, \\d{4} ${status} `));
    }
  });

  it("has a receipt with lines, totals, payment and address", async () => {
    const { who, userId, email } = await customer();
    const { id } = await orderIn("delivered", { userId, email });
    const text = textOf(await (await who.fetch(`/orders/${id}/receipt`)).text());
    for (const word of [
      "Receipt",
      id.slice(0, 8),
      "Ethylene Filter 2-Pack",
      "2 × $24.00",
      "Total",
      "$147.00",
      "Visa ending in 4242",
      "12 Analytical Ave",
    ]) {
      expect(text).toContain(word);
    }
  });

  it("links to the contact form with the order's number", async () => {
    const { id } = await orderIn("delivered");
    const number = id.slice(0, 8);
    const page = await (await linkedTo(id)).fetch(`/orders/${id}`);
    expect(await page.text()).toContain(`href="/support?order=${number}#contact"`);
    const support = await fetch(`${shop.url}/support?order=${number}`);
    expect(support.headers.get("Cache-Control")).toBe("private, no-cache");
    expect(await support.text()).toContain(`>Order ${number}: </textarea>`);
    // Cached pages never contain the order.
    for (const path of ["/support", "/support?order=%3Cb%3E", "/support?orders=1"]) {
      expect(await (await fetch(shop.url + path)).text()).toContain("></textarea>");
    }
  });
});

describe("canceling on the page", () => {
  it("cancels the order, returns its stock and sends one email, however often it is pressed", async () => {
    const { id, email } = await orderIn("processing");
    const who = await linkedTo(id);
    const before = await unitsOf(database.pool, "polara-pro-earth-green");
    for (let press = 0; press < 3; press++) {
      const answer = await who.post(`/orders/${id}`, { intent: "cancel" });
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/orders/${id}`]);
    }
    expect(await stateOf(id)).toEqual({ status: "canceled", events: ["held", "authorized", "canceled"] });
    expect(await unitsOf(database.pool, "polara-pro-earth-green")).toBe(before + 1);
    const mail = await emailTo(shop.url, email, "canceled");
    expect((await who.fetch(linkIn(mail, `/orders/${id}`))).status).toBe(303);
    const all = (await (await fetch(`${shop.url}/mailbox.json`)).json()) as { to: string; subject: string }[];
    expect(all.filter(({ to, subject }) => to === email && subject.includes("canceled"))).toHaveLength(1);
    expect(textOf(await (await who.fetch(`/orders/${id}`)).text())).toContain("Canceled by you");
  });

  it("is refused with a message after it has shipped", async () => {
    const { id } = await orderIn("two-parcels");
    const answer = await (await linkedTo(id)).post(`/orders/${id}`, { intent: "cancel" });
    expect(answer.status).toBe(409);
    expect(textOf(await answer.text())).toContain("This order can’t be canceled anymore");
    expect((await stateOf(id))?.status).toBe("shipped");
  });
});

describe("a delay", () => {
  it("is accepted once, and the order can still be canceled", async () => {
    const { id } = await orderIn("delayed");
    const who = await linkedTo(id);
    expect((await who.post(`/orders/${id}`, { intent: "keep" })).status).toBe(303);
    expect((await who.post(`/orders/${id}`, { intent: "keep" })).status).toBe(409);
    expect(await stateOf(id)).toEqual({
      status: "processing",
      events: ["held", "authorized", "delayed", "delay-accepted"],
    });
    const text = textOf(await (await who.fetch(`/orders/${id}`)).text());
    for (const words of ["Thanks for waiting.", "You chose to wait"]) expect(text).toContain(words);
    expect(text).not.toContain("Keep my order Cancel order");
    expect((await who.post(`/orders/${id}`, { intent: "cancel" })).status).toBe(303);
  });

  it.each([
    ["to a day that stands", "2030-03-20", null, "by March 20. You don’t need to do anything to keep it."],
    ["that needs a yes", "2030-04-20", "2030-02-20", "Please tell us by February 20 if you’ll wait. Otherwise"],
    ["to an unknown day", null, "2030-02-20", "We can’t say yet when it will ship."],
  ])("%s says what an answer does", async (_name, until, answerBy, words) => {
    const { id } = await orderIn("delayed");
    await database.pool.query("UPDATE orders SET ship_by = $2 WHERE id = $1", [id, until]);
    await database.pool.query("UPDATE delay_notices SET until = $2, answer_by = $3 WHERE order_id = $1", [
      id,
      until,
      answerBy,
    ]);
    expect(textOf(await (await (await linkedTo(id)).fetch(`/orders/${id}`)).text())).toContain(words);
  });

  it("of the rest is kept or canceled on the page, once", async () => {
    const { id } = await orderIn("two-parcels");
    await database.pool.query("DELETE FROM shipments WHERE order_id = $1 AND carrier = 'usps'", [id]);
    const who = await linkedTo(id);
    const text = async (path = "") => textOf(await (await who.fetch(`/orders/${id}${path}`)).text());
    await database.pool.query("UPDATE orders SET stage = 'partly-shipped' WHERE id = $1", [id]);
    expect(await text()).toMatch(
      /Partly on its way.*The rest ships by Mar 4, 2030\..*The rest ships \(still to come\) By Mar 4, 2030/,
    );
    await database.pool.query(
      `INSERT INTO delay_notices (id, order_id, sent_at, "from", answer_by)
       VALUES (gen_random_uuid(), $1, now(), '2030-03-04', '2030-04-03')`,
      [id],
    );
    await database.pool.query("UPDATE orders SET ship_by = NULL WHERE id = $1", [id]);
    expect(await text()).toContain("We can’t say yet when the rest will ship. Please tell us by April 3");
    expect(await text("?intent=keep")).toContain("We’ll email you the day as soon as we know it.");
    const refund = "we’ll refund anything you paid for it.";
    expect(await text("?intent=cancel")).toMatch(new RegExp(`Cancel the rest of this order\\?.*${refund}`));
    expect((await who.post(`/orders/${id}`, { intent: "keep" })).status).toBe(303);
    expect(await text()).not.toContain("Please tell us");
    expect((await who.post(`/orders/${id}`, { intent: "cancel" })).status).toBe(303);
    const flashMessage = { title: "The rest is canceled", description: "We’ll refund anything you paid for it." };
    expect(await who.me()).toMatchObject({ flashMessage });
    expect((await who.post(`/orders/${id}`, { intent: "cancel" })).status).toBe(409);
    expect((await stateOf(id))?.events.slice(-2)).toEqual(["delay-accepted", "line-canceled"]);
  });

  it("that does not exist cannot be accepted", async () => {
    const { id } = await orderIn("processing");
    expect((await (await linkedTo(id)).post(`/orders/${id}`, { intent: "keep" })).status).toBe(409);
    expect((await stateOf(id))?.events).toEqual(["held", "authorized"]);
  });
});

describe("finding an order", () => {
  const find = async (fields: Record<string, string>) => {
    const answer = await new Visitor(shop.url).post("/orders/find", fields);
    return { status: answer.status, text: textOf(await answer.text()) };
  };

  it("emails the link, and responds alike for known and unknown orders", async () => {
    const { id, email } = await orderIn("delivered");
    const known = await find({ number: ` #${id.slice(0, 8).toUpperCase()} `, email: email.toUpperCase() });
    expect(known.text).toContain("If we found your order, a link is on its way.");
    const stranger = someEmail();
    expect(await find({ number: id.slice(0, 8), email: stranger })).toEqual(known);
    expect(await find({ number: "00000000", email })).toEqual(known);
    const mail = await emailTo(shop.url, email, id.slice(0, 8));
    const who = new Visitor(shop.url);
    expect((await who.fetch(linkIn(mail, `/orders/${id}`))).headers.get("Location")).toContain("told=1");
    expect((await who.fetch(`/orders/${id}`)).status).toBe(200);
    const all = (await (await fetch(`${shop.url}/mailbox.json`)).json()) as { to: string }[];
    expect(all.filter(({ to }) => to === email)).toHaveLength(1);
    expect(all.filter(({ to }) => to === stranger)).toEqual([]);
  });

  it("shows a message at the invalid field", async () => {
    const { status, text } = await find({ number: "12", email: "nobody" });
    expect(status).toBe(400);
    expect(text).toContain("An order number has 8 letters and digits");
  });
});
