import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { ORDER_NOTES, ORDER_TRANSITIONS, STAGES, statusOf, type OrderStatus } from "./lifecycle.ts";

const shop = useFreshDatabase(5);
const run = (text: string, values: unknown[] = []) => shop.pool.query(text, values);

const insertOrder = `INSERT INTO orders (id, checkout_key, stage, subtotal, shipping, tax, total, email, phone, shipping_first_name,
    shipping_last_name, shipping_address_line1, shipping_city, shipping_state, shipping_postal_code, shipping_method,
    ship_by, terms_version)
  VALUES ($1, gen_random_uuid(), $2, 1900, 999, 0, 2899, '', '', '', '', '', 'New York', 'NY', '', 'standard', '2027-03-04', '2025-01-01')`;

async function orderAt(stage: string): Promise<string> {
  const id = randomUUID();
  await run(insertOrder.replace("(id,", "(hold_until, id,").replace("($1,", "(now(), $1,"), [id, stage]);
  return id;
}

/** True if PostgreSQL accepts a statement, false on a constraint violation. */
const happens = (promise: Promise<unknown>) =>
  promise.then(
    () => true,
    (error: { code?: string }) => {
      expect(error.code).toBe("23514");
      return false;
    },
  );

const steps = STAGES.flatMap((from) => STAGES.map((to) => ({ from, to })));
const isInTable = (from: OrderStatus | null, to: OrderStatus) =>
  ORDER_TRANSITIONS.some((transition) => transition.from === from && transition.to === to);

describe("the database", () => {
  it("accepts only the stages of the lifecycle, and has the word for each", async () => {
    for (const stage of STAGES) {
      const { rows } = await run("SELECT status FROM orders WHERE id = $1", [await orderAt(stage)]);
      expect([stage, rows]).toEqual([stage, [{ status: statusOf(stage) }]]);
    }
    for (const stage of ["cancelled", "Shipped", "unknown", "", "processing"])
      expect([stage, await happens(orderAt(stage))]).toEqual([stage, false]);
  });

  it("refuses an unpaid order without an end of its reservation", async () => {
    expect(await happens(run(insertOrder, [randomUUID(), "unpaid"]))).toBe(false);
  });

  it.each(steps)("allows $from to $to only if the lifecycle does", async ({ from, to }) => {
    const id = await orderAt(from);
    const went = await happens(run("UPDATE orders SET stage = $2 WHERE id = $1", [id, to]));
    const [is, will] = [statusOf(from), statusOf(to)];
    expect(went).toBe(is === will || isInTable(is, will));
    const { rows } = await run("SELECT stage FROM orders WHERE id = $1", [id]);
    expect(rows).toEqual([{ stage: went ? to : from }]);
  });

  it("accepts only the events and actors of the lifecycle", async () => {
    const id = await orderAt("to-ship");
    const insert =
      "INSERT INTO order_events (order_id, type, from_status, to_status, actor) VALUES ($1, $2, $3, $4, $5)";
    for (const { event, from, to, by } of ORDER_TRANSITIONS) {
      for (const actor of by)
        expect([event, await happens(run(insert, [id, event, from, to, actor]))]).toEqual([event, true]);
    }
    for (const { event, in: statuses, by } of ORDER_NOTES) {
      for (const actor of by)
        expect([event, await happens(run(insert, [id, event, statuses[0], statuses[0], actor]))]).toEqual([
          event,
          true,
        ]);
    }
    expect(await happens(run(insert, [id, "placed", null, "processing", "stranger"]))).toBe(false);
    expect(await happens(run(insert, [id, "cancelled", "processing", "canceled", "staff"]))).toBe(false);
  });

  it("never changes an event, nor deletes it without its order", async () => {
    const id = await orderAt("to-ship");
    await run(
      "INSERT INTO order_events (order_id, type, to_status, actor) VALUES ($1, 'placed', 'processing', 'guest')",
      [id],
    );
    await expect(run("UPDATE order_events SET actor = 'staff' WHERE order_id = $1", [id])).rejects.toThrow(
      "append-only",
    );
    await expect(run("DELETE FROM order_events WHERE order_id = $1", [id])).rejects.toThrow("append-only");
    const events = () => run("SELECT actor FROM order_events WHERE order_id = $1", [id]);
    expect((await events()).rows).toEqual([{ actor: "guest" }]);
    await run("DELETE FROM orders WHERE id = $1", [id]);
    expect((await events()).rows).toEqual([]);
  });
});
