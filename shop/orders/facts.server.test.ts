import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { transaction } from "#db/connection.server.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { ORDER_STEPS } from "#tests/support/order-steps.ts";
import { at, type World } from "#tests/support/order-world.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { daysAfter } from "#shop/new-york-time.ts";
import { check } from "./check.ts";
import { readFacts } from "./facts.server.ts";
import type { DecidedBy } from "./change.ts";
import type { Facts } from "./facts.ts";
import { follow } from "./follow.ts";
import { orderState } from "./state.ts";
import { writeChange } from "./write-change.server.ts";

const shop = useFreshDatabase();
// Reconciliation writes what a provider says of its payments as it reads it.
const NAMES = Object.keys(ORDER_STEPS).filter((name) => !["dispute", "new-card"].includes(name));

/** Facts without what is written elsewhere: the dispute of a payment, and when an order was confirmed. */
const written = ({ order: { confirmedAt: _confirmed, stored: _stored, ...order }, ...facts }: Facts) => ({
  ...facts,
  order,
  payments: facts.payments.map(({ dispute: _disputed, ...payment }) => payment),
});
const sorted = (facts: Facts) =>
  Object.entries(written(facts)).map(([name, rows]) => [
    name,
    Array.isArray(rows) ? rows.map((row) => JSON.stringify(row, Object.keys(row).toSorted())).toSorted() : rows,
  ]);

async function begin(mode: "page" | "setup"): Promise<World> {
  const { id } = await placedOrder(shop.db, { "charging-dock": 2, "travel-sleeve": 1 }, { status: "unpaid" });
  await shop.pool.query("UPDATE order_units SET tax = 331 WHERE order_id = $1", [id]);
  await shop.pool.query("UPDATE orders SET tax = 993, total = total + 993, tax_reference = id WHERE id = $1", [id]);
  await shop.pool.query(
    `INSERT INTO payments (order_id, kind, provider, reference, state, amount) SELECT id, $2, 'stripe', id::text, 'open', total
     FROM orders WHERE id = $1`,
    [id, mode],
  );
  await shop.pool.query("UPDATE orders SET promised_at = '2027-01-04', ship_by = '2027-01-07' WHERE id = $1", [id]);
  await shop.pool.query("UPDATE stock SET inventory_count = 10000");
  return {
    facts: (await readFacts(shop.db, id))!,
    change: {},
    returns: [],
    stock: {},
    day: "2027-01-04",
    hour: 12,
    ids: 0,
    history: [],
  };
}

/** As reconciliation writes them. */
const keepCards = ({ payments }: Facts) =>
  shop.pool.query("UPDATE payments SET saved_customer = 'a', saved_method = 'b' WHERE id = ANY ($1::uuid[])", [
    payments.filter(({ hasCard }) => hasCard).map(({ id }) => id),
  ]);

test("reads an order by indexes alone", async () => {
  const plan = await transaction(shop.db, async (tx) => {
    await tx.execute("SET LOCAL enable_seqscan = off");
    await readFacts(tx, randomUUID());
    const { rows } = await tx.execute<{ "QUERY PLAN": string }>(`EXPLAIN EXECUTE facts_of_order('${randomUUID()}')`);
    return rows.map((row) => row["QUERY PLAN"]);
  });
  const scans = plan.filter((line) => /(Seq|Index|Only) Scan/.test(line));
  expect(scans.length).toBeGreaterThan(10);
  expect(plan.filter((line) => line.includes("Index Cond"))).toHaveLength(scans.length);
});

const number = fc.nat({ max: 9_999 });
const step = fc.tuple(fc.nat({ max: NAMES.length + 1 }), number, number, number);

test("what is written is what was decided, and the books add up", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("page", "setup"),
      fc.array(step, { minLength: 30, maxLength: 60, size: "max" }),
      async (mode, steps) => {
        let world = await begin(mode);
        for (const [kind, ...numbers] of [[NAMES.indexOf("pay"), 0, 0, 0] as const, ...steps]) {
          const name = NAMES[kind];
          if (!name) {
            world = { ...world, day: daysAfter(world.day, 2) };
            continue;
          }
          const act: DecidedBy = {
            at: new Date(at(world.day).getTime() + world.ids),
            today: world.day,
            by: "staff",
            shipBy: () => world.day,
            newId: randomUUID,
          };
          const state = orderState(world.facts);
          const decision = ORDER_STEPS[name]!(state, world, act, [...numbers]);
          if (!decision?.ok || Object.keys(decision.change).length === 0) continue;
          const change = follow(state, decision.change, act);
          const facts = await transaction(shop.db, (tx) => writeChange(tx, world.facts, change, act));
          await keepCards(facts);
          const { id } = facts.order;
          const read = (await readFacts(shop.db, id))!;
          expect([name, sorted(read)]).toEqual([name, sorted(facts)]);
          expect([name, check(read)]).toEqual([name, []]);
          world = { ...world, facts, ids: world.ids + 1 };
        }
      },
    ),
    { numRuns: Number(process.env.MODEL_RUNS ?? 12), ...(!process.env.MODEL_RUNS && { seed: 44 }) },
  );
}, 300_000);
