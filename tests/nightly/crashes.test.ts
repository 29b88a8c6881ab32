/**
 * Crashes of the shop, of PostgreSQL, and of both during orders, in turn: every answered order is there afterwards.
 * CRASHES sets their number, 3 by default.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { postmaster, queryEmbedded } from "../support/embedded.ts";
import { freePort, startShop, type Shop } from "../support/shop.ts";
import { address, Visitor } from "../support/visitor.ts";

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

const PRODUCTS = ["travel-sleeve", "charging-dock", "ethylene-filter-2-pack"];
const RETRY_MS = 20;

/** `seen` are its lines, as the form of its checkout page had them. */
type Purchase = { email: string; number: string; seen: string };

const orderNumber = (html: string) => /\b[0-9a-f]{8}\b(?!-)/.exec(html.split("Order placed!")[1] ?? "")?.[0];

/** Guests who order continuously, through crashes, and record each answered order. */
function startBuyers(url: string, amount: number) {
  const purchases: Purchase[] = [];
  /** An unexpected answer, which ends the buyer. */
  const faults: string[] = [];
  let made = 0;
  let isOn = true;

  /** Repeats a request until `read` returns something; 503 and lost answers are retried. */
  async function insist<Found>(
    ask: () => Promise<Response>,
    read: (text: string, status: number) => Found | undefined,
  ) {
    for (;;) {
      try {
        const answer = await ask();
        const found = read(await answer.text(), answer.status);
        if (found !== undefined) return found;
        if (answer.status !== 503) throw new Error(`${answer.url} answered ${answer.status}`);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
      await pause(RETRY_MS);
    }
  }

  async function buy(number: number): Promise<void> {
    const guest = new Visitor(url);
    const email = `buyer-${number}@example.com`;
    for (const slug of [PRODUCTS[number % 3] ?? "", PRODUCTS[(number + 1) % 3] ?? ""]) {
      const id = await insist(
        () => guest.fetch(`/product/${slug}`),
        (text) => /name="productId" value="([^"]+)"/.exec(text)?.[1],
      );
      await insist(
        () => guest.post("/cart/add", { productId: id, quantity: "1" }, { Accept: "*/*" }),
        (_text, status) => (status === 200 ? true : undefined),
      );
    }
    const fields = await insist(() => guest.fetch("/checkout"), hiddenFields);
    const order = () => insist(() => guest.post("/checkout", { ...address, ...fields, email }), orderNumber);
    const placed = await order();
    purchases.push({ email, number: placed, seen: fields.seen });
    // A repeated submit is the same order.
    const again = await order();
    if (again !== placed) throw new Error(`${email} ordered ${placed} and ${again}`);
  }

  const ended = Promise.all(
    Array.from({ length: amount }, async () => {
      while (isOn) await buy(made++);
    }).map((lane) => lane.catch((error: Error) => void faults.push(error.message))),
  );
  return {
    purchases,
    faults,
    /** Stops each buyer after its current order. */
    async stop() {
      isOn = false;
      await ended;
    },
  };
}

function hiddenFields(html: string): { checkoutKey: string; seen: string } | undefined {
  const field = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? "";
  const fields = { checkoutKey: field("checkoutKey"), seen: field("seen") };
  return fields.seen ? fields : undefined;
}

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
    const buyers = startBuyers(shop.url, BUYERS);
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
