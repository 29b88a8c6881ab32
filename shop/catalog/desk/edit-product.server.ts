/** A change by staff: the product and its audit row in one transaction, and never over what somebody else saved meanwhile. */
import { eq, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "../../../db/connection.server.ts";
import { listAudit, writeAudit, type Acting } from "../../staff/audit.server.ts";
import type { AuditValues } from "../../staff/staff.tables.ts";
import { keepColor } from "../colors.server.ts";
import { products } from "../product.tables.ts";
import type { ProductValues } from "./product-form.ts";

type Row = typeof products.$inferSelect;

/** Somebody else's edit since a version. */
export type OtherEdit = { name: string | null; at: Date; fields: string[] };

export type EditResult =
  | { ok: true; version: number; changed: string[] }
  | { ok: false; reason: "not-found" | "slug-taken" | "slug-fixed" }
  /** It is not as it was seen: `version` is what it is now. */
  | { ok: false; reason: "changed"; version: number; by: OtherEdit[] };

const subjectOf = (id: string) => `product:${id}`;

/** The row, which nobody else changes until the transaction ends. */
export async function lockProduct(tx: DatabaseOrTransaction, id: string): Promise<Row | undefined> {
  return (await tx.select().from(products).where(eq(products.id, id)).for("no key update"))[0];
}

export async function hasOrders(tx: DatabaseOrTransaction, id: string): Promise<boolean> {
  const { rows } = await tx.execute<{ any: boolean }>(
    sql`SELECT EXISTS (SELECT FROM order_items WHERE product_id = ${id}::uuid) AS any`,
  );
  return rows[0]?.any ?? false;
}

const audited = (value: unknown): string | number | boolean | null => {
  if (value instanceof Date) return value.toISOString();
  if (value === null || value === undefined) return null;
  return typeof value === "object" ? JSON.stringify(value) : (value as string | number | boolean);
};

/** JSON of specs whose keys are in one order, so that a save without a change is none. */
const comparable = (value: unknown) =>
  value !== null && typeof value === "object" && !(value instanceof Date) && !Array.isArray(value)
    ? JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : audited(value);

/** Writes the fields that differ, with their audit row. Returns their names. */
export async function writeProduct(
  tx: DatabaseOrTransaction,
  by: Acting,
  row: Row,
  values: Partial<Row>,
  action = "product.edit",
): Promise<{ version: number; changed: string[] }> {
  const fields = (Object.keys(values) as (keyof Row)[]).filter(
    (field) => comparable(values[field]) !== comparable(row[field]),
  );
  if (fields.length === 0) return { version: row.version, changed: [] };
  const picked = Object.fromEntries(fields.map((field) => [field, values[field]]));
  const [saved] = await tx.update(products).set(picked).where(eq(products.id, row.id)).returning();
  const version = saved?.version ?? row.version;
  const valuesOf = (from: Row, at: number): AuditValues => ({
    ...Object.fromEntries(fields.map((field) => [field, audited(from[field])])),
    version: at,
  });
  await writeAudit(tx, by, {
    action,
    subject: subjectOf(row.id),
    before: valuesOf(row, row.version),
    after: valuesOf({ ...row, ...picked }, version),
  });
  return { version, changed: fields };
}

/** The values as the products row has them, their color kept if it was typed. */
export async function withColor(
  tx: DatabaseOrTransaction,
  by: Acting,
  { anotherColor, ...values }: ProductValues,
): Promise<Omit<ProductValues, "anotherColor">> {
  return anotherColor ? { ...values, colorVariant: await keepColor(tx, by, anotherColor) } : values;
}

/** Who saved what since a version, the newest first. */
async function editsSince(db: Database, id: string, version: number): Promise<OtherEdit[]> {
  const rows = await listAudit(db, { subject: subjectOf(id) });
  return rows
    .filter(({ after }) => Number(after?.version) > version)
    .map(({ name, at, after }) => ({ name, at, fields: Object.keys(after ?? {}).filter((key) => key !== "version") }));
}

export const isUniqueViolation = (error: unknown): boolean =>
  ((error as { cause?: { code?: string } }).cause?.code ?? (error as { code?: string }).code) === "23505";

/**
 * Saves what was typed, where the product is still as it was seen in `version`. One that retired stays unavailable, and an
 * address that orders lead to stays as it is.
 */
export async function editProduct(
  db: Database,
  by: Acting,
  id: string,
  values: ProductValues,
  version: number,
): Promise<EditResult> {
  try {
    const result = await transaction(db, async (tx): Promise<EditResult | { stale: number }> => {
      const row = await lockProduct(tx, id);
      if (!row) return { ok: false, reason: "not-found" };
      if (row.version !== version) return { stale: row.version };
      if (row.slug !== values.slug && (await hasOrders(tx, id))) return { ok: false, reason: "slug-fixed" };
      const isAvailable = values.isAvailable && row.retiredAt === null;
      const saved = await writeProduct(tx, by, row, { ...(await withColor(tx, by, values)), isAvailable });
      return { ok: true, ...saved };
    });
    if (!("stale" in result)) return result;
    return { ok: false, reason: "changed", version: result.stale, by: await editsSince(db, id, version) };
  } catch (error) {
    if (isUniqueViolation(error)) return { ok: false, reason: "slug-taken" };
    throw error;
  }
}

export type RetireResult = { ok: boolean };

/** Sold no more: no list shows it and nobody can buy it, while its page stays for those who have it. */
export async function retireProduct(db: Database, by: Acting, id: string): Promise<RetireResult> {
  return transaction(db, async (tx) => {
    const row = await lockProduct(tx, id);
    if (!row) return { ok: false };
    if (row.retiredAt) return { ok: true };
    await writeProduct(tx, by, row, { retiredAt: new Date(), isAvailable: false, featured: false }, "product.retire");
    return { ok: true };
  });
}

/** Listed again, and not yet available: whoever does that sees the stock first. */
export async function unretireProduct(db: Database, by: Acting, id: string): Promise<RetireResult> {
  return transaction(db, async (tx) => {
    const row = await lockProduct(tx, id);
    if (!row) return { ok: false };
    await writeProduct(tx, by, row, { retiredAt: null }, "product.unretire");
    return { ok: true };
  });
}

/**
 * Removes a product that nobody ever ordered, from carts and wishlists too. Its stock is locked first, as a sale does, so that
 * no order of it comes in between.
 */
export async function deleteProduct(
  db: Database,
  by: Acting,
  id: string,
): Promise<{ ok: true; images: string[] } | { ok: false; reason: "not-found" | "ordered" }> {
  return transaction(db, async (tx) => {
    await tx.execute(sql`SELECT FROM lock_stock(ARRAY[${id}::uuid])`);
    const row = await lockProduct(tx, id);
    if (!row) return { ok: false, reason: "not-found" };
    if (await hasOrders(tx, id)) return { ok: false, reason: "ordered" };
    await tx.delete(products).where(eq(products.id, id));
    await writeAudit(tx, by, {
      action: "product.delete",
      subject: subjectOf(id),
      before: { name: row.name, slug: row.slug },
    });
    return { ok: true, images: row.images };
  });
}
