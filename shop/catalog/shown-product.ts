/** The part of a product that pages show; nothing else reaches the browser. */
import { clock } from "#shop/clock.ts";
import type { Priced, Product } from "./product.ts";
import {
  earlyBirdLastDay,
  isLowStock,
  isWaitlistFirst,
  maxQuantity,
  shipsLater,
  shipsFromWords,
  stockMessage,
  unitsLeft,
  waitlistFirstWords,
} from "./stock.ts";

const picturesOf = ({ images, thumbnail }: Product) => (images.length > 0 ? images : thumbnail ? [thumbnail] : []);

const named = ({ id, slug, name, colorVariant, colorHex }: Product) => ({ id, slug, name, colorVariant, colorHex });

export type ShownPrice = Priced & { lastDay: string | null };

function priced(product: Product): ShownPrice {
  const { priceCents, compareAtPriceCents, earlyBirdPriceCents, earlyBirdEndDate } = product;
  const price = { priceCents, compareAtPriceCents, earlyBirdPriceCents, earlyBirdEndDate };
  return { ...price, lastDay: earlyBirdLastDay(product, clock.now()) };
}

/** The stock message instead of the count. */
const stocked = (product: Product) => ({ isInStock: unitsLeft(product) > 0, stockMessage: stockWords(product) });

function stockWords(product: Product, isInvited = false): string {
  if (product.retiredAt) return "No longer sold";
  if (unitsLeft(product) === 0) return stockMessage(product);
  const now = clock.now();
  const first = waitlistFirstWords(product, now, isInvited) ?? stockMessage(product);
  const later = shipsFromWords(product, now);
  return later ? `${first}, ${later}` : first;
}

/** Product in a list; the second picture, the open bowl if there is one, shows on hover. */
export function cardOf(product: Product) {
  const { category } = product;
  const [first, ...others] = picturesOf(product);
  const second = others.find((name) => name.endsWith("-open")) ?? others[0];
  const pictures = [first, second].filter((name) => name !== undefined);
  const isLow = isLowStock(product);
  return { ...named(product), ...priced(product), ...stocked(product), isLowStock: isLow, category, pictures };
}
export type ProductCard = ReturnType<typeof cardOf>;

export function comparedModelOf(product: Product) {
  const { category, specs } = product;
  return { ...named(product), ...priced(product), category, specs, picture: picturesOf(product)[0] ?? null };
}
export type ComparedModel = ReturnType<typeof comparedModelOf>;

/** Product in the home page's showcase, which offers a comparison. */
export function featuredProductOf(product: Product) {
  return { ...comparedModelOf(product), ...stocked(product), shortDescription: product.shortDescription };
}
export type FeaturedProduct = ReturnType<typeof featuredProductOf>;

/**
 * Stock of the featured colors in one message: 'In stock', 'In stock in Earth Green', or the first one's own message if
 * none ships now.
 */
export function featuredStock(products: readonly Product[]): { message: string | null; shipsNow: boolean } {
  const now = clock.now();
  const ready = products.filter(
    (product) => unitsLeft(product) > 0 && !shipsLater(product, now) && !isWaitlistFirst(product, now),
  );
  const [first] = products;
  if (ready.length === 0) return { message: first ? stockWords(first) : null, shipsNow: false };
  if (ready.length === products.length) return { message: "In stock", shipsNow: true };
  const colors = new Intl.ListFormat("en-US").format(ready.map(({ colorVariant }) => colorVariant ?? ""));
  return { message: `In stock in ${colors}`, shipsNow: true };
}

export function productDetailsOf(product: Product) {
  const { shortDescription, description, specs } = product;
  return {
    ...cardOf(product),
    pictures: picturesOf(product),
    shortDescription,
    description,
    specs,
    maxQuantity: maxQuantity(product),
    /** Replaces the stock message for visitors with an invitation. */
    invitedMessage: stockWords(product, true),
    isWaitlistFirst: isWaitlistFirst(product, clock.now()),
  };
}
export type ProductDetails = ReturnType<typeof productDetailsOf>;
