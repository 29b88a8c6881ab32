import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { priceOf } from "./product.ts";
import { currentPrice } from "./product.sql.ts";
import { products } from "./product.tables.ts";

const shop = useFreshDatabase();
const HOUR = 3_600_000;

describe("the price rules of SQL and TypeScript", () => {
  const prices = [null, 1, 99_00];
  const ends = [null, -HOUR, HOUR];
  it.each(prices.flatMap((early) => ends.map((end) => [early, end] as const)))(
    "agree for an early-bird price %s ending in %s ms",
    async (early, end) => {
      const now = new Date();
      const values = {
        priceCents: 149_00,
        compareAtPriceCents: 129_00,
        earlyBirdPriceCents: early,
        earlyBirdEndDate: end === null ? null : new Date(now.getTime() + end),
      };
      await shop.db.update(products).set(values).where(eq(products.slug, "travel-sleeve"));
      const [row] = await shop.db
        .select({ price: currentPrice })
        .from(products)
        .where(eq(products.slug, "travel-sleeve"));
      expect(row?.price).toBe(priceOf(values, now).priceCents);
    },
  );
});
