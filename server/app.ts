/** The shop as one fetch handler, and the services that run beside it. */
import type { IncomingMessage } from "node:http";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import { secureHeaders } from "hono/secure-headers";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import * as build from "virtual:react-router/server-build";
import { rateLimits } from "../app/session/rate-limits.server.ts";
import { db, pool } from "../db/connection.server.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { seedCatalog } from "../db/seed.ts";
import { startOutbox } from "../shop/mail/outbox.server.ts";
import { networkOf } from "../shop/rate-limits/network.ts";
import { textDocuments } from "../shop/search/documents.server.ts";
import { fillSearch } from "../shop/search/search.server.ts";
import { listenForCatalogChanges } from "./catalog-changes.ts";
import { callerContext, proxyTrust, type Caller } from "./client-address.ts";
import { readEnv } from "./env.ts";
import { failureContext } from "./failure.ts";
import { found } from "./found.ts";
import { log } from "./log.ts";
import { PageCache } from "./page-cache.ts";
import { correctedAddress, isIndexable, isPersonal, publicAddress } from "./public-pages.ts";
import { openRequestLimits, type RequestKind } from "./request-limits.ts";
import { tooManyRequests, unavailable } from "./unavailable.ts";

const BODY_LIMIT_BYTES = 64 * 1024;
const SWEEP_MS = 10 * 60_000;
const isProduction = import.meta.env.PROD;
const env = readEnv(process.env);

type Bindings = { Bindings: { incoming?: IncomingMessage }; Variables: { caller: Caller } };

const cache = new PageCache();
const trusted = proxyTrust(env.TRUST_PROXY);
const requestLimits = openRequestLimits({
  record: rateLimits.record,
  scale: env.RATE_LIMIT_SCALE,
  warn: (error) => log.warn({ error: String(error) }, "what networks ask for is counted by this process alone"),
});
const handle = createRequestHandler(build as unknown as ServerBuild, isProduction ? "production" : "development");

async function render(request: Request, caller: Caller): Promise<Response> {
  const context = new RouterContextProvider();
  context.set(callerContext, caller);
  const response = await handle(request, context);
  if (context.get(failureContext) === "database-down" && response.status >= 500) return unavailable();
  return response;
}

const callerOf = (c: Context<Bindings>) => trusted(c.req.raw, c.env?.incoming?.socket?.remoteAddress ?? "");

/** Counts a request of the caller's network; answers null, or the seconds to wait. */
const consume = (c: Context<Bindings>, kind: RequestKind) =>
  requestLimits.consume(kind, networkOf(callerOf(c).address));

const consumeRender = (c: Context<Bindings>) => consume(c, isPersonal(c.req.path) ? "personal" : "renders");

function isSameOrigin(request: Request): boolean {
  const origin = request.headers.get("Origin");
  if (origin === null) return request.headers.get("Sec-Fetch-Site") === "same-origin";
  if (origin === env.BASE_URL) return true;
  return URL.canParse(origin) && new URL(origin).host === request.headers.get("Host");
}

const isWrite = (method: string) => method !== "GET" && method !== "HEAD" && method !== "OPTIONS";

/** Everything the shop answers, made anew for each request. */
const shop = new Hono<Bindings>();

shop.use((c, next) => {
  c.set("caller", callerOf(c));
  return next();
});
// Letters show the shop's pictures from wherever they are read.
shop.use("/images/*", async (c, next) => {
  await next();
  c.header("Cross-Origin-Resource-Policy", "cross-origin");
});
shop.use(
  secureHeaders({
    referrerPolicy: "strict-origin-when-cross-origin",
    strictTransportSecurity: env.BASE_URL.startsWith("https:") ? "max-age=31536000; includeSubDomains" : false,
    permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
    xFrameOptions: "DENY",
    // Only browsers that the shop does not run in ever read these.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
);

shop.get("/healthz", (c) => c.text("ok", 200, { "Cache-Control": "no-store" }));
shop.get("/readyz", async (c) => {
  const ready = await pool.query("SELECT 1").then(
    () => true,
    () => false,
  );
  return c.text(ready ? "ready" : "the database does not answer", ready ? 200 : 503, { "Cache-Control": "no-store" });
});

if (isProduction) {
  const kept = (control: string) => (_path: string, c: Context) => c.header("Cache-Control", control);
  const root = "build/client";
  shop.use(
    "/assets/*",
    serveStatic({ root, precompressed: true, onFound: kept("public, max-age=31536000, immutable") }),
  );
  shop.use(
    "/images/*",
    serveStatic({ root, onFound: kept("public, max-age=2592000, stale-while-revalidate=31536000") }),
  );
  const icons = ["apple-touch-icon.png", "icon-192.png", "icon-512.png", "icon-maskable-512.png"];
  for (const file of ["favicon.ico", "favicon.svg", ...icons]) {
    shop.use(`/${file}`, serveStatic({ root, onFound: kept("public, max-age=86400") }));
  }
  // A missing file is not a page.
  shop.get("/assets/*", (c) => c.text("Not found", 404));
  shop.get("/images/*", (c) => c.text("Not found", 404));
}

shop.route("/", found(cache, env.BASE_URL, consumeRender));

// Each spelling of an address would else be rendered, and be another page to search engines.
shop.get("*", (c, next) => {
  const corrected = correctedAddress(c.req.url);
  if (!corrected) return next();
  c.header("Cache-Control", "public, max-age=3600");
  return Promise.resolve(c.redirect(corrected, 301));
});

shop.use(async (c, next) => {
  if (isWrite(c.req.method) && !isSameOrigin(c.req.raw)) {
    return c.text(
      "This form was sent from another site, so it was not accepted. Go back to the shop and try again.",
      403,
    );
  }
  return next();
});
shop.use(async (c, next) => {
  const wait = isWrite(c.req.method) ? consume(c, "writes") : null;
  if (wait === null) return next();
  return c.text("That was a lot at once. Wait a minute, then try again.", 429, { "Retry-After": String(wait) });
});
const limitBody = bodyLimit({
  maxSize: BODY_LIMIT_BYTES,
  onError: (c) => c.text("That is more than this shop takes in one form.", 413),
});
// Looking for a body builds the whole request, which a page from the cache does without.
shop.use((c, next) => (isWrite(c.req.method) ? limitBody(c, next) : next()));
shop.use(compress());
shop.use(async (c, next) => {
  await next();
  if (!isIndexable(c.req.path)) c.header("X-Robots-Tag", "noindex");
  // A route's data has not the headers of its page: what does not say that it may be kept is nobody's to keep.
  if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "private, no-store");
});

shop.all("*", (c) => {
  // What the shop asks itself for, to keep it, was counted where it was asked.
  const isCounted = !c.env?.incoming || isWrite(c.req.method);
  const wait = isCounted ? null : consumeRender(c);
  if (wait !== null) return tooManyRequests(wait, /\.(data|json)$/.test(c.req.path) ? "text" : "page");
  return render(c.req.raw, c.get("caller"));
});

export const app = new Hono<Bindings>();

app.use(async (c, next) => {
  const started = performance.now();
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
// A page that is the same for everyone is asked for without cookies and kept with all its headers: one that is kept
// passes none of what stands above.
app.use(async (c, next) => {
  const { method, url } = c.req;
  const place = method === "GET" || method === "HEAD" ? publicAddress(url) : null;
  if (!place) return next();
  const asAnyone = async () =>
    shop.fetch(new Request(new URL(place.address, url), { headers: { Host: c.req.header("Host") ?? "" } }));
  const answer = await cache.answer(place, c.req.raw, asAnyone, () => consumeRender(c) === null);
  // Who may not have it rendered is told so by what stands above.
  return answer ?? next();
});
app.route("/", shop);

for (const part of [shop, app]) {
  part.onError((error, c) => {
    log.error({ err: error, path: c.req.path }, "a request failed");
    return c.text("Something went wrong. Try again in a moment.", 500);
  });
}

/** Brings the database up to date and starts what runs beside requests. Resolves when ready to serve. */
export async function startServices(): Promise<{ stop(): Promise<void> }> {
  const url = process.env.DATABASE_URL ?? "";
  await migrateDatabase(url);
  await seedCatalog(db);
  await fillSearch(db, textDocuments());
  const changes = listenForCatalogChanges(url, cache);
  const sweep = setInterval(() => {
    rateLimits.sweep().catch((error: unknown) => log.warn({ error: String(error) }, "expired limits were not deleted"));
  }, SWEEP_MS);
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
      clearInterval(sweep);
      await outbox.stop();
      await changes.stop();
      await pool.end();
    },
  };
}
