/** Invented people, messages and traffic sources, chosen by a seeded generator. */
import { NO_CAMPAIGN, type Campaign } from "#shop/campaign.ts";

export type Random = ReturnType<typeof openRandom>;

/** A linear congruential generator: the same seed gives the same choices. */
export function openRandom(seed: number) {
  let state = seed;
  const next = (): number => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
  /** An integer from `from` to `to`, inclusive. */
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    pick: <T>(list: readonly T[]): T => list[whole(0, list.length - 1)]!,
    weighted<T>(list: readonly (readonly [T, number])[]): T {
      let left = next() * list.reduce((sum, [, weight]) => sum + weight, 0);
      return (list.find(([, weight]) => (left -= weight) < 0) ?? list[0]!)[0];
    },
  };
}

const words = (text: string) => text.split(" ");
const FIRST_NAMES = words("Ada Amara Ben Carlos Chloe Daniel Elena Farah Felix Grace Hugo Iris Jamal Kai Leo Maya Mei");
const LAST_NAMES = words(
  "Adams Baker Bell Chen Costa Davis Diaz Evans Fisher Garcia Hill Kim Lopez Moore Patel Reed Shaw",
);
const STREETS = ["Maple St", "Oak Ave", "Cedar Rd", "Pine Ln", "Elm St", "Walnut Ave", "Birch Rd", "Willow Ln"];
const TOWNS = [
  ["New York", "NY", "10011"],
  ["Boston", "MA", "02116"],
  ["Miami", "FL", "33130"],
  ["Chicago", "IL", "60614"],
  ["Austin", "TX", "78704"],
  ["Denver", "CO", "80202"],
  ["Seattle", "WA", "98103"],
] as const;

export type Person = ReturnType<typeof makePerson>;

let made = 0;

/** The contact and address fields of the checkout form, with a unique email at a reserved example domain. */
export function makePerson(random: Random) {
  const shippingFirstName = random.pick(FIRST_NAMES);
  const shippingLastName = random.pick(LAST_NAMES);
  const [shippingCity, shippingState, shippingPostalCode] = random.pick(TOWNS);
  return {
    name: `${shippingFirstName} ${shippingLastName}`,
    email: `${shippingFirstName}.${shippingLastName}${++made}@example.com`.toLowerCase(),
    phone: `${random.whole(201, 989)}555${random.whole(1000, 9999)}`,
    shippingFirstName,
    shippingLastName,
    shippingAddressLine1: `${random.whole(1, 980)} ${random.pick(STREETS)}`,
    shippingCity,
    shippingState,
    shippingPostalCode,
  };
}

/** `{order}` becomes an order number of theirs, `{product}` a product in it. */
export const MESSAGES = [
  "Hi, my order {order} still says processing. Do you know when the {product} will ship? It is a birthday present.",
  "My {product} arrived today and it is beautiful, thank you! One question: can the lid go in the dishwasher?",
  "The {product} from order {order} came with a dent in the rim. I have pictures. What should I do?",
  "I would like to return the {product}, it is larger than I thought. Order {order}. How do I get a label?",
  "Is the Earth Green one coming back in stock? I only see sold out.",
  "My refund for {order} is not on my card yet. It has been a week.",
] as const;

/** Source and campaign of a visit, with its percentage. */
export const CAMPAIGNS: readonly (readonly [Campaign, number])[] = [
  [NO_CAMPAIGN, 55],
  [{ utmSource: "google", utmCampaign: "brand" }, 12],
  [{ utmSource: "google", utmCampaign: "shopping" }, 9],
  [{ utmSource: "instagram", utmCampaign: "kitchen-counter" }, 9],
  [{ utmSource: "newsletter", utmCampaign: "monthly" }, 7],
  [{ utmSource: "tiktok", utmCampaign: "fresh-for-days" }, 5],
  [{ utmSource: "friend", utmCampaign: null }, 3],
];
