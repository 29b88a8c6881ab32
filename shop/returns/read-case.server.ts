/** Reads a return with the state of its order. */
import { eq } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { orderState } from "#shop/orders/state.ts";
import type { ReturnCase } from "./facts.ts";
import { returns } from "./return.tables.ts";
import { rowColumns } from "./run.server.ts";

/** Null if there is no such return. */
export async function readCase(db: DatabaseOrTransaction, returnId: string): Promise<ReturnCase | null> {
  const [found] = await db
    .select({ row: rowColumns, orderId: returns.orderId })
    .from(returns)
    .where(eq(returns.id, returnId));
  const facts = found && (await readFacts(db, found.orderId));
  return facts ? { row: found.row, order: orderState(facts) } : null;
}
