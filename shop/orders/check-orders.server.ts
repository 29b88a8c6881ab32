/** The books of orders, checked: of all, or each night of those that have changed. */
import { asc, desc, gt, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { check } from "./check.ts";
import { readFactsOf } from "./facts.server.ts";
import { orderDifferences, orders } from "./order.tables.ts";

const PAGE = 500;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

export type Difference = { orderId: string; problems: string[] };

const differencesOf = async (db: Database, orderIds: readonly string[]): Promise<Difference[]> =>
  (await readFactsOf(db, orderIds))
    .map((facts) => ({ orderId: facts.order.id, problems: check(facts) }))
    .filter(({ problems }) => problems.length > 0);

/** Checks every order and returns those whose books do not add up, with the number of orders. */
export async function checkOrders(db: Database): Promise<{ orders: number; differences: Difference[] }> {
  const differences: Difference[] = [];
  let checked = 0;
  for (let after = BEFORE_ALL; ;) {
    const page = await db
      .select({ id: orders.id })
      .from(orders)
      .where(gt(orders.id, after))
      .orderBy(orders.id)
      .limit(PAGE);
    const ids = page.map(({ id }) => id);
    if (ids.length > 0) differences.push(...(await differencesOf(db, ids)));
    checked += ids.length;
    if (ids.length < PAGE) return { orders: checked, differences };
    after = ids.at(-1)!;
  }
}

/**
 * Checks the orders that changed in the last two days, so that the next night makes up for one that was missed, and those that
 * did not add up. Keeps the differences for Today, and returns them.
 */
export async function checkChanged(db: Database): Promise<Difference[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT id FROM ${orders} WHERE ${orders.changedAt} > now() - interval '2 days'
    UNION SELECT ${orderDifferences.orderId} FROM ${orderDifferences}`);
  const found: Difference[] = [];
  for (let first = 0; first < rows.length; first += PAGE)
    found.push(
      ...(await checkPage(
        db,
        rows.slice(first, first + PAGE).map(({ id }) => id),
      )),
    );
  return found;
}

async function checkPage(db: Database, ids: readonly string[]): Promise<Difference[]> {
  const differences = await differencesOf(db, ids);
  const wrong = differences.map(({ orderId }) => orderId);
  const right = ids.filter((id) => !wrong.includes(id));
  await db.delete(orderDifferences).where(inArray(orderDifferences.orderId, right));
  if (differences.length > 0)
    await db
      .insert(orderDifferences)
      .values(differences)
      .onConflictDoUpdate({ target: orderDifferences.orderId, set: { problems: sql`excluded.problems` } });
  return differences;
}

/** Orders whose books did not add up last night, the latest found first. */
export const listDifferences = (db: Database, limit: number) =>
  db
    .select()
    .from(orderDifferences)
    .orderBy(desc(orderDifferences.foundAt), asc(orderDifferences.orderId))
    .limit(limit);
