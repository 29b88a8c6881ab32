/** Fixed texts of product pages, such as sample reviews. */
import { clock } from "#shop/clock.ts";
import { promisedArrival, showsSamples } from "#shop/payment-mode.ts";
import type { PolicyWords } from "#shop/policy-text.ts";
import { productSections, type ProductSections } from "./product-sections.ts";
import { type Category, type Product, warrantyYears } from "./product.ts";
import { publicAvailability } from "./stock.ts";

const RATING = { average: 4.9, count: 2340 } as const;

export type Review = { name: string; place: string; date: string; rating: number; title: string; text: string };

const BOWLS = ["Pro", "Classic"] as const;

/** Samples, shown only without real payments, each with the models it is about. */
const REVIEWS: readonly (Review & { models: readonly Category[] })[] = [
  {
    models: BOWLS,
    name: "Nora R.",
    place: "Portland, OR",
    date: "October 2026",
    rating: 5,
    title: "Raspberries on day eight",
    text: "I bought berries on a Sunday and finished them the next Sunday. They used to be gray by Wednesday. It sits where the fruit bowl used to be, and I forget it’s on.",
  },
  {
    models: BOWLS,
    name: "Ben K.",
    place: "Columbus, OH",
    date: "October 2026",
    rating: 5,
    title: "Quieter than the clock",
    text: "I was afraid it’d hum like a mini fridge. I have to put my ear to it. The battery got us through a weekend at the lake on one charge, with some to spare.",
  },
  {
    models: ["Pro"],
    name: "Anita S.",
    place: "Austin, TX",
    date: "September 2026",
    rating: 5,
    title: "Herbs, of all things",
    text: "Cilantro used to be a two-day affair here. Now I trim it and put it in, the bowl keeps it moist, and it lasts close to two weeks. That’s a few dollars a week I’m not throwing out.",
  },
  {
    models: BOWLS,
    name: "Tom & Elise B.",
    place: "Burlington, VT",
    date: "September 2026",
    rating: 4,
    title: "Wish it held a whole melon",
    text: "Half a melon fits, a whole one doesn’t, so it’s four stars from us. Everything else is as promised. Changing the filter took less time than reading how to do it.",
  },
  {
    models: BOWLS,
    name: "Ruth L.",
    place: "San Diego, CA",
    date: "August 2026",
    rating: 5,
    title: "My lunch stays cold at work",
    text: "It rides in the travel sleeve and sits on my desk until noon. Cold when I packed it, cold when I ate. It charges off the same cable as my laptop.",
  },
  {
    models: BOWLS,
    name: "Marcus W.",
    place: "Chicago, IL",
    date: "August 2026",
    rating: 5,
    title: "Support that answers",
    text: "My first one had a scratch from shipping. I wrote on a Tuesday and had a replacement by Friday. No forms, no back and forth.",
  },
];

/** A color in words, beside its name on a bowl. */
const FINISHES: Record<string, string> = {
  "Midnight Black": "A soft matte black that hides fingerprints.",
  "Earth Green": "The gray-green of sage and olive leaves, matte to the touch.",
  "Frost White": "A warm, matte white that sits quietly on any counter.",
};

export type ProductContent = {
  rating: { average: number; count: number } | null;
  /** Null with real payments, until customers write them. */
  reviews: Review[] | null;
  finish: string | null;
  promises: { arrival: string | null; shipping: string; returns: string; warranty: string | null };
  sections: ProductSections;
};

/** Texts of a product page. A loader sends them, so that they stay out of the scripts. */
export function productContent(product: Product, words: PolicyWords): ProductContent {
  const { category, colorVariant } = product;
  const years = warrantyYears(product);
  const reviews = showsSamples()
    ? REVIEWS.flatMap(({ models, ...review }) => (models.includes(category) ? [review] : []))
    : null;
  return {
    rating: reviews && reviews.length > 0 ? RATING : null,
    reviews,
    finish: category === "Accessories" ? null : (FINISHES[colorVariant ?? ""] ?? null),
    promises: {
      arrival: publicAvailability(product, clock.now()) === "in_stock" ? promisedArrival(words) : null,
      shipping: `Free shipping on orders ${words.freeShippingFrom}+, otherwise ${words.standardShippingPrice}`,
      returns: `${words.returnDaysAdjective} money-back guarantee`,
      warranty: years === null ? null : `${years}-year warranty`,
    },
    sections: productSections(product),
  };
}
