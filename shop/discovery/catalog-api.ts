/** The catalog API. One schema makes its types and its OpenAPI 3.1 description. */
import { z } from "#shop/zod.ts";
import { brand } from "#shop/brand.ts";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import { AVAILABILITIES, PAGE_SIZE, PRICE_RANGE, SORTS } from "#shop/catalog/filters.ts";
import { CATEGORIES, priceOf, type Product, specList } from "#shop/catalog/product.ts";
import { availabilityWords, publicAvailability } from "#shop/catalog/stock.ts";
import { formatMoney } from "#shop/money.ts";

const cents = z.int().min(0).describe("US dollars in cents");

const priceSchema = z.strictObject({
  currency: z.literal("USD"),
  cents: cents.describe("What is paid now, in cents"),
  display: z.string().describe("What is paid now, as the shop writes it"),
  regularCents: cents.describe("What is paid without an early-bird price, in cents"),
  compareAtCents: cents.nullable().describe("The struck-through price, only where it is higher than what is paid"),
  earlyBirdEndsAt: z.iso.datetime().nullable().describe("The moment from which the regular price is paid"),
});

const productSchema = z
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
    availability: z
      .enum(["in_stock", "preorder", "out_of_stock"])
      .describe("What anyone can order now; a product for the waitlist first is 'out_of_stock'"),
    shipsFrom: z.iso.date().nullable().describe("The day from which a pre-order ships"),
    stockMessage: z
      .string()
      .describe("'In Stock', 'Only N left' from 1 to 10, 'Out of Stock', or for a pre-order 'Ships January 12'"),
    featured: z.boolean(),
    images: z.array(z.url()),
    specs: z.record(z.string(), z.union([z.string(), z.number()])).describe("A key's unit is its last word"),
  })
  .describe("A product as it is sold now");

const productListSchema = z.strictObject({ products: z.array(productSchema) });

const problemSchema = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().describe("The path that was asked for"),
  })
  .describe("What went wrong (RFC 9457)");

type ProductResponse = z.output<typeof productSchema>;
export type Problem = z.output<typeof problemSchema>;

export function productResponse(product: Product, site: string, now: Date): ProductResponse {
  const { slug, name, shortDescription, description, category, colorVariant, featured } = product;
  const { priceCents, compareAtCents, earlyBird } = priceOf(product, now);
  const url = `${site}/product/${slug}`;
  const availability = publicAvailability(product, now);
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
    availability,
    shipsFrom: availability === "preorder" ? product.shipsFrom : null,
    stockMessage: availabilityWords(product, now),
    featured,
    images: product.images.map((picture) => `${site}/images/${picture}-1200.webp`),
    specs: Object.fromEntries(specList(product.specs)),
  };
}

const registry = z
  .registry<{ id: string }>()
  .add(productSchema, { id: "Product" })
  .add(productListSchema, { id: "ProductList" })
  .add(problemSchema, { id: "Problem" });

function schemas(): Record<string, unknown> {
  const made = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` }).schemas;
  return Object.fromEntries(
    Object.entries(made).map(([id, { $schema: _draft, $id: _address, ...schema }]) => [id, schema]),
  );
}

const ref = (id: string) => ({ $ref: `#/components/schemas/${id}` });
const json = (description: string, id: string) => ({
  description,
  headers: { ETag: { schema: { type: "string" } }, "Cache-Control": { schema: { type: "string" } } },
  content: { "application/json": { schema: ref(id) } },
});
const problem = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: ref("Problem") } },
});
const notModified = { description: "What If-None-Match names is still what would be sent." };
const refusals = {
  400: problem("The address holds characters that no address of the shop has."),
  429: problem("That was a lot at once. Retry-After says when to ask again."),
  503: problem("The shop can’t reach its records right now. Try again in a moment."),
};

const several = (name: string, description: string, values?: readonly string[]) => ({
  name,
  in: "query",
  description,
  schema: { type: "array", items: { type: "string", ...(values && { enum: values }) } },
  style: "form",
  explode: true,
});
const price = (name: string, fallback: number, description: string) => ({
  name,
  in: "query",
  description,
  schema: { type: "integer", minimum: PRICE_RANGE.min, maximum: PRICE_RANGE.max, default: fallback },
});

export function openApi(site: string) {
  return {
    openapi: "3.1.0",
    info: {
      title: `${brand.name} catalog`,
      version: "1.0.0",
      description:
        "Products, prices and availability as they are now. Read-only, no key needed, open to every origin. Answers carry an ETag; ask again with If-None-Match. An answer is never kept past the end of an early-bird price.",
      contact: { email: supportEmail(), url: `${site}/support` },
      license: { name: "Terms of the shop", url: `${site}/terms` },
    },
    servers: [{ url: site }],
    security: [],
    paths: {
      "/api/products": {
        get: {
          operationId: "listProducts",
          summary: "The products that pass the filters, page by page",
          description: `The filters of the shop's own page, ${PAGE_SIZE} products at a time. While there are more, the answer has a Link with rel="next". A value that the catalog does not know is ignored.`,
          parameters: [
            several("color", "Any of these colors, as products name them"),
            several("category", "Any of these categories", CATEGORIES),
            several("availability", "In stock, out of stock, or both", AVAILABILITIES),
            price("minPrice", PRICE_RANGE.min, `Dollars paid now, in steps of ${PRICE_RANGE.step}`),
            price("maxPrice", PRICE_RANGE.max, `Dollars paid now; ${PRICE_RANGE.max} is no bound`),
            { name: "sort", in: "query", schema: { type: "string", enum: SORTS, default: "featured" } },
            { name: "page", in: "query", schema: { type: "integer", minimum: 1, default: 1 } },
          ],
          responses: {
            200: json("The products, in the order asked for", "ProductList"),
            304: notModified,
            ...refusals,
          },
        },
      },
      "/api/products/{slug}": {
        get: {
          operationId: "getProduct",
          summary: "One product",
          parameters: [{ name: "slug", in: "path", required: true, schema: { type: "string" } }],
          responses: {
            200: json("The product", "Product"),
            304: notModified,
            404: problem("There is no such product."),
            ...refusals,
          },
        },
      },
    },
    components: { schemas: schemas() },
  };
}
