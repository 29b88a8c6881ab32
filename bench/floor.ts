/** The floor: a page of this stack that hydrates almost nothing, built and served beside the shop. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { createRequestHandler, type ServerBuild } from "react-router";
import { pathToFileURL } from "node:url";

const FOLDER = "bench/floor";
const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
  ".avif": "image/avif",
  ".webp": "image/webp",
};
const COMPRESSED = [".js", ".css"];

export async function serveFloor(): Promise<{ url: string; stop(): void }> {
  const built = spawnSync("react-router", ["build", FOLDER], { stdio: ["ignore", "ignore", "inherit"] });
  if (built.status !== 0) throw new Error("The floor could not be built.");
  const build = (await import(pathToFileURL(`${FOLDER}/build/server/index.js`).href)) as ServerBuild;
  const render = createRequestHandler(build, "production");
  const files = new Map<string, Buffer>();

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://floor").pathname;
    const end = extname(path);
    const type = TYPES[end];
    if (!type && path !== "/") return void response.writeHead(404).end();
    if (!type) {
      void render(new Request(`http://localhost${path}`)).then(async (page) => {
        const html = brotliCompressSync(Buffer.from(await page.arrayBuffer()));
        response
          .writeHead(page.status, { "Content-Type": "text/html; charset=utf-8", "Content-Encoding": "br" })
          .end(html);
      });
      return;
    }
    const isCompressed = COMPRESSED.includes(end);
    const read = () => {
      const file = readFileSync(join(path.startsWith("/images/") ? "public" : `${FOLDER}/build/client`, path));
      return isCompressed ? brotliCompressSync(file) : file;
    };
    const body = files.get(path) ?? read();
    files.set(path, body);
    response
      .writeHead(200, {
        "Content-Type": type,
        "Cache-Control": "public, max-age=31536000, immutable",
        ...(isCompressed ? { "Content-Encoding": "br" } : {}),
      })
      .end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  return {
    url: `http://localhost:${typeof address === "object" && address ? address.port : 0}`,
    stop: () => server.close(),
  };
}
