/** The shop as one fetch handler, and the services that run beside it. */
import type { IncomingMessage } from "node:http";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import { secureHeaders } from "hono/secure-headers";
import { rateLimiter } from "hono-rate-limiter";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import * as build from "virtual:react-router/server-build";
import { db, pool } from "../db/connection.server.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { seedCatalog } from "../db/seed.ts";
import { startOutbox } from "../shop/mail/outbox.server.ts";
import { textDocuments } from "../shop/search/documents.server.ts";
import { fillSearch } from "../shop/search/search.server.ts";
import { listenForCatalogChanges } from "./catalog-changes.ts";
import { callerContext, proxyTrust, type Caller } from "./client-address.ts";
import { readEnv } from "./env.ts";
import { failureContext } from "./failure.ts";
import { found } from "./found.ts";
import { log } from "./log.ts";
import { PageCache } from "./page-cache.ts";
import { isIndexable, publicAddress } from "./public-pages.ts";
import { unavailable } from "./unavailable.ts";

const BODY_LIMIT_BYTES = 64 * 1024;
const WRITES_PER_MINUTE = 300;
const isProduction = import.meta.env.PROD;
const env = readEnv(process.env);

type Bindings = { Bindings: { incoming: IncomingMessage }; Variables: { caller: Caller } };

const cache = new PageCache();
const callerOf = proxyTrust(env.TRUST_PROXY);
const handle = createRequestHandler(build as unknown as ServerBuild, isProduction ? "production" : "development");

async function render(request: Request, caller?: Caller): Promise<Response> {
  const context = new RouterContextProvider();
  if (caller) context.set(callerContext, caller);
  const response = await handle(request, context);
  if (context.get(failureContext) === "database-down" && response.status >= 500) return unavailable();
  return response;
}

function isSameOrigin(request: Request): boolean {
  const origin = request.headers.get("Origin");
  if (origin === null) return request.headers.get("Sec-Fetch-Site") === "same-origin";
  if (origin === env.BASE_URL) return true;
  return URL.canParse(origin) && new URL(origin).host === request.headers.get("Host");
}

const isWrite = (method: string) => method !== "GET" && method !== "HEAD" && method !== "OPTIONS";

export const app = new Hono<Bindings>();

app.use(async (c, next) => {
  const started = performance.now();
  c.set("caller", callerOf(c.req.raw, c.env?.incoming?.socket?.remoteAddress ?? ""));
  await next();
  const path = c.req.path;
  if (!path.startsWith("/assets/") && !path.startsWith("/images/")) {
    log.info({
      method: c.req.method,
      path,
      status: c.res.status,
      ms: Math.round((performance.now() - started) * 10) / 10,
    });
  }
});
// Letters show the shop's pictures from wherever they are read.
app.use("/images/*", async (c, next) => {
  await next();
  c.header("Cross-Origin-Resource-Policy", "cross-origin");
});
app.use(
  secureHeaders({
    referrerPolicy: "strict-origin-when-cross-origin",
    strictTransportSecurity: env.BASE_URL.startsWith("https:") ? "max-age=31536000; includeSubDomains" : false,
    permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
  }),
);

app.get("/healthz", (c) => c.text("ok", 200, { "Cache-Control": "no-store" }));
app.get("/readyz", async (c) => {
  const ready = await pool.query("SELECT 1").then(
    () => true,
    () => false,
  );
  return c.text(ready ? "ready" : "the database does not answer", ready ? 200 : 503, { "Cache-Control": "no-store" });
});

if (isProduction) {
  const kept = (control: string) => (_path: string, c: Context) => c.header("Cache-Control", control);
  const root = "build/client";
  app.use(
    "/assets/*",
    serveStatic({ root, precompressed: true, onFound: kept("public, max-age=31536000, immutable") }),
  );
  app.use(
    "/images/*",
    serveStatic({ root, onFound: kept("public, max-age=2592000, stale-while-revalidate=31536000") }),
  );
  const icons = ["apple-touch-icon.png", "icon-192.png", "icon-512.png", "icon-maskable-512.png"];
  for (const file of ["favicon.ico", "favicon.svg", ...icons]) {
    app.use(`/${file}`, serveStatic({ root, onFound: kept("public, max-age=86400") }));
  }
  // A missing file is not a page.
  app.get("/assets/*", (c) => c.text("Not found", 404));
  app.get("/images/*", (c) => c.text("Not found", 404));
}

app.route("/", found(cache, env.BASE_URL));

app.use(async (c, next) => {
  if (isWrite(c.req.method) && !isSameOrigin(c.req.raw)) {
    return c.text(
      "This form was sent from another site, so it was not accepted. Go back to the shop and try again.",
      403,
    );
  }
  return next();
});
app.use(
  rateLimiter<Bindings>({
    windowMs: 60_000,
    limit: Math.ceil(WRITES_PER_MINUTE * env.RATE_LIMIT_SCALE),
    keyGenerator: (c) => c.get("caller").address,
    skip: (c) => !isWrite(c.req.method),
    message: "That was a lot at once. Wait a minute, then try again.",
  }),
);
const limitBody = bodyLimit({
  maxSize: BODY_LIMIT_BYTES,
  onError: (c) => c.text("That is more than this shop takes in one form.", 413),
});
// Looking for a body builds the whole request, which a page from the cache does without.
app.use((c, next) => (isWrite(c.req.method) ? limitBody(c, next) : next()));
app.use(compress());
app.use(async (c, next) => {
  await next();
  if (!isIndexable(new URL(c.req.url))) c.header("X-Robots-Tag", "noindex");
});

app.all("*", (c) => {
  const { method } = c.req;
  const address = method === "GET" || method === "HEAD" ? publicAddress(new URL(c.req.url)) : null;
  if (!address) return render(c.req.raw, c.get("caller"));
  // Without its cookies: one rendering serves everyone.
  const asAnyone = () => render(new Request(address, { headers: { Host: c.req.header("Host") ?? "" } }));
  return cache.answer(address.pathname + address.search, c.req.raw, asAnyone);
});

app.onError((error, c) => {
  log.error({ err: error, path: c.req.path }, "a request failed");
  return c.text("Something went wrong. Try again in a moment.", 500);
});

/** Brings the database up to date and starts what runs beside requests. Resolves when ready to serve. */
export async function startServices(): Promise<{ stop(): Promise<void> }> {
  const url = process.env.DATABASE_URL ?? "";
  await migrateDatabase(url);
  await seedCatalog(db);
  await fillSearch(db, textDocuments());
  const changes = listenForCatalogChanges(url, cache);
  const [outbox] = await Promise.all([
    startOutbox(db, url, {
      smtpUrl: env.SMTP_URL,
      baseUrl: env.BASE_URL,
      secret: process.env.AUTH_SECRET ?? "",
    }),
    changes.ready,
  ]);
  return {
    async stop() {
      await outbox.stop();
      await changes.stop();
      await pool.end();
    },
  };
}
