/** Photos of returns: only staff and the customer of their order see them. */
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { returnPhotos, returns } from "./return.tables.ts";

/** Stores the encoded photos of a return, once: a repeated request adds none. */
export async function addPhotos(db: Database, returnId: string, images: Buffer[]): Promise<void> {
  if (images.length === 0) return;
  // A millisecond apart, so that they stay in order.
  const rows = images.map((image, i) => sql`(${returnId}::uuid, ${image}::bytea, now() + ${i}::int * interval '1 ms')`);
  await db.execute(sql`
    INSERT INTO return_photos (return_id, image, created_at) SELECT * FROM (VALUES ${sql.join(rows, sql`, `)}) AS added
    WHERE NOT EXISTS (SELECT FROM return_photos WHERE return_id = ${returnId}::uuid)`);
}

/** Returns a photo of the return or order `of`, or null. The caller has checked who may see that. */
export async function readPhoto(
  db: Database,
  photoId: string,
  of: { returnId: string } | { orderId: string },
): Promise<Buffer<ArrayBuffer> | null> {
  const isOf = "returnId" in of ? eq(returns.id, of.returnId) : eq(returns.orderId, of.orderId);
  const [photo] = await db
    .select({ image: returnPhotos.image })
    .from(returnPhotos)
    .innerJoin(returns, eq(returns.id, returnPhotos.returnId))
    .where(and(eq(returnPhotos.id, photoId), isOf));
  return photo ? Buffer.from(photo.image) : null;
}
