/**
 * Crashes of the shop, of PostgreSQL, and of both during orders, in turn: every answered order is there afterwards.
 * CRASHES sets their number, 3 by default.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startBuyers, type Purchase } from "../support/buyers.ts";
import { postmaster, queryEmbedded } from "../support/embedded.ts";
import { freePort, startShop, type Shop } from "../support/shop.ts";

const CRASHES = Number(process.env.CRASHES ?? 3);
const KINDS = ["the shop", "PostgreSQL", "both"] as const;
const BUYERS = 6;
const ORDERS_BETWEEN = 10;
const UNITS = 1_000_000;
const MINUTES = 60_000;
const AUTH_SECRET = "a secret that only tests know, and long enough";

let folder: string;
let shop: Shop;
let port: string;

const start = () =>
  startShop({ DATA_DIR: folder, DATABASE_URL: "", AUTH_SECRET, PORT: port, RATE_LIMIT_SCALE: "1000000" });
const query = <Row extends object>(text: string) => queryEmbedded<Row>(folder, text);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "polara-crashes-"));
  port = String(await freePort());
  shop = await start();
  await query(`UPDATE stock SET inventory_count = ${UNITS}`);
});
afterEach(async () => {
  await shop.stop();
  rmSync(folder, { recursive: true, force: true });
});

const isReady = () =>
  fetch(`${shop.url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );

/** Waits for a condition, at most five minutes. */
async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 5 * MINUTES;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`timed out before ${what}`);
    await pause(10);
  }
}

/** True once PostgreSQL has another first process than `former`. */
const isReplaced = (former: number) => {
  try {
    return postmaster(folder) !== former;
  } catch {
    return false;
  }
};

async function crash(kind: (typeof KINDS)[number]): Promise<void> {
  const leader = postmaster(folder);
  if (kind !== "the shop") process.kill(leader, "SIGKILL");
  if (kind === "PostgreSQL") {
    await until(async () => isReplaced(leader) && (await isReady()), "PostgreSQL was back");
  } else {
    await shop.kill();
    shop = await start();
  }
}

const ORDERS = `
  SELECT left(o.id::text, 8) AS number, o.email,
    (SELECT string_agg(product_id || ':' || quantity || ':' || price, ',' ORDER BY product_id)
     FROM order_items WHERE order_id = o.id) AS seen,
    (SELECT count(*)::int FROM pgboss.job WHERE data->>'orderId' = o.id::text) AS emails
  FROM orders o`;
const sortedLines = (seen: string) => seen.split(",").toSorted().join(",");

/** Checks that every answered order exists once, with its lines and one email job, and that no unit is lost. */
async function checkBooks(answered: Purchase[]): Promise<void> {
  const orders = await query<Purchase & { emails: number }>(ORDERS);
  const kept = new Map(orders.map((order) => [order.email, order]));
  expect(kept.size).toBe(orders.length);
  expect(orders.filter(({ seen, emails }) => !seen || emails !== 1)).toEqual([]);
  const missing = answered.filter(({ email, number, seen }) => {
    const order = kept.get(email);
    return order?.number !== number || order.seen !== sortedLines(seen);
  });
  expect(missing).toEqual([]);
  const wrong = await query(
    `SELECT product_id FROM stock LEFT JOIN order_items i USING (product_id)
     GROUP BY product_id HAVING inventory_count + coalesce(sum(i.quantity), 0) <> ${UNITS}`,
  );
  expect(wrong).toEqual([]);
}

/** Orders without exactly one email. */
const wrongEmails = () =>
  query(
    `SELECT o.email, count(m.id)::int AS emails FROM orders o LEFT JOIN mailbox_messages m ON m."to" = o.email
     GROUP BY o.id HAVING count(m.id) <> 1`,
  );

it(
  `${CRASHES} crashes during orders lose no answered order, and repeat none`,
  async () => {
    const buyers = startBuyers(shop.url, BUYERS, "crash");
    for (let n = 0; n < CRASHES; n++) {
      const before = buyers.purchases.length;
      await until(() => buyers.purchases.length >= before + ORDERS_BETWEEN, "orders were placed");
      const kind = KINDS[n % KINDS.length] ?? "both";
      const answered = [...buyers.purchases];
      await crash(kind);
      await checkBooks(answered);
    }
    await buyers.stop();
    await checkBooks(buyers.purchases);
    // Emails in flight are retried after half a minute, which the test skips.
    await query("UPDATE pgboss.job SET started_on = started_on - interval '30 seconds' WHERE state = 'active'");
    await expect.poll(wrongEmails, { timeout: 5 * MINUTES, interval: 500 }).toEqual([]);
    expect(buyers.faults).toEqual([]);
    expect(buyers.purchases.length).toBeGreaterThanOrEqual(CRASHES * ORDERS_BETWEEN);
  },
  120 * MINUTES,
);
