/** Product form: fields, pictures and validation. */
import { z } from "#shop/zod.ts";
import { clock } from "#shop/clock.ts";
import { dayField } from "#shop/day-field.ts";
import { decimalMoney, readDollars } from "#shop/money.ts";
import { newYorkField, newYorkMoment } from "#shop/new-york-time.ts";
import { message, requiredLine } from "#shop/text.ts";
import type { Color } from "../colors.server.ts";
import { COLOR_NAME } from "../filters.ts";
import { lastShipDay } from "../stock.ts";
import { CATEGORIES, DEFAULT_TAX_CODE, specList, type Product, type Specs } from "../product.ts";

/** Select value for a newly typed color; cannot be a color name. */
export const ANOTHER_COLOR = "another";

export const MAX_PICTURES = 6;
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
/** Narrower pictures would be enlarged on the product page. */
export const MIN_PICTURE_WIDTH = 1_200;

/** Longest description of a picture. */
export const MAX_ALT = 200;

const MAX_SPECS = 30;
const MAX_PRICE_CENTS = 99_999_99;

const money = z.string({ error: "Enter a price" }).transform((typed, context) => {
  const cents = readDollars(typed);
  if (cents !== null && cents > 0 && cents <= MAX_PRICE_CENTS) return cents;
  context.addIssue({ code: "custom", message: "Enter a price in dollars, such as 149 or 149.00" });
  return z.NEVER;
});
const empty = z
  .string()
  .regex(/^\s*$/)
  .transform(() => null);
const optional = <T>(schema: z.ZodType<T, string>) =>
  z
    .union([empty, schema], {
      error: (issue) =>
        issue.input === undefined ? "Enter a value, or leave it empty" : issue.errors?.[1]?.[0]?.message,
    })
    .default(null);

const NAME_AND_VALUE = /^([^:]{1,60}):(.{1,200})$/;

/** Parses one "battery life hours: 48" per line, or reports an invalid one. */
function readSpecs(text: string): { specs: Specs } | { problem: string } {
  const specs: Specs = {};
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    if (row.trim() === "") continue;
    const [, name = "", value = ""] = NAME_AND_VALUE.exec(row.trim()) ?? [];
    const key = name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_]+/g, "_");
    if (!/^[a-z0-9_]+$/.test(key) || value.trim() === "") {
      return { problem: `Spec ${index + 1}: enter a name of letters and digits, and a value` };
    }
    if (Object.hasOwn(specs, key)) return { problem: `Spec ${index + 1}: another spec has this name` };
    const typed = value.trim();
    // "2.10" and "0042" would be shown as other numbers.
    specs[key] = /^-?\d+(?:\.\d+)?$/.test(typed) && String(Number(typed)) === typed ? Number(typed) : typed;
  }
  if (Object.keys(specs).length > MAX_SPECS) return { problem: `At most ${MAX_SPECS} specs` };
  return { specs };
}

const specsText = (specs: Specs): string =>
  specList(specs)
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
    context.addIssue({ code: "custom", message: "Enter a date and time (New York)" });
    return z.NEVER;
  });

const shipDay = dayField("Enter a date, such as 2027-01-12").refine(
  (day) => day <= lastShipDay(clock.now()),
  "Enter a date within two years",
);
const ouncesField = z
  .string()
  .trim()
  .regex(/^[1-9]\d{0,3}$/, "Enter whole ounces, such as 74")
  .transform(Number);
const checkbox = z
  .enum(["on", ""])
  .optional()
  .transform((value) => value === "on");

const HEX = /^#?[0-9a-f]{6}$/i;

/** The URL handle of a name: "Polara Pro Crème" becomes "polara-pro-creme". */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

const filledIn = (typed: unknown) => {
  const { name, slug, ...rest } = typed as Record<string, unknown>;
  return { ...rest, name, slug: typeof name === "string" && !slug ? slugOf(name) : slug };
};

/** Form fields. A field with a column of the same name is read, shown and saved automatically. */
const fields = (colors: readonly Color[]) =>
  z.object({
    name: requiredLine("The name", 80, "Enter a name"),
    slug: requiredLine("The URL handle", 80, "Enter a URL handle").regex(
      /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
      "Use lowercase letters, digits and hyphens",
    ),
    shortDescription: requiredLine("The short description", 200, "Enter a short description"),
    description: message("The description", 4_000, "Enter a description"),
    specs: specsField,
    category: z.enum(CATEGORIES, { error: "Choose a category" }),
    colorVariant: z.enum(["", ANOTHER_COLOR, ...colors.map(({ name }) => name)], {
      error: "Choose a color, or none",
    }),
    anotherColor: z.string().trim().default(""),
    anotherColorHex: z.string().trim().default(""),
    price: money,
    compareAtPrice: optional(money),
    earlyBirdPrice: optional(money),
    earlyBirdEnd: optional(endField),
    taxCode: z
      .string()
      .trim()
      .regex(/^txcd_\d{8}$/, `Enter a tax code, such as ${DEFAULT_TAX_CODE}`)
      .default(DEFAULT_TAX_CODE),
    weightOz: optional(ouncesField),
    shipsFrom: optional(shipDay),
    isAvailable: checkbox,
    featured: checkbox,
  });

type ProductField = keyof ReturnType<typeof fields>["shape"];
export const PRODUCT_FIELDS = Object.keys(fields([]).shape) as ProductField[];

const valuesOf = (colors: readonly Color[]) =>
  fields(colors)
    .superRefine(({ price, earlyBirdPrice, earlyBirdEnd, colorVariant, ...typed }, context) => {
      const problem = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
      if (colorVariant === ANOTHER_COLOR) {
        if (!COLOR_NAME.test(typed.anotherColor))
          problem(
            "anotherColor",
            "Enter a color name, such as Sunset Coral: a capital letter first, letters only, at most 30",
          );
        if (!HEX.test(typed.anotherColorHex))
          problem("anotherColorHex", "Choose a swatch, or enter a hex color such as #e58a6f");
      }
      if (earlyBirdPrice !== null && earlyBirdEnd === null)
        problem("earlyBirdEnd", "Enter when the early-bird price ends");
      if (earlyBirdPrice === null && earlyBirdEnd !== null)
        problem("earlyBirdPrice", "Enter the early-bird price, or clear its end date");
      if (earlyBirdPrice !== null && earlyBirdPrice >= price)
        problem("earlyBirdPrice", "Must be below the regular price");
    })
    .transform(({ price, compareAtPrice, earlyBirdPrice, earlyBirdEnd, ...typed }) => {
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

/** Form schema for the given colors. A new color comes as `anotherColor`, and an empty URL handle is made from the name. */
export const productSchema = (colors: readonly Color[]) => z.preprocess(filledIn, valuesOf(colors));

export type ProductValues = z.output<ReturnType<typeof productSchema>>;

/** Field values as text; "on" for a checked box. */
export type TypedProduct = Record<ProductField, string>;

export const NEW_PRODUCT: TypedProduct = {
  ...(Object.fromEntries(PRODUCT_FIELDS.map((field) => [field, ""])) as TypedProduct),
  category: "Accessories",
  taxCode: DEFAULT_TAX_CODE,
  isAvailable: "on",
};

function fieldText(value: unknown): string {
  if (value instanceof Date) return newYorkField(value);
  if (typeof value === "boolean") return value ? "on" : "";
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
const moneyText = (cents: number | null) => (cents === null ? "" : decimalMoney(cents));

/** Fields of another color of a product: its texts, specs and prices, under the name of its model. */
export const typedAnotherColor = (product: Parameters<typeof typedProduct>[0]): TypedProduct => ({
  ...typedProduct(product),
  name: product.model,
  slug: "",
  colorVariant: "",
  featured: "",
  isAvailable: "on",
});

export const typedProduct = (product: Omit<Product, "colorHex" | "inventoryCount">): TypedProduct => ({
  ...(Object.fromEntries(
    PRODUCT_FIELDS.map((field) => [field, fieldText(Reflect.get(product, field))]),
  ) as TypedProduct),
  specs: specsText(product.specs),
  price: moneyText(product.priceCents),
  compareAtPrice: moneyText(product.compareAtPriceCents),
  earlyBirdPrice: moneyText(product.earlyBirdPriceCents),
  earlyBirdEnd: fieldText(product.earlyBirdEndDate),
});

const PRICES = ["priceCents", "compareAtPriceCents", "earlyBirdPriceCents", "earlyBirdEndDate"] as const;

/** True if an edit changes a price, which needs its own permission and a recent verification. */
export const changesPrice = (before: Pick<ProductValues, (typeof PRICES)[number]>, after: typeof before): boolean =>
  PRICES.some(
    (field) => Number(before[field]) !== Number(after[field]) || (before[field] === null) !== (after[field] === null),
  );
