/** What staff ask of a shop of a million orders: each list's first and hundredth page, each filter, search, Today, and sums. */
import type { Pool } from "pg";
import { openDatabase, type Database } from "../db/connection.server.ts";
import { listUnmatchedEvents } from "../shop/fulfillment/desk.server.ts";
import { countOrders, listOrderPage, type OrderFilter } from "../shop/fulfillment/order-list.server.ts";
import { VIEW_NAMES, VIEWS } from "../shop/fulfillment/views.ts";
import { listLowStock } from "../shop/inventory/low-stock.server.ts";
import { listFailedEmails } from "../shop/mail/failed.server.ts";
import { runningOut, sumsByCampaign, sumsByDay, unitsByProduct } from "../shop/numbers/numbers.server.ts";
import { ORDER_STATUSES, PAYMENT_STATUSES } from "../shop/orders/lifecycle.ts";
import { countMessages, listMessages } from "../shop/support/thread/list-messages.server.ts";
import { placesByCampaign } from "../shop/waitlist/desk-list.server.ts";
import { countInvitable } from "../shop/waitlist/invitations.server.ts";
import { freshDatabase, type Bench } from "./databases.ts";
import { fillDesk } from "./large-desk.ts";
import { heading, median, round, type Row } from "./report.ts";

const ROUNDS = 5;
const LIST_MS = 50;
const TODAY_MS = 100;
/** Where the hundredth page begins. */
const BEFORE = 99 * 50;

async function timed(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  await run();
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** How many pages of 8 kB PostgreSQL looks at for it. */
async function buffersOf(pool: Pool, run: () => Promise<unknown>): Promise<number> {
  const seen = async () => {
    await pool.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await pool.query(
      "SELECT blks_hit + blks_read AS seen FROM pg_stat_database WHERE datname = current_database()",
    );
    return Number(rows[0].seen);
  };
  await run();
  const before = await seen();
  await run();
  return (await seen()) - before;
}

async function row(db: Database, what: string, filter: OrderFilter): Promise<Row> {
  const first = await timed(() => listOrderPage(db, filter));
  const counting = await timed(() => countOrders(db, filter));
  const { next } = await listOrderPage(db, filter, null, BEFORE);
  const hundredth = next && (await timed(() => listOrderPage(db, filter, next)));
  const { count, hasMore } = await countOrders(db, filter);
  const ms = (time: number) => `${round(time, 1)} ms`;
  return {
    what,
    figures: [`${count}${hasMore ? "+" : ""}`, ms(counting), ms(first), hundredth ? ms(hundredth) : "none"],
    budget: `≤ ${LIST_MS} ms`,
    holds: Math.max(first, counting, hundredth || 0) <= LIST_MS,
  };
}

export async function office(bench: Bench): Promise<Row[]> {
  const { url, drop } = await freshDatabase(bench);
  await fillDesk(url);
  // One connection: what stands here is what the statements take, one after the other.
  const { db, pool } = openDatabase(url, 1);
  const { rows: popular } = await pool.query<{ id: string }>(
    "SELECT product_id AS id FROM order_items GROUP BY product_id ORDER BY count(*) DESC LIMIT 1",
  );
  const { rows: rare } = await pool.query<{ id: string }>(
    "SELECT product_id AS id FROM order_items GROUP BY product_id ORDER BY count(*) LIMIT 1",
  );
  const { rows: some } = await pool.query<{ id: string; email: string; last: string; first: string }>(
    "SELECT id, email, shipping_last_name AS last, shipping_first_name AS first FROM orders ORDER BY created_at OFFSET 4321 LIMIT 1",
  );
  const order = some[0]!;
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const mails = { searchesEmails: true };
  const filters: [string, OrderFilter][] = [
    ["all orders", {}],
    ...VIEW_NAMES.map((view): [string, OrderFilter] => [`view: ${VIEWS[view].title}`, { view }]),
    ...ORDER_STATUSES.map((status): [string, OrderFilter] => [`status: ${status}`, { status }]),
    ...PAYMENT_STATUSES.map((payment): [string, OrderFilter] => [`payment: ${payment}`, { payment }]),
    ["status and payment", { status: "delivered", payment: "refunded" }],
    ["a month two years ago", { since: day(700), until: day(670) }],
    ["a day, delivered", { since: day(300), until: day(300), status: "delivered" }],
    ["the product that sells most", { productId: popular[0]!.id }],
    ["a product that sells little", { productId: rare[0]!.id }],
    ["the product that sells most, on its way", { productId: popular[0]!.id, status: "shipped" }],
    ["the product that sells most, to ship", { productId: popular[0]!.id, view: "to-ship" }],
    ["a product that sells little, delivered", { productId: rare[0]!.id, status: "delivered" }],
    ["search: a number", { search: order.id.slice(0, 8), ...mails }],
    ["search: an email", { search: order.email, ...mails }],
    ["search: how an email begins", { search: "guest-77", ...mails }],
    ["search: a last name", { search: order.last, ...mails }],
    ["search: first and last name", { search: `${order.first} ${order.last}`, ...mails }],
    ["search: how very many names begin", { search: "ba", ...mails }],
    ["search: how many names begin", { search: "bab", ...mails }],
    ["search: how very many emails begin", { search: "bu", ...mails }],
    ["search: nobody", { search: "zzzz", ...mails }],
    ["search: a last name, delivered", { search: order.last, status: "delivered", ...mails }],
  ];
  const rows = [heading("", "fit", "counting", "first page", "hundredth page")];
  for (const [what, filter] of filters) rows.push(await row(db, what, filter));
  const today = async () => {
    for (const view of VIEW_NAMES) {
      await listOrderPage(db, { view }, null, 5);
      await countOrders(db, { view });
    }
    await listUnmatchedEvents(db);
    await listLowStock(db, 5);
    await listFailedEmails(db, 100);
  };
  const oneOf = async (what: string, run: () => Promise<unknown>, most = LIST_MS): Promise<Row> => {
    const [buffers, ms] = [await buffersOf(pool, run), await timed(run)];
    return {
      what,
      figures: ["", `${buffers} pages`, `${round(ms, 1)} ms`, ""],
      budget: `≤ ${most} ms`,
      holds: ms <= most,
    };
  };
  rows.push(await oneOf("Today, everything of it", today, TODAY_MS));
  for (const days of [28, 365] as const) {
    rows.push(
      await oneOf(`numbers of ${days} days: by day`, () => sumsByDay(db, { days })),
      await oneOf(`numbers of ${days} days: by campaign`, () => sumsByCampaign(db, { days })),
      await oneOf(`numbers of ${days} days: products`, () => unitsByProduct(db, { days })),
    );
  }
  rows.push(
    await oneOf("numbers: what runs out", () => runningOut(db)),
    await oneOf("waitlist by campaign", () => placesByCampaign(db)),
    await oneOf("waitlist: who can be invited", () => countInvitable(db, {})),
  );
  for (const search of ["bowl", "writes-77", "zzzz"]) {
    rows.push(
      await oneOf(`messages with '${search}'`, () => listMessages(db, { status: "open", search })),
      await oneOf(`messages with '${search}', counted`, () => countMessages(db, { status: "open", search })),
    );
  }
  await pool.end();
  await drop();
  return rows;
}
