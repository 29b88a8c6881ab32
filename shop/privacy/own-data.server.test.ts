import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { anyPermit } from "../../tests/support/mail-permit.ts";
import { mailboxOutbox } from "../../tests/support/outbox.ts";
import { cartItems } from "../cart/cart.tables.ts";
import { products } from "../catalog/product.tables.ts";
import { listMailbox } from "../mail/mailbox.server.ts";
import { enqueueEmail } from "../mail/enqueue-email.server.ts";
import { startOutbox } from "../mail/outbox.server.ts";
import { cancelOrder } from "../orders/cancel.server.ts";
import { claimOrder, claimToken, readClaim } from "../orders/claim.server.ts";
import { openRateLimits } from "../rate-limits/rate-limits.server.ts";
import { listOrders, listRecentOrders, ORDERS_A_PAGE } from "../orders/history.server.ts";
import { orderEvents, orderItems, orders } from "../orders/order.tables.ts";
import { contactMessages, contactReplies } from "../support/contact.tables.ts";
import { waitlist } from "../waitlist/waitlist.tables.ts";
import { addToWishlist, listWishlist, removeFromWishlist } from "../wishlist/wishlist.server.ts";
import { wishlists } from "../wishlist/wishlist.tables.ts";
import { accountLimits } from "../accounts/account-limits.ts";
import { accounts, profiles, sessions, twoFactors, users, verifications } from "../accounts/account.tables.ts";
import { countUnshipped, deleteAccount } from "./erase-account.server.ts";
import { exportCustomer } from "./export.server.ts";
import { privacyRequests } from "./request.tables.ts";
import { FRESH_MINUTES, proofOf } from "../accounts/sessions/recent-verification.server.ts";
import { endOtherSessions, listSessions } from "../accounts/sessions/sessions.server.ts";
import { unitsOf } from "../../tests/support/stock.ts";

const shop = useFreshDatabase();

type Somebody = { id: string; email: string; emailVerified: boolean };
let ada: Somebody;
let ben: Somebody;
let catalog: Map<string, string>;

async function somebody(name: string, emailVerified = true): Promise<Somebody> {
  const email = `${name}-${randomUUID().slice(0, 8)}@example.com`;
  const [user] = await shop.db
    .insert(users)
    .values({ email, emailVerified, name, firstName: name, lastName: "Lovelace" })
    .returning();
  return { id: user!.id, email, emailVerified };
}

type Placed = { email?: string; status?: (typeof orders.$inferInsert)["status"]; daysAgo?: number; slug?: string };

async function order(
  owner: { userId?: string; sessionId?: string },
  { email, status, daysAgo = 0, slug }: Placed = {},
) {
  const [placed] = await shop.db
    .insert(orders)
    .values({
      ...owner,
      checkoutKey: randomUUID(),
      status,
      subtotalCents: 19_00,
      shippingCents: 9_99,
      taxCents: 0,
      totalCents: 28_99,
      email: email ?? "someone@example.com",
      phone: "+1 212 555 0100",
      shippingFirstName: "Ada",
      shippingLastName: "Lovelace",
      shippingAddressLine1: "12 Analytical Ave",
      shippingAddressLine2: "Floor 3",
      shippingCity: "New York",
      shippingState: "NY",
      shippingPostalCode: "10001",
      shippingMethod: "standard",
      createdAt: new Date(Date.now() - daysAgo * 86_400_000),
    })
    .returning();
  const productId = catalog.get(slug ?? "travel-sleeve")!;
  await shop.db
    .insert(orderItems)
    .values({ orderId: placed!.id, productId, name: "Travel Sleeve", priceCents: 19_00, quantity: 1 });
  return placed!.id;
}

const historyOf = async (who: Somebody) => (await listOrders(shop.db, who)).orders.map(({ id }) => id);

beforeEach(async () => {
  catalog = new Map((await shop.db.select().from(products)).map(({ slug, id }) => [slug, id]));
  ada = await somebody("ada");
  ben = await somebody("ben");
});

describe("a customer's orders", () => {
  it("are their own only, the newest first, with what was bought", async () => {
    const older = await order({ userId: ada.id }, { daysAgo: 2 });
    const newer = await order({ userId: ada.id }, { daysAgo: 1, status: "delivered" });
    await order({ userId: ben.id });
    await order({ sessionId: randomUUID() });
    const history = await listOrders(shop.db, ada);
    expect(history.orders.map(({ id }) => id)).toEqual([newer, older]);
    expect(history.orders[0]).toMatchObject({
      status: "delivered",
      totalCents: 28_99,
      shippingCity: "New York",
      shippingState: "NY",
      items: [{ name: "Travel Sleeve", priceCents: 19_00, quantity: 1, slug: "travel-sleeve" }],
    });
  });

  it("do not include those placed as a guest with their email until they add them: anybody may have typed it", async () => {
    const asGuest = await order({ sessionId: randomUUID() }, { email: ada.email.toUpperCase() });
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

  it("are added by a link that works for 90 days, and only with the secret it was made with", async () => {
    const id = await order({ sessionId: randomUUID() }, { email: ada.email });
    const days = (n: number) => new Date(Date.now() - n * 86_400_000);
    const read = (token: string) => readClaim(shop.db, token, ada, "secret");
    const placed = { id, email: ada.email };
    expect(await read(claimToken(placed, "secret", days(89)))).toEqual({ orderId: id, state: "open" });
    expect(await read(claimToken(placed, "secret", days(91)))).toBeNull();
    expect(await read(claimToken(placed, "another"))).toBeNull();
    expect(await read(claimToken({ id, email: ben.email }, "secret"))).toBeNull();
    expect(await read(claimToken({ id: randomUUID(), email: ada.email }, "secret"))).toBeNull();
  });

  it("never include another customer's, though it was placed with this email", async () => {
    await order({ userId: ben.id }, { email: ada.email });
    expect(await historyOf(ada)).toEqual([]);
  });

  it("come in pages, and three on the dashboard", async () => {
    for (let i = 0; i <= ORDERS_A_PAGE; i++) await order({ userId: ada.id }, { daysAgo: i });
    const first = await listOrders(shop.db, ada);
    const second = await listOrders(shop.db, ada, 2);
    expect([first.orders.length, first.hasOlder]).toEqual([ORDERS_A_PAGE, true]);
    expect([second.orders.length, second.hasOlder]).toEqual([1, false]);
    expect((await listRecentOrders(shop.db, ada)).map(({ id }) => id)).toEqual(
      first.orders.slice(0, 3).map(({ id }) => id),
    );
  });

  it("keep a line whose product has left the catalog", async () => {
    const id = await order({ userId: ada.id });
    await shop.db.update(orderItems).set({ productId: randomUUID() }).where(eq(orderItems.orderId, id));
    const [first] = (await listOrders(shop.db, ada)).orders;
    expect(first?.items).toMatchObject([{ name: "Travel Sleeve", slug: null, thumbnail: null }]);
  });
});

describe("a wishlist", () => {
  it("holds a product once, the newest wish first, and is nobody else's", async () => {
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

  it("shows no early-bird price that is over", async () => {
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

async function session(userId: string, token: string = randomUUID(), expiresAt = new Date(Date.now() + 86_400_000)) {
  const userAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Version/19.0 Safari/604.1";
  const [made] = await shop.db.insert(sessions).values({ userId, token, expiresAt, userAgent }).returning();
  return made!.id;
}

describe("signed-in devices", () => {
  it("are the customer's own that still hold, and all but one can be ended", async () => {
    const here = await session(ada.id);
    await session(ada.id);
    await session(ada.id, randomUUID(), new Date(Date.now() - 1000));
    const bens = await session(ben.id);
    const listed = await listSessions(shop.db, ada.id);
    expect(listed).toHaveLength(2);
    expect(listed[0]).toMatchObject({ device: "Safari on iPhone", lastUsedAt: expect.any(Date) });
    await endOtherSessions(shop.db, ada.id, here);
    expect((await listSessions(shop.db, ada.id)).map(({ id }) => id)).toEqual([here]);
    expect((await listSessions(shop.db, ben.id)).map(({ id }) => id)).toEqual([bens]);
  });
});

describe("proving who is there", () => {
  const now = new Date();
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

  it.each([
    [0, "fresh"],
    [FRESH_MINUTES, "fresh"],
    [FRESH_MINUTES + 1, "stale"],
  ])("without a password, %i minutes after signing in: %s", async (minutes, proof) => {
    await shop.db.insert(accounts).values({ userId: ada.id, accountId: ada.id, providerId: "google" });
    expect(await proofOf(shop.db, { id: ada.id, signedInAt: ago(minutes) }, now)).toBe(proof);
  });

  it("takes the password, where there is one, however fresh the session", async () => {
    await shop.db
      .insert(accounts)
      .values({ userId: ada.id, accountId: ada.id, providerId: "credential", password: "x" });
    expect(await proofOf(shop.db, { id: ada.id, signedInAt: now }, now)).toBe("password");
  });
});

/** A customer with something in every table. */
async function settled(who: Somebody) {
  await shop.db.update(profiles).set({ phone: "555-0100" }).where(eq(profiles.id, who.id));
  await shop.db.insert(accounts).values({ userId: who.id, accountId: who.id, providerId: "credential", password: "x" });
  await shop.db.insert(twoFactors).values({ userId: who.id, secret: "s", backupCodes: "b" });
  await shop.db
    .insert(verifications)
    .values({ identifier: `reset-password:${randomUUID()}`, value: who.id, expiresAt: new Date() });
  await session(who.id);
  await addToWishlist(shop.db, who.id, [catalog.get("charging-dock")!]);
  await shop.db.insert(waitlist).values({ userId: who.id, email: who.email, utmSource: "friend" });
  await shop.db.insert(cartItems).values({ userId: who.id, productId: catalog.get("travel-sleeve")!, quantity: 2 });
  const written = { name: "Ada", email: who.email.toUpperCase(), message: "Hello?" };
  const [message] = await shop.db.insert(contactMessages).values(written).returning();
  const body = `Hello ${who.email}`;
  await shop.db.insert(contactReplies).values({ id: randomUUID(), messageId: message!.id, body });
  await shop.db.insert(privacyRequests).values({
    ...({ kind: "data", law: "gdpr", channel: "email" } as const),
    email: who.email,
    emailHash: "of no email",
    note: `Asked by ${who.email}`,
    receivedAt: new Date(),
    dueAt: new Date(),
  });
}

describe("the data file", () => {
  it("holds everything of the customer, and nothing of anybody else", async () => {
    await Promise.all([settled(ada), settled(ben)]);
    await order({ userId: ada.id }, { email: ada.email });
    await order({ userId: ben.id }, { email: ben.email });
    const file = await exportCustomer(shop.db, ada);
    expect(file).toMatchObject({
      account: { email: ada.email, emailVerified: true, signInWith: ["password"] },
      profile: { firstName: "ada", lastName: "Lovelace", phone: "555-0100" },
      orders: [{ totalCents: 28_99, shippingAddressLine1: "12 Analytical Ave", items: [{ name: "Travel Sleeve" }] }],
      wishlist: [{ slug: "charging-dock" }],
      waitlist: { email: ada.email, utmSource: "friend" },
      cart: [{ slug: "travel-sleeve", quantity: 2, unitPriceCents: 19_00 }],
      sessions: [{ userAgent: expect.stringContaining("iPhone") }],
      messages: [{ message: "Hello?" }],
    });
    const text = JSON.stringify(file);
    expect(text).not.toContain(ben.email);
    expect(text).not.toMatch(/"(token|password|secret|checkoutKey)":/);
  });

  it("holds the name and picture of the account, and the accounts linked to it, without their secrets", async () => {
    const image = "https://pictures.example/ada.jpg";
    await shop.db.update(users).set({ name: "Ada L.", image }).where(eq(users.id, ada.id));
    await shop.db.insert(accounts).values([
      { userId: ada.id, accountId: ada.id, providerId: "credential", password: "hashed-password" },
      { userId: ada.id, accountId: "1234567890", providerId: "google", scope: "openid,email", refreshToken: "hidden" },
    ]);
    const { account } = await exportCustomer(shop.db, ada);
    expect(account).toMatchObject({ name: "Ada L.", firstName: "ada", lastName: "Lovelace", image });
    expect(account.signInWith.toSorted()).toEqual(["google", "password"]);
    expect(account.linkedAccounts).toEqual([
      { provider: "google", accountId: "1234567890", scope: "openid,email", linkedAt: expect.any(Date) },
    ]);
    expect(JSON.stringify(account)).not.toMatch(/hashed-password|hidden/);
  });

  it("holds what happened to each order, in turn", async () => {
    const [id, other] = [await order({ userId: ada.id }), await order({ userId: ada.id }, { daysAgo: 1 })];
    await shop.db
      .insert(orderEvents)
      .values({ orderId: id, type: "placed", fromStatus: null, toStatus: "processing", actor: "customer" });
    await cancelOrder(shop.db, id, "staff");
    expect((await exportCustomer(shop.db, ada)).orders).toMatchObject([
      {
        id,
        status: "canceled",
        events: [
          { type: "placed", fromStatus: null, toStatus: "processing", actor: "customer", at: expect.any(Date) },
          { type: "canceled", fromStatus: "processing", toStatus: "canceled", actor: "staff", at: expect.any(Date) },
        ],
      },
      { id: other, events: [] },
    ]);
  });

  it("holds a guest's orders with the email they have verified, which they may read without adding them", async () => {
    await order({ sessionId: randomUUID() }, { email: ada.email.toUpperCase() });
    expect((await exportCustomer(shop.db, ada)).orders).toHaveLength(1);
    expect((await exportCustomer(shop.db, { ...ada, emailVerified: false })).orders).toEqual([]);
  });

  it("leaves out messages sent with an email that nobody proved", async () => {
    await settled(ada);
    expect((await exportCustomer(shop.db, { ...ada, emailVerified: false })).messages).toEqual([]);
  });
});

describe("deleting an account", () => {
  const left = async (who: Somebody) => {
    const counts = await Promise.all([
      shop.db.$count(users, eq(users.id, who.id)),
      shop.db.$count(profiles, eq(profiles.id, who.id)),
      shop.db.$count(accounts, eq(accounts.userId, who.id)),
      shop.db.$count(sessions, eq(sessions.userId, who.id)),
      shop.db.$count(twoFactors, eq(twoFactors.userId, who.id)),
      shop.db.$count(verifications, eq(verifications.value, who.id)),
      shop.db.$count(waitlist, eq(waitlist.userId, who.id)),
      shop.db.$count(wishlists, eq(wishlists.userId, who.id)),
      shop.db.$count(cartItems, eq(cartItems.userId, who.id)),
    ]);
    return counts;
  };
  const stock = (slug: string) => unitsOf(shop.pool, slug);

  it("takes the person and all that hangs on them, and touches nobody else", async () => {
    const guestId = randomUUID();
    await Promise.all([settled(ada), settled(ben)]);
    await shop.db
      .insert(cartItems)
      .values({ sessionId: guestId, productId: catalog.get("travel-sleeve")!, quantity: 1 });
    const bensOrder = await order({ userId: ben.id }, { email: ben.email });
    await deleteAccount(shop.db, ada, guestId, anyPermit);
    expect(await left(ada)).toEqual(Array(9).fill(0));
    expect(await left(ben)).toEqual(Array(9).fill(1));
    expect(await shop.db.$count(cartItems, eq(cartItems.sessionId, guestId))).toBe(0);
    const [kept] = await shop.db.select().from(orders).where(eq(orders.id, bensOrder));
    expect(kept).toMatchObject({ userId: ben.id, email: ben.email, status: "processing" });
  });

  it("keeps orders without the person: amounts, items and place, no name, address, phone or email", async () => {
    const own = await order({ userId: ada.id }, { email: ada.email, status: "delivered" });
    const asGuest = await order({ sessionId: randomUUID() }, { email: ada.email, status: "shipped" });
    const before = await stock("travel-sleeve");
    await deleteAccount(shop.db, ada, null, anyPermit);
    for (const [id, status] of [
      [own, "delivered"],
      [asGuest, "shipped"],
    ] as const) {
      const [kept] = await shop.db.select().from(orders).where(eq(orders.id, id));
      expect(kept).toMatchObject({
        userId: null,
        sessionId: null,
        email: "",
        phone: "",
        shippingFirstName: "",
        shippingLastName: "",
        shippingAddressLine1: "",
        shippingAddressLine2: null,
        shippingPostalCode: "",
        shippingCity: "New York",
        shippingState: "NY",
        totalCents: 28_99,
        status,
      });
      expect(await shop.db.$count(orderItems, eq(orderItems.orderId, id))).toBe(1);
      expect(await shop.db.$count(orderEvents, eq(orderEvents.orderId, id))).toBe(0);
    }
    expect(await stock("travel-sleeve")).toBe(before);
  });

  it("leaves an order alone that is being shipped in the same moment", async () => {
    const id = await order({ userId: ada.id }, { slug: "charging-dock" });
    const before = await stock("charging-dock");
    const client = await shop.pool.connect();
    await client.query("BEGIN");
    await client.query("UPDATE orders SET status = 'shipped' WHERE id = $1", [id]);
    const deleting = deleteAccount(shop.db, ada, null, anyPermit);
    const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await shop.db.execute(waiting)).rowCount).toBe(1);
    await client.query("COMMIT");
    client.release();
    await deleting;
    const [kept] = await shop.db.select().from(orders).where(eq(orders.id, id));
    expect(kept).toMatchObject({ status: "shipped", email: "", userId: null });
    expect(await stock("charging-dock")).toBe(before);
  });

  it("cancels what was not shipped, and its stock returns", async () => {
    const id = await order({ userId: ada.id }, { slug: "charging-dock" });
    expect(await countUnshipped(shop.db, ada)).toBe(1);
    const before = await stock("charging-dock");
    await deleteAccount(shop.db, ada, null, anyPermit);
    const [kept] = await shop.db.select().from(orders).where(eq(orders.id, id));
    expect(kept?.status).toBe("canceled");
    expect(await stock("charging-dock")).toBe(before + 1);
    const { type, actor } = orderEvents;
    const events = await shop.db.select({ type, actor }).from(orderEvents).where(eq(orderEvents.orderId, id));
    expect(events).toEqual([{ type: "canceled", actor: "customer" }]);
  });

  it("leaves a guest's orders alone where the email was never verified", async () => {
    const id = await order({ sessionId: randomUUID() }, { email: ada.email });
    await deleteAccount(shop.db, { ...ada, emailVerified: false }, null, anyPermit);
    const [kept] = await shop.db.select().from(orders).where(eq(orders.id, id));
    expect(kept?.email).toBe(ada.email);
  });

  it("changes nothing where its last statement fails", async () => {
    await settled(ada);
    const id = await order({ userId: ada.id }, { email: ada.email });
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
    const [kept] = await shop.db.select().from(orders).where(eq(orders.id, id));
    expect(kept).toMatchObject({ userId: ada.id, email: ada.email, status: "processing" });
  });

  it("goes without its email where no address is left to send", async () => {
    const emails = sql`SELECT 1 FROM pgboss.job WHERE data ->> 'email' = ${ada.email}`;
    await deleteAccount(shop.db, ada, null, null);
    expect((await shop.db.execute(emails)).rowCount).toBe(0);
    expect(await shop.db.$count(users, eq(users.id, ada.id))).toBe(0);
  });

  /** Every place in the database where a word stands, in whatever schema. */
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

  it("leaves the email and the name nowhere: no table, no job, no email but the goodbye, no counter", async () => {
    const name = `Zephyrine${randomUUID().slice(0, 6)}`;
    await shop.db.update(users).set({ name, firstName: name }).where(eq(users.id, ada.id));
    await settled(ada);
    await shop.db.update(profiles).set({ firstName: name }).where(eq(profiles.id, ada.id));
    await order({ userId: ada.id }, { email: ada.email });
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
    // One that waits, and one that the mail server refused, with its own words about it.
    await enqueueEmail(shop.db, { template: "reset-password", email: ada.email.toUpperCase() }, anyPermit);
    await shop.db.execute(sql`UPDATE pgboss.job SET state = 'retry', start_after = now() + interval '1 hour',
      output = ${JSON.stringify({ message: `550 <${ada.email}> unknown` })}::jsonb
      WHERE name = 'mail' AND data->>'email' = ${ada.email.toUpperCase()}`);
    expect(await placesOf(ada.email, name)).toEqual(
      expect.arrayContaining(["public.users.email", "public.mailbox_messages.to", "public.users.first_name"]),
    );

    await deleteAccount(shop.db, ada, null, anyPermit);
    // The goodbye has to know where to go, until it has gone.
    expect((await placesOf(ada.email, name)).filter((place) => !/^pgboss\.\w+\.data$/.test(place))).toEqual([]);
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
    expect(await placesOf(ada.email, name)).toEqual(["public.mailbox_messages.to"]);
    const [kept, ...others] = (await listMailbox(shop.db)).filter(({ to }) => to === ada.email);
    expect([kept?.subject, others]).toEqual(["Your account is deleted | Polara", []]);
  });

  it("is confirmed by an email; one about an order that waited until then goes nowhere", async () => {
    const id = await order({ userId: ada.id }, { email: ada.email });
    await enqueueEmail(shop.db, { template: "order-confirmation", orderId: id }, anyPermit);
    await deleteAccount(shop.db, ada, null, anyPermit);
    const outbox = await startOutbox(shop.db, shop.url, mailboxOutbox);
    try {
      const mine = async () => (await listMailbox(shop.db)).filter(({ to }) => to === ada.email || to === "");
      await expect.poll(async () => (await mine()).length).toBe(1);
      const waiting = sql<{
        n: number;
      }>`SELECT count(*)::int AS n FROM pgboss.job WHERE name = 'mail' AND state IN ('created', 'active', 'retry')`;
      await expect.poll(async () => (await shop.db.execute(waiting)).rows[0]?.n).toBe(0);
      expect((await mine()).map(({ subject }) => subject)).toEqual(["Your account is deleted | Polara"]);
    } finally {
      await outbox.stop();
    }
  });
});
