/** A photo of a return, for staff who handle returns. */
import { NO_STORE } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { readPhoto } from "#shop/returns/photos.server.ts";
import { notFound, requireId } from "../guard.server.ts";
import type { Route } from "./+types/photo.ts";

export async function loader({ params }: Route.LoaderArgs) {
  const image = await readPhoto(db, requireId(params.photoId), { returnId: requireId(params.returnId) });
  if (!image) throw notFound();
  return new Response(image, { headers: { "Content-Type": "image/jpeg", ...NO_STORE } });
}
