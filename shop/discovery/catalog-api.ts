/** The catalog as programs read it. One schema makes the answers' types and their public description. */
import { z } from "zod";
import { priceOf } from "../catalog/price.ts";
import { CATEGORIES, specList, type Product } from "../catalog/product.ts";
import { stockMessage, unitsLeft } from "../catalog/stock.ts";
import { formatMoney } from "../money.ts";

const cents = z.int().min(0).describe("US dollars in cents");

const priceSchema = z.strictObject({
  currency: z.literal("USD"),
  cents: cents.describe("What is paid now, in cents"),
  display: z.string().describe("What is paid now, as the shop writes it"),
  regularCents: cents.describe("What is paid without an early-bird price, in cents"),
  compareAtCents: cents.nullable().describe("The struck-through price, only where it is higher than what is paid"),
  earlyBirdEndsAt: z.iso.datetime().nullable().describe("The moment from which the regular price is paid"),
});

export const productSchema = z
  .strictObject({
    slug: z.string().regex(/^[a-z0-9-]+$/),
    name: z.string(),
    url: z.url().describe("The product's page"),
    markdownUrl: z.url().describe("The same page as Markdown"),
    shortDescription: z.string(),
    description: z.string(),
    category: z.enum(CATEGORIES),
    color: z.string().nullable(),
    price: priceSchema,
    availability: z.enum(["in_stock", "out_of_stock"]),
    stockMessage: z.string().describe("'In Stock', 'Only N left' from 1 to 10, or 'Out of Stock'"),
    featured: z.boolean(),
    images: z.array(z.url()),
    specs: z.record(z.string(), z.union([z.string(), z.number()])).describe("A key's unit is its last word"),
  })
  .describe("A product as it is sold now");

export const productListSchema = z.strictObject({ products: z.array(productSchema) });

export const problemSchema = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().describe("The path that was asked for"),
  })
  .describe("What went wrong (RFC 9457)");

export type ProductResponse = z.output<typeof productSchema>;
export type Problem = z.output<typeof problemSchema>;

/** The product as the API gives it, at the price paid at `now`. */
export function productResponse(product: Product, site: string, now: Date): ProductResponse {
  const { slug, name, shortDescription, description, category, colorVariant, featured } = product;
  const { priceCents, compareAtCents, earlyBird } = priceOf(product, now);
  const url = `${site}/product/${slug}`;
  return {
    slug,
    name,
    url,
    markdownUrl: `${url}.md`,
    shortDescription,
    description,
    category,
    color: colorVariant,
    price: {
      currency: "USD",
      cents: priceCents,
      display: formatMoney(priceCents),
      regularCents: product.priceCents,
      compareAtCents,
      earlyBirdEndsAt: earlyBird?.endsAt.toISOString() ?? null,
    },
    availability: unitsLeft(product) > 0 ? "in_stock" : "out_of_stock",
    stockMessage: stockMessage(product),
    featured,
    images: product.images.map((picture) => `${site}/images/${picture}-1200.webp`),
    specs: Object.fromEntries(specList(product.specs)),
  };
}
