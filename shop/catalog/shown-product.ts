/** As much of a product's record as a page shows: nothing else of it reaches a browser. */
import type { Product } from "./product.ts";
import { shipsFromWords, waitlistFirstWords } from "./ships-from.ts";
import { isLowStock, maxQuantity, stockMessage, unitsLeft } from "./stock.ts";

const CARD_PICTURES = 2;

const picturesOf = ({ images, thumbnail }: Product) => (images.length > 0 ? images : thumbnail ? [thumbnail] : []);

const named = ({ id, slug, name, colorVariant, colorHex }: Product) => ({ id, slug, name, colorVariant, colorHex });

/** What `priceOf` asks for. */
const priced = ({ priceCents, compareAtPriceCents, earlyBirdPriceCents, earlyBirdEndDate }: Product) => ({
  priceCents,
  compareAtPriceCents,
  earlyBirdPriceCents,
  earlyBirdEndDate,
});

/** The message, and not the count that it is made from. */
const stocked = (product: Product) => ({ isInStock: unitsLeft(product) > 0, stockMessage: stockWords(product) });

function stockWords(product: Product): string {
  if (product.retiredAt) return "No longer sold";
  if (unitsLeft(product) === 0) return stockMessage(product);
  const now = new Date();
  const first = waitlistFirstWords(product, now) ?? stockMessage(product);
  const later = shipsFromWords(product, now);
  return later ? `${first}, ${later}` : first;
}

/** In a list; the second picture is for whoever points at the card. */
export function cardOf(product: Product) {
  const pictures = picturesOf(product).slice(0, CARD_PICTURES);
  return { ...named(product), ...priced(product), ...stocked(product), isLowStock: isLowStock(product), pictures };
}
export type ProductCard = ReturnType<typeof cardOf>;

/** In a comparison of models. */
export function comparedModelOf(product: Product) {
  const { category, specs } = product;
  return { ...named(product), ...priced(product), category, specs, picture: picturesOf(product)[0] ?? null };
}
export type ComparedModel = ReturnType<typeof comparedModelOf>;

/** In home's shop window, from which it can be compared. */
export function windowProductOf(product: Product) {
  return { ...comparedModelOf(product), ...stocked(product), shortDescription: product.shortDescription };
}
export type WindowProduct = ReturnType<typeof windowProductOf>;

/** On its own page. */
export function productDetailsOf(product: Product) {
  const { shortDescription, description, category, specs } = product;
  return {
    ...cardOf(product),
    pictures: picturesOf(product),
    shortDescription,
    description,
    category,
    specs,
    maxQuantity: maxQuantity(product),
  };
}
export type ProductDetails = ReturnType<typeof productDetailsOf>;
