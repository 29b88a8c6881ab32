import { expect, test } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { ship } from "./actions/ship.ts";
import { checkChanged, checkOrders, listDifferences } from "./check-orders.server.ts";
import { withOrder } from "./run.server.ts";

const shop = useFreshDatabase();

const place = async () => (await placedOrder(shop.db, { "charging-dock": 2 }, { isArranged: true })).id;
/** The provider took another sum than the books say. */
const take = (id: string, cents: number) =>
  shop.pool.query("UPDATE payments SET captured = captured + $2, amount = amount + $2 WHERE order_id = $1", [
    id,
    cents,
  ]);
const age = (ids: string[]) =>
  shop.pool.query("UPDATE orders SET changed_at = now() - interval '3 days' WHERE id = ANY ($1)", [ids]);
const idsOf = (found: { orderId: string }[]) => found.map(({ orderId }) => orderId);

test("each night checks the orders that changed, and keeps what does not add up until it does", async () => {
  const [right, wrong, old] = [await place(), await place(), await place()];
  await take(wrong, 5_00);
  await take(old, 5_00);
  await age([old]);
  expect(await checkChanged(shop.db)).toEqual([
    {
      orderId: wrong,
      problems: [
        "the sum of the paid charges is $89.99 instead of $94.99",
        "what was captured of payment 1 is $89.99 instead of $94.99",
      ],
    },
  ]);
  expect(idsOf((await checkOrders(shop.db)).differences).toSorted()).toEqual([wrong, old].toSorted());

  const parcel = { carrier: "usps", trackingNumber: "9400000000000000000001" };
  expect(await withOrder(shop.db, old, (state, act) => ship(state, parcel, act), { by: "staff" })).toMatchObject({
    ok: true,
  });
  expect(idsOf(await checkChanged(shop.db)).toSorted()).toEqual([wrong, old].toSorted());

  await take(wrong, -5_00);
  await age([right, wrong, old]);
  expect(idsOf(await checkChanged(shop.db))).toEqual([old]);
  expect(idsOf(await listDifferences(shop.db, 10))).toEqual([old]);
});
