/** What staff type to move stock: a count of the shelf, or units with their reason. */
import { z } from "zod";
import type { MoveReason } from "./move-reasons.ts";

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

export const countSchema = z.object({
  counted: units.refine((number) => number >= 0, "Enter how many you found"),
  ...shared,
});

/** How each reason moves: what is damaged leaves, what is received comes, a correction says which by its sign. */
export const moveSchema = z
  .object({
    reason: z.enum(["received", "damaged", "returned", "correction"], { error: "Choose a reason" }),
    units: units.refine((number) => number !== 0, "Enter how many"),
    ...shared,
  })
  .superRefine(({ reason, units: number }, context) => {
    if (reason === "correction" || number > 0) return;
    context.addIssue({ code: "custom", path: ["units"], message: "Enter how many, without a sign" });
  })
  .transform(({ reason, units: number, ...rest }) => ({
    ...rest,
    reason: reason satisfies MoveReason as MoveReason,
    delta: reason === "damaged" ? -number : number,
  }));
