/** Words, shelf lives and testimonials of home. Its loader sends them, so that no script carries the numbers. */
import { brand } from "#shop/brand.ts";
import { showsSamples } from "#shop/payment-mode.ts";
import type { PolicyWords } from "#shop/policy-text.ts";

/** The edition of the code; `home` in texts.server.ts reads what staff have published. */
export const homeWords = (words: PolicyWords) => ({
  title: "The bowl that keeps food fresh 3x longer",
  description: `A smart cooling bowl with temperature and humidity control and a ${words.filterMonthsAdjective} ethylene filter. Fruit and vegetables stay fresh 3x longer.`,
  hero: {
    heading: "Fresh food, 3x\u00a0longer.",
    text: `${brand.name} is a countertop bowl that chills and filters the air around your produce.`,
  },
  why: { heading: `Why Choose ${brand.name}` },
  reasons: [
    {
      figure: `±${words.temperatureToleranceF}`,
      title: "Smart Cooling Control",
      text: `Set a temperature and the bowl holds it within ${words.temperatureTolerance}. It keeps the air just humid enough for leaves and fruit.`,
    },
    {
      figure: words.filterMonths,
      title: "Ethylene Gas Absorption",
      text: `Ripening fruit gives off ethylene, which ripens the rest. The filter in the lid breaks it down, for ${words.filterMonths}.`,
    },
    {
      title: "Eco-Friendly Design",
      ...(showsSamples()
        ? {
            figure: "45% less",
            text: "Fresh food gets eaten, so less of it ends up in the trash: 45% less, by our estimate. The body is recycled aluminum.",
          }
        : {
            figure: "Recycled",
            text: "Fresh food gets eaten, so less of it ends up in the trash. The body is recycled aluminum, and you change what wears out by hand.",
          }),
    },
  ],
  shelfLife: {
    heading: "Four Days Become Twelve",
    text: "Baby carrots keep for four days on the counter. In the bowl, aim for twelve. Cool, moist air without ethylene slows everything in it down.",
  },
  lifestyle: {
    heading: "At Home Anywhere You Eat",
    scenes: [
      { title: "The best seat in the kitchen." },
      { title: "Berries that make it to the weekend." },
      { title: `${words.batteryHours} off the cord.` },
      { title: "Lunch for two, held at 37°F." },
    ],
  },
  waitlist: { heading: showsSamples() ? "20,000+ Have Joined the Waitlist" : "From the Waitlist" },
  testimonials: showsSamples() ? testimonials : [],
  callToAction: { heading: "Get Yours Before It's Gone" },
  promises: [
    { title: "Free Shipping", text: `On orders of ${words.freeShippingFrom} or more` },
    { title: `${words.returnDaysTitle} Returns`, text: "Your money back, no restocking fee" },
    {
      title: `${words.partsWarrantyYearsTitle} Warranty`,
      text: `On battery and gaskets, ${words.warrantyYears} on the bowl`,
    },
  ],
});
export type HomeWords = ReturnType<typeof homeWords>;

/** The shop's claim of freshness; not a laboratory result. */
const FRESHNESS_FACTOR = 3;

/** USDA FoodKeeper data v128: the longest time for the pantry, from purchase or from ripeness. */
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
] as const;

export type ShelfLife = { produce: string; counterDays: number; bowlDays: number };

/** Shortest first. */
export const shelfLives: readonly ShelfLife[] = onCounter.map((item) => ({
  ...item,
  bowlDays: item.counterDays * FRESHNESS_FACTOR,
}));

/** Fixed sample content, with initials as portraits, shown only without real payments. */
export type Testimonial = {
  name: string;
  role: string;
  content: string;
  rating: number;
  tone: "leaf" | "sage" | "copper" | "midnight";
};

export const testimonials: readonly Testimonial[] = [
  {
    name: "Maya Torres",
    role: "Home cook, Austin",
    content:
      "I throw out half a bag of spinach every week. I joined the waitlist the evening I read about the ethylene filter.",
    rating: 5,
    tone: "leaf",
  },
  {
    name: "Daniel Okafor",
    role: "Father of three, Chicago",
    content: "Berries last two days in our house. Over 20,000 people on one list told me we’re not the only ones.",
    rating: 5,
    tone: "copper",
  },
  {
    name: "Hannah Lindqvist",
    role: "Product designer, Portland",
    content:
      "Finally a kitchen device I’d leave out on the counter. I signed up for the green one before I’d finished the page.",
    rating: 5,
    tone: "sage",
  },
  {
    name: "Priya Raman",
    role: "Nutritionist, Boston",
    content:
      "My clients eat what they can see. Fruit that stays fresh in plain view is why I joined, and why I sent the link to all of them.",
    rating: 5,
    tone: "midnight",
  },
  {
    name: "Luis Herrera",
    role: "Market gardener, Sacramento",
    content:
      "I grow tomatoes, and the fridge ruins them. A bowl that holds its own temperature was worth a place in line.",
    rating: 5,
    tone: "leaf",
  },
  {
    name: "Grace Whitfield",
    role: "Teacher, Nashville",
    content:
      "48 hours on a charge means it can come to school with me. My sister and I joined the waitlist on the same day.",
    rating: 5,
    tone: "copper",
  },
];
