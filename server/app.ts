/** The shop as one fetch handler. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Hono, type Context } from "hono";
import { compress } from "hono/compress";
import { secureHeaders } from "hono/secure-headers";
import { pool } from "../app/database.server.ts";
import { asRequest, log, logPath, repeatedEvent, reportError } from "../app/http/log.server.ts";
import { campaignCookie } from "../app/session/campaign.server.ts";
import { rateLimits } from "../app/session/rate-limits.server.ts";
import { networkOf } from "../shop/rate-limits/network.ts";
import { config } from "../app/config.server.ts";
import { proxyTrust, type Caller } from "../app/http/client-address.ts";
import { headerSettings, NO_PAGE_POLICY, PICTURE_POLICY, refusalHeaders } from "./answer-headers.ts";
import { countFilled, countSeen } from "./count-steps.ts";
import { directWrites } from "./direct-writes.ts";
import { discoveryRoutes, isApi, problem } from "./discovery.ts";
import { isDraining } from "./draining.ts";
import { admission, MAX_UNDERWAY } from "./admission.ts";
import { limitBody } from "./limited-body.ts";
import { announce, endLive, liveNews } from "./live.ts";
import { isMalformed, MALFORMED } from "./malformed.ts";
import { PageCache } from "./cache/page-cache.ts";
import { correctedAddress, isIndexable, isPersonal, publicAddress } from "./cache/public-pages.ts";
import { openRequestLimits, type RequestKind } from "./request-limits.ts";
import { gone, render, shopBuild } from "./router.ts";
import { staticFiles } from "./static-files.ts";
import { unsubscribing } from "./unsubscribe.ts";
import { busy, RETRY_AFTER_SECONDS, tooManyRequests } from "./unavailable.ts";
import { mayUpload, UPLOAD_LIMIT_BYTES } from "./upload-limit.ts";
import { FOR_GOING_BACK, NO_STORE } from "../app/http/cache-headers.ts";

const BODY_LIMIT_BYTES = 64 * 1024;
/** Of a UUID: enough to find one request in a day's log, and few enough to read out. */
const ID_CHARACTERS = 13;
const isProduction = import.meta.env.PROD;
const { baseUrl, rateLimitScale, trustProxy } = config();

type Bindings = { Bindings: { incoming?: IncomingMessage }; Variables: { caller?: Caller } };

/** Pages that are the same for everybody. */
export const cache = new PageCache();
/** What comes in while a page of the back office is open. */
export const live = { announce, end: endLive };
const trusted = proxyTrust(trustProxy);
const requestLimits = openRequestLimits({
  record: rateLimits.record,
  scale: rateLimitScale,
  warn: (error) => reportError(error, "what networks ask for is counted by this process alone"),
});
const admit = admission(MAX_UNDERWAY);

/** Worked out once a request. */
function callerOf(c: Context<Bindings>): Caller {
  const known = c.get("caller") ?? trusted(c.req.raw, c.env?.incoming?.socket?.remoteAddress ?? "");
  c.set("caller", known);
  return known;
}

/** Addresses that programs read. They would follow a redirect without anybody noticing. */
const FOR_PROGRAMS = /^\/(?:api|feeds)\/|^\/personal$|\.(?:data|json|md|txt|xml)$/;

/** Counts a request of the caller's network. Returns null, or the seconds to wait. */
function consume(c: Context<Bindings>, kind: RequestKind): number | null {
  const wait = requestLimits.consume(kind, networkOf(callerOf(c).address));
  if (wait !== null) repeatedEvent("limit", { outcome: "limited", way: kind });
  return wait;
}

const consumeRender = (c: Context<Bindings>) => consume(c, isPersonal(c.req.path) ? "personal" : "renders");

function isSameOrigin(request: Request): boolean {
  const origin = request.headers.get("Origin");
  if (origin === null) return request.headers.get("Sec-Fetch-Site") === "same-origin";
  if (origin === baseUrl) return true;
  return URL.canParse(origin) && new URL(origin).host === request.headers.get("Host");
}

const isWrite = (method: string) => method !== "GET" && method !== "HEAD" && method !== "OPTIONS";

/** Counts a write. Returns why it is not carried out, or null. */
function refuseWrite(c: Context<Bindings>): Response | null {
  if (!isSameOrigin(c.req.raw)) {
    repeatedEvent("form-of-another-site", { outcome: "refused" });
    return c.text(
      "This form was sent from another site, so it was not accepted. Go back to the shop and try again.",
      403,
    );
  }
  return refuseMany(c);
}

function refuseMany(c: Context<Bindings>): Response | null {
  const wait = consume(c, "writes");
  if (wait === null) return null;
  return c.text("That was a lot at once. Wait a minute, then try again.", 429, { "Retry-After": String(wait) });
}

/** Every response of the shop, made for its request; the page cache stands in front of it, in `app`. */
const shop = new Hono<Bindings>();

// Emails show the shop's pictures from wherever they are read.
shop.use("/images/*", async (c, next) => {
  await next();
  c.header("Cross-Origin-Resource-Policy", "cross-origin");
});
// Their addresses say whose order it is, or are a key. (With no-referrer, a form would not say where it comes from.)
shop.use("/orders/*", async (c, next) => {
  await next();
  c.header("Referrer-Policy", c.res.status === 303 ? "no-referrer" : "same-origin");
});
shop.use(secureHeaders(headerSettings(baseUrl)));

shop.use(async (c, next) => {
  await next();
  // The scripts that Vite adds in development fit no policy.
  const { headers } = c.res;
  if (isProduction && !headers.has("Content-Security-Policy")) {
    const isFile = headers.has("Content-Disposition") || headers.get("Content-Type")?.startsWith("image/");
    headers.set("Content-Security-Policy", isFile ? PICTURE_POLICY : NO_PAGE_POLICY);
  }
  if (headers.get("Content-Type") === "text/x-script") headers.set("Content-Type", "text/x-script; charset=utf-8");
});
shop.use((c, next) => {
  if (!isMalformed(c.req.url)) return next();
  repeatedEvent("malformed-address", { outcome: "refused" });
  if (isApi(c.req.path)) return Promise.resolve(problem(c, 400, MALFORMED));
  return Promise.resolve(c.text(MALFORMED, 400, NO_STORE));
});

// A response to TRACE would show the headers that a proxy added.
shop.on("TRACE", "*", (c) => c.text("Method not allowed", 405, { Allow: "GET, HEAD, POST" }));

shop.get("/healthz", (c) => c.text("ok", 200, NO_STORE));
shop.get("/readyz", async (c) => {
  if (isDraining()) return c.text("draining", 503, NO_STORE);
  const ready = await pool.query("SELECT 1").then(
    () => true,
    () => false,
  );
  return c.text(ready ? "ready" : "the database does not answer", ready ? 200 : 503, NO_STORE);
});

shop.route("/", staticFiles());

if (!isProduction) {
  const { emailSamples } = await import("./email-samples.ts");
  shop.route("/emails", emailSamples(config()));
}

shop.route("/", discoveryRoutes(cache, baseUrl, consumeRender));

// Otherwise each spelling of an address would be rendered by itself, and be another page to search engines.
shop.get("*", (c, next) => {
  const corrected = correctedAddress(c.req.url);
  if (!corrected) return next();
  c.header("Cache-Control", "public, max-age=3600");
  return Promise.resolve(c.redirect(corrected, 301));
});

shop.use(async (c, next) => (isWrite(c.req.method) && refuseWrite(c)) || next());
const refuseLarge = (c: Context) => {
  repeatedEvent("form-too-large", { outcome: "refused" });
  return c.text("That is more than this shop takes in one form.", 413);
};
const limitForm = limitBody(BODY_LIMIT_BYTES, refuseLarge);
const limitUpload = limitBody(UPLOAD_LIMIT_BYTES, refuseLarge);
// Looking for a body builds the whole Request, which a page from the cache does not need.
shop.use(async (c, next) => {
  if (!isWrite(c.req.method)) return next();
  return (await mayUpload(c.req.raw)) ? limitUpload(c, next) : limitForm(c, next);
});
shop.use(compress());
shop.use(async (c, next) => {
  await next();
  const { headers } = c.res;
  if (!isIndexable(c.req.path)) headers.set("X-Robots-Tag", "noindex");
  // What does not say that it may be cached may not be, and one goes back to pages, not to their data.
  const control = headers.get("Cache-Control");
  const isPage = headers.get("Content-Type")?.startsWith("text/html");
  if (!control || (control === FOR_GOING_BACK["Cache-Control"] && !isPage))
    headers.set("Cache-Control", NO_STORE["Cache-Control"]);
  // A form that could not be carried out answers for itself, without the page of unavailable.ts.
  if (c.res.status === 503 && !headers.has("Retry-After")) headers.set("Retry-After", String(RETRY_AFTER_SECONDS));
});

shop.all("*", (c) => {
  // Requests of the page cache itself have no connection, and were counted when they were made.
  const isCounted = !c.env?.incoming || isWrite(c.req.method);
  const wait = isCounted ? null : consumeRender(c);
  if (wait !== null) return tooManyRequests(wait, /\.(data|json)$/.test(c.req.path) ? "text" : "page");
  return admit(() => render(c.req.raw, callerOf(c)), busy);
});

export const app = new Hono<Bindings>();
export { startWritingCounts } from "./count-steps.ts";

app.use((c, next) => {
  const id = randomUUID().slice(0, ID_CHARACTERS);
  return asRequest({ id, path: c.req.path, address: () => callerOf(c).address }, async () => {
    const started = performance.now();
    await next();
    // So that a customer who writes to support can name the request that failed.
    if (c.res.status >= 500) c.header("X-Request-Id", id);
    const path = c.req.path;
    if (!path.startsWith("/assets/") && !path.startsWith("/images/")) {
      log.info({
        method: c.req.method,
        path: logPath(path),
        status: c.res.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
      });
    }
  });
});
if (baseUrl.startsWith("https:") && trustProxy) {
  app.use(async (c, next) => {
    if (!callerOf(c).isPlain || c.req.path === "/healthz" || c.req.path === "/readyz") return next();
    // Nothing sent without encryption is carried out. Programs get an error and no redirect, so that somebody notices.
    for (const [name, value] of Object.entries(refusalHeaders(baseUrl))) c.header(name, value);
    if (isWrite(c.req.method) || FOR_PROGRAMS.test(c.req.path)) {
      repeatedEvent("without-encryption", { outcome: "refused" });
      return c.text(`Use ${baseUrl}: this shop takes nothing without encryption.`, 403);
    }
    const { pathname, search } = new URL(c.req.url);
    return c.redirect(baseUrl + pathname + search, 308);
  });
}
app.use(countSeen);
app.post("/cart/add", countFilled);
if (config().payments) {
  const { paymentEvents } = await import("./payment-events.ts");
  // Before the guards of forms: it is no form, and says by its signature where it comes from.
  app.post("/payments/stripe/events", ...paymentEvents());
}
if (config().payments?.by === "sandbox") {
  const { sandboxOf } = await import("./payments.ts");
  app.all("/payment-sandbox/*", async (c) => (await sandboxOf(config())).handlePage(c.req.raw));
}
app.get("/admin/live", liveNews);
// Before the guards of forms: mail programs send it from nowhere.
app.post("/waitlist/unsubscribe", ...unsubscribing((c) => refuseMany(c)));
app.post(
  "*",
  await directWrites({
    build: shopBuild,
    baseUrl,
    bodyLimit: BODY_LIMIT_BYTES,
    callerOf,
    refuse: refuseWrite,
    admit,
  }),
);
// A page itself is the same for everyone; only the answer to an address with a campaign is its visitor's, so that no cache
// in between hands their cookie to others.
app.use(async (c, next) => {
  const cookie = c.req.method === "GET" ? campaignCookie(c.req.url) : null;
  await next();
  if (!cookie || !c.res.headers.get("Content-Type")?.startsWith("text/html")) return;
  c.header("Set-Cookie", cookie, { append: true });
  if (c.res.headers.get("Cache-Control")?.startsWith("public"))
    c.header("Cache-Control", FOR_GOING_BACK["Cache-Control"]);
});
// Public pages are rendered without cookies and cached with all their headers. A page from the cache skips everything
// that `shop` does.
app.use(async (c, next) => {
  const { method, url } = c.req;
  const isRead = (method === "GET" || method === "HEAD") && !isMalformed(url);
  const place = isRead ? publicAddress(url) : null;
  if (!place) return next();
  const asAnyone = async () =>
    shop.fetch(new Request(new URL(place.address, url), { headers: { Host: c.req.header("Host") ?? "" } }));
  const response = await cache.respond(place, c.req.raw, asAnyone, () => consumeRender(c) === null);
  // Null where this network may have no more pages rendered: `shop` answers that with 429.
  return response ?? next();
});
app.route("/", shop);

for (const part of [shop, app]) {
  part.onError((error, c) => {
    if (c.req.raw.signal.aborted) return gone();
    reportError(error, "a request failed");
    return c.text("Something went wrong. Try again in a moment.", 500, refusalHeaders(baseUrl));
  });
}
