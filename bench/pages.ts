/** How fast a public page is answered: from the cache, rendered, and beside a bare Hono answer. */
import { brotliCompressSync, constants } from "node:zlib";
import { Client } from "pg";
import { freshDatabase, type Bench } from "./databases.ts";
import { load, type Load } from "./load.ts";
import { serve, serveShop, type Served } from "./processes.ts";
import { atMost, compared, median, round, type Row } from "./report.ts";

const PAGE = "/product/polara-pro-earth-green";
const BR = { "Accept-Encoding": "br" };
const ROUNDS = 5;
const CACHED_AMOUNT = 4_000;
const UNCACHED_AMOUNT = 300;
/** More than the page cache keeps, so that walking through them in a circle never meets a kept page. */
const COPIES = 700;

export async function pages(bench: Bench): Promise<Row[]> {
  const { url, drop } = await freshDatabase(bench);
  await addCopies(url);
  const shop = await serveShop({ DATABASE_URL: url });
  const html = await bytesOf(shop.url + PAGE, { "Accept-Encoding": "identity" });
  const small = await bareHono(await transferred(shop.url + PAGE));
  const large = await bareHono(html.length);

  const runs = { small: [] as Load[], br: [] as Load[], large: [] as Load[], identity: [] as Load[] };
  const rendered: Load[] = [];
  let copy = 0;
  const nextCopy = () => ({ path: `${PAGE}-${copy++ % COPIES}` });
  await load(shop, { headers: BR, amount: UNCACHED_AMOUNT, next: nextCopy });
  for (let i = 0; i < ROUNDS; i++) {
    runs.small.push(await load(small, { amount: CACHED_AMOUNT }));
    runs.br.push(await load(shop, { path: PAGE, headers: BR, amount: CACHED_AMOUNT }));
    runs.large.push(await load(large, { amount: CACHED_AMOUNT }));
    runs.identity.push(await load(shop, { path: PAGE, amount: CACHED_AMOUNT }));
    rendered.push(await load(shop, { headers: BR, connections: 8, amount: UNCACHED_AMOUNT, next: nextCopy }));
  }
  await Promise.all([shop.stop(), small.stop(), large.stop()]);
  await drop();

  const rate = (loads: Load[]) => median(loads.map((l) => l.perSecond));
  const cpu = (loads: Load[]) => median(loads.map((l) => l.cpuMsEach));
  const ratio = (a: Load[], b: Load[]) => median(a.map((l, i) => l.perSecond / (b[i]?.perSecond ?? NaN)));
  const each = (what: string, loads: Load[]): Row => ({
    what,
    figures: [`${round(rate(loads))} a second, ${round(cpu(loads), 3)} ms CPU`],
  });
  const compressing = compressionMs(html);
  return [
    each("product page from the cache, brotli", runs.br),
    each("  bare Hono, the same size", runs.small),
    atMost("  bare Hono is faster by", ratio(runs.small, runs.br), 2, { unit: "times", digits: 2 }),
    each("product page from the cache, uncompressed", runs.identity),
    each("  bare Hono, the same size", runs.large),
    atMost("  bare Hono is faster by", ratio(runs.large, runs.identity), 2, { unit: "times", digits: 2 }),
    each("product page rendered, over HTTP", rendered),
    atMost("  CPU of its process, all threads, without compressing", cpu(rendered) - compressing, 3, {
      unit: "ms",
      digits: 2,
    }),
    compared("  CPU to compress it, once each rendering", compressing, { unit: "ms", digits: 2 }),
    compared("  bare Hono is faster by", ratio(runs.small, rendered), { unit: "times", digits: 1 }),
  ];
}

const bareHono = (bytes: number): Promise<Served> =>
  serve(process.execPath, ["bench/bare.ts"], { env: { BYTES: String(bytes) } });

async function bytesOf(url: string, headers: Record<string, string>): Promise<Buffer> {
  return Buffer.from(await (await fetch(url, { headers })).arrayBuffer());
}

async function transferred(url: string): Promise<number> {
  return Number((await fetch(url, { headers: BR })).headers.get("Content-Length"));
}

/** The Pro in its three colors many times over, each time in a category of its own: so every page costs what the real one does. */
async function addCopies(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("ALTER TABLE products DROP CONSTRAINT products_category");
  await client.query(
    `INSERT INTO products (name, slug, short_description, description, price, compare_at_price, early_bird_price,
       early_bird_end_date, thumbnail, images, specs, color_variant, category, created_at)
     SELECT name, slug || '-' || n, short_description, description, price, compare_at_price, early_bird_price,
       early_bird_end_date, thumbnail, images, specs, color_variant, category || ' ' || n, created_at
     FROM products, generate_series(0, ${COPIES - 1}) AS n WHERE category = 'Pro'`,
  );
  await client.query("ANALYZE products");
  await client.end();
}

/** What server/cache/page-cache.ts does to a rendered page for a browser that takes Brotli. */
function compressionMs(html: Buffer): number {
  const times = Array.from({ length: 30 }, () => {
    const began = performance.now();
    brotliCompressSync(html, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: html.length },
    });
    return performance.now() - began;
  });
  return median(times);
}
