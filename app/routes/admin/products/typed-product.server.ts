/** A product as its fields show it, and how they are read. */
import { z } from "zod";
import { listAllColors } from "../../../../shop/catalog/colors.server.ts";
import { CATEGORIES } from "../../../../shop/catalog/product.ts";
import type { DeskProduct } from "../../../../shop/catalog/desk/desk-product.server.ts";
import { productSchema, specsText } from "../../../../shop/catalog/desk/product-form.ts";
import { priceOf } from "../../../../shop/catalog/price.ts";
import { decimalMoney, formatMoney } from "../../../../shop/money.ts";
import { newYorkField, newYorkWords } from "../../../../shop/new-york-time.ts";
import { db } from "../../../database.server.ts";
import type { Choices, TypedProduct } from "./product-fields.tsx";

/** What a product may be, as it is now. */
export async function choicesNow(): Promise<Choices> {
  return { categories: [...CATEGORIES], colors: (await listAllColors(db)).map(({ name }) => name) };
}

/** How the fields are read, by the colors there are now. */
export const schemaNow = async () => productSchema(CATEGORIES, await listAllColors(db));

/** Which product an address means. */
export const idSchema = z.uuid();

export const NOTHING_TYPED: TypedProduct = {
  name: "",
  slug: "",
  shortDescription: "",
  description: "",
  specs: "",
  category: "Accessories",
  colorVariant: "",
  price: "",
  compareAtPrice: "",
  earlyBirdPrice: "",
  earlyBirdEnd: "",
  shipsFrom: "",
  isAvailable: true,
  featured: false,
};

const money = (cents: number | null) => (cents === null ? "" : decimalMoney(cents));

export const typedOf = (product: DeskProduct): TypedProduct => ({
  name: product.name,
  slug: product.slug,
  shortDescription: product.shortDescription,
  description: product.description,
  specs: specsText(product.specs),
  category: product.category,
  colorVariant: product.colorVariant ?? "",
  price: money(product.priceCents),
  compareAtPrice: money(product.compareAtPriceCents),
  earlyBirdPrice: money(product.earlyBirdPriceCents),
  earlyBirdEnd: product.earlyBirdEndDate ? newYorkField(product.earlyBirdEndDate) : "",
  shipsFrom: product.shipsFrom ?? "",
  isAvailable: product.isAvailable,
  featured: product.featured,
});

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** "2 days and 3 hours", as the countdown begins. */
function timeLeft(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;
  return `${counted(days, "day")} and ${counted(hours, "hour")}`;
}

/** What shoppers see of the price at `now`, in words. */
export function priceWords(product: Parameters<typeof priceOf>[0], now: Date): string {
  const { priceCents, compareAtCents, earlyBird } = priceOf(product, now);
  const struck = compareAtCents === null ? "" : `, ${formatMoney(compareAtCents)} struck through`;
  const paid = `Shoppers pay ${formatMoney(priceCents)}${struck}`;
  if (!earlyBird) {
    const end = product.earlyBirdEndDate;
    return end ? `${paid}. The early-bird price ended on ${newYorkWords(end)} in New York.` : `${paid}.`;
  }
  const saves = earlyBird.savingCents > 0 ? `, “Save ${formatMoney(earlyBird.savingCents)}”` : "";
  const left = timeLeft(earlyBird.endsAt.getTime() - now.getTime());
  return `${paid}${saves}, with a countdown of ${left}: until ${newYorkWords(earlyBird.endsAt)} in New York, then ${formatMoney(earlyBird.regularCents)}.`;
}
