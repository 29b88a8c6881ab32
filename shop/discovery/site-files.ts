/** Files for search engines and browsers: sitemap, robots.txt, Google's product feed and the web app manifest. */
import { brand } from "#shop/brand.ts";
import type { FeedProduct, ProductDates } from "#shop/catalog/catalog.server.ts";
import { priceOf } from "#shop/catalog/product.ts";
import { publicAvailability } from "#shop/catalog/stock.ts";
import { decimalMoney } from "#shop/money.ts";
import { deliveries } from "#shop/shipping/methods.ts";
import { settings } from "#shop/settings/settings.server.ts";
import { textPages } from "./text-pages.server.ts";

/** Every indexable page with the day of its last change, for up to 50,000 products. Home and shop change with the newest. */
export function sitemap(products: readonly ProductDates[], site: string, now: Date): string {
  const dated = products.map((product) => ({
    path: `/product/${product.slug}`,
    updated: lastChange(product, now).toISOString(),
  }));
  const updated = dated.reduce((newest, one) => (one.updated > newest ? one.updated : newest), "") || now.toISOString();
  const entries = [{ path: "/", updated }, { path: "/shop", updated }, ...textPages(), ...dated].map((entry) =>
    element("url", [element("loc", site + entry.path), element("lastmod", entry.updated)]),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("\n")}\n</urlset>\n`;
}

/** The end of an early-bird price changes a page without an edit. */
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

const MORE_PICTURES = 10;

/** The catalog as a Google Merchant Center feed (RSS 2.0). Google refuses products without a picture, so they are left out. */
export function googleFeed(products: readonly FeedProduct[], site: string, now: Date): string {
  const channel = element("channel", [
    element("title", brand.name),
    element("link", `${site}/`),
    element("description", brand.tagline),
    ...products.filter(({ images }) => images.length > 0).map((product) => item(product, site, now)),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n${channel}\n</rss>\n`;
}

const dollars = (cents: number) => `${decimalMoney(cents)} USD`;
/** Truncated to the minute, so that an offer never ends too late. */
const minute = (time: Date) => `${time.toISOString().slice(0, 16)}+0000`;

function item(product: FeedProduct, site: string, now: Date): string {
  const { name, slug, shortDescription, description, colorVariant, category, images, specs, createdAt } = product;
  const { priceCents, earlyBird } = priceOf(product, now);
  const availability = publicAvailability(product, now);
  const [picture = "", ...more] = images.map((image) => `${site}/images/${image}-1200.webp`);
  return element("item", [
    element("g:id", slug),
    element("g:title", name),
    element("g:description", `${shortDescription} ${description}`),
    element("g:link", `${site}/product/${slug}`),
    element("g:image_link", picture),
    ...more.slice(0, MORE_PICTURES).map((url) => element("g:additional_image_link", url)),
    element("g:availability", availability),
    availability === "preorder" ? element("g:availability_date", `${product.shipsFrom}T12:00+0000`) : null,
    element("g:price", dollars(product.priceCents)),
    earlyBird && element("g:sale_price", dollars(priceCents)),
    earlyBird && element("g:sale_price_effective_date", `${minute(createdAt)}/${minute(earlyBird.endsAt)}`),
    element("g:brand", brand.name),
    element("g:condition", "new"),
    element("g:identifier_exists", "no"),
    element("g:product_type", category),
    product.hasSiblings ? element("g:item_group_id", product.model.toLowerCase().replaceAll(/\W+/g, "-")) : null,
    colorVariant && element("g:color", colorVariant),
    Number(specs.weight_lb) > 0 ? element("g:shipping_weight", `${specs.weight_lb} lb`) : null,
    ...deliveries(settings().shipping, priceCents).map((delivery) =>
      element("g:shipping", [
        element("g:country", "US"),
        element("g:service", delivery.name),
        element("g:price", dollars(delivery.priceCents)),
        element("g:min_transit_time", String(delivery.businessDays.min)),
        element("g:max_transit_time", String(delivery.businessDays.max)),
      ]),
    ),
  ]);
}

/** An XML element around text or other elements. Null children are left out. */
function element(name: string, content: string | readonly (string | null)[]): string {
  if (typeof content === "string") return `<${name}>${escapeXml(content)}</${name}>`;
  return `<${name}>\n${content.filter((part) => part !== null).join("\n")}\n</${name}>`;
}

function escapeXml(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- XML 1.0 knows no other control characters.
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
  );
}

const PAPER = "#f6f4ef";

const icon = (name: string, size: number, purpose: string) => ({
  src: `/${name}.png`,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
});

export function webManifest() {
  return {
    id: "/",
    name: brand.name,
    short_name: brand.name,
    description: brand.tagline,
    lang: "en-US",
    start_url: "/",
    scope: "/",
    display: "minimal-ui",
    background_color: PAPER,
    theme_color: PAPER,
    categories: ["shopping", "food"],
    icons: [icon("icon-192", 192, "any"), icon("icon-512", 512, "any"), icon("icon-maskable-512", 512, "maskable")],
    shortcuts: [
      { name: "Shop", url: "/shop" },
      { name: "Cart", url: "/cart" },
    ],
  };
}
