/** A new product, and what pictures it has. */
import { transaction, type Database } from "../../../db/connection.server.ts";
import { writeAudit, type Acting } from "../../staff/audit.server.ts";
import { products } from "../product.tables.ts";
import { isUniqueViolation, lockProduct, withColor, writeProduct } from "./edit-product.server.ts";
import { MAX_PICTURES } from "./picture-rules.ts";
import type { ProductValues } from "./product-form.ts";

export type CreateResult = { ok: true; id: string } | { ok: false; reason: "slug-taken" };

/** Adds a product without stock: that is counted by a move of its own. `images` are names of pictures that are kept. */
export async function createProduct(
  db: Database,
  by: Acting,
  values: ProductValues,
  images: string[],
): Promise<CreateResult> {
  try {
    return await transaction(db, async (tx): Promise<CreateResult> => {
      const [added] = await tx
        .insert(products)
        .values({ ...(await withColor(tx, by, values)), images, thumbnail: images[0] ?? null })
        .returning({ id: products.id });
      const id = added!.id;
      const { name, slug, priceCents } = values;
      await writeAudit(tx, by, {
        action: "product.create",
        subject: `product:${id}`,
        after: { name, slug, priceCents, pictures: images.length, version: 1 },
      });
      return { ok: true, id };
    });
  } catch (error) {
    if (isUniqueViolation(error)) return { ok: false, reason: "slug-taken" };
    throw error;
  }
}

export type PicturesResult = { ok: true } | { ok: false; reason: "not-found" | "too-many" };

/** Changes which pictures a product has, and in what order: `change` gets those there are. The first stands for it in lists. */
export async function changePictures(
  db: Database,
  by: Acting,
  id: string,
  change: (images: string[]) => string[],
): Promise<PicturesResult> {
  return transaction(db, async (tx): Promise<PicturesResult> => {
    const row = await lockProduct(tx, id);
    if (!row) return { ok: false, reason: "not-found" };
    const images = change(row.images);
    if (images.length > Math.max(MAX_PICTURES, row.images.length)) return { ok: false, reason: "too-many" };
    await writeProduct(tx, by, row, { images, thumbnail: images[0] ?? null }, "product.pictures");
    return { ok: true };
  });
}
