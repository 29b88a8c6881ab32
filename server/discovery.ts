/** What machines read: sitemap, feeds, the catalog's API, and pages as Markdown. Cached and dropped like pages. */
import { STATUS_CODES } from "node:http";
import { Hono, type Context } from "hono";
import { cors } from "hono/cors";
import { db } from "../app/database.server.ts";
import { isDatabaseDown } from "../db/connection.server.ts";
import { reportError } from "../app/http/log.server.ts";
import { earliestEnd, NO_STORE, publicCache } from "../app/http/cache-headers.ts";
import { getProduct, listProducts } from "../shop/catalog/catalog.server.ts";
import { listShownColors } from "../shop/catalog/colors.server.ts";
import { listQuery, parseFilters, parsePage } from "../shop/catalog/filters.ts";
import { productResponse, type Problem } from "../shop/discovery/catalog-api.ts";
import { llmsText } from "../shop/discovery/llms.ts";
import { webManifest } from "../shop/discovery/manifest.ts";
import { openApi } from "../shop/discovery/openapi.ts";
import { catalogMarkdown, productMarkdown } from "../shop/discovery/product-markdown.ts";
import { robots } from "../shop/discovery/sitemap.ts";
import { textPages } from "../shop/discovery/text-pages.server.ts";
import type { PageCache, Place } from "./cache/page-cache.ts";
import { catalogFiles } from "./catalog-files.ts";
import { tooManyRequests, unavailable } from "./unavailable.ts";

export type Document = { type: string; text: string; validUntil?: Date | null; headers?: Record<string, string> };
export type Make = (c: Context) => Document | null | Promise<Document | null>;

const NOTHING_HERE = "There is nothing at this address. /api/openapi.json lists what there is.";
const DOWN = "The shop cannot reach its records. Try again in a moment.";
const EVERYTHING = parseFilters(new URLSearchParams());
export const isApi = (path: string) => path === "/api" || path.startsWith("/api/");
const readable = cors({ origin: "*", allowMethods: ["GET", "HEAD"], exposeHeaders: ["ETag"], maxAge: 86_400 });

/** `consumeRender` counts one rendering for the caller. It returns null, or the seconds to wait. */
export function discoveryRoutes(cache: PageCache, site: string, consumeRender: (c: Context) => number | null): Hono {
  const app = new Hono();

  /** Answers from the cache. What does not exist is passed on to the next handler. */
  const serve =
    (make: Make, placeOf = (c: Context): Place => ({ address: c.req.path, part: "fixed" })) =>
    async (c: Context, next: () => Promise<void>) => {
      const render = async () => {
        const made = await make(c);
        if (!made) return new Response(null, { status: 404 });
        const { type, text, validUntil = null, headers } = made;
        return new Response(text, {
          headers: { "Content-Type": `${type}; charset=utf-8`, ...publicCache(validUntil), ...headers },
        });
      };
      let wait: number | null = null;
      const response = await cache.respond(placeOf(c), c.req.raw, render, () => (wait = consumeRender(c)) === null);
      if (!response) return tooManyRequests(wait ?? 1, "text");
      return response.status === 404 ? next() : response;
    };

  const ofProduct = (c: Context): Place => ({ address: c.req.path, part: "products" });
  const markdown = (path: string, text: string, validUntil: Date | null = null): Document => ({
    type: "text/markdown",
    text: `${text}\n`,
    validUntil,
    headers: { Link: `<${site}${path}>; rel="canonical"` },
  });
  const json = (value: unknown, validUntil: Date | null = null): Document => ({
    type: "application/json",
    text: JSON.stringify(value),
    validUntil,
    headers: { "X-Robots-Tag": "noindex" },
  });

  app.get(
    "/robots.txt",
    serve(() => ({ type: "text/plain", text: robots(site) })),
  );
  app.get(
    "/site.webmanifest",
    serve(() => ({ type: "application/manifest+json", text: JSON.stringify(webManifest()) })),
  );
  app.route("/", catalogFiles(serve, site));
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
        return markdown("/shop", catalogMarkdown(list, page, site, new Date()), earliestEnd(list.products));
      },
      (c) => listPlace("/shop.md", listQuery(EVERYTHING, pageOf(c))),
    ),
  );
  app.get(
    "/product/:file{.+\\.md}",
    serve(async (c) => {
      const product = await getProduct(db, c.req.param("file")?.slice(0, -".md".length) ?? "");
      if (!product) return null;
      const text = productMarkdown(product, site, new Date());
      return markdown(`/product/${product.slug}`, text, earliestEnd([product]));
    }, ofProduct),
  );
  for (const page of textPages)
    app.get(
      `${page.path}.md`,
      serve(() => markdown(page.path, page.markdown(site))),
    );

  // Every error under /api is sent as a problem (RFC 9457), never as a page.
  app.use("/api/*", async (c, next) => {
    await next();
    const { status, headers } = c.res;
    const [, form] = /^text\/(html|plain)/.exec(headers.get("Content-Type") ?? "") ?? [];
    if (status < 400 || !form) return;
    const detail = form === "plain" ? await c.res.text() : status === 503 ? DOWN : NOTHING_HERE;
    const retryAfter = headers.get("Retry-After");
    // Otherwise Hono would keep the page's headers.
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
        const asked = new URL(c.req.url).searchParams;
        const filters = parseFilters(asked, await listShownColors(db));
        const { products, hasMore } = await listProducts(db, filters, parsePage(asked));
        const now = new Date();
        const list = json({ products: products.map((one) => productResponse(one, site, now)) }, earliestEnd(products));
        const next = `<${site}/api/products?${listQuery(filters, parsePage(asked) + 1)}>; rel="next"`;
        return hasMore ? { ...list, headers: { ...list.headers, Link: next } } : list;
      },
      (c) => {
        const asked = new URL(c.req.url).searchParams;
        return listPlace("/api/products", listQuery(parseFilters(asked), parsePage(asked)));
      },
    ),
  );
  app.get(
    "/api/products/:slug",
    serve(async (c) => {
      const product = await getProduct(db, c.req.param("slug") ?? "");
      return product && json(productResponse(product, site, new Date()), earliestEnd([product]));
    }, ofProduct),
  );
  app.get(
    "/api/openapi.json",
    serve(() => json(openApi(site))),
  );
  app.get("/api/products/:slug", (c) =>
    problem(c, 404, "There is no such product. /api/products lists what there is."),
  );

  app.onError((error, c) => {
    const isDown = isDatabaseDown(error);
    reportError(error, "a request failed");
    if (isApi(c.req.path) && !isDown) return problem(c, 500, "Something went wrong. Try again in a moment.");
    return isDown ? unavailable() : c.text("Something went wrong. Try again in a moment.", 500);
  });
  return app;
}

const listPlace = (path: string, query: URLSearchParams): Place =>
  query.size > 0 ? { address: `${path}?${query}`, part: "filtered" } : { address: path, part: "fixed" };

/** RFC 9457. */
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
