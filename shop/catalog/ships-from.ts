/** What a shopper is told of a product that ships later. */
import type { Product } from "./product.ts";

const dayOf = (at: Date) => at.toLocaleDateString("en-CA", { timeZone: "America/New_York" });

/** Whether the promised day lies ahead, in New York. */
export const shipsLater = ({ shipsFrom }: Pick<Product, "shipsFrom">, now: Date): boolean =>
  shipsFrom !== null && shipsFrom > dayOf(now);

/** 'ships from January 12'; null where it ships now. */
export function shipsFromWords(product: Pick<Product, "shipsFrom">, now: Date): string | null {
  const { shipsFrom } = product;
  if (shipsFrom === null || !shipsLater(product, now)) return null;
  const year = shipsFrom.slice(0, 4) === dayOf(now).slice(0, 4) ? {} : { year: "numeric" as const };
  const day = new Date(`${shipsFrom}T00:00:00Z`);
  return `ships from ${day.toLocaleDateString("en-US", { month: "long", day: "numeric", ...year, timeZone: "UTC" })}`;
}
