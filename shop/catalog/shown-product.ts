/** The part of a product that pages show; nothing else reaches the browser. */
import { clock } from "#shop/clock.ts";
import type { Priced, Product } from "./product.ts";
import {
  availabilityNote,
  availabilityWords,
  earlyBirdLastDay,
  isWaitlistFirst,
  publicAvailability,
  shipDayWords,
  unitsLeft,
} from "./stock.ts";

const picturesOf = ({ images, thumbnail }: Product) => (images.length > 0 ? images : thumbnail ? [thumbnail] : []);

const named = ({ id, slug, name, colorVariant, colorHex }: Product) => ({ id, slug, name, colorVariant, colorHex });

const DAY_MS = 86_400_000;

export type ShownPrice = Priced & {
  lastDay: string | null;
  /** Whole days until the early-bird price ends, when the page was made. */
  daysLeft: number;
};

function priced(product: Product): ShownPrice {
  const { priceCents, compareAtPriceCents, earlyBirdPriceCents, earlyBirdEndDate } = product;
  const price = { priceCents, compareAtPriceCents, earlyBirdPriceCents, earlyBirdEndDate };
  const now = clock.now();
  const daysLeft = earlyBirdEndDate ? Math.floor((earlyBirdEndDate.getTime() - now.getTime()) / DAY_MS) : 0;
  return { ...price, lastDay: earlyBirdLastDay(product, now), daysLeft };
}

/** Words instead of the count. */
const stocked = (product: Product) => ({
  isInStock: unitsLeft(product) > 0,
  stockMessage: availabilityWords(product, clock.now()),
});

/** Product in a list; the second picture, the open bowl if there is one, shows on hover. */
export function cardOf(product: Product) {
  const { category } = product;
  const [first, ...others] = picturesOf(product);
  const second = others.find((name) => name.endsWith("-open")) ?? others[0];
  const pictures = [first, second].filter((name) => name !== undefined);
  const note = availabilityNote(product, clock.now());
  return { ...named(product), ...priced(product), ...stocked(product), note, category, pictures };
}
export type ProductCard = ReturnType<typeof cardOf>;

export function comparedModelOf(product: Product) {
  const { category, specs } = product;
  const picture = picturesOf(product)[0] ?? null;
  return { ...named(product), ...priced(product), ...stocked(product), category, specs, picture };
}
export type ComparedModel = ReturnType<typeof comparedModelOf>;

/** Product in the home page's showcase, which offers a comparison. */
export function featuredProductOf(product: Product) {
  return { ...comparedModelOf(product), shortDescription: product.shortDescription };
}
export type FeaturedProduct = ReturnType<typeof featuredProductOf>;

const colorsOf = (products: readonly Product[]) =>
  new Intl.ListFormat("en-US").format(products.map(({ colorVariant }) => colorVariant ?? ""));

/**
 * Availability of the featured colors in one message: 'In stock', 'In stock in Earth Green', 'Ships January 12',
 * 'Earth Green ships January 12', or the first one's own words if nobody can order any of them.
 */
export function featuredStock(products: readonly Product[]): { message: string | null; shipsNow: boolean } {
  const now = clock.now();
  const ready = products.filter((product) => publicAvailability(product, now) === "in_stock");
  if (ready.length > 0) {
    const isAll = ready.length === products.length;
    return { message: isAll ? "In stock" : `In stock in ${colorsOf(ready)}`, shipsNow: true };
  }
  const open = products.filter((product) => publicAvailability(product, now) === "preorder");
  const [next] = open.toSorted((a, b) => (a.shipsFrom! < b.shipsFrom! ? -1 : 1));
  const [first] = products;
  if (!next) return { message: first ? availabilityWords(first, now) : null, shipsNow: false };
  const same = open.filter(({ shipsFrom }) => shipsFrom === next.shipsFrom);
  const subject =
    same.length === products.length ? "Ships" : `${colorsOf(same)} ${same.length === 1 ? "ships" : "ship"}`;
  return { message: `${subject} ${shipDayWords(next, now)}`, shipsNow: false };
}

export function productDetailsOf(product: Product) {
  const { shortDescription, description, specs } = product;
  return {
    ...cardOf(product),
    pictures: picturesOf(product),
    pictureAlts: product.pictureAlts,
    shortDescription,
    description,
    specs,
    /** Replaces the stock message for visitors with an invitation. */
    invitedMessage: availabilityWords(product, clock.now(), true),
    isRetired: product.retiredAt !== null,
    isWaitlistFirst: isWaitlistFirst(product, clock.now()),
    /** 'January 12' for a pre-order. */
    shipDay: unitsLeft(product) > 0 ? shipDayWords(product, clock.now()) : null,
  };
}
export type ProductDetails = ReturnType<typeof productDetailsOf>;
