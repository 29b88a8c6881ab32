/** Shelf lives of produce on the counter, in a refrigerator, and in the bowl: the numbers of the chart, of panels and posts. */

export type ShelfLife = {
  produce: string;
  /** Setting of the bowl, in °F. */
  setting: number;
  /** Days at best. */
  counterDays: number;
  fridgeDays: number;
  bowlDays: number;
  /** Why the bowl wins. */
  reason: string;
  /** Source of each number. */
  source: string;
};

/** Basil by day at two temperatures (Lange and Cameron, 1994); the bowl's is between them. */
export const basilTrial = { coldF: 41, coldDays: 3, warmF: 59, warmDays: 12 } as const;

const basilDaysAt = (temperature: number): number => {
  const { coldF, coldDays, warmF, warmDays } = basilTrial;
  return Math.floor(coldDays + ((temperature - coldF) / (warmF - coldF)) * (warmDays - coldDays));
};

/** Only produce for which a published number says that the bowl's conditions keep it longer than a refrigerator. */
export const shelfLives: readonly ShelfLife[] = [
  {
    produce: "Broccoli",
    setting: 37,
    counterDays: 3,
    fridgeDays: 5,
    bowlDays: 14,
    reason: "As cold as a refrigerator, but humid, and without the ethylene that turns it yellow.",
    source:
      "Broccoli: Produce Degradation, CRC Press, 2005 (counter); USDA FoodKeeper (refrigerator); UC Davis for 41°F, humid and without ethylene (bowl).",
  },
  {
    produce: "Ripe tomatoes",
    setting: 50,
    counterDays: 7,
    fridgeDays: 3,
    bowlDays: 14,
    reason: "Cool enough to last, and warm enough to keep the flavor a refrigerator dulls.",
    source:
      "Tomatoes: USDA FoodKeeper (counter); with their flavor at 41°F, by Zhang and others, 2016 (refrigerator); UC Davis for 46 to 50°F, the middle of 1 to 3 weeks (bowl).",
  },
  {
    produce: "Basil",
    setting: 50,
    counterDays: 5,
    fridgeDays: basilTrial.coldDays,
    bowlDays: basilDaysAt(50),
    reason: "A refrigerator turns it black. The bowl doesn’t.",
    source:
      "Basil: USDA FoodKeeper, with its stems in water (counter); Lange and Cameron, 1994, at 41°F (refrigerator); our estimate between their 3 days at 41°F and 12 at 59°F (bowl).",
  },
];

export const FOOD_KEEPER_URL = "https://www.foodsafety.gov/keep-food-safe/foodkeeper-app";
