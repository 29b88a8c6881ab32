/** The shop as one fetch handler. */
import { randomUUID } from "node:crypto";
import { Hono, type Context } from "hono";
import { compress } from "hono/compress";
import { secureHeaders } from "hono/secure-headers";
import { isDatabaseDown } from "#db/connection.server.ts";
import { db, pool } from "#platform/database.server.ts";
import { asRequest, log, logPath, repeatedEvent, reportError } from "#platform/log.server.ts";
import { campaignCookie } from "#app/session/cookies.server.ts";
import { heldSession } from "#app/session/staff.server.ts";
import { gauges } from "#shop/health/health.ts";
import { readHealth } from "#shop/health/health.server.ts";
import { config } from "#platform/config.server.ts";
import { headerSettings, policyOf, referrerPolicyOf, refusalHeaders } from "./answer-headers.ts";
import { countAdds, countRefusals, countViews } from "./count-events.ts";
import { discoveryRoutes, isApi, problem } from "./discovery.ts";
import { limitWrites } from "./body-limit.ts";
import { callerOf, consume, refuseMany, type Served } from "./caller.ts";
import { announce, endLive, liveNews } from "./live.ts";
import { provideNotices } from "#shop/content/notice.ts";
import { currentNotices } from "#shop/content/notices.server.ts";
import { PageCache } from "./cache/page-cache.ts";
import { correctedAddress, isIndexable, isMalformed, isPersonal, publicAddress } from "./cache/public-pages.ts";
import { render } from "./router.ts";
import { builtAssets, staticFiles } from "./static-files.ts";
import { discard } from "./read-body.ts";
import { gone, RETRY_AFTER_SECONDS, tooManyRequests, unavailable } from "./unavailable.ts";
import { carrierEvents, incomingMail, paymentEvents, trialMail, unsubscribing } from "./webhooks.ts";
import { FOR_GOING_BACK, NO_STORE } from "#platform/cache-headers.ts";

/** Request ids are short enough to read aloud and long enough to be unique within a day's log. */
const ID_CHARACTERS = 13;
const isProduction = import.meta.env.PROD;
const { baseUrl, trustProxy } = config();
const MALFORMED =
  "This address holds characters that no address of the shop has. Check the link, or start again at the home page.";

provideNotices(currentNotices);

let isDraining = false;
export function startDraining(): void {
  isDraining = true;
}

export const cache = new PageCache();
export const live = { announce, end: endLive };

/** Addresses read by programs, which get an error instead of a redirect that nobody would notice. */
const FOR_PROGRAMS = /^\/(?:api|feeds)\/|^\/personal$|\.(?:data|json|md|txt|xml)$/;

const consumeRender = (c: Context<Served>) => consume(c, isPersonal(c.req.path) ? "personal" : "renders");

/** By the whole origin. A trial shop is also reached by other names of its machine. */
function isSameOrigin(request: Request): boolean {
  const origin = request.headers.get("Origin");
  if (origin === null) return request.headers.get("Sec-Fetch-Site") === "same-origin";
  return origin === baseUrl || origin === `${new URL(baseUrl).protocol}//${request.headers.get("Host")}`;
}

const isWrite = (method: string) => method !== "GET" && method !== "HEAD" && method !== "OPTIONS";

function refuseWrite(c: Context<Served>): Response | null {
  if (!isSameOrigin(c.req.raw)) {
    repeatedEvent("form-of-another-site", { outcome: "refused" });
    return c.text(
      "This form was sent from another site, so it was not accepted. Go back to the shop and try again.",
      403,
    );
  }
  return refuseMany(c);
}

/** Uncached responses. The page cache runs before them, in `app`. */
const shop = new Hono<Served>();

if (isProduction) shop.use("/assets/*", builtAssets);
// Emails load the shop's pictures from other origins.
shop.use("/images/*", async (c, next) => {
  await next();
  c.header("Cross-Origin-Resource-Policy", "cross-origin");
});
shop.use(secureHeaders(headerSettings(baseUrl)));

shop.use(async (c, next) => {
  await next();
  // Vite's development scripts violate the policy.
  const { headers } = c.res;
  if (isProduction && !headers.has("Content-Security-Policy"))
    headers.set("Content-Security-Policy", policyOf(headers));
  if (!headers.has("Referrer-Policy")) headers.set("Referrer-Policy", referrerPolicyOf(c.req.path, c.res.status));
  if (headers.get("Content-Type") === "text/x-script") headers.set("Content-Type", "text/x-script; charset=utf-8");
});
shop.use((c, next) => {
  if (!isMalformed(c.req.url)) return next();
  repeatedEvent("malformed-address", { outcome: "refused" });
  if (isApi(c.req.path)) return Promise.resolve(problem(c, 400, MALFORMED));
  return Promise.resolve(c.text(MALFORMED, 400, NO_STORE));
});

// TRACE would reveal headers added by a proxy.
shop.on("TRACE", "*", (c) => c.text("Method not allowed", 405, { Allow: "GET, HEAD, POST" }));

shop.get("/healthz", (c) => c.text("ok", 200, NO_STORE));
shop.get("/readyz", async (c) => {
  if (isDraining) return c.text("draining", 503, NO_STORE);
  const ready = await pool.query("SELECT 1").then(
    () => true,
    () => false,
  );
  return c.text(ready ? "ready" : "the database does not answer", ready ? 200 : 503, NO_STORE);
});

// For a Prometheus on this machine; to everybody else the address is unknown.
shop.get("/metrics", async (c, next) => {
  if (!callerOf(c).isLocal) return next();
  return c.text(gauges(await readHealth(db, config().watched)), 200, NO_STORE);
});

shop.get("/admin/live", (c, next) => liveNews(c, next, () => consume(c, "personal") !== null));
// Programs send no Origin, so these routes come before the CSRF guard. A signature or a key proves the sender.
if (config().payments) {
  shop.post("/payments/stripe/events", ...paymentEvents("stripe"));
  shop.post("/payments/paypal/events", ...paymentEvents("paypal"));
}
if (config().carriers?.by === "easypost") shop.post("/carriers/easypost/events", ...carrierEvents());
if (config().inbox?.webhookSecret) shop.post("/inbox/mail", ...incomingMail());
if (!config().smtpUrl) {
  shop.post("/mailbox.json", ...trialMail((c) => callerOf(c).isLocal || config().isMailboxOpen));
  shop.on(["PUT", "PATCH", "DELETE"], "/mailbox.json", (c) =>
    c.text("Method not allowed", 405, { Allow: "GET, HEAD, POST" }),
  );
}
shop.post("/waitlist/unsubscribe", ...unsubscribing());
shop.post("/unsubscribe", ...unsubscribing());

shop.route("/", staticFiles());

if (!isProduction) {
  const { emailSamples } = await import("./email-samples.ts");
  shop.route("/emails", emailSamples(config()));
}

shop.route("/", discoveryRoutes(cache, baseUrl, consumeRender));

// Redirects to one spelling of a URL prevent duplicate renders and duplicate content in search engines.
shop.get("*", (c, next) => {
  const corrected = correctedAddress(c.req.url);
  if (!corrected) return next();
  c.header("Cache-Control", "public, max-age=3600");
  return Promise.resolve(c.redirect(corrected, 301));
});

shop.use(async (c, next) => (isWrite(c.req.method) && refuseWrite(c)) || next());
// Hono's body limit builds the whole Request, so reads skip it.
shop.use((c, next) => (isWrite(c.req.method) ? limitWrites(c, next) : next()));
if (config().payments?.by === "sandbox") {
  const { sandboxOf } = await import("./payments.ts");
  shop.all("/payment-sandbox/*", async (c) => (await sandboxOf(config())).handlePage(c.req.raw));
}
if (config().google?.by === "sandbox") {
  const { googleSandboxOf } = await import("./google.ts");
  shop.all("/google-sandbox/*", async (c) => {
    // As the mailbox: whoever opens it can be any customer.
    if (callerOf(c).isLocal || config().isMailboxOpen) return (await googleSandboxOf(config())).handle(c.req.raw);
    repeatedEvent("google-sandbox", { outcome: "refused" });
    return c.text("The Google sandbox opens on the machine that the shop runs on, or to all with MAILBOX=open.", 403);
  });
}
shop.use(compress());
shop.use(async (c, next) => {
  await next();
  const { headers } = c.res;
  if (!isIndexable(c.req.path)) headers.set("X-Robots-Tag", "noindex");
  // Responses are uncacheable by default. Pages allow going back; their data do not.
  const control = headers.get("Cache-Control");
  const isPage = headers.get("Content-Type")?.startsWith("text/html");
  if (!control || (control === FOR_GOING_BACK["Cache-Control"] && !isPage))
    headers.set("Cache-Control", NO_STORE["Cache-Control"]);
  // Forms that fail with 503 bypass unavailable.ts, which sets this header.
  if (c.res.status === 503 && !headers.has("Retry-After")) headers.set("Retry-After", String(RETRY_AFTER_SECONDS));
});

shop.all("*", (c) => {
  // The page cache's own requests have no connection and were counted before.
  const isCounted = !c.env?.incoming || isWrite(c.req.method);
  const wait = isCounted ? null : consumeRender(c);
  if (wait !== null) return tooManyRequests(wait, /\.(data|json)$/.test(c.req.path) ? "text" : "page");
  return render(c.req.raw, callerOf(c));
});

export const app = new Hono<Served>();
export { startWritingCounts } from "./count-events.ts";

app.use(async (c, next) => {
  await next();
  const incoming = c.env?.incoming;
  if (incoming && !incoming.complete) discard(incoming);
});

app.use((c, next) => {
  const id = randomUUID().slice(0, ID_CHARACTERS);
  return asRequest({ id, path: c.req.path, address: () => callerOf(c).address }, async () => {
    const started = performance.now();
    await next();
    // Customers can quote the id to support.
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
    // Plain HTTP is redirected. Programs get an error instead, so that the mistake is noticed.
    for (const [name, value] of Object.entries(refusalHeaders(baseUrl))) c.header(name, value);
    if (isWrite(c.req.method) || FOR_PROGRAMS.test(c.req.path)) {
      repeatedEvent("without-encryption", { outcome: "refused" });
      return c.text(`Use ${baseUrl}: this shop takes nothing without encryption.`, 403);
    }
    const { pathname, search } = new URL(c.req.url);
    return c.redirect(baseUrl + pathname + search, 308);
  });
}
app.use(countViews);
app.on("POST", ["/cart/add", "/cart/add.data"], countAdds);
app.on("POST", ["/checkout", "/checkout.data"], countRefusals);
// The campaign cookie must not enter a shared cache, so responses to campaign links are private.
app.use(async (c, next) => {
  const cookie = c.req.method === "GET" ? campaignCookie(c.req.url) : null;
  await next();
  if (!cookie || !c.res.headers.get("Content-Type")?.startsWith("text/html")) return;
  c.header("Set-Cookie", cookie, { append: true });
  if (c.res.headers.get("Cache-Control")?.startsWith("public"))
    c.header("Cache-Control", FOR_GOING_BACK["Cache-Control"]);
});
/** Staff who preview a text need their cookie; everyone else gets the page from the cache. */
const isPreview = ({ url, headers }: Request) => /[?&]preview=/.test(url) && heldSession(headers) !== null;

// Public pages are rendered without cookies and cached with their headers. A cached page skips all of `shop`.
app.use(async (c, next) => {
  const { method, url } = c.req;
  const isRead = (method === "GET" || method === "HEAD") && !isMalformed(url) && !isPreview(c.req.raw);
  const place = isRead ? publicAddress(url) : null;
  if (!place) return next();
  const asAnyone = async () =>
    shop.fetch(new Request(new URL(place.address, url), { headers: { Host: c.req.header("Host") ?? "" } }));
  const response = await cache.respond(place, c.req.raw, asAnyone, () => consumeRender(c) === null);
  // Null if this network is over its limit: `shop` answers 429.
  return response ?? next();
});
app.route("/", shop);

for (const part of [shop, app]) {
  part.onError((error, c) => {
    if (c.req.raw.signal.aborted) return gone();
    reportError(error, "a request failed");
    if (isDatabaseDown(error)) return unavailable();
    return c.text("Something went wrong. Try again in a moment.", 500, refusalHeaders(baseUrl));
  });
}
