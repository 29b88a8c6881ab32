/** The files of the build, for as long as each may be kept, and the pictures that staff have uploaded. */
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type Context } from "hono";
import { uploadedPicture } from "./uploaded-pictures.ts";

const ROOT = "build/client";
const ICONS = [
  "favicon.ico",
  "favicon.svg",
  "apple-touch-icon.png",
  "icon-192.png",
  "icon-512.png",
  "icon-maskable-512.png",
];

const kept = (control: string) => (_path: string, c: Context) => c.header("Cache-Control", control);

/** In development Vite serves what is not uploaded. */
export function staticFiles(): Hono {
  const files = new Hono();
  files.get("/images/*", async (c, next) => (await uploadedPicture(c)) ?? next());
  if (!import.meta.env.PROD) return files;
  files.use(
    "/assets/*",
    serveStatic({ root: ROOT, precompressed: true, onFound: kept("public, max-age=31536000, immutable") }),
  );
  files.use(
    "/images/*",
    serveStatic({ root: ROOT, onFound: kept("public, max-age=2592000, stale-while-revalidate=31536000") }),
  );
  for (const file of ICONS) files.use(`/${file}`, serveStatic({ root: ROOT, onFound: kept("public, max-age=86400") }));
  // For a missing file no page is rendered.
  files.get("/assets/*", (c) => c.text("Not found", 404));
  files.get("/images/*", (c) => c.text("Not found", 404));
  return files;
}
