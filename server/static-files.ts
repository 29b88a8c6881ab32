/** Static files of the build, and pictures uploaded by staff. */
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type Context } from "hono";
import { config } from "#platform/config.server.ts";
import { pictureType, readPicture } from "#shop/catalog/pictures/picture-store.server.ts";

const ROOT = "build/client";
const ICONS = [
  "favicon.ico",
  "favicon.svg",
  "apple-touch-icon.png",
  "icon-192.png",
  "icon-512.png",
  "icon-maskable-512.png",
];

const cached = (control: string) => (_path: string, c: Context) => c.header("Cache-Control", control);

/** An uploaded picture, immutable under its name; null for other files. */
async function uploadedPicture(c: Context): Promise<Response | null> {
  const name = c.req.path.slice("/images/".length);
  const type = pictureType(name);
  if (!type) return null;
  const body = await readPicture(config().pictures, name);
  if (!body) return c.text("Not found", 404);
  return c.body(body, 200, { "Content-Type": type, "Cache-Control": "public, max-age=31536000, immutable" });
}

/** Scripts, styles and fonts carry no headers of pages, which would be a fifth of the bytes of a first load. */
export const builtAssets = serveStatic({
  root: ROOT,
  precompressed: true,
  onFound: (_path, c) => {
    c.header("Cache-Control", "public, max-age=31536000, immutable");
    c.header("X-Content-Type-Options", "nosniff");
  },
});

/** In development Vite serves everything but uploads. */
export function staticFiles(): Hono {
  const files = new Hono();
  files.get("/images/*", async (c, next) => (await uploadedPicture(c)) ?? next());
  if (!import.meta.env.PROD) return files;
  files.use(
    "/images/*",
    serveStatic({ root: ROOT, onFound: cached("public, max-age=2592000, stale-while-revalidate=31536000") }),
  );
  for (const file of ICONS)
    files.use(`/${file}`, serveStatic({ root: ROOT, onFound: cached("public, max-age=86400") }));
  files.get("/assets/*", (c) => c.text("Not found", 404));
  files.get("/images/*", (c) => c.text("Not found", 404));
  return files;
}
