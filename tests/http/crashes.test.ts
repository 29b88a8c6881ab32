/**
 * The shop and its database die amid orders, and come back with all that was answered.
 *
 * CRASHES=100 lets them die that often (3 times without it): the shop, PostgreSQL, and both at once, in turn.
 * OUTAGE_SECONDS=60 freezes PostgreSQL for so long, then kills it whenever it is back for as long (never without it).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startBuyers, type Purchase } from "../support/buyers.ts";
import { postgresProcesses, postmaster, queryEmbedded } from "../support/embedded.ts";
import { freePort, startShop, type Shop } from "../support/shop.ts";
import { Visitor } from "../support/visitor.ts";

const CRASHES = Number(process.env.CRASHES ?? 3);
const OUTAGE_SECONDS = Number(process.env.OUTAGE_SECONDS ?? 0);
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

/** Nothing is tested here: what has to come is waited for, five minutes at most. */
async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 5 * MINUTES;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await pause(10);
  }
}

/** PostgreSQL's first process, once it is another one than `former`. */
const isReplaced = (former: number) => {
  try {
    return postmaster(folder) !== former;
  } catch {
    return false;
  }
};

/** Returns the milliseconds from the kill until the shop is ready again. */
async function crash(kind: (typeof KINDS)[number]): Promise<number> {
  const leader = postmaster(folder);
  const began = performance.now();
  if (kind !== "the shop") process.kill(leader, "SIGKILL");
  if (kind === "PostgreSQL") {
    await until(async () => isReplaced(leader) && (await isReady()), "PostgreSQL was back");
  } else {
    await shop.kill();
    shop = await start();
  }
  return performance.now() - began;
}

const ORDERS = `
  SELECT left(o.id::text, 8) AS number, o.email,
    (SELECT string_agg(product_id || ':' || quantity || ':' || price, ',' ORDER BY product_id)
     FROM order_items WHERE order_id = o.id) AS seen,
    (SELECT count(*)::int FROM pgboss.job WHERE data->>'orderId' = o.id::text) AS emails
  FROM orders o`;
const sortedLines = (seen: string) => seen.split(",").toSorted().join(",");

/** Every answered order is there with its lines and the job of its email; no order is there twice, and no unit is lost. */
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

/** Whose email is not in the mailbox exactly once. */
const wrongEmails = () =>
  query(
    `SELECT o.email, count(m.id)::int AS emails FROM orders o LEFT JOIN mailbox_messages m ON m."to" = o.email
     GROUP BY o.id HAVING count(m.id) <> 1`,
  );

const inSeconds = (ms: number | undefined) => ((ms ?? NaN) / 1000).toFixed(2);
/** The median and the worst, in seconds. */
function spread(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `${inSeconds(sorted[sorted.length >> 1])} s, at worst ${inSeconds(sorted.at(-1))} s`;
}

it(
  `${CRASHES} crashes amid orders lose nothing that was answered, and double nothing`,
  async () => {
    const buyers = startBuyers(shop.url, BUYERS, "crash");
    const times: Record<string, number[]> = {};
    for (let n = 0; n < CRASHES; n++) {
      const before = buyers.purchases.length;
      await until(() => buyers.purchases.length >= before + ORDERS_BETWEEN, "orders were placed");
      const kind = KINDS[n % KINDS.length] ?? "both";
      const answered = [...buyers.purchases];
      (times[kind] ??= []).push(await crash(kind));
      await checkBooks(answered);
    }
    await buyers.stop();
    await checkBooks(buyers.purchases);
    // What was being sent when its process died is sent again after half a minute: as if that were over.
    await query("UPDATE pgboss.job SET started_on = started_on - interval '30 seconds' WHERE state = 'active'");
    await expect.poll(wrongEmails, { timeout: 5 * MINUTES, interval: 500 }).toEqual([]);
    console.log(
      `${CRASHES} crashes, ${buyers.purchases.length} orders, ${buyers.repeated()} requests asked again. Ready again after:\n` +
        Object.entries(times)
          .map(([kind, all]) => `  ${kind} (${all.length}): ${spread(all)}`)
          .join("\n"),
    );
    expect(buyers.faults).toEqual([]);
    expect(buyers.purchases.length).toBeGreaterThanOrEqual(CRASHES * ORDERS_BETWEEN);
  },
  120 * MINUTES,
);

type Answer = { status: number; retryAfter: number; ms: number };

/** Asks without a pause, each in turn on its own, until told to end. */
function startAsking(asks: (() => Promise<Response>)[]) {
  const answers: Answer[] = [];
  let isOn = true;
  const ended = Promise.all(
    asks.map(async (ask) => {
      while (isOn) {
        const began = performance.now();
        const response = await ask();
        await response.arrayBuffer();
        const retryAfter = Number(response.headers.get("Retry-After"));
        answers.push({ status: response.status, retryAfter, ms: performance.now() - began });
        await pause(20);
      }
    }),
  );
  return {
    async stop() {
      isOn = false;
      await ended;
      return answers;
    },
  };
}

describe.runIf(OUTAGE_SECONDS > 0)(`PostgreSQL away for ${OUTAGE_SECONDS} seconds amid orders`, () => {
  const frozen = async () => {
    const all = postgresProcesses(folder);
    for (const pid of all) process.kill(pid, "SIGSTOP");
    await pause(OUTAGE_SECONDS * 1000);
    for (const pid of all) process.kill(pid, "SIGCONT");
  };
  const killed = async () => {
    const end = performance.now() + OUTAGE_SECONDS * 1000;
    let leader = postmaster(folder);
    process.kill(leader, "SIGKILL");
    while (performance.now() < end) {
      if (isReplaced(leader)) process.kill((leader = postmaster(folder)), "SIGKILL");
      await pause(10);
    }
  };

  it.each([
    ["frozen", frozen],
    ["killed again and again", killed],
  ])(
    "%s: held pages stay, the rest is told to come back, and nothing answered is lost",
    async (how, outage) => {
      const guest = new Visitor(shop.url);
      await guest.add("travel-sleeve", 1);
      const held = ["/", "/shop", "/product/travel-sleeve", "/about"].map((path) => () => fetch(shop.url + path));
      for (const ask of held) await (await ask()).arrayBuffer();
      const buyers = startBuyers(shop.url, BUYERS, how.slice(0, 6));
      await until(() => buyers.purchases.length >= ORDERS_BETWEEN, "orders were placed");
      const answered = [...buyers.purchases];

      const readers = startAsking(held);
      const others = startAsking([
        () => guest.fetch("/cart"),
        () => guest.fetch("/checkout"),
        () => guest.fetch("/personal"),
        () => guest.post("/cart/clear", {}, { Accept: "*/*" }),
      ]);
      await outage();
      const back = performance.now();
      const [ofReaders, ofOthers] = await Promise.all([readers.stop(), others.stop()]);
      await until(isReady, "the database was back");
      const readyAfter = performance.now() - back;
      const placed = buyers.purchases.length;
      await until(() => buyers.purchases.length > placed, "an order was placed");
      const orderAfter = performance.now() - back;
      await buyers.stop();

      const refused = ofOthers.filter(({ status }) => status === 503);
      const tally = (answers: Answer[]) =>
        Object.entries(Object.groupBy(answers, ({ status }) => status)).map(
          ([status, some]) => `${some?.length} × ${status} (${spread((some ?? []).map(({ ms }) => ms))})`,
        );
      console.log(
        `${how} for ${OUTAGE_SECONDS} s: held pages ${tally(ofReaders).join(", ")}; the rest ${tally(ofOthers).join(", ")}; ` +
          `ready after ${inSeconds(readyAfter)} s, an order after ${inSeconds(orderAfter)} s`,
      );
      expect(ofReaders.filter(({ status }) => status !== 200)).toEqual([]);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.filter(({ retryAfter }) => !(retryAfter > 0))).toEqual([]);
      expect(ofOthers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
      expect(buyers.faults).toEqual([]);
      await checkBooks([...answered, ...buyers.purchases]);
    },
    (OUTAGE_SECONDS + 600) * 1000,
  );
});
