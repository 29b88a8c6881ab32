/** /llms.txt: what an assistant should read first (llmstxt.org). */
import { brand } from "../brand.ts";
import type { Product } from "../catalog/product.ts";
import { blocks, escapeMarkdown } from "../content/markdown.ts";
import { policyText } from "../policy-text.ts";
import { textPages } from "./text-pages.server.ts";

export function llmsText(products: readonly Product[], site: string): string {
  const links = (list: readonly { path: string; title: string; description: string }[]) =>
    list.map(({ path, title, description }) => `- [${title}](${site}${path}.md): ${description}`).join("\n");
  return blocks([
    `# ${brand.name}`,
    `> ${brand.name} makes a smart cooling bowl with a replaceable ethylene filter. ${brand.tagline}`,
    `Prices are in US dollars. Shipping is free from ${policyText.freeShippingFrom}. Returns are free of restocking fees for ${policyText.returnDays} from delivery. The warranty on bowls is ${policyText.warrantyYears}. Every page below is Markdown; without its \`.md\` the same address is the page that people see.`,
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
    links(textPages),
    "## Data",
    [
      `- [Catalog as JSON](${site}/api/products): products, prices, availability; read-only, no key needed.`,
      `- [OpenAPI](${site}/api/openapi.json): how to ask it.`,
      `- [Sitemap](${site}/sitemap.xml): every page, with the day it last changed.`,
    ].join("\n"),
  ]);
}
