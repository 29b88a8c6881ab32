/** What staff type of a product, and what it means. */
import { z } from "zod";
import { newYorkMoment } from "../../new-york-time.ts";
import { ANOTHER_COLOR } from "./another-color.ts";
import type { Color } from "../colors.server.ts";
import { COLOR_NAME } from "../filters.ts";
import type { Category, Product, Specs } from "../product.ts";

/** What of a product is edited as one. */
export type ProductValues = Pick<
  Product,
  | "name"
  | "shortDescription"
  | "description"
  | "specs"
  | "category"
  | "colorVariant"
  | "priceCents"
  | "compareAtPriceCents"
  | "earlyBirdPriceCents"
  | "earlyBirdEndDate"
  | "isAvailable"
  | "featured"
  | "shipsFrom"
> & {
  slug: string;
  /** In place of `colorVariant`: a color that may be new, or has another swatch now. */ anotherColor?: Color;
};

export const PRODUCT_FIELDS = [
  "name",
  "slug",
  "shortDescription",
  "description",
  "specs",
  "category",
  "colorVariant",
  "anotherColor",
  "anotherColorHex",
  "price",
  "compareAtPrice",
  "earlyBirdPrice",
  "earlyBirdEnd",
  "shipsFrom",
  "isAvailable",
  "featured",
] as const;

const MAX_SPECS = 30;
const MONEY = /^\$?\d{1,5}(?:\.\d{1,2})?$/;
const cents = (text: string) => Math.round(Number(text.replace("$", "")) * 100);

const line = (what: string, max: number) =>
  z
    .string({ error: `Enter ${what}` })
    .trim()
    .min(1, `Enter ${what}`)
    .max(max, `At most ${max} characters`);
const money = z
  .string({ error: "Enter a price" })
  .trim()
  .regex(MONEY, "Enter a price in dollars, as 149 or 149.00")
  .transform(cents);
const noMoney = z.literal("").transform(() => null);
const optional = <T>(schema: z.ZodType<T, string>) =>
  z
    .union([noMoney, schema], {
      error: (issue) => (issue.input === undefined ? "Enter it, or leave it empty" : undefined),
    })
    .default(null);

const NAME_AND_VALUE = /^([^:]{1,60}):(.{1,200})$/;

/** "battery life hours: 48" in each line, or why not. */
export function readSpecs(text: string): { specs: Specs } | { problem: string } {
  const specs: Specs = {};
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    if (row.trim() === "") continue;
    const [, name = "", value = ""] = NAME_AND_VALUE.exec(row.trim()) ?? [];
    const key = name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_]+/g, "_");
    if (!/^[a-z0-9_]+$/.test(key) || value.trim() === "") {
      return { problem: `Line ${index + 1}: write a name, a colon and what it is, as "weight lb: 4.6"` };
    }
    if (Object.hasOwn(specs, key)) return { problem: `Line ${index + 1}: this name stands there already` };
    const typed = value.trim();
    specs[key] = /^-?\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : typed;
  }
  if (Object.keys(specs).length > MAX_SPECS) return { problem: `At most ${MAX_SPECS} lines` };
  return { specs };
}

/** The specs as they are typed. */
export const specsText = (specs: Specs): string =>
  Object.entries(specs)
    .map(([key, value]) => `${key.replaceAll("_", " ")}: ${value}`)
    .join("\n");

const specsField = z
  .string()
  .default("")
  .transform((text, context) => {
    const read = readSpecs(text);
    if ("specs" in read) return read.specs;
    context.addIssue({ code: "custom", message: read.problem });
    return z.NEVER;
  });

const endField = z
  .string()
  .trim()
  .transform((text, context) => {
    const at = newYorkMoment(text);
    if (at) return at;
    context.addIssue({ code: "custom", message: "Enter a day and a time of New York" });
    return z.NEVER;
  });

const dayField = z
  .string()
  .trim()
  .refine((day) => newYorkMoment(`${day}T12:00`) !== null, "Enter a day, as 2027-01-12");
const checkbox = z
  .literal("on")
  .optional()
  .transform((value) => value === "on");

const HEX = /^#?[0-9a-f]{6}$/i;

/** `categories` and `colors` are those there are. */
export const productSchema = (categories: readonly Category[], colors: readonly Color[]) =>
  z
    .object({
      name: line("a name", 80),
      slug: line("an address", 80).regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "Use small letters, digits and hyphens"),
      shortDescription: line("one sentence", 200),
      description: line("a description", 4_000),
      specs: specsField,
      category: z.enum(categories, { error: "Choose a category" }),
      colorVariant: z.enum(["", ANOTHER_COLOR, ...colors.map(({ name }) => name)], {
        error: "Choose a color, or none",
      }),
      anotherColor: z.string().trim().default(""),
      anotherColorHex: z.string().trim().default(""),
      price: money,
      compareAtPrice: optional(money),
      earlyBirdPrice: optional(money),
      earlyBirdEnd: optional(endField),
      shipsFrom: optional(dayField),
      isAvailable: checkbox,
      featured: checkbox,
    })
    .superRefine(({ price, earlyBirdPrice, earlyBirdEnd, colorVariant, ...typed }, context) => {
      const problem = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
      if (colorVariant === ANOTHER_COLOR) {
        if (!COLOR_NAME.test(typed.anotherColor))
          problem("anotherColor", "Enter its name, as Sunset Coral: a capital, then letters, at most 30");
        if (!HEX.test(typed.anotherColorHex)) problem("anotherColorHex", "Enter six digits, as #e58a6f");
      }
      if (earlyBirdPrice !== null && earlyBirdEnd === null)
        problem("earlyBirdEnd", "Enter when the early-bird price ends");
      if (earlyBirdPrice === null && earlyBirdEnd !== null)
        problem("earlyBirdPrice", "Enter the early-bird price, or clear its end");
      if (earlyBirdPrice !== null && earlyBirdPrice >= price)
        problem("earlyBirdPrice", "It must be below the regular price");
    })
    .transform(({ price, compareAtPrice, earlyBirdPrice, earlyBirdEnd, ...typed }): ProductValues => {
      const { colorVariant, anotherColor, anotherColorHex, ...rest } = typed;
      const hex = `#${anotherColorHex.replace("#", "").toLowerCase()}`;
      return {
        ...rest,
        colorVariant: colorVariant === ANOTHER_COLOR ? anotherColor : colorVariant || null,
        ...(colorVariant === ANOTHER_COLOR && { anotherColor: { name: anotherColor, hex } }),
        priceCents: price,
        compareAtPriceCents: compareAtPrice,
        earlyBirdPriceCents: earlyBirdPrice,
        earlyBirdEndDate: earlyBirdEnd,
      };
    });

const PRICES = ["priceCents", "compareAtPriceCents", "earlyBirdPriceCents", "earlyBirdEndDate"] as const;

/** Whether an edit touches what is paid: that asks for more than an edit of words. */
export const changesPrice = (before: Pick<ProductValues, (typeof PRICES)[number]>, after: typeof before): boolean =>
  PRICES.some(
    (field) => Number(before[field]) !== Number(after[field]) || (before[field] === null) !== (after[field] === null),
  );
