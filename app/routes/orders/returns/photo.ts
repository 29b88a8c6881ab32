/** A photo of a return, for who may see its order. */
import { NO_STORE } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { readPhoto } from "#shop/returns/photos.server.ts";
import { z } from "#shop/zod.ts";
import { findOrderFor } from "#app/session/order-access.server.ts";
import type { Route } from "./+types/photo.ts";

export async function loader({ request, params }: Route.LoaderArgs) {
  const photoId = z.uuid().safeParse(params.photoId).data;
  const access = photoId && (await findOrderFor(request, params.orderId));
  const image = access && (await readPhoto(db, photoId, { orderId: access.order.id }));
  if (!image) return new Response("Not found", { status: 404, headers: NO_STORE });
  return new Response(image, { headers: { "Content-Type": "image/jpeg", ...NO_STORE } });
}
