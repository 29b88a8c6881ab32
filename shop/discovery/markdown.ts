/** Markdown of a product and of the catalog, at the prices of `now`, and /llms.txt (llmstxt.org). */
import { brand } from "#shop/brand.ts";
import type { ProductList } from "#shop/catalog/catalog.server.ts";
import { priceOf, type Product, specRows } from "#shop/catalog/product.ts";
import { availabilityWords } from "#shop/catalog/stock.ts";
import { blocks, escapeMarkdown, markdownTable } from "#shop/content/text-forms.ts";
import { productFaqs } from "#shop/content/texts.server.ts";
import { formatMoney } from "#shop/money.ts";
import { policyWords, settings } from "#shop/settings/settings.server.ts";
import { deliveries } from "#shop/shipping/methods.ts";
import { withUnit } from "#shop/units.ts";
import { source, textPages } from "./text-pages.server.ts";

export function productMarkdown(product: Product, site: string, now: Date): string {
  const { name, slug, shortDescription, description, colorVariant, category, specs, images } = product;
  const rows = specRows(specs);
  const faqs = productFaqs(product);
  return blocks([
    `# ${escapeMarkdown(name)}`,
    escapeMarkdown(shortDescription),
    [
      `- Price: ${priceLine(product, now)}`,
      `- Availability: ${availabilityWords(product, now)}`,
      `- Category: ${category}`,
      ...(colorVariant ? [`- Color: ${colorVariant}`] : []),
      `- Shipping: ${shippingLine(priceOf(product, now).priceCents)}`,
      `- Returns: ${policyWords().returnDays} from delivery, no restocking fee (${site}/warranty#return-policy)`,
    ].join("\n"),
    escapeMarkdown(description),
    rows.length > 0 && blocks(["## Technical Specs", markdownTable(["Spec", "Value"], rows)]),
    ...(faqs.length > 0 ? ["## FAQs"] : []),
    ...faqs.flatMap(({ question, answer }) => [`### ${escapeMarkdown(question)}`, escapeMarkdown(answer)]),
    images.length > 0 &&
      blocks(["## Pictures", images.map((picture) => `- ${site}/images/${picture}-1200.webp`).join("\n")]),
    source(`${site}/product/${slug}`),
  ]);
}

export function catalogMarkdown({ products, hasMore }: ProductList, page: number, site: string, now: Date): string {
  const rows = products.map((product) => [
    product.name,
    priceLine(product, now),
    availabilityWords(product, now),
    `${site}/product/${product.slug}.md`,
  ]);
  return blocks([
    `# Shop ${brand.name}`,
    `${hasMore || page > 1 ? `Products, page ${page}, with their prices now` : "Every product with its price now"}. Free shipping on orders ${policyWords().freeShippingFrom}+.`,
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
  const [standard] = deliveries(settings().shipping, unitPriceCents);
  if (!standard) return "";
  const { name, priceCents, businessDays } = standard;
  return `${name} ${priceCents === 0 ? "FREE" : formatMoney(priceCents)}, ${withUnit(businessDays, "business day")}`;
}

export function llmsText(products: readonly Product[], site: string): string {
  const links = (list: readonly { path: string; title: string; description: string }[]) =>
    list.map(({ path, title, description }) => `- [${title}](${site}${path}.md): ${description}`).join("\n");
  return blocks([
    `# ${brand.name}`,
    `> ${brand.name} makes a smart cooling bowl with a replaceable ethylene filter. ${brand.tagline}`,
    `Prices are in US dollars. Shipping is free on orders ${policyWords().freeShippingFrom}+. Anything can be returned within ${policyWords().returnDays} of delivery, without a restocking fee. Bowls have a warranty of ${policyWords().warrantyYears}. Every page below is Markdown; leave out \`.md\` for the page that people see.`,
    "## Products",
    links([
      { path: "/shop", title: "All products", description: "Every product with its price and availability now." },
      ...products.map(({ slug, name, shortDescription }) => ({
        path: `/product/${slug}`,
        title: escapeMarkdown(name),
        description: escapeMarkdown(shortDescription),
      })),
    ]),
    "## Pages",
    links(textPages()),
    "## Data",
    [
      `- [Catalog as JSON](${site}/api/products): products, prices, availability; read-only, no key needed.`,
      `- [OpenAPI](${site}/api/openapi.json): how to query it.`,
      `- [Sitemap](${site}/sitemap.xml): every page, with the day it last changed.`,
    ].join("\n"),
  ]);
}
