/** The forms with which staff make codes and bundles. */
import { clock } from "#shop/clock.ts";
import { dayField } from "#shop/day-field.ts";
import { readDollars } from "#shop/money.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { requiredLine } from "#shop/text.ts";
import { z } from "#shop/zod.ts";
import { readCode } from "./discount.ts";

const optional = <Schema extends z.ZodType>(schema: Schema, problem: string) =>
  z
    .union([z.literal(""), schema], problem)
    .optional()
    .transform((value) => (value === "" || value === undefined ? null : (value as z.output<Schema>)));

const dollars = (problem: string) =>
  z.string({ error: problem }).transform((typed, context) => {
    const cents = readDollars(typed);
    if (cents !== null && cents > 0) return cents;
    context.addIssue(problem);
    return z.NEVER;
  });

const units = z
  .string({ error: "Enter a number from 1 to 10" })
  .regex(/^(?:[1-9]|10)$/, "Enter a number from 1 to 10")
  .transform(Number);

const DAY = "Enter a date, or leave it empty";
const day = optional(dayField(DAY), DAY);
const days = { startsOn: day, endsOn: day.refine((last) => last === null || last >= today(), "The last day is over") };

type Days = { startsOn: string | null; endsOn: string | null };
const today = () => newYorkDay(clock.now());
const inOrder = ({ startsOn, endsOn }: Days) => startsOn === null || endsOn === null || startsOn <= endsOn;
const IN_ORDER = { path: ["endsOn"], error: "The last day is before the first" };

const PERCENT = /^(\d{1,3})\s*%$/;

/** "10%", "$10.00" or nothing, for free shipping. */
const valueOf = (typed: string) => {
  const percent = Number(PERCENT.exec(typed.trim())?.[1] ?? 0);
  if (percent >= 1 && percent <= 100) return { kind: "percent" as const, value: percent };
  const cents = readDollars(typed);
  return cents !== null && cents > 0 && typed.includes("$") ? { kind: "amount" as const, value: cents } : null;
};

const MINIMUM = "Enter an amount such as 50.00, or leave it empty";
const MAX_USES = "Enter a number of orders, or leave it empty";
const OFF = "Enter a percentage or an amount, such as 10% or $10.00";

export const codeSchema = z
  .object({
    discountCode: z
      .string({ error: "Enter a code" })
      .transform(readCode)
      .refine((code) => code !== null, "Use 2 to 30 letters, numbers and hyphens, such as SPRING10")
      .transform((code) => code!),
    off: z.string().default(""),
    freeShipping: z.literal("on").optional(),
    minimum: optional(dollars(MINIMUM), MINIMUM),
    maxUses: optional(
      z
        .string()
        .regex(/^[1-9]\d{0,5}$/)
        .transform(Number),
      MAX_USES,
    ),
    once: z.literal("on").optional(),
    ...days,
  })
  .transform(({ discountCode: code, off, freeShipping, ...rest }, context) => {
    const value = freeShipping ? { kind: "shipping" as const, value: 0 } : valueOf(off);
    if (value && (!freeShipping || off.trim() === "")) return { ...rest, ...value, code };
    const message = freeShipping ? "A code frees shipping or lowers the price: leave this empty" : OFF;
    context.addIssue({ code: "custom", path: ["off"], message });
    return z.NEVER;
  })
  .refine(inOrder, IN_ORDER);

export const bundleSchema = z
  .object({
    name: requiredLine("The name", 60, "Shoppers read the name in their totals"),
    amount: dollars("Enter an amount such as 10.00"),
    firstUnits: units,
    secondUnits: units,
    ...days,
  })
  .refine(inOrder, IN_ORDER);

export type NewCode = z.output<typeof codeSchema> & { productIds: string[] };
export type NewBundle = z.output<typeof bundleSchema> & { first: string[]; second: string[] };
