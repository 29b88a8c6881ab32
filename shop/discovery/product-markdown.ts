/** A product, and the catalog, as Markdown. Prices are what is paid at `now`. */
import { blocks, escapeMarkdown, markdownTable } from "../content/markdown.ts";
import { brand } from "../brand.ts";
import type { ProductList } from "../catalog/catalog.server.ts";
import { priceOf } from "../catalog/price.ts";
import { FAQS } from "../catalog/product-content.ts";
import { specLabel, specList, specValue, type Product } from "../catalog/product.ts";
import { stockMessage } from "../catalog/stock.ts";
import { formatMoney } from "../money.ts";
import { policyText } from "../policy-text.ts";
import { withUnit } from "../units.ts";
import { deliveries } from "../shipping/methods.ts";
import { source } from "./text-pages.server.ts";

export function productMarkdown(product: Product, site: string, now: Date): string {
  const { name, slug, shortDescription, description, colorVariant, category, specs, images } = product;
  const specRows = specList(specs).map(([key, value]) => [specLabel(key), specValue(key, value)]);
  return blocks([
    `# ${escapeMarkdown(name)}`,
    escapeMarkdown(shortDescription),
    [
      `- Price: ${priceLine(product, now)}`,
      `- Availability: ${stockMessage(product)}`,
      `- Category: ${category}`,
      ...(colorVariant ? [`- Color: ${colorVariant}`] : []),
      `- Shipping: ${shippingLine(priceOf(product, now).priceCents)}`,
      `- Returns: ${policyText.returnDays} from delivery, no restocking fee (${site}/warranty#return-policy)`,
    ].join("\n"),
    escapeMarkdown(description),
    specRows.length > 0 && blocks(["## Technical Specs", markdownTable(["Spec", "Value"], specRows)]),
    "## FAQs",
    ...FAQS.flatMap(({ question, answer }) => [`### ${question}`, answer]),
    images.length > 0 &&
      blocks(["## Pictures", images.map((picture) => `- ${site}/images/${picture}-1200.webp`).join("\n")]),
    source(`${site}/product/${slug}`),
  ]);
}

/** One page of the catalog. */
export function catalogMarkdown({ products, hasMore }: ProductList, page: number, site: string, now: Date): string {
  const rows = products.map((product) => [
    product.name,
    priceLine(product, now),
    stockMessage(product),
    `${site}/product/${product.slug}.md`,
  ]);
  return blocks([
    `# Shop ${brand.name}`,
    `${hasMore || page > 1 ? `Products, page ${page}, with their prices now` : "Every product with its price now"}. Free shipping from ${policyText.freeShippingFrom}.`,
    markdownTable(["Product", "Price", "Availability", "Details"], rows),
    hasMore && `More products: ${site}/shop.md?page=${page + 1}`,
    source(`${site}/shop`),
  ]);
}

function priceLine(product: Product, now: Date): string {
  const { priceCents, compareAtCents, earlyBird } = priceOf(product, now);
  const notes = [
    earlyBird && `early-bird price until ${earlyBird.endsAt.toISOString()}`,
    earlyBird && `regular price ${formatMoney(earlyBird.regularCents)}`,
    compareAtCents !== null && `compare at ${formatMoney(compareAtCents)}`,
  ].filter(Boolean);
  return formatMoney(priceCents) + (notes.length > 0 ? ` (${notes.join(", ")})` : "");
}

function shippingLine(unitPriceCents: number): string {
  const [standard] = deliveries(unitPriceCents);
  if (!standard) return "";
  const { name, priceCents, businessDays } = standard;
  return `${name} ${priceCents === 0 ? "FREE" : formatMoney(priceCents)}, ${withUnit(businessDays, "business day")}`;
}
