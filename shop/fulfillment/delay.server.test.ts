import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase, type Database } from "#db/connection.server.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { emailShop } from "#tests/support/outbox.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { ROUNDS } from "#tests/support/rounds.ts";
import { aParcel } from "#tests/support/staff.ts";
import { setUnits, unitsOf } from "#tests/support/stock.ts";
import { clock, setClockOffset } from "#shop/clock.ts";
import { emails } from "#shop/emails.server.ts";
import type { Email, EmailJob } from "#shop/mail/email.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { reconcileOrder } from "#shop/payments/reconcile.server.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import { dayText } from "#shop/policy-text.ts";
import { acceptDelay, carryOutDelays, delayOrder } from "./delay.server.ts";
import { cancelByBuyer } from "./fulfill.server.ts";
import { listOrderPage } from "./order-list.server.ts";
import { recordPayment } from "./record-payment.server.ts";
import { recordSent, refundOrder } from "./refund.server.ts";
import { shipOrder } from "./ship.server.ts";

const shop = useFreshDatabase();
let bank: MemoryProvider;
let numbers = 7000;
const reported: unknown[] = [];

beforeEach(async () => {
  bank = new MemoryProvider();
  reported.length = 0;
  await shop.pool.query("TRUNCATE orders CASCADE");
  await shop.pool.query("DELETE FROM pgboss.job");
  for (const slug of ["charging-dock", "travel-sleeve"]) await setUnits(shop.pool, slug, 50);
});
afterEach(() => expect(reported).toEqual([]));

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await shop.pool.query<Row>(text, values)).rows;
const set = (id: string, columns: string) => query(`UPDATE orders SET ${columns} WHERE id = $1`, [id]);
const today = () => newYorkDay(clock.now());
const inDays = (days: number) => daysAfter(today(), days);
const run = (db: Database = shop.db) => carryOutDelays(db, (error) => reported.push(error));

async function stateOf(id: string) {
  const [order] = await query<{ status: string; shipBy: string | null; answerBy: string | null }>(
    `SELECT status, ship_by::text AS "shipBy", answer_by::text AS "answerBy" FROM orders WHERE id = $1`,
    [id],
  );
  return order!;
}
const eventsOf = (id: string) =>
  query<{ type: string; actor: string; data: Record<string, unknown> | null }>(
    "SELECT type, actor, data FROM order_events WHERE order_id = $1 ORDER BY id",
    [id],
  );
const stepsOf = async (id: string) => (await eventsOf(id)).map(({ type, actor }) => `${type} by ${actor}`);
const jobsOf = async (id: string) =>
  (
    await query<{ data: EmailJob }>(
      "SELECT data FROM pgboss.job WHERE name = 'mail' AND data->>'orderId' = $1 ORDER BY created_on, id",
      [id],
    )
  ).map(({ data }) => data);
const mailsOf = async (id: string) => (await jobsOf(id)).map(({ template }) => template);
async function lastMail(id: string): Promise<Email> {
  const job = (await jobsOf(id)).at(-1)!;
  return (await emails[job.template].write(shop.db, job as never, emailShop))!;
}
const moneyOf = (id: string) =>
  query<{ kind: string; amount: number }>(
    `SELECT payment_actions.kind, payment_actions.amount FROM payment_actions JOIN payments ON payments.id = payment_id
     WHERE order_id = $1 AND payment_actions.kind <> 'capture' ORDER BY payment_actions.created_at`,
    [id],
  );

/** Two docks and a sleeve at $40, authorized. */
async function order() {
  const placed = await placedOrder(shop.db, { "charging-dock": 2, "travel-sleeve": 1 }, { isAuthorized: true });
  bank.authorize(placed.reference, placed.totalCents);
  return placed;
}
async function partial() {
  const placed = await order();
  const dock = placed.lines["charging-dock"]!;
  await shipOrder(shop.db, bank.providers, placed.id, aParcel(++numbers, { [dock]: 1 }), null);
  return placed;
}
async function refundAll() {
  const asked = await query<{ id: string }>("SELECT id FROM payment_actions WHERE state IN ('asked', 'sent')");
  for (const { id } of asked) await runAction(shop.db, bank.providers, id);
}

describe("the notice", () => {
  it.each([
    ["of a first delay", inDays(22), null, "You don’t need to do anything to keep your order"],
    ["of a long one", inDays(33), inDays(32), `Please tell us by ${dayText(inDays(32))} if you’ll wait.`],
    ["of an unknown day", null, inDays(32), `We meant to ship it by ${dayText(inDays(2))}.`],
  ])("%s says what silence means", async (_name, until, answerBy, words) => {
    const { id } = await order();
    expect(await delayOrder(shop.db, id, until, null, { reason: "supplier" })).toEqual({ ok: true, repeated: false });
    expect(await delayOrder(shop.db, id, until, null)).toEqual({ ok: true, repeated: true });
    expect(await stateOf(id)).toEqual({ status: "processing", shipBy: until, answerBy });
    expect((await eventsOf(id)).map(({ data }) => data)).toEqual([
      { from: inDays(2), until, answerBy, reason: "supplier" },
    ]);
    const { text } = await lastMail(id);
    expect(text).toContain(words);
    for (const always of [
      "Our supplier is late.",
      "anytime before it ships",
      "Keep my order: ",
      "&intent=keep",
      "Cancel my order: ",
      "&intent=cancel",
    ])
      expect(text).toContain(always);
    expect(text.includes("we’ll cancel your order for you")).toBe(answerBy !== null);
  });

  it("of the rest says what is paid back", async () => {
    const { id } = await partial();
    await delayOrder(shop.db, id, null, null);
    const { text, subject } = await lastMail(id);
    expect(subject).toContain("The rest of your Polara order");
    expect(text).toContain("we’ll cancel the rest for you and refund you");
    expect(text).toContain("for a full refund of what you paid for it");
  });
});

const LATE = "(now() AT TIME ZONE 'America/New_York' - interval '18 hours')::date";

it.each([
  ["that buyers and staff read gets the notice once", `ship_by = ${LATE}`, true],
  ["of tomorrow does not", `ship_by = ${LATE} + 1`, false],
  ["of a disputed order waits for staff", `ship_by = ${LATE}, attention = '{disputed}'`, false],
  ["of what has shipped does not", `ship_by = ${LATE}, stage = 'shipped'`, false],
])("on the promised day, by itself, the day %s", async (_name, columns, isSent) => {
  const { id } = await order();
  await set(id, columns);
  await Promise.all([run(), run()]);
  await run();
  expect(await mailsOf(id)).toEqual(isSent ? ["order-delayed"] : []);
  expect(await stepsOf(id)).toEqual(isSent ? ["delayed by system"] : []);
  if (isSent) expect(await stateOf(id)).toMatchObject({ shipBy: null });
});

describe("without a yes in time", () => {
  /** The last day to answer is past, or `day`. */
  const unanswered = async ({ id }: { id: string }, day = inDays(-1)) => {
    await delayOrder(shop.db, id, null, null);
    await query("UPDATE delay_notices SET answer_by = $2 WHERE order_id = $1", [id, day]);
    await set(id, `answer_by = '${day}'`);
  };

  it("the order is canceled once: stock and money return, and the email says why", async () => {
    const placed = await order();
    const { id } = placed;
    await unanswered(placed);
    await Promise.all([run(), run(), run()]);
    await run();
    expect(await stepsOf(id)).toEqual(["delayed by staff", "canceled by system"]);
    expect(await mailsOf(id)).toEqual(["order-delayed", "order-canceled"]);
    expect((await lastMail(id)).text).toContain("didn’t hear that you’d wait");
    expect(await unitsOf(shop.pool, "charging-dock")).toBe(52);
    expect(await moneyOf(id)).toEqual([{ kind: "void", amount: 0 }]);
  });

  it("the rest of an arranged payment is for staff to send back, to the last cent of its tax", async () => {
    const { id, lines, totalCents } = await placedOrder(shop.db, { "charging-dock": 2 });
    await query("DELETE FROM payments WHERE order_id = $1", [id]);
    await query("UPDATE orders SET tax = 801, total = total + 801 WHERE id = $1", [id]);
    await query("UPDATE order_items SET tax = 801 WHERE order_id = $1", [id]);
    await query("UPDATE order_units SET tax = 402 - number WHERE order_id = $1", [id]);
    await recordPayment(shop.db, id, { how: "check", reference: "1042", cents: totalCents + 8_01 }, null);
    await shipOrder(shop.db, null, id, aParcel(++numbers, { [lines["charging-dock"]!]: 1 }), null);
    await unanswered({ id });
    const due = async () => (await listOrderPage(shop.db, { view: "refund-due" })).orders.map((each) => each.id);
    expect(await due()).toEqual([]);
    await run();
    expect([await moneyOf(id), await due()]).toEqual([[], [id]]);
    expect((await lastMail(id)).text).toContain("We’ll refund the $44.00");
    const [refund] = await query<{ id: string }>("SELECT id FROM refunds WHERE order_id = $1", [id]);
    const by = { staffId: randomUUID(), role: "owner", address: "203.0.113.9", requestId: null } as const;
    expect(await recordSent(shop.db, id, { refundId: refund!.id, cents: 44_00 }, by)).toMatchObject({ ok: true });
    expect(await due()).toEqual([]);
  });

  it("a yes and the end of the time at once: one wins", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const placed = await order();
      await unanswered(placed);
      const acts = [() => acceptDelay(shop.db, placed.id, null, "guest"), () => run()];
      await Promise.all((round % 2 ? acts : acts.toReversed()).map((act) => act()));
      const { status, answerBy } = await stateOf(placed.id);
      const steps = (await stepsOf(placed.id)).slice(1);
      expect(steps).toEqual(status === "canceled" ? ["canceled by system"] : ["delay-accepted by guest"]);
      if (status === "processing") expect(answerBy).toBeNull();
    }
  });

  it("a process that dies in the middle leaves all or nothing to the next", async () => {
    const placed = await order();
    await unanswered(placed);
    const blocker = await shop.pool.connect();
    await blocker.query("BEGIN; SELECT FROM stock FOR UPDATE");
    const { db: dying, pool } = openDatabase(shop.url, 1, null);
    const failures: unknown[] = [];
    const died = carryOutDelays(dying, (error) => failures.push(error)).catch((error: unknown) => failures.push(error));
    await expect
      .poll(async () => {
        const { rows } = await shop.pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        );
        return rows.length;
      })
      .toBe(1);
    await died;
    await blocker.query("ROLLBACK");
    blocker.release();
    await pool.end();
    expect(failures.length).toBeGreaterThan(0);
    expect([await stepsOf(placed.id), await moneyOf(placed.id)]).toEqual([["delayed by staff"], []]);
    await run();
    expect(await stepsOf(placed.id)).toEqual(["delayed by staff", "canceled by system"]);
    expect(await mailsOf(placed.id)).toEqual(["order-delayed", "order-canceled"]);
    expect(await unitsOf(shop.pool, "charging-dock")).toBe(52);
  });

  it("an order that fails is reported, and stops no other", async () => {
    const [broken, fine] = [await order(), await order()];
    for (const placed of [broken, fine]) await unanswered(placed);
    await set(broken.id, "answer_by = '2026-01-12'");
    await query(`CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$`);
    await query(`CREATE TRIGGER fails BEFORE UPDATE OF status ON orders FOR EACH ROW WHEN (NEW.id = '${broken.id}')
      EXECUTE FUNCTION fails()`);
    await run();
    await query("DROP FUNCTION fails CASCADE");
    expect(reported.splice(0)).toHaveLength(1);
    expect([(await stateOf(broken.id)).status, (await stateOf(fine.id)).status]).toEqual(["processing", "canceled"]);
    await run();
    expect((await stateOf(broken.id)).status).toBe("canceled");
  });
});

describe("the buyer", () => {
  it("cancels the rest of a delayed order once, and only of a delayed one", async () => {
    const { id } = await partial();
    expect(await cancelByBuyer(shop.db, id, "guest")).toMatchObject({ ok: false, reason: "too-late" });
    await delayOrder(shop.db, id, inDays(40), null);
    const both = await Promise.all([cancelByBuyer(shop.db, id, "guest"), cancelByBuyer(shop.db, id, "guest")]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    const before = bank.sum();
    await refundAll();
    expect(before - bank.sum()).toBe(80_00);
    expect((await mailsOf(id)).filter((template) => template === "order-changed")).toHaveLength(1);
    expect(await stepsOf(id)).toEqual([
      "shipped by staff",
      "delayed by staff",
      "line-canceled by guest",
      "line-canceled by guest",
      "refunded by system",
    ]);
  });

  it.each([
    ["is under way", "silent"],
    ["is done, and its outcome not recorded yet", "lost"],
  ] as const)("is refunded all that is left while a refund by staff %s", async (_state, fault) => {
    const { id } = await partial();
    await delayOrder(shop.db, id, inDays(40), null);
    bank.faults = [fault];
    const refund = { cents: 60_00, reason: "late" } as const;
    expect(await refundOrder(shop.db, bank.providers, id, refund, null)).toEqual({ ok: true, state: "waiting" });
    // Its webhook came before the jobs ask again.
    await reconcileOrder(shop.db, bank.providers, id);
    expect(await cancelByBuyer(shop.db, id, "guest")).toMatchObject({ ok: true });
    expect((await lastMail(id)).text).toContain("We’ll refund the $60.00");
    await refundAll();
    expect(bank.sum()).toBe(0);
  });
});

describe("a New York day", () => {
  afterEach(() => setClockOffset(0));

  const at = async (time: string) => {
    const offset = Date.parse(time) - Date.now();
    setClockOffset(offset);
    const { db, pool } = openDatabase(shop.url, 2, null, offset);
    await run(db).finally(() => pool.end());
  };

  it.each([
    ["on the day that loses an hour", "2027-03-14", "2027-03-15T03:59:00Z", "2027-03-15T04:01:00Z"],
    ["on the day that gains an hour", "2027-11-07", "2027-11-08T04:59:00Z", "2027-11-08T05:01:00Z"],
  ])("to answer ends at midnight, %s", async (_name, day, before, after) => {
    const { id } = await order();
    await delayOrder(shop.db, id, null, null);
    await query("UPDATE delay_notices SET answer_by = $2 WHERE order_id = $1", [id, day]);
    await set(id, `answer_by = '${day}'`);
    await at(before);
    expect((await stateOf(id)).status).toBe("processing");
    await at(after);
    expect((await stateOf(id)).status).toBe("canceled");
  });

  it("that is promised is late from 6 PM, and its notice leaves 30 days", async () => {
    const { id } = await order();
    await set(id, "ship_by = '2027-03-14'");
    await at("2027-03-14T21:59:00Z");
    expect(await mailsOf(id)).toEqual([]);
    await at("2027-03-14T22:01:00Z");
    expect(await stateOf(id)).toMatchObject({ shipBy: null, answerBy: "2027-04-13" });
  });
});
