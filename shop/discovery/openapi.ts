/** The description of the catalog's API (OpenAPI 3.1), made from the schemas that the answers are made with. */
import { z } from "zod";
import { brand } from "../brand.ts";
import { AVAILABILITIES, PAGE_SIZE, PRICE_RANGE, SORTS } from "../catalog/filters.ts";
import { CATEGORIES } from "../catalog/product.ts";
import { problemSchema, productListSchema, productSchema } from "./catalog-api.ts";

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
const away = problem("The shop cannot reach its records. Try again in a moment.");

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
      contact: { email: brand.supportEmail, url: `${site}/support` },
    },
    servers: [{ url: site }],
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
          responses: { 200: json("The products, in the order asked for", "ProductList"), 304: notModified, 503: away },
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
            503: away,
          },
        },
      },
    },
    components: { schemas: schemas() },
  };
}
