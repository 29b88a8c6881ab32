/** Products as staff create, edit, retire and delete them, each change with its audit row in one transaction. */
import { eq, getTableColumns, sql } from "drizzle-orm";
import { isUniqueViolation, transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import type { AuditAction } from "#shop/audit/actions.ts";
import { type Acting, listAudit, writeAudit } from "#shop/audit/audit.server.ts";
import type { AuditValues } from "#shop/audit/audit.tables.ts";
import { clock } from "#shop/clock.ts";
import { saveColor } from "../colors.server.ts";
import { hexOfColor, inventoryCount } from "../product.sql.ts";
import { products } from "../product.tables.ts";
import { MAX_PICTURES, type ProductValues } from "./product-form.ts";

type Row = typeof products.$inferSelect;

export type OtherEdit = { name: string | null; at: Date; fields: string[] };

type EditResult =
  | { ok: true; version: number; changed: string[] }
  | { ok: false; reason: "not-found" | "slug-taken" | "slug-fixed" }
  | { ok: false; reason: "changed"; version: number; by: OtherEdit[] };

const subjectOf = (id: string) => `product:${id}`;

async function hasOrders(tx: DatabaseOrTransaction, id: string): Promise<boolean> {
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

/** JSON with sorted keys, so that an unchanged save writes nothing. */
const comparable = (value: unknown) =>
  value !== null && typeof value === "object" && !(value instanceof Date) && !Array.isArray(value)
    ? JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : audited(value);

/** Writes changed fields with their audit row. Returns their names. */
async function writeProduct(
  tx: DatabaseOrTransaction,
  by: Acting,
  row: Row,
  values: Partial<Row>,
  action: AuditAction = "product.edit",
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

/** Values of the products row, after adding a newly typed color. */
async function withColor(
  tx: DatabaseOrTransaction,
  by: Acting,
  { anotherColor, ...values }: ProductValues,
): Promise<Omit<ProductValues, "anotherColor">> {
  return anotherColor ? { ...values, colorVariant: await saveColor(tx, by, anotherColor) } : values;
}

async function editsSince(db: DatabaseOrTransaction, id: string, version: number): Promise<OtherEdit[]> {
  const rows = await listAudit(db, { subject: subjectOf(id) });
  return rows
    .filter(({ after }) => Number(after?.version) > version)
    .map(({ name, at, after }) => ({ name, at, fields: Object.keys(after ?? {}).filter((key) => key !== "version") }));
}

/** Pictures have forms of their own, so their changes are no conflict of the product's. */
const isOfPictures = ({ fields }: OtherEdit) =>
  fields.every((field) => ["images", "thumbnail", "pictureAlts"].includes(field));

/** Returns the whole record, with an expired early-bird price; null if there is none. */
export async function getProductRecord(db: Database, id: string) {
  const [found] = await db
    .select({ ...getTableColumns(products), inventoryCount, colorHex: hexOfColor })
    .from(products)
    .where(eq(products.id, id));
  return found ? { ...found, isOrdered: await hasOrders(db, id) } : null;
}

const isSlugTaken = (error: unknown) => isUniqueViolation(error, "products_slug_unique");

/**
 * Creates a product with pictures named `images`, which are stored. `complete` runs last in its transaction, and adds the
 * stock. Refusal: 'slug-taken'.
 */
export async function createProduct(
  db: Database,
  by: Acting,
  values: ProductValues,
  images: string[],
  complete?: (tx: DatabaseOrTransaction, id: string) => Promise<void>,
): Promise<{ ok: true; id: string } | { ok: false; reason: "slug-taken" }> {
  try {
    return await transaction(db, async (tx) => {
      const [added] = await tx
        .insert(products)
        .values({ ...(await withColor(tx, by, values)), images, thumbnail: images[0] ?? null })
        .returning({ id: products.id });
      const id = added!.id;
      const { name, slug, priceCents } = values;
      await writeAudit(tx, by, {
        action: "product.create",
        subject: subjectOf(id),
        after: { name, slug, priceCents, pictures: images.length, version: 1 },
      });
      await complete?.(tx, id);
      return { ok: true as const, id };
    });
  } catch (error) {
    if (isSlugTaken(error)) return { ok: false, reason: "slug-taken" };
    throw error;
  }
}

const NOT_FOUND = { ok: false, reason: "not-found" } as const;

const lockProduct = async (tx: DatabaseOrTransaction, id: string): Promise<Row | undefined> =>
  (await tx.select().from(products).where(eq(products.id, id)).for("no key update"))[0];

/** Runs a change of a product whose row is locked. */
const changeProduct = <Result>(
  db: DatabaseOrTransaction,
  id: string,
  change: (tx: DatabaseOrTransaction, row: Row) => Promise<Result>,
): Promise<Result | typeof NOT_FOUND> =>
  transaction(db, async (tx) => {
    const row = await lockProduct(tx, id);
    return row ? change(tx, row) : NOT_FOUND;
  });

/**
 * Saves a product if nothing but its pictures has changed since `version`. A retired product stays unavailable. Refusals:
 * 'not-found', 'slug-taken', 'slug-fixed' if it has orders, 'changed' if the version is stale.
 */
export async function editProduct(
  db: Database,
  by: Acting,
  id: string,
  values: ProductValues,
  version: number,
): Promise<EditResult> {
  try {
    return await changeProduct(db, id, async (tx, row): Promise<EditResult> => {
      if (row.version !== version) {
        const edits = await editsSince(tx, id, version);
        if (edits.length !== row.version - version || !edits.every(isOfPictures))
          return { ok: false, reason: "changed", version: row.version, by: edits };
      }
      if (row.slug !== values.slug && (await hasOrders(tx, id))) return { ok: false, reason: "slug-fixed" };
      const isAvailable = values.isAvailable && row.retiredAt === null;
      return { ok: true, ...(await writeProduct(tx, by, row, { ...(await withColor(tx, by, values)), isAvailable })) };
    });
  } catch (error) {
    if (isSlugTaken(error)) return { ok: false, reason: "slug-taken" };
    throw error;
  }
}

export type ProductPictures = Pick<Row, "images" | "pictureAlts">;

/** Replaces a product's pictures with what `change` returns for the current ones. New ones are stored, the first is the thumbnail. */
export const changePictures = (
  db: Database,
  by: Acting,
  id: string,
  change: (current: ProductPictures) => ProductPictures,
): Promise<{ ok: true } | { ok: false; reason: "not-found" | "too-many" }> =>
  changeProduct(db, id, async (tx, row) => {
    const { images, pictureAlts } = change(row);
    if (images.length > Math.max(MAX_PICTURES, row.images.length)) return { ok: false, reason: "too-many" };
    await writeProduct(tx, by, row, { images, pictureAlts, thumbnail: images[0] ?? null }, "product.pictures");
    return { ok: true };
  });

/** Retires a product: unlisted and not for sale, while its page stays for its owners. */
export const retireProduct = (db: Database, by: Acting, id: string): Promise<{ ok: boolean }> =>
  changeProduct(db, id, async (tx, row) => {
    const retired = { retiredAt: clock.now(), isAvailable: false, featured: false };
    if (!row.retiredAt) await writeProduct(tx, by, row, retired, "product.retire");
    return { ok: true };
  });

/** Lists a product again, still unavailable, so that staff check the stock first. */
export const unretireProduct = (db: Database, by: Acting, id: string): Promise<{ ok: boolean }> =>
  changeProduct(db, id, async (tx, row) => {
    await writeProduct(tx, by, row, { retiredAt: null }, "product.unretire");
    return { ok: true };
  });

/** Moves the ship day of a product to `day` (YYYY-MM-DD) if it has an earlier one; null leaves it. */
export const moveShipDay = (
  db: DatabaseOrTransaction,
  by: Acting,
  id: string,
  day: string | null,
): Promise<{ ok: boolean }> =>
  changeProduct(db, id, async (tx, row) => {
    if (day !== null && row.shipsFrom !== null && row.shipsFrom < day)
      await writeProduct(tx, by, row, { shipsFrom: day });
    return { ok: true };
  });

/**
 * Deletes a product without orders, also from carts and wishlists. Locks its stock first, as a sale does, so that no
 * order comes in between.
 */
export async function deleteProduct(
  db: Database,
  by: Acting,
  id: string,
): Promise<{ ok: true; images: string[] } | { ok: false; reason: "not-found" | "ordered" }> {
  return transaction(db, async (tx) => {
    await tx.execute(sql`SELECT FROM stock WHERE product_id = ${id} FOR NO KEY UPDATE`);
    const row = await lockProduct(tx, id);
    if (!row) return NOT_FOUND;
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
