/** A shop of one's own for a test file, on a database of its own; both are gone afterwards. */
import { afterAll, beforeAll } from "vitest";
import { useFreshDatabase } from "./fresh-database.ts";
import { startShop, type Shop } from "./shop.ts";
import { Visitor } from "./visitor.ts";

export function useShop(env: Record<string, string> = {}) {
  const database = useFreshDatabase(5);
  const shop = {} as Shop;
  const visitor = new Visitor("");
  beforeAll(async () => {
    Object.assign(shop, await startShop({ DATABASE_URL: database.url, ...env }));
    Object.assign(visitor, { url: shop.url });
  });
  afterAll(() => shop.stop());
  return { shop, visitor, database };
}
