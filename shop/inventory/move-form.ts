/** Stock form: a quantity whose reason sets, adds or subtracts. */
import { z } from "#shop/zod.ts";

/** Reasons that staff choose from, with what each does to the stock; the others come from a parcel. */
export const TYPED_REASONS = {
  received: "adds",
  counted: "sets on hand",
  damaged: "subtracts",
  returned: "adds",
  correction: "+ or −",
} as const satisfies Partial<Record<MoveReason, string>>;
type TypedReason = keyof typeof TYPED_REASONS;

const MAX_UNITS = 1_000_000;
const WHOLE = "Enter a whole number";

const units = z
  .string({ error: WHOLE })
  .trim()
  .regex(/^[+-]?\d{1,7}$/, WHOLE)
  .transform(Number)
  .refine((number) => Math.abs(number) <= MAX_UNITS, `At most ${MAX_UNITS.toLocaleString("en-US")}`);

const ON_HAND = "Enter the quantity on hand";

/** Quantity on hand of a new product, or undefined if it is not known yet. */
export const openingStock = z.object({
  stock: z.preprocess((typed) => typed || undefined, units.refine((number) => number >= 0, ON_HAND).optional()),
});

/** A count sets what is on hand, damaged units are subtracted, received and returned ones added; a correction has its own sign. */
export const stockSchema = z
  .object({
    reason: z.custom<TypedReason>(
      (reason) => typeof reason === "string" && Object.hasOwn(TYPED_REASONS, reason),
      "Choose a reason",
    ),
    units,
    note: z
      .string()
      .trim()
      .max(200, "At most 200 characters")
      .default("")
      .transform((text) => text || null),
    formKey: z.uuid(),
  })
  .superRefine(({ reason, units: number }, context) => {
    const refuse = (message: string) => context.addIssue({ code: "custom", path: ["units"], message });
    if (reason === "counted" && number < 0) refuse(ON_HAND);
    else if (reason !== "counted" && number === 0) refuse("Enter a quantity");
    else if (reason !== "correction" && number < 0) refuse("Enter a quantity without a sign");
  })
  .transform(({ units: number, ...rest }) =>
    rest.reason === "counted"
      ? { ...rest, counted: number }
      : { ...rest, delta: rest.reason === "damaged" ? -number : number },
  );

/** Reasons for stock adjustments. */
export const MOVE_REASONS = ["received", "counted", "damaged", "returned", "resent", "correction"] as const;
export type MoveReason = (typeof MOVE_REASONS)[number];

export const MOVE_WORDS: Record<MoveReason, string> = {
  received: "Received",
  counted: "Stock count",
  damaged: "Damaged or lost",
  returned: "Returned to stock",
  resent: "Sent again",
  correction: "Correction",
};
