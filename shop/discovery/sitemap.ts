/** What search engines should know: every page worth finding, with the day it last changed. */
import type { ProductDates } from "../catalog/catalog.server.ts";
import { element } from "./xml.ts";
import { textPages } from "./text-pages.server.ts";

/** How many products one file lists; search engines take 50,000 addresses, and 50 MB. */
export const SITEMAP_SIZE = 10_000;

type Entry = { path: string; updated: string | null };

const file = (root: string, entry: string, entries: readonly Entry[], site: string) => {
  const lines = entries.map(({ path, updated }) =>
    element(entry, [element("loc", site + path), updated && element("lastmod", updated)]),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join("\n")}\n</${root}>\n`;
};

const dated = (products: readonly ProductDates[], now: Date) =>
  products.map((product) => ({ path: `/product/${product.slug}`, updated: lastChange(product, now).toISOString() }));

/** Every page but those of products; home and the shop show the products, and change with the `newest` where it is known. */
const others = (newest: string | null): Entry[] => [
  { path: "/", updated: newest },
  { path: "/shop", updated: newest },
  ...textPages.map(({ path, updated }) => ({ path, updated })),
];

/** The whole shop in one file. */
export function sitemap(products: readonly ProductDates[], site: string, now: Date): string {
  const entries = dated(products, now);
  const newest =
    entries
      .map(({ updated }) => updated)
      .toSorted()
      .at(-1) ?? now.toISOString();
  return file("urlset", "url", [...others(newest), ...entries], site);
}

/** Where the parts are, of a shop with more products than one file lists. */
export function sitemapIndex(count: number, site: string): string {
  const parts = Array.from({ length: Math.ceil(count / SITEMAP_SIZE) }, (_, i) => `/sitemap-${i + 1}.xml`);
  return file(
    "sitemapindex",
    "sitemap",
    parts.map((path) => ({ path, updated: null })),
    site,
  );
}

/** One of the parts, counted from 1; the first has the other pages too. */
export function sitemapPart(part: number, products: readonly ProductDates[], site: string, now: Date): string {
  return file("urlset", "url", [...(part === 1 ? others(null) : []), ...dated(products, now)], site);
}

/** The end of an early-bird price changes a page, although nobody touches the product. */
function lastChange({ updatedAt, earlyBirdEndDate }: ProductDates, now: Date): Date {
  return earlyBirdEndDate && earlyBirdEndDate > updatedAt && earlyBirdEndDate <= now ? earlyBirdEndDate : updatedAt;
}

export function robots(site: string): string {
  return `# Everything worth finding is open. What is personal says noindex by itself.
User-agent: *
Allow: /
Disallow: /personal
Disallow: /*.data$

Sitemap: ${site}/sitemap.xml
`;
}
