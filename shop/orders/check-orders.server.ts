/** The books of all orders, checked. */
import type { Database } from "#db/connection.server.ts";
import { check } from "./check.ts";
import { readFactsAfter } from "./facts.server.ts";

const PAGE = 500;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

export type Difference = { orderId: string; problems: string[] };

/** Checks every order and returns those whose books do not add up, with the number of orders. Reads a page at a time. */
export async function checkOrders(db: Database): Promise<{ orders: number; differences: Difference[] }> {
  const differences: Difference[] = [];
  let orders = 0;
  for (let after = BEFORE_ALL; ;) {
    const page = await readFactsAfter(db, after, PAGE);
    for (const facts of page) {
      const problems = check(facts);
      if (problems.length > 0) differences.push({ orderId: facts.order.id, problems });
    }
    orders += page.length;
    if (page.length < PAGE) return { orders, differences };
    after = page.at(-1)!.order.id;
  }
}
