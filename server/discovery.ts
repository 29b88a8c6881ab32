/** Routes for machines: sitemap, feeds, the catalog API and pages as Markdown, cached like pages. */
import { STATUS_CODES } from "node:http";
import { Hono, type Context, type Handler } from "hono";
import { cors } from "hono/cors";
import { db } from "#platform/database.server.ts";
import { isDatabaseDown } from "#db/connection.server.ts";
import { reportError } from "#platform/log.server.ts";
import { earliestEnd, NO_STORE, publicCache } from "#platform/cache-headers.ts";
import { getProduct, listFeedProducts, listProductDates, listProducts } from "#shop/catalog/catalog.server.ts";
import { listShownColors } from "#shop/catalog/colors.server.ts";
import { listQuery, parseFilters, parsePage } from "#shop/catalog/filters.ts";
import { clock } from "#shop/clock.ts";
import { openApi, type Problem, productResponse } from "#shop/discovery/catalog-api.ts";
import { googleFeed, robots, sitemap, webManifest } from "#shop/discovery/site-files.ts";
import { catalogMarkdown, llmsText, productMarkdown } from "#shop/discovery/markdown.ts";
import { textPages } from "#shop/discovery/text-pages.server.ts";
import type { PageCache, Place } from "./cache/page-cache.ts";
import { listPlace } from "./cache/public-pages.ts";
import { tooManyRequests, unavailable } from "./unavailable.ts";

type Document = { type: string; text: string; validUntil?: Date | null; headers?: Record<string, string> };
type Make = (c: Context) => Document | null | Promise<Document | null>;

const NOTHING_HERE = "There is nothing at this address. /api/openapi.json lists what there is.";
const DOWN = "The shop can’t reach its records right now. Try again in a moment.";
const NOINDEX = { "X-Robots-Tag": "noindex" };
const EVERYTHING = parseFilters(new URLSearchParams());
export const isApi = (path: string) => path === "/api" || path.startsWith("/api/");
const readable = cors({ origin: "*", allowMethods: ["GET", "HEAD"], exposeHeaders: ["ETag"], maxAge: 86_400 });

type Serve = (make: Make, placeOf?: (c: Context) => Place) => Handler;

const ofProduct = (c: Context): Place => ({ address: c.req.path, part: "products" });
const json = (value: unknown, validUntil: Date | null = null): Document => ({
  type: "application/json",
  text: JSON.stringify(value),
  validUntil,
  headers: NOINDEX,
});

/** `consumeRender` consumes the caller's limit of renders. It returns null, or the seconds to wait. */
export function discoveryRoutes(cache: PageCache, site: string, consumeRender: (c: Context) => number | null): Hono {
  const app = new Hono();

  /** Answers from the cache, or calls the next handler for a 404. */
  const serve: Serve =
    (make, placeOf = (c) => ({ address: c.req.path, part: "fixed" })) =>
    async (c, next) => {
      const render = async () => {
        const document = await make(c);
        if (!document) return new Response(null, { status: 404 });
        const { type, text, validUntil = null, headers } = document;
        return new Response(text, {
          headers: { "Content-Type": `${type}; charset=utf-8`, ...publicCache(validUntil), ...headers },
        });
      };
      let wait: number | null = null;
      const response = await cache.respond(placeOf(c), c.req.raw, render, () => (wait = consumeRender(c)) === null);
      if (!response) return tooManyRequests(wait ?? 1, "text");
      return response.status === 404 ? next() : response;
    };

  const markdown = (path: string, text: string, validUntil: Date | null = null): Document => ({
    type: "text/markdown",
    text: `${text}\n`,
    validUntil,
    headers: { Link: `<${site}${path}>; rel="canonical"` },
  });
  app.get(
    "/robots.txt",
    serve(() => ({ type: "text/plain", text: robots(site) })),
  );
  app.get(
    "/site.webmanifest",
    serve(() => ({ type: "application/manifest+json", text: JSON.stringify(webManifest()) })),
  );
  const xml = (text: string, products: ReadonlyArray<{ earlyBirdEndDate: Date | null }>): Document => ({
    type: "application/xml",
    text,
    validUntil: earliestEnd(products),
  });
  app.get(
    "/sitemap.xml",
    serve(async () => {
      const products = await listProductDates(db);
      return xml(sitemap(products, site, clock.now()), products);
    }),
  );
  app.get(
    "/feeds/google.xml",
    serve(async () => {
      const products = await listFeedProducts(db);
      return { ...xml(googleFeed(products, site, clock.now()), products), headers: NOINDEX };
    }),
  );
  app.get(
    "/llms.txt",
    serve(async () => ({ type: "text/plain", text: llmsText((await listProducts(db, EVERYTHING)).products, site) })),
  );

  const pageOf = (c: Context) => parsePage(new URL(c.req.url).searchParams);
  app.get(
    "/shop.md",
    serve(
      async (c) => {
        const page = pageOf(c);
        const list = await listProducts(db, EVERYTHING, page);
        if (list.products.length === 0 && page > 1) return null;
        return markdown("/shop", catalogMarkdown(list, page, site, clock.now()), earliestEnd(list.products));
      },
      (c) => listPlace("/shop.md", listQuery(EVERYTHING, pageOf(c))),
    ),
  );
  app.get(
    "/product/:file{.+\\.md}",
    serve(async (c) => {
      const product = await getProduct(db, c.req.param("file")?.slice(0, -".md".length) ?? "");
      if (!product) return null;
      const text = productMarkdown(product, site, clock.now());
      return markdown(`/product/${product.slug}`, text, earliestEnd([product]));
    }, ofProduct),
  );
  // Staff add posts while the shop runs.
  app.get("/:page{.+\\.md}", (c, next) => {
    const page = textPages().find(({ path }) => `${path}.md` === c.req.path);
    return page ? serve(() => markdown(page.path, page.markdown(site)))(c, next) : next();
  });

  addApi(app, serve, site);
  app.onError((error, c) => {
    const isDown = isDatabaseDown(error);
    reportError(error, "a request failed");
    if (isApi(c.req.path) && !isDown) return problem(c, 500, "Something went wrong. Try again in a moment.");
    return isDown ? unavailable() : c.text("Something went wrong. Try again in a moment.", 500);
  });
  return app;
}

function addApi(app: Hono, serve: Serve, site: string): void {
  // Errors under /api are problem documents (RFC 9457).
  app.use("/api/*", async (c, next) => {
    await next();
    const { status, headers } = c.res;
    const [, form] = /^text\/(html|plain)/.exec(headers.get("Content-Type") ?? "") ?? [];
    if (status < 400 || !form) return;
    // Answers from a page may be compressed.
    const isText = form === "plain" && !headers.has("Content-Encoding");
    const detail = isText ? await c.res.text() : status >= 500 ? DOWN : NOTHING_HERE;
    const retryAfter = headers.get("Retry-After");
    // Hono would otherwise keep the page's headers.
    c.res = undefined;
    c.res = problem(c, status, detail, retryAfter ? { "Retry-After": retryAfter } : {});
  });
  for (const path of ["/api/products", "/api/products/:slug", "/api/openapi.json"]) {
    app.use(path, readable);
    app.on(["POST", "PUT", "PATCH", "DELETE"], path, (c) =>
      problem(c, 405, "The catalog can be read, with GET or HEAD.", { Allow: "GET, HEAD" }),
    );
  }
  app.get(
    "/api/products",
    serve(
      async (c) => {
        const parameters = new URL(c.req.url).searchParams;
        const filters = parseFilters(parameters, await listShownColors(db));
        const { products, hasMore, nextEarlyBirdEnd } = await listProducts(db, filters, parsePage(parameters));
        const now = clock.now();
        const list = json(
          { products: products.map((one) => productResponse(one, site, now)) },
          earliestEnd([...products, { earlyBirdEndDate: nextEarlyBirdEnd }]),
        );
        const next = `<${site}/api/products?${listQuery(filters, parsePage(parameters) + 1)}>; rel="next"`;
        return hasMore ? { ...list, headers: { ...list.headers, Link: next } } : list;
      },
      (c) => {
        const parameters = new URL(c.req.url).searchParams;
        return listPlace("/api/products", listQuery(parseFilters(parameters), parsePage(parameters)));
      },
    ),
  );
  app.get(
    "/api/products/:slug",
    serve(async (c) => {
      const product = await getProduct(db, c.req.param("slug") ?? "");
      return product && json(productResponse(product, site, clock.now()), earliestEnd([product]));
    }, ofProduct),
  );
  app.get(
    "/api/openapi.json",
    serve(() => json(openApi(site))),
  );
  app.get("/api/products/:slug", (c) =>
    problem(c, 404, "There is no such product. /api/products lists what there is."),
  );
}

export function problem(c: Context, status: number, detail: string, headers: Record<string, string> = {}): Response {
  const response: Problem = {
    type: "about:blank",
    title: STATUS_CODES[status] ?? "",
    status,
    detail,
    instance: c.req.path,
  };
  return new Response(JSON.stringify(response), {
    status,
    headers: { "Content-Type": "application/problem+json", ...NO_STORE, ...headers },
  });
}
