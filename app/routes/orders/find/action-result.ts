import type { FindOrderField } from "../../../../shop/orders/find-form.ts";

/** What came of asking for a link; a refusal gives back what was typed. */
export type FindActionResult =
  | { sent: true }
  | { sent: false; message: string; errors: Partial<Record<FindOrderField, string>>; typed: Record<string, string> };

export const CONNECTION_LOST = "Nothing was sent. Please try again.";
