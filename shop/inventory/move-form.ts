/** Stock adjustment form: a count of what is on hand, or a quantity with its reason. */
import { z } from "#shop/zod.ts";

/** Reasons that staff choose from; the others come from a count or a parcel. */
export const TYPED_REASONS = ["received", "damaged", "returned", "correction"] as const;

const MAX_UNITS = 1_000_000;
const WHOLE = "Enter a whole number";

const units = z
  .string({ error: WHOLE })
  .trim()
  .regex(/^[+-]?\d{1,7}$/, WHOLE)
  .transform(Number)
  .refine((number) => Math.abs(number) <= MAX_UNITS, `At most ${MAX_UNITS.toLocaleString("en-US")}`);
const shared = {
  note: z
    .string()
    .trim()
    .max(200, "At most 200 characters")
    .default("")
    .transform((text) => text || null),
  formKey: z.uuid(),
};

const counted = units.refine((number) => number >= 0, "Enter the quantity on hand");
export const countSchema = z.object({ counted, ...shared });

/** Quantity on hand of a new product, or undefined if it is not known yet. */
export const openingStock = z.object({ stock: z.preprocess((typed) => typed || undefined, counted.optional()) });

/** Damaged units are subtracted, received and returned ones added; a correction has its own sign. */
export const moveSchema = z
  .object({
    reason: z.enum(TYPED_REASONS, { error: "Choose a reason" }),
    units: units.refine((number) => number !== 0, "Enter a quantity"),
    ...shared,
  })
  .superRefine(({ reason, units: number }, context) => {
    if (reason === "correction" || number > 0) return;
    context.addIssue({ code: "custom", path: ["units"], message: "Enter a quantity without a sign" });
  })
  .transform(({ reason, units: number, ...rest }) => ({
    ...rest,
    reason: reason satisfies MoveReason as MoveReason,
    delta: reason === "damaged" ? -number : number,
  }));

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
