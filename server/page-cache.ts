/**
 * Keeps rendered public pages ready to send: compressed, with an ETag, for as long as their own
 * Cache-Control allows. It knows nothing of what a page shows; `drop` forgets them all.
 */
import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const MOST_PAGES = 500;

type Bytes = Buffer<ArrayBuffer>;

/** On this thread: handing a page this small to another one costs more than it saves. */
const encoders = {
  br: (html: Bytes) =>
    brotliCompressSync(html, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: html.length },
    }),
  gzip: (html: Bytes) => gzipSync(html),
  identity: (html: Bytes) => html,
};

type Encoding = keyof typeof encoders;

type Page = {
  status: number;
  headers: Headers;
  etag: string;
  html: Bytes;
  /** Ready to send, made for the first who asks for it so. */
  ready: Partial<Record<Encoding, { headers: Record<string, string>; body: Bytes }>>;
  /** Milliseconds since 1970. */
  freshUntil: number;
  staleUntil: number;
};

type Render = () => Promise<Response>;

const seconds = (header: string, name: string) => Number(new RegExp(`(?:^|[ ,])${name}=(\\d+)`).exec(header)?.[1] ?? 0);

export class PageCache {
  #pages = new Map<string, Page>();
  #rendering = new Map<string, Promise<Page>>();
  #generation = 0;
  /** Set while changes of the catalog cannot be heard: then nothing is kept. */
  deaf = true;

  /** Forgets every page, also those being rendered from what was read before. */
  drop(): void {
    this.#generation++;
    this.#pages.clear();
    this.#rendering.clear();
  }

  get size(): number {
    return this.#pages.size;
  }

  /** The page under `key`, from memory where it is fresh; one rendering serves all who wait for it. */
  async answer(key: string, request: Request, render: Render): Promise<Response> {
    const now = Date.now();
    const kept = this.#pages.get(key);
    if (kept && now < kept.freshUntil) return send(kept, request);
    if (kept && now < kept.staleUntil) {
      this.#render(key, render).catch(() => {});
      return send(kept, request);
    }
    return send(await this.#render(key, render), request);
  }

  #render(key: string, render: Render): Promise<Page> {
    const underway = this.#rendering.get(key);
    if (underway) return underway;
    const generation = this.#generation;
    const rendering = render()
      .then(async (response) => {
        const control = response.headers.get("Cache-Control") ?? "";
        const fresh = seconds(control, "s-maxage");
        const page = await complete(response, fresh, seconds(control, "stale-while-revalidate"));
        const mayKeep = page.status === 200 && fresh > 0;
        if (mayKeep && generation === this.#generation && !this.deaf) this.#keep(key, page);
        return page;
      })
      .finally(() => {
        if (this.#rendering.get(key) === rendering) this.#rendering.delete(key);
      });
    this.#rendering.set(key, rendering);
    return rendering;
  }

  #keep(key: string, page: Page): void {
    this.#pages.delete(key);
    this.#pages.set(key, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MOST_PAGES && oldest !== undefined) this.#pages.delete(oldest);
  }
}

async function complete(response: Response, fresh: number, stale: number): Promise<Page> {
  const html = Buffer.from(await response.arrayBuffer());
  const now = Date.now();
  return {
    status: response.status,
    headers: response.headers,
    etag: createHash("sha256").update(html).digest("base64url").slice(0, 22),
    html,
    ready: {},
    freshUntil: now + fresh * 1000,
    staleUntil: now + (fresh + stale) * 1000,
  };
}

function send(page: Page, request: Request): Response {
  const accepted = request.headers.get("Accept-Encoding") ?? "";
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : "identity";
  const { headers, body } = (page.ready[encoding] ??= readied(page, encoding));
  const { etag = "", ...rest } = headers;
  if (page.status === 200 && request.headers.get("If-None-Match")?.includes(etag)) {
    const { "content-length": _, "content-encoding": __, ...known } = rest;
    return new Response(null, { status: 304, headers: { ...known, etag } });
  }
  return new Response(request.method === "HEAD" ? null : body, { status: page.status, headers });
}

function readied(page: Page, encoding: Encoding): { headers: Record<string, string>; body: Bytes } {
  const body = encoders[encoding](page.html);
  const headers = new Headers(page.headers);
  headers.set("ETag", `"${page.etag}-${encoding}"`);
  headers.set("Vary", "Accept-Encoding");
  if (encoding !== "identity") headers.set("Content-Encoding", encoding);
  headers.set("Content-Length", String(body.length));
  return { headers: Object.fromEntries(headers), body };
}
