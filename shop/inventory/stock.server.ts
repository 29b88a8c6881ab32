/** Stock: the only code that changes it. */
import { asc, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import { type Database, type DatabaseOrTransaction, transaction } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { type Acting, writeAudit } from "#shop/audit/audit.server.ts";
import { openingCatalog } from "#shop/catalog/opening-catalog.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { LOW_STOCK_LIMIT } from "#shop/catalog/stock.ts";
import { clock } from "#shop/clock.ts";
import { columnsOf } from "#db/columns-of.ts";
import type { MoveReason } from "./move-form.ts";
import { stock, stockMoves } from "./stock.tables.ts";

export type Move = { productId: string; reason: MoveReason; note: string | null; formKey: string } & (
  | { delta: number }
  | { counted: number }
);

type MoveResult =
  | { ok: true; delta: number; units: number }
  | { ok: false; reason: "not-found" }
  /** The move would take more than `units`; `unsent` units on the shelf are sold. */
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
    returnId?: string;
  },
): Promise<void> {
  await tx
    .update(stock)
    .set({ inventoryCount: sql`${stock.inventoryCount} + ${move.delta}` })
    .where(eq(stock.productId, move.productId));
  await tx.insert(stockMoves).values(move);
}

/**
 * Moves units of one product and writes an audit row. A count includes units that are sold and not yet sent, which
 * `unsent` selects; both are read under the lock, so that a concurrent order is counted once. Repeating a `formKey`
 * changes nothing. Refusals: 'not-found', 'below-zero'.
 */
export async function moveStock(db: DatabaseOrTransaction, by: Acting, move: Move, unsent: SQL): Promise<MoveResult> {
  const { productId, reason, note, formKey } = move;
  return transaction(db, async (tx): Promise<MoveResult> => {
    const was = (await lockStock(tx, [move])).get(productId);
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

/**
 * Takes the units of `lines`, one per product, all or none, in the caller's transaction. Returns the first product of
 * which there are too few, or null.
 */
export async function takeAll(
  tx: DatabaseOrTransaction,
  lines: readonly { productId: string; quantity: number }[],
): Promise<string | null> {
  const units = await lockStock(tx, lines);
  const short = lines.find(({ productId, quantity }) => (units.get(productId) ?? -1) < quantity);
  if (!short) await tx.execute(takeStock(columnsOf(lines, ["productId", "quantity"])));
  return short?.productId ?? null;
}

/**
 * Moves the units of a parcel or a return: `returned` adds them, `resent` takes them. False, with nothing moved, if there
 * are too few. Products that left the catalog are skipped.
 */
export async function moveUnits(
  tx: DatabaseOrTransaction,
  lines: readonly { productId: string; quantity: number }[],
  reason: "returned" | "resent",
  by: Pick<Acting, "staffId"> | null,
  about: { note?: string; returnId?: string } = {},
): Promise<boolean> {
  const units = await lockStock(tx, lines);
  const known = lines.filter(({ productId }) => units.has(productId));
  if (reason === "resent" && known.some(({ productId, quantity }) => units.get(productId)! < quantity)) return false;
  for (const { productId, quantity } of known) {
    const delta = reason === "resent" ? -quantity : quantity;
    await write(tx, { productId, delta, reason, note: null, staffId: by?.staffId ?? null, ...about });
  }
  return true;
}

const MOVES_SHOWN = 50;

export async function listStockMoves(db: Database, productId: string) {
  const rows = await db
    .select({ move: stockMoves, by: users.name })
    .from(stockMoves)
    .leftJoin(users, eq(users.id, stockMoves.staffId))
    .where(eq(stockMoves.productId, productId))
    .orderBy(desc(stockMoves.id))
    .limit(MOVES_SHOWN);
  return rows.map(({ move, by }) => ({ ...move, by }));
}

type LowStock = { id: string; name: string; slug: string; units: number };

/** Returns products on sale with LOW_STOCK_LIMIT units or fewer, the fewest first, and their total number. */
export async function listLowStock(db: Database, limit: number): Promise<{ products: LowStock[]; count: number }> {
  const { rows } = await db.execute<LowStock & { count: number }>(sql`
    SELECT products.id, name, slug, inventory_count AS units, count(*) OVER ()::int AS count
    FROM stock JOIN products ON products.id = product_id
    WHERE is_available AND inventory_count <= ${LOW_STOCK_LIMIT} ORDER BY inventory_count, name, products.id LIMIT ${limit}`);
  return { products: rows.map(({ count: _count, ...product }) => product), count: rows[0]?.count ?? 0 };
}

/**
 * Fills an empty catalog and returns the number of products created, or 0 if it has any. Safe when several processes
 * start at once.
 */
export async function seedCatalog(db: Database, now = clock.now()): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE products IN SHARE ROW EXCLUSIVE MODE`);
    const [any] = await tx.select({ id: products.id }).from(products).limit(1);
    if (any) return 0;
    const opening = openingCatalog(now);
    for (const { inventoryCount, ...product } of opening) {
      const [added] = await tx.insert(products).values(product).returning({ id: products.id });
      const move = { delta: inventoryCount, reason: "counted", note: "Opening stock", staffId: null } as const;
      if (added) await write(tx, { productId: added.id, ...move });
    }
    return opening.length;
  });
}

const stockOf = (db: DatabaseOrTransaction, productIds: string[]) =>
  db.select().from(stock).where(inArray(stock.productId, productIds)).orderBy(asc(stock.productId));
const unitsById = (rows: (typeof stock.$inferSelect)[]) =>
  new Map(rows.map(({ productId, inventoryCount }) => [productId, inventoryCount]));

/** Returns the units for sale of each product that is in the catalog. */
export const readStock = async (db: DatabaseOrTransaction, productIds: string[]): Promise<Map<string, number>> =>
  unitsById(await stockOf(db, productIds));

/** Locks the stock of the products of `lines`. Returns the units of each one that is in the catalog. */
export const lockStock = async (
  tx: DatabaseOrTransaction,
  lines: readonly { productId: string }[],
): Promise<Map<string, number>> => {
  const productIds = lines.map(({ productId }) => productId);
  return unitsById(await stockOf(tx, productIds).for("no key update"));
};

/**
 * Returns an UPDATE that takes units of products, each named once, given as columns or their placeholders; it yields a row
 * for each with enough stock.
 */
export const takeStock = ({ productId, quantity }: { productId: unknown; quantity: unknown }): SQL => sql`
  UPDATE stock SET inventory_count = stock.inventory_count - taken.quantity
  FROM (
    SELECT product_id, lines.quantity
    FROM unnest(${sql.param(productId)}::uuid[], ${sql.param(quantity)}::int[])
      AS lines (product_id, quantity) JOIN stock USING (product_id)
    ORDER BY product_id FOR NO KEY UPDATE OF stock
  ) AS taken
  WHERE stock.product_id = taken.product_id AND stock.inventory_count >= taken.quantity
  RETURNING stock.product_id`;

/**
 * Returns an UPDATE that returns the units of `lines` to stock and locks their rows. `lines` is a relation of
 * (product_id, quantity) with any number of rows per product; products that left the catalog are skipped.
 */
export const returnStock = (lines: SQL): SQL => sql`
  UPDATE stock SET inventory_count = stock.inventory_count + returned.quantity
  FROM (
    SELECT stock.product_id, units.quantity
    FROM (SELECT product_id, sum(quantity)::int AS quantity FROM ${lines} AS lines GROUP BY product_id) AS units
    JOIN stock ON stock.product_id = units.product_id
    ORDER BY stock.product_id FOR NO KEY UPDATE OF stock
  ) AS returned WHERE stock.product_id = returned.product_id`;
