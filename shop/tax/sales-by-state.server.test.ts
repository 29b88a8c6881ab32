import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { exportTax, listFailedTax, rollUpSalesByState, salesByState } from "./sales-by-state.server.ts";
import { CANCEL_UNITS } from "#tests/support/units.ts";

const database = useFreshDatabase(2);
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(text, values)).rows;

/** Docks at 40 dollars and shipping; `at` is New York time. */
async function sold(state: string, at: string, units = 1, status: "processing" | "canceled" = "processing") {
  const { id } = await placedOrder(database.db, { "charging-dock": units }, { status });
  await query(
    `UPDATE orders SET shipping_state = $2, created_at = $3::timestamp AT TIME ZONE 'America/New_York' WHERE id = $1`,
    [id, state, at],
  );
  return id;
}
const recorded = (id: string, kind: string, amount: number, tax: number, at: string, state = "done") =>
  query(
    `WITH charge AS (INSERT INTO charges (id, order_id, state, by) VALUES (gen_random_uuid(), $1, 'paid', 'ship') RETURNING id),
       refund AS (INSERT INTO refunds (id, order_id, reason, asked_by) SELECT gen_random_uuid(), $1, 'damaged', 'staff'
         WHERE $2 = 'reverse' RETURNING id)
     INSERT INTO tax_records (order_id, kind, charge_id, refund_id, parts, address, amount, tax, state, problem, created_at)
     SELECT $1, $2, charge.id, refund.id, '[]', '{"state":"TX"}', $3, $4, $5, CASE $5 WHEN 'failed' THEN 'refused' END,
       $6::timestamp AT TIME ZONE 'America/New_York' FROM charge LEFT JOIN refund ON true`,
    [id, kind, amount, tax, state, at],
  );

const YEAR = { from: "2024-01-01", to: "2024-12-31" };
const NEXT_YEAR = { from: "2025-01-01", to: "2025-12-31" };

it("sums the New York days of a period by state: what was kept, and what was recorded there less what was reversed", async () => {
  const first = await sold("TX", "2024-01-01 00:00");
  const [line] = await query<{ id: string }>("SELECT id FROM order_items WHERE order_id = $1", [
    await sold("TX", "2024-12-31 23:59", 2),
  ]);
  await query(CANCEL_UNITS, [[line!.id], 1]);
  await sold("TX", "2023-12-31 23:59");
  await sold("TX", "2025-01-01 00:00");
  await sold("TX", "2024-06-01 12:00", 1, "canceled");
  await sold("CA", "2024-06-01 12:00", 3);
  await recorded(first, "record", 49_99, 4_12, "2024-01-02 12:00");
  await recorded(first, "reverse", 10_00, 83, "2024-02-01 12:00");
  await recorded(first, "reverse", 10_00, 82, "2025-01-01 00:00");
  await recorded(first, "reverse", 5_00, 41, "2024-03-01 12:00", "failed");
  await query("UPDATE orders SET shipping_state = 'NM' WHERE id = $1", [first]);
  expect(await salesByState(database.db, YEAR)).toEqual([
    { state: "CA", orders: 1, salesCents: 120_00, recordedCents: 0, taxCents: 0 },
    { state: "NM", orders: 1, salesCents: 49_99, recordedCents: 0, taxCents: 0 },
    { state: "TX", orders: 1, salesCents: 49_99, recordedCents: 39_99, taxCents: 3_29 },
  ]);
  expect(await listFailedTax(database.db)).toMatchObject([{ orderId: first, kind: "reverse", problem: "refused" }]);
});

it("counts no shipping once only what cost nothing is kept", async () => {
  const id = await sold("WA", "2022-06-01 12:00", 2);
  await query("UPDATE order_units SET price = 0 WHERE order_id = $1 AND number = 1", [id]);
  await query("UPDATE order_units SET canceled_at = now(), canceled_by = 'staff' WHERE order_id = $1 AND number = 2", [
    id,
  ]);
  expect(await salesByState(database.db, { from: "2022-01-01", to: "2022-12-31" })).toMatchObject([{ salesCents: 0 }]);
});

it("exports them as numbers of dollars, negative ones too, and audits it first", async () => {
  const by = { staffId: randomUUID(), role: "manager", address: "127.0.0.1", requestId: null } as const;
  const rows = [];
  for await (const row of exportTax(database.db, NEXT_YEAR, by)) rows.push(row);
  expect(rows).toEqual([
    {
      From: NEXT_YEAR.from,
      To: NEXT_YEAR.to,
      State: "Texas",
      Orders: 1,
      "Sales before tax": 49.99,
      "Recorded sales": -10,
      "Recorded tax": -0.82,
    },
  ]);
  expect(await query("SELECT action, after FROM audit_log WHERE staff_id = $1", [by.staffId])).toEqual([
    { action: "tax.export", after: NEXT_YEAR },
  ]);
});

it("sums each day once, and shows what has changed in it from the next day", async () => {
  const today = newYorkDay(new Date());
  const yesterday = daysAfter(today, -1);
  const ordersOf = async (from: string) =>
    Object.fromEntries(
      (await salesByState(database.db, { from, to: today })).map(({ state, orders }) => [state, orders]),
    );
  await sold("WA", `${yesterday} 12:00`);
  await sold("OR", `${today} 00:00`);
  expect(await ordersOf(yesterday)).toEqual({ OR: 1, WA: 1 });
  const year = await salesByState(database.db, YEAR);
  await rollUpSalesByState(database.db);
  expect(await salesByState(database.db, YEAR)).toEqual(year);
  await query("UPDATE orders SET stage = 'canceled' WHERE shipping_state IN ('OR', 'WA')");
  await sold("NV", `${today} 00:00`);
  expect(await ordersOf(yesterday)).toEqual({ NV: 1, WA: 1 });
  expect(await ordersOf(today)).toEqual({ NV: 1 });
  await rollUpSalesByState(database.db);
  expect(await ordersOf(yesterday)).toEqual({ NV: 1 });
});
