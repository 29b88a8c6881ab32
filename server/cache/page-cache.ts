/** The page cache: rendered public pages, compressed, with an ETag, for as long as their Cache-Control allows. */
import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import { clock } from "#shop/clock.ts";

/** Separate sections: a crawl of all filters or products evicts nothing else. */
const MAX_PAGES = { fixed: 200, products: 300, filtered: 100 };

type Bytes = Buffer<ArrayBuffer>;

/** Synchronous, since a page is too small to be worth a worker thread. */
const encoders = {
  br: (html: Bytes) => brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (html: Bytes) => gzipSync(html),
  identity: (html: Bytes) => html,
};

type Encoding = keyof typeof encoders;
type Encoded = { headers: Record<string, string>; body: Bytes };

type Page = {
  status: number;
  headers: Headers;
  etag: string;
  html: Bytes;
  encodings: Partial<Record<Encoding, Encoded>>;
  freshUntil: number;
  staleUntil: number;
};

export type Place = { address: string; part: keyof typeof MAX_PAGES };

type Render = () => Promise<Response>;
type MayRender = () => boolean;

const seconds = (header: string, name: string) => Number(new RegExp(`(?:^|[ ,])${name}=(\\d+)`).exec(header)?.[1] ?? 0);

export class PageCache {
  #parts = {
    fixed: new LRUCache<string, Page>({ max: MAX_PAGES.fixed }),
    products: new LRUCache<string, Page>({ max: MAX_PAGES.products }),
    filtered: new LRUCache<string, Page>({ max: MAX_PAGES.filtered }),
  };
  #rendering = new Map<string, Promise<Page>>();
  #generation = 0;
  /** True while change notifications cannot arrive; nothing is cached then. */
  isDisconnected = true;

  /** Drops every page, including renders in progress, which may have read older data. */
  drop(): void {
    this.#generation++;
    for (const pages of Object.values(this.#parts)) pages.clear();
    this.#rendering.clear();
  }

  /**
   * The page from the cache, or a render shared by simultaneous requests. Null if it needs a render and `mayRender`
   * refuses.
   */
  async respond(place: Place, request: Request, render: Render, mayRender: MayRender): Promise<Response | null> {
    const { address } = place;
    const now = clock.now().getTime();
    const cached = this.#parts[place.part].get(address);
    const underway = this.#rendering.get(address);
    if (cached && now < cached.staleUntil) {
      if (now >= cached.freshUntil && !underway && mayRender()) this.#render(place, render).catch(() => {});
      return send(cached, request);
    }
    if (underway) return send(await underway, request);
    return mayRender() ? send(await this.#render(place, render), request) : null;
  }

  #render(place: Place, render: Render): Promise<Page> {
    const { address, part } = place;
    const generation = this.#generation;
    // Age counts from the read of the data, not from the end of the render.
    const began = clock.now().getTime();
    const rendering = render()
      .then(async (response) => {
        const page = await complete(response, began);
        const isCacheable = page.status === 200 && page.freshUntil > began;
        if (isCacheable && generation === this.#generation && !this.isDisconnected)
          this.#parts[part].set(address, page);
        return page;
      })
      .finally(() => {
        if (this.#rendering.get(address) === rendering) this.#rendering.delete(address);
      });
    this.#rendering.set(address, rendering);
    return rendering;
  }
}

async function complete(response: Response, began: number): Promise<Page> {
  const html = Buffer.from(await response.arrayBuffer());
  const control = response.headers.get("Cache-Control") ?? "";
  const freshUntil = began + seconds(control, "s-maxage") * 1000;
  return {
    status: response.status,
    headers: response.headers,
    etag: createHash("sha256").update(html).digest("base64url").slice(0, 22),
    html,
    encodings: {},
    freshUntil,
    staleUntil: freshUntil + seconds(control, "stale-while-revalidate") * 1000,
  };
}

function send(page: Page, request: Request): Response {
  const accepted = request.headers.get("Accept-Encoding") ?? "";
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : "identity";
  const { headers, body } = (page.encodings[encoding] ??= encode(page, encoding));
  const { etag = "", ...rest } = headers;
  if (page.status === 200 && request.headers.get("If-None-Match")?.includes(etag)) {
    const { "content-length": _, "content-encoding": __, ...known } = rest;
    return new Response(null, { status: 304, headers: { ...known, etag } });
  }
  return new Response(request.method === "HEAD" ? null : body, { status: page.status, headers });
}

function encode(page: Page, encoding: Encoding): Encoded {
  const body = encoders[encoding](page.html);
  const headers = new Headers(page.headers);
  headers.set("ETag", `"${page.etag}-${encoding}"`);
  headers.set("Vary", "Accept-Encoding");
  if (encoding !== "identity") headers.set("Content-Encoding", encoding);
  headers.set("Content-Length", String(body.length));
  return { headers: Object.fromEntries(headers), body };
}
