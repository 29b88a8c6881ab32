/** Serves the pictures that staff have uploaded. Their names say what is in them, so that they are kept for good. */
import type { Context } from "hono";
import { config } from "../app/config.server.ts";
import { pictureType, readPicture } from "../shop/catalog/pictures/picture-store.server.ts";

/** The answer to an address below /images; null for one that no uploaded picture has. */
export async function uploadedPicture(c: Context): Promise<Response | null> {
  const name = c.req.path.slice("/images/".length);
  const type = pictureType(name);
  if (!type) return null;
  const body = await readPicture(config().pictures, name);
  if (!body) return c.text("Not found", 404);
  return c.body(body, 200, { "Content-Type": type, "Cache-Control": "public, max-age=31536000, immutable" });
}
