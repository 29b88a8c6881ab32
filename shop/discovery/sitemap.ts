/** What search engines should know: every page worth finding, with the day it last changed. */
import { element } from "./xml.ts";
import { textPages } from "./text-pages.server.ts";

/** A product as the sitemap knows it. */
export type Dated = { slug: string; updatedAt: Date; earlyBirdEndDate: Date | null };

export function sitemap(products: readonly Dated[], site: string, now: Date): string {
  const dated = products.map((product) => ({
    path: `/product/${product.slug}`,
    updated: lastChange(product, now).toISOString(),
  }));
  // Home and the shop show the products.
  const newest =
    dated
      .map(({ updated }) => updated)
      .toSorted()
      .at(-1) ?? now.toISOString();
  const pages = [
    { path: "/", updated: newest },
    { path: "/shop", updated: newest },
    ...dated,
    ...textPages.map(({ path, updated }) => ({ path, updated })),
  ];
  const urls = pages.map(({ path, updated }) =>
    element("url", [element("loc", site + path), element("lastmod", updated)]),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join("\n")}\n</urlset>\n`;
}

/** The end of an early-bird price changes a page, although nobody touches the product. */
function lastChange({ updatedAt, earlyBirdEndDate }: Dated, now: Date): Date {
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
