/** The demo's year: orders made by the shop's own functions and the payment sandbox, then backdated by SQL. */
import type { Database } from "#db/connection.server.ts";
import { startPaymentSandbox } from "#sandboxes/stripe/start.ts";
import { rollUp } from "#shop/analytics/analytics.server.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { discounts } from "#shop/discounts/discount.tables.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { storeEvents } from "#shop/payments/inbox.server.ts";
import { providePayments } from "#shop/payments/open-provider.server.ts";
import { stripeProvider } from "#shop/payments/stripe/stripe.server.ts";
import { openRateLimits, type RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { sendMessage } from "#shop/support/contact.server.ts";
import { confirmPlace, joinWaitlist } from "#shop/waitlist/waitlist.server.ts";
import { openSteps, type Steps } from "./backdate.ts";
import { openOrders, USUAL, WELCOME, WORK, type Plan } from "./orders.ts";
import { CAMPAIGNS, makePerson, MESSAGES, openRandom, type Random } from "./people.ts";

type Demo = { db: Database; databaseUrl: string; baseUrl: string; secret: string };
type Options = { orders?: number; progress?: (text: string) => void };
type Tools = { db: Database; steps: Steps; rateLimits: RateLimits; random: Random };
type Placed = Plan & { orderId: string; product: string };

const SEED = 14;
const ORDERS = 600;
const DAY = 86_400_000;
const NETWORK = "192.0.2.1";

/**
 * Fills a shop without orders, messages or waitlist; throws otherwise. Its accounts cannot sign in, and no emails are
 * sent.
 */
export async function fillDemo(demo: Demo, { orders: count = ORDERS, progress = () => {} }: Options = {}) {
  const { db, databaseUrl, baseUrl, secret } = demo;
  await refuseRealShop(db);
  const report = (error: unknown, context: string) => progress(`${context}: ${String(error)}`);
  const sandbox = await startPaymentSandbox({ databaseUrl, baseUrl, webhook: null, report });
  try {
    const apiUrl = `http://${sandbox.host}:${sandbox.port}`;
    const connect = () => Promise.resolve({ secretKey: sandbox.secretKey, apiUrl });
    const provider = stripeProvider({ webhookSecrets: [], pageOrigin: apiUrl, connect });
    const providers = { stripe: provider };
    providePayments(providers, { baseUrl, secret });
    const rateLimits = openRateLimits(db, { scale: 1_000_000, secret });
    const tools: Tools = { db, steps: openSteps(db), rateLimits, random: openRandom(SEED) };
    const makeOrder = openOrders({ ...tools, providers, handlePage: sandbox.handlePage });
    await addDiscounts(db);
    const placed: Placed[] = [];
    for (const [i, plan] of (await plansOf(tools, count)).entries()) {
      if (i % 50 === 0) progress(`${i} of ${count} orders`);
      await tools.steps.take(plan.at, () => restock(db));
      const order = await makeOrder(plan);
      if (order) placed.push({ ...plan, ...order });
    }
    progress("messages, waitlist and visits");
    const messages = await sendMessages(tools, placed);
    const waiting = await joinAll(tools, Math.ceil(count / 5));
    await tools.steps.backdate();
    await finish(db);
    await storeEvents(db, provider, await provider.missed(new Date(Date.now() - DAY)));
    await db.$client.query("UPDATE payment_inbox SET handled_at = now() WHERE handled_at IS NULL");
    await rollUp(db);
    return { orders: placed.length, people: new Set(placed.map(({ person }) => person)).size, messages, waiting };
  } finally {
    await sandbox.stop();
  }
}

async function refuseRealShop({ $client }: Database): Promise<void> {
  const { rows } = await $client.query<{ what: string }>(
    `SELECT 'orders' AS what WHERE EXISTS (SELECT FROM orders)
     UNION ALL SELECT 'messages' WHERE EXISTS (SELECT FROM contact_messages)
     UNION ALL SELECT 'a waitlist' WHERE EXISTS (SELECT FROM waitlist)`,
  );
  if (rows.length === 0) return;
  const found = rows.map(({ what }) => what).join(" and ");
  throw new Error(`This shop has ${found}: the demo fills only a shop that has none. Set DATA_DIR to another folder.`);
}

/** Orders grow by the month. About half of them are by people who ordered before; every fourth person has an account. */
async function plansOf({ db, random }: Tools, count: number): Promise<Plan[]> {
  const now = Date.now();
  const orders = Array.from({ length: count }, (_, i) => {
    const [days, fate] = WORK[i] ?? [0.04 + 364 * (1 - Math.sqrt(random.next())), random.weighted(USUAL)];
    return { at: new Date(now - days * DAY), fate };
  }).toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const people: Plan["person"][] = [];
  const plans: Plan[] = [];
  for (const { at, fate } of orders) {
    let person = random.pick(people);
    if (!person || random.next() < 0.45) {
      const made = makePerson(random);
      person = { ...made, customerId: random.next() < 0.45 ? await addUser(db, made, at) : null };
      people.push(person);
    }
    plans.push({ at, fate, person, campaign: random.weighted(CAMPAIGNS) });
  }
  return plans;
}

/** A code for newsletters, one that has ended, and a bundle. */
async function addDiscounts(db: Database): Promise<void> {
  const all = await db.select({ id: products.id, category: products.category, slug: products.slug }).from(products);
  const idsOf = (is: (product: (typeof all)[number]) => boolean) => all.filter(is).map(({ id }) => id);
  const bundle = [
    { productIds: idsOf(({ category }) => category !== "Accessories"), units: 1 },
    { productIds: idsOf(({ slug }) => slug.startsWith("ethylene-filter")), units: 2 },
  ];
  await db.insert(discounts).values([
    { code: WELCOME, name: WELCOME, kind: "percent", value: 10 },
    { code: "SUMMER", name: "SUMMER", kind: "amount", value: 15_00, minimumCents: 100_00, endsAt: new Date() },
    { name: "A bowl and two filters", kind: "amount", value: 10_00, bundle },
  ]);
}

/** A verified account without a password. */
async function addUser({ $client }: Database, { email, name }: { email: string; name: string }, at: Date) {
  const { rows } = await $client.query<{ id: string }>(
    `INSERT INTO users (email, email_verified, name, first_name, last_name, created_at, updated_at, last_active_at)
     VALUES ($1, true, $2, split_part($2, ' ', 1), split_part($2, ' ', 2), $3, $3, $3) RETURNING id`,
    [email, name, at],
  );
  return rows[0]!.id;
}

/** Deliveries for products with low stock. Sold-out ones of the opening catalog stay sold out. */
const restock = ({ $client }: Database) =>
  $client.query(
    `WITH low AS (
       UPDATE stock SET inventory_count = inventory_count + 60 WHERE inventory_count BETWEEN 1 AND 6 RETURNING product_id)
     INSERT INTO stock_moves (product_id, delta, reason, note) SELECT product_id, 60, 'received', 'Delivery' FROM low`,
  );

/** Messages about orders, the first dozen about recent ones. */
async function sendMessages({ db, steps, rateLimits, random }: Tools, placed: Placed[]): Promise<number> {
  const count = Math.ceil(placed.length / 12);
  for (let i = 0; i < count; i++) {
    const { person, orderId, product, at } = random.pick(i < 12 ? placed.slice(-60) : placed);
    const text = random.pick(MESSAGES).replace("{order}", orderNumber(orderId)).replace("{product}", product);
    const form = { name: person.name, email: person.email, message: text };
    const latest = Date.now() - random.whole(5, 600) * 60_000;
    const sentAt = new Date(Math.min(latest, at.getTime() + random.whole(1, 9 * 24) * 3_600_000));
    await steps.take(sentAt, () => sendMessage(db, rateLimits, form, NETWORK));
  }
  return count;
}

/** Most of them confirm their email an hour later. */
async function joinAll({ db, steps, rateLimits, random }: Tools, count: number): Promise<number> {
  for (let i = 0; i < count; i++) {
    const { email, phone } = makePerson(random);
    const entry = { email, phone: i % 3 === 0 ? phone : null, ...random.weighted(CAMPAIGNS) };
    const at = new Date(Date.now() - random.whole(120, 364 * 24 * 60) * 60_000);
    await steps.take(at, () => joinWaitlist(db, rateLimits, entry, { network: NETWORK, customer: null }));
    if (random.next() > 0.7) continue;
    const verify = "UPDATE users SET email_verified = true WHERE email = $1 RETURNING id";
    const { rows } = await db.$client.query<{ id: string }>(verify, [email]);
    await steps.take(new Date(at.getTime() + 3_600_000), () => confirmPlace(db, rows[0]!.id));
  }
  return count;
}

/** Deadlines from the orders' own times, visits in proportion to orders, and no emails. */
async function finish({ $client }: Database): Promise<void> {
  await $client.query(`
    DELETE FROM pgboss.job;
    UPDATE contact_messages SET status = 'closed' WHERE created_at < now() - interval '4 days';
    UPDATE payments SET expires_at = created_at + interval '65 minutes',
      capture_before = CASE WHEN capture_before IS NOT NULL THEN created_at + interval '7 days' END;
    UPDATE orders SET hold_until = created_at + interval '30 minutes' WHERE status = 'unpaid' AND hold_until IS NOT NULL;
    INSERT INTO daily_counts (day, event, utm_source, utm_campaign, count)
      SELECT day, event, source, campaign, ceil(orders * visits)
      FROM (SELECT (created_at AT TIME ZONE 'America/New_York')::date AS day, coalesce(utm_source, '') AS source,
              coalesce(utm_campaign, '') AS campaign, count(*) AS orders FROM orders GROUP BY 1, 2, 3) AS placed
      CROSS JOIN (VALUES ('visit', 19.5), ('product-view', 16), ('cart', 4.2), ('checkout', 2)) AS events (event, visits)`);
}
