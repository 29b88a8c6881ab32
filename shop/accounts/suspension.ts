/** Reasons of a suspension, shown to the customer. A fixed list keeps free text about people out of accounts. */
export const SUSPENSION_REASONS = {
  terms: "It was used in a way our terms don’t allow.",
  fraud: "We suspect fraud.",
  resale: "Our products were resold as new without our permission.",
  risk: "It put other people or our shop at risk.",
  taken: "We believe someone else is using it.",
} as const;
export type SuspensionReason = keyof typeof SUSPENSION_REASONS;

/** The answer to a right sign-in while an account is suspended. */
export const suspensionWords = (reason: SuspensionReason): string =>
  `This account is suspended. ${SUSPENSION_REASONS[reason]} If you think this is wrong, contact us at /support, and a person will take another look. Your orders aren’t affected.`;
