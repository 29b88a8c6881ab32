/** How long produce keeps: what home draws to explain the claim. */

/** The shop's own claim, about this many times as long; it is no laboratory result. */
export const FRESHNESS_FACTOR = 3;

/** Data v128, read as the longest time given for the pantry: from purchase, or from ripe where it says "until ripe". */
export const counterSource = {
  name: "FoodKeeper",
  publisher: "USDA Food Safety and Inspection Service",
  url: "https://www.foodsafety.gov/keep-food-safe/foodkeeper-app",
} as const;

const onCounter = [
  { produce: "Grapes", counterDays: 1 },
  { produce: "Ripe peaches", counterDays: 2 },
  { produce: "Baby carrots", counterDays: 4 },
  { produce: "Basil", counterDays: 5 },
  { produce: "Ripe tomatoes", counterDays: 7 },
] as const;

export type ShelfLife = { produce: string; counterDays: number; bowlDays: number };

/** Shortest first. */
export const shelfLives: readonly ShelfLife[] = onCounter.map((item) => ({
  ...item,
  bowlDays: item.counterDays * FRESHNESS_FACTOR,
}));
