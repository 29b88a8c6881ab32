import { randomUUID } from "node:crypto";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { anyPermit } from "#tests/support/mail-permit.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { mailboxOutbox } from "#tests/support/outbox.ts";
import { makeAccount, makeOrder, someEmail } from "#tests/support/people.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { unitsOf } from "#tests/support/stock.ts";
import { cartItems } from "#shop/cart/cart.tables.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { readNotes } from "#shop/customers/customer-note.server.ts";
import { customerNotes } from "#shop/customers/customer-note.tables.ts";
import { listMailbox } from "#shop/mail/mailbox.server.ts";
import { enqueueEmail } from "#shop/mail/enqueue-email.server.ts";
import { startOutbox } from "#shop/mail/outbox.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { cancelOrder } from "#shop/payments/cancel.server.ts";
import { paymentActions } from "#shop/payments/payment.tables.ts";
import { claimOrder, claimToken, opensOrder, orderKey, readClaim } from "#shop/orders/order-link.server.ts";
import { openRateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { listOrders, listRecentOrders, ORDERS_A_PAGE, ordersAbout } from "#shop/orders/history.server.ts";
import { orderEvents, orderItems, orders } from "#shop/orders/order.tables.ts";
import { OWED_STATES, RETURN_KINDS } from "#shop/returns/lifecycle.ts";
import { returns } from "#shop/returns/return.tables.ts";
import { contactMessages, contactReplies } from "#shop/support/contact.tables.ts";
import { incomingEmails } from "#shop/support/inbox/inbox.tables.ts";
import { consents } from "#shop/consents/consent.tables.ts";
import { letterRecipients, letters } from "#shop/letters/letter.tables.ts";
import { waitlist } from "#shop/waitlist/waitlist.tables.ts";
import { addToWishlist, listWishlist, removeFromWishlist } from "#shop/wishlist/wishlist.server.ts";
import { wishlists } from "#shop/wishlist/wishlist.tables.ts";
import { verifyToken } from "#shop/accounts/email-links.server.ts";
import { accountLimits } from "#shop/accounts/account-limits.ts";
import { accounts, profiles, sessions, twoFactors, users, verifications } from "#shop/accounts/account.tables.ts";
import { askForEmail, changeEmail } from "./change-email.server.ts";
import { countUnshipped, deleteAccount, eraseCustomer } from "./erase-account.server.ts";
import { exportCustomer } from "./export.server.ts";
import { noticeRecipients, notices } from "./notice.tables.ts";
import { privacyRequests } from "./request.tables.ts";
import { ADD_UNITS, SHIP_ALL } from "#tests/support/units.ts";

const shop = useFreshDatabase();

type Person = Awaited<ReturnType<typeof makeAccount>>;
let ada: Person;
let ben: Person;
let catalog: Map<string, string>;

type Placed = Partial<typeof orders.$inferInsert> & { slug?: string };

/** An order of one unit. */
async function order({ slug = "travel-sleeve", ...more }: Placed) {
  const orderId = await makeOrder(shop.db, { stage: "to-ship", ...more });
  const productId = catalog.get(slug)!;
  await shop.db
    .insert(orderItems)
    .values({ orderId, productId, name: "Travel Sleeve", priceCents: 19_00, quantity: 1 });
  await shop.pool.query(ADD_UNITS);
  if (more.stage === "shipped" || more.stage === "delivered") await shop.pool.query(SHIP_ALL, [orderId, more.stage]);
  return orderId;
}
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const storedOrder = async (id: string) => (await shop.db.select().from(orders).where(eq(orders.id, id)))[0];

const historyOf = async (who: Person) => (await listOrders(shop.db, who)).orders.map(({ id }) => id);

beforeEach(async () => {
  catalog = new Map((await shop.db.select().from(products)).map(({ slug, id }) => [slug, id]));
  ada = await makeAccount(shop.db);
  ben = await makeAccount(shop.db, { email: someEmail("ben") });
});

describe("a customer's orders", () => {
  it("are only their own, newest first, with their items", async () => {
    const older = await order({ userId: ada.id, createdAt: daysAgo(2) });
    const newer = await order({ userId: ada.id, createdAt: daysAgo(1), stage: "delivered" });
    await order({ userId: ben.id, email: ada.email });
    await order({ sessionId: randomUUID() });
    const history = await listOrders(shop.db, ada);
    expect(history.orders.map(({ id }) => id)).toEqual([newer, older]);
    expect(history.orders[0]).toMatchObject({
      status: "Delivered",
      totalCents: 28_99,
      shippingCity: "New York",
      shippingState: "NY",
      items: [{ name: "Travel Sleeve", priceCents: 19_00, quantity: 1, slug: "travel-sleeve" }],
    });
  });

  it("exclude guest orders with their email until they add them, because anybody may have typed it", async () => {
    const asGuest = await order({ sessionId: randomUUID(), email: ada.email.toUpperCase() });
    expect(await historyOf(ada)).toEqual([]);
    expect(await claimOrder(shop.db, asGuest, ben)).toBe(false);
    await shop.db.update(users).set({ emailVerified: false }).where(eq(users.id, ada.id));
    expect(await claimOrder(shop.db, asGuest, ada)).toBe(false);
    await shop.db.update(users).set({ emailVerified: true }).where(eq(users.id, ada.id));
    expect(await Promise.all([claimOrder(shop.db, asGuest, ada), claimOrder(shop.db, asGuest, ada)])).toEqual(
      expect.arrayContaining([true, false]),
    );
    expect(await historyOf(ada)).toEqual([asGuest]);
  });

  it("are added by a link, for 90 days and with its own secret only", async () => {
    const id = await order({ sessionId: randomUUID(), email: ada.email });
    const read = (token: string) => readClaim(shop.db, token, ada, "secret");
    const placed = { id, email: ada.email };
    expect(await read(claimToken(placed, "secret", daysAgo(89)))).toEqual({ orderId: id, state: "open" });
    expect(await read(claimToken(placed, "secret", daysAgo(91)))).toBeNull();
    expect(await read(claimToken(placed, "another"))).toBeNull();
    expect(await read(claimToken({ id, email: ben.email }, "secret"))).toBeNull();
    expect(await read(claimToken({ id: randomUUID(), email: ada.email }, "secret"))).toBeNull();
  });

  it("are paged, with three on the dashboard", async () => {
    for (let i = 0; i <= ORDERS_A_PAGE; i++) await order({ userId: ada.id, createdAt: daysAgo(i) });
    const first = await listOrders(shop.db, ada);
    const second = await listOrders(shop.db, ada, 2);
    expect([first.orders.length, first.hasOlder]).toEqual([ORDERS_A_PAGE, true]);
    expect([second.orders.length, second.hasOlder]).toEqual([1, false]);
    expect((await listRecentOrders(shop.db, ada)).map(({ id }) => id)).toEqual(
      first.orders.slice(0, 3).map(({ id }) => id),
    );
  });

  it("keep a line of a deleted product", async () => {
    const id = await order({ userId: ada.id });
    await shop.db.update(orderItems).set({ productId: randomUUID() }).where(eq(orderItems.orderId, id));
    const [first] = (await listOrders(shop.db, ada)).orders;
    expect(first?.items).toMatchObject([{ name: "Travel Sleeve", slug: null, thumbnail: null }]);
  });
});

async function changeEmailOf(who: Person, email: string) {
  const settings = { baseUrl: "http://localhost", secret: "secret" };
  await askForEmail(shop.db, who.id, email, anyPermit);
  const token = await verifyToken({ id: who.id, email }, settings);
  const change = { token, userId: who.id, sessionId: randomUUID(), permit: anyPermit };
  expect(await changeEmail(shop.db, change, settings)).toEqual({ ok: true });
}

it.each([
  ["takes along what is found by a verified email, and tells that one", true],
  ["takes along nothing of an unverified email, and tells nobody", false],
])("another email %s", async (_what, emailVerified) => {
  const who = await makeAccount(shop.db, { emailVerified });
  await fillAccount(who);
  await makeOrder(shop.db, { email: who.email });
  const email = someEmail("moved");
  await changeEmailOf(who, email);
  const found = async (address: string) =>
    Promise.all(
      [contactMessages, orders, consents, letterRecipients, privacyRequests, customerNotes].map((table) =>
        shop.db.$count(table, eq(sql`lower(${table.email})`, address)),
      ),
    );
  const all = [1, 1, 1, 1, 2, 1];
  expect([await found(email), await found(who.email)]).toEqual(
    emailVerified ? [all, [0, 0, 0, 0, 0, 0]] : [[0, 0, 0, 0, 0, 0], all],
  );
  expect(await shop.db.$count(waitlist, eq(waitlist.email, email))).toBe(1);
  const told = sql`SELECT FROM pgboss.job WHERE data->>'template' = 'email-changed' AND data->>'email' = ${who.email}`;
  expect((await shop.db.execute(told)).rowCount).toBe(emailVerified ? 1 : 0);
});

it("another email leaves behind what the new address has already", async () => {
  const email = someEmail("moved");
  await fillAccount(ada);
  await insertRequests(email);
  await changeEmailOf(ada, email);
  const withEmail = (address: string) => shop.db.$count(privacyRequests, eq(privacyRequests.email, address));
  expect([await withEmail(ada.email), await withEmail(email)]).toEqual([2, 2]);
});

it("another email brings its note and tags to those of the new address", async () => {
  const email = someEmail("moved");
  await shop.db.insert(customerNotes).values([
    { email: ada.email, note: "Likes calls.", tags: ["press", "vip"] },
    { email, note: "Asks for an invoice.", tags: ["press"] },
  ]);
  await changeEmailOf(ada, email);
  expect(await readNotes(shop.db, email)).toEqual({
    note: "Asks for an invoice.\nLikes calls.",
    tags: ["press", "vip"],
  });
  expect(await readNotes(shop.db, ada.email)).toEqual({ note: "", tags: [] });
});

it("another email ends the order links in the former mailbox and the sign-in by its Google account", async () => {
  const own = await order({ userId: ada.id, email: ada.email });
  const asGuest = await order({ sessionId: randomUUID(), email: ada.email });
  const bens = await order({ userId: ben.id, email: ada.email });
  await shop.db.insert(accounts).values([
    { userId: ada.id, accountId: ada.id, providerId: "credential", password: "hashed-password" },
    { userId: ada.id, accountId: "12345", providerId: "google" },
    { userId: ben.id, accountId: "67890", providerId: "google" },
  ]);
  const keys = new Map([own, asGuest, bens].map((id) => [id, orderKey({ id, linkVersion: 1 }, "secret")]));
  await changeEmailOf(ada, someEmail("moved"));
  const opened = [];
  for (const [id, key] of keys) opened.push(opensOrder((await storedOrder(id))!, key, ["secret"]));
  expect(opened).toEqual([false, false, true]);
  const { userId, providerId } = accounts;
  const ways = shop.db
    .select({ userId, providerId })
    .from(accounts)
    .where(inArray(userId, [ada.id, ben.id]));
  expect((await ways.orderBy(providerId)).map((way) => way.providerId)).toEqual(["credential", "google"]);
  expect(await shop.db.$count(accounts, and(eq(userId, ben.id), eq(providerId, "google")))).toBe(1);
});

describe("a wishlist", () => {
  it("has each product once, newest first, and only its customer's", async () => {
    const [sleeve, dock] = [catalog.get("travel-sleeve")!, catalog.get("charging-dock")!];
    await addToWishlist(shop.db, ada.id, [sleeve]);
    await addToWishlist(shop.db, ada.id, [sleeve, dock, randomUUID()]);
    await addToWishlist(shop.db, ben.id, [sleeve]);
    expect((await listWishlist(shop.db, ada.id)).map(({ slug }) => slug)).toEqual(["charging-dock", "travel-sleeve"]);
    await removeFromWishlist(shop.db, ada.id, [sleeve]);
    await removeFromWishlist(shop.db, ada.id, [sleeve]);
    expect((await listWishlist(shop.db, ada.id)).map(({ slug }) => slug)).toEqual(["charging-dock"]);
    expect(await listWishlist(shop.db, ben.id)).toHaveLength(1);
  });

  it("shows no ended early-bird price", async () => {
    const id = catalog.get("polara-pro-frost-white")!;
    await addToWishlist(shop.db, ada.id, [id]);
    expect((await listWishlist(shop.db, ada.id))[0]?.earlyBirdPriceCents).toBe(99_00);
    const [{ end }] = (await shop.db
      .select({ end: products.earlyBirdEndDate })
      .from(products)
      .where(eq(products.id, id))) as [{ end: Date }];
    await shop.db
      .update(products)
      .set({ earlyBirdEndDate: new Date(Date.now() - 1000) })
      .where(eq(products.id, id));
    expect((await listWishlist(shop.db, ada.id))[0]?.earlyBirdPriceCents).toBeNull();
    await shop.db.update(products).set({ earlyBirdEndDate: end }).where(eq(products.id, id));
  });
});

async function fillAccount(who: Person) {
  await shop.db.update(profiles).set({ phone: "555-0100" }).where(eq(profiles.id, who.id));
  await shop.db.insert(accounts).values({ userId: who.id, accountId: who.id, providerId: "credential", password: "x" });
  await shop.db.insert(twoFactors).values({ userId: who.id, secret: "s", backupCodes: "b" });
  await shop.db
    .insert(verifications)
    .values({ identifier: `reset-password:${randomUUID()}`, value: who.id, expiresAt: new Date() });
  await shop.db
    .insert(sessions)
    .values({ userId: who.id, token: randomUUID(), expiresAt: daysAgo(-1), userAgent: "a browser" });
  await addToWishlist(shop.db, who.id, [catalog.get("charging-dock")!]);
  await shop.db.insert(waitlist).values({ userId: who.id, email: who.email, utmSource: "friend" });
  await shop.db.insert(cartItems).values({ userId: who.id, productId: catalog.get("travel-sleeve")!, quantity: 2 });
  const written = { name: "Ada", email: who.email.toUpperCase(), message: "Hello?" };
  const [message] = await shop.db.insert(contactMessages).values(written).returning();
  const body = `Hello ${who.email}`;
  const about = { email: who.email, note: `Writes as ${who.email}`, tags: [who.email] };
  await shop.db.insert(customerNotes).values(about);
  await shop.db.insert(contactReplies).values({ id: randomUUID(), messageId: message!.id, body });
  const answer = { mailId: `<${randomUUID()}@example.com>`, text: `${who.email} wrote`, isFirst: false, refused: [] };
  await shop.db.insert(incomingEmails).values({ messageId: message!.id, ...answer });
  await shop.db.insert(notices).values({ id: "a-breach", subject: "A breach", body: "Sorry." }).onConflictDoNothing();
  await shop.db.insert(noticeRecipients).values({ noticeId: "a-breach", email: who.email });
  await shop.db.insert(consents).values({ email: who.email, kind: "news", words: "News?", page: "/account" });
  const [letter] = await shop.db.insert(letters).values({ subject: "News" }).returning();
  await shop.db.insert(letterRecipients).values({ letterId: letter!.id, email: who.email });
  await insertRequests(who.email);
}

async function insertRequests(email: string) {
  const [receivedAt, dueAt, closedAt] = [new Date(), new Date(), new Date()];
  const asked = { channel: "email", email, emailHash: "of no email", receivedAt, dueAt } as const;
  await shop.db.insert(privacyRequests).values([
    { ...asked, kind: "data", law: "gdpr", note: `Asked by ${email}` },
    { ...asked, kind: "arbitration-opt-out", law: "terms", note: "12 Analytical Ave", state: "done", closedAt },
  ]);
}

describe("the data file", () => {
  it("has nothing of anybody else, and no secret", async () => {
    await Promise.all([fillAccount(ada), fillAccount(ben)]);
    await order({ userId: ada.id, email: ada.email });
    await order({ userId: ben.id, email: ben.email });
    const file = await exportCustomer(shop.db, ada);
    const text = JSON.stringify(file);
    expect(text).toContain(ada.email);
    expect(text).not.toContain(ben.email);
    expect(text).not.toMatch(/"(token|password|secret|checkoutKey)":/);
  });

  it("has the events of each order in order", async () => {
    const [other, id] = [await order({ userId: ada.id, createdAt: daysAgo(1) }), await order({ userId: ada.id })];
    await shop.db
      .insert(orderEvents)
      .values({ orderId: id, type: "placed", fromStatus: null, toStatus: "processing", actor: "customer" });
    await cancelOrder(shop.db, id, "staff");
    expect((await exportCustomer(shop.db, ada)).orders).toMatchObject([
      { id: other, events: [] },
      {
        id,
        status: "canceled",
        events: [
          { type: "placed", fromStatus: null, toStatus: "processing", actor: "customer", at: expect.any(Date) },
          { type: "canceled", fromStatus: "processing", toStatus: "canceled", actor: "staff", at: expect.any(Date) },
        ],
      },
    ]);
  });

  it("has guest orders with their verified email, also before they are added", async () => {
    await order({ sessionId: randomUUID(), email: ada.email.toUpperCase() });
    expect((await exportCustomer(shop.db, ada)).orders).toHaveLength(1);
    expect((await exportCustomer(shop.db, { ...ada, emailVerified: false })).orders).toEqual([]);
  });
});

describe("deleting an account", () => {
  const left = ({ id }: Person) =>
    Promise.all(
      [
        [users, users.id],
        [profiles, profiles.id],
        [accounts, accounts.userId],
        [sessions, sessions.userId],
        [twoFactors, twoFactors.userId],
        [verifications, verifications.value],
        [waitlist, waitlist.userId],
        [wishlists, wishlists.userId],
        [cartItems, cartItems.userId],
      ].map(([table, owner]) => shop.db.$count(table as PgTable, eq(owner as PgColumn, id))),
    );
  const stock = (slug: string) => unitsOf(shop.pool, slug);

  it("deletes all personal data, and nobody else's", async () => {
    const guestId = randomUUID();
    await Promise.all([fillAccount(ada), fillAccount(ben)]);
    await shop.db
      .insert(cartItems)
      .values({ sessionId: guestId, productId: catalog.get("travel-sleeve")!, quantity: 1 });
    const bensOrder = await order({ userId: ben.id, email: ben.email });
    await deleteAccount(shop.db, ada, guestId, anyPermit);
    expect(await left(ada)).toEqual(Array(9).fill(0));
    expect(await left(ben)).toEqual(Array(9).fill(1));
    expect(await shop.db.$count(cartItems, eq(cartItems.sessionId, guestId))).toBe(0);
    expect(await storedOrder(bensOrder)).toMatchObject({ userId: ben.id, email: ben.email, status: "processing" });
  });

  it("does not cancel an order that ships at the same moment", async () => {
    const id = await order({ userId: ada.id, slug: "charging-dock" });
    const before = await stock("charging-dock");
    const client = await shop.pool.connect();
    await client.query("BEGIN");
    await client.query("UPDATE orders SET stage = 'shipped' WHERE id = $1", [id]);
    await client.query(SHIP_ALL, [id, "shipped"]);
    const deleting = deleteAccount(shop.db, ada, null, anyPermit);
    const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await shop.db.execute(waiting)).rowCount).toBe(1);
    await client.query("COMMIT");
    client.release();
    await deleting;
    expect(await storedOrder(id)).toMatchObject({ status: "shipped", email: "", userId: null });
    expect(await stock("charging-dock")).toBe(before);
  });

  it("cancels orders that have not shipped, and returns their stock", async () => {
    const id = await order({ userId: ada.id, slug: "charging-dock" });
    expect(await countUnshipped(shop.db, ordersAbout(ada))).toBe(1);
    const before = await stock("charging-dock");
    await deleteAccount(shop.db, ada, null, anyPermit);
    expect((await storedOrder(id))?.status).toBe("canceled");
    expect(await stock("charging-dock")).toBe(before + 1);
    const { type, actor } = orderEvents;
    const events = await shop.db.select({ type, actor }).from(orderEvents).where(eq(orderEvents.orderId, id));
    expect(events).toEqual([{ type: "canceled", actor: "customer" }]);
  });

  /** An order of Ada's of three docks, of which one ships. */
  async function partlyShipped(faults: MemoryProvider["faults"] = []) {
    const bank = new MemoryProvider();
    const placed = await placedOrder(shop.db, { "charging-dock": 3 }, { isAuthorized: true });
    bank.authorize(placed.reference, placed.totalCents);
    await shop.db.update(orders).set({ userId: ada.id, sessionId: null }).where(eq(orders.id, placed.id));
    const units = { [placed.lines["charging-dock"]!]: 1 };
    const parcel = { carrier: "ups", trackingNumber: "1Z999AA10123456784", units } as const;
    bank.faults = faults;
    await shipOrder(shop.db, bank.providers, placed.id, parcel, null);
    return placed.id;
  }

  it.each(["customer", "staff"] as const)("by %s cancels and refunds the rest of a partial order", async (by) => {
    const id = await partlyShipped();
    expect(await countUnshipped(shop.db, ordersAbout(ada))).toBe(1);
    const before = await stock("charging-dock");
    await shop.db.transaction((tx) => eraseCustomer(tx, ada, by));
    expect(await storedOrder(id)).toMatchObject({ stage: "shipped", email: "", userId: null });
    expect(await stock("charging-dock")).toBe(before + 2);
    const { kind, amountCents } = paymentActions;
    const refunded = shop.db.select({ amountCents }).from(paymentActions).where(eq(kind, "refund"));
    expect(await refunded.orderBy(desc(paymentActions.createdAt)).limit(1)).toEqual([{ amountCents: 80_00 }]);
    const canceled = and(eq(orderEvents.orderId, id), eq(orderEvents.type, "line-canceled"));
    const events = await shop.db.select({ actor: orderEvents.actor }).from(orderEvents).where(canceled);
    expect(events).toEqual([{ actor: by === "customer" ? by : "system" }]);
  });

  it.each<[why: string, faults: MemoryProvider["faults"], dispute: string]>([
    ["a parcel is being charged", ["silent"], ""],
    ["the payment is disputed", [], "dispute = 'open', disputed_until = now() + interval '9 days'"],
  ])("is refused while %s, and leaves all as it was", async (_why, faults, dispute) => {
    const id = await partlyShipped(faults);
    if (dispute) await shop.pool.query(`UPDATE payments SET ${dispute} WHERE state = 'captured'`);
    const other = await order({ userId: ada.id });
    expect(await deleteAccount(shop.db, ada, null, anyPermit)).toEqual({ ok: false, reason: "unsettled" });
    expect([await storedOrder(id), await storedOrder(other)]).toMatchObject([
      { userId: ada.id },
      { userId: ada.id, stage: "to-ship" },
    ]);
    expect(await shop.db.$count(users, eq(users.id, ada.id))).toBe(1);
  });

  it("withdraws returns that have not arrived, keeps those that are over, and forgets what was written", async () => {
    const orderId = await order({ userId: ada.id, email: ada.email, stage: "delivered" });
    const asked = { orderId, kind: "return", reason: "not-for-me", labelBy: "customer", shipBy: "2099-01-01" } as const;
    const states = ["requested", "authorized", "closed", "declined"] as const;
    const over = {
      closed: { outcome: "refund", resolvedAt: new Date(), closedAt: new Date() },
      declined: { refuseReason: "late" },
    } as const;
    for (const state of states) {
      const more = state === "closed" || state === "declined" ? over[state] : {};
      const made = {
        ...asked,
        ...more,
        state,
        number: randomUUID(),
        formKey: randomUUID(),
        description: `From ${ada.email}`,
      };
      await shop.db.insert(returns).values(made);
    }
    await deleteAccount(shop.db, ada, null, anyPermit);
    const { state, description } = returns;
    const kept = await shop.db.select({ state, description }).from(returns).where(eq(returns.orderId, orderId));
    expect(kept.map((row) => row.state).toSorted()).toEqual(["closed", "declined", "withdrawn", "withdrawn"]);
    expect(kept.map((row) => row.description)).toEqual(["", "", "", ""]);
  });

  it.each(RETURN_KINDS.flatMap((kind) => OWED_STATES.map((state) => [kind, state] as const)))(
    "is refused while a %s is %s",
    async (kind, state) => {
      const orderId = await order({ userId: ada.id, email: ada.email, stage: "delivered" });
      const asked = { orderId, kind, reason: "defective", labelBy: "customer", description: "" } as const;
      const repair = { ...asked, state, number: randomUUID(), formKey: randomUUID(), shipBy: "2099-01-01" };
      const outcome = state === "resolved" ? ({ outcome: "repair", resolvedAt: new Date() } as const) : {};
      await shop.db.insert(returns).values({ ...repair, ...outcome });
      expect(await deleteAccount(shop.db, ada, null, anyPermit)).toEqual({ ok: false, reason: "unsettled" });
      expect((await storedOrder(orderId))?.email).toBe(ada.email);
    },
  );

  it("keeps guest orders with an unverified email", async () => {
    const id = await order({ sessionId: randomUUID(), email: ada.email });
    await deleteAccount(shop.db, { ...ada, emailVerified: false }, null, anyPermit);
    expect((await storedOrder(id))?.email).toBe(ada.email);
  });

  it("changes nothing if its last statement fails", async () => {
    await fillAccount(ada);
    const id = await order({ userId: ada.id, email: ada.email });
    const [before, inStock] = [await left(ada), await stock("travel-sleeve")];
    await shop.db.execute(sql`
      CREATE FUNCTION refuse_job() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no more jobs'; END $$`);
    await shop.db.execute(
      sql`CREATE TRIGGER refuse_job BEFORE INSERT ON pgboss.job FOR EACH ROW EXECUTE FUNCTION refuse_job()`,
    );
    try {
      await expect(deleteAccount(shop.db, ada, null, anyPermit)).rejects.toThrow();
    } finally {
      await shop.db.execute(sql`DROP FUNCTION refuse_job CASCADE`);
    }
    expect([await left(ada), await stock("travel-sleeve")]).toEqual([before, inStock]);
    expect(before).toEqual(Array(9).fill(1));
    expect(await storedOrder(id)).toMatchObject({ userId: ada.id, email: ada.email, status: "processing" });
  });

  it("works without its email if that is over its limit", async () => {
    const emails = sql`SELECT 1 FROM pgboss.job WHERE data ->> 'email' = ${ada.email}`;
    await deleteAccount(shop.db, ada, null, null);
    expect((await shop.db.execute(emails)).rowCount).toBe(0);
    expect(await shop.db.$count(users, eq(users.id, ada.id))).toBe(0);
  });

  async function placesOf(...words: string[]): Promise<string[]> {
    const { rows: columns } = await shop.db.execute<{ schema: string; table: string; column: string }>(sql`
      SELECT table_schema AS schema, table_name AS table, column_name AS column FROM information_schema.columns
      JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'
        AND (data_type IN ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'tsvector') OR data_type = 'USER-DEFINED')`);
    expect(columns.length).toBeGreaterThan(60);
    const found: string[] = [];
    for (const { schema, table, column } of columns) {
      const { rows } = await shop.db.execute<{ n: number }>(sql`
        SELECT count(*)::int AS n FROM ${sql.identifier(schema)}.${sql.identifier(table)} AS t
        WHERE EXISTS (SELECT 1 FROM unnest(${sql.param(words)}::text[]) AS word
          WHERE strpos(lower(t.${sql.identifier(column)}::text), lower(word)) > 0)`);
      if (rows[0]?.n) found.push(`${schema}.${table}.${column}`);
    }
    return found;
  }

  const jobs = async (state: string) =>
    (
      await shop.db.execute<{ data: unknown; output: unknown }>(
        sql`SELECT data, output FROM pgboss.job WHERE name = 'mail' AND state = ${state} ORDER BY created_on`,
      )
    ).rows;

  it("leaves the email and the name in no table, job, counter or email but the last", async () => {
    const name = `Zephyrine${randomUUID().slice(0, 6)}`;
    await shop.db.update(users).set({ name, firstName: name }).where(eq(users.id, ada.id));
    await fillAccount(ada);
    await shop.db.update(profiles).set({ firstName: name }).where(eq(profiles.id, ada.id));
    const id = await order({ userId: ada.id, email: ada.email });
    const limits = openRateLimits(shop.db, { scale: 1, secret: "a secret only for tests" });
    await limits.consume(accountLimits("sign-in", { account: ada.email, network: "192.0.2.1" }));
    const outbox = await startOutbox(shop.db, shop.url, mailboxOutbox);
    try {
      await enqueueEmail(shop.db, { template: "reset-password", email: ada.email }, anyPermit);
      const emails = async () => (await listMailbox(shop.db)).filter(({ to }) => to === ada.email);
      await expect.poll(async () => (await emails()).length).toBe(1);
    } finally {
      await outbox.stop();
    }
    // An email about an order that is gone when it is sent, a queued one, and one refused by the mail server with its message.
    await enqueueEmail(shop.db, { template: "order-confirmation", orderId: id }, anyPermit);
    await enqueueEmail(shop.db, { template: "reset-password", email: ada.email.toUpperCase() }, anyPermit);
    await shop.db.execute(sql`UPDATE pgboss.job SET state = 'retry', start_after = now() + interval '1 hour',
      output = ${JSON.stringify({ message: `550 <${ada.email}> unknown` })}::jsonb
      WHERE name = 'mail' AND data->>'email' = ${ada.email.toUpperCase()}`);
    expect(await placesOf(ada.email, name)).toEqual(
      expect.arrayContaining(["public.users.email", "public.mailbox_messages.to", "public.users.first_name"]),
    );

    await deleteAccount(shop.db, ada, null, anyPermit);
    // The goodbye email carries the address until it is delivered. What is proven to or by the person is kept for its years.
    const proofs = ["public.notice_recipients.email", "public.privacy_requests.email"];
    const places = (await placesOf(ada.email, name)).filter((place) => !/^pgboss\.\w+\.data$/.test(place));
    expect(places.toSorted()).toEqual(proofs);
    expect((await jobs("created")).map(({ data }) => data)).toContainEqual({
      template: "account-deleted",
      email: ada.email,
    });
    const goodbye = await startOutbox(shop.db, shop.url, mailboxOutbox);
    try {
      await expect.poll(async () => (await jobs("created")).length).toBe(0);
      await expect.poll(async () => (await jobs("active")).length).toBe(0);
    } finally {
      await goodbye.stop();
    }
    expect(await placesOf(ada.email, name)).toEqual(expect.arrayContaining(["public.mailbox_messages.to", ...proofs]));
    const mine = (await listMailbox(shop.db)).filter(({ to }) => to === ada.email || to === "");
    expect(mine.map(({ subject }) => subject)).toEqual(["Your account is deleted | Polara"]);
  });
});
