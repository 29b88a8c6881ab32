/** A picture in an email of a customer, for staff who read messages. */
import { NO_STORE } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { readPicture } from "#shop/support/thread/thread.server.ts";
import { notFound, requireId } from "../guard.server.ts";
import type { Route } from "./+types/picture.ts";

export async function loader({ params }: Route.LoaderArgs) {
  const image = await readPicture(db, requireId(params.pictureId), requireId(params.messageId));
  if (!image) throw notFound();
  return new Response(image, { headers: { "Content-Type": "image/jpeg", ...NO_STORE } });
}
