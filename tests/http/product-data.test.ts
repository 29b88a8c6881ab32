/** What of a product's record reaches a browser: no more than its page shows. */
import { describe, expect, it } from "vitest";
import { makeActor } from "../support/actors.ts";
import { pageData } from "../support/page-data.ts";
import { useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, visitor, database } = useShop({ AUTH_SECRET });

type Sent = Record<string, unknown>;
/** What the routes of a page sent, by name; every list and record of products that this file looks at. */
type PageSent = {
  products: Sent[];
  classics: Sent[];
  related: Sent[];
  colors: Sent[];
  product: Sent;
  results: { product: Sent | null }[];
  content: { products: Sent[] };
  cart: { lines: Sent[] };
};
const routeData = async (path: string, who = visitor) => {
  const all = await pageData(await who.fetch(path));
  return Object.assign({}, ...Object.values(all).map(({ data }) => data)) as PageSent;
};
const fields = (record: Sent) => Object.keys(record).toSorted();

const PRICE = ["compareAtPriceCents", "earlyBirdEndDate", "earlyBirdPriceCents", "priceCents"];
const STOCK = ["isInStock", "stockMessage"];
const CARD = [
  "colorHex",
  "colorVariant",
  "id",
  "isLowStock",
  "name",
  "pictures",
  "slug",
  ...PRICE,
  ...STOCK,
].toSorted();
const COMPARED = [
  "category",
  "colorHex",
  "colorVariant",
  "id",
  "name",
  "picture",
  "slug",
  "specs",
  ...PRICE,
].toSorted();

describe("a product's record, as it is sent", () => {
  it("is a card in the shop, with at most two pictures", async () => {
    const { products } = await routeData("/shop.data");
    expect(products.length).toBeGreaterThan(10);
    for (const product of products) {
      expect(fields(product)).toEqual(CARD);
      expect((product.pictures as string[]).length).toBeLessThanOrEqual(2);
    }
  });

  it("is a card on a wishlist", async () => {
    const customer = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    const { content } = await routeData("/account.data?tab=wishlist", customer.visitor);
    expect(content.products.map(fields)).toEqual([CARD]);
  });

  it("is what the shop window and the comparison show, on home", async () => {
    const { products, classics } = await routeData("/_.data");
    expect(products).toHaveLength(3);
    for (const product of products)
      expect(fields(product)).toEqual([...COMPARED, ...STOCK, "shortDescription"].toSorted());
    expect(classics.length).toBeGreaterThan(1);
    for (const product of classics) expect(fields(product)).toEqual(COMPARED);
  });

  it("is whole on its own page, but for what it counts and when it was made; others there are cards", async () => {
    const { product, related, colors } = await routeData("/product/polara-pro-earth-green.data");
    const own = ["category", "description", "maxQuantity", "shortDescription", "specs"];
    expect(fields(product)).toEqual([...CARD, ...own].toSorted());
    expect((product.pictures as string[]).length).toBeGreaterThan(2);
    expect(related.length).toBeGreaterThan(0);
    for (const other of related) expect(fields(other)).toEqual(CARD);
    for (const color of colors) expect(fields(color)).toEqual(["colorHex", "colorVariant", "slug"]);
  });

  it("is a row among the results of a search", async () => {
    const { results } = await routeData("/search.data?q=polara");
    const found = results.flatMap(({ product }) => (product ? [product] : []));
    expect(found.length).toBeGreaterThan(2);
    for (const product of found) expect(fields(product)).toEqual(["inStock", "thumbnail", ...PRICE].toSorted());
  });

  it("is a line in a cart", async () => {
    const buyer = new Visitor(shop.url);
    await buyer.add("travel-sleeve");
    const { cart } = await routeData("/cart.data", buyer);
    expect(cart.lines.map(fields)).toEqual([
      [
        "colorHex",
        "colorVariant",
        "id",
        "maxQuantity",
        "name",
        "preOrder",
        "productId",
        "quantity",
        "slug",
        "thumbnail",
        "unitPriceCents",
        "warrantyYears",
      ],
    ]);
  });
});
