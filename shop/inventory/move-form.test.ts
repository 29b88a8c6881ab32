import { expect, it } from "vitest";
import { stockSchema } from "./move-form.ts";

const formKey = "8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f751";

it.each([
  ["counted", "80", { counted: 80 }],
  ["counted", "0", { counted: 0 }],
  ["counted", "-1", "Enter the quantity on hand"],
  ["received", " 20 ", { delta: 20 }],
  ["returned", "1", { delta: 1 }],
  ["damaged", "3", { delta: -3 }],
  ["damaged", "-3", "Enter a quantity without a sign"],
  ["correction", "-3", { delta: -3 }],
  ["correction", "+3", { delta: 3 }],
  ["received", "0", "Enter a quantity"],
  ["received", "", "Enter a whole number"],
  ["received", "1000001", "At most 1,000,000"],
  ["", "3", "Choose a reason"],
  ["resent", "3", "Choose a reason"],
  ["toString", "3", "Choose a reason"],
])("%s of %j is %j", (reason, units, expected) => {
  const read = stockSchema.safeParse({ reason, units, formKey });
  if (read.success) expect(read.data).toEqual({ reason, note: null, formKey, ...(expected as object) });
  else expect(read.error.issues[0]?.message).toBe(expected);
});
