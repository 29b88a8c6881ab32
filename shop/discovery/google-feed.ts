/** The catalog as Google Merchant Center takes it (RSS 2.0 with Google's own elements). */
import { brand } from "../brand.ts";
import { priceOf } from "../catalog/price.ts";
import type { FedProduct } from "../catalog/catalog.server.ts";
import { shipsLater } from "../catalog/ships-from.ts";
import { unitsLeft } from "../catalog/stock.ts";
import { decimalMoney } from "../money.ts";
import { deliveries } from "../shipping/methods.ts";
import { element } from "./xml.ts";

const MORE_PICTURES = 10;

export const feedStart = (site: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n${[
    element("title", brand.name),
    element("link", `${site}/`),
    element("description", brand.tagline),
  ].join("\n")}\n`;

/** Google refuses a product without a picture, so one that has none stays out. */
export const feedItems = (products: readonly FedProduct[], site: string, now: Date) =>
  products
    .filter((product) => product.images.length > 0)
    .map((product) => `${item(product, site, now)}\n`)
    .join("");

export const FEED_END = "</channel>\n</rss>\n";

const dollars = (cents: number) => `${decimalMoney(cents)} USD`;
/** To the minute, as Google writes times; an end is so never later than the true one. */
const minute = (time: Date) => `${time.toISOString().slice(0, 16)}+0000`;

function item(product: FedProduct, site: string, now: Date): string {
  const { name, slug, shortDescription, description, colorVariant, category, images, specs, createdAt } = product;
  const { priceCents, earlyBird } = priceOf(product, now);
  const isLater = shipsLater(product, now);
  const [picture = "", ...more] = images.map((image) => `${site}/images/${image}-1200.webp`);
  return element("item", [
    element("g:id", slug),
    element("g:title", name),
    element("g:description", `${shortDescription} ${description}`),
    element("g:link", `${site}/product/${slug}`),
    element("g:image_link", picture),
    ...more.slice(0, MORE_PICTURES).map((url) => element("g:additional_image_link", url)),
    element("g:availability", unitsLeft(product) === 0 ? "out_of_stock" : isLater ? "preorder" : "in_stock"),
    isLater ? element("g:availability_date", `${product.shipsFrom}T12:00+0000`) : null,
    element("g:price", dollars(product.priceCents)),
    earlyBird && element("g:sale_price", dollars(priceCents)),
    earlyBird && element("g:sale_price_effective_date", `${minute(createdAt)}/${minute(earlyBird.endsAt)}`),
    element("g:brand", brand.name),
    element("g:condition", "new"),
    element("g:identifier_exists", "no"),
    element("g:product_type", category),
    product.hasSiblings ? element("g:item_group_id", product.model.toLowerCase().replaceAll(/\W+/g, "-")) : null,
    colorVariant && element("g:color", colorVariant),
    typeof specs.weight_lb === "number" ? element("g:shipping_weight", `${specs.weight_lb} lb`) : null,
    ...deliveries(priceCents).map((delivery) =>
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
