/** Sitemap and feed: the files that list every product, however many there are, and never hold more than a part of them. */
import { ReadableStream, TextEncoderStream } from "node:stream/web";
import { Hono, type Context, type Handler } from "hono";
import { db } from "../app/database.server.ts";
import { earliestEnd, NO_STORE } from "../app/http/cache-headers.ts";
import { countProducts, listProductDates, listProductsAfter } from "../shop/catalog/catalog.server.ts";
import { FEED_END, feedItems, feedStart } from "../shop/discovery/google-feed.ts";
import { sitemap, SITEMAP_SIZE, sitemapIndex, sitemapPart } from "../shop/discovery/sitemap.ts";
import type { Place } from "./cache/page-cache.ts";
import type { Document, Make } from "./discovery.ts";

/** How many products the feed reads at a time. Up to so many it is kept ready; of more it is made while it is sent. */
const FEED_BATCH = 500;
const NOINDEX = { "X-Robots-Tag": "noindex" };

/** `serve` answers from the cache, and passes on what does not exist. */
export function catalogFiles(serve: (make: Make, placeOf?: (c: Context) => Place) => Handler, site: string): Hono {
  const app = new Hono();
  const xml = (text: string, products: ReadonlyArray<{ earlyBirdEndDate: Date | null }> = []): Document => ({
    type: "application/xml",
    text,
    validUntil: earliestEnd(products),
  });

  app.get(
    "/sitemap.xml",
    serve(async () => {
      const count = await countProducts(db);
      if (count > SITEMAP_SIZE) return xml(sitemapIndex(count, site));
      const products = await listProductDates(db, 0, SITEMAP_SIZE);
      return xml(sitemap(products, site, new Date()), products);
    }),
  );
  app.get(
    "/:part{sitemap-[1-9][0-9]{0,4}\\.xml}",
    serve(
      async (c) => {
        const part = Number(/\d+/.exec(c.req.path)?.[0]);
        const products = await listProductDates(db, (part - 1) * SITEMAP_SIZE, SITEMAP_SIZE);
        return products.length > 0 ? xml(sitemapPart(part, products, site, new Date()), products) : null;
      },
      (c) => ({ address: c.req.path, part: "filtered" }),
    ),
  );

  app.get(
    "/feeds/google.xml",
    serve(async () => {
      const products = await listProductsAfter(db, "", FEED_BATCH + 1);
      if (products.length > FEED_BATCH) return null;
      const text = feedStart(site) + feedItems(products, site, new Date()) + FEED_END;
      return { ...xml(text, products), headers: NOINDEX };
    }),
    () =>
      new Response(ReadableStream.from(wholeFeed(site)).pipeThrough(new TextEncoderStream()) as BodyInit, {
        headers: { "Content-Type": "application/xml; charset=utf-8", ...NO_STORE, ...NOINDEX },
      }),
  );
  return app;
}

/** The feed of any number of products, a batch at a time, as fast as it is read. */
async function* wholeFeed(site: string): AsyncGenerator<string> {
  yield feedStart(site);
  let products = await listProductsAfter(db, "", FEED_BATCH);
  while (products.length > 0) {
    yield feedItems(products, site, new Date());
    products = await listProductsAfter(db, products.at(-1)?.slug ?? "", FEED_BATCH);
  }
  yield FEED_END;
}
