/** What a product is to a shopper, and the words the catalog uses. */
export const COLOR_VARIANTS = ["Frost White", "Earth Green", "Midnight Black"] as const;
export type ColorVariant = (typeof COLOR_VARIANTS)[number];

export const CATEGORIES = ["Classic", "Pro", "Accessories"] as const;
export type Category = (typeof CATEGORIES)[number];

export type Specs = Record<string, string | number>;

export type Product = {
  id: string;
  name: string;
  slug: string;
  shortDescription: string;
  description: string;
  /** Regular price in cents; what is paid today is `priceOf(product, now)`. */
  priceCents: number;
  compareAtPriceCents: number | null;
  earlyBirdPriceCents: number | null;
  earlyBirdEndDate: Date | null;
  /** Names of pictures in app/ui/pictures.generated.ts. */
  thumbnail: string | null;
  images: string[];
  specs: Specs;
  colorVariant: ColorVariant | null;
  category: Category;
  inventoryCount: number;
  isAvailable: boolean;
  featured: boolean;
  createdAt: Date;
};

/** "battery_life_hours" reads "battery life hours" (SPEC 2). */
export function specLabel(key: string): string {
  return key.replaceAll("_", " ");
}
