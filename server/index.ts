/** `npm start` and `npm run dev`: the process. Everything it serves is in app.ts. */
import { createServer, type Server } from "node:http";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { startEmbeddedDatabase, type EmbeddedDatabase } from "../db/embedded.ts";
import { readEnv, type Env } from "./env.ts";

const isDev = process.argv.includes("--dev");
process.env.NODE_ENV ??= isDev ? "development" : "production";

type Shop = typeof import("./app.ts");
const SHUTDOWN_MS = 10_000;

function authSecret(env: Env): string {
  mkdirSync(env.DATA_DIR, { recursive: true, mode: 0o700 });
  const file = join(env.DATA_DIR, "auth-secret");
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}

async function loadShop(server: Server): Promise<{ shop: Shop; close(): Promise<void> }> {
  if (!isDev) {
    const entry = new URL("../build/server/index.js", import.meta.url).href;
    return { shop: (await import(entry)) as Shop, close: async () => {} };
  }
  const vite = await (
    await import("vite")
  ).createServer({ server: { middlewareMode: { server }, hmr: { server } }, appType: "custom" });
  const shop = (await vite.ssrLoadModule("/server/app.ts")) as Shop;
  server.on("request", (request, response) =>
    vite.middlewares(request, response, async () => {
      const current = (await vite.ssrLoadModule("/server/app.ts")) as Shop;
      await getRequestListener(current.app.fetch)(request, response);
    }),
  );
  return { shop, close: () => vite.close() };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, failed) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      failed(
        error.code === "EADDRINUSE"
          ? new Error(`Port ${port} is taken. Start with another one: PORT=${port + 1} npm start`)
          : error,
      ),
    );
    server.listen(port, done);
  });
}

let database: EmbeddedDatabase | undefined;
try {
  const env = readEnv(process.env);
  process.env.BASE_URL = env.BASE_URL;
  if (!env.DATABASE_URL) {
    database = await startEmbeddedDatabase(env.DATA_DIR);
    process.env.DATABASE_URL = database.url;
  }
  process.env.AUTH_SECRET = env.AUTH_SECRET ?? authSecret(env);
  const server = createServer({ keepAliveTimeout: 65_000 });
  const { shop, close } = await loadShop(server);
  const services = await shop.startServices();
  if (!isDev) server.on("request", getRequestListener(shop.app.fetch));
  await listen(server, env.PORT);

  const where = env.DATABASE_URL ? `the PostgreSQL at ${new URL(env.DATABASE_URL).host}` : env.DATA_DIR;
  console.log(`\n  Polara is open:  ${env.BASE_URL}`);
  if (!env.SMTP_URL) console.log(`  Mail it sends:   ${env.BASE_URL}/mailbox`);
  console.log(`  Data:            ${where}\n`);

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    const forced = setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS);
    const finished = new Promise((done) => server.close(done));
    server.closeIdleConnections();
    await finished;
    clearTimeout(forced);
    await services.stop();
    await close();
    await database?.stop();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}\n`);
  await database?.stop();
  process.exit(1);
}
