/** Stock that changes by hand, each time with its reason. What a sale takes and an end gives back is in stock.sql.ts. */
import { desc, eq, sql, type SQL } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "../../db/connection.server.ts";
import { users } from "../accounts/account.tables.ts";
import { writeAudit, type Acting } from "../staff/audit.server.ts";
import type { MoveReason } from "./move-reasons.ts";
import { lockStock } from "./stock.sql.ts";
import { stock, stockMoves } from "./stock.tables.ts";

/** How stock is changed: by so many units, or to what was counted on the shelf. */
export type Move = { productId: string; reason: MoveReason; note: string | null; formKey: string } & (
  | { delta: number }
  | { counted: number }
);

export type MoveResult =
  | { ok: true; delta: number; units: number }
  | { ok: false; reason: "not-found" }
  /** There are only `units`, and the move would take more. `unsent` of those on the shelf are sold. */
  | { ok: false; reason: "below-zero"; units: number; unsent: number };

async function write(
  tx: DatabaseOrTransaction,
  move: {
    productId: string;
    delta: number;
    reason: MoveReason;
    note: string | null;
    staffId: string | null;
    formKey?: string;
  },
): Promise<void> {
  await tx
    .update(stock)
    .set({ inventoryCount: sql`${stock.inventoryCount} + ${move.delta}` })
    .where(eq(stock.productId, move.productId));
  await tx.insert(stockMoves).values(move);
}

const locked = async (tx: DatabaseOrTransaction, productId: string) =>
  (await tx.execute<{ inventory_count: number }>(lockStock(sql`SELECT ${productId}::uuid`))).rows[0]?.inventory_count;

/**
 * Moves units of one product, with its audit row. A count is of the shelf, where units that are sold and not yet sent lie
 * too: `unsent` selects how many those are. Both are read while no order can take any, so that one that was taken between
 * the counting and this is counted once. Never goes below zero.
 */
export async function moveStock(db: Database, by: Acting, move: Move, unsent: SQL): Promise<MoveResult> {
  const { productId, reason, note, formKey } = move;
  return transaction(db, async (tx): Promise<MoveResult> => {
    const was = await locked(tx, productId);
    if (was === undefined) return { ok: false, reason: "not-found" };
    const [done] = await tx.select().from(stockMoves).where(eq(stockMoves.formKey, formKey));
    if (done) return { ok: true, delta: done.delta, units: was };
    const { rows } = await tx.execute<{ units: number }>(sql`SELECT (${unsent})::int AS units`);
    const sold = rows[0]?.units ?? 0;
    const delta = "delta" in move ? move.delta : move.counted - sold - was;
    if (was + delta < 0) return { ok: false, reason: "below-zero", units: was, unsent: sold };
    await write(tx, { productId, delta, reason, note, staffId: by.staffId, formKey });
    await writeAudit(tx, by, {
      action: "stock.move",
      subject: `product:${productId}`,
      before: { units: was },
      after: { units: was + delta, reason, note },
    });
    return { ok: true, delta, units: was + delta };
  });
}

/** Counts the units of a product that is new, or whose stock nobody has kept before: the move from which its sum begins. */
export async function setStock(db: DatabaseOrTransaction, productId: string, units: number): Promise<boolean> {
  const was = await locked(db, productId);
  if (was === undefined) return false;
  await write(db, { productId, delta: units - was, reason: "counted", note: "Opening stock", staffId: null });
  return true;
}

const MOVES_SHOWN = 50;

export type ShownMove = typeof stockMoves.$inferSelect & { by: string | null };

/** The last moves of a product, the newest first. */
export async function listStockMoves(db: Database, productId: string): Promise<ShownMove[]> {
  const rows = await db
    .select({ move: stockMoves, by: users.name })
    .from(stockMoves)
    .leftJoin(users, eq(users.id, stockMoves.staffId))
    .where(eq(stockMoves.productId, productId))
    .orderBy(desc(stockMoves.id))
    .limit(MOVES_SHOWN);
  return rows.map(({ move, by }) => ({ ...move, by }));
}
