/** The order page: access, masking, texts of each status, actions, and returns, whose back office follows. */
import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { claimToken, orderKey, registrationUrl } from "#shop/orders/order-link.server.ts";
import { makeActor } from "../support/actors.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { insertOrder, type OrderState } from "../support/order-states.ts";
import { textOf } from "../support/page-data.ts";
import type { StaffMember } from "../support/staff-member.ts";
import { unitsOf } from "../support/stock.ts";
import { AUTH_SECRET, someEmail, useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const { shop, database, staff } = useShop();

const PERSON = { firstName: "Ada", lastName: "Lovelace" };
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
      expect(html, path).toContain("s•••@example.com");
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
    ["processing", ["We’re getting it ready", "Visa ending in 4242", "Authorized", "Cancel order", "Arrives"]],
    ["declined-card", ["We need your payment", "Your bank declined the payment"]],
    ["two-parcels", ["On its way", "UPS", "1Z999AA10123456784", "Another package shipped", "USPS", "Charged"]],
    ["delivered", ["Delivered", "return it until"]],
    ["declined", ["We couldn’t accept this order", "We don’t have what you ordered", "Nothing was charged"]],
  ] satisfies [OrderState, string[]][])("explains the status %s", async (state, words) => {
    const { id } = await orderIn(state);
    const text = textOf(await (await (await linkedTo(id)).fetch(`/orders/${id}`)).text());
    for (const word of words) expect(text).toContain(word);
    const isOver = ["two-parcels", "delivered", "declined"].includes(state);
    expect(text.includes("Cancel order")).toBe(!isOver);
    expect(text).not.toContain("Pay now");
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
    const keep = async (seen: string) => (await who.post(`/orders/${id}`, { intent: "keep", seen })).status;
    expect([await keep("2030-03-05"), await keep("2030-03-04"), await keep("2030-03-04")]).toEqual([409, 303, 409]);
    expect(await stateOf(id)).toEqual({
      status: "processing",
      events: ["held", "authorized", "delayed", "delay-accepted"],
    });
    const text = textOf(await (await who.fetch(`/orders/${id}`)).text());
    for (const words of ["Thanks for waiting.", "You chose to wait"]) expect(text).toContain(words);
    expect(text).not.toContain("Keep my order Cancel order");
    expect((await who.post(`/orders/${id}`, { intent: "cancel" })).status).toBe(303);
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

const HOUR = 3_600_000;

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query<Row>(text, values)).rows;

type Order = { id: string; bowl: string; filters: string };

/** A bowl of $99 and two packs of filters of $24, delivered `daysAgo`. */
async function delivered({ daysAgo = 3, userId = null as string | null, email = someEmail() } = {}): Promise<Order> {
  const orderId = randomUUID();
  const orderedAt = new Date(Date.now() - (daysAgo * 24 + 150) * HOUR);
  await insertOrder(database.pool, "delivered", {
    orderId,
    orderedAt,
    email,
    userId,
    firstName: "Ada",
    lastName: "Lovelace",
  });
  const lines = await query<{ id: string; name: string }>("SELECT id, name FROM order_items WHERE order_id = $1", [
    orderId,
  ]);
  const lineOf = (name: RegExp) => lines.find((line) => name.test(line.name))!.id;
  return { id: orderId, bowl: lineOf(/Pro/), filters: lineOf(/Filter/) };
}

const read = async (who: Visitor, path: string) => textOf(await (await who.fetch(path)).text());

type Asked = { kind: string; reason: string; units: string[] };

const addressOf = ({ id }: Order, { kind, reason, units }: Asked) =>
  `/orders/${id}/return?${new URLSearchParams([["kind", kind], ["reason", reason], ...units.map((each) => ["units", each])])}`;

/** Sends the last step as a page without JavaScript does. */
async function send(who: Visitor, path: string, fields: Record<string, string> = {}, photos: Uint8Array[] = []) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ formKey: randomUUID(), description: "", ...fields }))
    body.set(name, value);
  for (const photo of photos)
    body.append("photos", new Blob([new Uint8Array(photo)], { type: "image/jpeg" }), "photo.jpg");
  const headers = { Origin: shop.url, Accept: "text/html" };
  if (photos.length > 0) return who.fetch(path, { method: "POST", body, headers });
  // A browser sends an empty file field with an empty name, which FormData leaves out.
  body.append("photos", "");
  const encoded = new Response(body);
  const type = { "Content-Type": encoded.headers.get("Content-Type") ?? "" };
  const text = (await encoded.text()).replace('name="photos"', 'name="photos"; filename=""');
  return who.fetch(path, { method: "POST", body: text, headers: { ...headers, ...type } });
}

const stored = async ({ id }: Order) =>
  query<{ id: string; number: string; state: string; photos: string[] }>(
    `SELECT id, number, state, array(SELECT id FROM return_photos WHERE return_id = returns.id) AS photos
     FROM returns WHERE order_id = $1 ORDER BY created_at`,
    [id],
  );

const photo = (width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: "#7b8467" } })
    .withExif({ IFD3: { GPSLatitudeRef: "N", GPSLatitude: "40/1 42/1 46/1" } })
    .jpeg()
    .toBuffer();

const CLAIM = { kind: "warranty", reason: "power" };

/** A warranty claim with photos, by a guest. */
async function claimed(photos: Uint8Array[] = []) {
  const order = await delivered({ daysAgo: 40 });
  const guest = await linkedTo(order.id);
  const path = addressOf(order, { ...CLAIM, units: [`${order.bowl}:1`] });
  const answer = await send(guest, path, { description: "It stays dark." }, photos);
  expect(answer.status).toBe(303);
  const [orderReturn] = await stored(order);
  return { order, guest, orderReturn: orderReturn!, location: answer.headers.get("Location") ?? "" };
}

describe("a request", () => {
  it.each([
    ["return", "not-for-me", "filters", 1, ["$24.00 back", "You pay for shipping", "right away"], "Send it by"],
    [
      "return",
      "wrong-item",
      "filters",
      2,
      ["$48.00 back", "We’ll pay, and send you a label"],
      "We’ve got your request",
    ],
    ["defect", "damaged", "bowl", 1, ["A replacement, or $99.00 back", "We’ll pay"], "We’ve got your request"],
    [
      "warranty",
      "battery",
      "bowl",
      1,
      ["Free of charge", "10-15 business days", "We’ll pay"],
      "We’ve got your request",
    ],
    [
      "repair",
      "accident",
      "bowl",
      1,
      ["$35 first", "We’ll quote you before we start", "You pay"],
      "We’ve got your request",
    ],
  ] as const)("%s (%s) of %s says what follows before it is sent", async (kind, reason, line, units, words, title) => {
    const order = await delivered();
    const guest = await linkedTo(order.id);
    expect(await read(guest, `/orders/${order.id}`)).toContain("Return, exchange, or report a problem");
    const chosen = { reason, units: `${order[line]}:${units}` };
    const next = await guest.post(`/orders/${order.id}/return?kind=${kind}`, chosen);
    const path = addressOf(order, { kind, reason, units: [chosen.units] });
    expect([next.status, next.headers.get("Location")]).toEqual([303, path]);
    const review = await read(guest, path);
    for (const word of words) expect(review).toContain(word);
    expect(await stored(order)).toEqual([]);
    const formKey = randomUUID();
    for (let press = 0; press < 2; press++) {
      const sent = await send(guest, path, { description: "As I said.", formKey });
      const [orderReturn] = await stored(order);
      expect([sent.status, sent.headers.get("Location")]).toEqual([
        303,
        `/orders/${order.id}/returns/${orderReturn?.number}`,
      ]);
    }
    const [orderReturn, ...more] = await stored(order);
    expect(more).toEqual([]);
    for (const path of [`/orders/${order.id}`, `/orders/${order.id}/returns/${orderReturn?.number}`]) {
      const text = await read(guest, path);
      for (const word of [title, orderReturn?.number ?? ""]) expect(text, path).toContain(word);
    }
  });

  it("keeps what was typed, and says beside the field what is missing", async () => {
    const order = await delivered();
    const guest = await linkedTo(order.id);
    const start = `/orders/${order.id}/return?kind=return`;
    const incomplete = await guest.post(start, { reason: "", units: `${order.filters}:1` });
    expect(incomplete.status).toBe(400);
    const html = await incomplete.text();
    expect(html).toContain("Choose a reason");
    expect(html).toMatch(new RegExp(`value="${order.filters}:1" selected`));
    expect(await (await guest.post(start, { reason: "not-for-me" })).text()).toContain("at least one product");
    const tooMany = await guest.post(start, { reason: "not-for-me", units: `${order.filters}:3` });
    expect(await tooMany.text()).toContain("Choose the quantities again");
    const path = addressOf(order, { kind: "defect", reason: "damaged", units: [`${order.bowl}:1`] });
    const silent = await send(guest, path);
    expect([silent.status, textOf(await silent.text())]).toEqual([
      400,
      expect.stringContaining("Tell us what’s wrong"),
    ]);
    expect(await stored(order)).toEqual([]);
  });

  it("of an exchange reserves what is wanted, at the price that was shown", async () => {
    const order = await delivered();
    const guest = await linkedTo(order.id);
    const path = addressOf(order, { kind: "exchange", reason: "other-model", units: [`${order.bowl}:1`] });
    const html = await (await guest.fetch(path)).text();
    const [, value = ""] =
      /<option value="([0-9a-f-]{36}:-?\d+)">Polara Classic Frost White, \$10\.00 back/.exec(html) ?? [];
    const [productId] = value.split(":");
    const wrong = await send(guest, path, { exchange: `${productId}:-9900` });
    expect([wrong.status, await wrong.text()]).toEqual([409, expect.stringContaining("Its price has changed")]);
    expect((await send(guest, path, { exchange: value })).status).toBe(303);
    const [orderReturn] = await stored(order);
    expect(await read(guest, `/orders/${order.id}/returns/${orderReturn?.number}`)).toContain(
      "You’d like instead Polara Classic Frost White",
    );
  });

  it("is withdrawn on its page, and its units can come back again", async () => {
    const order = await delivered();
    const guest = await linkedTo(order.id);
    const path = addressOf(order, { kind: "return", reason: "not-for-me", units: [`${order.filters}:2`] });
    await send(guest, path);
    const [orderReturn] = await stored(order);
    const page = `/orders/${order.id}/returns/${orderReturn?.number}`;
    expect((await guest.post(page, { intent: "withdraw" })).headers.get("Location")).toBe(page);
    expect(await read(guest, page)).toContain("You don’t need to send anything");
    expect((await guest.post(page, { intent: "accept" })).status).toBe(409);
    expect((await send(guest, path)).status).toBe(303);
  });
});

describe("who may not see the order", () => {
  it("gets the same 404 at each page, photo and action of its returns, and changes nothing", async () => {
    const { order, orderReturn } = await claimed([await photo()]);
    const [own, stranger] = [
      await claimed([await photo()]),
      await makeActor(database.pool, shop.url, AUTH_SECRET, "customer"),
    ];
    const before = await stored(order);
    const base = `/orders/${order.id}`;
    const pages = [
      `${base}/return`,
      `${base}/returns/${orderReturn.number}`,
      `${base}/returns/${orderReturn.number}/slip`,
    ];
    for (const who of [new Visitor(shop.url), own.guest, stranger.visitor]) {
      for (const path of [...pages, `${base}/photos/${orderReturn.photos[0]}`])
        expect((await who.fetch(path)).status, path).toBe(404);
      expect((await who.post(pages[1]!, { intent: "withdraw" })).status).toBe(404);
      expect((await who.post(pages[0]!, {})).status).toBe(404);
      const path = addressOf(order, { ...CLAIM, units: [`${order.bowl}:1`] });
      expect((await send(who, path, {}, [Buffer.alloc(1_000)])).status).toBe(404);
      // Without access a body is limited as every form's.
      expect((await send(who, path, {}, [Buffer.alloc(100_000)])).status).toBe(413);
      // Their own order opens no photo and no return of another.
      expect((await own.guest.fetch(`/orders/${own.order.id}/photos/${orderReturn.photos[0]}`)).status).toBe(404);
      expect((await own.guest.fetch(`/orders/${own.order.id}/returns/${orderReturn.number}`)).status).toBe(404);
    }
    expect(await stored(order)).toEqual(before);
  });
});

describe("photos", () => {
  it("are shown to their sender and to staff, without their place, as a JPEG and nothing else", async () => {
    const { order, guest, orderReturn } = await claimed([await photo(), await photo(2600, 1200)]);
    expect(orderReturn.photos).toHaveLength(2);
    const support = await staff("support");
    for (const id of orderReturn.photos) {
      const paths: [Visitor, string][] = [
        [guest, `/orders/${order.id}/photos/${id}`],
        [support.visitor, `/admin/returns/${orderReturn.id}/photos/${id}`],
      ];
      for (const [who, path] of paths) {
        const answer = await who.fetch(path);
        expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "image/jpeg"]);
        expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
        expect(answer.headers.get("Cache-Control")).toContain("no-store");
        const { format, width, exif } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
        expect([format, width <= 2000, exif]).toEqual(["jpeg", true, undefined]);
      }
    }
    const other = await claimed();
    expect(
      (await support.visitor.fetch(`/admin/returns/${other.orderReturn.id}/photos/${orderReturn.photos[0]}`)).status,
    ).toBe(404);
    const packer = await staff("packer");
    expect(
      (await packer.visitor.fetch(`/admin/returns/${orderReturn.id}/photos/${orderReturn.photos[0]}`)).status,
    ).toBe(403);
  });

  const MEGABYTE = 1024 * 1024;
  it.each<[string, () => Promise<Uint8Array[]>, number, string]>([
    ["one bad file of two", async () => [await photo(), Buffer.from("words")], 400, "Photo 2: We can’t read this file"],
    ["four photos", async () => Promise.all([1, 2, 3, 4].map(() => photo())), 400, "Choose up to 3 photos"],
    ["one of 11 MB", async () => [Buffer.alloc(11 * MEGABYTE)], 400, "Each photo can have up to 10 MB"],
    ["a body of 40 MB", async () => [Buffer.alloc(40 * MEGABYTE)], 413, "Go back: your text is still there"],
  ])("refuse %s in words, and nothing is stored", async (_, make, status, words) => {
    const order = await delivered();
    const guest = await linkedTo(order.id);
    const path = addressOf(order, { kind: "defect", reason: "damaged", units: [`${order.bowl}:1`] });
    const answer = await send(guest, path, { description: "The lid is cracked." }, await make());
    const html = await answer.text();
    expect([answer.status, textOf(html)]).toEqual([status, expect.stringContaining(words)]);
    if (status === 400) {
      expect(html).toContain(">The lid is cracked.</textarea>");
      expect(html).toContain("Select the photos again");
    }
    // The browser shows what was typed when one goes back.
    const page = await guest.fetch(path);
    expect(page.headers.get("Cache-Control")).toBe("private, no-cache");
    expect(await stored(order)).toEqual([]);
  });
});

it("a request that fails keeps its words, and asks for its photos again", async () => {
  const order = await delivered();
  const guest = await linkedTo(order.id);
  const path = addressOf(order, { kind: "defect", reason: "damaged", units: [`${order.bowl}:1`] });
  await query("ALTER TABLE returns ADD CONSTRAINT failing CHECK (order_id IS NULL) NOT VALID");
  try {
    for (const [photos, asksAgain] of [
      [[], false],
      [[await photo()], true],
    ] as const) {
      const answer = await send(guest, path, { description: "The lid is cracked." }, [...photos]);
      const html = await answer.text();
      expect([answer.status, html.includes("Select the photos again")]).toEqual([503, asksAgain]);
      expect(textOf(html)).toContain("We couldn’t send this.");
      expect(html).toContain(">The lid is cracked.</textarea>");
    }
  } finally {
    await query("ALTER TABLE returns DROP CONSTRAINT failing");
  }
});

describe("the back office", () => {
  let support: StaffMember;
  let packer: StaffMember;
  beforeAll(async () => {
    [support, packer] = [await staff("support"), await staff("packer")];
  });
  const act = async (who: StaffMember, id: string, intent: string, fields: Record<string, string> = {}) => {
    const answer = await who.visitor.post(`/admin/returns/${id}?intent=${intent}`, fields);
    return { status: answer.status, text: textOf(await answer.text()) };
  };

  it("takes a claim from its checks to the repair, and the customer sees each step", async () => {
    const { order, guest, orderReturn, location } = await claimed([await photo()]);
    const page = await read(support.visitor, `/admin/returns/${orderReturn.id}`);
    for (const word of ["It stays dark.", "Requested", "Authorize", "Reply to the customer"])
      expect(page).toContain(word);
    const steps: [StaffMember, string, Record<string, string>, string, string][] = [
      [support, "checks", { text: "Charge it for two hours." }, "Sent.", "Answered"],
      [support, "authorize", { labelUrl: "https://labels.example/1" }, "Authorized.", "Open your prepaid label"],
      [packer, "receive", {}, "Received.", "It’s here"],
      [support, "inspect", { condition: `${order.bowl}:used` }, "Inspected.", "We’ve checked it"],
      [support, "resolve", { outcome: "repair" }, "Resolved.", "Your repaired product ships soon"],
    ];
    for (const [who, intent, fields, answer, seen] of steps) {
      expect(await act(who, orderReturn.id, intent, fields)).toEqual({
        status: 200,
        text: expect.stringContaining(answer),
      });
      expect(await read(guest, location), intent).toContain(seen);
    }
    expect(await read(guest, `/orders/${order.id}`)).toMatch(/Your product ships soon.*Delivered/);
    expect(await read(support.visitor, `/admin/returns/${orderReturn.id}`)).toContain(
      "What we send: to ship, on the order.",
    );
    const timeline = await read(support.visitor, `/admin/orders/${order.id}`);
    for (const word of [`${orderReturn.number}: received`, "Warranty claim, resolved"])
      expect(timeline).toContain(word);
    expect(await act(support, orderReturn.id, "receive")).toEqual({
      status: 409,
      text: expect.stringContaining("is resolved now"),
    });
  });

  it("shows packers neither words, photos, email nor sums", async () => {
    const { order, orderReturn } = await claimed([await photo()]);
    const [{ email } = { email: "" }] = await query<{ email: string }>("SELECT email FROM orders WHERE id = $1", [
      order.id,
    ]);
    for (const path of [`/admin/returns/${orderReturn.id}`, `/admin/returns/${orderReturn.id}.data`]) {
      const html = await (await packer.visitor.fetch(path)).text();
      expect(html).toContain(orderReturn.number);
      for (const secret of ["It stays dark.", email, orderReturn.photos[0]!, "$99"])
        expect(html, path).not.toContain(secret);
      // Times have the digits of a sum, too.
      expect(html, path).not.toMatch(/\b9900\b/);
    }
    expect((await packer.visitor.fetch("/admin/returns")).status).toBe(200);
  });

  it("asks for the diagnostic fee on the page of the return, whose order stays as it was", async () => {
    const order = await delivered();
    const guest = await linkedTo(order.id);
    const asked = addressOf(order, { kind: "repair", reason: "accident", units: [`${order.bowl}:1`] });
    await send(guest, asked, { description: "It fell." });
    const [orderReturn] = await stored(order);
    expect((await act(support, orderReturn!.id, "fee")).text).toContain("contact them about the payment");
    const words = "Please pay the diagnostic fee We’ll contact you about the payment.";
    expect(await read(guest, `/orders/${order.id}/returns/${orderReturn!.number}`)).toContain(words);
    const page = await read(guest, `/orders/${order.id}`);
    expect(page).toContain(words);
    expect(page).toContain("We hope you love it.");
    expect(await read(support.visitor, `/admin/returns/${orderReturn!.id}`)).toContain(
      "The customer has yet to pay $35.00",
    );
  });

  it("owes a label before the days to send it count, and says so on Today", async () => {
    const { guest, orderReturn, location } = await claimed();
    await act(support, orderReturn.id, "authorize");
    expect(await read(guest, location)).toContain("Your label is next");
    expect(await read(support.visitor, "/admin/returns")).toContain("Label owed");
    const wrong = await act(support, orderReturn.id, "label", { labelUrl: "labels.example/1" });
    expect(wrong).toEqual({ status: 400, text: expect.stringContaining("begins with https://") });
    expect(await act(support, orderReturn.id, "label", { labelUrl: "https://labels.example/1" })).toEqual({
      status: 200,
      text: expect.stringContaining("days to send it count from now"),
    });
    expect(await read(guest, location)).toContain("Open your prepaid label");
  });

  it("opens a return for a customer from the order, and finds it by its number", async () => {
    const order = await delivered();
    const key = randomUUID();
    const fields = { formKey: key, claim: "defect:damaged", units: `${order.bowl}:1`, description: "By phone." };
    const opened = await support.visitor.post(`/admin/orders/${order.id}?intent=return`, fields);
    const [orderReturn] = await stored(order);
    expect([opened.status, opened.headers.get("Location")]).toEqual([303, `/admin/returns/${orderReturn?.id}`]);
    for (const typed of [orderReturn!.number, orderReturn!.number.slice(2).toLowerCase()]) {
      const found = await support.visitor.fetch(`/admin/returns?q=${typed}`);
      expect(found.headers.get("Location")).toBe(`/admin/returns/${orderReturn?.id}`);
    }
    expect(await read(support.visitor, `/admin/search?q=${orderReturn!.number}`)).toContain(
      `${orderReturn!.number} Return`,
    );
    expect(await read(support.visitor, "/admin/returns?q=R-222222")).toContain("No returns match");
    expect(await read(support.visitor, "/admin/returns?state=requested&kind=defect")).toContain(orderReturn!.number);
    expect(await read(support.visitor, "/admin")).toContain("Returns to handle");
    expect(await read(await linkedTo(order.id), `/orders/${order.id}`)).toContain(orderReturn!.number);
  });

  it("opens an exchange for a customer at the price on the page, and says at the field what is wrong", async () => {
    const order = await delivered();
    const html = await (await support.visitor.fetch(`/admin/orders/${order.id}`)).text();
    const [, value = ""] = /<option value="([0-9a-f-]{36}:\d+)">Polara Classic Frost White, \$89\.00/.exec(html) ?? [];
    const [productId] = value.split(":");
    const fields = {
      formKey: randomUUID(),
      claim: "exchange:other-model",
      units: `${order.bowl}:1`,
      exchange: value,
      description: "",
    };
    const path = `/admin/orders/${order.id}?intent=return`;
    for (const [wrong, problem] of [
      [{ exchange: "" }, "Choose a product"],
      [{ exchange: `${productId}:1` }, "Its price has changed"],
      [{ exchange: `${randomUUID()}:3900` }, "Choose a product that is in stock"],
      [{ units: `${order.bowl}:0` }, "Choose at least one item"],
    ] as const) {
      const answer = await support.visitor.post(path, { ...fields, ...wrong });
      expect([answer.status, textOf(await answer.text()).includes(problem)], problem).toEqual([400, true]);
    }
    expect(await stored(order)).toEqual([]);
    const opened = await support.visitor.post(path, fields);
    const [orderReturn] = await stored(order);
    expect([opened.headers.get("Location"), orderReturn?.state]).toEqual([
      `/admin/returns/${orderReturn?.id}`,
      "authorized",
    ]);
    expect(
      await query("SELECT action FROM audit_log WHERE subject = $1 ORDER BY id", [`return:${orderReturn?.id}`]),
    ).toEqual([{ action: "return.requested" }, { action: "return.authorized" }]);
    expect((await packer.visitor.post(path, { ...fields, formKey: randomUUID() })).status).toBe(403);
  });
});
