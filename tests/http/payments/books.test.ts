/**
 * The books after concurrent buyers, staff, provider faults and crashes.
 *
 * ACTIONS=10000 does that many (60 by default).
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { discounts } from "#shop/discounts/discount.tables.ts";
import type { OrderEvent } from "#shop/orders/lifecycle.ts";
import { loadSettings } from "#shop/settings/settings.server.ts";
import { recordTax } from "#shop/tax/record.server.ts";
import { stripeTax } from "#shop/tax/stripe-tax.server.ts";
import { checkPayments, checkReturns, checkStories, checkTax, type Written } from "../../support/books.ts";
import { freePort, startShop, type Shop } from "../../support/shop.ts";
import { useFreshDatabase } from "../../support/fresh-database.ts";
import { stripeKeys } from "../../support/own-shop.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "../../support/payment-sandbox.ts";
import { changeSettings } from "../../support/settings.ts";
import { startTraffic } from "../../support/traffic.ts";
import { keptUnits } from "#tests/support/units.ts";

const ACTIONS = Number(process.env.ACTIONS ?? 60);
const KILLS = Math.max(2, Math.round(ACTIONS / 500));
const UNITS = 1_000_000;
const MINUTES = 60_000;
/** Discount codes of buyers; the last one is soon used up. */
const CODES = [
  { code: "THIRD", name: "THIRD", kind: "percent", value: 33 },
  { code: "TEN", name: "TEN", kind: "amount", value: 10_00 },
  { code: "FREE", name: "FREE", kind: "shipping", value: 0 },
  { code: "FEW", name: "FEW", kind: "percent", value: 50, maxUses: 5 },
] as const;

const database = useFreshDatabase(20);
let sandbox: TestPaymentSandbox;
let shop: Shop;
let env: Record<string, string>;

beforeAll(async () => {
  const port = String(await freePort());
  sandbox = await startTestPaymentSandbox(database.url, `http://localhost:${port}/payments/stripe/events`);
  env = {
    PORT: port,
    DATABASE_URL: database.url,
    AUTH_SECRET: "a secret that only tests know, and long enough",
    RATE_LIMIT_SCALE: "1000000",
    TAX: "stripe",
    ...stripeKeys(sandbox),
  };
  await changeSettings(database.db, { tax: { CA: true, NY: true, TX: true } });
  // Staff and buyers of the traffic act in this process, too.
  await loadSettings(database.db);
  await database.db.insert(discounts).values([...CODES]);
  shop = await startShop(env);
  await database.pool.query("UPDATE stock SET inventory_count = $1", [UNITS]);
});
afterAll(async () => {
  await shop.stop();
  await sandbox.stop();
});

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query<Row>(text, values)).rows;

async function crash(): Promise<void> {
  await shop.kill();
  // Emails in flight are released, as after half a minute.
  await query("UPDATE pgboss.job SET state = 'retry' WHERE state = 'active'");
  shop = await startShop(env);
}

const waitUntilNone = (text: string) =>
  expect.poll(() => query(text), { timeout: 5 * MINUTES, interval: 100 }).toEqual([]);

/** Ends everything that was begun: reservations, calls to the provider, and late refunds of banks. */
async function reconcile(): Promise<void> {
  await sandbox.control({ do: "behave" });
  await query("UPDATE orders SET hold_until = now() - interval '1 second' WHERE status = 'unpaid'");
  // A restart clears the pauses of failed work.
  await crash();
  await waitUntilNone("SELECT id FROM orders WHERE status = 'unpaid'");
  // A refund that is sent later would end at its bank while the books are checked.
  await waitUntilNone(`SELECT id, kind, state, problem FROM payment_actions
    WHERE state = 'asked' OR state = 'sent' AND provider_reference IS NULL`);
  await sandbox.control({ do: "forward", seconds: 2 * 86_400 });
  // Webhooks cause actions, and these cause webhooks.
  for (let round = 0; round < 2; round++) {
    await expect.poll(async () => (await sandbox.books()).undelivered, { timeout: 5 * MINUTES }).toBe(0);
    await waitUntilNone(`SELECT event_id FROM payment_inbox JOIN payments
      ON payment_inbox.reference IN (payments.reference, intent_reference, payments.id::text) WHERE handled_at IS NULL`);
    await waitUntilNone("SELECT id, kind, state, problem FROM payment_actions WHERE state IN ('asked', 'sent')");
  }
  await waitUntilNone("SELECT id FROM shipments WHERE state = 'packing'");
  await waitUntilNone("SELECT id, state, data FROM pgboss.job WHERE name = 'mail' AND state <> 'completed'");
}

async function checkMoney(): Promise<void> {
  const ours = async () =>
    (
      await query(
        "SELECT coalesce(sum(captured), 0)::int AS captured, coalesce(sum(refunded), 0)::int AS refunded FROM payments",
      )
    )[0];
  const { captured, refunded } = await sandbox.books();
  await expect.poll(ours, { timeout: MINUTES }).toEqual({ captured, refunded });
  await checkPayments(database.db, query);
}

async function checkTaxes(): Promise<void> {
  const tax = stripeTax(() => Promise.resolve(sandbox));
  const fail = (error: unknown) => {
    throw error;
  };
  // A reversal follows its sale.
  for (let run = 0; run < 2; run++) await recordTax(database.db, tax, fail);
  await waitUntilNone("SELECT id, kind, state, problem FROM tax_records WHERE state <> 'done'");
  await checkTax(query);
  const taxed = await query("SELECT FROM tax_records WHERE tax > 0");
  // A few actions may tax nothing.
  if (ACTIONS >= 1_000) expect(taxed).not.toEqual([]);
}

async function checkStock(): Promise<void> {
  const wrong = await query(
    `WITH gone AS (
       SELECT product_id, ${keptUnits("order_items")} AS units FROM order_items JOIN orders ON orders.id = order_id
       WHERE status IN ('unpaid', 'processing', 'shipped', 'delivered')
       UNION ALL
       SELECT product_id, (data->>'units')::int FROM order_events JOIN order_items ON order_items.id = (data->>'itemId')::uuid
       WHERE type = 'line-canceled' AND NOT (data->>'returnsStock')::boolean
       UNION ALL
       SELECT product_id, ${keptUnits("order_items")} FROM order_items JOIN orders ON orders.id = order_id
       WHERE status = 'canceled' AND EXISTS (SELECT FROM order_events WHERE order_id = orders.id AND type = 'undelivered')
       UNION ALL
       SELECT product_id, -delta FROM stock_moves WHERE return_id IS NOT NULL OR reason IN ('returned', 'resent')
     )
     SELECT product_id, inventory_count, sum(units) FROM stock LEFT JOIN gone USING (product_id)
     GROUP BY product_id HAVING inventory_count + coalesce(sum(units), 0) <> ${UNITS}`,
  );
  expect(wrong).toEqual([]);
}

function promisedByReturn({ data, actor }: Written): string | null {
  const event = String(data?.event);
  if (event === "quote-refused") return "return-resolved";
  if (event === "reminded") return "return-reminder";
  if (event === "resolved") return data?.outcome === "refund" && Number(data.cents) > 0 ? null : "return-resolved";
  if (event === "reopened") return "return-authorized";
  // A return whose package was lost or refused before it arrived ends by itself.
  if (event === "withdrawn" && actor === "system") return "return-not-needed";
  if (event === "label-added") return "return-label";
  const named = ["requested", "authorized", "declined", "withdrawn", "expired", "received", "inspected", "quoted"];
  return named.includes(event) ? `return-${event}` : null;
}

/** The email that an event promises. A failed refund promises one only if the customer was told of the refund. */
function promisedBy(written: Written): string | null {
  const { type, from_status: from, data } = written;
  if (type === "canceled") return from === "processing" ? "order-canceled" : null;
  if (type === "return-changed") return promisedByReturn(written);
  // The customer has sent it back, or was told that it was lost, and what follows.
  if (data?.arrives === false || data?.isSettled) return null;
  // The customer may pay again on the page of the return.
  if (type === "capture-failed" && !data?.shipmentId) return null;
  const templates: Partial<Record<OrderEvent, string>> = {
    placed: "order-confirmation",
    authorized: "order-confirmation",
    "authorized-late": "order-confirmation",
    "payment-requested": "payment-request",
    "capture-failed": "payment-request",
    shipped: "order-shipped",
    "parcel-shipped": "parcel-shipped",
    "shipment-undone": "shipment-undone",
    "parcel-undone": "shipment-undone",
    "parcel-refused": "parcel-refused",
    "parcel-lost": "parcel-lost",
    delivered: "order-delivered",
    "delivered-late": "order-delivered",
    declined: "order-declined",
    delayed: "order-delayed",
    "line-canceled": "order-changed",
    "address-changed": "order-address-changed",
    refunded: "refund-issued",
  };
  return templates[type] ?? null;
}

/** Every email that an event promises was sent once, and no other. */
async function checkMails(events: Written[]): Promise<number> {
  const nameOf = ({ order_id, type, at, data }: Written, event = data?.event) =>
    `${order_id} ${type} ${at} ${type === "return-changed" ? `${String(data?.returnId)} ${String(event)}` : ""}`;
  const acts = new Map(events.map((event) => [nameOf(event), event]));
  // An order that is authorized at once is not confirmed before.
  for (const event of events.filter(({ type }) => type === "return-changed")) {
    if (acts.has(nameOf(event, "authorized"))) acts.delete(nameOf(event, "requested"));
  }
  const promised = [...acts.values()].flatMap((event) => {
    const template = promisedBy(event);
    return template ? [`${event.order_id} ${template}`] : [];
  });
  const failed = await query<{ job: string }>(
    `SELECT order_id || ' refund-failed' AS job FROM payment_actions a JOIN payments p ON p.id = payment_id
     WHERE a.kind = 'refund' AND a.state = 'failed' AND provider_reference IS NOT NULL`,
  );
  promised.push(...failed.map(({ job }) => job));
  const queued = await query<{ job: string }>(
    `SELECT (data->>'orderId') || ' ' || (data->>'template') AS job FROM pgboss.job
     WHERE name = 'mail' AND data->>'template' NOT IN ('payment-alert', 'payment-ended', 'order-not-charged', 'return-payment')`,
  );
  expect(queued.map(({ job }) => job).toSorted()).toEqual(promised.toSorted());
  const wrong = await query(
    `SELECT email, queued.n AS queued, sent.n AS sent FROM (
       SELECT email, count(*) AS n FROM pgboss.job JOIN orders ON orders.id = (data->>'orderId')::uuid
       WHERE name = 'mail' AND data->>'template' NOT IN ('payment-alert', 'return-payment') GROUP BY email) AS queued
     FULL JOIN (SELECT "to" AS email, count(*) AS n FROM mailbox_messages WHERE subject NOT LIKE 'Please pay $%' GROUP BY "to") AS sent
       USING (email)
     WHERE email LIKE 'traffic-%' AND queued.n IS DISTINCT FROM sent.n`,
  );
  expect(wrong).toEqual([]);
  return promised.length;
}

it(
  `the books agree after ${ACTIONS} concurrent actions of buyers, staff and the provider, with ${KILLS} crashes`,
  async () => {
    const traffic = startTraffic({
      database,
      sandbox,
      shop: { url: shop.url },
      actions: ACTIONS,
      codes: CODES.map(({ code }) => code),
    });
    try {
      for (let kill = 1; kill <= KILLS; kill++) {
        await traffic.until(Math.round((ACTIONS * kill) / (KILLS + 1)));
        await crash();
      }
    } catch (error) {
      traffic.stop();
      throw error;
    }
    const done = await traffic.ended();
    expect(done.faults).toEqual([]);
    await reconcile();
    await checkMoney();
    await checkTaxes();
    await checkStock();
    await checkReturns(query);
    const events = await checkStories(query);
    const mails = await checkMails(events);
    const [orders] = await query<{ text: string }>(
      `SELECT string_agg(n || ' ' || status, ', ') AS text FROM (SELECT status, count(*) AS n FROM orders GROUP BY 1) AS counted`,
    );
    console.log(
      `${orders?.text}; ${events.length} events, ${mails} emails; ` +
        Object.entries(done.counts)
          .map(([what, n]) => `${n} × ${what}`)
          .join(", "),
    );
  },
  120 * MINUTES,
);
