/** Fixed texts of product pages: sample reviews and questions. */
import { policyText } from "#shop/policy-text.ts";
import { type Category, type Product, warrantyYears } from "./product.ts";

const RATING = { average: 4.9, count: 2340 } as const;

type Faq = { question: string; answer: string };
type Review = { name: string; place: string; date: string; rating: number; title: string; text: string };

const BOWLS = ["Pro", "Classic"] as const;

/** Samples until customer reviews are collected, each with the models it is about. */
const REVIEWS: readonly (Review & { models: readonly Category[] })[] = [
  {
    models: BOWLS,
    name: "Maya R.",
    place: "Portland, OR",
    date: "October 2026",
    rating: 5,
    title: "Raspberries on day eight",
    text: "I bought berries on a Sunday and finished them the Monday after next. Before, they were gray by Wednesday. It stands where the fruit bowl stood, and the display is dim enough for an open kitchen.",
  },
  {
    models: BOWLS,
    name: "Daniel K.",
    place: "Columbus, OH",
    date: "October 2026",
    rating: 5,
    title: "Quieter than the clock",
    text: "I was afraid of a small fridge humming on the counter. I have to put my ear to it. The battery got us through a weekend at the lake with one charge to spare.",
  },
  {
    models: ["Pro"],
    name: "Priya S.",
    place: "Austin, TX",
    date: "September 2026",
    rating: 5,
    title: "Herbs, of all things",
    text: "Cilantro used to be a two-day affair here. Now I trim it, put it in with the humidity on high, and it lasts close to two weeks. That alone is several dollars a week I no longer throw out.",
  },
  {
    models: BOWLS,
    name: "Tom & Elise B.",
    place: "Burlington, VT",
    date: "September 2026",
    rating: 4,
    title: "Wish it held a whole melon",
    text: "Half a melon fits, a whole one does not, so it is four stars from us. Everything else is as promised. Changing the filter took less time than reading how to do it.",
  },
  {
    models: BOWLS,
    name: "Grace L.",
    place: "San Diego, CA",
    date: "August 2026",
    rating: 5,
    title: "My lunch stays cold at work",
    text: "It rides in the travel sleeve and sits on my desk until noon. 37 degrees when I packed it, 38 when I ate. It charges from the same cable as my laptop.",
  },
  {
    models: BOWLS,
    name: "Marcus W.",
    place: "Chicago, IL",
    date: "August 2026",
    rating: 5,
    title: "Support that answers",
    text: "My first one had a scratch from shipping. I wrote on a Tuesday, and the replacement was there on Friday. No forms, no back and forth.",
  },
];

/** Questions that apply to every bowl. */
export const FAQS: readonly Faq[] = [
  {
    question: "How does it keep food fresh 3x longer?",
    answer: `Three things together: it holds the temperature within ${policyText.temperatureToleranceF} of what you set, keeps the humidity where produce likes it, and the filter takes ethylene out of the air. Ethylene is the gas that makes fruit ripen, and then spoil.`,
  },
  {
    question: "How long does a filter work?",
    answer: `A filter is designed for ${policyText.filterMonths}. A bowl comes with one inside. Replacements come in packs of 2 and 6 and change without tools.`,
  },
  {
    question: "How long does the battery last?",
    answer: `${policyText.batteryHours} on a full charge. A charge takes ${policyText.chargeHours} over USB-C, and the bowl cools while it charges.`,
  },
  {
    question: "How do I clean it?",
    answer:
      "The inner bowl and the lid's glass lift out and go in the dishwasher. Wipe the base with a damp cloth. The filter never needs washing.",
  },
  {
    question: "What if I do not like it?",
    answer: `Send it back within ${policyText.returnDays} of delivery for a full refund. There is no restocking fee. It should be in like-new condition, in its original packaging.`,
  },
  {
    question: "What does the warranty cover?",
    answer: `Bowls carry a ${policyText.warrantyYearsAdjective} warranty from the day of purchase; backup battery and gaskets ${policyText.partsWarrantyYears}. We repair or replace, usually within ${policyText.repairBusinessDays} of receiving yours.`,
  },
];

export type ProductContent = {
  rating: { average: number; count: number } | null;
  reviews: Review[];
  faqs: readonly Faq[];
  promises: { shipping: string; returns: string; warranty: string | null };
};

/** Texts of a product page. A loader sends them, so that they stay out of the scripts. */
export function productContent(product: Pick<Product, "category" | "specs">): ProductContent {
  const years = warrantyYears(product);
  const reviews = REVIEWS.flatMap(({ models, ...review }) => (models.includes(product.category) ? [review] : []));
  return {
    rating: reviews.length > 0 ? RATING : null,
    reviews,
    faqs: FAQS,
    promises: {
      shipping: `Free Shipping from ${policyText.freeShippingFrom}`,
      returns: `${policyText.returnDaysTitle} Returns, money back`,
      warranty: years === null ? null : `${years}-year warranty`,
    },
  };
}
