/** A product's fields as the team calls them. */
const WORDS: Record<string, string> = {
  name: "name",
  slug: "address",
  shortDescription: "sentence",
  description: "description",
  specs: "specs",
  category: "category",
  colorVariant: "color",
  priceCents: "price",
  compareAtPriceCents: "struck-through price",
  earlyBirdPriceCents: "early-bird price",
  earlyBirdEndDate: "early-bird end",
  isAvailable: "availability",
  featured: "featured",
  shipsFrom: "shipping day",
  images: "pictures",
  retiredAt: "retirement",
};

/** "price and early-bird end" */
export const fieldWords = (fields: readonly string[]): string =>
  new Intl.ListFormat("en-US").format(fields.flatMap((field) => WORDS[field] ?? []));
