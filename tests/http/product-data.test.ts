/** Product data in the browser: no more than the page shows. */
import { describe, expect, it } from "vitest";
import { makeActor } from "../support/actors.ts";
import { pageData } from "../support/page-data.ts";
import { useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, visitor, database } = useShop({ AUTH_SECRET });

type Sent = Record<string, unknown>;
/** Loader data by route. */
type PageSent = {
  products: Sent[];
  classics: Sent[];
  related: Sent[];
  goesWith: Sent[];
  models: Sent[];
  addOn: Sent;
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
const words = (text: string) => text.split(" ").toSorted();

const PRICE = "compareAtPriceCents earlyBirdEndDate earlyBirdPriceCents priceCents";
const NAMED = "id slug name colorVariant colorHex";
const CARD = `${NAMED} ${PRICE} lastDay isInStock stockMessage note category pictures`;
const COMPARED = `${NAMED} ${PRICE} lastDay isInStock stockMessage category specs picture`;

describe("product data sent to the browser", () => {
  it("has the fields of a card in the shop, with at most two pictures", async () => {
    const { products } = await routeData("/shop.data");
    expect(products.length).toBeGreaterThan(10);
    for (const product of products) {
      expect(fields(product)).toEqual(words(CARD));
      expect((product.pictures as string[]).length).toBeLessThanOrEqual(2);
    }
  });

  it("has the fields of a card on a wishlist", async () => {
    const customer = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    const { content } = await routeData("/account.data?tab=wishlist", customer.visitor);
    expect(content.products.map(fields)).toEqual([words(CARD)]);
  });

  it("is what featured products and the comparison show, on home", async () => {
    const { products, classics } = await routeData("/_.data");
    expect(products).toHaveLength(3);
    const featured = `${COMPARED} shortDescription`;
    for (const product of products) expect(fields(product)).toEqual(words(featured));
    expect(classics.length).toBeGreaterThan(1);
    for (const product of classics) expect(fields(product)).toEqual(words(COMPARED));
  });

  it("is complete on its own page without stock count and dates; what else it shows are cards", async () => {
    const { product, related, goesWith, addOn, models, colors } = await routeData(
      "/product/polara-pro-earth-green.data",
    );
    expect(fields(product), "a new field belongs here if shoppers see it, else not in shown-product.ts").toEqual(
      words(
        `${CARD} description invitedMessage isWaitlistFirst maxQuantity pictureAlts shipDay shortDescription specs`,
      ),
    );
    expect((product.pictures as string[]).length).toBeGreaterThan(2);
    expect(related.length).toBeGreaterThan(0);
    expect(related.length + goesWith.length).toBe(4);
    for (const other of [...related, ...goesWith]) expect(fields(other)).toEqual(words(CARD));
    expect(fields(addOn)).toEqual(words(`${CARD} freeFromCents shortDescription`));
    expect(models.map(fields)).toEqual([words(COMPARED), words(COMPARED)]);
    for (const color of colors) expect(fields(color)).toEqual(words("slug colorVariant colorHex"));
  });

  it("is a row among search results", async () => {
    const { results } = await routeData("/search.data?q=polara");
    const found = results.flatMap(({ product }) => (product ? [product] : []));
    expect(found.length).toBeGreaterThan(2);
    for (const product of found) expect(fields(product)).toEqual(words(`inStock note thumbnail ${PRICE}`));
  });

  it("has the fields of a cart line", async () => {
    const buyer = new Visitor(shop.url);
    await buyer.add("travel-sleeve");
    const { cart } = await routeData("/cart.data", buyer);
    const line = "id productId slug name colorVariant colorHex thumbnail quantity maxQuantity unitPriceCents preOrder";
    expect(cart.lines.map(fields)).toEqual([words(`${line} shipsFrom warrantyYears`)]);
  });
});
