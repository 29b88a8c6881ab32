/**
 * Keeps rendered public pages ready to send: compressed, with an ETag, for as long as their own
 * Cache-Control allows. It knows nothing of what a page shows; `drop` forgets them all. lru-cache holds the pages; fetching
 * is done here, because a rendering that was dropped still answers who waits for it and is then not kept.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzipSync } from "node:zlib";
import { LRUCache } from "lru-cache";

/**
 * A new page only pushes out pages of its own part, so that a walk through all filters or products leaves the others
 * alone. `fixed` holds the pages whose number the shop's own texts decide.
 */
const MAX_PAGES = { fixed: 200, products: 300, filtered: 100 };

type Bytes = Buffer<ArrayBuffer>;

const brotli = (quality: number, { length }: Bytes) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: length },
});

/** Compressed on this thread: handing a page this small to another one costs more than it saves. */
const encoders = {
  br: (html: Bytes) => brotliCompressSync(html, brotli(5, html)),
  gzip: (html: Bytes) => gzipSync(html),
  identity: (html: Bytes) => html,
};

type Encoding = keyof typeof encoders;

/** A tenth smaller, and fifty times the work: 0.1 s, beside what answers. */
const compressWell = async (html: Bytes): Promise<Bytes> => promisify(brotliCompress)(html, brotli(10, html));

type Page = {
  status: number;
  headers: Headers;
  etag: string;
  html: Bytes;
  /** In Brotli, once somebody has asked for it again. Nobody asks for a range, so its ETag is that of the quick one. */
  compressedWell?: Bytes;
  /** The encoded responses, each made when it is first asked for. */
  encodings: Partial<Record<Encoding, { headers: Record<string, string>; body: Bytes }>>;
  /** Milliseconds since 1970. */
  freshUntil: number;
  staleUntil: number;
};

export type Place = { address: string; part: keyof typeof MAX_PAGES };

type Render = () => Promise<Response>;
/** Whether the caller may have a page rendered now. Each call counts against their limit. */
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
  /** Pages compressed well, one after the other. */
  #compressing = Promise.resolve();
  #willCompress = new WeakSet<Page>();
  /** True while changes of the catalog cannot be received. Then nothing is cached. */
  isDisconnected = true;

  /** Drops every page, also those that are being rendered from older data. */
  drop(): void {
    this.#generation++;
    for (const pages of Object.values(this.#parts)) pages.clear();
    this.#rendering.clear();
  }

  /**
   * The page of a place, from memory where it is fresh. Requests that wait for the same page share one rendering. Null
   * where it has to be rendered and `mayRender` says no.
   */
  async respond(place: Place, request: Request, render: Render, mayRender: MayRender): Promise<Response | null> {
    const { address } = place;
    const pages = this.#parts[place.part];
    const now = Date.now();
    const kept = pages.get(address);
    if (kept && now < kept.staleUntil) {
      if (now >= kept.freshUntil && !this.#rendering.has(address) && mayRender())
        this.#render(place, render).catch(() => {});
      if (kept.encodings.br) this.#compressWell(place, kept);
      return send(kept, request);
    }
    const underway = this.#rendering.get(address);
    if (underway) return send(await underway, request);
    return mayRender() ? send(await this.#render(place, render), request) : null;
  }

  #render(place: Place, render: Render): Promise<Page> {
    const { address } = place;
    const generation = this.#generation;
    // The page is fresh from when its data were read, not from when it was finished.
    const began = Date.now();
    const rendering = render()
      .then(async (response) => {
        const control = response.headers.get("Cache-Control") ?? "";
        const fresh = seconds(control, "s-maxage");
        const page = await complete(response, began, fresh, seconds(control, "stale-while-revalidate"));
        const before = this.#parts[place.part].peek(address);
        // Most are the same a minute later.
        if (before?.etag === page.etag) page.compressedWell = before.compressedWell;
        const mayKeep = page.status === 200 && fresh > 0;
        if (mayKeep && generation === this.#generation && !this.isDisconnected)
          this.#parts[place.part].set(address, page);
        return page;
      })
      .finally(() => {
        if (this.#rendering.get(address) === rendering) this.#rendering.delete(address);
      });
    this.#rendering.set(address, rendering);
    return rendering;
  }

  #compressWell({ address, part }: Place, page: Page): void {
    if (page.compressedWell || this.#willCompress.has(page)) return;
    this.#willCompress.add(page);
    this.#compressing = this.#compressing
      .then(async () => {
        if (this.#parts[part].peek(address) !== page) return;
        page.compressedWell = await compressWell(page.html);
        delete page.encodings.br;
      })
      // The quick one stays.
      .catch(() => {});
  }
}

async function complete(response: Response, began: number, fresh: number, stale: number): Promise<Page> {
  const html = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: response.headers,
    etag: createHash("sha256").update(html).digest("base64url").slice(0, 22),
    html,
    encodings: {},
    freshUntil: began + fresh * 1000,
    staleUntil: began + (fresh + stale) * 1000,
  };
}

function send(page: Page, request: Request): Response {
  const accepted = request.headers.get("Accept-Encoding") ?? "";
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : "identity";
  const { headers, body } = (page.encodings[encoding] ??= encoded(page, encoding));
  const { etag = "", ...rest } = headers;
  if (page.status === 200 && request.headers.get("If-None-Match")?.includes(etag)) {
    const { "content-length": _, "content-encoding": __, ...known } = rest;
    return new Response(null, { status: 304, headers: { ...known, etag } });
  }
  return new Response(request.method === "HEAD" ? null : body, { status: page.status, headers });
}

function encoded(page: Page, encoding: Encoding): { headers: Record<string, string>; body: Bytes } {
  const body = (encoding === "br" && page.compressedWell) || encoders[encoding](page.html);
  const headers = new Headers(page.headers);
  headers.set("ETag", `"${page.etag}-${encoding}"`);
  headers.set("Vary", "Accept-Encoding");
  if (encoding !== "identity") headers.set("Content-Encoding", encoding);
  headers.set("Content-Length", String(body.length));
  return { headers: Object.fromEntries(headers), body };
}
